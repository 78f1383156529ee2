package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
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
	day := t.day(loc)
	if day.IsZero() {
		return utterance
	}
	at := day.In(loc)
	for _, row := range words.Anaphora() {
		from, to, ok := anaphor(utterance, row)
		if !ok {
			continue
		}
		asToday := utterance[:from] + row.Deictic + utterance[to:]
		for _, e := range datetime.Parse(asToday, at) {
			if e.Invalid || e.Start > from || e.End <= from {
				continue
			}
			days := daysNamedAs(display.FromExpression(e, at), text.HasJapanese(row.Deictic)) + row.Behind
			return asToday[:e.Start] + days + asToday[e.End:]
		}
	}
	return utterance
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
		goesOn := func(u string) bool { return strings.HasPrefix(low[at+len(w):], u) }
		if at >= 0 && !slices.ContainsFunc(row.Unless, goesOn) {
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

// day is the one day that was spoken of last: that of an event, or the day that was asked about.
func (t topic) day(loc *time.Location) civil.Date {
	if t.Node == nodeEvent && t.Focus > 0 && t.Focus <= len(t.Items) {
		return civil.DateOf(t.Items[t.Focus-1].Span(loc).Start)
	}
	if t.Range.IsZero() {
		return civil.Date{}
	}
	return t.Range.In(loc).OneDay()
}
