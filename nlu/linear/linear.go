// Package linear tells short texts apart by their n-grams: runs of one to four characters, and
// words alone and in pairs.
//
// Its one idea: every n-gram that says something has a small number for every label; a text's
// numbers are added up, and the label with the highest sum is the best guess. An n-gram that was
// too rare in training says nothing. The sums are integers and the few operations on floats are in
// a fixed order, so that a text has the same score on every machine, and training on the same
// examples makes the same bytes.
//
// It knows no language and no meaning of a label. Texts come in one form: NFKC, in lower case.
package linear

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// A Model is a set of labels with their weights. It is safe for concurrent use.
type Model struct {
	labels []string
	// rows says of every bucket of n-grams where its weights stand: 0 for nowhere, else one more than the row.
	rows    []uint16
	weights []int8 // a row of len(labels) for each bucket that is kept
	// scale is by how much a weight of a label is multiplied, bias what is added.
	scale, bias []float32
	scratch     sync.Pool
}

// Labels are the labels in the order of the scores. They must not be changed.
func (m *Model) Labels() []string { return m.labels }

// Score puts the probability of every label into p, which has the length of [Model.Labels]. They add up to one.
func (m *Model) Score(text string, p []float32) {
	m.raw(text, p)
	softmax(p)
}

// Known is the share of a text's n-grams that the model knows, those of single characters aside and
// those of two with a Latin letter. Where it is low, scores say little.
func (m *Model) Known(text string) float32 {
	s := m.begin()
	defer m.scratch.Put(s)
	s.grams.read(text)
	known, all := 0, 0
	s.grams.each(func(g gram) {
		if !g.words && s.grams.isShort(g) {
			return
		}
		all++
		if m.rows[g.hash&bucketMask] > 0 {
			known++
		}
	})
	return float32(known) / float32(max(all, 1))
}

// raw puts the scores of the labels into z.
func (m *Model) raw(text string, z []float32) {
	s := m.begin()
	x := length(m.sum(s, text))
	for i, sum := range s.sums {
		z[i] = m.bias[i] + float32(float32(float32(sum)*m.scale[i])*x)
	}
	m.scratch.Put(s)
}

// scratch is what one scoring needs.
type scratch struct {
	grams grams
	seen  []uint64 // by row: whether it was added already
	sums  []int32
}

func (m *Model) begin() *scratch {
	s, ok := m.scratch.Get().(*scratch)
	if !ok {
		s = &scratch{seen: make([]uint64, len(m.weights)/len(m.labels)/64+1), sums: make([]int32, len(m.labels))}
	}
	clear(s.seen)
	clear(s.sums)
	return s
}

// sum adds up the weights of the text, each n-gram once, and returns how many it has.
func (m *Model) sum(s *scratch, text string) (n int) {
	s.grams.read(text)
	s.grams.each(func(g gram) {
		row := m.fresh(s, g)
		if row < 0 {
			return
		}
		n++
		weights := m.weights[row*len(m.labels) : (row+1)*len(m.labels)]
		for i, w := range weights {
			s.sums[i] += int32(w)
		}
	})
	return n
}

// fresh is the row of an n-gram that was not seen before in this text, or -1.
func (m *Model) fresh(s *scratch, g gram) int {
	row := int(m.rows[g.hash&bucketMask]) - 1
	if row < 0 || s.seen[row/64]&(1<<(row%64)) != 0 {
		return -1
	}
	s.seen[row/64] |= 1 << (row % 64)
	return row
}

// length is what the n-grams of a text with n of them count: long texts and short ones have the same weight.
func length(n int) float32 {
	if n == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(n)))
}

// softmax makes probabilities of scores.
func softmax(z []float32) {
	top, sum := slices.Max(z), float32(0)
	for i := range z {
		z[i] = exp(z[i] - top)
		sum += z[i]
	}
	for i := range z {
		z[i] /= sum
	}
}

// A Feature is an n-gram of a text with what it says for a label against another: the higher, the
// more. Words stand in quotes, the edges of the text are spaces.
type Feature struct {
	Gram   string
	Weight float32
}

// Explain returns the n-grams that tell most between two labels, those that weigh most first, at
// most n. Their weights are for the one and against the other.
func (m *Model) Explain(text string, label, against, n int) []Feature {
	s := m.begin()
	defer m.scratch.Put(s)
	var features []Feature
	s.grams.read(text)
	s.grams.each(func(g gram) {
		if row := m.fresh(s, g); row >= 0 {
			at := row * len(m.labels)
			weight := float32(m.weights[at+label])*m.scale[label] - float32(m.weights[at+against])*m.scale[against]
			features = append(features, Feature{Gram: s.grams.text(g), Weight: weight})
		}
	})
	x := length(len(features))
	for i := range features {
		features[i].Weight *= x
	}
	slices.SortStableFunc(features, func(a, b Feature) int { return cmp.Compare(abs(b.Weight), abs(a.Weight)) })
	return features[:min(n, len(features))]
}

func abs(x float32) float32 { return max(x, -x) }
