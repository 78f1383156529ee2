package river

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"annai/runs/postgres"
)

var _ Store = (*postgres.Store)(nil)

// NewPostgres returns a queue in the database of the store, which must be open as long as the queue works. Now is the clock.
func NewPostgres(ctx context.Context, store *postgres.Store, now func() time.Time, opts Options) (q *Queue, err error) {
	err = store.Alone(ctx, func(ctx context.Context) error {
		q, err = newQueue(ctx, store, riverpgxv5.New(store.Pool()), update[pgx.Tx](store.Update), notify, now, opts)
		return err
	})
	return q, err
}

// notify wakes River once the transaction is committed. River does so by itself, but leaves out what comes shortly after another: a job that is committed
// after River looked would wait until it looks again.
func notify(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `SELECT pg_notify(concat(current_schema(), '.river_insert'), $1)`, `{"queue": "`+queueName+`"}`)
	return err
}
