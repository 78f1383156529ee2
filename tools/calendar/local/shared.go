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
var tables = pgdb.Tables{Migrations: migrations, Versions: "annai_calendar_versions", Lock: 0x616e6361}

const (
	sharedWindowQuery = `SELECT number, revision FROM annai_calendar_events
		WHERE calendar = $4 AND NOT long AND first > $1::bigint - $3::bigint AND first < $2 AND until > $1
		UNION ALL SELECT number, revision FROM annai_calendar_events
		WHERE calendar = $4 AND long AND until > $1 AND first < $2`
	sharedRowsQuery = `SELECT number, id, revision, data FROM annai_calendar_events
		WHERE calendar = $2 AND data IS NOT NULL
		AND number IN (SELECT value::bigint FROM json_array_elements_text($1::json))`
	sharedOneQuery    = `SELECT revision, data FROM annai_calendar_events WHERE calendar = $1 AND id = $2`
	sharedInsertQuery = `INSERT INTO annai_calendar_events (calendar, id, revision, first, until, long, data)
		VALUES ($1, $2, 1, $3, $4, $5, $6)`
	sharedUpdateQuery = `UPDATE annai_calendar_events
		SET revision = revision + 1, first = $3, until = $4, long = $5, data = $6 WHERE calendar = $1 AND id = $2`
	sharedRemoveQuery = `UPDATE annai_calendar_events
		SET revision = revision + 1, first = NULL, until = NULL, long = FALSE, data = NULL
		WHERE calendar = $1 AND id = $2`
)

// shared is a [table] in PostgreSQL.
type shared struct {
	db       *pgdb.DB
	calendar string
}

func openShared(ctx context.Context, db *pgdb.DB, calendar string) (table, error) {
	if err := db.Migrate(ctx, tables); err != nil {
		return nil, err
	}
	return &shared{db, calendar}, nil
}

// close is part of [table]: who opened the connections closes them.
func (s *shared) close() error { return nil }

// reading is part of [table].
func (s *shared) reading(ctx context.Context) (context.Context, context.CancelFunc) {
	return s.db.Limited(ctx)
}

// window is part of [table].
func (s *shared) window(ctx context.Context, first, until int64) (*sql.Rows, error) {
	return s.db.QueryContext(ctx, sharedWindowQuery, first, until, lookBack, s.calendar)
}

// rows is part of [table].
func (s *shared) rows(ctx context.Context, numbers string) (*sql.Rows, error) {
	return s.db.QueryContext(ctx, sharedRowsQuery, numbers, s.calendar)
}

// one is part of [table].
func (s *shared) one(ctx context.Context, tx *sql.Tx, id string) *sql.Row {
	if tx == nil {
		return s.db.QueryRowContext(ctx, sharedOneQuery, s.calendar, id)
	}
	return tx.QueryRowContext(ctx, sharedOneQuery, s.calendar, id)
}

// transaction is part of [table]. Of all processes one at a time writes into a calendar.
func (s *shared) transaction(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return s.db.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := pgdb.One(ctx, tx, "calendar "+s.calendar); err != nil {
			return s.trouble(err)
		}
		return do(ctx, tx)
	})
}

// insert is part of [table].
func (s *shared) insert(ctx context.Context, tx *sql.Tx, id string, at span, data string) error {
	_, err := tx.ExecContext(ctx, sharedInsertQuery, s.calendar, id, at.first, at.until, at.long, data)
	return err
}

// update is part of [table].
func (s *shared) update(ctx context.Context, tx *sql.Tx, id string, at span, data string) error {
	_, err := tx.ExecContext(ctx, sharedUpdateQuery, s.calendar, id, at.first, at.until, at.long, data)
	return err
}

// remove is part of [table].
func (s *shared) remove(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, sharedRemoveQuery, s.calendar, id)
	return err
}

// forget is part of [table]: a row that was overwritten is the server's to clean up.
func (s *shared) forget(context.Context) {}

// trouble is part of [table].
func (s *shared) trouble(err error) error {
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
