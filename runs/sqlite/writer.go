package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"annai/internal/fault"
	"annai/internal/sqlitefile"
	"annai/runs/tables"
)

// batch is how many jobs go into one commit at most.
const batch = 256

// writer commits jobs, one transaction after the other. What comes while it is busy waits, and goes into the next commit together, so that many share the
// time that the disk takes.
type writer struct {
	file     *sqlitefile.File
	prepared *statements

	mu     sync.Mutex
	wake   sync.Cond // of mu: there are jobs, or the writer was closed
	queue  []*job
	closed bool
	done   chan struct{} // closed when the goroutine is gone
}

// job is one change: what do does is in the file when err is nil, and else nothing of it.
type job struct {
	do      func(context.Context, tables.Tx) error
	state   atomic.Int32
	err     error
	changed []string      // threads
	done    chan struct{} // closed when err is final
}

// The states of a job. Whoever changes it from waiting decides.
const (
	waiting   = iota
	begun     // it will be committed or fail; the caller waits for it
	abandoned // its context ended before; nothing of it is left
)

func newWriter(ctx context.Context, file *sqlitefile.File) *writer {
	w := &writer{file: file, prepared: &statements{db: file.Write}, done: make(chan struct{})}
	w.wake.L = &w.mu
	go w.loop(ctx)
	return w
}

// close waits for what is queued.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.wake.Signal()
	w.mu.Unlock()
	<-w.done
}

// run has a job done and returns when it is committed, has failed, or was abandoned because ctx ended first.
func (w *writer) run(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.enqueue(j); err != nil {
		return err
	}
	select {
	case <-j.done:
		return j.err
	case <-ctx.Done():
	}
	if j.state.CompareAndSwap(waiting, abandoned) {
		return ctx.Err()
	}
	<-j.done
	return j.err
}

func (w *writer) enqueue(j *job) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fmt.Errorf("the store is closed: %w", fault.ErrUnavailable)
	}
	w.queue = append(w.queue, j)
	w.wake.Signal()
	return nil
}

// loop commits what is queued until the writer is closed and nothing is left.
func (w *writer) loop(ctx context.Context) {
	defer close(w.done)
	for {
		jobs := w.next()
		if len(jobs) == 0 {
			return
		}
		w.together(ctx, jobs)
		for _, j := range jobs {
			close(j.done)
		}
		w.prepared.prepare(ctx)
	}
}

// next waits until there are jobs. None: the writer is closed.
func (w *writer) next() []*job {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) == 0 && !w.closed {
		w.wake.Wait()
	}
	n := min(len(w.queue), batch)
	jobs := w.queue[:n:n]
	if w.queue = w.queue[n:]; len(w.queue) == 0 {
		w.queue = nil
	}
	return jobs
}

// together tries one transaction for all jobs. If that fails for more than one job's own reason each gets one of its own, so that none fails for
// another: the one that is too large for the disk, say.
func (w *writer) together(ctx context.Context, jobs []*job) {
	kept := jobs[:0:0]
	for _, j := range jobs {
		if j.state.CompareAndSwap(waiting, begun) {
			kept = append(kept, j)
		}
	}
	if len(kept) > 1 && w.transaction(ctx, kept) == nil {
		return
	}
	for _, j := range kept {
		j.err = w.transaction(ctx, []*job{j})
	}
}

// transaction does the jobs and commits them. A job that fails by itself leaves nothing and has its error; an error that is returned means that
// nothing was committed.
func (w *writer) transaction(ctx context.Context, jobs []*job) error {
	return w.file.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, j := range jobs {
			if j.err = w.whole(ctx, tx, j, len(jobs) == 1); j.err != nil && (len(jobs) == 1 || !alone(j.err)) {
				return j.err
			}
		}
		return nil
	})
}

// whole does a job so that it leaves everything or nothing. One that is the only one of its transaction needs no more than that.
func (w *writer) whole(ctx context.Context, tx *sql.Tx, j *job, only bool) error {
	t := &transaction{tx: tx, queries: tx, prepared: w.prepared}
	if only {
		err := j.do(ctx, t)
		j.changed = t.changed
		return err
	}
	if _, err := t.Exec(ctx, "SAVEPOINT whole"); err != nil {
		return err
	}
	err := j.do(ctx, t)
	j.changed = t.changed
	if err != nil {
		_, undone := t.Exec(ctx, "ROLLBACK TO whole")
		err = errors.Join(err, undone)
	}
	_, ended := t.Exec(ctx, "RELEASE whole")
	return errors.Join(err, ended)
}

// alone says that an error is one job's: its statement left nothing, and the transaction goes on.
func alone(err error) bool {
	switch sqlitefile.CodeOf(err) {
	case sqlitefile.None, sqlitefile.Constraint, sqlitefile.TooBig:
		return true
	case sqlitefile.Busy, sqlitefile.Corrupt, sqlitefile.NoDatabase:
	}
	return false
}
