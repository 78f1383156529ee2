// Package postgres keeps threads in PostgreSQL, for several processes at once.
//
// The log is two tables, one row per record and one per task's writes, whose content is one encoded column; what is asked for by is in columns
// of its own. Large values are in a third, once for each thread, with a fourth that says which rows have them. Records are put and read in one
// statement, and the keys of the tables decide who was first; what begins, copies, shortens or ends a thread, or has large values, takes the
// thread's lock first. A relaxed record is as safe as any. The tables are made in the schema that the connection works in, and their names
// begin with annai_.
//
// A call whose context ends, or whose connection is lost, while the server works on it may still have happened: asking for the record tells. A
// connection that was lost before is found out and replaced by a new one.
package postgres

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/internal/pgdb"
	"annai/storage/row"
)

// Options are the settings of a [Store] that have a default.
type Options struct {
	// Row says how rows are encoded: whether they are compressed and encrypted.
	Row row.Options
	// Connections is how many there are at most. 0 is what the address says (pool_max_conns), or else 4 or the number of processors.
	Connections int
	// Schema is where the tables are; it is made if it does not exist. Empty is the one that the connection works in. Stores in different schemas
	// know nothing of each other.
	Schema string
	// Limit is how long a transaction may take, and making a connection where the address does not say it (connect_timeout), because a server may be there
	// and not answer: then a call is [fault.ErrUnavailable]. 0 is a minute.
	Limit time.Duration
}

const defaultLimit = time.Minute

// Store is a [graph.Checkpointer] in PostgreSQL. It is safe for concurrent use, by any number of processes.
type Store struct {
	codec *row.Codec
	pool  *pgxpool.Pool
	limit time.Duration
	// writer commits what is known before.
	writer *pgdb.Writer
	// channel is where processes are told of each other.
	channel string
}

// Open connects to the address, a URL or a list of key=value, and makes or extends the tables. An address that can't be read, and tables that a
// newer annai made, are [fault.ErrInvalid]; a server that can't be reached is [fault.ErrUnavailable], and one that lets nobody in [fault.ErrDenied].
func Open(ctx context.Context, address string, opts Options) (*Store, error) {
	codec, err := row.New(opts.Row)
	if err != nil {
		return nil, fmt.Errorf("open postgres: %w", err)
	}
	limit := cmp.Or(opts.Limit, defaultLimit)
	pool, err := pgdb.Connect(ctx, address, pgdb.Options{Connections: opts.Connections, Schema: opts.Schema, Limit: limit})
	if err != nil {
		return nil, fmt.Errorf("open postgres: %w", err)
	}
	if err := tablesIn(opts.Schema).Migrate(ctx, pool); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open postgres: %w", err)
	}
	channel, err := pgdb.Channel(ctx, pool, "annai_peers_")
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open postgres: %w", err)
	}
	return &Store{codec: codec, pool: pool, limit: limit, writer: pgdb.NewWriter(pool, limit), channel: channel}, nil
}

// transact commits what do does.
func (s *Store) transact(ctx context.Context, do func(ctx context.Context, tx pgx.Tx) error) error {
	return pgdb.Within(ctx, s.limit, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return do(ctx, tx) })
	})
}

// Stats are how many of its connections are in use, are not, and may be at most, and how often somebody had to wait.
func (s *Store) Stats() (inUse, idle, most int, waits int64) { return pgdb.Stats(s.pool) }

// Close waits for what is under way and lets go of the connections. Later calls find it closed: [fault.ErrUnavailable].
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}
