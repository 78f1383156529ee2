package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"time"

	"annai/internal/sqlitefile"
)

// The statements, with their numbered arguments.
const (
	// putQuery has no base, and so fails, if the record can't come there: a base must be there, and a parent; a record without one must be above
	// all others. It does not select what it inserts, for which SQLite would make a temporary table, and looks into nothing but the index.
	putQuery = `INSERT INTO records (thread, namespace, id, parent, base, at, data) VALUES (?1, ?2, ?3, ?4,
		CASE WHEN (?5 IN (?3, ?4) OR EXISTS (SELECT 1 FROM records WHERE thread = ?1 AND namespace = ?2 AND id = ?5))
			AND CASE ?4 WHEN 0 THEN NOT EXISTS (SELECT 1 FROM records WHERE thread = ?1 AND namespace = ?2 AND id > ?3)
			ELSE EXISTS (SELECT 1 FROM records WHERE thread = ?1 AND namespace = ?2 AND id = ?4) END
		THEN ?5 END, ?6, ?7)`
	putWritesQuery = `INSERT INTO writes (thread, namespace, id, task, data)
		SELECT thread, namespace, id, ?4, ?5 FROM records WHERE thread = ?1 AND namespace = ?2 AND id = ?3
		ON CONFLICT DO UPDATE SET data = excluded.data`
	deleteQuery = `DELETE FROM records WHERE thread = ?1`
	// deleteOldQuery deletes the thread unless it has been written to since.
	deleteOldQuery = `DELETE FROM records WHERE thread = ?1 AND NOT EXISTS (SELECT 1 FROM records WHERE thread = ?1 AND at >= ?2)`
)

// one does and commits a job that nobody else can abandon. If another process has the file, nothing was done and the error is busy.
func (w *writer) one(ctx context.Context, j *job) error {
	if !j.single {
		if _, err := w.transaction(ctx, []*job{j}); err != nil {
			return err
		}
		return j.err
	}
	if err := w.relax(ctx, j.relaxed); err != nil {
		return err
	}
	return j.do(ctx, w)
}

// together tries one transaction for all jobs. If that fails for more than one job's own reason, each gets a transaction of its own, so that none
// fails for another: the one that is too large for the disk, say.
func (w *writer) together(ctx context.Context, jobs []*job) {
	began, err := w.patiently(ctx, jobs)
	if errors.Is(err, errAbandoned) { // nobody can abandon the others any more
		began, err = w.patiently(ctx, jobs)
	}
	if err == nil {
		return
	}
	for _, j := range jobs {
		if began && len(jobs) > 1 {
			_, err = w.patiently(ctx, []*job{j})
		}
		if err != nil && !errors.Is(err, errAbandoned) {
			j.state.Store(settled)
			j.err = err
		}
	}
}

// patiently is a transaction that waits, for some time, for another process that has the file.
func (w *writer) patiently(ctx context.Context, jobs []*job) (began bool, err error) {
	began, err = w.transaction(ctx, jobs)
	for waited, pause := time.Duration(0), time.Millisecond; !began && busy(err) && waited < w.patience; pause = min(2*pause, 50*time.Millisecond) {
		time.Sleep(pause)
		waited += pause
		began, err = w.transaction(ctx, jobs)
	}
	return began, err
}

// errAbandoned says that a job was abandoned after it ran, so that the transaction was rolled back.
var errAbandoned = errors.New("abandoned")

