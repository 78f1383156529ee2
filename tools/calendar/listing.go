package calendar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/internal/fault"
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

// Check returns [fault.ErrInvalid] for an event without title or start, or with an end before its start. An all-day
// event must end after its first day.
func (e Event) Check() error {
	switch {
	case strings.TrimSpace(e.Title) == "":
		return fmt.Errorf("event %q has no title: %w", e.ID, fault.ErrInvalid)
	case e.AllDay && e.FirstDay.IsZero(), !e.AllDay && e.Start.IsZero():
		return fmt.Errorf("event %q has no start: %w", e.ID, fault.ErrInvalid)
	case e.AllDay && !e.EndDay.IsZero() && !e.EndDay.After(e.FirstDay),
		!e.AllDay && !e.End.IsZero() && e.End.Before(e.Start):
		return fmt.Errorf("event %q ends before it starts: %w", e.ID, fault.ErrInvalid)
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
	slices.SortFunc(places, func(p, q place) int {
		if c := p.start.Compare(q.start); c != 0 {
			return c
		}
		if p.allDay != q.allDay {
			return q.rank() - p.rank()
		}
		a, b := &events[p.index], &events[q.index]
		return cmp.Or(
			strings.Compare(a.Title, b.Title), strings.Compare(a.ID, b.ID), strings.Compare(a.CalendarID, b.CalendarID))
	})
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
