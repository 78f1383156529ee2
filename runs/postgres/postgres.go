// Package postgres keeps assistants, threads, runs, items and crons in PostgreSQL, for several processes at once.
//
// The tables are those of package tables, in the schema that the connection works in. Whatever happens to a thread is notified after the commit, and one
// connection of each process listens and wakes those who watch the thread; should a word be lost, they look again after some seconds.
//
// A call whose context ends, or whose connection is lost, while the server works on it may still have happened.
package postgres

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/internal/pgdb"
	"annai/runs/tables"
	"annai/storage/row"
)

// Options are the settings of a [Store] that have a default.
type Options struct {
	// Row says how contents are encoded: whether they are compressed and encrypted. Ids, statuses, times, the kinds of events with the names of nodes, and the
	// namespaces and keys of items can always be read.
	Row row.Options
	// Connections is how many there are at most, besides the one that listens. 0 is what the address says (pool_max_conns), or else 4 or the number of
	// processors.
	Connections int
	// Limit is how long a transaction may take, and making a connection where the address does not say it (connect_timeout), because a server may be there
	// and not answer: then a call is [fault.ErrUnavailable]. 0 is five seconds.
	Limit time.Duration
}

const defaultLimit = 5 * time.Second

// Store is a [runs.Store] in PostgreSQL. It is safe for concurrent use, by any number of processes.
type Store struct {
	*tables.Store

	db *database
}

// Open connects to the address, a URL or a list of key=value, and makes or extends the tables. An address that can't be read, and tables that a
// newer annai made, are [fault.ErrInvalid]; a server that can't be reached is [fault.ErrUnavailable]; one that lets nobody in, and tables that were written with
// another key, are [fault.ErrDenied].
func Open(ctx context.Context, address string, opts Options) (*Store, error) {
	s, err := open(ctx, address, opts)
	if err != nil {
		return nil, fmt.Errorf("open postgres: %w", pgdb.Fault(err))
	}
	return s, nil
}

func open(ctx context.Context, address string, opts Options) (*Store, error) {
	limit := cmp.Or(opts.Limit, defaultLimit)
	pool, err := pgdb.Connect(ctx, address, pgdb.Options{Connections: opts.Connections, Limit: limit})
	if err != nil {
		return nil, err
	}
	if err := ours.Migrate(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	db, err := newDatabase(ctx, pool, limit)
	if err != nil {
		pool.Close()
		return nil, err
	}
	s, err := tables.New(ctx, db, opts.Row)
	if err != nil {
		db.close()
		return nil, err
	}
	return &Store{s, db}, nil
}

// Close waits for what is under way and lets go of the connections. Later calls find it closed: [fault.ErrUnavailable].
func (s *Store) Close() error {
	s.db.close()
	return nil
}

// Stats are how many of its connections are in use, are not, and may be at most, and how often somebody had to wait.
func (s *Store) Stats() (inUse, idle, most int, waits int64) { return pgdb.Stats(s.db.pool) }

// Pool is the connections.
func (s *Store) Pool() *pgxpool.Pool { return s.db.pool }

// Update commits what do does in the tables of the store and, with the transaction itself, in others. Do may be called more than once.
func (s *Store) Update(ctx context.Context, do func(ctx context.Context, tx tables.Tx, raw pgx.Tx) error) error {
	return s.db.updateRaw(ctx, do)
}

// Alone calls do while no other process opens the store or is in an Alone.
func (s *Store) Alone(ctx context.Context, do func(ctx context.Context) error) error {
	conn, err := pgx.ConnectConfig(ctx, s.db.pool.Config().ConnConfig) // do may need those of the pool
	if err != nil {
		return pgdb.Fault(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return pgdb.Fault(pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := ours.Hold(ctx, tx); err != nil {
			return err
		}
		return do(ctx)
	}))
}
