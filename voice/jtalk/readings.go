package jtalk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// readings are words that are read as the operator says, or foreign ones, by their first character.
type readings struct {
	words    []given
	first    map[rune][]int // numbers of words
	anywhere bool           // also within longer words
}

func (r *readings) add(w given) {
	first, _ := utf8.DecodeRuneInString(w.text)
	r.first[first] = append(r.first[first], len(r.words))
	r.words = append(r.words, w)
}

// A given word has a reading of its own.
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
		r.add(given{text, narrow, read})
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
	if !inKatakana(name) {
		return 0
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

// find adds the words that begin at a character of the text.
func (r *readings) find(l *lattice, from int) {
	rest := l.text[l.at[from]:]
	first, _ := utf8.DecodeRuneInString(rest)
	for _, i := range r.first[first] {
		w := &r.words[i]
		to := l.at[from] + len(w.text)
		if !strings.HasPrefix(rest, w.text) || !r.anywhere && !bounded(l.text, l.at[from], to) {
			continue
		}
		n := utf8.RuneCountInString(w.text)
		l.given = append(l.given, *w)
		l.add(token{class: l.d.nameClass}, int32(-1-len(l.given)), from, from+n)
		l.nodes[len(l.nodes)-1].wordCost = int32(givenCost - n*givenBonus)
	}
}

// bounded reports whether a range of a text cuts no word of Latin letters or katakana and no
// number.
func bounded(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	first, _ := utf8.DecodeRuneInString(text[from:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	behind, _ := utf8.DecodeRuneInString(text[to:])
	return !together(before, first) && !together(last, behind)
}

func isKatakana(r rune) bool { return unicode.In(r, unicode.Katakana) || string(r) == longVowel }

func together(a, b rune) bool {
	return isLatin(a) && isLatin(b) || isKatakana(a) && isKatakana(b) || unicode.IsDigit(a) && unicode.IsDigit(b)
}

// joinForeign makes one word of neighbours in katakana of which one is a single character: the
// dictionary has the whole not, and took it apart.
func (d *dictionary) joinForeign(words []morpheme) []morpheme {
	var joined []morpheme
	for i := 0; i < len(words); {
		end, text, apart := i, "", false
		for end < len(words) && words[end].reading == nil && inKatakana(words[end].text) {
			unknown := words[end].number < 0
			apart = apart || unknown || utf8.RuneCountInString(words[end].text) == 1
			text += words[end].text
			end++
		}
		read, wrong := parseReading(text, text)
		if !apart || wrong != "" || read.moras < 3 {
			end = max(end, i+1)
			joined = append(joined, words[i:end]...)
		} else {
			w := &given{text: text, reading: read}
			joined = append(joined, morpheme{text: text, class: d.nameClass, number: -1, reading: w})
		}
		i = end
	}
	return joined
}

func inKatakana(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !isKatakana(r) }) < 0
}
