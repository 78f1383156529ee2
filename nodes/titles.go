package nodes

import (
	"strings"
	"unicode"
)

// namesOfTitle are the names in a title: both halves of one in two languages, without pictures and
// brackets.
func namesOfTitle(title string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune("()（）/／|｜「」『』【】〔〕[]", r) }) {
		name := strings.TrimFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != 'ー' })
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}
