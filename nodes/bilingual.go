package nodes

import (
	"strings"
	"unicode"

	"annai/internal/text"
	"annai/nlu"
)

// in returns the entry as it is shown to somebody of that language. A calendar has one text for both: where a description has a line in
// Japanese and a line in English, or a place or title is written メインホール / Main Hall, the other language's half is left out.
// A text in one language stays as it is.
func (e entry) in(lang nlu.Language) entry {
	e.Description = joinSentences(ofLanguage(strings.Split(e.Description, "\n"), lang), lang)
	e.Location = strings.Join(ofLanguage(strings.Split(e.Location, betweenLanguages), lang), betweenLanguages)
	e.Title = titleHalf(e.Title, lang)
	return e
}

// betweenLanguages stands between the two halves of a text in both languages.
const betweenLanguages = " / "

// titleHalf is the half of a title like 朝ヨガ / Morning Yoga that is in the language. A title that is no such pair, one half with Japanese letters and one
// without, stays whole. Where it has several of the marks, its halves are as long: React / Vue 入門 / Introduction to React / Vue.
func titleHalf(title string, lang nlu.Language) string {
	parts := strings.Split(title, betweenLanguages)
	if len(parts)%2 != 0 {
		return title
	}
	middle := len(parts) / 2
	first, second := strings.Join(parts[:middle], betweenLanguages), strings.Join(parts[middle:], betweenLanguages)
	if first == "" || second == "" || isJapanese(first) == isJapanese(second) {
		return title
	}
	if isJapanese(first) == (lang == nlu.Japanese) {
		return first
	}
	return second
}

// spokenTitle is a title as it is said: of もくもく会 (Mokumoku Night) the half in the language of the answer.
func spokenTitle(title string, lang nlu.Language) string {
	title = strings.TrimFunc(title, picture)
	outer, inner, ok := strings.Cut(title, " (")
	if !ok || !strings.HasSuffix(inner, ")") || strings.Contains(inner, "(") {
		return title
	}
	return strings.Join(ofLanguage([]string{strings.TrimFunc(outer, picture), strings.TrimSuffix(inner, ")")}, lang), " ")
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
		if isJapanese(p) == (lang == nlu.Japanese) {
			mine = append(mine, p)
		}
	}
	if len(mine) == 0 {
		return parts
	}
	return mine
}

func isJapanese(s string) bool { return text.HasJapanese(s) }
