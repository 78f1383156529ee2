package hibari

import (
	"sort"
	"strings"
)

// A table has a value for each of its keys. It is the text of a file of sorted lines, each a key, a
// tab and a value, and searched where it lies: a map of as many strings would be several times as large.
type table struct {
	text  string
	lines []uint32 // where each begins
}

// readTable returns the table of an embedded file.
func readTable(name string) (*table, error) {
	text, err := read(name)
	if err != nil {
		return nil, err
	}
	t := &table{text: text, lines: make([]uint32, 0, strings.Count(text, "\n"))}
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		t.lines = append(t.lines, uint32(at))
		at += end + 1
	}
	return t, nil
}

// line returns the key and the value of a line.
func (t *table) line(i int) (key, value string) {
	line := t.text[t.lines[i]:]
	line = line[:strings.IndexByte(line, '\n')]
	key, value, _ = strings.Cut(line, "\t")
	return key, value
}

func (t *table) get(key string) (string, bool) {
	i := sort.Search(len(t.lines), func(i int) bool {
		k, _ := t.line(i)
		return k >= key
	})
	if i == len(t.lines) {
		return "", false
	}
	if k, value := t.line(i); k == key {
		return value, true
	}
	return "", false
}
