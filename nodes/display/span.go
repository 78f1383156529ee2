package display

import (
	"cmp"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/prompts"
)

// A Span is the range of time that a question is about, and how it was said.
type Span struct {
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

// IsZero reports whether there is no span.
func (s Span) IsZero() bool { return s.Start.IsZero() }

// In returns the span in loc: what was kept as JSON has lost its location.
func (s Span) In(loc *time.Location) Span {
	s.Start, s.End = s.Start.In(loc), s.End.In(loc)
	return s
}

// TimeRange is the span without how it was said.
func (s Span) TimeRange() civil.TimeRange { return civil.TimeRange{Start: s.Start, End: s.End} }

// Covers reports whether all of another span is in this one.
func (s Span) Covers(o Span) bool { return !o.Start.Before(s.Start) && !o.End.After(s.End) }

// OneDay returns the day that the span is, or the zero Date if it is not one whole day.
func (s Span) OneDay() civil.Date {
	d, loc := civil.DateOf(s.Start), s.Start.Location()
	if s.Start.Equal(d.In(loc)) && s.End.Equal(d.AddDays(1).In(loc)) {
		return d
	}
	return civil.Date{}
}

// LastDate is the last day that the span touches.
func (s Span) LastDate() civil.Date { return civil.DateOf(s.End.Add(-time.Nanosecond)) }

// ThisWeek is the range that is assumed where none is named.
func ThisWeek(now time.Time) Span {
	monday := civil.DateOf(now).Monday()
	days := civil.Days(monday, monday.AddDays(7), now.Location())
	return Span{Name: datetime.ThisWeek, Start: days.Start, End: days.End}
}

// SpanOf chooses the range that the expressions mean: the most Specific one; where several days are
// named, all of them. ok is false where there is none.
func SpanOf(times []datetime.Expression, now time.Time) (s Span, ok bool) {
	return SpanOfDays(datetime.Combine(times, now).Days, now)
}

// SpanOfDays is [SpanOf] for expressions that were combined.
func SpanOfDays(times []datetime.Expression, now time.Time) (s Span, ok bool) {
	best := -1
	for i, e := range times {
		if !Usable(e) {
			continue
		}
		if best < 0 || cmp.Or(Specific(e)-Specific(times[best]), len(e.Text)-len(times[best].Text)) > 0 {
			best = i
		}
	}
	if best < 0 {
		return Span{}, false
	}
	s = FromExpression(times[best], now)
	if times[best].Kind == datetime.KindDay {
		s = s.union(times, now)
	}
	return s, true
}

// Usable reports whether an expression names a range.
func Usable(e datetime.Expression) bool {
	return !e.Invalid && !e.TimeRange.Start.IsZero() && e.Kind != datetime.KindSet && e.Kind != datetime.KindDuration
}

// Specific orders the kinds of expressions.
func Specific(e datetime.Expression) int {
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

// FromExpression is the span that an expression means.
func FromExpression(e datetime.Expression, now time.Time) Span {
	loc := now.Location()
	s := Span{
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
func (s Span) union(times []datetime.Expression, now time.Time) Span {
	wide := s
	for _, e := range times {
		if e.Kind != datetime.KindDay || !Usable(e) {
			continue
		}
		d := FromExpression(e, now)
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

// Words is the span as a noun phrase: 今週, 1月15日(水); this week, Wed, Jan 15.
func (s Span) Words(now time.Time, lang nlu.Language) string {
	if prompts.HasPhrase(string(s.Name)) {
		return Phrase(lang, string(s.Name))
	}
	today := civil.DateOf(now)
	first, last := civil.DateOf(s.Start), s.LastDate()
	switch {
	case s.Clock && !s.OpenEnd && s.Start.Equal(now):
		return Phrase(lang, "right_now")
	case s.OneDay() == today.AddDays(-1):
		return Phrase(lang, "yesterday")
	case !s.Clock && !s.OpenStart && !s.OpenEnd && first.Day == 1 && last == first.AddMonths(1).AddDays(-1):
		return writtenMonth(first, today, lang)
	case !s.Clock && !s.OpenEnd && isYear(first, last):
		return Phrase(lang, "whole_year", first.Year)
	case s.Clock && s.OpenEnd:
		day := WrittenDate(first, Nearby(first, today), lang)
		return Phrase(lang, "from_clock_on", day, WrittenClock(s.Start, lang))
	case s.OpenEnd:
		return Phrase(lang, "from_day_on", WrittenDate(first, Nearby(first, today), lang))
	case s.OpenStart:
		return Phrase(lang, "until_day", WrittenDate(last, Nearby(last, today), lang))
	case s.Clock:
		return WrittenSpan(s.Start, s.End, true, Nearby(first, today), lang)
	}
	return WrittenDays(first, last, max(Nearby(first, today), Nearby(last, today)), lang)
}

// isYear reports whether a range of days is a whole year.
func isYear(first, last civil.Date) bool {
	return first.Month == 1 && first.Day == 1 && last == first.AddMonths(12).AddDays(-1)
}

// Adverb is the span as it stands at the end of a sentence: in English, "on Wed, Jan 15" where
// words has "Wed, Jan 15".
func (s Span) Adverb(now time.Time, lang nlu.Language) string {
	words := s.Words(now, lang)
	if prompts.HasPhrase(string(s.Name)) || lang != nlu.English || words == "yesterday" || words == "right now" {
		return words
	}
	if strings.Contains(words, ",") && !strings.HasPrefix(words, "the time") {
		return "on " + words
	}
	return "in " + words
}

// writtenMonth is a whole month as it is read: 3月, 2026年3月; March, March 2026.
func writtenMonth(first, today civil.Date, lang nlu.Language) string {
	var month any = int(first.Month)
	if lang == nlu.English {
		month = first.Month
	}
	if first.Year == today.Year {
		return Phrase(lang, "whole_month", month)
	}
	return Phrase(lang, "whole_month_of", month, first.Year)
}

// Holds reports whether an instant is in the span.
func (s Span) Holds(now time.Time) bool {
	return !s.IsZero() && !now.Before(s.Start) && now.Before(s.End)
}

// Or is the span, or the other one where none was named but the time of day.
func (s Span) Or(other Span) Span {
	if !other.IsZero() && (s.IsZero() || s.Clock) {
		return other
	}
	return s
}

// DaysOf lists the days that the span touches, at most limit.
func (s Span) DaysOf(limit int) []civil.Date {
	var out []civil.Date
	for d := civil.DateOf(s.Start); !d.After(s.LastDate()) && len(out) < limit; d = d.AddDays(1) {
		out = append(out, d)
	}
	return out
}
