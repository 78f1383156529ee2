package sqlitefile

import (
	"context"
	"database/sql"
	"errors"
)

// one makes and commits a job on the spot. If another process has the file nothing was done and the error is [Busy].
func (w *Writer) one(ctx context.Context, j *job) error {
	if !j.Single {
		_, err := w.transaction(ctx, []*job{j})
		return err
	}
	if err := w.relax(ctx, w.own, j.Relaxed); err != nil {
		return err
	}
	return j.Do(ctx, nil)
}

// together tries one transaction for all jobs. If that fails for more than one job's own reason each gets one of its own, so that none fails for
// another: the one that is too large for the disk, say.
func (w *Writer) together(ctx context.Context, jobs []*job) {
	began, err := w.patiently(ctx, jobs)
	if err == nil {
		return
	}
	for _, j := range jobs {
		if began && len(jobs) > 1 {
			_, err = w.patiently(ctx, []*job{j})
		}
		if err != nil {
			j.err = err
		}
	}
}

// patiently is a transaction that waits, for some time, for another process that has the file.
func (w *Writer) patiently(ctx context.Context, jobs []*job) (began bool, err error) {
	return patiently(ctx, w.patience, func() (bool, error) { return w.transaction(ctx, jobs) })
}

// transaction makes and commits the jobs that nobody abandoned. A job among others that fails by itself leaves nothing and has its error; an error
// that is returned means that nothing was committed.
func (w *Writer) transaction(ctx context.Context, jobs []*job) (began bool, err error) {
	conn := w.own
	if conn == nil {
		if conn, err = w.file.Write.Conn(ctx); err != nil {
			return false, Fault(err)
		}
		defer func() { _ = conn.Close() }() // gives it back
	}
	relaxed := true
	for _, j := range jobs {
		relaxed = relaxed && j.Relaxed
	}
	if err := w.relax(ctx, conn, relaxed); err != nil {
		return false, err
	}
	return transact(ctx, conn, func(ctx context.Context, tx *sql.Tx) error {
		for _, j := range jobs {
			if !j.begin() {
				continue
			}
			if j.err = j.whole(ctx, tx, len(jobs) == 1); j.err != nil && (len(jobs) == 1 || !alone(j.err)) {
				return j.err
			}
		}
		return nil
	})
}

// relax sets whether commits wait for the disk. One that does makes safe what was committed before it too, because all go into one log.
func (w *Writer) relax(ctx context.Context, conn *sql.Conn, relaxed bool) error {
	if relaxed == w.relaxed {
		return nil
	}
	level := "PRAGMA synchronous = FULL"
	if relaxed {
		level = "PRAGMA synchronous = NORMAL"
	}
	if _, err := conn.ExecContext(ctx, level); err != nil {
		return Fault(err)
	}
	w.relaxed = relaxed
	return nil
}

// begin decides that the job is made, unless it was abandoned.
func (j *job) begin() bool {
	return j.state.CompareAndSwap(waiting, begun) || j.state.Load() == begun
}

// whole makes a job so that it leaves everything or nothing. The only one of its transaction needs no more than that.
func (j *job) whole(ctx context.Context, tx *sql.Tx, only bool) error {
	if only || j.Single {
		return j.Do(ctx, tx)
	}
	if _, err := tx.ExecContext(ctx, "SAVEPOINT whole"); err != nil {
		return Fault(err)
	}
	err := j.Do(ctx, tx)
	end := "RELEASE whole"
	if err != nil {
		end = "ROLLBACK TO whole; RELEASE whole"
	}
	_, ended := tx.ExecContext(ctx, end)
	return errors.Join(err, Fault(ended))
}

// alone says that an error is one job's: its statement left nothing, and the transaction goes on.
func alone(err error) bool {
	code := CodeOf(err)
	return code == None || code == Constraint || code == TooBig
}
