package river

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"annai/runs"
)

// work is what is under way while the queue works.
type work struct {
	queue   *Queue
	execute runs.Execute
	slots   chan struct{}
	all     sync.WaitGroup

	mu sync.Mutex
	// seen are the runs that are being executed, or about to be.
	seen map[string]bool
	// followed are the threads on which a run waits for its turn.
	followed map[string]bool
	// failed are the runs of which an executor had an error that was not their own.
	failed map[string]failure
}

// failure is when a run is offered again, and how often it failed.
type failure struct {
	until time.Time
	times int
}

// longestBreak is how long a run is left alone at most.
const longestBreak = time.Minute

func newWork(q *Queue, execute runs.Execute) *work {
	return &work{
		queue: q, execute: execute, slots: make(chan struct{}, q.opts.Workers), seen: map[string]bool{}, followed: map[string]bool{}, failed: map[string]failure{},
	}
}

// sweep looks for what nobody executes, until ctx ends: what a dead process left, what has become due, and what failed a while ago.
func (w *work) sweep(ctx context.Context) {
	tick := time.NewTicker(w.queue.opts.Every)
	defer tick.Stop()
	for ctx.Err() == nil {
		due, err := w.queue.store.DueRuns(ctx, w.queue.now(), w.room())
		if err != nil && ctx.Err() == nil {
			w.queue.opts.Log.WarnContext(ctx, "looking for runs failed", slog.Any("err", err))
		}
		for _, r := range due {
			if w.may(r.ID) {
				w.all.Go(func() { w.see(ctx, job{r.ThreadID, r.ID}) })
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// room is how many due runs are asked for: as many as can be executed, besides those that can't be now.
func (w *work) room() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return cap(w.slots) + len(w.seen) + len(w.failed)
}

// may says whether the run can be looked at now.
func (w *work) may(run string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.seen[run] && !w.failed[run].until.After(w.queue.now())
}

// see executes the run if nobody here does, and reports whether its executor had something to do and no reason to be asked again.
func (w *work) see(ctx context.Context, j job) bool {
	if !w.begin(j.Run) {
		return false
	}
	defer w.end(j.Run)
	select {
	case w.slots <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	err := w.execute(ctx, j.Thread, j.Run)
	<-w.slots
	switch {
	case err == nil:
		w.forgive(j.Run)
	case ctx.Err() != nil:
	case errors.Is(err, runs.ErrBusy):
		w.follow(ctx, j.Thread)
	default:
		w.queue.opts.Log.WarnContext(ctx, "executing a run failed", slog.String("thread_id", j.Thread), slog.String("run_id", j.Run), slog.Any("err", err))
		w.fail(j.Run)
	}
	return err == nil
}

func (w *work) begin(run string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[run] {
		return false
	}
	w.seen[run] = true
	return true
}

func (w *work) end(run string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.seen, run)
}

// fail has the run left alone for a while, longer each time.
func (w *work) fail(run string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.failed[run]
	pause := min(w.queue.opts.Every<<min(f.times, 10), longestBreak)
	now := w.queue.now()
	w.failed[run] = failure{now.Add(pause), f.times + 1}
	for other, f := range w.failed { // somebody else may have executed it
		if now.Sub(f.until) > 10*longestBreak {
			delete(w.failed, other)
		}
	}
}

func (w *work) forgive(run string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.failed, run)
}

// follow executes the runs of the thread as their turns come, until none waits. One goroutine does so for each thread.
func (w *work) follow(ctx context.Context, thread string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.followed[thread] {
		return
	}
	w.followed[thread] = true
	w.all.Go(func() {
		defer func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			delete(w.followed, thread)
		}()
		for ctx.Err() == nil && w.turn(ctx, thread) {
		}
	})
}

// turn executes the run whose turn it is, or waits for something to happen to the thread. False: no run waits.
func (w *work) turn(ctx context.Context, thread string) bool {
	store := w.queue.store
	changed, stop := store.Watch(thread)
	defer stop()
	run, err := store.NextRun(ctx, thread, w.queue.now())
	if err == nil && w.may(run) && w.see(ctx, job{thread, run}) {
		return true
	}
	if err != nil { // none, for now
		open := runs.RunFilter{ThreadID: thread, Statuses: []runs.RunStatus{runs.RunPending, runs.RunRunning}}
		if _, n, err := store.ListRuns(ctx, open); err == nil && n == 0 {
			return false
		}
	}
	timer := time.NewTimer(w.queue.opts.Every)
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-ctx.Done():
	}
	return true
}
