package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"

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

// first reads the first row, if there is one. The arguments are values of package driver.
func (s *statement) first(ctx context.Context, row []driver.Value, args ...driver.Value) (found bool, err error) {
	s.bind(args)
	defer clear(s.args)
	err = s.conn.Raw(func(any) error {
		rows, err := s.stmt.(driver.StmtQueryContext).QueryContext(ctx, s.args)
		if err != nil {
			return err
		}
		err = rows.Next(row)
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
