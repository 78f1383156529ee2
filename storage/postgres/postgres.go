// Package postgres keeps threads in PostgreSQL, for several processes at once: pgx has its home here.
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
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/internal/fault"
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
}

// Store is a [graph.Checkpointer] in PostgreSQL. It is safe for concurrent use, by any number of processes.
type Store struct {
	codec *row.Codec
	pool  *pgxpool.Pool
}

// Open connects to the address, a URL or a list of key=value, and makes or extends the tables. An address that can't be read, and tables that a
// newer annai made, are [fault.ErrInvalid]; a server that can't be reached is [fault.ErrUnavailable], and one that lets nobody in [fault.ErrDenied].
func Open(ctx context.Context, address string, opts Options) (*Store, error) {
	codec, err := row.New(opts.Row)
	if err != nil {
		return nil, fmt.Errorf("open postgres: %w", err)
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil { // the text of the error leaves out the password
		return nil, fmt.Errorf("open postgres: %w: %w", err, fault.ErrInvalid)
	}
	if opts.Connections > 0 {
		config.MaxConns = int32(min(opts.Connections, 10_000))
	}
	if opts.Schema != "" {
		config.ConnConfig.RuntimeParams["search_path"] = pgx.Identifier{opts.Schema}.Sanitize()
	}
	config.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool {
		return p.IdleDuration > time.Second || stale(p.Conn.PgConn().Conn())
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open postgres: %w", kind(err))
	}
	if err := migrate(ctx, pool, opts.Schema); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open postgres: %w", err)
	}
	return &Store{codec: codec, pool: pool}, nil
}

// Close waits for what is under way and lets go of the connections. Later calls find it closed: [fault.ErrUnavailable].
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}

// The codes of PostgreSQL that we tell apart: its manual, appendix A.
const (
	codeUnique     = "23505"
	codeForeignKey = "23503"
	codeEncoding   = "22021" // a text is no UTF-8, or has a zero in it
	codeLimit      = "54000" // a name is too long for an index, say
	codeAuth       = "28000"
	codePassword   = "28P01"
	codePrivilege  = "42501"
)

// kind gives an error of the library its kind; nil, and what has one, stay as they are.
func kind(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	for _, k := range []error{fault.ErrInvalid, fault.ErrNotFound, fault.ErrConflict, fault.ErrDenied, fault.ErrUnavailable} {
		if errors.Is(err, k) {
			return err
		}
	}
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return fmt.Errorf("%w: %w", err, fault.ErrUnavailable)
	}
	switch e.Code {
	case codeUnique, codeForeignKey:
		return fmt.Errorf("%w: %w", err, fault.ErrConflict)
	case codeEncoding, codeLimit:
		return fmt.Errorf("%w: %w", err, fault.ErrInvalid)
	case codeAuth, codePassword, codePrivilege:
		return fmt.Errorf("%w: %w", err, fault.ErrDenied)
	default:
		return fmt.Errorf("%w: %w", err, fault.ErrUnavailable)
	}
}
