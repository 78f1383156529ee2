package nlu

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalize brings a text to the one form in which words are compared: NFKC, lower case, without control characters,
// runs of space as one space and none at the ends.
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

// isPlain reports whether a rune is a letter, kana or kanji of those that most texts are made of, which stay as they are.
func isPlain(r rune) bool { return 'a' <= r && r <= 'z' || 0x3041 <= r && r <= 0x9FFF }

// Words are the words of a text as titles are searched by them, in order, each once: in Latin script lower-cased and
// without the plural's ending, in Japanese the runs of kanji, of katakana and of two hiragana or more.
func Words(s string) []string {
	var words []string
	runes := []rune(Normalize(s))
	for i := 0; i < len(runes); {
		kind := scriptOf(runes[i])
		end := i + 1
		for end < len(runes) && (scriptOf(runes[end]) == kind || kind == scriptLatin && isInWord(runes, end)) {
			end++
		}
		word := string(runes[i:end])
		if kind == scriptLatin {
			word = stem(word)
		}
		if kind != scriptNone && (kind != scriptHiragana || end-i > 1) && !slices.Contains(words, word) {
			words = append(words, word)
		}
		i = end
	}
	return words
}

type script int

const (
	scriptNone script = iota
	scriptLatin
	scriptHiragana
	scriptKatakana
	scriptKanji
	scriptOther
)

func scriptOf(r rune) script {
	switch {
	case isWordRune(r):
		return scriptLatin
	case 0x3041 <= r && r <= 0x3096:
		return scriptHiragana
	case 0x30A1 <= r && r <= 0x30FA || r == 'ー':
		return scriptKatakana
	case 0x4E00 <= r && r <= 0x9FFF || 0x3400 <= r && r <= 0x4DBF || r == '々' || r == '〆':
		return scriptKanji
	case unicode.IsLetter(r):
		return scriptOther
	}
	return scriptNone
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
func stem(word string) string {
	word = strings.TrimSuffix(word, "'s")
	n := len(word)
	switch {
	case strings.ContainsRune(word, '.'): // Node.js
	case n > 4 && strings.HasSuffix(word, "ies"):
		return word[:n-3] + "y"
	case n > 4 && (strings.HasSuffix(word, "sses") || strings.HasSuffix(word, "shes") || strings.HasSuffix(word, "ches") || strings.HasSuffix(word, "xes")):
		return word[:n-2]
	case n > 3 && word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i':
		return word[:n-1]
	}
	return word
}

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
