package runs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/runs"
)

func caller(name string) runs.Caller {
	return runs.Caller{Maker: runs.Maker{Name: name, Network: "net"}}
}

// TestOthers: what one caller made does not exist for another, whatever is asked; operators see
// all.
func TestOthers(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		ctx := p.Context()
		mine, theirs := p.As(caller("owner boss")), p.As(caller("visitor kiosk"))
		operator := p.As(runs.Caller{Maker: runs.Maker{Name: "operator"}, All: true})
		made, err := mine.CreateThread(ctx, runs.NewThread{})
		if err != nil {
			t.Fatal(err)
		}
		run, err := mine.Create(ctx, made.ID, request(`{"mode":"echo","text":"a secret"}`))
		if err == nil {
			_, err = mine.Wait(ctx, run)
		}
		if err != nil {
			t.Fatal(err)
		}
		asks := map[string]func(s *runs.Service) error{
			"Thread": func(s *runs.Service) error { _, err := s.Thread(ctx, made.ID); return err },
			"State":  func(s *runs.Service) error { _, _, err := s.State(ctx, made.ID, ""); return err },
			"History": func(s *runs.Service) error {
				_, _, err := s.History(ctx, made.ID, runs.HistoryFilter{Limit: 1})
				return err
			},
			"CopyThread": func(s *runs.Service) error { _, err := s.CopyThread(ctx, made.ID); return err },
			"UpdateThread": func(s *runs.Service) error {
				_, err := s.UpdateThread(ctx, made.ID, nil, nil)
				return err
			},
			"UpdateState": func(s *runs.Service) error {
				_, err := s.UpdateState(ctx, made.ID, runs.StateUpdate{})
				return err
			},
			"CreateThread": func(s *runs.Service) error {
				_, err := s.CreateThread(ctx, runs.NewThread{ID: made.ID, IfExists: "do_nothing"})
				return err
			},
			"Run":       func(s *runs.Service) error { _, err := s.Run(ctx, made.ID, run.ID); return err },
			"Run by id": func(s *runs.Service) error { _, err := s.Run(ctx, "", run.ID); return err },
			"ListRuns": func(s *runs.Service) error {
				_, _, err := s.ListRuns(ctx, runs.RunFilter{ThreadID: made.ID, Page: runs.Page{Limit: 9}})
				return err
			},
			"Cancel": func(s *runs.Service) error {
				return s.Cancel(ctx, made.ID, run.ID, runs.CancelInterrupt, false)
			},
			"Create": func(s *runs.Service) error {
				_, err := s.Create(ctx, made.ID, request(`{"mode":"echo"}`))
				return err
			},
			"Create or make": func(s *runs.Service) error {
				r := request(`{"mode":"echo"}`)
				r.IfNotExists = "create"
				_, err := s.Create(ctx, made.ID, r)
				return err
			},
			"Begin": func(s *runs.Service) error {
				b, err := s.Begin(ctx, made.ID, request(`{"mode":"echo"}`), true)
				if err == nil {
					_, err = b.Wait(ctx)
				}
				return err
			},
			"LoggedEvents": func(s *runs.Service) error {
				for _, err := range s.LoggedEvents(ctx, made.ID) {
					return err
				}
				return nil
			},
			"FollowThread": func(s *runs.Service) error {
				for _, err := range s.FollowThread(ctx, made.ID, 0) {
					return err
				}
				return nil
			},
			"CreateCron": func(s *runs.Service) error {
				_, err := s.CreateCron(ctx, made.ID, runs.NewCron{Request: request(`{}`), Schedule: "0 0 1 1 *"})
				return err
			},
			"Prune to newest": func(s *runs.Service) error {
				n, err := s.Prune(ctx, []string{made.ID}, "keep_latest")
				if n == 0 {
					err = fault.ErrNotFound
				}
				return err
			},
			"SearchThreads": func(s *runs.Service) error {
				l, n, err := s.SearchThreads(ctx, runs.ThreadFilter{IDs: []string{made.ID}, Page: runs.Page{Limit: 9}})
				if n+len(l) == 0 {
					err = fault.ErrNotFound
				}
				return err
			},
			"DeleteRun":    func(s *runs.Service) error { return s.DeleteRun(ctx, made.ID, run.ID) },
			"DeleteThread": func(s *runs.Service) error { return s.DeleteThread(ctx, made.ID) },
		}
		for name, ask := range asks {
			if err := ask(theirs); !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("%s for another = %v, want ErrNotFound", name, err)
			}
		}
		for _, name := range []string{"Thread", "State", "Run by id", "ListRuns", "SearchThreads", "DeleteThread"} {
			if err := asks[name](operator); err != nil {
				t.Errorf("%s for an operator = %v", name, err)
			}
		}
	})
}

