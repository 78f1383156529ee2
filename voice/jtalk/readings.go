package jtalk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// readings are the operator's words, by their first character.
type readings struct {
	words []given
	first map[rune][]int // numbers of words
}

// A given word is read as the operator says.
type given struct {
	text   string // in wide characters
	narrow string // in narrow ones
	reading
}

const (
	// accentMark stands behind the mora with the accent.
	accentMark = '\''
	// givenBonus makes a way through one of the operator's words cheaper than any other: per
	// character, so that longer ones win.
	givenBonus = 20000
	// givenCost lets one long word win over two short ones.
	givenCost = 1000
)

func parseReadings(names map[string]string) (*readings, error) {
	r := &readings{first: map[rune][]int{}}
	for name, kana := range names {
		narrow := narrowed(strings.TrimSpace(name))
		text := normal(narrow)
		if text == "" || utf8.RuneCountInString(text) > maxName {
			return nil, errReading(name, kana, "the name is empty or long")
		}
		read, err := parseReading(text, kana)
		if err != "" {
			return nil, errReading(name, kana, err)
		}
		first, _ := utf8.DecodeRuneInString(text)
		r.first[first] = append(r.first[first], len(r.words))
		r.words = append(r.words, given{text, narrow, read})
	}
	return r, nil
}

const maxName = 100

// parseReading reads kana with an accent. It returns what is wrong.
func parseReading(name, kana string) (reading, string) {
	text := strings.ReplaceAll(normal(strings.TrimSpace(kana)), string(wideMarks[accentMark]), string(accentMark))
	text = katakana(text)
	acc, n := -1, 0
	var b strings.Builder
	vowel := ""
	for text != "" {
		if rest, ok := strings.CutPrefix(text, string(accentMark)); ok {
			acc, text = n, rest
			continue
		}
		if rest, ok := strings.CutPrefix(text, "　"); ok {
			text = rest
			continue
		}
		size, sound := readMora(text, vowel)
		if size == 0 || b.Len() == 0 && sound == longVowel {
			return reading{}, "only kana can be read, and an apostrophe behind the accent"
		}
		if sound != longVowel {
			m, _ := cutMora(sound)
			vowel = m.phonemes[len(m.phonemes)-1]
		}
		b.WriteString(sound)
		text = text[size:]
		n++
	}
	switch {
	case n == 0:
		return reading{}, "it is empty"
	case acc == n && strings.Count(kana, "'") > 0:
		acc = 0
	case acc < 0:
		acc = foreignAccent(name, b.String())
	}
	return reading{b.String(), acc, n}, ""
}

// readMora returns the mora with which a text begins as it sounds behind a vowel: オウ and エイ are
// long.
func readMora(text, vowel string) (size int, sound string) {
	if strings.HasPrefix(text, longVowel) {
		return len(longVowel), longVowel
	}
	size = cutPlain(text)
	sound = text[:size]
	if sound == "ウ" && (vowel == "o" || vowel == "u") || sound == "イ" && vowel == "e" {
		sound = longVowel
	}
	return size, sound
}

// foreignAccent returns the accent that names in katakana mostly have: on the third mora from the
// end, or one earlier where that one is no full mora. Short names and others have none.
func foreignAccent(name, pron string) int {
	for _, r := range name {
		if !unicode.In(r, unicode.Katakana) && string(r) != longVowel {
			return 0
		}
	}
	var morae []string
	for rest := pron; rest != ""; {
		size := max(cutPlain(rest), len(longVowel))
		morae = append(morae, rest[:size])
		rest = rest[size:]
	}
	at := len(morae) - 2
	if at < 1 {
		return min(1, len(morae))
	}
	if m := morae[at-1]; at > 1 && (m == longVowel || m == "ン" || m == "ッ") {
		at--
	}
	return at
}

// find adds the operator's words that begin at a character of the text.
func (r *readings) find(l *lattice, from int) {
	if len(r.words) == 0 {
		return
	}
	rest := l.text[l.at[from]:]
	first, _ := utf8.DecodeRuneInString(rest)
	for _, i := range r.first[first] {
		w := &r.words[i]
		if !strings.HasPrefix(rest, w.text) || !bounded(l.text, l.at[from], l.at[from]+len(w.text)) {
			continue
		}
		n := utf8.RuneCountInString(w.text)
		l.given = append(l.given, *w)
		l.add(token{class: l.d.nameClass}, int32(-1-len(l.given)), from, from+n)
		l.nodes[len(l.nodes)-1].wordCost = int32(givenCost - n*givenBonus)
	}
}

// bounded reports whether a range of a text cuts no word of Latin letters and no number.
func bounded(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	first, _ := utf8.DecodeRuneInString(text[from:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	behind, _ := utf8.DecodeRuneInString(text[to:])
	return !together(before, first) && !together(last, behind)
}

func together(a, b rune) bool {
	return unicode.In(a, unicode.Latin) && unicode.In(b, unicode.Latin) || unicode.IsDigit(a) && unicode.IsDigit(b)
}
