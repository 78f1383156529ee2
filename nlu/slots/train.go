package slots

import (
	"cmp"
	"math"
	"slices"

	"annai/nlu/datetime"
)

// An Example is an utterance with its slots, from which [Train] learns.
type Example struct {
	Text  string
	Times []datetime.Expression // those that [datetime.Parse] finds in Text
	// Slots are its details; nil, unlike an empty slice, teaches nothing about slots.
	Slots []Slot
	// Operation is what it wants done; empty teaches nothing about operations.
	Operation Operation
	// SlotWeight and OperationWeight say how much it counts. Zero is 1.
	SlotWeight, OperationWeight float64
}

// Train learns from examples in a language and returns the weights in the form in which they are built in. The same examples
// always give the same bytes.
func Train(lang string, examples []Example) []byte {
	var slots, commands lessons
	for _, e := range examples {
		r := read(e.Text, lang, e.Times)
		if len(r.tokens) == 0 {
			continue
		}
		if e.Slots != nil {
			slots.add(tokenFeatures(r), labelsOf(r, e.Slots), cmp.Or(e.SlotWeight, 1))
		}
		if n := slices.Index(operations[:], e.Operation); n >= 0 {
			f := featurer{}
			f.command(r)
			commands.add([][]uint32{f.hashes}, []label{begin(n)}, cmp.Or(e.OperationWeight, 1))
		}
	}
	return appendModel(nil, &Model{
		lang:       lang,
		tagger:     slots.learn(slotSetting),
		operations: commands.learn(operationSetting),
	})
}

// setting is how a model is learned, chosen by cross-validation on what it is learned from.
type setting struct {
	schedule
	// features and weights are how many are kept, the largest. With only the features kept it is learned once more.
	features, weights int
}

var (
	slotSetting      = setting{schedule{epochs: 20, averaged: 12, rate: 0.1, decay: 0.3, left: 0.4, seed: 1}, 12000, 55000}
	operationSetting = setting{schedule{epochs: 20, averaged: 12, rate: 0.1, decay: 1, left: 0.5, seed: 1}, 4000, 9000}
)

// tokenFeatures are the features of all tokens.
func tokenFeatures(r *reading) [][]uint32 {
	features := make([][]uint32, len(r.tokens))
	for i := range features {
		f := featurer{}
		f.token(r, i)
		features[i] = f.hashes
	}
	return features
}

// labelsOf are the labels of a reading whose slots are known.
func labelsOf(r *reading, slots []Slot) []label {
	labels := make([]label, len(r.tokens))
	for _, s := range slots {
		n := slices.Index(types[:], s.Type)
		l := begin(n)
		for i, t := range r.tokens {
			if t.start >= s.Start && t.end <= s.End {
				labels[i] = l
				l = inside(n)
			}
		}
	}
	return labels
}

// lessons are sequences whose features are still hashes.
type lessons struct {
	hashes    [][][]uint32
	sequences []sequence
	count     map[uint32]int
}

func (l *lessons) add(features [][]uint32, labels []label, weight float64) {
	if l.count == nil {
		l.count = map[uint32]int{}
	}
	for _, token := range features {
		for _, h := range token {
			l.count[h]++
		}
	}
	l.hashes = append(l.hashes, features)
	l.sequences = append(l.sequences, sequence{labels: labels, weight: weight})
}

// rare is how often a feature must be there to be learned.
const rare = 2

// number gives every feature that is not too rare a number, in order of appearance, and returns their hashes.
func (l *lessons) number() []uint32 {
	numbers := map[uint32]int32{}
	var hashes []uint32
	for n, features := range l.hashes {
		l.sequences[n].features = make([][]int32, len(features))
		for i, token := range features {
			for _, h := range token {
				if l.count[h] < rare {
					continue
				}
				k, ok := numbers[h]
				if !ok {
					k = int32(len(hashes))
					numbers[h] = k
					hashes = append(hashes, h)
				}
				l.sequences[n].features[i] = append(l.sequences[n].features[i], k)
			}
		}
	}
	return hashes
}

// learn fits weights to the lessons, twice: with all features, and with those that then count most.
func (l *lessons) learn(s setting) *weights {
	hashes := l.number()
	f := newField(len(hashes))
	f.train(l.sequences, s.schedule)
	hashes = l.choose(f, hashes, s.features)
	f = newField(len(hashes))
	f.train(l.sequences, s.schedule)
	return f.round(hashes, s.weights)
}

// round makes bytes of the weights of a field, drops all but the largest, and sorts the features.
func (f *field) round(hashes []uint32, keep int) *weights {
	w := &weights{unit: f.unit(), first: []uint32{0}}
	least := f.least(w.unit, keep)
	order := make([]int, len(hashes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(hashes[a], hashes[b]) })
	for _, k := range order {
		before := len(w.cells)
		for l := range numLabels {
			if v := rounded(f.weights[k*numLabels+l], w.unit); v >= least || v <= -least {
				w.cells = append(w.cells, cell{uint8(l), int8(v)})
			}
		}
		if len(w.cells) > before {
			w.hashes = append(w.hashes, hashes[k])
			w.first = append(w.first, uint32(len(w.cells)))
		}
	}
	for k, p := range f.pairs {
		w.pairs[k] = int16(math.Round(max(-math.MaxInt16, min(math.MaxInt16, p/w.unit))))
	}
	w.index()
	return w
}

// unit is what a byte of one stands for: nearly all weights fit into a byte then. Of no weights it is one.
func (f *field) unit() float64 {
	if len(f.weights) == 0 {
		return 1
	}
	sizes := make([]float64, len(f.weights))
	for i, w := range f.weights {
		sizes[i] = math.Abs(w)
	}
	slices.Sort(sizes)
	return sizes[len(sizes)-1-len(sizes)/20000] / math.MaxInt8
}

func rounded(w, unit float64) int {
	return int(math.Round(max(-math.MaxInt8, min(math.MaxInt8, w/unit))))
}

// least is the size below which weights are dropped so that keep remain at most.
func (f *field) least(unit float64, keep int) int {
	var counts [math.MaxInt8 + 1]int
	for _, w := range f.weights {
		counts[max(rounded(w, unit), -rounded(w, unit))]++
	}
	least := math.MaxInt8 + 1
	for least > 1 && keep >= counts[least-1] {
		least--
		keep -= counts[least]
	}
	return least
}

// choose keeps the features that have the largest weights, and returns their hashes.
func (l *lessons) choose(f *field, hashes []uint32, keep int) []uint32 {
	sizes := make([]float64, len(hashes))
	order := make([]int, len(hashes))
	for k := range hashes {
		order[k] = k
		for _, w := range f.weights[k*numLabels:][:numLabels] {
			sizes[k] = max(sizes[k], math.Abs(w))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	order = order[:min(keep, len(order))]
	numbers := make([]int32, len(hashes)) // from 1; 0 is for those that go
	kept := make([]uint32, len(order))
	for n, k := range order {
		numbers[k], kept[n] = int32(n)+1, hashes[k]
	}
	for _, q := range l.sequences {
		for i, features := range q.features {
			n := 0
			for _, k := range features {
				if numbers[k] > 0 {
					features[n] = numbers[k] - 1
					n++
				}
			}
			q.features[i] = features[:n]
		}
	}
	return kept
}
