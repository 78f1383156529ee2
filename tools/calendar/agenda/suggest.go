package agenda

import (
	"context"
	"slices"
	"time"

	"annai/civil"
)

// What [Agenda.Suggest] goes by.
const (
	// MaxSuggestions is how many times are suggested at most.
	MaxSuggestions = 5
	// Grid is what suggested times begin on, in minutes of the hour.
	Grid = 15
)

// A SuggestQuestion asks for times at which there is room for something.
type SuggestQuestion struct {
	// From and To are the days, both included.
	From, To civil.Date
	// Weekdays are the days of the week among them. None: all.
	Weekdays []time.Weekday
	// Duration is how long it takes, from a minute to a day.
	Duration time.Duration
	// Hours are the part of each day that it should be in. Zero: [WorkingHours].
	Hours Hours
}

// Suggestions are times that are free.
type Suggestions struct {
	// Slots are in order and do not overlap each other or an event.
	Slots []civil.TimeRange
	// Complete is false where a calendar could not be read whole: then there are no Slots, since nobody knows what is free.
	Complete bool
	AsOf     time.Time
}

// Suggest returns at most [MaxSuggestions] times that are free, on the [Grid], not in the past, and spread over the days: the first of each
// day before the second of any. Days or hours that are reversed, more than [MaxDays], or a duration of nothing or more than a day are kind
// [calendar.Invalid]; the other errors are those of [Agenda.List].
func (a *Agenda) Suggest(ctx context.Context, q SuggestQuestion) (Suggestions, error) {
	if q.Hours == (Hours{}) {
		q.Hours = WorkingHours
	}
	if err := checkDays(q.From, q.To); err != nil {
		return Suggestions{}, err
	}
	if err := q.Hours.check(); err != nil {
		return Suggestions{}, err
	}
	if q.Duration < time.Minute || q.Duration > 24*time.Hour {
		return Suggestions{}, invalid("duration is not a minute to a day")
	}
	listing, err := a.List(ctx, a.Days(q.From, q.To))
	if err != nil {
		return Suggestions{}, err
	}
	found := Suggestions{Complete: listing.Complete, AsOf: listing.AsOf}
	if found.Complete {
		found.Slots = a.spread(q, BusySlots(listing.Events, listing.Window))
	}
	return found, nil
}

// spread picks from the free times of each day, in rounds.
func (a *Agenda) spread(q SuggestQuestion, busy []Busy) []civil.TimeRange {
	now := a.Now()
	var days [][]civil.TimeRange
	most := 0
	for day := q.From; !day.After(q.To); day = day.AddDays(1) {
		room := q.Hours.on(day, a.opts.Location)
		for len(busy) > 0 && !busy[0].End.After(room.Start) {
			busy = busy[1:]
		}
		var free []civil.TimeRange
		if len(q.Weekdays) == 0 || slices.Contains(q.Weekdays, day.Weekday()) {
			free = a.free(day, q, now, busy)
		}
		days = append(days, free)
		most = max(most, len(free))
	}
	picked := make([]int, len(days))
	n := 0
	for round := range most {
		for d, free := range days {
			if round < len(free) && n < MaxSuggestions {
				picked[d]++
				n++
			}
		}
	}
	var slots []civil.TimeRange
	for d, free := range days {
		slots = append(slots, free[:picked[d]]...)
	}
	return slots
}

// free returns the first [MaxSuggestions] times of the day that are free, one after the other. The busy ones are in order.
func (a *Agenda) free(day civil.Date, q SuggestQuestion, now time.Time, busy []Busy) []civil.TimeRange {
	room := q.Hours.on(day, a.opts.Location)
	var slots []civil.TimeRange
	for start := onGrid(room.Start); len(slots) < MaxSuggestions; {
		slot := civil.TimeRange{Start: start, End: start.Add(q.Duration)}
		if slot.End.After(room.End) {
			break
		}
		for len(busy) > 0 && !busy[0].End.After(slot.Start) {
			busy = busy[1:]
		}
		switch {
		case slot.Start.Before(now):
			start = onGrid(later(start.Add(Grid*time.Minute), now))
		case len(busy) > 0 && busy[0].Overlaps(slot):
			start = onGrid(busy[0].End)
		default:
			slots = append(slots, slot)
			start = onGrid(slot.End)
		}
	}
	return slots
}

// onGrid returns t, or the next time after it that a clock shows on the grid.
func onGrid(t time.Time) time.Time {
	past := time.Duration(t.Minute()%Grid)*time.Minute + time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
	if past == 0 {
		return t
	}
	return t.Add(Grid*time.Minute - past)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
