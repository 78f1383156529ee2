// Package local keeps a calendar in one SQLite file: the calendar of an owner who has no other.
//
// Its one idea: a row holds an event as JSON, a series as its first event, beside the span in which its instances can be, and an index on
// these spans finds the rows that matter to a window. One connection writes, and a write that was answered is on the disk; several read, in
// WAL mode, and never wait for it. What is deleted leaves its id behind. The package knows no venue and no recurrence rules.
package local

import (
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"time"

	"annai/internal/fault"
	"annai/internal/sqlitefile"
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
	file  *sqlitefile.File
	codec *row.Codec

	window, rows, one *sql.Stmt
	known             cache
}

// Open opens the calendar in the file, or makes it with its folder. An empty path is a calendar in memory, which is forgotten when it is
// closed. No clock, a file that is no calendar or one that a newer annai wrote is [fault.ErrInvalid]; one that can't be opened or written
// [fault.ErrUnavailable].
func Open(ctx context.Context, path string, opts Options) (*Calendar, error) {
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
	c := &Calendar{opts: opts, codec: codec}
	if err := c.open(ctx, path); err != nil {
		return nil, errors.Join(fmt.Errorf("open calendar %s in %s: %w", opts.CalendarID, path, err), c.Close())
	}
	return c, nil
}

// randomID returns 26 letters a to v and digits, of which there are enough for no two to be the same.
func randomID() string {
	var bytes [16]byte
	_, _ = rand.Read(bytes[:]) // it never fails
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(bytes[:]))
}

// schema makes a file of version 1.
//
//go:embed schema.sql
var schema string

// application is the number by which calendars are told from other SQLite files.
const application = 0x616e6361

// busy is how long SQLite itself waits for another process; a write waits longer, until whoever asks wants to no more.
const busy = 50 * time.Millisecond

func (c *Calendar) open(ctx context.Context, path string) (err error) {
	c.file, err = sqlitefile.Open(ctx, path, sqlitefile.Options{
		Application: application, Migrations: []sqlitefile.Migration{sqlitefile.Script(schema)}, Busy: busy,
	})
	if err != nil {
		return err
	}
	var errs [3]error
	c.window, errs[0] = c.file.Read.PrepareContext(ctx, windowQuery)
	c.rows, errs[1] = c.file.Read.PrepareContext(ctx, rowsQuery)
	c.one, errs[2] = c.file.Read.PrepareContext(ctx, oneQuery)
	return trouble(errors.Join(errs[:]...))
}

// Close lets go of the file. Later calls find the calendar closed: kind [calendar.Unavailable].
func (c *Calendar) Close() error {
	if c.file == nil {
		return nil
	}
	return trouble(c.file.Close())
}

func (c *Calendar) failed(did string, err error) error {
	return fmt.Errorf("%s calendar %s: %w", did, c.opts.CalendarID, err)
}

var _ calendar.Writer = (*Calendar)(nil)
