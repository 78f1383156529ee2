package slots

import (
	_ "embed"
	"math"
	"math/bits"
	"slices"
	"sync"
)

//go:generate go run ./generate ../../../shared/testdata/nlu/train

//go:embed data/weights_ja.bin
var weightsJapanese []byte

//go:embed data/weights_en.bin
var weightsEnglish []byte

// A Model is what was learned of a language. It is safe for concurrent use.
type Model struct {
	lang               string
	tagger, operations *weights
}

var japaneseModel = sync.OnceValue(func() *Model { return mustParse(weightsJapanese) })

var englishModel = sync.OnceValue(func() *Model { return mustParse(weightsEnglish) })

func modelOf(lang string) *Model {
	if lang == Japanese {
		return japaneseModel()
	}
	return englishModel()
}

// mustParse reads the weights that are built in. A test holds that they can be read.
func mustParse(data []byte) *Model {
	m, err := Load(data)
	if err != nil {
		panic(err)
	}
	return m
}

// A cell is the weight of a feature for one label.
type cell struct {
	label  uint8
	weight int8
}

// weights are those of a linear model: by feature and label, and by pairs of labels side by side.
type weights struct {
	unit  float64 // what a weight of one counts
	pairs [numPairs]int16
	// hashes are the features, sorted; the cells of feature n are cells[first[n]:first[n+1]].
	hashes []uint32
	first  []uint32
	cells  []cell
	// table finds a feature: at the first entry from its hash on that is its own, or nowhere if an empty one comes before.
	table []entry
	// rows are the weights of feature n for all labels, a byte each, with bias added.
	rows [][2]uint64
}

// entry is a place of the table: a feature and its number from 1, or 0.
type entry struct {
	hash   uint32
	number uint32
}

// index fills the table and the rows.
func (w *weights) index() {
	size := 1 << bits.Len(uint(len(w.hashes)*3/2+1))
	w.table = make([]entry, size)
	w.rows = make([][2]uint64, len(w.hashes))
	for n, h := range w.hashes {
		w.rows[n] = rowOf(w.cells[w.first[n]:w.first[n+1]])
		i := int(h) & (size - 1)
		for w.table[i].number != 0 {
			i = (i + 1) & (size - 1)
		}
		w.table[i] = entry{h, uint32(n) + 1}
	}
}

// rowOf is the row of a feature with these weights.
func rowOf(cells []cell) [2]uint64 {
	row := [2]uint64{bias * 0x0101010101010101, bias * 0x0101010101010101}
	for _, c := range cells {
		row[c.label/8] += uint64(int64(c.weight)) << (c.label % 8 * 8)
	}
	return row
}

// row returns the row of a feature, or nil.
func (w *weights) row(h uint32) *[2]uint64 {
	mask := len(w.table) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		e := w.table[i]
		switch {
		case e.number == 0:
			return nil
		case e.hash == h:
			return &w.rows[e.number-1]
		}
	}
}

// bias makes a weight a positive number, so that eight sums fit side by side into two words and do not run into each other.
const bias = 128

// evenBytes are every second byte of a word, as numbers of 16 bits.
const evenBytes = 0x00FF00FF00FF00FF

// add adds up the weights of features by label.
func (w *weights) add(features []uint32, sums *[numLabels]int32) {
	for len(features) > 0 {
		some := features[:min(len(features), math.MaxUint8)] // more could run over 16 bits
		features = features[len(some):]
		var lanes [4]uint64 // labels 0, 2, 4, 6, then 1, 3, 5, 7, then the same from 8 on
		found := int32(0)
		for _, h := range some {
			row := w.row(h)
			if row == nil {
				continue
			}
			found++
			lanes[0] += row[0] & evenBytes
			lanes[1] += row[0] >> 8 & evenBytes
			lanes[2] += row[1] & evenBytes
			lanes[3] += row[1] >> 8 & evenBytes
		}
		for l := range sums {
			lane := lanes[l/8*2+l%2] >> (l % 8 / 2 * 16) & math.MaxUint16
			sums[l] += int32(lane) - found*bias
		}
	}
}

// label returns the best sequence of labels for the tokens of a reading.
func (w *weights) label(r *reading) []label {
	n := len(r.tokens)
	var scores [2][numLabels]int32
	best, next := scores[0][:], scores[1][:]
	from := slices.Grow(r.from[:0], n*numLabels)[:n*numLabels]
	r.from = from
	f := &r.features
	for i := range n {
		f.hashes = f.hashes[:0]
		f.token(r, i)
		var row [numLabels]int32
		w.add(f.hashes, &row)
		w.step(i, best, next, row[:], from[i*numLabels:][:numLabels])
		best, next = next, best
	}
	last := 0
	for b, score := range best {
		if score > best[last] {
			last = b
		}
	}
	labels := make([]label, n)
	for i := n - 1; i >= 0; i-- {
		labels[i] = last
		last = int(from[i*numLabels+last])
	}
	return labels
}

// impossible is the score of a label that cannot stand there; it may be added to without running over.
const impossible = math.MinInt32 / 2

// step goes on from the best scores of the labels of token i-1 to those of token i, and notes for each where it came from.
func (w *weights) step(i int, best, next, row []int32, from []uint8) {
	for b := range next {
		next[b], from[b] = impossible, 0
		switch {
		case i == 0:
			if follows(startLabel, b) {
				next[b] = int32(w.pairs[startLabel*numLabels+b])
			}
		case isInside(b):
			for _, a := range [...]label{b - 1, b} {
				if score := best[a] + int32(w.pairs[a*numLabels+b]); score > next[b] {
					next[b], from[b] = score, uint8(a)
				}
			}
		default:
			for a, score := range best {
				if score += int32(w.pairs[a*numLabels+b]); score > next[b] {
					next[b], from[b] = score, uint8(a)
				}
			}
		}
		next[b] += row[b]
	}
}

// operation returns what a reading most likely wants done, and how likely that is.
func (m *Model) operation(r *reading) (Operation, float64) {
	f := &r.features
	f.hashes = f.hashes[:0]
	f.command(r)
	var row [numLabels]int32
	m.operations.add(f.hashes, &row)
	var scores [len(operations)]int32
	best, sum := 0, 0.0
	for n := range operations {
		l := begin(n)
		scores[n] = row[l] + int32(m.operations.pairs[startLabel*numLabels+l])
		if scores[n] > scores[best] {
			best = n
		}
	}
	for _, score := range scores {
		sum += exp(float64(score-scores[best]) * m.operations.unit)
	}
	return operations[best], 1 / sum
}
