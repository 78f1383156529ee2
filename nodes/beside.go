package nodes

import (
	"regexp"
	"time"

	"annai/internal/civil"
	"annai/nlu/datetime"
	"annai/nodes/display"
)

var besideWords = regexp.MustCompile(`(?:その|さらに)(?:次|翌|後|あと)の?(週末|週|日|月)|その前の(週末|週|日|月)|\b(weekend|week|day|month) (after|before)(?: that)?[ ?.!]*$|\bthe (following|previous) (weekend|week|day|month)\b`)

// weekdayAfter finds the next such day of the week after the one spoken of: その次の月曜日, "the Monday
// after that".
var weekdayAfter = regexp.MustCompile(`(?:その|さらに)(?:次|翌|後|あと)の?[月火水木金土日]曜|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day after(?: that| it)?[ ?.!]*$|\bthe following (?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)

// besideSpan is the day, week, weekend or month after or before the span, if the words ask for
// that: その次の週, the week after.
func besideSpan(s display.Span, text string) (display.Span, bool) {
	if m := weekdayAfter.FindString(text); m != "" && !s.IsZero() {
		day := s.LastDate().AddDays(1)
		for weekdaysIn(m) != 0 && !weekdaysIn(m).Has(day.Weekday()) {
			day = day.AddDays(1)
		}
		return display.Span{Name: datetime.Date, Start: day.In(s.Start.Location()), End: day.AddDays(1).In(s.Start.Location()), Explicit: true}, true
	}
	m := besideWords.FindStringSubmatch(text)
	if m == nil || s.IsZero() {
		return display.Span{}, false
	}
	edge, step := s.LastDate(), 1
	if m[2] != "" || m[4] == "before" || m[5] == "previous" {
		edge, step = civil.DateOf(s.Start), -1
	}
	var from, until civil.Date
	switch m[1] + m[2] + m[3] + m[6] {
	case "日", "day":
		from = edge.AddDays(step)
		until = from.AddDays(1)
	case "週末", "weekend":
		from = edge.Monday().AddDays(7*step + int(time.Saturday-time.Monday))
		until = from.AddDays(2)
	case "月", "month":
		edge.Day = 1
		from = edge.AddMonths(step)
		until = from.AddMonths(1)
	default:
		from = edge.Monday().AddDays(7 * step)
		until = from.AddDays(7)
	}
	zone := s.Start.Location()
	return display.Span{Name: datetime.Range, Start: from.In(zone), End: until.In(zone), Explicit: true}, true
}

// weekdayBeside is the day that a bare weekday means right after a question for a day of another
// week: 来週の水曜日は？ 金曜日は？
func weekdayBeside(s display.Span, times []datetime.Expression, named display.Span, now time.Time) display.Span {
	day, other := s.OneDay(), named.OneDay()
	if len(times) != 1 || day.IsZero() || other.IsZero() || !onlyWeekday.MatchString(times[0].Text) || !day.Monday().After(civil.DateOf(now)) {
		return named
	}
	d := day.Monday().AddDays(other.Sub(other.Monday()))
	named.Name, named.Start, named.End = datetime.Date, d.In(now.Location()), d.AddDays(1).In(now.Location())
	return named
}

var onlyWeekday = regexp.MustCompile(`(?i)^(?:on )?(?:[日月火水木金土]曜日?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$`)