// TestFollowedBefore: who listens on a thread before it is there does not hear what another does on
// it.
func TestFollowedBefore(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		id := runs.AssistantID("to come")
		heard := make(chan error, 1)
		go func() {
			for e, err := range p.As(caller("visitor kiosk")).FollowThread(p.Context(), id, 0) {
				if err == nil {
					err = fmt.Errorf("heard %s", e.Kind)
				}
				heard <- err
				return
			}
		}()
		r := request(`{"mode":"echo","text":"a secret"}`)
		r.IfNotExists = "create"
		if _, err := p.As(caller("owner boss")).Create(p.Context(), id, r); err != nil {
			t.Fatal(err)
		}
		if err := <-heard; !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("FollowThread of what another made = %v, want ErrNotFound", err)
		}
	})
}

// TestQuota: a caller can't make more than may be kept, and may again when something of it is gone.
func TestQuota(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		bounded := func(l runs.Limits) *runs.Service {
			c := caller("visitor " + fmt.Sprint(l))
			c.Network, c.Limits = c.Name, l
			return p.As(c)
		}
		for name, s := range map[string]*runs.Service{
			"threads of a name":    bounded(runs.Limits{Name: runs.Usage{Threads: 2}}),
			"threads of a network": bounded(runs.Limits{Network: runs.Usage{Threads: 2}}),
			"bytes of a name":      bounded(runs.Limits{Name: runs.Usage{Bytes: 5 << 10}}),
			"bytes of a network":   bounded(runs.Limits{Network: runs.Usage{Bytes: 5 << 10}}),
		} {
			metadata := runs.Object{"x": strings.Repeat("x", 1<<10)}
			var first string
			for i, want := range []error{nil, nil, runs.ErrQuota} {
				made, err := s.CreateThread(p.Context(), runs.NewThread{Metadata: metadata})
				if !errors.Is(err, want) {
					t.Errorf("%s: CreateThread %d = %v, want %v", name, i+1, err, want)
				}
				if i == 0 {
					first = made.ID
				}
			}
			if _, err := s.CopyThread(p.Context(), first); !errors.Is(err, runs.ErrQuota) {
				t.Errorf("%s: CopyThread = %v, want ErrQuota", name, err)
			}
			if _, err := s.Create(p.Context(), "", request(`{"mode":"echo"}`)); !errors.Is(err, runs.ErrQuota) {
				t.Errorf("%s: Create = %v, want ErrQuota", name, err)
			}
			if err := s.DeleteThread(p.Context(), first); err != nil {
				t.Fatal(err)
			}
			if _, err := s.CreateThread(p.Context(), runs.NewThread{}); err != nil {
				t.Errorf("%s: CreateThread after one was deleted = %v", name, err)
			}
		}
		s := bounded(runs.Limits{Name: runs.Usage{Runs: 2}})
		later := request(`{"mode":"echo"}`)
		later.AfterSeconds = 60
		for i, want := range []error{nil, nil, runs.ErrQuota} {
			if _, err := s.Create(p.Context(), "", later); !errors.Is(err, want) {
				t.Errorf("Create %d of at most two = %v, want %v", i+1, err, want)
			}
		}
	})
}

