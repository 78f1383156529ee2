package nodes

import (
	"strings"
	"unicode"

	"annai/nodes/display"
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

// namesOfTitles are the names in the titles of events, in lower case, each title's once.
func namesOfTitles(events []display.Entry) []string {
	out, seen := []string{}, make(map[string]bool, len(events))
	for i := range events {
		title := events[i].Title
		if seen[title] {
			continue
		}
		seen[title] = true
		for _, name := range namesOfTitle(title) {
			out = append(out, strings.ToLower(name))
		}
	}
	return out
}
