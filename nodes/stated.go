package nodes

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/nlu"
	"annai/nlu/words"
)

// states reports whether a sentence states a kind of answer, and whether it grants (+), forbids or dispenses with (-) what is asked about; 0
// where it does neither, or both.
func states(sentence string, ask nlu.Ask) (sign byte, ok bool) {
	low := strings.ToLower(sentence)
	for _, row := range words.States()[string(ask)] {
		if !slices.ContainsFunc(row.Words, func(w string) bool { return hasWord(low, w) }) {
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

// hasWord reports whether a word stands in a text in lower case: an English word as a whole, a Japanese one anywhere.
func hasWord(low, word string) bool {
	if isJapanese(word) {
		return strings.Contains(low, word)
	}
	return wholeWord(low, word) >= 0
}

// contentWords are the parts of words that carry meaning: runs of kanji or katakana, and English words of some length.
func contentWords(list []string) []string {
	var out []string
	for _, w := range list {
		for _, part := range strings.FieldsFunc(w, func(r rune) bool {
			return unicode.IsSpace(r) || r >= 128 && r != 'ー' && !unicode.In(r, unicode.Han, unicode.Katakana)
		}) {
			if n := utf8.RuneCountInString(part); n >= 2 && (isJapanese(part) || n >= minEnglish) && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}

// minEnglish is how many letters an English word has at least that may carry meaning.
const minEnglish = 4

// anySentence are the kinds of answer that every sentence may give.
var anySentence = []nlu.Ask{nlu.AskWhatIs, nlu.AskIsThere, nlu.AskConfirm, nlu.AskCompare, nlu.AskWhich, nlu.AskNone, nlu.AskEvents, nlu.AskCount, nlu.AskDate, nlu.AskNext, nlu.AskStillOn}

// stating are the sentences of a text that state a kind of answer. Of those that also share a word with the rest of the question only these
// are taken; shared says that there are any.
func stating(text string, ask nlu.Ask, rest []string) (out []string, shared bool) {
	for _, s := range sentences(text) {
		if _, ok := states(s, ask); ok || slices.Contains(anySentence, ask) {
			out = append(out, s)
		}
	}
	if rest = contentWords(rest); len(rest) == 0 {
		return out, false
	}
	var both []string
	for _, s := range out {
		if slices.ContainsFunc(rest, func(w string) bool { return hasWord(strings.ToLower(s), w) }) {
			both = append(both, s)
		}
	}
	if len(both) > 0 {
		return both, true
	}
	return out, false
}
