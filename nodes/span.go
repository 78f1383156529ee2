package nodes

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"annai/api"
	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
)

// A span is the range of time that a question is about, and how it was said.
type span struct {
	Name  datetime.Name `json:"name"`
	Start time.Time     `json:"start"`
	End   time.Time     `json:"end"`
	// Explicit is false where nothing was said and this week was assumed.
	Explicit bool `json:"explicit"`
	// Past says that the words point back.
	Past bool `json:"past,omitempty"`
	// Clock says that it is a part of a day.
	Clock bool `json:"clock,omitempty"`
	// OpenStart and OpenEnd say that only the other end was named.
	OpenStart bool `json:"openStart,omitempty"`
	OpenEnd   bool `json:"openEnd,omitempty"`
}

func (s span) isZero() bool { return s.Start.IsZero() }

// in returns the span in loc: what was kept as JSON has lost its location.
func (s span) in(loc *time.Location) span {
	s.Start, s.End = s.Start.In(loc), s.End.In(loc)
	return s
}

func (s span) timeRange() civil.TimeRange { return civil.TimeRange{Start: s.Start, End: s.End} }

// covers reports whether all of another span is in this one.
func (s span) covers(o span) bool { return !o.Start.Before(s.Start) && !o.End.After(s.End) }

// oneDay returns the day that the span is, or the zero Date if it is not one whole day.
func (s span) oneDay() civil.Date {
	if d := civil.DateOf(s.Start); s.Start.Equal(d.In(s.Start.Location())) && s.End.Equal(d.AddDays(1).In(s.Start.Location())) {
		return d
	}
	return civil.Date{}
}

// lastDate is the last day that the span touches.
func (s span) lastDate() civil.Date { return civil.DateOf(s.End.Add(-time.Nanosecond)) }

// wire is the span as it stands in an answer.
func (s span) wire() *api.TimeRange {
	return &api.TimeRange{
		Name: string(s.Name), Start: s.Start.Format(time.RFC3339), End: s.End.Format(time.RFC3339), Explicit: s.Explicit,
	}
}

// thisWeek is the range that is assumed where none is named.
func thisWeek(now time.Time) span {
	monday := civil.DateOf(now).Monday()
	days := civil.Days(monday, monday.AddDays(7), now.Location())
	return span{Name: datetime.ThisWeek, Start: days.Start, End: days.End}
}

// spanOf chooses the range that the expressions mean: the most specific one; where several days are named, all of them. ok is
// false where there is none.
func spanOf(times []datetime.Expression, now time.Time) (s span, ok bool) {
	return spanOfDays(datetime.Combine(times, now).Days, now)
}

// spanOfDays is [spanOf] for expressions that were combined.
func spanOfDays(times []datetime.Expression, now time.Time) (s span, ok bool) {
	best := -1
	for i, e := range times {
		if !usable(e) {
			continue
		}
		if best < 0 || specific(e) > specific(times[best]) || specific(e) == specific(times[best]) && len(e.Text) > len(times[best].Text) {
			best = i
		}
	}
	if best < 0 {
		return span{}, false
	}
	s = fromExpression(times[best], now)
	if times[best].Kind == datetime.KindDay {
		s = s.union(times, now)
	}
	return s, true
}

func usable(e datetime.Expression) bool {
	return !e.Invalid && !e.TimeRange.Start.IsZero() && e.Kind != datetime.KindSet && e.Kind != datetime.KindDuration
}

// specific orders the kinds of expressions.
func specific(e datetime.Expression) int {
	switch e.Kind {
	case datetime.KindTime:
		return 3
	case datetime.KindDay:
		return 2
	case datetime.KindDays:
		return 1
	case datetime.KindDuration, datetime.KindSet:
	}
	return 0
}

func fromExpression(e datetime.Expression, now time.Time) span {
	loc := now.Location()
	s := span{
		Name: e.Name, Start: e.TimeRange.Start.In(loc), End: e.TimeRange.End.In(loc), Explicit: true,
		Past: e.Past, OpenStart: e.OpenStart, OpenEnd: e.OpenEnd,
	}
	if e.Kind == datetime.KindTime {
		s.Clock = true
		midnight := civil.DateOf(s.Start).AddDays(1).In(loc)
		switch {
		case e.OpenEnd:
			s.End = midnight
		case !s.Start.Before(s.End):
			s.End = s.Start.Add(time.Hour)
		}
	}
	if s.Name == "" {
		s.Name = datetime.Range
	}
	return s
}

