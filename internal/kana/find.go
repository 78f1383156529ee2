package kana

import (
	"slices"
	"strings"
)

// What is found.
const (
	shortest     = 3 // morae of a name
	shortestPart = 4 // morae of a part of a name
	// distinct is by how many hundredths of a mora a name must fit better than any other one.
	distinct = 60
	// mostWords is how many words a part of a name has at most.
	mostWords = 8
	// inWord is what it costs, in hundredths, to begin or end where no word does.
	inWord = 100
)

// An Index finds which of some names an utterance has. It may be shared.
type Index struct {
	parts []part
	// seeds has the parts by the pairs of morae in them.
	seeds map[uint16][]int32
}

// A part is a name or some words of it that name nothing else.
type part struct {
	name  int
	text  string // as it is written
	morae []mora
	seeds int // how many pairs of morae it has
	whole bool
	latin bool // it is written with Latin letters
}

// NewIndex makes an index of names. A name may have two halves, in two languages, with " / "
// between them.
func NewIndex(names []string) *Index {
	x := &Index{seeds: map[uint16][]int32{}}
	all := newReadings(names)
	for i, name := range names {
		for _, half := range halves(name) {
			x.addName(i, half, all)
		}
	}
	return x
}

// A Match is a name that was heard.
type Match struct {
	// Name is its place among the names, Written the words of it that were heard, as they are
	// written there.
	Name    int
	Written string
	// Score says how alike they sound, in 0..1; it is 1 for a whole name that is read just as it
	// was heard.
	Score float64
}

// Find returns the place of the name that occurs, nearly, within what is heard, and how alike they
// sound, in 0..1; -1 if there is none or if more than one may be meant.
func Find(utterance string, names []string) (best int, score float64) {
	m, ok := NewIndex(names).Find(utterance)
	if !ok {
		return -1, 0
	}
	return m.Name, m.Score
}

// Find is as [Find] is, for names that are asked for again and again. ok is false where no name is
// heard, or more than one.
func (x *Index) Find(utterance string) (m Match, ok bool) {
	h := hear(utterance)
	m.Name = -1
	value, second := 0, 0
	for i, shared := range x.candidates(h) {
		p := x.parts[i]
		if shared == 0 || 2*int(shared) < p.seeds {
			continue
		}
		cost := h.cost(p)
		if cost > p.allowed() {
			continue
		}
		v := len(p.morae)*oneMora - 3*cost
		switch {
		case v > value:
			if p.name != m.Name {
				second = value
			}
			m, value = Match{Name: p.name, Written: p.text, Score: p.score(cost)}, v
		case p.name != m.Name && v > second:
			second = v
		}
	}
	return m, m.Name >= 0 && value-second >= distinct
}

// score of a part is that of a whole name, less a little.
func (p part) score(cost int) float64 {
	s := 1 - float64(cost)/float64(len(p.morae)*oneMora)
	if !p.whole {
		s *= 0.95
	}
	return s
}

// allowed is how much of a part may be heard otherwise, in hundredths of a mora. Short ones must be
// heard as they are.
func (p part) allowed() int {
	length := len(p.morae)
	switch {
	case length < 4 || length == 4 && !p.whole:
		return 0
	case length == 4:
		return 25
	case length == 5 && !p.whole:
		return 25
	case length == 5:
		return 50
	case p.whole:
		return min(200, 15*length)
	default:
		return min(100, 10*length)
	}
}

// addName adds a half of a name and its parts.
func (x *Index) addName(name int, half string, all allReadings) {
	words := wordsOf(half)
	for i := range words {
		for j := i + 1; j <= len(words); j++ {
			full := j-i == len(words)
			if !full && j-i > mostWords || !mayStand(words[i:j]) {
				continue
			}
			p := partOf(name, words[i:j])
			if p.whole = full; len(p.morae) < shortest {
				continue
			}
			says := len(p.morae) >= shortestPart && !generic(words[i:j])
			if full || says && !all.elsewhere(name, readingOf(words[i:j]), j == len(words)) {
				x.add(p)
			}
		}
	}
}

func partOf(name int, words []token) part {
	p := part{name: name, latin: true}
	for i, w := range words {
		if i > 0 && !w.glued {
			p.text += " "
		}
		p.text += w.text
		p.latin = p.latin && w.script == latin
	}
	p.morae, _ = morae([]rune(readingOf(words)))
	return p
}

func readingOf(words []token) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.reading)
	}
	return b.String()
}

// halves are those of a name: a title may have one in each language.
func halves(name string) []string { return strings.Split(name, " / ") }

// wordsOf are the words of a name; particles are words of their own.
func wordsOf(text string) []token {
	var out []token
	for _, t := range tokens(text) {
		first, rest := "", t.text
		if t.script == hiragana && t.glued && len(out) > 0 {
			for _, p := range particles {
				if strings.HasPrefix(t.text, p) {
					first, rest = p, strings.TrimPrefix(t.text, p)
					break
				}
			}
		}
		if first != "" {
			out = append(out, token{text: first, reading: first, script: hiragana, glued: true})
			t.text, t.reading = rest, rest
		}
		if rest != "" {
			out = append(out, t)
		}
	}
	return out
}

// mayStand reports whether words may be said for a whole name: they begin and end with no particle,
// and what stands behind others does not begin.
func mayStand(words []token) bool {
	first, last := words[0], words[len(words)-1]
	if slices.Contains(particles, first.text) || slices.Contains(particles, last.text) {
		return false
	}
	for _, w := range words[1:] {
		if !w.glued && w.script != latin {
			return false
		}
	}
	return !(first.glued && first.single())
}

func (x *Index) add(p part) {
	n := int32(len(x.parts))
	for _, seed := range seedsOf(p.morae) {
		if list := x.seeds[seed]; len(list) == 0 || list[len(list)-1] != n {
			x.seeds[seed] = append(list, n)
			p.seeds++
		}
	}
	x.parts = append(x.parts, p)
}

// candidates says how many pairs of morae each part shares with what was heard.
func (x *Index) candidates(h heard) []uint8 {
	shared := make([]uint8, len(x.parts))
	seeds := seedsOf(h.morae)
	slices.Sort(seeds)
	for _, seed := range slices.Compact(seeds) {
		for _, p := range x.seeds[seed] {
			shared[p] = min(shared[p]+1, 250)
		}
	}
	return shared
}

// seedsOf are the pairs of morae that follow each other, without what is confused.
func seedsOf(all []mora) []uint16 {
	var out []uint16
	var before uint16
	for _, m := range all {
		if m.weak {
			continue
		}
		code := uint16(plain(m.row)&31)<<3 | uint16(strings.IndexByte("aiueo", m.vowel)+1)
		if before != 0 {
			out = append(out, before<<8|code)
		}
		before = code
	}
	return out
}
