package agenda

import (
	"context"
	"slices"
	"time"

	"annai/civil"
	"annai/tools/calendar"
)

// FreeDayPolicy says which events make a day one that is not free.
type FreeDayPolicy string

// The values of [FreeDayPolicy].
const (
	// AnyEvent takes the day with any event in the hours asked about.
	AnyEvent FreeDayPolicy = "any_event"
	// InWorkingHours takes it only with one between 09:00 and 18:00.
	InWorkingHours FreeDayPolicy = "working_hours"
)

// A Question is about when there is nothing.
type Question struct {
	// From and To are the days, both included. A zero To is From.
	From, To civil.Date
	// Hours are the part of each day that is meant. Zero: [WholeDay].
	Hours Hours
	// Policy decides which days are free. Empty: [AnyEvent].
	Policy FreeDayPolicy
}

// An Availability is what is known about free time.
type Availability struct {
	// Known is false where a calendar could not be read whole: then nothing is called free, and Busy may lack something.
	Known bool
	// Available says that nothing takes any of the time asked about.
	Available bool
	// Busy are the events that take of it, in the order of a listing, each as it is in its calendar. See [BusySlots] for them as one.
	Busy []calendar.Event
	// FreeDays are the days that are free by the policy.
	FreeDays []civil.Date
	AsOf     time.Time
}

// Availability says whether the days are free, and which. Days or hours that are reversed, more than [MaxDays], or an unknown policy are
// kind [calendar.Invalid]; the other errors are those of [Agenda.List].
func (a *Agenda) Availability(ctx context.Context, q Question) (Availability, error) {
	q, err := q.complete()
	if err != nil {
		return Availability{}, err
	}
	listing, err := a.List(ctx, a.Days(q.From, q.To))
	if err != nil {
		return Availability{}, err
	}
	answer := Availability{Known: listing.Complete, AsOf: listing.AsOf}
	counted := q.Hours
	if q.Policy == InWorkingHours {
		counted = WorkingHours
	}
	taken := map[int]bool{} // indices into listing.Events
	days := byDay(listing.Events, q.From, q.To, a.opts.Location)
	for day := q.From; !day.After(q.To); day = day.AddDays(1) {
		free := true
		for _, i := range days[day.Sub(q.From)] {
			e := listing.Events[i : i+1]
			taken[i] = taken[i] || len(BusyEvents(e, q.Hours.on(day, a.opts.Location))) > 0
			free = free && len(BusyEvents(e, counted.on(day, a.opts.Location))) == 0
		}
		if free && answer.Known {
			answer.FreeDays = append(answer.FreeDays, day)
		}
	}
	for i, e := range listing.Events {
		if taken[i] {
			answer.Busy = append(answer.Busy, e)
		}
	}
	answer.Available = answer.Known && len(answer.Busy) == 0
	return answer, nil
}

// complete fills in the defaults and checks the question.
func (q Question) complete() (Question, error) {
	if q.To.IsZero() {
		q.To = q.From
	}
	if q.Hours == (Hours{}) {
		q.Hours = WholeDay
	}
	if q.Policy == "" {
		q.Policy = AnyEvent
	}
	if err := checkDays(q.From, q.To); err != nil {
		return Question{}, err
	}
	if !slices.Contains([]FreeDayPolicy{AnyEvent, InWorkingHours}, q.Policy) {
		return Question{}, invalid("unknown policy of free days")
	}
	return q, q.Hours.check()
}

// byDay returns for each day from from to to which events touch it, by index.
func byDay(events []calendar.Event, from, to civil.Date, loc *time.Location) [][]int {
	days := make([][]int, to.Sub(from)+1)
	for i, e := range events {
		r := e.Span(loc)
		first, last := civil.DateOf(r.Start).Sub(from), civil.DateOf(r.End).Sub(from)
		for d := max(first, 0); d <= min(last, len(days)-1); d++ {
			days[d] = append(days[d], i)
		}
	}
	return days
}
