package runs

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"time"

	"annai/fault"
	"annai/graph"
)

// finish writes how the run ended: how its graph did, or why it was ended.
func (s *Service) finish(ctx context.Context, g Graph, e *execution, left []Event, outcome Outcome, failed, why error) error {
	undone := failed != nil && errors.Is(why, errRolledBack)
	if undone {
		var err error
		if outcome, err = s.undo(ctx, g, e.run); err != nil {
			return err
		}
	}
	now := s.now()
	status, open := standing(outcome.Tasks)
	ending := endingOf(failed, why)
	switch ending.Status {
	case RunError, RunTimeout:
		status = ThreadError
	case RunInterrupted:
		if len(open) == 0 {
			status = ThreadIdle
		}
	case RunPending, RunRunning, RunSuccess:
	}
	ending.Thread = status
	f := Finish{
		ThreadID: e.run.ThreadID, RunID: e.run.ID, Owner: s.owner, At: now, Status: ending.Status, Error: ending.Message, DeleteRun: undone,
		DeleteThread: e.run.Kwargs.Temporary && e.feed != nil,
		Bytes:        e.said.Load() + int64(len(outcome.Values))/4,
		Thread:       &ThreadEnd{Status: status, Values: outcome.Values, Interrupts: open, Error: ending.Message, ExpiresAt: s.lasting(ctx, e.run, now)},
	}
	last := e.event(KindEnd, now, ending)
	if e.feed == nil {
		f.Events = append(left, last)
	}
	if err := s.parts.Store.FinishRun(ctx, f); err != nil {
		return err
	}
	e.run.Status, e.run.Error, e.run.EndedAt, e.run.UpdatedAt = f.Status, f.Error, now, now
	e.result = Result{Run: e.run, Ending: ending, Values: outcome.Values, Interrupts: outcome.Interrupts(), Paused: len(outcome.Tasks) > 0}
	if e.feed != nil {
		e.feed.add(last, true)
	}
	s.afterwards(ctx, g, e, f)
	return nil
}

// endingOf says how a run ended that failed, or not, and why it was ended, if it was.
func endingOf(failed, why error) Ending {
	var panicked *graph.PanicError
	switch {
	case failed == nil:
		return Ending{Status: RunSuccess}
	case errors.Is(why, errCancelled), errors.Is(why, errRolledBack):
		return Ending{Status: RunInterrupted}
	case errors.Is(why, errTooLong):
		return Ending{Status: RunTimeout, Error: "TimeoutError", Message: errTooLong.Error()}
	case errors.Is(failed, ErrRecursion):
		return Ending{Status: RunError, Error: "GraphRecursionError", Message: failed.Error()}
	case errors.As(failed, &panicked):
		return Ending{Status: RunError, Error: "InternalError", Message: "something went wrong in the graph"}
	default:
		begun := !errors.As(failed, new(refused))
		return Ending{Status: RunError, Error: "Error", Message: failed.Error(), Refused: !begun}
	}
}

// refused is an error before the graph began: of an input, an answer or a place to go to that makes no sense.
type refused struct{ error }

func (r refused) Unwrap() error { return r.error }

// refusal marks the error of a run whose graph has not begun, if what it was asked to begin with is the cause.
func refusal(err error) error {
	if errors.Is(err, fault.ErrInvalid) || errors.Is(err, fault.ErrNotFound) {
		return refused{err}
	}
	return err
}

// keptDropped is how many runs that were rolled back a thread remembers.
const keptDropped = 100

// undo makes the thread stand where it stood before the run.
func (s *Service) undo(ctx context.Context, g Graph, run Run) (Outcome, error) {
	if g == nil {
		return Outcome{}, nil
	}
	before := ""
	for state, err := range g.History(ctx, run.ThreadID, "") {
		if err != nil {
			return Outcome{}, err
		}
		if state.RunID != run.ID {
			before = state.Checkpoint
			break
		}
	}
	if err := g.Rewind(ctx, run.ThreadID, before); err != nil {
		return Outcome{}, err
	}
	if before != "" {
		_, err := s.parts.Store.UpdateThread(ctx, run.ThreadID, func(t *Thread) error {
			t.Dropped = append(slices.Clone(t.Dropped[max(0, len(t.Dropped)-keptDropped+1):]), run.ID)
			return nil
		})
		if err != nil {
			return Outcome{}, err
		}
	}
	state, err := g.State(ctx, run.ThreadID, "")
	return Outcome{Values: state.Values, Tasks: state.Tasks, Checkpoint: state.Checkpoint}, err
}

// lasting is when the thread of a run that ends now is over.
func (s *Service) lasting(ctx context.Context, run Run, now time.Time) *time.Time {
	if run.Kwargs.Temporary {
		at := now.Add(s.opts.EventsKept)
		return &at
	}
	t, err := s.parts.Store.Thread(ctx, run.ThreadID)
	if err != nil {
		return s.expiry(nil, run.GraphID, now)
	}
	return s.expiry(t.TTL, run.GraphID, now)
}

// afterwards does what a run leaves to do: its checkpoints are forgotten if it was temporary, and its webhook is told.
func (s *Service) afterwards(ctx context.Context, g Graph, e *execution, f Finish) {
	if f.DeleteThread && g != nil {
		if err := g.Delete(ctx, f.ThreadID); err != nil {
			s.opts.Log.LogAttrs(ctx, slog.LevelWarn, "checkpoints of a temporary thread stay", slog.String("thread_id", f.ThreadID), slog.Any("err", err))
		}
	}
	if e.run.Kwargs.Webhook == "" || s.parts.Post == nil {
		return
	}
	body, err := json.Marshal(s.report(e.run, f))
	if err != nil {
		return
	}
	s.busy.Add(1) // the run is part of it still
	go func() {
		defer s.busy.Done()
		ctx, cancel := context.WithTimeout(ctx, webhookTime)
		defer cancel()
		if err := s.parts.Post(ctx, "msg_"+e.run.ID, e.run.Kwargs.Webhook, body); err != nil {
			s.opts.Log.LogAttrs(ctx, slog.LevelWarn, "webhook failed", slog.String("run_id", e.run.ID), slog.Any("err", err))
		}
	}()
}

// webhookTime is how long a webhook may take.
const webhookTime = 10 * time.Second

// A Report is what a webhook is told of a run.
type Report struct {
	Run

	Started time.Time       `json:"run_started_at"`
	Ended   time.Time       `json:"run_ended_at"`
	Sent    time.Time       `json:"webhook_sent_at"`
	Values  json.RawMessage `json:"values"`
	Error   string          `json:"error,omitempty"`
}

func (s *Service) report(run Run, f Finish) Report {
	return Report{Run: run, Started: run.StartedAt, Ended: f.At, Sent: s.now(), Values: f.Thread.Values, Error: f.Error}
}
