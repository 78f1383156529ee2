package kana

import (
	"index/suffixarray"
	"strings"
)

// allReadings are how names are read, one line for each half of one, so that what stands in which of them is found
// without reading them all.
type allReadings struct {
	of   []string // by the place of the name, its halves with newLine behind each
	find *suffixarray.Index
}

// newLine stands behind a reading.
const newLine = "\n"

func newReadings(names []string) allReadings {
	all := allReadings{of: make([]string, len(names))}
	for i, name := range names {
		for _, half := range halves(name) {
			all.of[i] += readingOf(tokens(half)) + newLine
		}
	}
	all.find = suffixarray.New([]byte(strings.Join(all.of, "")))
	return all
}

// elsewhere reports whether a part of a name may mean another name as well: one that has it, or, if
// a name ends with it and so is of its kind, one that ends with it too. 夏まつりの出店 is no 夏まつり.
func (all allReadings) elsewhere(name int, read string, last bool) bool {
	if last {
		read += newLine
	}
	own := occurrences(all.of[name], read)
	return len(all.find.Lookup([]byte(read), own+1)) > own
}

// occurrences is how often a text has something in it, also where one begins within another.
func occurrences(text, what string) (n int) {
	for {
		at := strings.Index(text, what)
		if at < 0 {
			return n
		}
		n++
		text = text[at+1:]
	}
}
