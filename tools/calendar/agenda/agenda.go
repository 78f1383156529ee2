// Package agenda is what can be done with an owner's calendars: look, search, find out what is free, suggest times, see what a plan
// collides with, and write. The tools and the calendar node both compute with it, and only word what it says.
//
// The idea to hold: unknown is an answer of its own. Where a calendar could not be read, nothing is called free, and no list is called
// whole; the answers say so (Complete, Known). The package knows no back end, no dialogue and no language but that of titles.
package agenda

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// A Calendar is one of the owner's.
type Calendar struct {
	// ID is what CalendarID is in every event and [Ref].
	ID string
	// Owner is the name of the owner whose it is. Empty: it is every owner's.
	Owner string
	// Label is its name by language ("ja", "en").
	Label map[string]string
	// Reader answers reads. Nil: Writer does.
	Reader calendar.Reader
	// Writer is nil for a calendar that is only read.
	Writer calendar.Writer
	// Reminds says that its owner is told of events before they begin, as [calendar.Reminders] have it.
	Reminds bool
}

// Options are the settings of an [Agenda] that have a default, but for Now.
type Options struct {
	// Location is the zone in which days begin and times of day are meant. Nil: UTC.
	Location *time.Location
	// Now is the clock. Required.
	Now func() time.Time
	// NewKey makes ids of events that come without: 26 letters a to v and digits. Nil: random ones.
	NewKey func() string
	// Others are calendars that are not the owner's, such as the venue's public ones: [Agenda.ListOf]
	// reads them, and nothing else does.
	Others []Calendar
}

// An Agenda is an owner's calendars taken together. It is safe for concurrent use.
type Agenda struct {
	calendars []Calendar
	opts      Options
}

// New returns the agenda of these calendars. The first with a Writer is the one that is written to where none is named. No calendar, one
// without id or Reader, two of the same id, or no clock are [fault.ErrInvalid].
func New(calendars []Calendar, opts Options) (*Agenda, error) {
	if opts.Now == nil {
		return nil, fmt.Errorf("agenda without a clock: %w", fault.ErrInvalid)
	}
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	if opts.NewKey == nil {
		opts.NewKey = func() string { return KeyFor(rand.Text()) }
	}
	a := &Agenda{opts: opts}
	for _, c := range calendars {
		if c.Reader == nil && c.Writer != nil {
			c.Reader = c.Writer
		}
		if c.ID == "" || c.Reader == nil || slices.ContainsFunc(a.calendars, func(o Calendar) bool { return o.ID == c.ID }) {
			return nil, fmt.Errorf("agenda with calendar %q, which has no id or reader or is there twice: %w", c.ID, fault.ErrInvalid)
		}
		a.calendars = append(a.calendars, c)
	}
	if len(a.calendars) == 0 {
		return nil, fmt.Errorf("agenda without a calendar: %w", fault.ErrInvalid)
	}
	return a, nil
}

// For returns what an owner sees of the agenda: their own calendars, and those of no owner in
// particular. The name may be empty. It may be without a calendar.
func (a *Agenda) For(owner string) *Agenda {
	mine := &Agenda{opts: a.opts}
	for _, c := range a.calendars {
		if c.Owner == "" || c.Owner == owner {
			mine.calendars = append(mine.calendars, c)
		}
	}
	return mine
}

// Calendars returns the calendars in their order.
func (a *Agenda) Calendars() []Calendar {
	all := slices.Clone(a.calendars)
	for i := range all {
		all[i].Label = maps.Clone(all[i].Label)
	}
	return all
}

// Writable returns the calendar that is written to where none is named. It is not ok where all are only read.
func (a *Agenda) Writable() (Calendar, bool) {
	for _, c := range a.calendars {
		if c.Writer != nil {
			return c, true
		}
	}
	return Calendar{}, false
}

// Now returns the time, in the agenda's zone.
func (a *Agenda) Now() time.Time { return a.opts.Now().In(a.opts.Location) }

// Location returns the zone in which days begin and times of day are meant.
func (a *Agenda) Location() *time.Location { return a.opts.Location }

// NewKey returns an id for an event that is to be created.
func (a *Agenda) NewKey() string { return a.opts.NewKey() }

// Days returns the days from first to last, both included, in the agenda's zone.
func (a *Agenda) Days(first, last civil.Date) civil.TimeRange {
	return civil.Days(first, last.AddDays(1), a.opts.Location)
}

// List returns what is in the window, in all calendars, as their owner sees it: cancelled events included, and nothing left out. A listing that
// is not Complete is not the whole of it. The error is a [*calendar.Failure]: of kind [calendar.Invalid] for a window that is empty or reversed,
// else of the kind of all that failed, where nothing could be read.
func (a *Agenda) List(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	return read(ctx, a.calendars, window)
}

// ListOf is [Agenda.List] for the calendar id alone, which may be one of Options.Others. No such
// calendar is kind [calendar.NoCalendar].
func (a *Agenda) ListOf(ctx context.Context, id string, window civil.TimeRange) (calendar.Listing, error) {
	if c, ok := a.calendar(id); ok {
		return read(ctx, []Calendar{c}, window)
	}
	for _, c := range a.opts.Others {
		if c.ID == id {
			return read(ctx, []Calendar{c}, window)
		}
	}
	return calendar.Listing{}, noCalendar(id)
}

// MaxInstances is how many instances of a series that is not in a calendar yet are worked out.
const MaxInstances = 1000

// Instances returns the instances of e that overlap window, in order, of a single event itself. whole is false where there are more than
// [MaxInstances]. A Recurrence that cannot be understood is kind [calendar.Invalid].
func (a *Agenda) Instances(ctx context.Context, e calendar.Event, window civil.TimeRange) (instances []calendar.Event, whole bool, err error) {
	x, err := recur.Compile(recur.Series{Master: recur.Entry{Event: e.WithEnd()}}, recur.Options{Location: a.opts.Location})
	if err != nil {
		return nil, false, fmt.Errorf("work out the plan: %w", err)
	}
	const share = 4 // a series may take a quarter of what is expanded at once
	instances, cut, err := recur.Expand(ctx, []*recur.Expander{x}, window, share*MaxInstances)
	if err != nil {
		return nil, false, fmt.Errorf("work out the plan: %w: %w", fault.ErrUnavailable, err)
	}
	return instances, len(cut) == 0, nil
}

func (a *Agenda) calendar(id string) (Calendar, bool) {
	for _, c := range a.calendars {
		if c.ID == id {
			return c, true
		}
	}
	return Calendar{}, false
}

func noCalendar(id string) error {
	return &calendar.Failure{Kind: calendar.NoCalendar, Err: fmt.Errorf("no calendar %.100q", id)}
}

func invalid(why string) error {
	return &calendar.Failure{Kind: calendar.Invalid, Err: errors.New(why)}
}
