package datetime

import (
	"slices"
	"strings"
	"time"

	"annai/civil"
)

// A Selection is what the expressions of one utterance mean together. Said beside a longer time, a
// day of the week or a part of the day is one of that time, and not the next there is: 来月の火曜日 are
// the Tuesdays of next month, 来週の午後 the afternoons of next week. So it is in both languages,
// whichever of the two is said first.
type Selection struct {
	// Times are all expressions, each on the day that is meant: 来月の火曜日の10時 is at ten on the first
	// Tuesday of next month that is not past.
	Times []Expression
	// Days are those that say which days are meant, without those that only say which of them, or
	// what part of each.
	Days []Expression
	// Weekdays are the days of the week that are meant among Days, or always if there are no Days.
	// None: any.
	Weekdays []time.Weekday
	// Hours are the part of each of the Days that is meant, Part the word for it if there is one.
	// Zero: all of it.
	Hours Hours
	Part  string
}

// Combine reads together the expressions that [Parse] found in one utterance, with the same
// reference.
func Combine(times []Expression, reference time.Time) Selection {
	s := Selection{Times: slices.Clone(times), Days: slices.Clone(times)}
	wide, ok := s.wide()
	if !ok {
		s.onTheDay()
		s.always()
		return s
	}
	if s.dayOf(wide) {
		return s
	}
	s.within(wide, civil.DateOf(reference))
	if len(s.Weekdays) == 0 && !slices.ContainsFunc(s.Days, wide.same) {
		s.onTheDay()
		return s
	}
	s.partOf(wide)
	return s
}

// wide is the only expression of several days in which the others may be.
func (s *Selection) wide() (wide Expression, ok bool) {
	var kinds []Expression
	for _, e := range s.Times {
		days, several := e.severalDays()
		switch {
		case !several:
		case len(days.Weekdays) > 0:
			kinds = append(kinds, days)
		case ok: // this week or the next
			return Expression{}, false
		default:
			wide, ok = days, true
		}
	}
	if !ok && len(kinds) == 1 {
		return kinds[0], true
	}
	return wide, ok
}

// WithArticle returns the words of the expression with the article before it in the utterance, without which 17th
// is no day.
func (e Expression) WithArticle(utterance string) string {
	const article = "the "
	begin := e.Start - len(article)
	if begin >= 0 && e.Start <= len(utterance) && strings.EqualFold(utterance[begin:e.Start], article) {
		return article + e.Text
	}
	return e.Text
}

// severalDays is the days of an expression that names several, with both ends.
func (e Expression) severalDays() (days Expression, ok bool) {
	switch {
	case e.Invalid || e.OpenStart || e.OpenEnd:
		return Expression{}, false
	case e.Kind == KindDays:
		return e, true
	case e.Kind == KindSet && len(e.Weekdays) > 0 && !e.Within.Start.IsZero():
		e.Kind, e.TimeRange, e.Weekdays = KindDays, e.Within, nil
		return e, true
	case e.Kind == KindTime && e.Hours != Hours{}:
		first, last := civil.DateOf(e.TimeRange.Start), civil.DateOf(e.TimeRange.End.Add(-time.Nanosecond))
		if last.Sub(first) < 2 && (last == first || e.Hours.Until > dayMinutes) {
			return Expression{}, false
		}
		e.Kind, e.TimeRange = KindDays, civil.Days(first, last.AddDays(1), e.TimeRange.Location())
		return e, true
	}
	return Expression{}, false
}

const dayMinutes = 24 * 60

// same reports whether two expressions stand at the same place.
func (e Expression) same(o Expression) bool { return e.Start == o.Start && e.End == o.End }

// dayOf settles days of a month that are said beside days which have each of them once: お盆の15日. It
// reports whether there were any.
func (s *Selection) dayOf(wide Expression) bool {
	var settled bool
	for i, e := range s.Times {
		if !e.NoMonth || e.Invalid || wide.Kind != KindDays {
			continue
		}
		if day, ok := onlyDay(civil.DateOf(e.TimeRange.Start).Day, wide.TimeRange); ok {
			s.Times[i], settled = e.on(day), true
		}
	}
	if settled {
		s.Days = slices.DeleteFunc(slices.Clone(s.Times), wide.same)
	}
	return settled
}

// onlyDay is the only day of a range that has a number in its month.
func onlyDay(number int, within civil.TimeRange) (day civil.Date, ok bool) {
	until := civil.DateOf(within.End)
	for d := civil.DateOf(within.Start); d.Before(until); d = d.AddDays(1) {
		switch {
		case d.Day != number:
		case ok:
			return civil.Date{}, false
		default:
			day, ok = d, true
		}
	}
	return day, ok
}

// withDate leaves out a longer time in which a date is that is meant as well, the holiday in August, and the day of the
// week that the date is. It reports whether there is such a date.
func (s *Selection) withDate(wide Expression) bool {
	i := slices.IndexFunc(s.Times, func(e Expression) bool {
		return e.Kind == KindDay && len(e.Weekdays) == 0 && !e.Invalid
	})
	if i < 0 {
		return false
	}
	day := s.Times[i].TimeRange
	if !day.Start.Before(wide.TimeRange.Start) && !day.End.After(wide.TimeRange.End) {
		its := []time.Weekday{day.Start.Weekday()}
		s.Days = slices.DeleteFunc(slices.Clone(s.Times), func(e Expression) bool {
			return e.same(wide) || e.Kind == KindDay && slices.Equal(e.Weekdays, its)
		})
	}
	return true
}

