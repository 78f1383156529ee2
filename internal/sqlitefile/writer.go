package sqlitefile

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"annai/fault"
)

// A Change is one thing to write. It is in the file when [Writer.Write] returns nil, and else nothing of it.
type Change struct {
	// Do makes it, and may be called more than once.
	Do func(ctx context.Context, tx *sql.Tx) error
	// Single says that Do is one statement, which leaves nothing if it fails, on the writer's own connection. It needs no transaction, so that tx may
	// be nil.
	Single bool
	// Relaxed says that it may be lost with the power. A commit of relaxed changes only does not wait for the disk.
	Relaxed bool
}

// Writer commits changes. What comes while it is busy waits, and goes into one commit together, by the writer's own goroutine, so that many share
// the time that the disk takes. It is safe for concurrent use.
type Writer struct {
	file     *File
	own      *sql.Conn // nil: each commit takes the file's
	relaxed  bool      // commits of own do not wait for the disk
	patience time.Duration

	mu     sync.Mutex
	wake   sync.Cond // of mu: there are jobs and nobody holds the connection, or the writer was closed
	held   int       // jobs of who holds the connection, 0 if nobody does
	queue  []*job
	closed bool
	done   chan struct{} // closed when the goroutine is gone
}

// job is a change on its way.
type job struct {
	Change

	state atomic.Int32
	err   error
	done  chan struct{} // closed when err is final, if the job was queued
}

// The states of a job. Whoever changes it from waiting decides.
const (
	waiting   = iota
	begun     // it will be committed or fail; the caller waits for it
	abandoned // its context ended before; nothing of it is left
)

// quick is how long SQLite waits by itself for another process on a connection of a writer's own. In between, whoever waits can leave.
const quick = 10 * time.Millisecond

// NewWriter returns a writer of the file, which must be closed before it. Own is a connection of [File.Write] that nobody else uses until then: whoever
// finds it free writes on the spot. If it is nil each commit takes one and gives it back, so that others can use it in between.
func NewWriter(ctx context.Context, file *File, own *sql.Conn) (*Writer, error) {
	w := &Writer{file: file, own: own, patience: patience, done: make(chan struct{})}
	w.wake.L = &w.mu
	if own != nil {
		if _, err := own.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", quick.Milliseconds())); err != nil {
			return nil, Fault(err)
		}
	}
	go w.loop(context.WithoutCancel(ctx))
	return w, nil
}

// Close waits for what is being written. Later calls find the writer closed: [fault.ErrUnavailable].
func (w *Writer) Close() {
	w.mu.Lock()
	w.closed = true
	w.wake.Signal()
	w.mu.Unlock()
	<-w.done
}

// Write makes a change and returns when it is committed or has failed. If ctx ends before it has begun nothing is written; one that has begun is not
// given up half-way.
func (w *Writer) Write(ctx context.Context, c Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{Change: c}
	free, err := w.hold()
	if err != nil {
		return err
	}
	if free {
		err := w.one(context.WithoutCancel(ctx), j)
		w.release()
		if CodeOf(err) != Busy {
			return err
		}
	}
	return w.wait(ctx, j)
}

// wait queues a job and waits until it is done or abandoned.
func (w *Writer) wait(ctx context.Context, j *job) error {
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

// Look calls do, which reads on the writer's own connection, if nobody writes on it, and says so: it has at hand what was just written.
func (w *Writer) Look(do func() error) (looked bool, err error) {
	free, err := w.hold()
	if err != nil || !free {
		return false, err
	}
	defer w.release()
	return true, do()
}

// Waiting is how many changes wait for who writes.
func (w *Writer) Waiting() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue)
}

var errClosed = fmt.Errorf("the file is closed: %w", fault.ErrUnavailable)

// hold takes the writer's own connection if nobody holds it or waits for it, and says so.
func (w *Writer) hold() (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false, errClosed
	}
	if w.own == nil || w.held > 0 || len(w.queue) > 0 {
		return false, nil
	}
	w.held = 1
	return true, nil
}

func (w *Writer) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = 0
	if len(w.queue) > 0 || w.closed {
		w.wake.Signal()
	}
}

func (w *Writer) enqueue(j *job) error {
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
func (w *Writer) loop(ctx context.Context) {
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

// batch is how many jobs go into one commit at most.
const batch = 256

// next waits until there are jobs and nobody holds the connection, and takes both. None: the writer is closed.
func (w *Writer) next() []*job {
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
