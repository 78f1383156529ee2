package nodes

import (
	"slices"
	"strings"

	"annai/nlu/words"
	"annai/venue"
)

// marked is the number in a text in lower case that has a mark of that name.
func marked(text, name string) (n int, ok bool) {
	for _, row := range words.Marks() {
		if row.Name != name || row.Where == '.' {
			continue
		}
		for _, w := range row.Words {
			if n, ok := numberAt(text, w, row.Where); ok {
				return n, true
			}
		}
	}
	return 0, false
}

// numberAt is the number right before (<) or behind (>) a word.
func numberAt(text, word string, where byte) (n int, ok bool) {
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	for rest := text; ; {
		i := strings.Index(rest, word)
		if i < 0 {
			return 0, false
		}
		before, after := strings.TrimRight(rest[:i], " -"), strings.TrimLeft(rest[i+len(word):], " ")
		number := before[len(strings.TrimRightFunc(before, isDigit)):]
		if where == '>' {
			number = after[:len(after)-len(strings.TrimLeftFunc(after, isDigit))]
		}
		if number != "" && len(number) <= maxDigits {
			return digits(number), true
		}
		rest = rest[i+len(word):]
	}
}

// maxDigits is how many digits a number of people or years has at most.
const maxDigits = 4

// agesIn are the ages that a text in lower case names: one, or those of 小学生. Both bounds are set.
func agesIn(text string) (ages venue.Ages, ok bool) {
	if n, ok := marked(text, words.MarkAge); ok {
		return venue.Ages{MinAge: n, MaxAge: &n}, true
	}
	for _, row := range words.Marks() {
		if row.Name == words.MarkAges && mentions(text, row.Words) {
			return venue.Ages{MinAge: row.Least, MaxAge: &row.Most}, true
		}
	}
	return ages, false
}

// wholeDayAsked reports whether a text in lower case asks for all of a day.
func wholeDayAsked(text string) bool {
	return slices.ContainsFunc(words.Marks(), func(row words.MarkRow) bool {
		return row.Name == words.MarkDay && mentions(text, row.Words)
	})
}

// digits is the number in a text.
func digits(s string) int {
	n := 0
	for _, r := range s {
		if '0' <= r && r <= '9' {
			n = 10*n + int(r-'0')
		}
	}
	return n
}
