package local

import (
	"context"
	"database/sql"
	"fmt"

	"annai/tools/calendar"
)

// A table is where the rows of a calendar are. Its errors are those of a database, which its own
// method trouble makes failures of.
type table interface {
	// reading returns the context for a read, and what ends it.
	reading(ctx context.Context) (context.Context, context.CancelFunc)
	// window finds number and revision of the events whose span overlaps what is from first up to
	// until. Those that are not long begin no earlier than [lookBack] before it.
	window(ctx context.Context, first, until int64) (*sql.Rows, error)
	// rows reads number, id, revision and data of the rows whose numbers are in a JSON array.
	rows(ctx context.Context, numbers string) (*sql.Rows, error)
	// one reads revision and data of a row, in a transaction unless that is nil.
	one(ctx context.Context, tx *sql.Tx, id string) *sql.Row
	// transaction commits what do does, or nothing of it; others who write wait. One that has begun
	// is not given up half-way. An error of do comes back as it is.
	transaction(ctx context.Context, do func(ctx context.Context, tx *sql.Tx) error) error
	// insert and update write a row, and are each a [store].
	insert(ctx context.Context, tx *sql.Tx, id string, s span, data string) error
	update(ctx context.Context, tx *sql.Tx, id string, s span, data string) error
	// remove leaves the id of a row.
	remove(ctx context.Context, tx *sql.Tx, id string) error
	// forget says that something was overwritten.
	forget(ctx context.Context)
	// trouble makes a failure of an error, and says in words what can be done about it; nil stays
	// nil.
	trouble(err error) error
	close() error
}

// A store writes a row.
type store func(ctx context.Context, tx *sql.Tx, id string, s span, data string) error

func unavailable(why string, err error) error {
	return &calendar.Failure{Kind: calendar.Unavailable, Err: fmt.Errorf("%s: %w", why, err)}
}
