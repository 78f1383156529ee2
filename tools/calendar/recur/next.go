package recur

import (
	"time"

	"annai/civil"
	"annai/tools/calendar"
)

// First returns the first n instances in the order of a listing in loc, and whether there are more. It looks no further than 200
// years, and only as far as [SeriesSteps] take it.
func (x *Expander) First(n int, loc *time.Location) (first []calendar.Event, more bool) {
	from, until := x.Bounds()
	if until.IsZero() {
		until = from.AddDate(200, 0, 0)
	}
	steps := NewBudget(SeriesSteps)
	found := map[string]bool{}
	for length := 8 * day; from.Before(until) && !steps.Exhausted(); length = min(4*length, 20*366*day) {
		window := civil.TimeRange{Start: from.In(loc), End: from.Add(length).In(loc)}
		var next []calendar.Event
		for e := range x.Between(window, steps) {
			if !found[e.ID] { // an event over the edge of a window is in both
				found[e.ID] = true
				next = append(next, e)
			}
			if len(next) > maxFirst {
				break
			}
		}
		calendar.Sort(next, loc)
		first = append(first, next...)
		if len(first) > n {
			return first[:n], true
		}
		from = window.End
	}
	return first, steps.Exhausted()
}

// maxFirst is the most that is looked at in one window.
const maxFirst = 10_000

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Bounds returns a time before which and one from which no instance is, wherever days are meant. The second is zero where the series has
// no end, or its end was not worked out.
func (x *Expander) Bounds() (from, until time.Time) {
	first, last := x.master.Start.wall, x.master.Start.wall
	open := false
	widen := func(wall time.Time) {
		if wall.Before(first) {
			first = wall
		}
		if wall.After(last) {
			last = wall
		}
	}
	for _, d := range x.lines.dates {
		widen(time.Unix(d.wall, 0).UTC())
	}
	for _, r := range x.lines.rules {
		if r.last == never {
			open = true
			continue
		}
		widen(later(first, time.Unix(r.last, 0).UTC())) // a rule may end before it begins
	}
	for _, o := range x.singles {
		widen(o.Start.wall)
	}
	from = first.Add(-x.shift - 2*day) // a zone is less than a day from UTC
	if open {
		return from, time.Time{}
	}
	return from, last.Add(x.reach + x.shift + 2*day)
}
