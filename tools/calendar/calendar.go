// Package calendar is what we need of calendars: one event, one contract for reading and one for writing, and the
// view of a venue that merges several. Back ends are its children: mem, ics.
//
// The idea to hold: a date is not a time. An all-day event carries dates all the way and never an instant. A degraded
// read is unknown, never free and never none: every [Listing] says its window, whether it is complete, and of when it is.
// The package knows no wire format and no words for visitors.
package calendar

import (
	"context"
	"time"

	"annai/internal/civil"
)

// Status says whether an event takes place.
type Status string

// The values of [Status].
const (
	Confirmed Status = "confirmed"
	Tentative Status = "tentative"
	Cancelled Status = "cancelled"
)

// Visibility says how much of a calendar a visitor may see.
type Visibility string

// The values of [Visibility]. Of a busy calendar visitors see when, not what; of a private one nothing.
const (
	Public  Visibility = "public"
	Busy    Visibility = "busy"
	Private Visibility = "private"
)

// An Event is an entry in a calendar, or one instance of a series.
//
// A timed event has Start and End, in the location TimeZone names. An all-day event has FirstDay and EndDay
// (half-open: EndDay is the day after the last), and zero Start and End. The end is always filled: where the source
// has none it is 60 minutes after the start, or the next day, and EndInferred says so.
type Event struct {
	// ID is unique in its calendar, instances of a series included, and the same at every read.
	ID string
	// SeriesID is the id that all instances of a series share; empty for a single event.
	SeriesID   string
	CalendarID string

	Title       string
	Description string
	Location    string
	URL         string

	AllDay      bool
	Start, End  time.Time
	FirstDay    civil.Date
	EndDay      civil.Date
	EndInferred bool
	// TimeZone is the IANA name of the zone in which the event was entered.
	TimeZone string

	Status     Status
	Visibility Visibility
	// Source is the name of the back end: "mem", "ics".
	Source string
	// ETag changes whenever the event does.
	ETag string
}

// Span returns when the event is, as instants in loc: an all-day event lasts from midnight to midnight there.
func (e Event) Span(loc *time.Location) civil.TimeRange {
	if e.AllDay {
		return civil.Days(e.FirstDay, e.EndDay, loc)
	}
	return civil.TimeRange{Start: e.Start.In(loc), End: e.End.In(loc)}
}

// A Listing is the answer to a read.
type Listing struct {
	// Events is sorted: by start, all-day before timed on the same instant, then by title, then by id.
	Events []Event
	// Window is the range that was asked for.
	Window civil.TimeRange
	// Complete is false where a source could not be read, or something in it could not be understood:
	// then an empty Events means unknown, not none.
	Complete bool
	// AsOf is when the oldest source in the answer was last known to be up to date.
	AsOf time.Time
	// Problems says for the operator what is missing and why; never shown to visitors. Empty when Complete.
	Problems []Problem
}

// A Problem is a source that could not be read, or an entry in it that could not be understood.
type Problem struct {
	CalendarID string
	Err        error
}

// A Reader is a calendar that can be read. It is safe for concurrent use.
type Reader interface {
	// Events returns the events that overlap window, cancelled ones included (their Status says so), series expanded
	// into instances. An all-day event overlaps if it does so in the window's location. A window that is empty or
	// reversed is [fault.ErrInvalid]. Where nothing at all could be read the error is [fault.ErrUnavailable];
	// a partial answer is a Listing that is not Complete. The caller may change what it gets.
	Events(ctx context.Context, window civil.TimeRange) (Listing, error)
}

// A Writer is a calendar that can be written too. It is safe for concurrent use.
type Writer interface {
	Reader
	// Create adds the event. Its ID, if not empty, is the caller's key: creating the same id again with equal contents
	// returns what is there, with other contents is [fault.ErrConflict]. Title and a start are required and the end
	// must not be before the start, else [fault.ErrInvalid]. An absent end is inferred.
	Create(ctx context.Context, e Event) (Event, error)
	// Update replaces the event with e.ID. If e.ETag is not empty and the event has another by now: [fault.ErrConflict].
	// No such event: [fault.ErrNotFound].
	Update(ctx context.Context, e Event) (Event, error)
	// Delete removes the event. Deleting what is not there is [fault.ErrNotFound].
	Delete(ctx context.Context, id string) error
}
