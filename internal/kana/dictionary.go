package kana

import (
	"compress/gzip"
	_ "embed"
	"io"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed data/readings.txt.gz
var readingsFile string

// lines is the file as it was before it was packed, which saves the program a megabyte.
func lines() string {
	packed, err := gzip.NewReader(strings.NewReader(readingsFile))
	if err != nil {
		panic(err) // the file is part of the program
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A dictionary finds words in the lines of the embedded file, which are in the order of their
// bytes: a word, its reading in [Romaji] and, of a single kanji, the reading that it has behind
// other words.
type dictionary struct {
	lines  string
	starts []uint32 // of the lines
	// first has by the first character of words where in starts they begin and end.
	first map[rune][2]int
}

var readings = sync.OnceValue(func() dictionary {
	text := lines()
	d := dictionary{lines: text, starts: make([]uint32, 0, strings.Count(text, "\n")), first: map[rune][2]int{}}
	for start := 0; start < len(text); {
		r, _ := utf8.DecodeRuneInString(text[start:])
		span, ok := d.first[r]
		if !ok {
			span[0] = len(d.starts)
		}
		d.starts = append(d.starts, uint32(start))
		span[1] = len(d.starts)
		d.first[r] = span
		start += strings.IndexByte(text[start:], '\n') + 1
	}
	return d
})

// lookup returns the readings of a word: by itself and behind another one. Both are empty for a
// word that is not there.
func (d dictionary) lookup(word string) (alone, behind string) {
	line, ok := d.find(word)
	if !ok {
		return "", ""
	}
	rest := d.lines[int(line)+len(word)+1:]
	rest = rest[:strings.IndexByte(rest, '\n')]
	alone, behind, ok = strings.Cut(rest, "\t")
	alone, _ = FromRomaji(alone)
	if !ok {
		return alone, alone
	}
	behind, _ = FromRomaji(behind)
	return alone, behind
}

// find returns where the line of a word begins.
func (d dictionary) find(word string) (start uint32, ok bool) {
	r, _ := utf8.DecodeRuneInString(word)
	span := d.first[r]
	lines := d.starts[span[0]:span[1]]
	i := sort.Search(len(lines), func(i int) bool { return d.wordAt(lines[i]) >= word })
	if i == len(lines) || d.wordAt(lines[i]) != word {
		return 0, false
	}
	return lines[i], true
}

func (d dictionary) wordAt(start uint32) string {
	line := d.lines[start:]
	return line[:strings.IndexByte(line, '\t')]
}
