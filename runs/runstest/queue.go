package runstest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"annai/runs"
)

// working lets the queue work until the test ends.
func working(t *testing.T, q runs.Queue, execute runs.Execute) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		if err := q.Work(ctx, execute); err != nil {
			t.Errorf("Work = %v, want nil", err)
		}
	})
	t.Cleanup(func() { cancel(); work.Wait() })
}

// heard is what an executor did, in order.
type heard struct {
	mu   sync.Mutex
	runs []string
	more chan struct{}
}

func newHeard() *heard { return &heard{more: make(chan struct{}, 1000)} }

func (h *heard) note(run string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runs = append(h.runs, run)
	h.more <- struct{}{}
}

// wait returns what was done once it is n.
func (h *heard) wait(t *testing.T, n int) []string {
	t.Helper()
	for i := range n {
		select {
		case <-h.more:
		case <-time.After(2 * time.Minute):
			t.Fatalf("only %d of %d runs were executed", i, n)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.runs...)
}

// execute claims the run and ends it, as the service does.
func (h *heard) execute(store runs.Store, now func() time.Time) runs.Execute {
	return func(ctx context.Context, thread, run string) error {
		at := now()
		if _, err := store.ClaimRun(ctx, thread, run, "me", at, at.Add(time.Minute)); err != nil {
			return fmt.Errorf("claim: %w", err)
		}
		h.note(run)
		return store.FinishRun(ctx, runs.Finish{ThreadID: thread, RunID: run, Owner: "me", At: now(), Status: runs.RunSuccess})
	}
}

// ended makes an executor that takes what has ended for done.
func ended(execute runs.Execute) runs.Execute {
	return func(ctx context.Context, thread, run string) error {
		err := execute(ctx, thread, run)
		if is(err, runs.ErrEnded) {
			return nil
		}
		return err
	}
}

func queueOrder(t *testing.T, open func(*testing.T) (runs.Store, runs.Queue), now func() time.Time) {
	store, queue := open(t)
	b := &bench{TB: t, Store: store, ctx: t.Context()}
	done := newHeard()
	working(t, queue, ended(done.execute(store, now)))
	var want []string
	one := b.thread(nil)
	for range 5 {
		s := startNow(one.ID, now)
		want = append(want, s.Run.ID)
		if _, err := queue.Enqueue(b.ctx, s); err != nil {
			t.Fatalf("Enqueue: %v", err)
		}
	}
	b.equal("runs of a thread, in order", done.wait(t, 5), want)
	for range 5 {
		if _, err := queue.Enqueue(b.ctx, startNow(b.thread(nil).ID, now)); err != nil {
			t.Fatalf("Enqueue: %v", err)
		}
	}
	done.wait(t, 5)
}

// startNow is a start that is due by the clock.
func startNow(thread string, now func() time.Time) runs.Start {
	s := start(thread)
	s.Run.CreatedAt = now()
	return s
}

func queueLater(t *testing.T, open func(*testing.T) (runs.Store, runs.Queue), now func() time.Time) {
	store, queue := open(t)
	b := &bench{TB: t, Store: store, ctx: t.Context()}
	done := newHeard()
	working(t, queue, ended(done.execute(store, now)))
	later, soon := startNow(b.thread(nil).ID, now), startNow(b.thread(nil).ID, now)
	later.Run.After = now().Add(3 * time.Second)
	for _, s := range []runs.Start{later, soon} {
		if _, err := queue.Enqueue(b.ctx, s); err != nil {
			t.Fatalf("Enqueue: %v", err)
		}
	}
	b.equal("runs by the time they are due", done.wait(t, 2), []string{soon.Run.ID, later.Run.ID})
	r, err := store.Run(b.ctx, "", later.Run.ID)
	b.ok("Run", err)
	if r.StartedAt.Before(later.Run.After) {
		t.Fatalf("a run began at %v, want not before %v", r.StartedAt, later.Run.After)
	}
}

func queueAgain(t *testing.T, open func(*testing.T) (runs.Store, runs.Queue), now func() time.Time) {
	store, queue := open(t)
	b := &bench{TB: t, Store: store, ctx: t.Context()}
	done, tried := newHeard(), newHeard()
	execute := ended(done.execute(store, now))
	working(t, queue, func(ctx context.Context, thread, run string) error {
		tried.note(run)
		tried.mu.Lock()
		n := len(tried.runs)
		tried.mu.Unlock()
		if n == 1 {
			return errLater
		}
		return execute(ctx, thread, run)
	})
	if _, err := queue.Enqueue(b.ctx, startNow(b.thread(nil).ID, now)); err != nil {
		t.Fatalf("Enqueue: %v", err)
	}
	done.wait(t, 1)
}

func queueTakesOver(t *testing.T, open func(*testing.T) (runs.Store, runs.Queue), now func() time.Time) {
	store, queue := open(t)
	b := &bench{TB: t, Store: store, ctx: t.Context()}
	s := startNow(b.thread(nil).ID, now)
	s.Owner, s.LeaseUntil = "dead", now().Add(200*time.Millisecond)
	left, err := store.CreateRun(b.ctx, s)
	b.ok("CreateRun", err)
	done := newHeard()
	working(t, queue, ended(done.execute(store, now)))
	b.equal("run that was left", done.wait(t, 1), []string{left.ID})
	r, _ := store.Run(b.ctx, "", left.ID)
	b.equal("its attempts", r.Attempt, 2)
}
