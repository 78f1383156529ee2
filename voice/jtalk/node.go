package jtalk

import "strings"

// A node is a word of the sentence on its way from the dictionary to labels, in a list.
type node struct {
	speech
	text   string
	pron   string // in katakana; "" is silent
	entry  string // the pronunciation of the dictionary
	acc    int    // the mora whose pitch is the last high one; 0 is none
	moras  int
	rule   string // how the accent changes where the word is joined to the one before
	chain  joint
	before *node
	next   *node
}

// A joint says whether a word belongs to the accent phrase of the one before.
type joint int8

const (
	undecided joint = iota
	apart
	joined
)

// A sentence is a list of words.
type sentence struct{ head, tail *node }

func (s *sentence) push(n *node) {
	n.before = s.tail
	if s.tail == nil {
		s.head = n
	} else {
		s.tail.next = n
	}
	s.tail = n
}

// remove takes a word out and returns the one behind it.
func (s *sentence) remove(n *node) *node {
	if n.before == nil {
		s.head = n.next
	} else {
		n.before.next = n.next
	}
	if n.next == nil {
		s.tail = n.before
	} else {
		n.next.before = n.before
	}
	return n.next
}

func (s *sentence) removeSilent() {
	for n := s.head; n != nil; n = n.next {
		if n.pron == "" {
			s.remove(n)
		}
	}
}

// insert puts a word behind n, which is not the last one, and returns it.
func (n *node) insert(word *node) *node {
	word.before, word.next = n, n.next
	n.next.before = word
	n.next = word
	return word
}

// load makes n the word that a line of features in the form of the dictionary describes.
func (n *node) load(features string) {
	const text, pos, pron, accent, rule, chain = 0, 1, 9, 10, 11, 12
	f := strings.Split(features, ",")
	n.text, n.pron, n.rule = f[text], f[pron], f[rule]
	n.speech = speech{f[pos], f[pos+1], f[pos+2], f[pos+3], f[pos+4], f[pos+5]}
	acc, moras, _ := strings.Cut(f[accent], "/")
	n.acc, n.moras = number(acc), number(moras)
	if len(f) > chain && f[chain] == "0" {
		n.chain = apart
	}
}

// sentence makes the list of words of what the lattice found.
func (d *dictionary) sentence(morphemes []morpheme) *sentence {
	s := &sentence{}
	for _, m := range morphemes {
		n := &node{text: m.text, speech: d.classes[m.class].speech, rule: "*"}
		k, isCompound := d.compounds[uint32(m.number)]
		switch {
		case m.reading != nil:
			n.pron, n.acc, n.moras = m.reading.pron, m.reading.acc, m.reading.moras
			s.push(n)
		case m.number < 0:
			s.push(n)
		case isCompound:
			t := d.token[m.number]
			n.rule = d.rules[t.rule]
			s.pushParts(n, k, d.decoded(t.pron))
		default:
			t := d.token[m.number]
			n.pron, n.acc, n.moras, n.rule = d.decoded(t.pron), int(t.acc), int(t.moras), d.rules[t.rule]
			n.entry = n.pron
			s.push(n)
		}
	}
	return s
}

// pushParts adds the words of a compound: the last one has what the text has left.
func (s *sentence) pushParts(whole *node, k compound, pron string) {
	originals, prons := strings.Split(k.originals, ":"), strings.Split(pron, ":")
	accents := strings.Split(k.accents, ":")
	rest := whole.text
	for i, accent := range accents {
		part := *whole
		if i < len(prons) {
			part.pron = prons[i]
		}
		if i > 0 {
			part.chain = apart
		}
		part.text = rest
		if i+1 < len(accents) && i < len(originals) {
			part.text = originals[i]
			rest = rest[min(len(rest), len(part.text)):]
		}
		acc, moras, _ := strings.Cut(accent, "/")
		part.acc, part.moras = number(acc), number(moras)
		s.push(&part)
	}
}

// number reads the digits at the start of a text, as C's atoi does.
func number(text string) int {
	digits := strings.TrimPrefix(text, "-")
	n := 0
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' || n > 1000 {
			break
		}
		n = 10*n + int(c-'0')
	}
	if len(digits) < len(text) {
		return -n
	}
	return n
}
