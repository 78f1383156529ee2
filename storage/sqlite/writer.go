package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"annai/internal/fault"
	"annai/internal/sqlitefile"
)

// batch is how many jobs go into one commit at most.
const batch = 256

// writer is the one connection that writes, which one goroutine at a time holds. Who finds it free uses it on the spot; what is waiting while
// somebody holds it goes into one commit together, by the writer's own goroutine, so that many writers share the time the disk takes.
type writer struct {
	conn *sql.Conn

	begin, commit, rollback *statement
	put, putWrites          *statement
	delete, deleteOld       *statement
	any                     *statement
	relaxed                 bool          // commits do not wait for the disk
	patience                time.Duration // for another process that has the file

	mu     sync.Mutex
	wake   sync.Cond // of mu: there are jobs and nobody holds the connection, or the writer was closed
	held   int       // jobs of who holds the connection, 0 if nobody does
	queue  []*job
	closed bool
	done   chan struct{} // closed when the goroutine is gone
}

// job is one change: what do does is in the file when err is nil, and else nothing of it.
type job struct {
	do      func(context.Context, *writer) error
	single  bool // do is one statement, which leaves nothing if it fails
	relaxed bool // it may be lost with the power
	state   atomic.Int32
	err     error
	done    chan struct{} // closed when err is final, if the job was queued
}

// The states of a job. Whoever changes it from waiting decides.
const (
	waiting   = iota
	settled   // it will be committed or fail; the caller waits for it
	abandoned // its context ended before; nothing of it is left
)

// newWriter takes the only connection of db.
func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, sqlitefile.Fault(err)
	}
	w := &writer{conn: conn, done: make(chan struct{}), patience: 5 * time.Second}
	w.wake.L = &w.mu
	if err := w.prepare(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	go w.loop(context.WithoutCancel(ctx))
	return w, nil
}

func (w *writer) prepare(ctx context.Context) error {
	queries := map[**statement]string{
		&w.begin: "BEGIN IMMEDIATE", &w.commit: "COMMIT", &w.rollback: "ROLLBACK",
		&w.put: putQuery, &w.putWrites: putWritesQuery, &w.delete: deleteQuery, &w.deleteOld: deleteOldQuery, &w.any: anyQuery,
	}
	for s, query := range queries {
		var err error
		if *s, err = prepare(ctx, w.conn, query); err != nil {
			return err
		}
	}
	_, err := w.conn.ExecContext(ctx, "PRAGMA busy_timeout = 0") // the loop waits, so that who is in it can leave
	return sqlitefile.Fault(err)
}

// close waits for what is queued.
func (w *writer) close() error {
	w.mu.Lock()
	first := !w.closed
	w.closed = true
	w.wake.Signal()
	w.mu.Unlock()
	<-w.done
	if !first {
		return nil
	}
	var errs []error
	for _, s := range []*statement{w.begin, w.commit, w.rollback, w.put, w.putWrites, w.delete, w.deleteOld, w.any} {
		errs = append(errs, s.close())
	}
	return errors.Join(append(errs, w.conn.Close())...)
}

// run has a job done and returns when it is committed, has failed, or was abandoned because ctx ended first.
func (w *writer) run(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	free, err := w.hold()
	if err != nil {
		return err
	}
	if free {
		err := w.one(context.WithoutCancel(ctx), j)
		w.release()
		if !busy(err) {
			return err
		}
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

// look looks whether a namespace has records, if the connection is free: it has at hand what was just written.
func (w *writer) look(ctx context.Context, thread, namespace string) (found, looked bool, err error) {
	free, err := w.hold()
	if err != nil || !free {
		return false, false, err
	}
	defer w.release()
	found, err = w.any.finds(ctx, thread, namespace)
	return found, true, err
}

var errClosed = fmt.Errorf("the store is closed: %w", fault.ErrUnavailable)

// hold takes the connection if nobody holds it or waits for it, and says so.
func (w *writer) hold() (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false, errClosed
	}
	if w.held > 0 || len(w.queue) > 0 {
		return false, nil
	}
	w.held = 1
	return true, nil
}

func (w *writer) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = 0
	if len(w.queue) > 0 || w.closed {
		w.wake.Signal()
	}
}

func (w *writer) enqueue(j *job) error {
	j.done = make(chan struct{})
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errClosed
	}
	w.queue = append(w.queue, j)
	if w.held == 0 {
		w.wake.Signal()
	}
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
		w.release()
	}
}

// next waits until there are jobs and the connection is free, and takes both. None: the writer is closed.
func (w *writer) next() []*job {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.held > 0 || len(w.queue) == 0 && !w.closed {
		w.wake.Wait()
	}
	n := min(len(w.queue), batch)
	w.held = n
	jobs := w.queue[:n:n]
	if w.queue = w.queue[n:]; len(w.queue) == 0 {
		w.queue = nil
	}
	return jobs
}
