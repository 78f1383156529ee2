package kana

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A script is a class of characters that are read by the same rules.
type script int

const (
	other script = iota
	kanji
	hiragana
	katakana
	latin
	digits
)

// A token is a piece of a text that is read as one: a word with kanji, a run of kana, a word of
// Latin letters, a number.
type token struct {
	text    string // in composed characters of the usual width
	reading string // hiragana, or digits
	script  script
	at      int // where it begins, in characters of the composed text
	// glued says that nothing stands between this token and the one before.
	glued bool
}

// single reports whether a token is one kanji and nothing else.
func (t token) single() bool { return t.script == kanji && utf8.RuneCountInString(t.text) == 1 }

func scriptOf(r rune) script {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		return latin
	case '0' <= r && r <= '9':
		return digits
	case r == '々' || r == '〆' || r == 'ヶ' || unicode.Is(unicode.Han, r):
		return kanji
	case 'ぁ' <= r && r <= 'ゖ':
		return hiragana
	case 'ァ' <= r && r <= 'ヺ':
		return katakana
	default:
		return other
	}
}

// composed is a text in composed characters of the usual width.
func composed(text string) string { return norm.NFKC.String(text) }

// tokens cuts a text. What belongs to no script is left out.
func tokens(text string) []token {
	runes := []rune(composed(text))
	var out []token
	for start := 0; start < len(runes); {
		kind := scriptOf(runes[start])
		if kind == other {
			start++
			continue
		}
		glued := len(out) > 0 && start > 0 && (scriptOf(runes[start-1]) != other || runes[start-1] == 'ー')
		end := runEnd(runes, start, kind)
		n, text := len(out), string(runes[start:end])
		switch kind {
		case kanji, hiragana:
			out = append(out, japanese(runes[start:end])...)
		case katakana:
			out = append(out, token{text: text, reading: toHiragana(text), script: katakana})
		case latin:
			out = append(out, token{text: text, reading: ofLatin(text), script: latin})
		case digits, other:
			out = append(out, token{text: text, reading: text, script: digits})
		}
		if n < len(out) {
			out[n].glued = glued
		}
		for at := start; n < len(out); n++ {
			out[n].at = at
			at += utf8.RuneCountInString(out[n].text)
		}
		start = end
	}
	readBehind(out)
	return out
}

// runEnd is where the run ends that begins at start: kanji and hiragana run together, and a
// long-vowel mark goes with the kana before it.
func runEnd(runes []rune, start int, kind script) int {
	end := start + 1
	for end < len(runes) {
		next := scriptOf(runes[end])
		long := runes[end] == 'ー' && kind != latin && kind != digits
		together := next == kind || kind == kanji && next == hiragana || kind == hiragana && next == kanji
		if !together && !long && (runes[end] != '\'' || kind != latin) {
			break
		}
		end++
	}
	return end
}

func toHiragana(text string) string {
	return strings.Map(func(r rune) rune {
		if 'ァ' <= r && r <= 'ヴ' {
			return r - ('ァ' - 'ぁ')
		}
		return r
	}, text)
}

// What the ways to cut a run of kanji and hiragana cost: few long words are best.
const (
	wordCost    = 10
	singleCost  = 15
	unknownCost = 40
	kanaCost    = 2
	longestWord = 5 // runes
)

// japanese cuts a run of kanji and hiragana into the fewest words of the dictionary.
func japanese(runes []rune) []token {
	n := len(runes)
	cost, length := make([]int, n+1), make([]int, n+1)
	for i := n - 1; i >= 0; i-- {
		if scriptOf(runes[i]) != kanji {
			cost[i], length[i] = cost[i+1]+kanaCost, 1
			continue
		}
		cost[i], length[i] = cost[i+1]+unknownCost, 1
		for size := 1; size <= min(longestWord, n-i); size++ {
			c := cost[i+size] + wordCost
			if size == 1 {
				c = cost[i+size] + singleCost
			}
			if c > cost[i] {
				continue
			}
			if _, ok := readings().find(string(runes[i : i+size])); ok {
				cost[i], length[i] = c, size
			}
		}
	}
	return cut(runes, length)
}

// cut makes tokens of words with the lengths that were found best; hiragana between them stay
// together.
func cut(runes []rune, length []int) []token {
	var out []token
	for i := 0; i < len(runes); i += length[i] {
		word := string(runes[i : i+length[i]])
		last := len(out) - 1
		switch {
		case scriptOf(runes[i]) == kanji:
			alone, _ := readings().lookup(word)
			out = append(out, token{text: word, reading: alone, script: kanji, glued: true})
		case last >= 0 && out[last].script == hiragana:
			out[last].text += word
			out[last].reading += word
		default:
			out = append(out, token{text: word, reading: word, script: hiragana, glued: true})
		}
	}
	return out
}

// readBehind gives single kanji that stand within a compound the reading that they have there.
func readBehind(all []token) {
	for i := range all {
		if !all[i].single() {
			continue
		}
		before := i > 0 && all[i].glued && all[i-1].script != hiragana && !okurigana(all[i-1])
		after := i+1 < len(all) && all[i+1].glued && all[i+1].single()
		if before || after {
			_, all[i].reading = readings().lookup(all[i].text)
		}
	}
}

// okurigana reports whether a word ends in kana.
func okurigana(t token) bool {
	last, _ := utf8.DecodeLastRuneInString(t.text)
	return t.script == kanji && scriptOf(last) == hiragana
}
