package kana

import (
	_ "embed"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed data/readings.txt
var readingsFile string

// A dictionary finds words in the lines of the embedded file, which are in the order of their
// bytes: a word, its reading in [Romaji] and, of a single kanji, the reading that it has behind
// other words.
type dictionary struct {
	starts []uint32 // of the lines
	// first has by the first character of words where in starts they begin and end.
	first map[rune][2]int
}

var readings = sync.OnceValue(func() dictionary {
	d := dictionary{starts: make([]uint32, 0, strings.Count(readingsFile, "\n")), first: map[rune][2]int{}}
	for start := 0; start < len(readingsFile); {
		r, _ := utf8.DecodeRuneInString(readingsFile[start:])
		span, ok := d.first[r]
		if !ok {
			span[0] = len(d.starts)
		}
		d.starts = append(d.starts, uint32(start))
		span[1] = len(d.starts)
		d.first[r] = span
		start += strings.IndexByte(readingsFile[start:], '\n') + 1
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
	rest := readingsFile[int(line)+len(word)+1:]
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
	i := sort.Search(len(lines), func(i int) bool { return wordAt(lines[i]) >= word })
	if i == len(lines) || wordAt(lines[i]) != word {
		return 0, false
	}
	return lines[i], true
}

func wordAt(start uint32) string {
	line := readingsFile[start:]
	return line[:strings.IndexByte(line, '\t')]
}
