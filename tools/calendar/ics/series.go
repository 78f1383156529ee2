package ics

import (
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/tools/calendar"
)

// An entry is a VEVENT.
type entry struct {
	uid string
	// event is what all instances share: everything but the times and the id.
	event  calendar.Event
	start  moment
	length length

	rules []*rule
	// dates are the RDATEs. Those without a length of their own last as long as the others.
	dates  []date
	except []moment

	// instead is the RECURRENCE-ID: the instance that this replaces, and with following all later ones too.
	instead   *moment
	following bool
	// bare says that a replacement has no start of its own: it is when the instance was to be.
	bare bool
	// revision orders entries that say something about the same: SEQUENCE, then when it was written.
	revision [2]int64
}

func (e *entry) recurs() bool { return len(e.rules) > 0 || len(e.dates) > 0 }

// A date is an instance that is to be: from an RDATE, a rule, or the start of the series.
type date struct {
	moment
	length *length
}

// A series is all that a file says about one UID. A single event is a series of one.
type series struct {
	uid string
	// master is nil where the file has only replacements.
	master *entry
	// singles replace one instance, followers (in order) all from one on.
	singles   []*entry
	followers []*entry
	z         *zones

	// replaced are the instances that singles replace; gone those that EXDATEs take away; goneDays whole days of those.
	replaced, gone, goneDays map[int64]bool
	// reach is the longest instance, and shift the farthest that followers move one, both ways.
	reach, shift time.Duration
}

// key names an instance of the master: by its instant, or its day.
func key(m moment) int64 {
	if m.date {
		return m.wall.Unix()
	}
	return m.instant().Unix()
}

// named returns the instance that m names, in the form of the master's start: a date in a timed series is that day at
// the hour of the series, a time in an all-day one is its day.
func (s *series) named(m moment) moment {
	if s.master == nil {
		return m
	}
	start := s.master.start
	switch {
	case m.date == start.date:
		return m.in(start.zone)
	case m.date:
		return moment{wall: m.wall.Add(start.wall.Sub(midnight(start.wall))), zone: start.zone}
	default:
		return moment{date: true, wall: midnight(m.in(s.z.own).wall)}
	}
}

func midnight(wall time.Time) time.Time {
	return time.Date(wall.Year(), wall.Month(), wall.Day(), 0, 0, 0, 0, time.UTC)
}

// prepare works out what every expansion needs.
func (s *series) prepare() {
	for _, e := range s.all() {
		if e.instead != nil {
			s.settle(e)
		}
		s.reach = max(s.reach, e.length.about())
	}
	if s.master == nil {
		return
	}
	for _, d := range s.master.dates {
		if d.length != nil {
			s.reach = max(s.reach, d.length.about())
		}
	}
	s.replaced, s.gone, s.goneDays = map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	for _, m := range s.master.except {
		if m.date && !s.master.start.date {
			s.goneDays[m.wall.Unix()] = true
			continue
		}
		s.gone[key(s.named(m))] = true
	}
	for _, e := range s.singles {
		s.replaced[key(*e.instead)] = true
	}
	slices.SortStableFunc(s.followers, func(a, b *entry) int { return a.instead.wall.Compare(b.instead.wall) })
	for _, f := range s.followers {
		s.shift = max(s.shift, f.moved(), -f.moved())
	}
}

// settle brings a replacement into the form of the master.
func (s *series) settle(e *entry) {
	named := s.named(*e.instead)
	e.instead = &named
	if e.bare {
		e.start = named
		if s.master != nil {
			e.length = s.master.length
		}
	}
}

// moved returns how far a replacement is from what it replaces, on the clocks on their walls.
func (e *entry) moved() time.Duration { return e.start.wall.Sub(e.instead.wall) }

func (s *series) all() []*entry {
	all := slices.Concat(s.singles, s.followers)
	if s.master != nil {
		all = append(all, s.master)
	}
	return all
}

