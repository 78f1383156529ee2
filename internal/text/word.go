package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// InWord reports whether two characters beside each other belong to one word: Latin letters and
// digits, katakana, kanji. Words of hiragana have no such borders.
func InWord(a, b rune) bool {
	x, y := ScriptOf(a), ScriptOf(b)
	switch x {
	case Latin, Digit:
		return y == Latin || y == Digit
	case Katakana, Kanji:
		return x == y
	case None, Hiragana, Other:
	}
	return false
}

// InLatinWord reports whether two characters beside each other belong to one word with spaces
// around it. Words of kana and kanji are found within longer ones.
func InLatinWord(a, b rune) bool { return InWord(a, b) && !ScriptOf(a).Japanese() }

// Stands reports whether no word runs over an end of s[start:end], by what says that two characters
// are of one word.
func Stands(s string, start, end int, joined func(a, b rune) bool) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	first, _ := utf8.DecodeRuneInString(s[start:])
	last, _ := utf8.DecodeLastRuneInString(s[:end])
	after, _ := utf8.DecodeRuneInString(s[end:])
	return !joined(before, first) && !joined(last, after)
}

// IndexWord returns the byte at which the word stands in s by itself, whatever the case, or -1. An
// empty word stands nowhere.
func IndexWord(s, word string, joined func(a, b rune) bool) int {
	low, want := lower(s), lower(word)
	if len(low) != len(s) {
		low = s // rare letters change their length with their case
	}
	for from := 0; want != ""; {
		at := strings.Index(low[from:], want)
		if at < 0 {
			break
		}
		at += from
		if Stands(low, at, at+len(want), joined) {
			return at
		}
		from = at + len(want)
	}
	return -1
}

// ContainsWord reports whether a word stands in s, whatever the case: in Japanese anywhere, in
// Latin letters as a whole. An empty word stands everywhere.
func ContainsWord(s, word string) bool { return word == "" || IndexWord(s, word, InLatinWord) >= 0 }

// lower is strings.ToLower, which looks kana and kanji up in tables of letters that have a case.
func lower(s string) string {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= 0xe3 && c <= 0xe9: // U+3000 to U+9FFF, which are three bytes each
			i += 3
		case c < 'A', c > 'Z' && c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if unicode.ToLower(r) != r {
				return strings.ToLower(s)
			}
			i += n
		}
	}
	return s
}
