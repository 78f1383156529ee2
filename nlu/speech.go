package nlu

import (
	"slices"
	"strings"
	"unicode/utf8"

	"annai/internal/text"
)

// hear brings what a person said, or a recogniser made of it, to what was meant: without the sounds
// of thinking, without what was said twice, with everyday words spelled as usual and with the names
// that are known to be mis-heard.
func (r *Reader) hear(s string) string {
	return r.Mend(spellUsually(r.spellTyped(cutRepeats(r.cutFillers(s)))))
}

// Mend corrects what recognisers of speech mistake: homophones of everyday words and of the venue's (中車場 is 駐車場), and
// what the venue's list of corrections has. All else stays as it is.
func (r *Reader) Mend(s string) string {
	if !isASCII(s) {
		s = r.said.Mend(s)
	}
	return r.correct(s)
}

// cutFillers cuts the sounds that people make while they think. Those that are also words go only
// where a pause or the end of the text follows.
func (r *Reader) cutFillers(s string) string {
	if s == "" {
		return s
	}
	lower := []rune(strings.ToLower(s))
	runes := []rune(s)
	if len(lower) != len(runes) {
		return s
	}
	out := make([]rune, 0, len(runes))
	for i := 0; i < len(runes); {
		end, tags := r.fillers.longest(lower, i)
		if end == i || tags == 0 || !isPause(runes, i, end) {
			out = append(out, runes[i])
			i++
			continue
		}
		for end < len(runes) && isPauseRune(runes[end]) {
			end++
		}
		i = end
	}
	if rest := strings.TrimSpace(string(out)); rest != "" {
		return rest
	}
	return s
}

// isPause reports whether [i, end) is a sound and no word: it is one that no word sounds like, or
// it stands apart, at the start or after a pause, and before one, or drawn out.
func isPause(runes []rune, i, end int) bool {
	sound := slices.Contains(runes[i:end], 'ー') || end-i >= 3 && runes[i] == 'え'
	if sound && end-i >= 3 && i > 0 && scriptOf(runes[i-1]) != scriptKanji {
		return true
	}
	before := i == 0 || isPauseRune(runes[i-1])
	after := end < len(runes) && isPauseRune(runes[end]) || end == len(runes) && isWordRune(runes[i])
	return before && (after || sound)
}

func isPauseRune(r rune) bool {
	switch r {
	case ' ', ',', '、', '。', '.', '…', '-', '〜':
		return true
	}
	return false
}

// cutRepeats cuts what was said twice in a row: "the the", "what time what time", 明日明日の, イベントイベント.
// A number said twice is another number.
func cutRepeats(s string) string { return cutRepeatedRuns(cutRepeatedWords(s)) }

// longestRepeat is how many words, or characters of Japanese, are looked at.
const (
	longestRepeat = 3
	longestRun    = 8
)

// cutRepeatedWords cuts the second of two words, or of two runs of words, between spaces.
func cutRepeatedWords(s string) string {
	words := strings.Split(s, " ")
	var out []string
	for i := 0; i < len(words); {
		if n := repeated(out, words[i:]); n > 0 {
			i += n
			continue
		}
		out = append(out, words[i])
		i++
	}
	if len(out) == len(words) {
		return s
	}
	return strings.Join(out, " ")
}

// repeated is how many of the next words are the last of those said, or 0.
func repeated(said, next []string) int {
	for n := min(longestRepeat, len(said), len(next)); n > 0; n-- {
		if slices.EqualFunc(said[len(said)-n:], next[:n],
			func(a, b string) bool { return strings.EqualFold(a, b) && isSaid(a) }) {
			return n
		}
	}
	return 0
}

// isSaid reports whether a word is one of letters, and no number.
func isSaid(word string) bool {
	if word == "" || folded[strings.ToLower(word)] == "0" {
		return false
	}
	return strings.IndexFunc(word, func(r rune) bool {
		return scriptOf(r) == scriptNone && r != '\'' || '0' <= r &&
			r <= '9'
	}) < 0
}

// cutRepeatedRuns cuts the second of two runs of Japanese that are the same.
func cutRepeatedRuns(s string) string {
	if isASCII(s) {
		return s
	}
	runes := []rune(s)
	out := make([]rune, 0, len(runes))
	for i := 0; i < len(runes); {
		n := repeatedRun(runes, i)
		if n == 0 {
			n = 1
			out = append(out, runes[i])
		}
		i += n
	}
	return string(out)
}

// repeatedRun is how many of the characters from i on are said at once again, or 0. A run begins
// and ends where a word may, and has two kanji or three katakana: わくわく and ドキドキ are words.
func repeatedRun(runes []rune, i int) int {
	if k := scriptOf(runes[i]); k != scriptKanji && k != scriptKatakana || i > 0 && scriptOf(runes[i-1]) == k {
		return 0
	}
	for n := min(longestRun, (len(runes)-i)/2); n >= 2; n-- {
		run, rest := runes[i:i+n], runes[i+n:]
		if !slices.Equal(run, rest[:n]) || len(rest) > n && scriptOf(rest[n]) == scriptOf(run[n-1]) {
			continue
		}
		if names(run) {
			return n
		}
	}
	return 0
}

// names reports whether a run has two kanji or three katakana, and no number.
func names(run []rune) bool {
	kanji, katakana := 0, 0
	for _, r := range run {
		switch {
		case isNumeral(r):
			return false
		case scriptOf(r) == scriptKanji:
			kanji++
		case scriptOf(r) == scriptKatakana:
			katakana++
		}
	}
	return kanji >= 2 || katakana >= 3
}

func isNumeral(r rune) bool {
	return '0' <= r && r <= '9' || strings.ContainsRune("〇一二三四五六七八九十百千", r)
}

// correct replaces what recognisers are known to mis-hear, whatever the case. A Latin word must
// stand alone.
func (r *Reader) correct(s string) string {
	for _, c := range r.corrections {
		s = replaceWord(s, c[0], c[1])
	}
	return s
}

// replaceWord replaces every old in s that stands alone, and is no part of a new that stands there
// already.
func replaceWord(s, old, with string) string {
	low, search := strings.ToLower(s), strings.ToLower(old)
	if search == "" || len(low) != len(s) {
		low, search = s, old // rare letters change their length with their case
	}
	var b strings.Builder
	rest := 0
	for from := 0; search != ""; {
		at := strings.Index(low[from:], search)
		if at < 0 {
			break
		}
		at += from
		end := at + len(search)
		if !text.Stands(low, at, end, text.InLatinWord) || strings.HasPrefix(s[at:], with) {
			_, size := utf8.DecodeRuneInString(low[at:])
			from = at + size
			continue
		}
		b.WriteString(s[rest:at])
		b.WriteString(with)
		rest, from = end, end
	}
	if rest == 0 {
		return s
	}
	b.WriteString(s[rest:])
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
