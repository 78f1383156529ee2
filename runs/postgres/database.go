package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/internal/pgdb"
	"annai/runs/tables"
)

// database is the tables' [tables.DB]. Watched and woken are words for threads, because what is notified has a limit.
type database struct {
	watchers tables.Watchers

	pool    *pgxpool.Pool
	limit   time.Duration
	channel string
	stop    context.CancelFunc
	done    chan struct{} // closed when nobody listens any more
}

func newDatabase(ctx context.Context, pool *pgxpool.Pool, limit time.Duration) (*database, error) {
	d := &database{pool: pool, limit: limit, done: make(chan struct{})}
	var err error
	if d.channel, err = pgdb.Channel(ctx, pool, "annai_"); err != nil {
		return nil, err
	}
	listening, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stop = stop
	go d.listen(listening)
	return d, nil
}

func (d *database) close() {
	d.stop()
	<-d.done
	d.watchers.WakeAll()
	d.pool.Close()
}

// Watch is part of [tables.DB].
func (d *database) Watch(thread string) (changed <-chan struct{}, stop func()) {
	return d.watchers.Watch(pgdb.Word(thread))
}

// listen wakes those who watch what is notified, until ctx ends.
func (d *database) listen(ctx context.Context) {
	defer close(d.done)
	pgdb.Listen(ctx, d.pool, d.channel, d.limit, d.watchers.Wake, d.watchers.WakeAll)
}

// Lock is part of [tables.DB].
func (d *database) Lock() string { return " FOR UPDATE" }

// attempts is how often a transaction is tried that others got in the way of.
const attempts = 5

// Update is part of [tables.DB].
func (d *database) Update(ctx context.Context, do func(context.Context, tables.Tx) error) error {
	return d.call(ctx, func(ctx context.Context) (err error) {
		for range attempts {
			err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
				t := &transaction{tx: tx, queries: tx}
				if err := do(ctx, t); err != nil {
					return err
				}
				return d.tell(ctx, t)
			})
			if !pgdb.InTheWay(err) {
				break
			}
		}
		return err
	})
}

// call makes a call that has a limit, and whose errors get their kinds.
func (d *database) call(ctx context.Context, call func(context.Context) error) error {
	return pgdb.Fault(pgdb.Within(ctx, d.limit, call))
}

// tell notifies what changed, once that is committed.
func (d *database) tell(ctx context.Context, t *transaction) error {
	slices.Sort(t.changed)
	for _, thread := range slices.Compact(t.changed) {
		if _, err := t.tx.Exec(ctx, `SELECT pg_notify($1, $2)`, d.channel, pgdb.Word(thread)); err != nil {
			return err
		}
	}
	return nil
}

// View is part of [tables.DB].
func (d *database) View(ctx context.Context, do func(context.Context, tables.Tx) error) error {
	opts := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return d.call(ctx, func(ctx context.Context) error {
		return pgx.BeginTxFunc(ctx, d.pool, opts, func(tx pgx.Tx) error { return do(ctx, &transaction{tx: tx, queries: tx}) })
	})
}

// Look is part of [tables.DB].
func (d *database) Look(ctx context.Context, do func(context.Context, tables.Tx) error) error {
	return d.call(ctx, func(ctx context.Context) error { return do(ctx, &transaction{queries: d.pool}) })
}

// transaction is a [tables.Tx].
type transaction struct {
	tx      pgx.Tx  // nil for a single query
	queries queries // what is asked: tx, or the pool
	changed []string
}

// queries is a transaction, or connections without one.
type queries interface {
	Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// Exec is part of [tables.Tx].
func (t *transaction) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	done, err := t.queries.Exec(ctx, query, args...)
	return done.RowsAffected(), err
}

// Each is part of [tables.Tx].
func (t *transaction) Each(ctx context.Context, query string, args [][]any) error {
	var b pgx.Batch
	for _, a := range args {
		b.Queue(query, a...)
	}
	return t.queries.SendBatch(ctx, &b).Close()
}

// Query is part of [tables.Tx].
func (t *transaction) Query(ctx context.Context, query string, args []any, row func(tables.Scan) error) error {
	rows, err := t.queries.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Changed is part of [tables.Tx].
func (t *transaction) Changed(thread string) { t.changed = append(t.changed, thread) }
