// Package text holds what every reader of Japanese and English needs once: scripts, folding, words
// and their stems, sentences, the names of weekdays, lists.
//
// The one idea: a question about the letters of a text ("is this kanji?", "does the word end
// here?") has one answer in the whole house. What only one task needs stays with it: the shapes
// that trained weights were made of, tables of words, grammar.
//
// The package knows no task, no venue and no prompt.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Script is a class of characters that form words with each other.
type Script uint8

// The scripts. [Other] are the letters of all those that have no name here; [None] is what is no
// letter and no digit.
const (
	None Script = iota
	Latin
	Digit
	Hiragana
	Katakana
	Kanji
	Other
)

// ScriptOf returns the script of a character. The long-vowel mark is katakana; 々, 〆 and 〇 are
// kanji.
func ScriptOf(r rune) Script {
	switch {
	case r < utf8.RuneSelf:
		return scriptOfASCII(r)
	case r >= 0x3041 && r <= 0x3096:
		return Hiragana
	case r >= 0x30A1 && r <= 0x30FA, r == 'ー':
		return Katakana
	case r >= 0x4E00 && r <= 0x9FEF, r == '々', r == '〆':
		return Kanji
	case unicode.Is(unicode.Hiragana, r):
		return Hiragana
	case unicode.Is(unicode.Katakana, r), r == 'ｰ', r == 'ﾞ', r == 'ﾟ':
		return Katakana
	case unicode.Is(unicode.Han, r):
		return Kanji
	case unicode.IsDigit(r):
		return Digit
	case !unicode.IsLetter(r):
		return None
	case unicode.Is(unicode.Latin, r):
		return Latin
	}
	return Other
}

func scriptOfASCII(r rune) Script {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		return Latin
	case '0' <= r && r <= '9':
		return Digit
	}
	return None
}

// Japanese reports whether the script is kana or kanji.
func (s Script) Japanese() bool { return s == Hiragana || s == Katakana || s == Kanji }

// IsJapanese reports whether r is a kana or a kanji.
func IsJapanese(r rune) bool { return r >= utf8.RuneSelf && ScriptOf(r).Japanese() }

// HasJapanese reports whether a text has a kana or a kanji.
func HasJapanese(s string) bool { return strings.ContainsFunc(s, IsJapanese) }

// Language tells a text's language by its letters: "ja" where one is kana or kanji, "en" where there
// are Latin ones and none of those, else "".
func Language(s string) string {
	language := ""
	for _, r := range s {
		switch ScriptOf(r) {
		case Hiragana, Katakana, Kanji:
			return "ja"
		case Latin:
			language = "en"
		case None, Digit, Other:
		}
	}
	return language
}

// MainLanguage tells the language that a text is mostly in: "ja" where a tenth of the letters or
// more are kana and kanji, else "en". It reads the first ten thousand letters.
func MainLanguage(s string) string {
	japanese, letters := 0, 0
	for _, r := range s {
		switch ScriptOf(r) {
		case Hiragana, Katakana, Kanji:
			japanese++
			letters++
		case Latin, Other:
			letters++
		case None, Digit:
		}
		if letters > 10_000 {
			break
		}
	}
	if japanese*10 > letters {
		return "ja"
	}
	return "en"
}

// IsWide reports whether r is written without spaces around it: kana, kanji, their punctuation, and
// full-width characters.
func IsWide(r rune) bool {
	return r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF || IsJapanese(r)
}