// transaction runs the jobs that nobody abandoned and commits them. A job that fails by itself leaves nothing and has its error; an error
// that is returned means that nothing was committed, and began whether it was tried at all.
func (w *writer) transaction(ctx context.Context, jobs []*job) (began bool, err error) {
	relaxed := true
	for _, j := range jobs {
		relaxed = relaxed && j.relaxed
	}
	if err := w.relax(ctx, relaxed); err != nil {
		return false, err
	}
	if _, err := w.begin.exec(ctx); err != nil {
		return false, err
	}
	defer func() {
		if err != nil {
			_, _ = w.rollback.exec(ctx) // SQLite may have rolled back by itself
		}
	}()
	ran := make([]*job, 0, len(jobs))
	for _, j := range jobs {
		if j.state.Load() == abandoned {
			continue
		}
		if j.err = w.whole(ctx, j); j.err != nil && !alone(j.err) {
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
	_, err = w.commit.exec(ctx)
	return true, err
}

// relax sets whether commits wait for the disk. One that does makes safe what was committed before it too, because all go into one log.
func (w *writer) relax(ctx context.Context, relaxed bool) error {
	if relaxed == w.relaxed {
		return nil
	}
	level := "PRAGMA synchronous = FULL"
	if relaxed {
		level = "PRAGMA synchronous = NORMAL"
	}
	if _, err := w.conn.ExecContext(ctx, level); err != nil {
		return sqlitefile.Fault(err)
	}
	w.relaxed = relaxed
	return nil
}

// settle decides that the job is committed or fails, unless it was abandoned.
func (j *job) settle() bool {
	return j.state.CompareAndSwap(waiting, settled) || j.state.Load() == settled
}

// whole does a job, in a transaction, so that it leaves everything or nothing.
func (w *writer) whole(ctx context.Context, j *job) error {
	if j.single {
		return j.do(ctx, w)
	}
	if _, err := w.conn.ExecContext(ctx, "SAVEPOINT whole"); err != nil {
		return sqlitefile.Fault(err)
	}
	err := j.do(ctx, w)
	end := "RELEASE whole"
	if err != nil {
		end = "ROLLBACK TO whole; RELEASE whole"
	}
	_, ended := w.conn.ExecContext(ctx, end)
	return errors.Join(err, sqlitefile.Fault(ended))
}

// alone says that an error is one job's: its statement left nothing, and the transaction goes on.
func alone(err error) bool {
	code := sqlitefile.CodeOf(err)
	return code == sqlitefile.None || code == sqlitefile.Constraint || code == sqlitefile.TooBig
}

// busy says that another process has the file.
func busy(err error) bool { return sqlitefile.CodeOf(err) == sqlitefile.Busy }

// statement is a prepared one of the writer's connection. It goes past what database/sql does for every call, because each record is one.
type statement struct {
	conn *sql.Conn
	stmt driver.Stmt
	args []driver.NamedValue // of the call
}

func prepare(ctx context.Context, conn *sql.Conn, query string) (*statement, error) {
	s := &statement{conn: conn}
	err := conn.Raw(func(c any) (err error) {
		s.stmt, err = c.(driver.ConnPrepareContext).PrepareContext(ctx, query)
		return err
	})
	return s, sqlitefile.Fault(err)
}

func (s *statement) close() error { return s.stmt.Close() }

func (s *statement) bind(args []driver.Value) {
	s.args = s.args[:0]
	for i, a := range args {
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
}

// finds reports whether there is a row. The arguments are values of package driver.
func (s *statement) finds(ctx context.Context, args ...driver.Value) (found bool, err error) {
	s.bind(args)
	defer clear(s.args)
	err = s.conn.Raw(func(any) error {
		rows, err := s.stmt.(driver.StmtQueryContext).QueryContext(ctx, s.args)
		if err != nil {
			return err
		}
		row := [1]driver.Value{}
		err = rows.Next(row[:])
		found = err == nil
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return errors.Join(err, rows.Close())
	})
	return found, sqlitefile.Fault(err)
}

// exec runs the statement with arguments that are values of package driver, and returns how many rows it changed.
func (s *statement) exec(ctx context.Context, args ...driver.Value) (n int64, err error) {
	s.bind(args)
	defer clear(s.args)
	err = s.conn.Raw(func(any) error {
		result, err := s.stmt.(driver.StmtExecContext).ExecContext(ctx, s.args)
		if err == nil {
			n, err = result.RowsAffected()
		}
		return err
	})
	return n, sqlitefile.Fault(err)
}
