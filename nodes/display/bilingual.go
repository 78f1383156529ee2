package display

import (
	"strings"
	"unicode"

	"annai/internal/text"
	"annai/nlu"
)

// In returns the entry as it is shown to somebody of that language. A calendar has one text for
// both: where a description has a line in Japanese and a line in English, or a place or title is
// written メインホール / Main Hall, the other language's half is left out. A text in one language stays
// as it is.
func (e Entry) In(lang nlu.Language) Entry {
	e.Description = JoinSentences(ofLanguage(strings.Split(e.Description, "\n"), lang), lang)
	e.Location = strings.Join(ofLanguage(strings.Split(e.Location, BetweenLanguages), lang), BetweenLanguages)
	e.Title = TitleHalf(e.Title, lang)
	return e
}

// BetweenLanguages stands between the two halves of a text in both languages.
const BetweenLanguages = " / "

// TitleHalf is the half of a title like 朝ヨガ / Morning Yoga that is in the language. A title that is
// no such pair, one half with Japanese letters and one without, stays whole. Where it has several
// of the marks, its halves are as long: React / Vue 入門 / Introduction to React / Vue.
func TitleHalf(title string, lang nlu.Language) string {
	parts := strings.Split(title, BetweenLanguages)
	if len(parts)%2 != 0 {
		return title
	}
	middle := len(parts) / 2
	first, second := strings.Join(parts[:middle], BetweenLanguages), strings.Join(parts[middle:], BetweenLanguages)
	if first == "" || second == "" || text.HasJapanese(first) == text.HasJapanese(second) {
		return title
	}
	if text.HasJapanese(first) == (lang == nlu.Japanese) {
		return first
	}
	return second
}

// SpokenTitle is a title as it is said: of もくもく会 (Mokumoku Night) the half in the language of the
// answer.
func SpokenTitle(title string, lang nlu.Language) string {
	before, within, ok := text.CutTitle(strings.TrimFunc(title, picture))
	if !ok {
		return before
	}
	return strings.Join(ofLanguage([]string{strings.TrimFunc(before, picture), within}, lang), " ")
}

// picture reports whether a character is one that nobody says: ⚡.
func picture(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.So, r) || unicode.Is(unicode.Mn, r) || r == 0x200d
}

// ofLanguage keeps the parts in the language if there are parts in both, else all of them.
func ofLanguage(parts []string, lang nlu.Language) []string {
	if len(parts) < 2 {
		return parts
	}
	var mine []string
	for _, p := range parts {
		if text.HasJapanese(p) == (lang == nlu.Japanese) {
			mine = append(mine, p)
		}
	}
	if len(mine) == 0 {
		return parts
	}
	return mine
}
