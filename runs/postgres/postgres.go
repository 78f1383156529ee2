// Package postgres keeps assistants, threads, runs, items and crons in PostgreSQL, for several processes at once.
//
// The tables are those of package tables, in the schema that the connection works in. Whatever happens to a thread is notified with the commit, and one
// connection of each process listens and wakes those who watch the thread; should a word be lost, they look again after some seconds.
//
// A call whose context ends, or whose connection is lost, while the server works on it may still have happened.
package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/internal/fault"
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
}

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
		return nil, fmt.Errorf("open postgres: %w", kind(err))
	}
	return s, nil
}

func open(ctx context.Context, address string, opts Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil { // the text of the error leaves out the password
		return nil, fmt.Errorf("%w: %w", err, fault.ErrInvalid)
	}
	if opts.Connections > 0 {
		config.MaxConns = int32(min(opts.Connections, 10_000))
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	db, err := newDatabase(ctx, pool)
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

// Pool is the connections.
func (s *Store) Pool() *pgxpool.Pool { return s.db.pool }

// The codes of PostgreSQL that we tell apart: its manual, appendix A.
const (
	codeUnique    = "23505"
	codeEncoding  = "22021" // a text is no UTF-8, or has a zero in it
	codeLimit     = "54000" // a name is too long for an index, say
	codeAuth      = "28000"
	codePassword  = "28P01"
	codePrivilege = "42501"
	codeDeadlock  = "40P01"
	codeSerialize = "40001"
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
	case codeUnique:
		return fmt.Errorf("%w: %w", err, fault.ErrConflict)
	case codeEncoding, codeLimit:
		return fmt.Errorf("%w: %w", err, fault.ErrInvalid)
	case codeAuth, codePassword, codePrivilege:
		return fmt.Errorf("%w: %w", err, fault.ErrDenied)
	default:
		return fmt.Errorf("%w: %w", err, fault.ErrUnavailable)
	}
}

// again says that a transaction failed for others that happened at the same time.
func again(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == codeDeadlock || e.Code == codeSerialize)
}

// Update commits what do does in the tables of the store and, with the transaction itself, in others. Do may be called more than once.
func (s *Store) Update(ctx context.Context, do func(ctx context.Context, tx tables.Tx, raw pgx.Tx) error) error {
	return s.db.Update(ctx, func(ctx context.Context, tx tables.Tx) error { return do(ctx, tx, tx.(*transaction).tx) })
}

// Alone calls do while no other process opens the store or is in an Alone.
func (s *Store) Alone(ctx context.Context, do func(ctx context.Context) error) error {
	conn, err := pgx.ConnectConfig(ctx, s.db.pool.Config().ConnConfig) // do may need those of the pool
	if err != nil {
		return kind(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return kind(pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lock)); err != nil {
			return err
		}
		return do(ctx)
	}))
}
