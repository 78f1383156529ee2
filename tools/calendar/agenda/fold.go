package agenda

import (
	"strings"
	"unicode"

	"annai/internal/text"
)

// fold writes a text so that what people take for the same is the same: full and half width,
// capitals, katakana and hiragana. Letters, digits and marks are kept, and what is between them becomes
// one space.
func fold(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range text.Fold(s) {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			gap = b.Len() > 0
			continue
		case r >= 'ァ' && r <= 'ヶ':
			r -= 'ァ' - 'ぁ'
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// compact returns a folded text without its spaces.
func compact(folded string) string { return strings.ReplaceAll(folded, " ", "") }
