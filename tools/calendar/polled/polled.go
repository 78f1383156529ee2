// Package polled reads calendars that come whole: a file, or an address that is asked again now and
// then.
//
// Its one idea: the last copy that could be read is kept and answers while the source fails, and
// says so. What the file means is for a [Parse] of its format. The package knows no format and no
// venue, and writes nothing but its copies.
package polled

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/internal/outbound"
	"annai/tools/calendar"
)

// Content is a file that was fetched.
type Content struct {
	Data []byte
	// Type is what the server says that it is, with parameters; empty for a file in a folder.
	Type string
	// Location is that of the options, never nil.
	Location *time.Location
}

// Parse reads a file. An error says that it is of another format; what is wrong with single entries
// is in the document.
type Parse func(Content) (Document, error)

// A Document is a file that was read. It is safe for concurrent use.
type Document interface {
	// Events returns what overlaps the window, in the order of a [calendar.Listing] and at most
	// about limit, and what is left out. Nobody changes the events. The error is the context's.
	Events(ctx context.Context, window civil.TimeRange, limit int) ([]calendar.Event, []error, error)
	// Problems are the entries that could not be understood.
	Problems() []error
}

// Options are the settings of a [Reader]. All but Now have a default.
type Options struct {
	// CalendarID is what events and problems say they come from.
	CalendarID string
	// Location is where times without a zone are meant, unless the file names one itself. Nil is
	// UTC.
	Location *time.Location
	// Now is the clock, for AsOf and for when to ask again. Required.
	Now func() time.Time
	// Client fetches feeds. Nil is one that reaches only the internet, on ports 80, 443 and the one
	// in the address.
	Client *outbound.Client
	// Header goes along with a request, but not to another site.
	Header http.Header
	// MaxBytes is the largest file that is read; 0 is 10 MiB.
	MaxBytes int64
	// MaxInstances is the most events that a read returns; 0 is 10,000. The rest is a problem.
	MaxInstances int
	// Refresh is how old a copy may be before the source is asked again; 0 is 5 minutes for feeds
	// and 2 seconds for files.
	Refresh time.Duration
	// Retry is how long a failed source is left alone; 0 is the smaller of Refresh and 30 seconds.
	Retry time.Duration
	// Timeout bounds one fetch, from connecting to the last byte; 0 is 10 seconds.
	Timeout time.Duration
	// Cache is the path of a file that keeps the last good copy of a feed, so that there is one
	// after a restart while the feed can't be read. Each feed needs its own. Empty is none; files
	// have none either.
	Cache string
	// Copies have the last good copy of a feed together with other processes, one of which asks the source,
	// in place of Cache. Nil: each process asks.
	Copies Copies
	// Log receives one line when the copy could not be kept. Nil discards it.
	Log *slog.Logger
	// Patience is how long a read waits for a fetch while there is a copy to answer from; 0 is 1
	// second.
	Patience time.Duration
}

// complete fills in the defaults; refresh is that of Refresh.
func (o Options) complete(refresh time.Duration) (Options, error) {
	if o.Now == nil {
		return Options{}, fmt.Errorf("calendar %s: no clock: %w", o.CalendarID, fault.ErrInvalid)
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.MaxBytes = orDefault(o.MaxBytes, 10<<20)
	o.MaxInstances = orDefault(o.MaxInstances, 10_000)
	o.Refresh = orDefault(o.Refresh, refresh)
	o.Retry = orDefault(o.Retry, min(o.Refresh, 30*time.Second))
	o.Timeout = orDefault(o.Timeout, 10*time.Second)
	o.Patience = orDefault(o.Patience, time.Second)
	return o, nil
}

func orDefault[T int | int64 | time.Duration](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// A Reader is a [calendar.Reader] of one file or feed. It keeps the last copy that could be read:
// while the source fails, answers come from the copy, incomplete, with the copy's AsOf and a
// problem that says why. With [Options.Cache] the copy of a feed is still there after a restart;
// one that is damaged is left alone, and named where the feed can't be read either.
type Reader struct {
	opts   Options
	latest *latest
}

// Events implements [calendar.Reader].
func (r *Reader) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	listing, err := r.Lend(ctx, window)
	if err != nil {
		return calendar.Listing{}, err
	}
	listing.Lent, listing.Events = false, slices.Clone(listing.Events) // which have no lists of their own
	for i := range listing.Events {
		listing.Events[i].CalendarID = r.opts.CalendarID
	}
	return listing, nil
}

// Lend implements [calendar.Lender].
func (r *Reader) Lend(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if err := calendar.CheckWindow(window); err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w", r.opts.CalendarID, err)
	}
	if err := ctx.Err(); err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w: %w", r.opts.CalendarID,
			fault.ErrUnavailable, err)
	}
	copied, failure := r.latest.get(ctx)
	if copied.doc == nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w", r.opts.CalendarID, failure)
	}
	events, cut, err := copied.doc.Events(ctx, window, r.opts.MaxInstances)
	if err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w: %w", r.opts.CalendarID,
			fault.ErrUnavailable, err)
	}
	listing := calendar.Listing{Events: events, Lent: true, Window: window, AsOf: copied.asOf}
	listing.Problems = r.problems(copied.doc.Problems(), cut, failure)
	listing.Complete = len(listing.Problems) == 0
	return listing, nil
}

func (r *Reader) problems(parsing, expanding []error, failure error) []calendar.Problem {
	var all []calendar.Problem
	if failure != nil {
		all = append(all, calendar.Problem{CalendarID: r.opts.CalendarID, Err: failure})
	}
	for _, errs := range [][]error{parsing, expanding} {
		for _, err := range errs {
			all = append(all, calendar.Problem{CalendarID: r.opts.CalendarID, Err: err})
		}
	}
	return all
}

// Close ends a fetch in flight and waits for it. Later reads answer from the copy, if there is one.
func (r *Reader) Close() error {
	r.latest.close()
	return nil
}