// within settles days of the week that are said beside a longer time.
func (s *Selection) within(wide Expression, today civil.Date) {
	if s.withDate(wide) {
		return
	}
	var named week
	for i, e := range s.Times {
		if len(e.Weekdays) == 0 || e.Kind == KindDays && e.same(wide) || e.Invalid {
			continue
		}
		days := daysAmong(e.Weekdays, wide.TimeRange)
		if len(days) == 0 {
			return
		}
		ahead := slices.IndexFunc(days, func(day civil.Date) bool { return !day.Before(today) })
		s.Times[i] = e.on(days[max(ahead, 0)])
		if e.Kind == KindDays { // the working days of next week
			last := days[min(len(e.Weekdays), len(days))-1]
			s.Times[i].TimeRange = civil.Days(days[0], last.AddDays(1), e.TimeRange.Location())
		}
		named |= weekWith(e.Weekdays)
	}
	weekdays := named.list()
	if named == 0 {
		return
	}
	kinds := slices.ContainsFunc(s.Times, func(e Expression) bool { return e.Kind == KindDays && len(e.Weekdays) > 0 })
	if !kinds && len(daysAmong(weekdays, wide.TimeRange)) <= len(weekdays) { // the Tuesday of next week
		s.Days = slices.DeleteFunc(slices.Clone(s.Times), wide.same)
		return
	}
	s.Weekdays, s.Days = weekdays, []Expression{wide}
	for _, e := range s.Times {
		if e.Kind == KindTime && len(e.Weekdays) > 0 {
			s.setHours(e)
		}
	}
}

// daysAmong are the days of a range that are one of some days of the week.
func daysAmong(weekdays []time.Weekday, within civil.TimeRange) []civil.Date {
	var days []civil.Date
	until := civil.DateOf(within.End)
	for day := civil.DateOf(within.Start); day.Before(until); day = day.AddDays(1) {
		if slices.Contains(weekdays, day.Weekday()) {
			days = append(days, day)
		}
	}
	return days
}

// always settles days of the week that recur for ever, where nothing else says which days: every
// Saturday.
func (s *Selection) always() {
	var named week
	recurs := false
	for _, e := range s.Times {
		if len(e.Weekdays) == 0 && (e.Kind == KindSet || e.Kind == KindDay || e.Kind == KindDays) {
			return
		}
		recurs = recurs || e.Kind == KindSet
		named |= weekWith(e.Weekdays)
	}
	if recurs {
		s.Weekdays = named.list()
		s.Days = slices.DeleteFunc(s.Days, func(e Expression) bool { return len(e.Weekdays) > 0 })
	}
}

// on is the expression on another day.
func (e Expression) on(day civil.Date) Expression {
	if e.Kind != KindDay && e.Kind != KindTime {
		return e
	}
	days := day.Sub(civil.DateOf(e.TimeRange.Start))
	move := func(t time.Time) time.Time { return wall(civil.DateOf(t).AddDays(days), secondsOf(t), t.Location()) }
	e.TimeRange = civil.TimeRange{Start: move(e.TimeRange.Start), End: move(e.TimeRange.End)}
	e.Alternatives = nil
	return e
}

// partOf takes a time of day that is said beside several days for a part of each of them.
func (s *Selection) partOf(wide Expression) {
	if wide.Hours != (Hours{}) {
		s.setHours(wide)
	}
	if i := slices.IndexFunc(s.Times, Expression.anyDay); i >= 0 {
		s.setHours(s.Times[i])
		s.Days = slices.DeleteFunc(s.Days, Expression.anyDay)
	}
	for i, e := range s.Days { // the days for an expression that names a part of them as well
		if e.same(wide) && e.Kind == KindTime {
			s.Days[i] = wide
		}
	}
}

// anyDay reports whether an expression is a time of day and names no day.
func (e Expression) anyDay() bool { return e.Kind == KindTime && e.NoDay && !e.Invalid }

// setHours takes the hours of an expression, of an instant those that follow it.
func (s *Selection) setHours(e Expression) {
	s.Part, s.Hours = e.Part, e.Hours
	if e.Hours == (Hours{}) {
		start, end := e.TimeRange.Start, e.TimeRange.End
		s.Hours = Hours{60*start.Hour() + start.Minute(), 60*end.Hour() + end.Minute()}
		switch {
		case e.OpenStart:
			s.Hours.From = 0
		case e.OpenEnd:
			s.Hours.Until = dayMinutes
		case start.Equal(end):
			s.Hours.Until = s.Hours.From + 60
		}
	}
	if s.Hours.Until <= s.Hours.From || s.Hours.Until > dayMinutes {
		s.Hours.Until = dayMinutes
	}
}

// onTheDay puts a time of day on the only day that is named beside it: 明日は、15時から空いてる？
func (s *Selection) onTheDay() {
	var day civil.Date
	for _, e := range s.Times {
		switch {
		case e.Kind != KindDay || e.Invalid || e.TimeRange.Start.IsZero():
		case !day.IsZero():
			return
		default:
			day = civil.DateOf(e.TimeRange.Start)
		}
	}
	for i, e := range s.Times {
		if !day.IsZero() && e.anyDay() && !e.OpenStart {
			moved := e.on(day)
			moved.NoDay = false
			s.Times[i] = moved
			if k := slices.IndexFunc(s.Days, e.same); k >= 0 {
				s.Days[k] = moved
			}
		}
	}
}

// InMonth is an expression with NoMonth in the month of another day, if that has the day and it is
// not past then.
func (e Expression) InMonth(day civil.Date, reference time.Time) Expression {
	first := monthStart(day.Year, int(day.Month))
	moved := first.AddDays(civil.DateOf(e.TimeRange.Start).Day - 1)
	if moved.Month != first.Month || moved.Before(civil.DateOf(reference)) {
		return e
	}
	return e.on(moved)
}
