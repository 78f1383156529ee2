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
// is.
func withDays(utterance string, t topic, loc *time.Location) string {
	first, last := t.days(loc)
	if first.IsZero() {
		return utterance
	}
	for _, row := range words.Anaphora() {
		from, to, ok := anaphor(utterance, row)
		if !ok || first != last && row.Day {
			continue
		}
		asToday := utterance[:from] + row.Deictic + utterance[to:]
		if e, at, ok := placed(asToday, from, last.In(loc)); ok {
			if e.TimeRange.Start.Before(last.In(loc)) && first != last { // it is before the first of them
				e, at, _ = placed(asToday, from, first.In(loc))
			}
			days := daysNamedAs(display.FromExpression(e, at), text.HasJapanese(row.Deictic)) + row.Behind
			return asToday[:e.Start] + days + asToday[e.End:]
		}
	}
	return utterance
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
