package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"annai/fault"
)

// NewCron is what a cron is made or changed with: a request for runs, and when. Nil is left as it is.
type NewCron struct {
	Request

	Schedule    string     `json:"schedule"`
	Timezone    string     `json:"timezone,omitempty"`
	EndTime     *time.Time `json:"end_time,omitempty"`
	OnCompleted string     `json:"on_run_completed,omitempty"`
	Enabled     *bool      `json:"enabled,omitempty"`
}

// CreateCron makes a cron whose runs are on the thread, or, if that is empty, each on one of its own.
func (s *Service) CreateCron(ctx context.Context, thread string, n NewCron) (Cron, error) {
	if err := n.check(); err != nil {
		return Cron{}, err
	}
	a, _, err := s.graphOf(ctx, n.AssistantID)
	if err != nil {
		return Cron{}, err
	}
	now := s.now()
	c := Cron{ID: s.opts.NewID(), AssistantID: a.ID, Enabled: true, Metadata: merged(n.Metadata, nil, ""), CreatedAt: now, UpdatedAt: now, Maker: s.caller.Maker}
	if thread != "" {
		if _, err := s.thread(ctx, thread); err != nil {
			return Cron{}, err
		}
		c.ThreadID = &thread
	}
	if c.Payload, err = json.Marshal(n.Request); err != nil {
		return Cron{}, fmt.Errorf("payload of a cron: %w", err)
	}
	if err := c.set(n, now); err != nil {
		return Cron{}, err
	}
	return c, s.parts.Store.CreateCron(ctx, c)
}

// Cron returns a cron; [fault.ErrNotFound] if there is none. All are looked through: operators have few.
func (s *Service) Cron(ctx context.Context, id string) (Cron, error) {
	list, _, err := s.parts.Store.SearchCrons(ctx, CronFilter{Page: Page{Limit: -1}})
	if err != nil {
		return Cron{}, err
	}
	for _, c := range list {
		if c.ID == id {
			return c, nil
		}
	}
	return Cron{}, fmt.Errorf("cron %s: %w", id, fault.ErrNotFound)
}

// UpdateCron changes a cron.
func (s *Service) UpdateCron(ctx context.Context, id string, n NewCron) (Cron, error) {
	return s.parts.Store.UpdateCron(ctx, id, func(c *Cron) error {
		c.UpdatedAt = s.now()
		var r Request
		if err := json.Unmarshal(c.Payload, &r); err != nil {
			return fmt.Errorf("payload of cron %s: %w", id, err)
		}
		changed := r
		data, err := json.Marshal(n.Request)
		if err == nil {
			err = json.Unmarshal(data, &changed) // what is left out stays
		}
		if err != nil {
			return fmt.Errorf("payload of cron %s: %w: %w", id, err, fault.ErrInvalid)
		}
		changed.AssistantID = r.AssistantID
		if err := changed.check(); err != nil {
			return err
		}
		if c.Payload, err = json.Marshal(changed); err != nil {
			return fmt.Errorf("payload of cron %s: %w", id, err)
		}
		c.Metadata = merged(c.Metadata, n.Metadata, "")
		return c.set(n, c.UpdatedAt)
	})
}

// set takes in what is said about when.
func (c *Cron) set(n NewCron, now time.Time) error {
	if n.Schedule != "" {
		c.Schedule = n.Schedule
	}
	if n.Timezone != "" {
		c.Timezone = n.Timezone
	}
	if n.EndTime != nil {
		at := n.EndTime.UTC().Truncate(time.Millisecond)
		c.EndTime = &at
	}
	if n.Enabled != nil {
		c.Enabled = *n.Enabled
	}
	if n.OnCompleted != "" {
		c.OnCompleted = n.OnCompleted
	}
	if !oneOf(c.OnCompleted, []string{"", "delete", "keep"}) {
		return fmt.Errorf("on_run_completed is %q: %w", c.OnCompleted, fault.ErrInvalid)
	}
	next, err := c.next(now)
	if err != nil {
		return err
	}
	c.NextRun = next
	return nil
}

