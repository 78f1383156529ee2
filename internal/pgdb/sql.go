package pgdb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"annai/fault"
)

// A DB is connections for package database/sql, for the packages whose tables are in SQLite
// elsewhere and share their code. Several packages share a DB, each with tables of its own.
type DB struct {
	*sql.DB

	pool  *pgxpool.Pool
	limit time.Duration
}

const defaultLimit = 5 * time.Second

// Open connects to the address and looks whether the server is there. The errors are those of
// [Connect] and [Fault].
func Open(ctx context.Context, address string, opts Options) (*DB, error) {
	opts.Limit = cmp.Or(opts.Limit, defaultLimit)
	pool, err := Connect(ctx, address, opts)
	if err != nil {
		return nil, err
	}
	err = Within(ctx, opts.Limit, pool.Ping)
	if err != nil {
		pool.Close()
		return nil, Fault(err)
	}
	return &DB{DB: stdlib.OpenDBFromPool(pool), pool: pool, limit: opts.Limit}, nil
}

// Stats are those of its pool: see [Stats].
func (d *DB) Stats() (inUse, idle, most int, waits int64) { return Stats(d.pool) }

// Close waits for what is under way and lets go of the connections.
func (d *DB) Close() error {
	err := d.DB.Close()
	d.pool.Close()
	return err
}

// Migrate makes the tables of a package what this annai expects.
func (d *DB) Migrate(ctx context.Context, t Tables) error {
	return Within(ctx, d.limit, func(ctx context.Context) error { return t.Migrate(ctx, d.pool) })
}

// Limited returns a context for a call that may take as long as the limit. Cancel it when its rows
// are read.
func (d *DB) Limited(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d.limit)
}

// ErrUncertain says that the connection was lost while a transaction was committed: nobody knows
// whether it was.
var ErrUncertain = errors.New("the connection was lost, and nobody knows whether it was written")

// Transaction commits what do does, or nothing of it, within the limit. One that has begun is not
// given up when ctx ends. An error of do comes back as it is; where nobody knows whether it was
// committed the error is [ErrUncertain].
func (d *DB) Transaction(ctx context.Context, do func(ctx context.Context, tx *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := d.Limited(context.WithoutCancel(ctx))
	defer cancel()
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return Fault(late(err))
	}
	if err := do(ctx, tx); err != nil {
		_ = tx.Rollback() // a connection that is lost takes it back too
		return err
	}
	err = tx.Commit()
	var refused *pgconn.PgError
	if err != nil && !errors.As(err, &refused) {
		return fmt.Errorf("%w: %w: %w", ErrUncertain, err, fault.ErrUnavailable)
	}
	return Fault(err)
}

// late gives the end of a limit its kind.
func late(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("PostgreSQL does not answer in time: %w: %w", err, fault.ErrUnavailable)
	}
	return err
}

// One has everybody else wait who wants to be the one of that name, in this database and schema,
// until the transaction ends.
func One(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))`, word(name))
	return err
}

// word is a number for a name.
func word(name string) int32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // it never fails
	return int32(h.Sum32())
}

// Why says in words what an error means that is not nil.
func Why(err error) string {
	switch code := codeOf(err); {
	case errors.Is(err, ErrUncertain):
		return "the connection to the PostgreSQL server was lost"
	case code == codeAuth, code == codePassword:
		return "the PostgreSQL server refuses the user or the password"
	case code == codePrivilege:
		return "the PostgreSQL user has no right to its tables"
	case code == codeReadOnly:
		return "the PostgreSQL server is read-only, as a standby is"
	case code != "":
		return "the PostgreSQL server refuses it"
	case errors.Is(err, context.DeadlineExceeded):
		return "the PostgreSQL server does not answer in time"
	}
	return "the PostgreSQL server can't be reached"
}

// Unwritable reports whether a text can be in no row: it is no UTF-8, or has a zero in it.
func Unwritable(err error) bool { return codeOf(err) == codeEncoding }

// Hold makes this process the one of that name, in this database and schema, until it is released
// or the connection is lost. Where another is the one the error is [fault.ErrConflict].
func (d *DB) Hold(ctx context.Context, name string) (release func() error, err error) {
	conn, err := d.Conn(ctx)
	if err != nil {
		return nil, Fault(late(err))
	}
	const lock = `SELECT pg_try_advisory_lock($1, hashtext(current_schema()))`
	var got bool
	if err := conn.QueryRowContext(ctx, lock, word(name)).Scan(&got); err != nil || !got {
		_ = conn.Close() // gives it back
		return nil, cmp.Or(Fault(err), fault.ErrConflict)
	}
	return func() error {
		ctx, cancel := d.Limited(context.WithoutCancel(ctx))
		defer cancel()
		const unlock = `SELECT pg_advisory_unlock($1, hashtext(current_schema()))`
		_, err := conn.ExecContext(ctx, unlock, word(name))
		return errors.Join(Fault(err), conn.Close())
	}, nil
}
