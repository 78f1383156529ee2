// Package calendar is what we need of calendars: one event, one contract for reading and one for writing, and the
// view of a venue that merges several. Back ends are its children: mem, local, ics, google.
//
// The idea to hold: a date is not a time. An all-day event carries dates all the way and never an instant. A degraded
// read is unknown, never free and never none: every [Listing] says its window, whether it is complete, and of when it is.
// The package knows no wire format and no words for visitors.
package calendar

import (
	"context"
	"slices"
	"time"

	"annai/civil"
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
	// Picture is the address of a picture of it.
	Picture string

	AllDay      bool
	Start, End  time.Time
	FirstDay    civil.Date
	EndDay      civil.Date
	EndInferred bool
	// TimeZone is the IANA name of the zone in which the event was entered.
	TimeZone string

	// Recurrence makes the event a series: lines of RFC 5545 (RRULE, EXDATE, RDATE; no DTSTART), the first instance being when the
	// event itself is. Instances, which reads return, have none, but the SeriesID.
	Recurrence []string

	Status     Status
	Visibility Visibility
	// Notice is what is to be known beside Status; empty for nothing.
	Notice Notice
	// Free says that the event does not take its owner's time: it is marked so, or was declined.
	Free bool
	// Attendees are mail addresses. Visitors never see them.
	Attendees []string
	// Reminders are the event's own; nil: those that its calendar is set to.
	Reminders *Reminders

	// Created and Updated are zero where the source does not say.
	Created, Updated time.Time
	// Source is the name of the back end: "mem", "local", "ics", "google".
	Source string
	// ETag changes whenever the event does; that of an instance whenever its series does.
	ETag string
}

// Busy reports whether the event takes its owner's time.
func (e Event) Busy() bool { return !e.Free && e.Status != Cancelled }

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
	// Lent says that Events stay with the reader ([Lender]): nobody may change them, and they may lack the
	// CalendarID. While nothing has changed the window gets the same memory again, as [SameMemory] tells.
	Lent bool
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
	// Events returns the events that overlap window, cancelled ones that the calendar keeps included (their Status says so), series expanded
	// into instances. An all-day event overlaps if it does so in the window's location. A window that is empty or
	// reversed is [fault.ErrInvalid]. Where nothing at all could be read the error is [fault.ErrUnavailable];
	// a partial answer is a Listing that is not Complete. The caller may change what it gets.
	Events(ctx context.Context, window civil.TimeRange) (Listing, error)
}

// A Writer is a calendar that can be written too. It is safe for concurrent use. What goes wrong and people must know of is a
// [*Failure]; where it cannot be known whether a write was done, even after looking, that is kind [Ambiguous], and the same call again
// may be tried.
type Writer interface {
	Reader
	// Get returns the event: a single one, a series (with its Recurrence), or an instance of one. One that was never there is kind
	// [NotFound], a deleted one kind [Gone].
	Get(ctx context.Context, id string) (Event, error)
	// Create adds the event, a series if it has a Recurrence. Its ID, if not empty, is the caller's key (see [CheckKey]): creating the
	// same id again with equal contents ([Event.Same]) returns what is there, with others is kind [Exists]; an id is never used again, so
	// that creating a deleted one is kind [Gone]. An event that does not pass [Event.Check] is [fault.ErrInvalid]. An absent end is inferred.
	Create(ctx context.Context, e Event) (Event, error)
	// Update changes what c names and leaves the rest, a whole series if id is one, and returns the event as it is then. If etag is not
	// empty and the event has another by now: kind [Stale], and nothing is written. An id of an instance is kind [Instance]. A change that
	// would leave an event that does not pass [Event.Check] is [fault.ErrInvalid]. No such event: kinds [NotFound], [Gone].
	Update(ctx context.Context, id string, c Change, etag string) (Event, error)
	// Delete removes the event, a whole series if id is one. The errors are those of Update: one that is deleted already is kind [Gone].
	Delete(ctx context.Context, id, etag string) error
}

// A Change is what is to be different in an event. Nil leaves a field as it is, and a pointer to "" clears it.
type Change struct {
	Title, Description, Location *string
	// Reminders replaces them.
	Reminders *Reminders
	// When moves it. For a series it is when the first instance is to be, on the day where it is.
	When *When
}

// Empty reports whether nothing is to change.
func (c Change) Empty() bool { return c == Change{} }

// When is the part of an [Event] that says when it is, in the same fields.
type When struct {
	AllDay     bool
	Start, End time.Time
	FirstDay   civil.Date
	EndDay     civil.Date
	TimeZone   string
}

// When returns when the event is.
func (e Event) When() When {
	return When{AllDay: e.AllDay, Start: e.Start, End: e.End, FirstDay: e.FirstDay, EndDay: e.EndDay, TimeZone: e.TimeZone}
}

// With returns the event with the change made, not yet checked. An end that the change leaves out is inferred.
func (e Event) With(c Change) Event {
	for _, f := range []struct {
		to   *string
		from *string
	}{{&e.Title, c.Title}, {&e.Description, c.Description}, {&e.Location, c.Location}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if c.Reminders != nil {
		e.Reminders = c.Reminders
	}
	if w := c.When; w != nil {
		e.AllDay, e.Start, e.End, e.FirstDay, e.EndDay, e.EndInferred = w.AllDay, w.Start, w.End, w.FirstDay, w.EndDay, false
		if w.TimeZone != "" {
			e.TimeZone = w.TimeZone
		}
		e = e.WithEnd()
	}
	return e
}

// Same reports whether two events say the same, whatever their back ends added: title, texts, time to the second, recurrence,
// attendees, reminders.
func (e Event) Same(o Event) bool {
	a, b := e.WithEnd(), o.WithEnd()
	return a.Title == b.Title && a.Description == b.Description && a.Location == b.Location &&
		a.AllDay == b.AllDay && a.FirstDay == b.FirstDay && a.EndDay == b.EndDay &&
		a.Start.Unix() == b.Start.Unix() && a.End.Unix() == b.End.Unix() &&
		slices.Equal(a.Recurrence, b.Recurrence) && slices.Equal(a.Attendees, b.Attendees) &&
		a.Reminders.Same(b.Reminders)
}