// TestFullThread: a thread of a bounded caller takes no more than it may, by updates and by runs.
func TestFullThread(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		update := runs.StateUpdate{Values: json.RawMessage(`{"text":"` + strings.Repeat("x", 3<<10) + `"}`)}
		for name, limits := range map[string]runs.Limits{"state": {State: 5 << 10}, "thread": {Thread: 8 << 10}} {
			c := caller(name)
			c.Limits = limits
			s := p.As(c)
			made, err := s.CreateThread(p.Context(), runs.NewThread{Metadata: runs.Object{"graph_id": "probe"}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.UpdateState(p.Context(), made.ID, update); err != nil {
				t.Errorf("%s: UpdateState = %v", name, err)
			}
			if _, err := s.UpdateState(p.Context(), made.ID, update); !errors.Is(err, runs.ErrFull) {
				t.Errorf("%s: UpdateState beyond = %v, want ErrFull", name, err)
			}
			large := request(`{"mode":"echo","text":"` + strings.Repeat("x", 3<<10) + `"}`)
			if _, err := s.Create(p.Context(), made.ID, large); !errors.Is(err, runs.ErrFull) {
				t.Errorf("%s: Create beyond = %v, want ErrFull", name, err)
			}
		}
	})
}

// TestLives: a bounded caller's threads live no longer than they may, whatever is asked for.
func TestLives(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		c := caller("visitor kiosk")
		c.Limits.Lives = 3 * time.Minute
		for _, ttl := range []*runs.TTL{nil, {}, {Minutes: 1e6}, {Minutes: 1, Strategy: "keep_latest"}} {
			made, err := p.As(c).CreateThread(p.Context(), runs.NewThread{TTL: ttl})
			if err == nil {
				made, err = p.As(c).UpdateThread(p.Context(), made.ID, nil, ttl)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := time.Until(*made.ExpiresAt); got > 3*time.Minute || made.TTL.Strategy == "keep_latest" {
				t.Errorf("a thread with TTL %+v lives %v, %s, want at most 3 minutes", ttl, got, made.TTL.Strategy)
			}
		}
		made, err := p.As(c).CreateThread(p.Context(), runs.NewThread{TTL: &runs.TTL{Minutes: 1}})
		if err != nil || time.Until(*made.ExpiresAt) > time.Minute {
			t.Errorf("a thread with a TTL of a minute = %+v, %v", made, err)
		}
	})
}

// TestHistoryEndsEarly: states that are large are not all looked at, and the rest can be had by
// asking for what was before.
func TestHistoryEndsEarly(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		p.run(thread, request(`{"mode":"echo","text":"`+strings.Repeat("x", 1<<20)+`"}`))
		for range 4 {
			p.run(thread, request(`{"mode":"custom"}`))
		}
		_, page := p.history(thread, runs.HistoryFilter{})
		if len(page) == 0 || len(page) > 5 {
			t.Fatalf("a page has %d states of more than 1 MiB, want 1 to 5", len(page))
		}
		_, rest := p.history(thread, runs.HistoryFilter{Before: page[len(page)-1].Checkpoint})
		if len(rest) == 0 || rest[0].Checkpoint >= page[len(page)-1].Checkpoint {
			t.Errorf("after %s comes %+v", page[len(page)-1].Checkpoint, rest)
		}
		if _, none := p.history(thread, runs.HistoryFilter{Match: runs.Object{"source": "nothing"}}); len(none) > 0 {
			t.Errorf("%d states have a source that none has", len(none))
		}
	})
}

// TestTooManyUpdates: a request has only so many, and that many are written in a time that grows
// with their number.
func TestTooManyUpdates(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		n := runs.NewThread{Metadata: runs.Object{"graph_id": "probe"}}
		one := runs.StateUpdate{Values: json.RawMessage(`{"messages":"` + strings.Repeat("x", 64) + `"}`)}
		step := runs.Superstep{}
		for range 1000 {
			step.Updates = append(step.Updates, one)
		}
		n.Supersteps = []runs.Superstep{step}
		made, err := p.CreateThread(p.Context(), n)
		if err != nil || len(made.Values) < 1000*64 {
			t.Errorf("CreateThread with 1,000 updates has %d bytes, %v", len(made.Values), err)
		}
		c := caller("visitor kiosk")
		c.Limits.Updates = 999
		if _, err := p.As(c).CreateThread(p.Context(), n); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("CreateThread with more updates than the caller may make = %v, want ErrInvalid", err)
		}
		n.Supersteps = append(n.Supersteps, runs.Superstep{Updates: []runs.StateUpdate{one}})
		if _, err := p.CreateThread(p.Context(), n); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("CreateThread with 1,001 updates = %v, want ErrInvalid", err)
		}
	})
}
