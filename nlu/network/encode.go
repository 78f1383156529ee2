package network

import (
	"math"

	"annai/internal/matrix"
)

const (
	rows      = positions + matrix.TileRows // tiles may read beyond the last token
	width     = dimension / attention       // of a head of attention
	columns   = (positions + matrix.TileColumns - 1) / matrix.TileColumns * matrix.TileColumns
	triple    = 3 * dimension
	gelus     = 4096 // entries of the table of the activation
	geluRange = 8.0  // beyond which it is its argument, or zero
)

// A scratch is the memory of one reading.
type scratch struct {
	input    input
	x, y     []float32 // a row per token: what became of it, and what is added to that
	attend   []float32 // a row per token: query, key and value
	inner    []float32
	scores   []float32 // a row per token that looks, a column per token that is looked at
	panel    []float32 // keys or values of a head of attention, as a tile reads them
	pooled   []float32
	inside   []float32
	logits   []float32
	attended []float32
	sums     [matrix.TileRows * matrix.TileColumns]float32
}

func newScratch() *scratch {
	return &scratch{
		x: make([]float32, rows*dimension), y: make([]float32, rows*dimension), attended: make([]float32, rows*dimension),
		attend: make([]float32, rows*triple), inner: make([]float32, rows*inner),
		scores: make([]float32, rows*columns), panel: make([]float32, columns*width),
		pooled: make([]float32, 2*dimension), inside: make([]float32, inside),
	}
}

// logits computes what each label of each decision weighs.
func (n *Network) logits(s *scratch) []float32 {
	w := &n.weights
	count := len(s.input.ids)
	for t, id := range s.input.ids {
		n.embed(id, t, s.input.segments[t], s.x[t*dimension:][:dimension])
	}
	for i := range w.layers {
		looking := count
		if i == len(w.layers)-1 {
			looking = s.input.own // nobody asks what becomes of the others
		}
		n.layer(&w.layers[i], s, count, looking)
	}
	copy(s.pooled, s.x[:dimension])
	mean := s.pooled[dimension:]
	clear(mean)
	for t := 1; t < s.input.own; t++ {
		matrix.Add(mean, s.x[t*dimension:])
	}
	for i := range mean {
		mean[i] /= float32(s.input.own - 1)
	}
	w.inside.Apply(n.multiply, s.pooled, 0, 1, s.inside, 0)
	activate(s.inside)
	if s.logits == nil {
		s.logits = make([]float32, w.heads.Out)
	}
	w.heads.Apply(n.multiply, s.inside, 0, 1, s.logits, 0)
	return s.logits
}

// embed writes what a token is before the first layer: its piece, or the ask that it stands for,
// with its place and its part.
//
//go:norace
func (n *Network) embed(id int32, place int, segment uint8, to []float32) {
	w := &n.weights
	if ask := int(id) - n.about.Vocab; ask >= 0 {
		copy(to, w.asks[ask*dimension:])
	} else {
		values, scales := w.embeddings[int(id)*dimension/2:], w.scales[int(id)*dimension/block*2:]
		for b := range dimension / block {
			scale := matrix.Half(uint16(scales[2*b]) | uint16(scales[2*b+1])<<8)
			for i := b * block; i < (b+1)*block; i += 2 {
				pair := values[i/2]
				to[i] = (float32(pair&15) - 8) * scale
				to[i+1] = (float32(pair>>4) - 8) * scale
			}
		}
	}
	matrix.Add(to, w.positions[place*dimension:])
	matrix.Add(to, w.segments[int(segment)*dimension:])
	matrix.Normalize(to, w.norm.gain, w.norm.shift, n.about.Epsilon)
}

// layer computes a layer for the first tokens, those that are looking, of count.
func (n *Network) layer(l *layer, s *scratch, count, looking int) {
	l.attend.Apply(n.multiply, s.x, dimension, count, s.attend, triple)
	for h := range attention {
		n.attention(s, h*width, count, looking)
	}
	l.attended.Apply(n.multiply, s.attended, dimension, looking, s.y, dimension)
	n.addAndNormalize(s, &l.attendedNorm, looking)
	l.widen.Apply(n.multiply, s.x, dimension, looking, s.inner, inner)
	activate(s.inner[:looking*inner])
	l.narrow.Apply(n.multiply, s.inner, inner, looking, s.y, dimension)
	n.addAndNormalize(s, &l.norm, looking)
}

