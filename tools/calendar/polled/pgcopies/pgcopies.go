// Package pgcopies keeps the copies of feeds in PostgreSQL, encrypted if there is a key, for several servers.
//
// Its one idea: whoever finds that a feed is due claims it in the statement that finds it, so that one server
// at a time asks the source and all read what it gave. The package knows no format of calendars.
package pgcopies

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"time"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/storage/row"
	"annai/tools/calendar/polled"
)

//go:embed migrations/*.sql
var migrations embed.FS

var tables = pgdb.Tables{Migrations: migrations, Versions: "annai_feed_versions", Lock: 0x616e6665}

// Copies are [polled.Copies].
type Copies struct {
	db     *pgdb.DB
	codec  *row.Codec
	holder string // of this process
}

var _ polled.Copies = (*Copies)(nil)

// Open returns the copies in a database, whose table is made if need be, and forgets those that no server has
// asked for in a month. A key of another length than 32 bytes is [fault.ErrInvalid]. The database stays the
// caller's.
func Open(ctx context.Context, db *pgdb.DB, opts row.Options) (*Copies, error) {
	codec, err := row.New(opts)
	if err != nil {
		return nil, fmt.Errorf("open the copies of feeds: %w", err)
	}
	if err := db.Migrate(ctx, tables); err != nil {
		return nil, fmt.Errorf("copies of feeds in PostgreSQL: %w", err)
	}
	c := &Copies{db: db, codec: codec, holder: rand.Text()}
	return c, c.do(ctx, `DELETE FROM annai_feeds WHERE used < now() - interval '30 days'`)
}

// do executes a statement, within the limit.
func (c *Copies) do(ctx context.Context, statement string, args ...any) error {
	ctx, cancel := c.db.Limited(ctx)
	defer cancel()
	_, err := c.db.ExecContext(ctx, statement, args...)
	return unreachable(err)
}

// unreachable gives an error its kind; nil stays nil.
func unreachable(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("copies of feeds: %s: %w: %w", pgdb.Why(err), err, fault.ErrUnavailable)
}

func place(f polled.Feed) row.Place {
	return row.Place{Thread: f.Calendar, Namespace: "feed " + f.Address}
}

// Claim implements [polled.Copies].
func (c *Copies) Claim(
	ctx context.Context, f polled.Feed, have string, lease time.Duration,
) (k polled.Kept, mine bool, err error) {
	ctx, cancel := c.db.Limited(ctx)
	defer cancel()
	const returning = ` RETURNING version, CASE WHEN version = $3 THEN NULL ELSE copy END, read, failure`
	k, err = c.read(f, c.db.QueryRowContext(ctx, `INSERT INTO annai_feeds AS f (calendar, address, claim, claimed)
		VALUES ($1, $2, $4, now() + $5::bigint * interval '1 millisecond')
		ON CONFLICT (calendar, address) DO UPDATE SET claim = excluded.claim, claimed = excluded.claimed, used = now()
		WHERE f.claimed <= now() AND f.due <= now()`+returning,
		f.Calendar, f.Address, have, c.holder, lease.Milliseconds()))
	if !errors.Is(err, sql.ErrNoRows) {
		return k, err == nil, err
	}
	k, err = c.read(f, c.db.QueryRowContext(ctx, `SELECT version, CASE WHEN version = $3 THEN NULL ELSE copy END,
		read, failure FROM annai_feeds WHERE calendar = $1 AND address = $2`, f.Calendar, f.Address, have))
	return k, false, err
}

// read reads a row. [sql.ErrNoRows] says that there is none.
func (c *Copies) read(f polled.Feed, found *sql.Row) (k polled.Kept, err error) {
	var sealed []byte
	var read int64
	err = found.Scan(&k.Version, &sealed, &read, &k.Failure)
	if errors.Is(err, sql.ErrNoRows) {
		return k, err
	}
	if err != nil {
		return k, unreachable(err)
	}
	if read != 0 {
		k.Read = time.Unix(0, read)
	}
	if sealed != nil {
		if k.Content, err = c.codec.DecodeDocument(place(f), sealed); err != nil { // of another key: asked for anew
			return polled.Kept{}, nil //nolint:nilerr // it is as if there was none
		}
	}
	return k, nil
}

// Keep implements [polled.Copies].
func (c *Copies) Keep(ctx context.Context, f polled.Feed, k polled.Kept, pause time.Duration) error {
	if k.Content == nil {
		return c.do(ctx, `UPDATE annai_feeds SET read = $4, failure = '', claimed = '-infinity',
			due = now() + $5::bigint * interval '1 millisecond' WHERE calendar = $1 AND address = $2 AND claim = $3`,
			f.Calendar, f.Address, c.holder, k.Read.UnixNano(), pause.Milliseconds())
	}
	sealed, err := c.codec.EncodeDocument(place(f), k.Content)
	if err != nil {
		return fmt.Errorf("copies of feeds: %w", err)
	}
	return c.do(ctx, `UPDATE annai_feeds SET read = $4, failure = '', claimed = '-infinity',
		due = now() + $5::bigint * interval '1 millisecond', version = $6, copy = $7
		WHERE calendar = $1 AND address = $2 AND claim = $3`,
		f.Calendar, f.Address, c.holder, k.Read.UnixNano(), pause.Milliseconds(), k.Version, sealed)
}

// Fail implements [polled.Copies].
func (c *Copies) Fail(ctx context.Context, f polled.Feed, why string, pause time.Duration) error {
	return c.do(ctx, `UPDATE annai_feeds SET failure = $4, claimed = '-infinity',
		due = now() + $5::bigint * interval '1 millisecond' WHERE calendar = $1 AND address = $2 AND claim = $3`,
		f.Calendar, f.Address, c.holder, why, pause.Milliseconds())
}
