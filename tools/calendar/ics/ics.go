// Package ics reads calendars in the iCalendar format (RFC 5545) from a file or a feed.
//
// Its one idea: a file is taken apart into its events first, so that one that can't be understood
// is a problem of its own and the rest is read. What recurs is for package recur to expand, and
// when to read again for package polled. The package knows no venue.
package ics

import (
	"io/fs"
	"net/http"

	"annai/tools/calendar/polled"
)

// source is what [calendar.Event.Source] says of events read here.
const source = "ics"

// Options are the settings of a [Reader]. A file may name a location itself (X-WR-TIMEZONE).
type Options = polled.Options

// A Reader is a [calendar.Reader] of one file or feed.
//
// An instance of a series has the UID of the series as SeriesID. A time in a zone that has no IANA
// name comes in the calendar's location. Events marked as private or confidential have visibility
// private.
type Reader = polled.Reader

// URL returns the calendar at an address, as [polled.URL] does.
func URL(address string, opts Options) (*Reader, error) {
	if opts.Header == nil {
		opts.Header = http.Header{"Accept": {"text/calendar, */*;q=0.5"}}
	}
	return polled.URL(address, read, opts)
}

// File returns the calendar in a file, as [polled.File] does.
func File(files fs.FS, path string, opts Options) (*Reader, error) {
	return polled.File(files, path, read, opts)
}

func read(c polled.Content) (polled.Document, error) {
	doc, err := parse(c.Data, c.Location)
	if err != nil {
		return nil, err // and no nil of a type
	}
	return doc, nil
}
