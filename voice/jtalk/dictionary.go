package jtalk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"annai/fault"
)

// loaded is the dictionary, unpacked when the first [Analyzer] is made.
var loaded = sync.OnceValues(func() (*dictionary, error) {
	d, err := unpack(packedDictionary)
	if err != nil {
		return nil, fmt.Errorf("the dictionary of Japanese: %w", err)
	}
	return d, nil
})

// A dictionary has the words of naist-jdic in the order of their surfaces' bytes, and what MeCab
// needs besides.
type dictionary struct {
	surfaces string
	starts   []uint32 // of word i in surfaces; one more than there are words
	first    map[rune]span
	tokens   []uint32 // number of the first token of word i; one more than there are words

	token     []token
	prons     []byte
	compounds map[uint32]compound
	classes   []class
	nameClass uint16 // of proper nouns
	rules     []string

	infos   []charInfo // by character
	unknown [][]token  // by category
	matrix  []int16    // costs by the left word's right context and the right word's left one
	width   int        // of a row of matrix
}

// A span is a range of words.
type span struct{ from, to int }

// A token is what a surface may be.
type token struct {
	class uint16
	cost  int16
	pron  uint32 // where the pronunciation begins
	moras uint8
	acc   uint8
	rule  uint8
}

// A class is what tokens share: their contexts in the matrix and the part of speech.
type class struct {
	left, right int
	speech      speech
}

// A speech is a part of speech with what belongs to it in MeCab's features.
type speech struct{ pos, group1, group2, group3, ctype, cform string }

// A compound is a token of several words, each after a colon, as are their accents.
type compound struct{ originals, accents string }

// unpack reads what the command generate wrote, column by column.
func unpack(packed []byte) (*dictionary, error) {
	if len(packed) == 0 {
		return nil, fmt.Errorf("this program was built without it (-tags novoice): %w", fault.ErrUnavailable)
	}
	zr, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return nil, err
	}
	defer zr.Close()
	c := columns{packed: packed, zstd: zr}
	d := &dictionary{}
	d.readLines(&c)
	d.readWords(&c)
	d.readTokens(&c)
	d.readCharacters(&c)
	d.readMatrix(&c)
	if c.err != nil {
		return nil, c.err
	}
	return d, nil
}

// columns are the packed columns that were not read yet.
type columns struct {
	packed []byte
	zstd   *zstd.Decoder
	err    error
}

// next unpacks the next column. After an error all are empty.
func (c *columns) next() []byte {
	if c.err != nil {
		return nil
	}
	size, n := binary.Uvarint(c.packed)
	if n <= 0 || size > uint64(len(c.packed)-n) {
		c.err = errors.New("the data is cut off")
		return nil
	}
	column, err := c.zstd.DecodeAll(c.packed[n:n+int(size)], nil)
	c.packed, c.err = c.packed[n+int(size):], err
	return column
}

func (d *dictionary) readLines(c *columns) {
	for line := range strings.Lines(string(c.next())) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), ",")
		left, _ := strconv.Atoi(f[0])
		right, _ := strconv.Atoi(f[1])
		c := class{left, right, speech{f[2], f[3], f[4], f[5], f[6], f[7]}}
		if c.speech.group1 == "固有名詞" && c.speech.group2 == "一般" {
			d.nameClass = uint16(len(d.classes))
		}
		d.classes = append(d.classes, c)
	}
	d.rules = strings.Split(string(c.next()), "\n")
}

func (d *dictionary) readWords(c *columns) {
	shared, suffixes, counts := c.next(), c.next(), c.next()
	if c.err != nil {
		return
	}
	size := 0
	for _, n := range shared {
		size += int(n)
	}
	surfaces := make([]byte, 0, size+len(suffixes))
	d.starts = make([]uint32, 1, len(shared)+1)
	d.tokens = make([]uint32, 1, len(shared)+1)
	d.first = map[rune]span{}
	before, at, tokens := 0, 0, uint32(0)
	for i, n := range shared {
		end := at
		for suffixes[end] != 0 {
			end++
		}
		start := len(surfaces)
		surfaces = append(append(surfaces, surfaces[before:before+int(n)]...), suffixes[at:end]...)
		before, at = start, end+1
		tokens += uint32(counts[i])
		d.starts = append(d.starts, uint32(len(surfaces)))
		d.tokens = append(d.tokens, tokens)
		r, _ := utf8.DecodeRune(surfaces[start:])
		s, ok := d.first[r]
		if !ok {
			s.from = i
		}
		s.to = i + 1
		d.first[r] = s
	}
	d.surfaces = string(surfaces)
}

