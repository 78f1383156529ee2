package local

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"annai/internal/sqlitefile"
	"annai/tools/calendar"
)

// A place is where a table is: a file, or PostgreSQL.
type place interface {
	// reading returns the context for a read, and what ends it.
	reading(ctx context.Context) (context.Context, context.CancelFunc)
	// transaction commits what do does, or nothing of it; others who write wait. One that has begun
	// is not given up half-way. An error of do comes back as it is.
	transaction(ctx context.Context, do func(ctx context.Context, tx *sql.Tx) error) error
	// forget says that something was overwritten.
	forget(ctx context.Context)
	// changes says how often the calendar was changed by anybody, zero where that can't be told.
	changes(ctx context.Context) (changes, error)
	// trouble makes a failure of an error of the database, and says in words what can be done about
	// it; nil stays nil.
	trouble(err error) error
	close() error
}

// changes tell one state of a calendar from a later one.
type changes struct {
	file  sqlitefile.Version
	count int64
}

// A query asks outside of a transaction.
type query func(ctx context.Context, args ...any) (*sql.Rows, error)

// A table is the rows of a calendar in its place.
type table struct {
	place

	// window finds number and revision of the events whose span overlaps what is from $1 up to $2.
	// Those that are not long begin no earlier than $3 seconds before it.
	window query
	// rows reads number, id, revision and data of the rows whose numbers are in the JSON array $1.
	rows query
	// single reads revision and data of the row with the id $1, as one does in a transaction.
	single func(ctx context.Context, args ...any) *sql.Row

	statements
	// of is what each of them wants besides, last.
	of []any
}

// statements are those of a transaction. $1 is the id; the span is in $2 to $4, the data in $5.
type statements struct{ one, insert, update, remove string }

// with returns the arguments of a statement.
func (t table) with(args ...any) []any { return slices.Concat(args, t.of) }

// get reads a row, in a transaction unless that is nil.
func (t table) get(ctx context.Context, tx *sql.Tx, id string) *sql.Row {
	if tx == nil {
		return t.single(ctx, t.with(id)...)
	}
	return tx.QueryRowContext(ctx, t.one, t.with(id)...)
}

// put writes a row by the statement insert or update.
func (t table) put(ctx context.Context, tx *sql.Tx, statement, id string, s span, data string) error {
	_, err := tx.ExecContext(ctx, statement, t.with(id, s.first, s.until, s.long, data)...)
	return t.trouble(err)
}

// delete leaves the id of a row.
func (t table) delete(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, t.remove, t.with(id)...)
	return t.trouble(err)
}

func unavailable(why string, err error) error {
	return &calendar.Failure{Kind: calendar.Unavailable, Err: fmt.Errorf("%s: %w", why, err)}
}
