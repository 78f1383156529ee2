package grounding

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// choose takes the items that a sentence is held against: those that it cites, else all but the
// events that are not spoken of, where some are.
func (t *trial) choose(from []string) {
	for i := range t.c.items {
		if slices.Contains(from, t.c.items[i].ID) {
			t.items = append(t.items, i)
		}
	}
	if t.cited = len(t.items) > 0; t.cited {
		return
	}
	about := make([]bool, len(t.c.items)) // the events that are spoken of
	for i := range t.c.items {
		about[i] = t.c.items[i].Kind == Event && t.speaksOf(&t.c.items[i])
	}
	for i := range t.c.items {
		if about[i] || t.c.items[i].Kind != Event || !slices.Contains(about, true) {
			t.items = append(t.items, i)
		}
	}
}

// namesEvent reports whether the sentence names an event, whose days are its own.
func (t *trial) namesEvent() bool {
	return slices.ContainsFunc(t.clauses, func(c clause) bool {
		return slices.ContainsFunc(c.facts, func(f fact) bool { return f.kind == name && f.n == ofEvent })
	})
}

// speaksOf reports whether the sentence, the one before it or the question names an item.
func (t *trial) speaksOf(it *item) bool {
	for feature := range it.title {
		if strings.HasPrefix(feature, nameFeature) && (t.c.question[feature] || slices.ContainsFunc(t.clauses, func(c clause) bool {
			return slices.ContainsFunc(c.facts, func(f fact) bool { return f.kind == name && f.feature() == feature })
		})) {
			return true
		}
	}
	return slices.ContainsFunc(t.before, func(i int) bool { return &t.c.items[i] == it })
}

// nameFeature is how the features of names begin.
var nameFeature = fmt.Sprintf("f:%d:", name)

// unknownName finds a proper name that the evidence does not have: what stands in quotes, what is
// written large, Latin words in Japanese.
func (t *trial) unknownName(sentence string) (start, end int, found bool) {
	japanese := strings.ContainsFunc(sentence, isEastern)
	first := true
	for i := 0; i < len(sentence); {
		r, size := utf8.DecodeRuneInString(sentence[i:])
		if !isLatinLetter(r) {
			first = first || strings.ContainsRune(".!?:", r)
			i += size
			continue
		}
		j := i
		for j < len(sentence) {
			c, n := utf8.DecodeRuneInString(sentence[j:])
			if !isLatinLetter(c) && !unicode.IsDigit(c) && c != '\'' && c != '’' {
				break
			}
			j += n
		}
		word, _, _ := strings.Cut(strings.ReplaceAll(sentence[i:j], "’", "'"), "'")
		large := len(word) > 1 && unicode.IsUpper(r) && (!first || japanese)
		code := len(word) > shortCode && strings.ContainsAny(word, "0123456789")
		if w := fold(word).text; (large || code) && !t.knows(w) {
			at := max(0, strings.Index(t.text, w))
			return at, at + len(w), true
		}
		first, i = false, j
	}
	return 0, 0, false
}

func isLatinLetter(r rune) bool { return unicode.IsLetter(r) && r <= 0x24F }

func isEastern(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }

// shortCode is how long a word with figures may be that is none to be known: P1S, 3F.
const shortCode = 4

// knows reports whether a word in Latin letters is known: from the evidence, from the visitor, a
// label, or a word of the calendar.
func (t *trial) knows(word string) bool {
	word = strings.TrimSuffix(word, "'s")
	v := words()
	if v.stop[word] {
		return true
	}
	for _, section := range [...]string{"months", "weekdays", "numbers", "ordinals", "units", "before noon", "days"} {
		if f, ok := v.values[section].at(word, 0); ok && f.text == word {
			return true
		}
	}
	if f, ok := v.labels.at(word, 0); ok && f.text == word {
		return true
	}
	if strings.Contains(t.c.asked, word) || strings.Contains(t.c.free, word) {
		return true
	}
	english := false
	for _, i := range t.items {
		if strings.Contains(t.c.items[i].text, strings.TrimSuffix(word, "s")) {
			return true
		}
		if len(t.used) == 0 || t.used[i] {
			english = english || t.c.items[i].Lang == "en" || strings.Contains(t.c.items[i].text, " the ")
		}
	}
	return !english
}

// mostForeign is how many of the words of a sentence may be none of the evidence, nor of the
// question, where nothing else is from it.
const mostForeign = 0.6

// foreign reports whether a sentence speaks of what the evidence does not speak of. Where the
// evidence is in the other language nobody can say.
func (t *trial) foreign() bool {
	japanese, known, all := isJapanese(t.text), 0, 0
	if slices.ContainsFunc(t.items, func(i int) bool { return !t.c.items[i].speaks(japanese) }) {
		return false
	}
	for i := range t.clauses {
		c := &t.clauses[i]
		if c.unknown || c.condition {
			return false
		}
		for feature := range c.features(nil) {
			all++
			if t.c.question[feature] || t.speakOf(feature) {
				if known++; strings.HasPrefix(feature, "a:") {
					return false
				}
			}
		}
	}
	if last := strings.TrimRight(t.text, " "); strings.HasSuffix(last, "?") || strings.HasSuffix(last, "か。") {
		return false
	}
	return all > 2 && float64(all-known) > mostForeign*float64(all)
}

// speakOf reports whether a word stands in an item.
func (t *trial) speakOf(feature string) bool {
	return slices.ContainsFunc(t.items, func(i int) bool { return t.c.items[i].speaksOf(feature) })
}