func (n *Network) addAndNormalize(s *scratch, to *norm, count int) {
	matrix.Add(s.x[:count*dimension], s.y)
	for t := range count {
		matrix.Normalize(s.x[t*dimension:][:dimension], to.gain, to.shift, n.about.Epsilon)
	}
}

// attention lets the first tokens look at all, with the head of attention whose values begin at a
// column.
//
//go:norace
func (n *Network) attention(s *scratch, at, count, looking int) {
	for from := 0; from < count; from += matrix.TileColumns {
		keys := s.panel[:width*matrix.TileColumns]
		clear(keys)
		for c := range min(matrix.TileColumns, count-from) {
			for i, k := range s.attend[(from+c)*triple+dimension+at:][:width] {
				keys[i*matrix.TileColumns+c] = k
			}
		}
		n.product(s, s.attend[at:], triple, looking, keys, width, s.scores[from:], columns)
	}
	scale := float32(1 / math.Sqrt(width))
	for t := range looking {
		softmax(s.scores[t*columns:][:count], scale)
	}
	for part := 0; part < width; part += matrix.TileColumns {
		values := s.panel[:count*matrix.TileColumns]
		for t := range count {
			copy(values[t*matrix.TileColumns:][:matrix.TileColumns], s.attend[t*triple+2*dimension+at+part:])
		}
		n.product(s, s.scores, columns, looking, values, count, s.attended[at+part:], dimension)
	}
}

// product multiplies rows of x with one panel of inner rows, and writes [matrix.TileColumns]
// numbers to each row of y.
//
//go:norace
func (n *Network) product(
	s *scratch, x []float32, stride, rows int, panel []float32, inner int, y []float32, yStride int,
) {
	for from := 0; from < rows; from += matrix.TileRows {
		some := min(matrix.TileRows, rows-from)
		n.attend(x[from*stride:], stride, some, panel, inner, &s.sums)
		for r := range some {
			copy(y[(from+r)*yStride:][:matrix.TileColumns], s.sums[r*matrix.TileColumns:])
		}
	}
}

// softmax makes shares of scores.
//
//go:norace
func softmax(scores []float32, scale float32) {
	highest := scores[0]
	for _, v := range scores {
		highest = max(highest, v)
	}
	var sum float32
	for i, v := range scores {
		scores[i] = exp((v - highest) * scale)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}

// exp is e to the power of a number that is not positive, to five digits.
//
//go:norace
func exp(x float32) float32 {
	if !(x > -87) {
		return 0
	}
	x *= math.Log2E
	whole := float32(int32(x - 0.5)) // rounded: x is not positive
	x -= whole
	p := 1 + x*(0.6931472+x*(0.2402265+x*(0.05550411+x*(0.009618129+x*(0.0013333558+x*0.00015403530)))))
	return p * math.Float32frombits(uint32(int32(whole)+127)<<23)
}

// gelu is the activation x * Phi(x) from -geluRange to geluRange.
var gelu = func() (table [gelus + 1]float32) {
	for i := range table {
		x := geluRange * (2*float64(i)/gelus - 1)
		table[i] = float32(x * 0.5 * math.Erfc(-x/math.Sqrt2))
	}
	return table
}()

// activate takes the activation of each number, between two entries of its table.
//
//go:norace
func activate(values []float32) {
	for i, x := range values {
		at := (x + geluRange) * (gelus / (2 * geluRange))
		if !(at > 0) { // far below, or no number
			values[i] = 0
			continue
		}
		if at < gelus {
			whole := int(at)
			low, high := gelu[whole], gelu[whole+1]
			values[i] = low + (at-float32(whole))*(high-low)
		}
	}
}
