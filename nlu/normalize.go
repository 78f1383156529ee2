package nlu

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"annai/internal/text"
)

// Normalize brings a text to the one form in which words are compared: NFKC, lower case, without
// control characters, runs of space as one space and none at the ends.
func Normalize(s string) string { return strings.ToLower(tidy(s)) }

// tidy is Normalize without the lower case.
func tidy(s string) string {
	if !norm.NFKC.IsNormalString(s) {
		s = norm.NFKC.String(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case isPlain(r):
		case unicode.IsSpace(r):
			space = true
			continue
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError:
			continue
		case r == '’' || r == '‘':
			r = '\''
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

// isPlain reports whether a rune is a letter, kana or kanji of those that most texts are made of,
// which stay as they are.
func isPlain(r rune) bool { return 'a' <= r && r <= 'z' || 0x3041 <= r && r <= 0x9FFF }

// A script is one of those that words are told apart by here: digits are of Latin words.
type script = text.Script

const (
	scriptNone     = text.None
	scriptLatin    = text.Latin
	scriptHiragana = text.Hiragana
	scriptKatakana = text.Katakana
	scriptKanji    = text.Kanji
	scriptOther    = text.Other
)

func scriptOf(r rune) script {
	switch s := text.ScriptOf(r); {
	case s == text.Digit:
		return scriptLatin
	case s == text.Latin && !isWordRune(r):
		return scriptOther
	default:
		return s
	}
}

// isInWord keeps C++, C#, Wi-Fi, Node.js and maker's in one piece.
func isInWord(runes []rune, i int) bool {
	after := i+1 < len(runes) && isWordRune(runes[i+1])
	switch runes[i] {
	case '+', '#':
		return !after
	case '-', '.', '\'':
		return after
	}
	return false
}

// stem cuts the plural's ending and the possessive of an English word in lower case.
func stem(word string) string { return text.Singular(strings.TrimSuffix(word, "'s")) }

// maxPrefix is how long the bracket of a client's prefix may be.
const maxPrefix = 80

// cutPrefix cuts what clients put before an utterance: "[2025-01-15T10:00:00] ", "[太郎さんのコメント] ".
func cutPrefix(s string) string {
	for strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 || end > maxPrefix {
			return s
		}
		rest := strings.TrimLeft(s[end+1:], " :")
		if rest == "" {
			return s
		}
		s = rest
	}
	return s
}
