package local

import (
	"context"
	"database/sql"
	"embed"
	"errors"

	"annai/internal/pgdb"
	"annai/tools/calendar"
)

//go:embed migrations/*.sql
var migrations embed.FS

// tables are those of this package.
var tables = pgdb.Tables{Migrations: migrations, Versions: "annai_calendar_versions", Lock: application}

const (
	sharedWindowQuery = `SELECT number, revision FROM annai_calendar_events
		WHERE calendar = $4 AND NOT long AND first > $1::bigint - $3::bigint AND first < $2 AND until > $1
		UNION ALL SELECT number, revision FROM annai_calendar_events
		WHERE calendar = $4 AND long AND until > $1 AND first < $2`
	sharedRowsQuery = `SELECT number, id, revision, data FROM annai_calendar_events
		WHERE calendar = $2 AND data IS NOT NULL
		AND number IN (SELECT value::bigint FROM json_array_elements_text($1::json))`
)

var sharedStatements = statements{
	one: `SELECT revision, data FROM annai_calendar_events WHERE id = $1 AND calendar = $2`,
	insert: `INSERT INTO annai_calendar_events (id, revision, first, until, long, data, calendar)
		VALUES ($1, 1, $2, $3, $4, $5, $6)`,
	update: `UPDATE annai_calendar_events
		SET revision = revision + 1, first = $2, until = $3, long = $4, data = $5 WHERE id = $1 AND calendar = $6`,
	remove: `UPDATE annai_calendar_events
		SET revision = revision + 1, first = NULL, until = NULL, long = FALSE, data = NULL
		WHERE id = $1 AND calendar = $2`,
}

// shared is a [place] in PostgreSQL. Who opened the connections closes them.
type shared struct {
	db       *pgdb.DB
	calendar string
}

// sharedTable is the table of a calendar in PostgreSQL.
func sharedTable(ctx context.Context, db *pgdb.DB, calendar string) (table, error) {
	if err := db.Migrate(ctx, tables); err != nil {
		return table{}, err
	}
	ask := func(text string) query {
		return func(ctx context.Context, args ...any) (*sql.Rows, error) { return db.QueryContext(ctx, text, args...) }
	}
	return table{
		place: shared{db, calendar}, statements: sharedStatements, of: []any{calendar},
		window: ask(sharedWindowQuery), rows: ask(sharedRowsQuery),
		single: func(ctx context.Context, args ...any) *sql.Row {
			return db.QueryRowContext(ctx, sharedStatements.one, args...)
		},
	}, nil
}

// close is part of [place].
func (s shared) close() error { return nil }

// changes is part of [place].
func (s shared) changes(ctx context.Context) (changes, error) {
	const query = `SELECT coalesce((SELECT changes FROM annai_calendar_changes WHERE calendar = $1), 0) + 1`
	var n int64
	err := s.db.QueryRowContext(ctx, query, s.calendar).Scan(&n)
	return changes{count: n}, err
}

// reading is part of [place].
func (s shared) reading(ctx context.Context) (context.Context, context.CancelFunc) {
	return s.db.Limited(ctx)
}

// transaction is part of [place]. Of all processes one at a time writes into a calendar.
func (s shared) transaction(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return s.db.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := pgdb.One(ctx, tx, "calendar "+s.calendar); err != nil {
			return s.trouble(err)
		}
		return do(ctx, tx)
	})
}

// forget is part of [place]: a row that was overwritten is the server's to clean up.
func (s shared) forget(context.Context) {}

// trouble is part of [place].
func (s shared) trouble(err error) error {
	var known *calendar.Failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, pgdb.ErrUncertain):
		return &calendar.Failure{Kind: calendar.Ambiguous, Err: err}
	default:
		return unavailable(pgdb.Why(err), err)
	}
}
