package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"annai/internal/fault"
)

// batch is how many jobs go into one commit at most.
const batch = 256

// writer is the one that writes. What waits while it commits goes into the next commit together, so that many writers share the time the
// disk takes; a lone one waits for nobody.
type writer struct {
	db   *sql.DB
	conn *sql.Conn

	begin, commit, rollback *sql.Stmt
	put, putWrites          *sql.Stmt
	delete, deleteOld       *sql.Stmt

	mu     sync.Mutex
	wake   sync.Cond // of mu: there are jobs, or the writer was closed
	queue  []*job
	closed bool
	done   chan struct{} // closed when the goroutine is gone
}

// job is one change: what do does is in the file when err is nil and done is closed, and else nothing of it.
type job struct {
	do    func(context.Context, *writer) error
	state atomic.Int32
	err   error
	done  chan struct{}
}

// The states of a job. Whoever changes it from waiting decides.
const (
	waiting   = iota
	settled   // it will be committed or fail; the caller waits for it
	abandoned // its context ended before; nothing of it is left
)

// The statements, with their numbered arguments.
const (
	putQuery = `INSERT INTO records (thread, namespace, id, parent, base, at, data) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
		WHERE ?4 = 0 OR EXISTS (SELECT 1 FROM records WHERE thread = ?1 AND namespace = ?2 AND id = ?4)`
	putWritesQuery = `INSERT INTO writes (thread, namespace, id, task, data)
		SELECT thread, namespace, id, ?4, ?5 FROM records WHERE thread = ?1 AND namespace = ?2 AND id = ?3
		ON CONFLICT DO UPDATE SET data = excluded.data`
	deleteQuery = `DELETE FROM records WHERE thread = ?1`
	// deleteOldQuery deletes the thread unless it has been written to since.
	deleteOldQuery = `DELETE FROM records WHERE thread = ?1 AND NOT EXISTS (SELECT 1 FROM records WHERE thread = ?1 AND at >= ?2)`
)

// newWriter takes the only connection of db, and db with it if it succeeds.
func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, kind(err)
	}
	w := &writer{db: db, conn: conn, done: make(chan struct{})}
	w.wake.L = &w.mu
	var errs [7]error
	w.begin, errs[0] = conn.PrepareContext(ctx, "BEGIN IMMEDIATE")
	w.commit, errs[1] = conn.PrepareContext(ctx, "COMMIT")
	w.rollback, errs[2] = conn.PrepareContext(ctx, "ROLLBACK")
	w.put, errs[3] = conn.PrepareContext(ctx, putQuery)
	w.putWrites, errs[4] = conn.PrepareContext(ctx, putWritesQuery)
	w.delete, errs[5] = conn.PrepareContext(ctx, deleteQuery)
	w.deleteOld, errs[6] = conn.PrepareContext(ctx, deleteOldQuery)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, errors.Join(kind(err), conn.Close())
	}
	go w.loop(context.WithoutCancel(ctx))
	return w, nil
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
	return errors.Join(w.conn.Close(), w.db.Close())
}

// run has a job done and returns when it is committed, has failed, or was abandoned because ctx ended first.
func (w *writer) run(ctx context.Context, do func(context.Context, *writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{do: do, done: make(chan struct{})}
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
	}
}

// next waits for jobs and takes them. None: the writer is closed.
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

// together tries one transaction for all jobs. If that fails for more than one job's own reason, each gets a transaction of its own, so that none
// fails for another: the one that is too large for the disk, say.
func (w *writer) together(ctx context.Context, jobs []*job) {
	began, err := w.transaction(ctx, jobs)
	if errors.Is(err, errAbandoned) { // nobody can abandon the others any more
		began, err = w.transaction(ctx, jobs)
	}
	if err == nil {
		return
	}
	for _, j := range jobs {
		if began && len(jobs) > 1 {
			_, err = w.transaction(ctx, []*job{j})
		}
		if err != nil && !errors.Is(err, errAbandoned) {
			j.state.Store(settled)
			j.err = err
		}
	}
}

// errAbandoned says that a job was abandoned after it ran, so that the transaction was rolled back.
var errAbandoned = errors.New("abandoned")

// transaction runs the jobs that nobody abandoned and commits them. A job that fails by itself leaves nothing and has its error; an error
// that is returned means that nothing was committed, and began whether it was tried at all.
func (w *writer) transaction(ctx context.Context, jobs []*job) (began bool, err error) {
	if _, err := w.begin.ExecContext(ctx); err != nil {
		return false, kind(err)
	}
	defer func() {
		if err != nil {
			_, _ = w.rollback.ExecContext(ctx) // SQLite may have rolled back by itself
		}
	}()
	ran := make([]*job, 0, len(jobs))
	for _, j := range jobs {
		if j.state.Load() == abandoned {
			continue
		}
		if j.err = j.do(ctx, w); j.err != nil && !alone(j.err) {
			return true, j.err
		}
		ran = append(ran, j)
	}
	lost := false
	for _, j := range ran {
		lost = !j.settle() || lost
	}
	if lost {
		return true, errAbandoned
	}
	_, err = w.commit.ExecContext(ctx)
	return true, kind(err)
}

// settle decides that the job is committed or fails, unless it was abandoned.
func (j *job) settle() bool {
	return j.state.CompareAndSwap(waiting, settled) || j.state.Load() == settled
}

// alone says that an error is one job's: its statement left nothing, and the transaction goes on.
func alone(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return true // ours
	}
	code := e.Code() & 0xff
	return code == sqlite3.SQLITE_CONSTRAINT || code == sqlite3.SQLITE_TOOBIG
}

// exec runs a statement. If it changes no row, that is the error none, which may be nil.
func exec(ctx context.Context, none error, stmt *sql.Stmt, args ...any) error {
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return kind(err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return kind(err)
	}
	if n == 0 {
		return none
	}
	return nil
}
