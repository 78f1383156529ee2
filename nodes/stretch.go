package nodes

import (
	"strconv"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/tools/date"
)

// isStretch reports whether both ends of a range of several days were named, or follow from its name.
func isStretch(s display.Span) bool {
	return !s.IsZero() && !s.Clock && !s.OpenStart && !s.OpenEnd && s.OneDay().IsZero()
}

// edge is the first or the last day of a range of several, if that is asked for; else no day.
func edge(text string, s display.Span) civil.Date {
	switch {
	case !isStretch(s):
	case words.LastOfDays.In(text):
		return s.LastDate()
	case words.FirstOfDays.In(text):
		return civil.DateOf(s.Start)
	}
	return civil.Date{}
}

// begins is the first day of a week, a month or a year to come, which is what one counts the days
// to (来年まであと何日); what ends one (年末まで) is counted to its last day.
func begins(w dateWish, now time.Time) display.Span {
	said := words.UpTo.Trim(w.Words)
	s := bareYear(said, now.Location())
	if times := datetime.Parse(said, now); len(times) == 1 && display.Usable(times[0]) {
		s = display.FromExpression(times[0], now)
	}
	if !isStretch(s) || !s.Start.After(now) || words.EndOf.In(said) {
		return w.Range
	}
	first := civil.DateOf(s.Start)
	if turn := s.LastDate(); words.NewYear.In(said) { // days around it are meant elsewhere
		first = civil.Date{Year: turn.Year, Month: time.January, Day: 1}
	}
	return display.Span{
		Name:     datetime.Date,
		Start:    first.In(now.Location()),
		End:      first.AddDays(1).In(now.Location()),
		Explicit: true,
	}
}

// bareYear is a year that is written with digits alone: is 2028 a leap year?
func bareYear(said string, loc *time.Location) display.Span {
	for _, digits := range strings.FieldsFunc(said, func(r rune) bool { return r < '0' || r > '9' }) {
		if year, err := strconv.Atoi(digits); err == nil && year >= 1800 && year < 2200 {
			first := civil.Date{Year: year, Month: time.January, Day: 1}
			return display.Span{
				Name: datetime.Range, Start: first.In(loc), End: first.AddMonths(monthsOfYear).In(loc), Explicit: true,
			}
		}
	}
	return display.Span{}
}

const monthsOfYear = 12

// monthOf is the range in which days of a kind are listed: the range that was named, or the month
// of a day (来月の火曜日).
func monthOf(times []datetime.Expression, now time.Time) (display.Span, bool) {
	for _, e := range times {
		if display.Usable(e) && e.Kind == datetime.KindDays {
			return display.FromExpression(e, now), true
		}
		if e.Kind == datetime.KindSet && !e.Within.Start.IsZero() {
			e.Kind, e.TimeRange = datetime.KindDays, e.Within
			return display.FromExpression(e, now), true
		}
	}
	e, ok := bestExpression(times)
	if !ok || !e.Month {
		return display.Span{}, false
	}
	first := civil.DateOf(display.FromExpression(e, now).Start)
	first.Day = 1
	until := first.AddMonths(1)
	s := display.Span{
		Name:     datetime.Range,
		Start:    first.In(now.Location()),
		End:      until.In(now.Location()),
		Explicit: true,
	}
	this := civil.DateOf(now)
	this.Day = 1
	switch first {
	case this:
		s.Name = datetime.ThisMonth
	case this.AddMonths(1):
		s.Name = datetime.NextMonth
	}
	return s, true
}

// sameDay is how a day is like the one spoken of.
type sameDay string

const (
	sameWeekday sameDay = "weekday"
	sameOfMonth sameDay = "month"
)

// sameDayIn reads what a day of the range has in common with the one spoken of: 来週の同じ曜日, the same
// day next month.
func sameDayIn(text string, s display.Span) sameDay {
	switch {
	case !isStretch(s):
	case words.SameWeekday.In(text), words.SameDay.In(text) && len(s.DaysOf(maxListed)) == 7:
		return sameWeekday
	case words.SameDay.In(text), words.SameDate.In(text):
		return sameOfMonth
	}
	return ""
}

// likeDay is the first day of the span that has the same weekday, or the same number in its month;
// the span itself if there is none.
func likeDay(s display.Span, d civil.Date, same sameDay) display.Span {
	for _, day := range s.DaysOf(date.MaxDays) {
		if same == sameWeekday && day.Weekday() == d.Weekday() || same == sameOfMonth && day.Day == d.Day {
			s.Name, s.Start, s.End = datetime.Date, day.In(s.Start.Location()), day.AddDays(1).In(s.Start.Location())
			break
		}
	}
	return s
}

// dayOf is the day that was spoken of, or today.
func dayOf(before display.Span, now time.Time) civil.Date {
	if !before.IsZero() {
		if day := before.In(now.Location()).OneDay(); !day.IsZero() {
			return day
		}
	}
	return civil.DateOf(now)
}
