package server

import "unicode"

// script tells a text's language by its letters: any kana or kanji is Japanese, else any Latin letter English, else it is not known.
func script(text string) string {
	language := ""
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han):
			return "ja"
		case unicode.Is(unicode.Latin, r):
			language = "en"
		}
	}
	return language
}