// next is when the cron fires next after now; nil if never.
func (c *Cron) next(now time.Time) (*time.Time, error) {
	loc, err := time.LoadLocation(c.Timezone)
	if err != nil {
		return nil, fmt.Errorf("timezone %q: %w", c.Timezone, fault.ErrInvalid)
	}
	if strings.Contains(c.Schedule, "=") { // the parser's own way to name a zone
		return nil, fmt.Errorf("schedule %q: %w", c.Schedule, fault.ErrInvalid)
	}
	schedule, err := cron.ParseStandard(c.Schedule)
	if err != nil {
		return nil, fmt.Errorf("schedule %q: %w: %w", c.Schedule, err, fault.ErrInvalid)
	}
	at := schedule.Next(now.In(loc)).UTC()
	if !c.Enabled || at.IsZero() || c.EndTime != nil && at.After(*c.EndTime) {
		return nil, nil //nolint:nilnil // never is no error
	}
	return &at, nil
}

// DeleteCron forgets a cron; its runs stay.
func (s *Service) DeleteCron(ctx context.Context, id string) error {
	return s.parts.Store.DeleteCron(ctx, id)
}

// SearchCrons returns crons, and how many there are in all.
func (s *Service) SearchCrons(ctx context.Context, f CronFilter) ([]Cron, int, error) {
	if f.AssistantID != "" {
		if a, err := s.Assistant(ctx, f.AssistantID); err == nil {
			f.AssistantID = a.ID
		}
	}
	return s.parts.Store.SearchCrons(ctx, f)
}

// errFired says that somebody else fired the cron.
var errFired = errors.New("the cron was fired already")

// Fire makes the runs of crons that are due: each once, in whatever process, also if that dies meanwhile, because the run's id follows from the cron and its time. What was
// missed while nobody looked is made up for once.
func (s *Service) Fire(ctx context.Context) error {
	now := s.now()
	due, _, err := s.parts.Store.SearchCrons(ctx, CronFilter{DueBefore: now, Page: Page{Limit: sweepMost}})
	if err != nil {
		return err
	}
	for _, c := range due {
		err := s.fire(ctx, c)
		if err != nil {
			s.opts.Log.LogAttrs(ctx, slog.LevelWarn, "cron made no run", slog.String("cron_id", c.ID), slog.Any("err", err))
		}
		hopeless := errors.Is(err, fault.ErrInvalid) || errors.Is(err, fault.ErrNotFound) || errors.Is(err, fault.ErrConflict)
		if err != nil && !hopeless { // it is still due
			continue
		}
		_, err = s.parts.Store.UpdateCron(ctx, c.ID, func(fresh *Cron) error {
			if fresh.NextRun == nil || !fresh.NextRun.Equal(*c.NextRun) {
				return errFired
			}
			var err error
			fresh.NextRun, err = fresh.next(now)
			return err
		})
		if err != nil {
			if !errors.Is(err, errFired) && !errors.Is(err, fault.ErrNotFound) {
				return err
			}
		}
	}
	return nil
}

// fire makes the run of a cron that is due, unless that was made already.
func (s *Service) fire(ctx context.Context, c Cron) error {
	var r Request
	if err := json.Unmarshal(c.Payload, &r); err != nil {
		return fmt.Errorf("payload: %w: %w", err, fault.ErrInvalid)
	}
	r.Metadata = merged(r.Metadata, Object{"cron_id": c.ID}, "")
	if r.OnCompletion == "" && c.OnCompleted == "keep" {
		r.OnCompletion = "keep"
	}
	thread := ""
	if c.ThreadID != nil {
		thread = *c.ThreadID
		if r.Strategy == "" {
			r.Strategy = Enqueue
		}
	}
	made := 0
	_, err := s.As(Caller{Maker: c.Maker, All: true}).create(ctx, thread, r, func() string {
		made++
		return textID(fmt.Sprintf("%s %d %d", c.ID, c.NextRun.UnixMilli(), made))
	})
	if errors.Is(err, fault.ErrConflict) && !errors.Is(err, ErrBusy) {
		return nil
	}
	return err
}
