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

// titleNames are the names in titles, in lower case, by title.
type titleNames map[string][]string

// of returns the names in a title, in lower case.
func (n titleNames) of(title string) []string {
	if names, known := n[title]; known {
		return names
	}
	names := namesOfTitle(title)
	for i, name := range names {
		names[i] = strings.ToLower(name)
	}
	return names
}

// titleNamesOf are the names in the titles of events.
func titleNamesOf(events []display.Entry) titleNames {
	all := titleNames{}
	for _, e := range events {
		if _, known := all[e.Title]; !known {
			all[e.Title] = all.of(e.Title)
		}
	}
	return all
}
