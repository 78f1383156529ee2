package rag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

// A term is something that stands in texts and questions alike: a word, or a piece of Japanese, which writes no spaces.
type term struct {
	text string
	// weight says how much it tells about the subject, in 0..1. Grammar in hiragana tells little.
	weight float32
}

// How much each kind of term tells. Measured, as all numbers of this package: see the tests.
const (
	wordWeight     = 1    // a word of Latin letters, or a number
	katakanaWeight = 1    // a whole run of katakana: プリンター
	kanjiWeight    = 1    // two kanji
	loneWeight     = 0.7  // a kanji that stands alone: 傘
	mixedWeight    = 0.35 // kanji and its ending, 借り, or kanji and katakana
	innerWeight    = 0.25 // two kana within a run of katakana
	countedWeight  = 0.2  // a number that counts something: the 4 of 4階, which is not that of 4丁目
	hiraganaWeight = 0.1  // two hiragana, or where one word ends and the next begins
)

// A script is a class of characters that form words with each other.
type script int

const (
	scriptNone script = iota
	scriptWord
	scriptKanji
	scriptHiragana
	scriptKatakana
)

// scriptOf takes all that is written with spaces between words, and numbers, for one script.
func scriptOf(r rune) script {
	switch text.ScriptOf(r) {
	case text.Latin, text.Digit, text.Other:
		return scriptWord
	case text.Kanji:
		return scriptKanji
	case text.Hiragana:
		return scriptHiragana
	case text.Katakana:
		return scriptKatakana
	case text.None:
	}
	if unicode.IsMark(r) {
		return scriptWord
	}
	return scriptNone
}

// A run is a stretch of folded text in one script.
type run struct {
	text   string
	script script
	start  int // in bytes
	// joined says that nothing stands between this run and the one before.
	joined bool
}

// runs cuts folded text where the script changes. What belongs to none is left out.
func runs(s string) []run {
	var out []run
	last := 0
	for start := 0; start < len(s); {
		r, size := utf8.DecodeRuneInString(s[start:])
		kind := scriptOf(r)
		if kind == scriptNone {
			start += size
			continue
		}
		end := start + runLength(s[start:], kind)
		out = append(out, run{text: s[start:end], script: kind, start: start, joined: start > 0 && start == last})
		start, last = end, end
	}
	return out
}

// runLength returns how many bytes of s stay in the script. A long-vowel mark goes with the kana before it, and
// characters within a word go with the word: wi-fi, visitor's, 1,600, 9:00.
func runLength(s string, kind script) int {
	var before rune
	for end := 0; end < len(s); {
		r, size := utf8.DecodeRuneInString(s[end:])
		after, _ := utf8.DecodeRuneInString(s[end+size:])
		if scriptOf(r) != kind && (r != 'ー' || kind != scriptHiragana) &&
			(kind != scriptWord || !within(before, r, after)) {
			return end
		}
		end += size
		before = r
	}
	return len(s)
}

func runeLength(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// within reports whether the mark r between two characters is part of the word or number that they are in.
func within(before, r, after rune) bool {
	switch {
	case strings.ContainsRune("-'’", r):
		return unicode.IsLetter(before) && unicode.IsLetter(after) && scriptOf(after) == scriptWord
	case strings.ContainsRune(".,:", r):
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	default:
		return false
	}
}

// terms returns the terms of a text in order, repeated ones repeated.
func terms(s string) []term { return termsOf(runs(text.Fold(s))) }

func termsOf(rs []run) []term {
	var out []term
	for i := 0; i < len(rs); i++ {
		if rs[i].script == scriptWord {
			if i+1 < len(rs) && rs[i+1].joined && rs[i+1].script == scriptKanji && isNumber(rs[i].text) {
				counter, _ := utf8.DecodeRuneInString(rs[i+1].text)
				out = append(out, term{rs[i].text, countedWeight}, term{rs[i].text + string(counter), wordWeight})
				continue
			}
			out = appendWord(out, rs[i].text)
			continue
		}
		n := 1
		for i+n < len(rs) && rs[i+n].joined && rs[i+n].script != scriptWord {
			n++
		}
		out = appendJapanese(out, rs[i:i+n])
		i += n - 1
	}
	return out
}

func isNumber(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// appendWord appends a word's stem; of a word with a hyphen also its parts.
func appendWord(out []term, w string) []term {
	joined := strings.Map(func(r rune) rune {
		if strings.ContainsRune("-.,:", r) {
			return -1
		}
		return r
	}, w)
	if t := text.Stem(joined); hintWords[joined] {
		out = append(out, term{t, hintWeight})
	} else if !stopWords[joined] && t != "" {
		out = append(out, term{t, wordWeight})
	}
	if !strings.Contains(w, "-") {
		return out
	}
	for part := range strings.SplitSeq(w, "-") {
		if len(part) > 2 && !stopWords[part] {
			out = append(out, term{text.Stem(part), wordWeight})
		}
	}
	return out
}

// appendJapanese appends the terms of runs that are written together.
func appendJapanese(out []term, rs []run) []term {
	var before rune
	for _, r := range rs {
		count := utf8.RuneCountInString(r.text)
		switch {
		case r.script == scriptKatakana && count > 1:
			out = append(out, term{katakana(r.text), katakanaWeight})
		case r.script == scriptKanji && count == 1:
			out = append(out, term{r.text, loneWeight})
		}
		for _, c := range r.text {
			if before != 0 {
				out = append(out, term{string([]rune{before, c}), pairWeight(before, c)})
			}
			before = c
		}
	}
	return out
}

// pairWeight returns what two characters next to each other tell.
func pairWeight(a, b rune) float32 {
	from, to := scriptOf(a), scriptOf(b)
	if to == scriptKatakana && b == 'ー' { // it goes with the kana before it
		to = from
	}
	switch {
	case from == scriptKanji && to == scriptKanji:
		return kanjiWeight
	case from == scriptKatakana && to == scriptKatakana:
		return innerWeight
	case from == scriptKanji && to == scriptHiragana && !strings.ContainsRune(particles, b):
		return mixedWeight
	case from == scriptKanji && to == scriptKatakana, from == scriptKatakana && to == scriptKanji:
		return mixedWeight
	default:
		return hiraganaWeight
	}
}

// particles follow a noun and are not part of it.
const particles = "はがをにでとものへやか"

// katakana returns the form of a run under which プリンタ and プリンター are the same. It differs from every pair of kana.
func katakana(s string) string {
	if utf8.RuneCountInString(s) > 3 {
		s = strings.TrimSuffix(s, "ー")
	}
	return s + "|"
}
