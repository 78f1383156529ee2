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
	"encoding/base32"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"annai/internal/fault"
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
	// MaxInstances is the most events that a read returns; 0 is 10,000. The rest is a problem.
	MaxInstances int
}

// A Calendar is a [calendar.Writer]. Close it when it is not needed any more.
type Calendar struct {
	opts        Options
	write, read *sql.DB // one and the same where the calendar is in memory

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
	c := &Calendar{opts: opts}
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

func (c *Calendar) open(ctx context.Context, path string) (err error) {
	if path != "" {
		if path, err = prepareFile(path); err != nil {
			return err
		}
	}
	if c.write, err = connect(path, 1); err != nil {
		return err
	}
	if err := migrate(ctx, c.write); err != nil {
		return err
	}
	c.read = c.write
	if path != "" {
		if c.read, err = connect(path, 4); err != nil {
			return err
		}
	}
	var errs [3]error
	c.window, errs[0] = c.read.PrepareContext(ctx, windowQuery)
	c.rows, errs[1] = c.read.PrepareContext(ctx, rowsQuery)
	c.one, errs[2] = c.read.PrepareContext(ctx, oneQuery)
	return trouble(errors.Join(errs[:]...))
}

// prepareFile makes the file and its folder, for nobody else to read, and returns its whole path.
func prepareFile(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	var file *os.File
	if err == nil {
		file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", err, fault.ErrUnavailable)
	}
	return path, nil
}

// Another process may have the file for a moment: SQLite waits for it as long as busyPause, which nobody can cut short, and a write as long
// as patience.
const (
	busyPause = 50 * time.Millisecond
	patience  = 5 * time.Second
)

func connect(path string, connections int) (*sql.DB, error) {
	query := url.Values{
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyPause.Milliseconds()), "journal_mode(WAL)", "synchronous(FULL)"},
		"_txlock": {"immediate"},
	}
	name := "file::memory:?" + query.Encode()
	if path != "" {
		name = (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: query.Encode()}).String()
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, trouble(err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// Close lets go of the file. Later calls find the calendar closed: kind [calendar.Unavailable].
func (c *Calendar) Close() error {
	var errs []error
	if c.read != nil && c.read != c.write {
		errs = append(errs, c.read.Close())
	}
	if c.write != nil {
		errs = append(errs, c.write.Close())
	}
	return trouble(errors.Join(errs...))
}

func (c *Calendar) failed(did string, err error) error {
	return fmt.Errorf("%s calendar %s: %w", did, c.opts.CalendarID, err)
}

var _ calendar.Writer = (*Calendar)(nil)
