package emulator

import (
	"iter"
	"strings"
	"time"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// A series is the times of an event that recurs.
type series struct{ times *recur.Expander }

// mostInstances is how many instances of a series a list has that names no end, as at Google: two years of a daily one, and of a weekly one
// fourteen.
const mostInstances = 730

// endOfTime is after all that is ever worked out.
var endOfTime = time.Date(2200, time.January, 1, 0, 0, 0, 0, time.UTC)

// compile makes the series of an event; nil where it does not recur.
func compile(ev Event, zone *time.Location) (*series, error) {
	if len(ev.Recurrence) == 0 {
		return nil, nil
	}
	times, err := recur.Compile(recur.Series{Master: recur.Entry{Event: plain(ev, zone)}}, recur.Options{Location: zone})
	if err != nil {
		return nil, invalid("Invalid recurrence rule.")
	}
	return &series{times}, nil
}

// plain is what the recurrence core needs of an event.
func plain(ev Event, zone *time.Location) calendar.Event {
	p := calendar.Event{ID: ev.ID, Recurrence: ev.Recurrence}
	if ev.Start.Date != "" {
		p.AllDay, p.FirstDay, p.EndDay = true, civil.DateOf(ev.Start.at(time.UTC)), civil.DateOf(ev.End.at(time.UTC))
		return p
	}
	if own, err := time.LoadLocation(ev.Start.TimeZone); err == nil {
		zone = own
	}
	p.Start, p.End, p.TimeZone = ev.Start.at(zone).In(zone), ev.End.at(zone).In(zone), zone.String()
	return p
}

// walk yields the times of instances that may overlap the range. Where that has no end it stops after [mostInstances].
func (s stored) walk(cal *calendarState, from, to time.Time) iter.Seq[calendar.Event] {
	first, last := s.series.times.Bounds()
	if last.IsZero() {
		last = endOfTime
	}
	open := to.IsZero()
	if open {
		to = last
	}
	from, to = later(from, first), earlier(to, last)
	return func(yield func(calendar.Event) bool) {
		seen := map[string]bool{}
		for from := from; from.Before(to); from = from.AddDate(2, 0, 0) {
			window := civil.TimeRange{Start: from.Add(-time.Second).In(cal.zone), End: earlier(from.AddDate(2, 0, 0), to).Add(time.Second).In(cal.zone)}
			for one := range s.series.times.Between(window, recur.NewBudget(recur.SeriesSteps)) {
				if seen[one.ID] { // it is over the edge of a window
					continue
				}
				seen[one.ID] = true
				if !yield(one) || open && len(seen) == mostInstances {
					return
				}
			}
		}
	}
}

// instances returns the instances of a series that may overlap the range, those with a life of their own left out.
func (e *Emulator) instances(s stored, cal *calendarState, from, to time.Time) []stored {
	var found []stored
	for one := range s.walk(cal, from, to) {
		if i := s.instance(one, cal); cal.events[i.ID] == nil {
			found = append(found, i)
		}
	}
	return found
}

// instance makes the instance of s at the times that were worked out.
func (s stored) instance(one calendar.Event, cal *calendarState) stored {
	stamp := strings.TrimPrefix(one.ID, s.ID+"/")
	i := s
	i.series, i.ghosts = nil, nil
	i.Recurrence = nil
	i.RecurringEventID, i.ID = s.ID, s.ID+"_"+stamp
	i.HTMLLink = link(i.ID, cal.ID)
	if one.AllDay {
		i.Start, i.End = &Time{Date: one.FirstDay.String()}, &Time{Date: one.EndDay.String()}
	} else {
		i.Start = &Time{DateTime: one.Start.UTC().Format(time.RFC3339), TimeZone: s.Start.TimeZone}
		i.End = &Time{DateTime: one.End.UTC().Format(time.RFC3339), TimeZone: s.End.TimeZone}
	}
	i.OriginalStartTime = i.Start
	return i
}

// instanceByID works out the instance of a series that has no life of its own.
func (e *Emulator) instanceByID(cal *calendarState, id string) (stored, bool) {
	at := strings.LastIndexByte(id, '_')
	if at < 1 {
		return stored{}, false
	}
	master := cal.events[id[:at]]
	if master == nil || master.series == nil {
		return stored{}, false
	}
	original, ok := parseStamp(id[at+1:], cal.zone)
	if !ok {
		return stored{}, false
	}
	for _, i := range e.instances(*master, cal, original, original.Add(time.Second)) {
		if i.ID == id {
			return i, true
		}
	}
	return stored{}, false
}

// parseStamp reads the end of an instance's id: a time in UTC, or a day, which is its midnight in zone.
func parseStamp(stamp string, zone *time.Location) (time.Time, bool) {
	if at, err := time.Parse("20060102T150405Z", stamp); err == nil {
		return at, true
	}
	at, err := time.ParseInLocation("20060102", stamp, zone)
	return at, err == nil
}

// exceptions returns the instances of a series that have a life of their own, whether it has them now or not.
func (cal *calendarState) exceptions(master string) []*stored {
	var found []*stored
	for _, s := range cal.inOrder() {
		if s.RecurringEventID == master {
			found = append(found, s)
		}
	}
	return found
}

// current is what is stored as it is now: an instance with a life of its own is gone while its series does not have it.
func (e *Emulator) current(s *stored, cal *calendarState) stored {
	now := *s
	master := cal.events[s.RecurringEventID]
	if s.RecurringEventID != "" && (master == nil || !e.has(*master, cal, now)) {
		now.Status, now.lost = "cancelled", true
	}
	return now
}

// bury remembers which instances are no more after s took the place of before.
func (e *Emulator) bury(before stored, s *stored, cal *calendarState) {
	s.ghosts = before.ghosts
	for _, x := range cal.exceptions(s.ID) {
		if e.has(before, cal, *x) != e.has(*s, cal, *x) {
			e.mark(x, s.revision)
		}
	}
	switch {
	case before.series == nil && s.series != nil: // in its place there are instances now
		e.ghost(s, before)
	case before.series != nil && !before.cancelled():
		for _, i := range e.instances(before, cal, time.Time{}, time.Time{}) {
			if !e.has(*s, cal, i) {
				e.ghost(s, i)
			}
		}
	}
}

func (e *Emulator) ghost(s *stored, gone stored) {
	gone.Status = "cancelled"
	e.mark(&gone, s.revision)
	s.ghosts = append(s.ghosts, gone)
}

// haunts reports whether a list of single events has to say of a ghost of s that it is gone.
func (e *Emulator) haunts(g, s stored, cal *calendarState) bool {
	if g.ID == s.ID {
		return s.series != nil
	}
	return cal.events[g.ID] == nil && !e.has(s, cal, g)
}

// has reports whether the series has the instance, with a life of its own or not.
func (e *Emulator) has(s stored, cal *calendarState, i stored) bool {
	if s.series == nil || s.cancelled() {
		return false
	}
	original := i.OriginalStartTime.at(cal.zone)
	for one := range s.walk(cal, original, original.Add(time.Second)) {
		if s.instance(one, cal).ID == i.ID {
			return true
		}
	}
	return false
}

// overlaps reports whether an instance is in the filter's window.
func (s stored) overlaps(f filter, cal *calendarState) bool {
	for one := range s.walk(cal, f.timeMin, f.timeMax) {
		if span := one.Span(cal.zone); f.within(span.Start, span.End) {
			return true
		}
	}
	return false
}