func (d *dictionary) readTokens(c *columns) {
	classes, costs, shared, suffixes, accents := c.next(), c.next(), c.next(), c.next(), c.next()
	rules, moras, compounds := c.next(), c.next(), c.next()
	if c.err != nil {
		return
	}
	d.token = make([]token, len(classes)/2)
	for i := range d.token {
		d.token[i].class = binary.LittleEndian.Uint16(classes[2*i:])
		d.token[i].cost = int16(binary.LittleEndian.Uint16(costs[2*i:]))
	}
	d.readPronunciations(shared, suffixes)
	for i := range d.token {
		d.token[i].acc, d.token[i].rule = accents[i], rules[i]
	}
	for number := uint64(0); len(moras) > 0; {
		n, size := binary.Uvarint(moras)
		number += n
		d.token[number].moras = moras[size]
		moras = moras[size+1:]
	}
	d.readCompounds(compounds)
}

// readPronunciations reads the pronunciations and counts their morae.
func (d *dictionary) readPronunciations(shared, suffixes []byte) {
	size := 0
	for _, n := range shared {
		size += int(n)
	}
	d.prons = make([]byte, 0, size+len(suffixes))
	before, at := 0, 0
	for i, n := range shared {
		start := len(d.prons)
		d.prons = append(d.prons, d.prons[before:before+int(n)]...)
		for suffixes[at] != 0 {
			d.prons = append(d.prons, suffixes[at])
			at++
		}
		d.token[i].pron = uint32(start)
		d.token[i].moras = codedMoras(d.prons[start:])
		d.prons = append(d.prons, 0)
		before, at = start, at+1
	}
}

func (d *dictionary) readCompounds(b []byte) {
	d.compounds = map[uint32]compound{}
	number, rest := uint64(0), string(b)
	for rest != "" {
		n, size := binary.Uvarint([]byte(rest[:min(len(rest), binary.MaxVarintLen32)]))
		number += n
		var k compound
		k.originals, rest, _ = strings.Cut(rest[size:], "\x00")
		k.accents, rest, _ = strings.Cut(rest, "\x00")
		d.compounds[uint32(number)] = k
	}
}

// prefixes calls found for each word with which text begins, the shortest first.
func (d *dictionary) prefixes(text string, found func(size int, tokens span)) {
	r, size := utf8.DecodeRuneInString(text)
	words, ok := d.first[r]
	for ok && words.from < words.to {
		if int(d.starts[words.from+1]-d.starts[words.from]) == size {
			found(size, span{int(d.tokens[words.from]), int(d.tokens[words.from+1])})
			words.from++
		}
		if size == len(text) {
			return
		}
		_, n := utf8.DecodeRuneInString(text[size:])
		words = d.narrow(words, text[size:size+n], size)
		size += n
	}
}

// narrow returns which of words, longer than at, have next there.
func (d *dictionary) narrow(words span, next string, at int) span {
	rest := func(i int) string {
		start, end := int(d.starts[words.from+i])+at, int(d.starts[words.from+i+1])
		return d.surfaces[start:min(end, start+len(next))]
	}
	n := words.to - words.from
	from := sort.Search(n, func(i int) bool { return rest(i) >= next })
	to := from + sort.Search(n-from, func(i int) bool { return rest(from+i) > next })
	return span{words.from + from, words.from + to}
}

// decoded returns the pronunciation that begins at the given place, in katakana.
func (d *dictionary) decoded(at uint32) string {
	var b strings.Builder
	for _, code := range d.prons[at:] {
		if code == 0 {
			break
		}
		b.WriteRune(decodedKana(code))
	}
	return b.String()
}
