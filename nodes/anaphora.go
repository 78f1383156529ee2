package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/prompts"
)

// withDays is an utterance with the days that it means in place of words that hang on the day
// spoken of: その前の日 after an event on the 21st is 6月20日. Where no day was spoken of it stays as it
// is. A day of a month that is not named is one of the month of those days: "and the 17th?" after August 14.
func withDays(utterance string, t topic, now time.Time) string {
	loc := now.Location()
	first, last := t.days(loc)
	if first.IsZero() {
		return utterance
	}
	if said, ok := inMonth(utterance, first, now); ok {
		return said
	}
	for _, row := range words.Anaphora() {
		from, to, ok := anaphor(utterance, row)
		if !ok || first != last && row.Day {
			continue
		}
		asToday, said := utterance[:from]+row.Deictic+utterance[to:], last
		if row.After {
			said = last.AddDays(1)
		}
		if e, at, ok := placed(asToday, from, said.In(loc)); ok {
			if e.TimeRange.Start.Before(last.In(loc)) && first != last { // it is before the first of them
				e, at, _ = placed(asToday, from, first.In(loc))
			}
			days := daysNamedAs(display.FromExpression(e, at), text.HasJapanese(row.Deictic)) + row.Behind
			return asToday[:e.Start] + days + asToday[e.End:]
		}
	}
	return utterance
}

// inMonth is an utterance that names nothing but a day, with the day that it means in place of one of a month that
// it does not name, where a later month than this one was spoken of: and the 17th?
func inMonth(utterance string, spoken civil.Date, now time.Time) (string, bool) {
	if today := civil.DateOf(now); !spoken.After(today) || spoken.Month == today.Month {
		return "", false
	}
	for _, e := range datetime.Parse(utterance, now) {
		whole := e.Month || e.Holiday || e.Invalid || len(e.Named) > 0
		if besides := strings.Fields(utterance[:e.Start] + " " + utterance[e.End:]); len(contentWords(besides)) > 0 {
			return "", false
		}
		if whole || !e.Assumed || e.Kind != datetime.KindDay || e.Name != datetime.Date {
			continue
		}
		begin := civil.Date{Year: spoken.Year, Month: spoken.Month, Day: 1}
		if then, at, ok := placed(utterance, e.Start, begin.In(now.Location())); ok {
			days := daysNamedAs(display.FromExpression(then, at), text.HasJapanese(e.Text))
			return utterance[:e.Start] + days + utterance[e.End:], true
		}
	}
	return "", false
}

// placed is the time at a place in a text that is said at an instant.
func placed(said string, place int, at time.Time) (datetime.Expression, time.Time, bool) {
	for _, e := range datetime.Parse(said, at) {
		if !e.Invalid && e.Start <= place && place < e.End {
			return e, at, true
		}
	}
	return datetime.Expression{}, at, false
}

// anaphor is where an utterance has one of the words of a row, the first of them that it has.
func anaphor(utterance string, row words.AnaphoraRow) (from, to int, ok bool) {
	low := strings.ToLower(utterance)
	if len(low) != len(utterance) {
		return 0, 0, false
	}
	for _, w := range row.Words {
		at := strings.Index(low, w)
		if !text.HasJapanese(w) {
			at = wholeWord(low, w)
		}
		other := func(u string) bool {
			before, ok := strings.CutPrefix(u, "<")
			return ok && strings.HasSuffix(low[:at], before) || strings.HasPrefix(low[at+len(w):], u)
		}
		if at >= 0 && !slices.ContainsFunc(row.Unless, other) {
			return at, at + len(w), true
		}
	}
	return 0, 0, false
}

// daysNamedAs are the days of a span as words that name them whenever they are read.
func daysNamedAs(s display.Span, japanese bool) string {
	lang := nlu.English
	if japanese {
		lang = nlu.Japanese
	}
	return prompts.DaysNamed{First: civil.DateOf(s.Start), Last: s.LastDate()}.In(string(lang))
}

// days are the first and the last day that was spoken of last: of an event, or of what was asked about.
func (t topic) days(loc *time.Location) (first, last civil.Date) {
	span := t.Range.In(loc)
	listed := t.Node == nodeEvent && t.Wish.Programme && t.Range.Explicit
	if day := civil.DateOf(span.Start); listed && day == span.LastDate() { // an event of several days may be in view
		return day, day
	}
	if t.Node == nodeEvent && t.Focus > 0 && t.Focus <= len(t.Items) {
		day := civil.DateOf(t.Items[t.Focus-1].Span(loc).Start)
		return day, day
	}
	if day := span.OneDay(); !day.IsZero() {
		return day, day
	}
	if n := len(t.Items); t.Node == nodeEvent && !t.Wish.Programme && n > 0 {
		return civil.DateOf(t.Items[0].Span(loc).Start), civil.DateOf(t.Items[n-1].Span(loc).Start)
	}
	if !isStretch(span) {
		return civil.Date{}, civil.Date{}
	}
	return civil.DateOf(span.Start), span.LastDate()
}
