package gazetteer

import (
	"strings"
	"unicode"

	"annai/internal/text"
)

// Key returns the form in which names are compared: width, case, accents, spaces, hyphens and marks
// are gone, katakana is hiragana, and the small ke of 茅ヶ崎 is a large one. It is empty for a text
// without letters and digits.
func Key(name string) string {
	var b strings.Builder
	for _, r := range text.Unaccent(text.Fold(name)) {
		switch {
		case r == 'ヶ' || r == 'ヵ' || r == 'ゖ' || r == 'ゕ':
			b.WriteRune('け')
		case r >= 'ァ' && r <= 'ヴ':
			b.WriteRune(r - 'ァ' + 'ぁ')
		case r == 'ー' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}
