package local

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"time"

	"annai/internal/fault"
	"annai/internal/sqlitefile"
	"annai/tools/calendar"
)

// schema makes a file of version 1.
//
//go:embed schema.sql
var schema string

// application is the number by which calendars are told from other SQLite files.
const application = 0x616e6361

// busy is how long SQLite itself waits for another process; a write waits longer, until whoever asks wants to no more.
const busy = 50 * time.Millisecond

const (
	// windowQuery finds what is from ?1 up to ?2. ?3 is how far back the short ones may begin.
	windowQuery = `SELECT number, revision FROM events WHERE NOT long AND first > ?1 - ?3 AND first < ?2 AND until > ?1
		UNION ALL SELECT number, revision FROM events WHERE long AND until > ?1 AND first < ?2`
	rowsQuery = `SELECT number, id, revision, data FROM events
		WHERE number IN (SELECT value FROM json_each(?1)) AND data IS NOT NULL`
	oneQuery    = `SELECT revision, data FROM events WHERE id = ?1`
	insertQuery = `INSERT INTO events (id, revision, first, until, long, data) VALUES (?1, 1, ?2, ?3, ?4, ?5)`
	updateQuery = `UPDATE events SET revision = revision + 1, first = ?2, until = ?3, long = ?4, data = ?5
		WHERE id = ?1`
	removeQuery = `UPDATE events SET revision = revision + 1, first = NULL, until = NULL, long = FALSE, data = NULL
		WHERE id = ?1`
)

// A file is a [table] in SQLite.
type file struct {
	*sqlitefile.File

	windows, several, single *sql.Stmt
}

func openFile(ctx context.Context, path string) (table, error) {
	f := new(file)
	if err := f.open(ctx, path); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

func (f *file) open(ctx context.Context, path string) (err error) {
	f.File, err = sqlitefile.Open(ctx, path, sqlitefile.Options{
		Application: application, Migrations: []sqlitefile.Migration{sqlitefile.Script(schema)}, Busy: busy,
	})
	if err != nil {
		return err
	}
	var errs [3]error
	f.windows, errs[0] = f.Read.PrepareContext(ctx, windowQuery)
	f.several, errs[1] = f.Read.PrepareContext(ctx, rowsQuery)
	f.single, errs[2] = f.Read.PrepareContext(ctx, oneQuery)
	return f.trouble(errors.Join(errs[:]...))
}

// close is part of [table].
func (f *file) close() error {
	if f.File == nil {
		return nil
	}
	return f.trouble(f.File.Close())
}

// reading is part of [table]. Where its context ends in the middle of a read, the connection is
// closed, and with it a calendar in memory: there, reads are short and not given up.
func (f *file) reading(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.Read == f.Write {
		ctx = context.WithoutCancel(ctx)
	}
	return ctx, func() {}
}

// window is part of [table].
func (f *file) window(ctx context.Context, first, until int64) (*sql.Rows, error) {
	return f.windows.QueryContext(ctx, first, until, lookBack)
}

// rows is part of [table].
func (f *file) rows(ctx context.Context, numbers string) (*sql.Rows, error) {
	return f.several.QueryContext(ctx, numbers)
}

// one is part of [table].
func (f *file) one(ctx context.Context, tx *sql.Tx, id string) *sql.Row {
	if tx == nil {
		return f.single.QueryRowContext(ctx, id)
	}
	return tx.QueryRowContext(ctx, oneQuery, id)
}

// transaction is part of [table].
func (f *file) transaction(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return f.Transaction(ctx, do)
}

// insert is part of [table].
func (f *file) insert(ctx context.Context, tx *sql.Tx, id string, s span, data string) error {
	_, err := tx.ExecContext(ctx, insertQuery, id, s.first, s.until, s.long, data)
	return err
}

// update is part of [table].
func (f *file) update(ctx context.Context, tx *sql.Tx, id string, s span, data string) error {
	_, err := tx.ExecContext(ctx, updateQuery, id, s.first, s.until, s.long, data)
	return err
}

// remove is part of [table].
func (f *file) remove(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, removeQuery, id)
	return err
}

// forget is part of [table].
func (f *file) forget(ctx context.Context) { f.Forget(ctx) }

// trouble is part of [table]. A write that fails leaves nothing, so none is ambiguous.
func (f *file) trouble(err error) error {
	switch {
	case err == nil:
		return nil
	case sqlitefile.CodeOf(err) == sqlitefile.TooBig:
		return &calendar.Failure{Kind: calendar.InvalidText, Err: err}
	case errors.Is(err, fault.ErrUnavailable), errors.Is(err, fault.ErrConflict): // which says why
		return &calendar.Failure{Kind: calendar.Unavailable, Err: err}
	default:
		return unavailable(sqlitefile.Why(err), err)
	}
}
