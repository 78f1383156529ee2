package mem

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"annai/runs"
)

// QueueOptions are the settings of a [Queue] that have a default.
type QueueOptions struct {
	// Workers is how many runs are executed at once. 0: 16.
	Workers int
	// Limit is how many runs may wait or run; a further one is refused. 0: 10,000.
	Limit int
	// Every is how often is looked for runs that nobody executes. 0: 1 second.
	Every time.Duration
}

// Queue is a [runs.Queue] of one process, over any store.
type Queue struct {
	store runs.Store
	now   func() time.Time
	opts  QueueOptions
	slots chan struct{}
	added chan job

	mu sync.Mutex
	// known are the runs that are waiting or being executed.
	known map[job]bool
}

type job struct{ thread, run string }

var _ runs.Queue = (*Queue)(nil)

// NewQueue returns a queue over the store. Now is the clock.
func NewQueue(store runs.Store, now func() time.Time, opts QueueOptions) *Queue {
	opts.Workers = cmp.Or(opts.Workers, 16)
	opts.Limit = cmp.Or(opts.Limit, 10_000)
	opts.Every = cmp.Or(opts.Every, time.Second)
	return &Queue{
		store: store, now: now, opts: opts, slots: make(chan struct{}, opts.Workers), added: make(chan job, opts.Limit), known: map[job]bool{},
	}
}

// Enqueue implements [runs.Queue].
func (q *Queue) Enqueue(ctx context.Context, s runs.Start) (runs.Run, error) {
	j := job{s.Run.ThreadID, s.Run.ID}
	if !q.note(j) {
		return runs.Run{}, fmt.Errorf("%d runs are waiting already: %w", q.opts.Limit, runs.ErrQueue)
	}
	r, err := q.store.CreateRun(ctx, s)
	if err != nil {
		q.forget(j)
		return runs.Run{}, err
	}
	q.added <- j // it has room for all that are known
	return r, nil
}

// note reports whether the job is new and there is room for it.
func (q *Queue) note(j job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.known[j] || len(q.known) >= q.opts.Limit {
		return false
	}
	q.known[j] = true
	return true
}

func (q *Queue) forget(j job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.known, j)
}

// Work implements [runs.Queue].
func (q *Queue) Work(ctx context.Context, execute runs.Execute) error {
	var workers sync.WaitGroup
	defer workers.Wait()
	start := func(j job) { workers.Go(func() { q.see(ctx, j, execute) }) }
	look := time.NewTicker(q.opts.Every)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case j := <-q.added:
			start(j)
		case <-look.C:
			due, err := q.store.DueRuns(ctx, q.now(), q.opts.Workers)
			if err != nil {
				continue // it is looked again soon
			}
			for _, r := range due {
				if j := (job{r.ThreadID, r.ID}); q.note(j) {
					start(j)
				}
			}
		}
	}
}

// see offers the run until nothing is left to do.
func (q *Queue) see(ctx context.Context, j job, execute runs.Execute) {
	defer q.forget(j)
	for {
		changed, stop := q.store.Watch(j.thread)
		err := q.offer(ctx, j, execute)
		if err == nil || ctx.Err() != nil {
			stop()
			return
		}
		wait := q.opts.Every
		if !errors.Is(err, runs.ErrBusy) {
			changed = nil
		} else if r, err := q.store.Run(ctx, j.thread, j.run); err == nil && r.After.After(q.now()) {
			wait = min(wait, r.After.Sub(q.now()))
		}
		pause(ctx, changed, wait)
		stop()
	}
}

// offer executes the run when there is a free worker.
func (q *Queue) offer(ctx context.Context, j job, execute runs.Execute) error {
	select {
	case q.slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-q.slots }()
	return execute(ctx, j.thread, j.run)
}

// pause waits for one of the three.
func pause(ctx context.Context, changed <-chan struct{}, longest time.Duration) {
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-ctx.Done():
	}
}
