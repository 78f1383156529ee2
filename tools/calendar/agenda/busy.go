package agenda

import (
	"slices"

	"annai/civil"
	"annai/tools/calendar"
)

// Busy is a stretch of time that is taken, without a gap.
type Busy struct {
	civil.TimeRange
	// Titles are those of the events that take it, by their start.
	Titles []string
}

// BusySlots returns when the window is taken: the events that take time and overlap it, cut to it, with overlapping and adjoining ones as
// one, in order. Cancelled and free events take none. An all-day event takes its days in the window's location.
func BusySlots(events []calendar.Event, window civil.TimeRange) []Busy {
	var slots []Busy
	for _, e := range BusyEvents(events, window) {
		r := cut(e.Span(window.Location()), window)
		if n := len(slots); n > 0 && !r.Start.After(slots[n-1].End) {
			last := &slots[n-1]
			last.Titles = append(last.Titles, e.Title)
			if r.End.After(last.End) {
				last.End = r.End
			}
			continue
		}
		slots = append(slots, Busy{TimeRange: r, Titles: []string{e.Title}})
	}
	return slots
}

// BusyEvents returns those of the events that take time and overlap the window, in the order of a listing. One of no length takes none.
func BusyEvents(events []calendar.Event, window civil.TimeRange) []calendar.Event {
	loc := window.Location()
	var taken []calendar.Event
	for _, e := range events {
		if r := e.Span(loc); e.Busy() && r.Start.Before(r.End) && r.Overlaps(window) {
			taken = append(taken, e)
		}
	}
	taken = slices.Clip(taken)
	calendar.Sort(taken, loc)
	return taken
}

// cut returns the part of r that is in the window.
func cut(r, window civil.TimeRange) civil.TimeRange {
	if r.Start.Before(window.Start) {
		r.Start = window.Start
	}
	if r.End.After(window.End) {
		r.End = window.End
	}
	return r
}
