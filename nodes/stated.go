package nodes

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/nodes/talk"
)

// states reports whether a sentence states a kind of answer, and whether it grants (+), forbids or
// dispenses with (-) what is asked about; 0 where it does neither, or both.
func states(sentence string, ask nlu.Ask) (sign byte, ok bool) {
	low := strings.ToLower(sentence)
	for _, row := range words.States()[string(ask)] {
		if !slices.ContainsFunc(row.Words, func(w string) bool { return text.ContainsWord(low, w) }) {
			continue
		}
		switch {
		case !ok:
			sign, ok = row.Sign, true
		case sign != row.Sign:
			sign = '.'
		}
	}
	if sign == '.' {
		sign = 0
	}
	return sign, ok
}

// detailAsked is the kind of answer that a question asks for: a detail that its words name,
// whatever else it asks, or until when one may sign up, else that which was read.
func detailAsked(q talk.Question) nlu.Ask {
	low := strings.ToLower(q.Text)
	for _, detail := range []string{words.DetailReason, words.DetailDeadline, words.DetailRain} {
		if words.Details()[detail].AskedIn(low) {
			return nlu.Ask(detail)
		}
	}
	if q.Ask == nlu.AskNeedI && words.Details()[words.DetailBooking].AskedIn(low) {
		return words.DetailBooking
	}
	if q.Ask == nlu.AskUntilWhen && asksFor(low, nlu.AskHowDoI) {
		return words.DetailDeadline
	}
	return q.Ask
}

// asksAnything reports whether a word of a text in lower case asks for some kind of answer.
func asksAnything(low string) bool {
	for word := range words.AskWords() {
		if text.ContainsWord(low, word) {
			return true
		}
	}
	return false
}

// asksFor reports whether a word of a text in lower case asks for a kind of answer.
func asksFor(low string, ask nlu.Ask) bool {
	for word, asks := range words.AskWords() {
		if slices.Contains(asks, string(ask)) && text.ContainsWord(low, word) {
			return true
		}
	}
	return false
}

// contentWords are the parts of words that carry meaning: runs of kanji or katakana, and English
// words of some length.
func contentWords(list []string) []string {
	var out []string
	for _, w := range list {
		for _, part := range strings.FieldsFunc(w, func(r rune) bool {
			return unicode.IsSpace(r) || r >= 128 && r != 'ー' && !unicode.In(r, unicode.Han, unicode.Katakana)
		}) {
			if n := utf8.RuneCountInString(part); n >= 2 && (text.HasJapanese(part) || n >= minEnglish) && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}

// lone reports whether a word is one character, which stands within many that mean something else:
// 中 in 途中.
func lone(word string) bool { return utf8.RuneCountInString(word) == 1 }

// onlyAsks reports whether words name nothing and only ask for a detail.
func onlyAsks(keywords []string) bool {
	ask := words.AskWords()
	return !slices.ContainsFunc(keywords, func(w string) bool { return ask[w] == nil })
}

// minEnglish is how many letters an English word has at least that may carry meaning.
const minEnglish = 4

// anySentence are the kinds of answer that every sentence may give.
var anySentence = []nlu.Ask{nlu.AskWhatIs, nlu.AskIsThere, nlu.AskConfirm, nlu.AskCompare, nlu.AskWhich, nlu.AskNone, nlu.AskEvents, nlu.AskCount, nlu.AskDate, nlu.AskNext, nlu.AskStillOn}

// stating are the sentences of a text that state a kind of answer. Of those that also share a word
// with the rest of the question only these are taken; shared says that there are any.
func stating(said string, ask nlu.Ask, rest []string) (out []string, shared bool) {
	for _, s := range display.Sentences(said) {
		if _, ok := states(s, ask); ok || slices.Contains(anySentence, ask) {
			out = append(out, s)
		}
	}
	if rest = contentWords(rest); len(rest) == 0 {
		return out, false
	}
	var both []string
	for _, s := range out {
		if slices.ContainsFunc(rest, func(w string) bool { return text.ContainsWord(strings.ToLower(s), w) }) {
			both = append(both, s)
		}
	}
	if len(both) > 0 {
		return both, true
	}
	return out, false
}