// union widens a day to all days that were named.
func (s span) union(times []datetime.Expression, now time.Time) span {
	wide := s
	for _, e := range times {
		if e.Kind != datetime.KindDay || !usable(e) {
			continue
		}
		d := fromExpression(e, now)
		if d.Start.Before(wide.Start) {
			wide.Start = d.Start
		}
		if d.End.After(wide.End) {
			wide.End = d.End
		}
		wide.Past = wide.Past || d.Past
	}
	if wide.Start != s.Start || wide.End != s.End {
		wide.Name = datetime.Range
	}
	return wide
}

// words is the span as a noun phrase: 今週, 1月15日(水); this week, Wed, Jan 15.
func (s span) words(now time.Time, lang nlu.Language) string {
	if names, ok := rangeNames[s.Name]; ok {
		return inLang(lang, names[0], names[1])
	}
	today := civil.DateOf(now)
	first, last := civil.DateOf(s.Start), s.lastDate()
	switch {
	case s.Clock && !s.OpenEnd && s.Start.Equal(now):
		return inLang(lang, "ただいま", "right now")
	case s.oneDay() == today.AddDays(-1):
		return inLang(lang, "昨日", "yesterday")
	case !s.Clock && !s.OpenStart && !s.OpenEnd && first.Day == 1 && last == first.AddMonths(1).AddDays(-1):
		return writtenMonth(first, today, lang)
	case !s.Clock && !s.OpenEnd && first == civil.Date{Year: first.Year, Month: 1, Day: 1} && last == civil.Date{Year: first.Year, Month: 12, Day: 31}:
		return inLang(lang, fmt.Sprintf("%d年", first.Year), strconv.Itoa(first.Year))
	case s.Clock && s.OpenEnd:
		return writtenDate(first, nearby(first, today), lang) + inLang(lang, " ", ", ") + writtenClock(s.Start, lang) + inLang(lang, "以降", " or later")
	case s.OpenEnd:
		return inLang(lang, "", "the time from ") + writtenDate(first, nearby(first, today), lang) + inLang(lang, "以降", "")
	case s.OpenStart:
		return inLang(lang, "", "the time until ") + writtenDate(last, nearby(last, today), lang) + inLang(lang, "まで", "")
	case s.Clock:
		return writtenSpan(s.Start, s.End, true, nearby(first, today), lang)
	}
	return writtenDays(first, last, max(nearby(first, today), nearby(last, today)), lang)
}

// adverb is the span as it stands at the end of a sentence: in English, "on Wed, Jan 15" where words has "Wed, Jan 15".
func (s span) adverb(now time.Time, lang nlu.Language) string {
	words := s.words(now, lang)
	if _, named := rangeNames[s.Name]; named || lang != nlu.English || words == "yesterday" || words == "right now" {
		return words
	}
	if strings.Contains(words, ",") && !strings.HasPrefix(words, "the time") {
		return "on " + words
	}
	return "in " + words
}

// writtenMonth is a whole month as it is read: 3月, 2026年3月; March, March 2026.
func writtenMonth(first, today civil.Date, lang nlu.Language) string {
	switch {
	case lang == nlu.English && first.Year == today.Year:
		return first.Month.String()
	case lang == nlu.English:
		return fmt.Sprintf("%s %d", first.Month, first.Year)
	case first.Year == today.Year:
		return fmt.Sprintf("%d月", first.Month)
	}
	return fmt.Sprintf("%d年%d月", first.Year, first.Month)
}

var rangeNames = map[datetime.Name][2]string{
	datetime.Today:            {"今日", "today"},
	datetime.Tomorrow:         {"明日", "tomorrow"},
	datetime.DayAfterTomorrow: {"明後日", "the day after tomorrow"},
	datetime.ThisWeek:         {"今週", "this week"},
	datetime.Weekend:          {"今週末", "this weekend"},
	datetime.NextWeek:         {"来週", "next week"},
	datetime.NextWeekend:      {"来週末", "next weekend"},
	datetime.ThisMonth:        {"今月", "this month"},
	datetime.NextMonth:        {"来月", "next month"},
}
