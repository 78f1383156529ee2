package nodes

import (
	"strings"
	"unicode"

	"annai/nlu"
)

// in returns the entry as it is shown to somebody of that language. A calendar has one text for both: where a description has a line in
// Japanese and a line in English, or a place is written メインホール / Main Hall, the other language's half is left out.
// A text in one language stays as it is.
func (e entry) in(lang nlu.Language) entry {
	e.Description = joinSentences(ofLanguage(strings.Split(e.Description, "\n"), lang), lang)
	e.Location = strings.Join(ofLanguage(strings.Split(e.Location, " / "), lang), " / ")
	return e
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

func isJapanese(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x3005 && unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han)
	})
}
