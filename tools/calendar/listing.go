package calendar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/civil"
	"annai/fault"
)

// DefaultLength is how long a timed event lasts whose source has no end.
const DefaultLength = time.Hour

// CheckWindow returns [fault.ErrInvalid] for a window that is empty or reversed.
func CheckWindow(window civil.TimeRange) error {
	if window.Start.Before(window.End) {
		return nil
	}
	return fmt.Errorf("window from %s to %s is empty: %w",
		window.Start.Format(time.RFC3339), window.End.Format(time.RFC3339), fault.ErrInvalid)
}

// The longest texts that an event may have, in characters.
const (
	MaxTitle       = 1024
	MaxLocation    = 1024
	MaxDescription = 8192
)

// Check returns a [*Failure] of kind [Invalid] or [InvalidText] for an event without title or start, with an end before its start, with reminders that can't be, with a text that is too
// long or has control characters (in a description, but for tabs and new lines), or outside the years 1 to 9999. An all-day event must end
// after its first day.
func (e Event) Check() error {
	switch {
	case strings.TrimSpace(e.Title) == "":
		return e.invalid(InvalidText, "has no title")
	case e.AllDay && e.FirstDay.IsZero(), !e.AllDay && e.Start.IsZero():
		return e.invalid(Invalid, "has no start")
	case e.AllDay && !e.EndDay.IsZero() && !e.EndDay.After(e.FirstDay),
		!e.AllDay && !e.End.IsZero() && e.End.Before(e.Start):
		return e.invalid(Invalid, "ends before it starts")
	case !writable(e.Title, MaxTitle, ""), !writable(e.Location, MaxLocation, ""), !writable(e.Description, MaxDescription, "\t\n\r"):
		return e.invalid(InvalidText, "has a text that is too long or has control characters")
	case e.AllDay && (e.FirstDay.Year < 1 || e.EndDay.Year > 9999), !e.AllDay && (e.Start.Year() < 1 || e.End.Year() > 9999):
		return e.invalid(Invalid, "is outside the years 1 to 9999")
	case e.Reminders.check() != "":
		return e.invalid(Invalid, e.Reminders.check())
	}
	return nil
}

func (e Event) invalid(kind Kind, why string) error {
	return &Failure{Kind: kind, Err: fmt.Errorf("event %.100q %s", e.ID, why)}
}

// writable reports whether the text is UTF-8 without control characters but for those allowed, and not over the limit.
func writable(text string, limit int, allowed string) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= limit &&
		!strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(allowed, r) })
}

// CheckKey returns a [*Failure] of kind [Invalid] for an id that cannot be a caller's key: 5 to 1024 letters a to v and digits, as
// Google Calendar wants it.
func CheckKey(id string) error {
	odd := strings.ContainsFunc(id, func(r rune) bool { return (r < 'a' || r > 'v') && (r < '0' || r > '9') })
	if odd || len(id) < 5 || len(id) > 1024 {
		return &Failure{Kind: Invalid, Err: fmt.Errorf("id %.100q is not 5 to 1024 letters a to v and digits", id)}
	}
	return nil
}

// WithEnd returns e with an end: its own, or else the inferred one.
func (e Event) WithEnd() Event {
	switch {
	case e.AllDay && e.EndDay.IsZero():
		e.EndDay, e.EndInferred = e.FirstDay.AddDays(1), true
	case !e.AllDay && e.End.IsZero():
		e.End, e.EndInferred = e.Start.Add(DefaultLength), true
	}
	return e
}

// Sort puts events in the order of a [Listing], taking all-day ones from midnight in loc.
func Sort(events []Event, loc *time.Location) {
	places := make([]place, len(events)) // small to move about, unlike events
	for i, e := range events {
		places[i] = place{start: e.Start, allDay: e.AllDay, index: i}
		if e.AllDay {
			places[i].start = e.FirstDay.In(loc)
		}
	}
	order := func(p, q place) int {
		if c := p.start.Compare(q.start); c != 0 {
			return c
		}
		if p.allDay != q.allDay {
			return q.rank() - p.rank()
		}
		a, b := &events[p.index], &events[q.index]
		return cmp.Or(
			strings.Compare(a.Title, b.Title), strings.Compare(a.ID, b.ID), strings.Compare(a.CalendarID, b.CalendarID))
	}
	if slices.IsSortedFunc(places, order) { // as those of one calendar are
		return
	}
	slices.SortFunc(places, order)
	sorted := make([]Event, len(events))
	for i, p := range places {
		sorted[i] = events[p.index]
	}
	copy(events, sorted)
}

// A place is what decides where an event stands in a listing, before its title does.
type place struct {
	start  time.Time
	allDay bool
	index  int
}

func (p place) rank() int {
	if p.allDay {
		return 1
	}
	return 0
}
