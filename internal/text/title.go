package text

import "strings"

// CutTitle cuts a title that ends in brackets, as もくもく会 (Mokumoku Night), into what is before and what is in them.
func CutTitle(title string) (before, within string, ok bool) {
	before, within, ok = strings.Cut(title, " (")
	within, closed := strings.CutSuffix(within, ")")
	if !ok || !closed || strings.Contains(within, "(") {
		return title, "", false
	}
	return before, within, true
}

// TitleIn is the half in a language, "ja" or "en", of a title that says the same in both, the one in brackets. Any
// other title stays as it is.
func TitleIn(title, language string) string {
	before, within, ok := CutTitle(title)
	if !ok || HasJapanese(before) == HasJapanese(within) {
		return title
	}
	if HasJapanese(before) == (language == "ja") {
		return before
	}
	return within
}
