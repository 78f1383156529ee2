package graph

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// runTasks runs the tasks of the superstep that are neither done nor waiting. It returns the error of the first one, in task order,
// that failed by itself; those that finished are kept.
func (r *run[S]) runTasks(ctx context.Context) error {
	if t := &r.tasks[0]; len(r.tasks) == 1 && r.info.stream == nil && !t.done && t.talk == nil {
		return r.oneTask(ctx, 0, &r.info.taskContexts(1)[0]) // as most supersteps are
	}
	todo := r.todo[:0]
	for i := range r.tasks {
		if t := &r.tasks[i]; !t.done && (t.talk == nil || len(t.unanswered()) == 0) {
			todo = append(todo, i)
		}
	}
	r.todo = todo
	if r.info.stream != nil {
		for _, i := range todo {
			r.emitTask(i, false, nil)
		}
	}
	if len(todo) == 1 {
		return r.oneTask(ctx, todo[0], &r.info.taskContexts(1)[0])
	}
	f := fan[S]{
		run: r, todo: todo, contexts: r.info.taskContexts(len(todo)),
		idle: min(len(todo), orDefault(r.opts.MaxConcurrency, r.g.opts.MaxConcurrency)) - 1,
	}
	return f.all(ctx)
}

// oneTask runs a task.
func (r *run[S]) oneTask(ctx context.Context, index int, tc *taskContext) error {
	if r.info.watch != nil {
		return r.observedTask(ctx, index, tc)
	}
	return r.runTask(ctx, index, tc)
}

var errSibling = errors.New("another task of the superstep failed")

// fan runs tasks side by side.
type fan[S any] struct {
	run      *run[S]
	todo     []int
	contexts []taskContext
	next     atomic.Int64
	// idle is how many workers may still be started.
	idle    int
	workers sync.WaitGroup

	mu sync.Mutex
	// err is that of task failed: of the first, in task order, that failed by itself and not because it was told to end.
	err    error
	failed int
	told   bool
}

func (f *fan[S]) all(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	f.work(ctx, cancel)
	f.workers.Wait()
	return f.err
}

// work takes tasks until there are none. Before its first one a worker starts the next worker, so that tasks that are soon done start few of
// them; the first worker is the run's own goroutine.
func (f *fan[S]) work(ctx context.Context, cancel context.CancelCauseFunc) {
	n := int(f.next.Add(1)) - 1
	if n+1 < len(f.todo) && f.idle > 0 {
		f.idle-- // the next worker is the only one that goes on from here
		f.workers.Go(func() { f.work(ctx, cancel) })
	}
	for ; n < len(f.todo); n = int(f.next.Add(1)) - 1 {
		err := context.Cause(ctx)
		if err == nil {
			err = f.task(ctx, n)
		}
		if err != nil {
			f.fail(n, err, context.Cause(ctx))
			cancel(errSibling)
		}
	}
}

func (f *fan[S]) task(ctx context.Context, n int) (err error) {
	defer caught(&err)
	return f.run.oneTask(ctx, f.todo[n], &f.contexts[n])
}

// fail notes how task n failed, when the tasks had been told to end because of cause, or had not.
func (f *fan[S]) fail(n int, err, cause error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	told := errors.Is(err, errSibling) || errors.Is(cause, errSibling) && errors.Is(err, context.Canceled)
	if f.err == nil || f.told && !told || f.told == told && n < f.failed {
		f.err, f.failed, f.told = err, n, told
	}
}