// expand gives every instance that may overlap the window to emit, until that says stop.
func (s *series) expand(window civil.TimeRange, steps *budget, emit func(*calendar.Event) bool) {
	for _, e := range s.singles {
		if !emit(s.instance(e, *e.instead, e.start, e.length)) {
			return
		}
	}
	if s.master == nil {
		for _, e := range s.followers { // an orphan: at least its own instance is known
			if !emit(s.instance(e, *e.instead, e.start, e.length)) {
				return
			}
		}
		return
	}
	if !s.master.recurs() {
		s.emitOriginal(date{moment: s.master.start}, emit)
		return
	}
	for _, d := range s.originals(window, steps) {
		if !s.emitOriginal(d, emit) {
			return
		}
	}
}

// originals returns the instances of the master near the window, before anything is replaced, in order.
func (s *series) originals(window civil.TimeRange, steps *budget) []date {
	start := s.master.start
	loc := window.Location()
	if !start.date {
		loc = start.zone.loc
	}
	const slack = 3 * time.Hour // for changes of the clock
	from := toWall(window.Start, loc).Add(-s.reach - s.shift - slack)
	to := toWall(window.End, loc).Add(s.shift + slack)

	var found []date
	add := func(d date) {
		if !d.wall.Before(from) && !d.wall.After(to) {
			found = append(found, d)
		}
	}
	add(date{moment: start})
	for _, d := range s.master.dates {
		add(d)
	}
	for _, r := range s.master.rules {
		for wall := range r.between(from, to, steps) {
			found = append(found, date{moment: moment{date: start.date, wall: wall, zone: start.zone}})
		}
	}
	slices.SortStableFunc(found, func(a, b date) int { return a.wall.Compare(b.wall) })
	return slices.CompactFunc(found, func(a, b date) bool { return a.wall.Equal(b.wall) })
}

// emitOriginal emits an instance of the master as it is after replacements, unless it is gone. False is stop.
func (s *series) emitOriginal(d date, emit func(*calendar.Event) bool) bool {
	if k := key(d.moment); s.replaced[k] || s.gone[k] || s.goneDays[midnight(d.wall).Unix()] {
		return true
	}
	e, start, last := s.master, d.moment, s.master.length
	if d.length != nil {
		last = *d.length
	}
	if f := s.follower(d.wall); f != nil {
		e, last = f, f.length
		start = moment{date: f.start.date, wall: d.wall.Add(f.moved()), zone: f.start.zone}
		if start.date {
			start.wall = midnight(start.wall)
		}
	}
	return emit(s.instance(e, d.moment, start, last))
}

// follower returns the last one that begins at or before wall, or nil.
func (s *series) follower(wall time.Time) *entry {
	for _, f := range slices.Backward(s.followers) {
		if !f.instead.wall.After(wall) {
			return f
		}
	}
	return nil
}

// instance makes the event that e is when the instance that was to be at original begins at start.
func (s *series) instance(e *entry, original, start moment, last length) *calendar.Event {
	event := new(calendar.Event)
	*event = e.event
	event.ID = s.uid
	if s.master == nil || s.master.recurs() {
		event.SeriesID = s.uid
		event.ID = s.uid + "/" + stampOf(original)
	}
	if event.Title == "" && s.master != nil { // a bare cancellation, for example
		event.Title = s.master.event.Title
	}
	if e != s.master && s.master != nil {
		event.ETag = s.master.event.ETag + event.ETag
	}
	event.EndInferred = last.inferred
	if start.date {
		event.AllDay = true
		event.FirstDay = start.day()
		event.EndDay = event.FirstDay.AddDays(max(1, last.days))
		return event
	}
	z := start.zone
	begin := start.instant()
	end := begin.Add(last.exact)
	if last.days != 0 {
		end = fromWall(start.wall.AddDate(0, 0, last.days), z.loc).Add(last.exact)
	}
	if !z.iana {
		z = s.z.own
	}
	event.Start, event.End, event.TimeZone = begin.In(z.loc), end.In(z.loc), z.loc.String()
	return event
}

// stampOf names an instance: the same at every read, and whatever replaces it.
func stampOf(m moment) string {
	if m.date {
		return m.wall.Format("20060102")
	}
	return m.instant().UTC().Format("20060102T150405Z")
}

// isHTTP reports whether a visitor can be led to the address.
func isHTTP(address string) bool {
	lower := strings.ToLower(address)
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")
}
