package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/holiday"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/tools/date"
)

// programmeWish is what a question asks of the programme.
func programmeWish(s State, now time.Time) eventWish {
	u := s.Understanding
	when := datetime.Combine(u.Times, now)
	w := eventWish{
		Programme: true, Ahead: true, PastAsked: u.PastAsked, Next: s.Question.Ask == nlu.AskNext,
		Hours: display.HoursIn(when), Weekdays: date.Of(when.Weekdays),
		Text: strings.ToLower(u.Text), Rest: u.Keywords,
	}
	named := false
	if w.Range, named = display.SpanOfDays(when.Days, now); !named {
		w.Range = display.ThisWeek(now)
		if words.OnHolidays.In(u.Text) {
			w.Range = nextHoliday(now)
		}
		return w
	}
	if u.PastAsked && w.Range.Start.After(now) {
		w.Range = lately(when.Days, w.Range, now)
	}
	if w.Weekdays == 0 && words.OnWorkdays.In(u.Text) && len(w.Range.DaysOf(daysOfWeek+1)) > daysOfWeek {
		w.Weekdays = date.WorkingDays
	}
	if w.Edge = edgeAsked(u, w.Range); w.Edge > 0 && w.Range.Start.Before(now) {
		w.PastAsked = true
	}
	return w
}

// daysOfWeek is how many days a week has: weekdays are named beside a longer time.
const daysOfWeek = 7

// nextHoliday is the next public holiday.
func nextHoliday(now time.Time) display.Span {
	d := civil.DateOf(now)
	for holiday.Japan(d) == "" {
		d = d.AddDays(1)
	}
	day := civil.Days(d, d.AddDays(1), now.Location())
	return display.Span{Name: datetime.Date, Start: day.Start, End: day.End, Explicit: true}
}

// lately is the reading of the same words that is in the past, if they have one.
func lately(times []datetime.Expression, s display.Span, now time.Time) display.Span {
	e, _ := bestExpression(times)
	for _, other := range e.Alternatives {
		if !other.Start.After(now) {
			s.Start, s.End = other.Start.In(now.Location()), other.End.In(now.Location())
			return s
		}
	}
	return s
}

// edgeAsked is 1 where the first of several events is asked for, -1 where it is the last, and else
// 0: 今年最後のイベント, "the first event of next year".
func edgeAsked(u nlu.Understanding, s display.Span) int {
	several := s.Explicit && !s.Clock && s.OneDay().IsZero()
	switch n := u.Reference.Ordinal; {
	case !several:
		return 0
	case n == 1 || n == -1:
		return n
	case words.FirstOf.In(u.Text):
		return 1
	case words.LastOf.In(u.Text):
		return -1
	}
	return 0
}

// asksRhythm reports whether events that recur are asked for: what was before shows how they do.
func (w eventWish) asksRhythm() bool {
	return slices.ContainsFunc(words.Filters(), func(f words.FilterRow) bool {
		return f.Recurs() && mentions(w.Text, f.Question)
	})
}

// onWeekday reports whether a time touches the day of the week that is wished for.
func (w eventWish) onWeekday(when civil.TimeRange) bool {
	if w.Weekdays == 0 {
		return true
	}
	for d := civil.DateOf(when.Start); d.In(when.Start.Location()).Before(when.End); d = d.AddDays(1) {
		if w.Weekdays.Has(d.Weekday()) {
			return true
		}
	}
	return false
}

// sameTimes is the wish for those events of the range spoken of that are as an utterance says which
// names no day of its own: 夜のだけ, 土曜日だけ.
func (w eventWish) sameTimes(t topic, times []datetime.Expression, now time.Time) (eventWish, bool) {
	if t.Node != nodeEvent || !t.Wish.Programme || slices.ContainsFunc(times, namesDay) {
		return w, false
	}
	w.Range, w.Edge = t.Range.In(now.Location()), 0
	for _, e := range times {
		w.Weekdays |= date.Of(e.Weekdays)
		if e.Part != "" {
			w.Hours = display.HoursIn(datetime.Selection{Hours: e.Hours, Part: e.Part})
		}
	}
	return w, true
}

// namesDay reports whether an expression names a day, and not only a weekday or a part of a day.
func namesDay(e datetime.Expression) bool { return !e.NoDay && len(e.Weekdays) == 0 }
