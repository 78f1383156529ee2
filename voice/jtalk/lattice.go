package jtalk

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// A charInfo is what MeCab knows of a character: the categories it belongs to and how unknown words
// are made of it.
type charInfo struct {
	kinds    uint32 // a bit for each category
	category uint8  // of the unknown words that begin with it
	length   uint8  // unknown words have up to that many characters,
	group    bool   // or all that follow of the same kind
	invoke   bool   // also where the dictionary has words
}

// maxGroup is the length of a group from which on it is no unknown word.
const maxGroup = 24

func (d *dictionary) readCharacters(c *columns) {
	infos, unknown := c.next(), c.next()
	for b := infos; len(b) > 0; {
		bits := binary.LittleEndian.Uint32(b)
		info := charInfo{
			kinds: bits & (1<<18 - 1), category: uint8(bits >> 18), length: uint8(bits>>26) & 15,
			group: bits>>30&1 == 1, invoke: bits>>31 == 1,
		}
		n, size := binary.Uvarint(b[4:])
		for range n {
			d.infos = append(d.infos, info)
		}
		b = b[4+size:]
	}
	for b := unknown; len(b) > 0; {
		tokens := make([]token, b[0])
		b = b[1:]
		for i := range tokens {
			tokens[i] = token{class: binary.LittleEndian.Uint16(b), cost: int16(binary.LittleEndian.Uint16(b[2:]))}
			b = b[4:]
		}
		d.unknown = append(d.unknown, tokens)
	}
}

func (d *dictionary) readMatrix(c *columns) {
	high, low := c.next(), c.next()
	if c.err != nil {
		return
	}
	for d.width*d.width < len(high) {
		d.width++
	}
	d.matrix = make([]int16, len(high))
	for i := range d.matrix {
		d.matrix[i] = int16(uint16(high[i])<<8 | uint16(low[i]))
		if i >= d.width {
			d.matrix[i] += d.matrix[i-d.width]
		}
	}
}

func (d *dictionary) info(r rune) charInfo {
	if int(r) >= len(d.infos) {
		return d.infos[0]
	}
	return d.infos[r]
}

// A morpheme is a word of a text.
type morpheme struct {
	text    string
	class   uint16
	number  int32  // of the token; -1 is an unknown word
	reading *given // what the operator says, where it is one of his words
}

// A lattice has all words that a text may consist of, at the places where they end.
type lattice struct {
	d     *dictionary
	text  string
	at    []int // where character i begins in text; one more than there are characters
	infos []charInfo
	given []given
	nodes []latticeNode
	begin []int32 // of the words that begin at the place under way, the last one found first
	ends  []int32 // the last word by its end; -1 is none
}

// A latticeNode is a word with the best way that leads to it.
type latticeNode struct {
	class      uint16
	from, to   int32 // characters
	number     int32 // of the token; -1 is an unknown word, less is one of the operator's
	wordCost   int32
	cost       int32 // of the whole way
	before     int32 // on the way
	next       int32 // of those that end at the same place
	rightState int32
}

// morphemes returns the words of the cheapest way through a text, as MeCab does.
func (d *dictionary) morphemes(text string, given []*readings) []morpheme {
	if text == "" {
		return nil
	}
	l := lattice{d: d, text: text}
	for i, r := range text {
		l.at = append(l.at, i)
		l.infos = append(l.infos, d.info(r))
	}
	l.ends = make([]int32, len(l.at)+1)
	for i := range l.ends {
		l.ends[i] = -1
	}
	n := len(l.at)
	l.at = append(l.at, len(text))
	l.nodes = append(l.nodes, latticeNode{before: -1, next: -1})
	l.ends[0] = 0
	for i := range n {
		if l.ends[i] < 0 {
			continue
		}
		l.lookUp(i)
		for _, r := range given {
			r.find(&l, i)
		}
		l.connect(i)
	}
	return l.best(n)
}

// lookUp collects the words that begin at a character.
func (l *lattice) lookUp(from int) {
	l.begin = l.begin[:0]
	rest := l.text[l.at[from]:]
	l.d.prefixes(rest, func(size int, tokens span) {
		to := from + utf8.RuneCountInString(rest[:size])
		for i := tokens.from; i < tokens.to; i++ {
			l.add(l.d.token[i], int32(i), from, to)
		}
	})
	info := l.infos[from]
	if len(l.begin) == 0 || info.invoke {
		l.addUnknown(from, info)
	}
}

func (l *lattice) add(t token, number int32, from, to int) {
	l.begin = append(l.begin, int32(len(l.nodes)))
	l.nodes = append(l.nodes, latticeNode{
		class: t.class, from: int32(from), to: int32(to), number: number, wordCost: int32(t.cost), before: -1,
	})
}

// addUnknown makes words that the dictionary has not: all characters of one kind, or the first few.
func (l *lattice) addUnknown(from int, info charInfo) {
	add := func(to int) {
		for _, t := range l.d.unknown[info.category] {
			l.add(t, -1, from, to)
		}
	}
	grouped, n := -1, len(l.infos)
	if info.group {
		grouped = from + 1
		for kind := info; grouped < n && kind.kinds&l.infos[grouped].kinds != 0; grouped++ {
			kind = l.infos[grouped]
		}
		if grouped-from-1 <= maxGroup {
			add(grouped)
		}
	}
	to := from + 1
	for range info.length {
		if to == grouped || to > n {
			break
		}
		add(to)
		if to == n || info.kinds&l.infos[to].kinds == 0 {
			break
		}
		to++
	}
	if len(l.begin) == 0 {
		add(to)
	}
}

// connect finds the best way to each word that begins at a character. Between equals the order
// decides, which is MeCab's.
func (l *lattice) connect(from int) {
	for i := len(l.begin) - 1; i >= 0; i-- {
		number := l.begin[i]
		node := &l.nodes[number]
		node.before, node.cost = l.cheapest(l.ends[from], l.d.classes[node.class].left, node.wordCost)
		node.rightState = int32(l.d.classes[node.class].right)
		node.next = l.ends[node.to]
		l.ends[node.to] = number
	}
}

// cheapest returns which of the words that end before is the best one, and what the way costs with
// the next word.
func (l *lattice) cheapest(end int32, left int, wordCost int32) (number, cost int32) {
	number, cost = -1, math.MaxInt32
	row := l.d.matrix[l.d.width*left:][:l.d.width]
	for ; end >= 0; end = l.nodes[end].next {
		node := &l.nodes[end]
		if c := node.cost + int32(row[node.rightState]) + wordCost; c < cost {
			number, cost = end, c
		}
	}
	return number, cost
}

func (l *lattice) best(n int) []morpheme {
	for n > 0 && l.ends[n] < 0 {
		n--
	}
	number, _ := l.cheapest(l.ends[n], 0, 0)
	var back []morpheme
	for ; number > 0; number = l.nodes[number].before {
		node := l.nodes[number]
		m := morpheme{text: l.text[l.at[node.from]:l.at[node.to]], class: node.class, number: node.number}
		if node.number < -1 {
			m.reading = &l.given[-2-node.number]
		}
		back = append(back, m)
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}
