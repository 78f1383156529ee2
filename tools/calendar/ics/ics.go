// Package ics reads calendars in the iCalendar format (RFC 5545) from a file or a feed.
//
// Its one idea: a file is taken apart into its events first, so that one that can't be understood is a problem of its own and
// the rest is read. What recurs is for package recur to expand. The package knows no venue, and writes nothing but the copies that it keeps of feeds.
package ics

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"annai/internal/civil"
	"annai/internal/fault"
	"annai/tools/calendar"
)

// source is what [calendar.Event.Source] says of events read here.
const source = "ics"

// Options are the settings of a [Reader]. All but Now have a default.
type Options struct {
	// CalendarID is what events and problems say they come from.
	CalendarID string
	// Location is where times without a zone are meant, unless the file names one itself (X-WR-TIMEZONE). Nil is UTC.
	Location *time.Location
	// Now is the clock, for AsOf and for when to ask again. Required.
	Now func() time.Time
	// Client fetches feeds, without its cookies and with our checks of redirects. Nil is one that never connects to
	// private or special addresses, uses no proxy, and only ports 80, 443 and the one in the URL.
	Client *http.Client
	// AllowPrivate lets the default client connect to loopback and private networks.
	AllowPrivate bool
	// MaxBytes is the largest file that is read; 0 is 10 MiB.
	MaxBytes int64
	// MaxInstances is the most events that a read returns; 0 is 10,000. The rest is a problem.
	MaxInstances int
	// Refresh is how old a copy may be before the source is asked again; 0 is 5 minutes for feeds and 2 seconds for files.
	Refresh time.Duration
	// Retry is how long a failed source is left alone; 0 is the smaller of Refresh and 30 seconds.
	Retry time.Duration
	// Timeout bounds one fetch, from connecting to the last byte; 0 is 10 seconds.
	Timeout time.Duration
	// Cache is the path of a file that keeps the last good copy of a feed, so that there is one after a restart while the feed can't be read.
	// Each feed needs its own. Empty is none; files have none either.
	Cache string
	// Log receives one line when the copy could not be kept. Nil discards it.
	Log *slog.Logger
	// Patience is how long a read waits for a fetch while there is a copy to answer from; 0 is 1 second.
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

// A Reader is a [calendar.Reader] of one file or feed. It keeps the last copy that could be read: while the source
// fails, answers come from the copy, incomplete, with the copy's AsOf and a problem that says why. With [Options.Cache] the copy of a feed is still
// there after a restart; one that is damaged is left alone, and named where the feed can't be read either.
//
// An instance of a series has the UID of the series as SeriesID. A time in a zone that has no IANA name comes in the
// calendar's location. Events marked as private or confidential have visibility private.
type Reader struct {
	opts   Options
	latest *latest
}

// Events implements [calendar.Reader].
func (r *Reader) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if err := calendar.CheckWindow(window); err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w", r.opts.CalendarID, err)
	}
	if err := ctx.Err(); err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w: %w", r.opts.CalendarID, fault.ErrUnavailable, err)
	}
	copied, failure := r.latest.get(ctx)
	if copied.doc == nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w", r.opts.CalendarID, failure)
	}
	found, err := copied.doc.events(ctx, window, r.opts.MaxInstances)
	if err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w: %w", r.opts.CalendarID, fault.ErrUnavailable, err)
	}
	listing := calendar.Listing{Events: found.events, Window: window, AsOf: copied.asOf}
	for i := range listing.Events {
		listing.Events[i].CalendarID = r.opts.CalendarID
	}
	listing.Problems = r.problems(copied.doc.problems, found.problems, failure)
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
