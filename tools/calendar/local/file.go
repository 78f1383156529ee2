package local

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"time"

	"annai/fault"
	"annai/internal/sqlitefile"
	"annai/tools/calendar"
)

// schema makes a file of version 1.
//
//go:embed schema.sql
var schema string

// application is the number by which calendars are told from other SQLite files.
const application = 0x616e6361

// busy is how long SQLite itself waits for another process; a write waits longer, until whoever asks
// wants to no more.
const busy = 50 * time.Millisecond

const (
	windowQuery = `SELECT number, revision FROM events WHERE NOT long AND first > ?1 - ?3 AND first < ?2 AND until > ?1
		UNION ALL SELECT number, revision FROM events WHERE long AND until > ?1 AND first < ?2`
	rowsQuery = `SELECT number, id, revision, data FROM events
		WHERE number IN (SELECT value FROM json_each(?1)) AND data IS NOT NULL`
)

var fileStatements = statements{
	one:    `SELECT revision, data FROM events WHERE id = ?1`,
	insert: `INSERT INTO events (id, revision, first, until, long, data) VALUES (?1, 1, ?2, ?3, ?4, ?5)`,
	update: `UPDATE events SET revision = revision + 1, first = ?2, until = ?3, long = ?4, data = ?5 WHERE id = ?1`,
	remove: `UPDATE events SET revision = revision + 1, first = NULL, until = NULL, long = FALSE, data = NULL
		WHERE id = ?1`,
}

// A file is a [place] in SQLite.
type file struct {
	*sqlitefile.File

	// What is asked outside of transactions is prepared, once there is a table.
	windows, several, single *sql.Stmt

	watch *sqlitefile.Watch
}

func openFile(ctx context.Context, path string) (file, error) {
	f, err := sqlitefile.Open(ctx, path, sqlitefile.Options{
		Application: application, Migrations: []sqlitefile.Migration{sqlitefile.Script(schema)}, Busy: busy,
	})
	if err != nil {
		return file{}, err
	}
	return file{File: f, watch: f.Watch()}, nil
}

// fileTable is the table in a file.
func fileTable(ctx context.Context, path string) (table, error) {
	f, err := openFile(ctx, path)
	if err != nil {
		return table{}, err
	}
	var errs [3]error
	f.windows, errs[0] = f.Read.PrepareContext(ctx, windowQuery)
	f.several, errs[1] = f.Read.PrepareContext(ctx, rowsQuery)
	f.single, errs[2] = f.Read.PrepareContext(ctx, fileStatements.one)
	if err := errors.Join(errs[:]...); err != nil {
		return table{}, errors.Join(f.trouble(err), f.close())
	}
	return table{
		place: f, statements: fileStatements,
		window: f.windows.QueryContext, rows: f.several.QueryContext, single: f.single.QueryRowContext,
	}, nil
}

// close is part of [place].
func (f file) close() error { return f.trouble(errors.Join(f.watch.Close(), f.Close())) }

// changes is part of [place].
func (f file) changes(ctx context.Context) (changes, error) {
	v, err := f.watch.Version(ctx)
	return changes{file: v}, err
}

// reading is part of [place]. Where its context ends in the middle of a read, the connection is
// closed, and with it a calendar in memory: there, reads are short and not given up.
func (f file) reading(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.Read == f.Write {
		ctx = context.WithoutCancel(ctx)
	}
	return ctx, func() {}
}

// transaction is part of [place].
func (f file) transaction(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return f.Transaction(ctx, do)
}

// forget is part of [place].
func (f file) forget(ctx context.Context) { f.Forget(ctx) }

// trouble is part of [place]. A write that fails leaves nothing, so none is ambiguous.
func (f file) trouble(err error) error {
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
