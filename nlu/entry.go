package nlu

import (
	"strings"
	"time"

	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/nlu/words"
)

// entryRole is what an utterance does with an entry of a calendar that it calls by what it is:
// dinner, ヨガ.
type entryRole int

const (
	entryNone    entryRole = iota
	entryChanged           // change dinner to 8
	entryAsked             // when's my flight to Osaka, ヨガの時間を教えて
	entryNoted             // vacation from August 1 to August 10: nothing but what it is and when
)

// entryIn reads what is done with an entry. An hour to which it is changed is a time also where
// nothing else says so.
func (s *sentence) entryIn(text string, at time.Time) entryRole {
	if s.language == Japanese {
		what, _, ok := words.AsksTimeOf.Cut(text)
		if !ok {
			what, ok = words.IsTimeOf.End(strings.TrimRight(text, "?？"))
		}
		if ok && slots.NamesEntry(what, slots.Japanese) {
			return entryAsked
		}
		return entryNone
	}
	order, _ := cutAll(words.Please, text)
	if changed, ok := words.Changes.Begin(order); ok {
		return s.changedTo(text, changed, at)
	}
	if asked, ok := words.AsksOwn.Begin(strings.TrimRight(text, "?")); ok && namesOwn(asked) {
		return entryAsked
	}
	if n := len(s.times); n > 0 && isRest(text[s.times[n-1].End:]) &&
		slots.NamesEntry(text[:s.times[0].Start], slots.English) {
		return entryNoted
	}
	return entryNone
}

// changedTo reads what is changed, and to what: dinner to 8.
func (s *sentence) changedTo(text, changed string, at time.Time) entryRole {
	what, to, preposition := "", "", ""
	for _, word := range [...]string{" to ", " until ", " for "} {
		before, after, ok := strings.Cut(changed, word)
		if ok && before != "" && after != "" && (what == "" || len(before) < len(what)) {
			what, to, preposition = before, after, word
		}
	}
	low := strings.ToLower(what)
	if what == "" || low != "it" && low != "that" && !slots.NamesEntry(low, slots.English) {
		return entryNone
	}
	rest, hour := words.HourAlone.Begin(to)
	hour = hour && words.Nothing(strings.TrimRight(rest, "?"), words.OnlyPlease)
	if len(s.times) == 0 && preposition == " to " && hour {
		start := len(text) - len(to)
		s.times = datetime.Parse(text[:start-len("to ")]+"at "+to, at)
	}
	return entryChanged
}

// namesOwn reports whether an entry is named: flight to Osaka. A due date is none.
func namesOwn(asked string) bool {
	for _, word := range [...]string{" to ", " from ", " with ", " in "} {
		asked, _, _ = strings.Cut(asked, word)
	}
	return !strings.HasSuffix(asked, " date") && slots.NamesEntry(asked, slots.English)
}

// isRest reports whether nothing is said in a text.
func isRest(text string) bool { return strings.Trim(text, " .!") == "" }

// lengthsAreNoTimes makes a length of 30分で, by which an utterance ends: so long it shall take, and
// not in so long it is.
func lengthsAreNoTimes(times []datetime.Expression, text string) {
	if len(times) != 1 || times[0].Start > 0 {
		return
	}
	switch rest, ok := strings.CutPrefix(text[times[0].End:], "で"); {
	case !ok, !isRest(strings.TrimRight(rest, "。")):
		return
	}
	if alone := datetime.Parse(times[0].Text, time.Time{}); len(alone) == 1 &&
		alone[0].Kind == datetime.KindDuration && alone[0].Text == times[0].Text {
		times[0] = alone[0]
	}
}
