package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"

	"annai/internal/sqlitefile"
	"annai/runs/tables"
)

// database is the tables' [tables.DB].
type database struct {
	tables.Watchers

	file             *sqlitefile.File
	writer           *sqlitefile.Writer
	writing, reading *statements
}

func newDatabase(ctx context.Context, file *sqlitefile.File) (*database, error) {
	writer, err := sqlitefile.NewWriter(ctx, file, nil)
	if err != nil {
		return nil, err
	}
	return &database{file: file, writer: writer, writing: &statements{db: file.Write}, reading: &statements{db: file.Read}}, nil
}

func (d *database) close() error {
	d.writer.Close()
	d.WakeAll()
	return errors.Join(d.writing.close(), d.reading.close(), d.file.Close())
}

// Lock is part of [tables.DB]: who writes has the whole file.
func (d *database) Lock() string { return "" }

// Update is part of [tables.DB].
func (d *database) Update(ctx context.Context, do func(context.Context, tables.Tx) error) error {
	var changed []string
	forgets := false
	err := d.writer.Write(ctx, sqlitefile.Change{Do: func(ctx context.Context, tx *sql.Tx) error {
		t := &transaction{tx: tx, queries: tx, prepared: d.writing}
		err := do(ctx, t)
		changed, forgets = t.changed, t.forgets
		return err
	}})
	if err != nil {
		return err
	}
	for _, thread := range changed {
		d.Wake(thread)
	}
	if forgets {
		d.file.Forget(ctx)
	}
	d.writing.prepare(ctx)
	return nil
}

// View is part of [tables.DB].
func (d *database) View(ctx context.Context, do func(context.Context, tables.Tx) error) error {
	tx, err := d.file.Read.BeginTx(ctx, nil)
	if err != nil {
		return sqlitefile.Fault(err)
	}
	err = do(ctx, &transaction{tx: tx, queries: tx, prepared: d.reading})
	if ended := tx.Rollback(); err == nil && !errors.Is(ended, sql.ErrTxDone) { // it ends with its context
		err = sqlitefile.Fault(ended)
	}
	d.reading.prepare(ctx)
	return err
}

// Look is part of [tables.DB].
func (d *database) Look(ctx context.Context, do func(context.Context, tables.Tx) error) error {
	err := do(ctx, &transaction{queries: d.file.Read, prepared: d.reading})
	d.reading.prepare(ctx)
	return err
}

// statements are those that were used before, prepared.
type statements struct {
	db *sql.DB

	mu      sync.Mutex
	known   map[string]*sql.Stmt
	unknown map[string]bool
}

// mostStatements is how many are prepared: those of searches are of many kinds.
const mostStatements = 200

// get returns a prepared statement, nil if it is not prepared yet.
func (s *statements) get(query string) *sql.Stmt {
	s.mu.Lock()
	defer s.mu.Unlock()
	stmt := s.known[query]
	if stmt == nil && len(s.known)+len(s.unknown) < mostStatements {
		if s.unknown == nil {
			s.unknown = map[string]bool{}
		}
		s.unknown[query] = true
	}
	return stmt
}

// prepare prepares what was asked for. It needs a connection, and so is not called by who holds the only one.
func (s *statements) prepare(ctx context.Context) {
	s.mu.Lock()
	wanted := s.unknown
	s.unknown = nil
	s.mu.Unlock()
	for query := range wanted {
		stmt, err := s.db.PrepareContext(ctx, query)
		if err != nil {
			continue // whoever needs it is told
		}
		s.keep(query, stmt)
	}
}

// keep keeps a prepared statement, unless somebody else prepared it meanwhile.
func (s *statements) keep(query string, stmt *sql.Stmt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[query] != nil {
		_ = stmt.Close() // nothing was done with it
		return
	}
	if s.known == nil {
		s.known = map[string]*sql.Stmt{}
	}
	s.known[query] = stmt
}

func (s *statements) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, stmt := range s.known {
		errs = append(errs, stmt.Close())
	}
	s.known = nil
	return errors.Join(errs...)
}

// transaction is a [tables.Tx].
type transaction struct {
	tx       *sql.Tx // nil for a single query
	queries  queries // what is asked: tx, or the readers
	prepared *statements
	changed  []string
	// forgets says that something was deleted.
	forgets bool
}

// queries is a transaction, or connections without one.
type queries interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// statement returns the prepared statement, nil if it is not prepared yet.
func (t *transaction) statement(ctx context.Context, query string) *sql.Stmt {
	stmt := t.prepared.get(query)
	if stmt != nil && t.tx != nil {
		return t.tx.StmtContext(ctx, stmt)
	}
	return stmt
}

// Exec is part of [tables.Tx].
func (t *transaction) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	var result sql.Result
	var err error
	if stmt := t.statement(ctx, query); stmt != nil { //nolint:sqlclosecheck // one of a transaction ends with it, others are kept
		result, err = stmt.ExecContext(ctx, args...)
	} else {
		result, err = t.queries.ExecContext(ctx, query, args...)
	}
	if err != nil {
		return 0, sqlitefile.Fault(err)
	}
	n, err := result.RowsAffected()
	t.forgets = t.forgets || n > 0 && strings.HasPrefix(query, "DELETE")
	return n, sqlitefile.Fault(err)
}

// Later is part of [tables.Tx]. Nothing is saved by waiting.
func (t *transaction) Later(ctx context.Context, query string, args ...any) error {
	_, err := t.Exec(ctx, query, args...)
	return err
}

// LaterEach is part of [tables.Tx].
func (t *transaction) LaterEach(ctx context.Context, queries []string, args ...any) error {
	for _, query := range queries {
		if err := t.Later(ctx, query, args...); err != nil {
			return err
		}
	}
	return nil
}

// Demand is part of [tables.Tx].
func (t *transaction) Demand(ctx context.Context, failure error, query string, args ...any) error {
	found := false
	err := t.Query(ctx, query, args, func(tables.Scan) error { found = true; return nil })
	if err == nil && !found {
		err = failure
	}
	return err
}

// Query is part of [tables.Tx].
func (t *transaction) Query(ctx context.Context, query string, args []any, row func(tables.Scan) error) (err error) {
	var rows *sql.Rows
	if stmt := t.statement(ctx, query); stmt != nil { //nolint:sqlclosecheck // one of a transaction ends with it, others are kept
		rows, err = stmt.QueryContext(ctx, args...)
	} else {
		rows, err = t.queries.QueryContext(ctx, query, args...)
	}
	if err != nil {
		return sqlitefile.Fault(err)
	}
	defer func() {
		if closed := rows.Close(); err == nil {
			err = sqlitefile.Fault(closed)
		}
	}()
	for rows.Next() {
		if err := row(func(to ...any) error { return sqlitefile.Fault(rows.Scan(to...)) }); err != nil {
			return err
		}
	}
	return sqlitefile.Fault(rows.Err())
}

// Changed is part of [tables.Tx].
func (t *transaction) Changed(thread string) { t.changed = append(t.changed, thread) }
