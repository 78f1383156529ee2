package mirror

import (
	"slices"
	"time"

	"annai/civil"
	"annai/tools/calendar"
)

// An index finds events by when they are. Events are in the order of their starts, days as if in UTC; longest is the longest of them.
type index struct {
	events  []calendar.Event
	starts  []int64
	longest time.Duration
}

func newIndex(events []calendar.Event) index {
	type at struct {
		start int64
		index int
	}
	order := make([]at, len(events))
	x := index{events: make([]calendar.Event, len(events)), starts: make([]int64, len(events))}
	for i := range events {
		span := events[i].Span(time.UTC)
		order[i] = at{span.Start.Unix(), i}
		x.longest = max(x.longest, span.End.Sub(span.Start))
	}
	slices.SortFunc(order, func(a, b at) int { return int(min(max(a.start-b.start, -1), 1)) })
	for i, o := range order {
		x.starts[i], x.events[i] = o.start, events[o.index]
	}
	return x
}

// overlapping returns the events that overlap the window. They are the index's own.
func (x index) overlapping(window civil.TimeRange) []*calendar.Event {
	var found []*calendar.Event
	loc := window.Location()
	from, _ := slices.BinarySearch(x.starts, window.Start.Add(-dayMargin-x.longest).Unix())
	until := window.End.Add(dayMargin).Unix()
	for i := from; i < len(x.events) && x.starts[i] <= until; i++ {
		if e := &x.events[i]; e.Span(loc).Overlaps(window) {
			found = append(found, e)
		}
	}
	return found
}
