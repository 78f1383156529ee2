package venue

import (
	"slices"
	"time"

	"annai/civil"
)

// schedule is [Hours], understood.
type schedule struct {
	loc     *time.Location
	holiday func(civil.Date) string
	// venue closes a part with it. Nil for none.
	venue *schedule

	weekly [7][]ClockRange // by time.Weekday
	// onHoliday takes the place of weekly on public holidays, where hasHoliday says so. ifHoliday
	// are the hours of a weekday that is closed every week and opens as a public holiday.
	onHoliday, ifHoliday []ClockRange
	hasHoliday           bool
	opens, moves         bool
	closed, special      []rule
	order, entry         lastCall
}

// rule is a [ClosedRule] or a [SpecialRule], understood.
type rule struct {
	kind   ruleKind
	text   string // as the file has it
	reason Text
	hours  []ClockRange // of a special one
	venues bool         // that of the venue, on a part
	// holds reports whether the rule is about d, and the day it was moved from, if it was.
	holds func(d civil.Date) (movedFrom civil.Date, ok bool)
}

type ruleKind int

const (
	onDays ruleKind = iota
	onNthWeekday
	onYearly
)

// day returns what the rules say of d; see [SpecialRule] for which goes before which.
func (s *schedule) day(d civil.Date) Day {
	day := Day{Date: d, Known: true}
	if r, _, ok := find(s.special, d, onDays); ok {
		return s.open(day, r)
	}
	base := s.base(d)
	nth, _, hasNth := find(s.special, d, onNthWeekday)
	if len(base.hours) == 0 && !hasNth {
		day.Rule = base.text
		return day
	}
	if from, ok := s.movedTo(d); ok {
		day.Rule, day.MovedFrom = weekdayRule(from), from
		return day
	}
	if r, from, ok := find(s.closed, d, onDays, onNthWeekday, onYearly); ok {
		day.Rule, day.Reason, day.MovedFrom = r.text, r.reason, from
		return day
	}
	if s.venue != nil {
		if with := s.venue.day(d); !with.Open {
			with.WithVenue = true
			return with
		}
	}
	hours := base
	if r, _, ok := find(s.special, d, onYearly); ok {
		hours = r
	}
	if hasNth {
		hours = nth
	}
	return s.open(day, s.withinVenue(hours, d))
}

// withinVenue is r on a day on which the venue has other hours than as a rule: only as far as it is open. Without hours
// that leave any of r, r is closed.
func (s *schedule) withinVenue(r rule, d civil.Date) rule {
	if s.venue == nil {
		return r
	}
	special, ok := s.venue.specialOn(d)
	if !ok {
		return r
	}
	within := intersect(r.hours, special.hours)
	if slices.Equal(within, r.hours) {
		return r
	}
	r.text, r.reason, r.hours, r.venues = special.text, special.reason, within, true
	return r
}

// specialOn returns the rule that gives d other hours, if one does.
func (s *schedule) specialOn(d civil.Date) (rule, bool) {
	day := s.day(d)
	for _, kind := range []ruleKind{onDays, onNthWeekday, onYearly} {
		if r, _, ok := find(s.special, d, kind); ok && day.Open && r.text == day.Rule {
			return r, true
		}
	}
	return rule{}, false
}

// intersect returns the times that are both in a and in b.
func intersect(a, b []ClockRange) []ClockRange {
	var both []ClockRange
	for _, x := range a {
		for _, y := range b {
			if r := (ClockRange{From: max(x.From, y.From), Until: min(x.Until, y.Until)}); r.From < r.Until {
				both = append(both, r)
			}
		}
	}
	return both
}

// find returns the first of the rules of those kinds that is about d.
func find(rules []rule, d civil.Date, kinds ...ruleKind) (found rule, movedFrom civil.Date, ok bool) {
	for _, r := range rules {
		if !slices.Contains(kinds, r.kind) {
			continue
		}
		if from, ok := r.holds(d); ok {
			return r, from, true
		}
	}
	return rule{}, civil.Date{}, false
}

func weekdayRule(d civil.Date) string { return "weekly " + weekdays[d.Weekday()] }

// base are the hours of d by its weekday, and by its being a public holiday. Without hours it is
// closed.
func (s *schedule) base(d civil.Date) rule {
	hours := s.weekly[d.Weekday()]
	holiday := s.holiday(d) != ""
	switch {
	case len(hours) == 0 && holiday && s.opens:
		return rule{text: "weekly holiday", hours: s.ifHoliday}
	case len(hours) == 0:
		return rule{text: weekdayRule(d)}
	case holiday && s.hasHoliday:
		return rule{text: "weekly holiday", hours: s.onHoliday}
	}
	return rule{hours: hours}
}

// open returns day with the hours of r, closed where it has none.
func (s *schedule) open(day Day, r rule) Day {
	day.Open, day.Rule, day.Reason, day.WithVenue = len(r.hours) > 0, r.text, r.reason, r.venues
	if !day.Open {
		return day
	}
	for _, hours := range r.hours {
		span := Span{Date: day.Date, From: s.at(day.Date, hours.From), Until: s.at(day.Date, hours.Until)}
		if c, ok := s.order.in(hours); ok {
			span.LastOrder = s.at(day.Date, c)
		}
		if c, ok := s.entry.in(hours); ok {
			span.LastEntry = s.at(day.Date, c)
		}
		day.Spans = append(day.Spans, span)
	}
	day.From, day.Until = day.Spans[0].From, day.Spans[len(day.Spans)-1].Until
	return day
}

// at returns the instant at which clocks show c on d.
func (s *schedule) at(d civil.Date, c Clock) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, int(c), 0, 0, s.loc)
}

// movedTo returns the public holiday for which d is closed instead of it, if there is one: the
// earliest of several.
func (s *schedule) movedTo(d civil.Date) (from civil.Date, ok bool) {
	if !s.moves || !s.takesMoved(d) {
		return civil.Date{}, false
	}
	for b := d.AddDays(-1); !s.takesMoved(b) && d.Sub(b) < searchDays; b = b.AddDays(-1) {
		if len(s.weekly[b.Weekday()]) == 0 && s.holiday(b) != "" {
			from, ok = b, true
		}
	}
	return from, ok
}

// takesMoved reports whether a closing day may be moved to d.
func (s *schedule) takesMoved(d civil.Date) bool {
	return isWorkday(d) && s.holiday(d) == "" && len(s.weekly[d.Weekday()]) > 0
}

func isWorkday(d civil.Date) bool { return d.Weekday() != time.Saturday && d.Weekday() != time.Sunday }

// nthOf returns the nth such weekday of the month that begins on first; the last one where n is -1.
// A fifth one that does not exist is in the next month.
func nthOf(first civil.Date, n int, weekday time.Weekday) civil.Date {
	if n < 0 {
		last := first.AddMonths(1).AddDays(-1)
		return last.AddDays(-(int(last.Weekday()-weekday) + 7) % 7)
	}
	return first.AddDays((int(weekday-first.Weekday())+7)%7 + 7*(n-1))
}

// afterHoliday returns d, or where that is a public holiday the next day from Monday to Friday that
// is none.
func (s *schedule) afterHoliday(d civil.Date) civil.Date {
	if s.holiday(d) == "" {
		return d
	}
	for s.holiday(d) != "" || !isWorkday(d) {
		d = d.AddDays(1)
	}
	return d
}
