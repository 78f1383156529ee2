// Package local keeps a calendar of annai's own, in one SQLite file or in PostgreSQL: that of an
// owner who has no other.
//
// Its one idea: a row holds an event as JSON, a series as its first event, beside the span in which
// its instances can be, and an index on these spans finds the rows that matter to a window. In a file
// one connection writes, and a write that was answered is on the disk; several read, in WAL mode, and
// never wait for it. In PostgreSQL any number of processes write, one at a time in each calendar, and
// every read asks for the rows as they are. What is deleted leaves its id behind. The package knows
// no venue and no recurrence rules.
package local

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/storage/row"
	"annai/tools/calendar"
)

// source is what [calendar.Event.Source] says of events kept here.
const source = "local"

// Options are the settings of a [Calendar] that have a default, but for Now.
type Options struct {
	// CalendarID is what events and problems say they come from.
	CalendarID string
	// Now is the clock, for AsOf and for when events were written. Required.
	Now func() time.Time
	// NewID makes the ids of events that come without: see [calendar.CheckKey]. Nil: random ones.
	NewID func() string
	// Row says how events are encoded: whether they are encrypted. When they are, and how often
	// they were changed, can always be read.
	Row row.Options
	// MaxInstances is the most events that a read returns; 0 is 10,000. The rest is a problem.
	MaxInstances int
}

// A Calendar is a [calendar.Writer]. Close it when it is not needed any more.
type Calendar struct {
	opts  Options
	codec *row.Codec
	table table
	known cache
	lent  lent
}

// Open opens the calendar in the file, or makes it with its folder. An empty path is a calendar in memory, which is forgotten when it is
// closed. No clock, a file that is no calendar or one that a newer annai wrote is [fault.ErrInvalid]; one that can't be opened or written
// [fault.ErrUnavailable].
func Open(ctx context.Context, path string, opts Options) (*Calendar, error) {
	return open(opts, path, func() (table, error) { return fileTable(ctx, path) })
}

// OpenShared opens the calendar in the tables of db, which are made if need be: every process that
// opens it has the same. No clock, and tables that a newer annai made, are [fault.ErrInvalid]; a
// server that can't be reached is [fault.ErrUnavailable]. Db is to be closed after the calendar.
func OpenShared(ctx context.Context, db *pgdb.DB, opts Options) (*Calendar, error) {
	return open(opts, "PostgreSQL", func() (table, error) { return sharedTable(ctx, db, opts.CalendarID) })
}

// open completes the options, and opens the table that is in such a place.
func open(opts Options, place string, in func() (table, error)) (*Calendar, error) {
	if opts.Now == nil {
		return nil, fmt.Errorf("calendar %s: no clock: %w", opts.CalendarID, fault.ErrInvalid)
	}
	if opts.NewID == nil {
		opts.NewID = randomID
	}
	if opts.MaxInstances == 0 {
		opts.MaxInstances = 10_000
	}
	codec, err := row.New(opts.Row)
	if err != nil {
		return nil, fmt.Errorf("calendar %s: %w", opts.CalendarID, err)
	}
	t, err := in()
	if err != nil {
		return nil, fmt.Errorf("open calendar %s in %s: %w", opts.CalendarID, place, err)
	}
	return &Calendar{opts: opts, codec: codec, table: t}, nil
}

// randomID returns 26 letters a to v and digits, of which there are enough for no two to be the same.
func randomID() string {
	var bytes [16]byte
	_, _ = rand.Read(bytes[:]) // it never fails
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(bytes[:]))
}

// Close lets go of the file. Later calls find the calendar closed: kind [calendar.Unavailable].
func (c *Calendar) Close() error { return c.table.close() }

func (c *Calendar) failed(did string, err error) error {
	return fmt.Errorf("%s calendar %s: %w", did, c.opts.CalendarID, err)
}

var (
	_ calendar.Writer = (*Calendar)(nil)
	_ calendar.Lender = (*Calendar)(nil)
)
