package network

import (
	"math"

	"annai/internal/encoder"
	"annai/internal/matrix"
)

const (
	rows      = most + matrix.TileRows // tiles may read beyond the last token
	width     = dimension / attention  // of a head of attention
	columns   = (most + matrix.TileColumns - 1) / matrix.TileColumns * matrix.TileColumns
	double    = 2 * dimension
	gelus     = 4096 // entries of the table of the activation
	geluRange = 8.0  // beyond which it is its argument, or zero
	// sentenceLength is that of the encoder's vector of an utterance.
	sentenceLength = 8
)

// A scratch is the memory of one reading.
type scratch struct {
	text        *encoder.Scratch
	own         []float32 // a row per token of the utterance, before anything is attended to
	x, y        []float32 // a row per token: what became of it, and what is computed of that
	query, keys []float32
	inner       []float32
	scores      []float32 // a row per token that looks, a column per token that is looked at
	panel       []float32 // keys or values of a head of attention, as a tile reads them
	sum         []float32
	pooled      []float32
	inside      []float32
	logits      []float32
	attended    []float32
	sums        [matrix.TileRows * matrix.TileColumns]float32
}

func newScratch() *scratch {
	return &scratch{
		text: encoder.NewScratch(max(positions, pointLongest)), own: make([]float32, positions*dimension),
		x: make([]float32, rows*dimension), y: make([]float32, rows*dimension),
		query: make([]float32, rows*dimension), keys: make([]float32, rows*double),
		attended: make([]float32, rows*dimension), inner: make([]float32, rows*inner),
		scores: make([]float32, rows*columns), panel: make([]float32, columns*width),
		sum: make([]float32, encoder.Features), pooled: make([]float32, pooled), inside: make([]float32, inside),
	}
}

// logits computes what each label of each decision weighs, for the utterance in its talk.
func (n *Network) logits(in input, s *scratch) []float32 {
	own, count := len(in.texts[0].ids), 0
	for i, t := range in.texts {
		n.embed(t, s.x[count*dimension:], s)
		if count += len(t.ids); i == 0 {
			copy(s.own, s.x[:own*dimension])
			s.pooledVector(&n.weights, n.multiply, own, s.pooled[3*dimension:])
		}
	}
	if in.ask >= 0 {
		x := s.x[count*dimension:][:dimension]
		copy(x, n.weights.asks[in.ask*dimension:])
		n.place(x, segmentSubject, 0)
		count++
	}
	for t, id := range in.texts[0].ids {
		n.match(id, in.texts[1:], s.x[t*dimension:][:dimension])
	}
	return n.decide(own, count, s)
}

// logitsAlone computes the same for the utterance without its talk, after logits.
func (n *Network) logitsAlone(in input, s *scratch) []float32 {
	own := len(in.texts[0].ids)
	copy(s.x, s.own[:own*dimension])
	return n.decide(own, own, s)
}

// embed writes what the pieces of a text are before any attention. Of the utterance, whose features
// are needed too, nothing is taken from what is known.
func (n *Network) embed(t text, to []float32, s *scratch) {
	w, key := &n.weights, keyOf(t.ids)
	to = to[:len(t.ids)*dimension]
	if t.segment == segmentUtterance || !n.known.get(key, to) {
		w.encoder.Features(n.multiply, n.vocabulary, t.ids, s.text)
		w.narrow.Apply(n.multiply, s.text.F, encoder.Features, len(t.ids), to, dimension)
		n.known.put(key, to)
	}
	for i := range t.ids {
		n.place(to[i*dimension:][:dimension], t.segment, i)
	}
}

func (n *Network) place(x []float32, segment, position int) {
	matrix.Add(x, n.weights.segments[segment*dimension:])
	matrix.Add(x, n.weights.positions[position*dimension:])
}

// match marks a piece of the utterance with the parts of the talk that it stands in too.
func (n *Network) match(id int32, texts []text, x []float32) {
	var found [matchParts]bool
	for _, t := range texts {
		part := min(t.segment, matchParts) - 1
		if !found[part] && n.matches(id, t) {
			found[part] = true
			matrix.Add(x, n.weights.matching[part*dimension:])
		}
	}
}

// decide lets the first tokens, those of the utterance, look at all of count, and decides.
func (n *Network) decide(own, count int, s *scratch) []float32 {
	w := &n.weights
	for i := range w.layers {
		looking := count
		if i == len(w.layers)-1 {
			looking = own // nobody asks what becomes of the others
		}
		n.layer(&w.layers[i], s, count, looking)
	}
	n.pool(own, s)
	w.inside.Apply(n.multiply, s.pooled, 0, 1, s.inside, 0)
	activate(s.inside)
	if s.logits == nil {
		s.logits = make([]float32, w.heads.Out)
	}
	w.heads.Apply(n.multiply, s.inside, 0, 1, s.logits, 0)
	return s.logits
}

// pool writes the first token, the mean of all, and half of the greatest value of each.
//
//go:norace
func (n *Network) pool(own int, s *scratch) {
	n.normalize(&n.weights.norm, s.x, s.y, own)
	copy(s.pooled, s.y[:dimension])
	mean, greatest := s.pooled[dimension:2*dimension], s.pooled[2*dimension:3*dimension]
	clear(mean)
	copy(greatest, s.y)
	for t := range own {
		row := s.y[t*dimension:][:dimension]
		matrix.Add(mean, row)
		for i, v := range row {
			greatest[i] = max(greatest[i], v)
		}
	}
	for i := range mean {
		mean[i] /= float32(own)
		greatest[i] *= 0.5
	}
}

// layer computes a layer for the first tokens, those that are looking, of count.
func (n *Network) layer(l *layer, s *scratch, count, looking int) {
	n.normalize(&l.attendNorm, s.x, s.y, count)
	l.query.Apply(n.multiply, s.y, dimension, looking, s.query, dimension)
	l.keys.Apply(n.multiply, s.y, dimension, count, s.keys, double)
	for h := range attention {
		n.attention(s, h*width, count, looking)
	}
	l.attended.Apply(n.multiply, s.attended, dimension, looking, s.y, dimension)
	matrix.Add(s.x[:looking*dimension], s.y)
	n.normalize(&l.norm, s.x, s.y, looking)
	l.widen.Apply(n.multiply, s.y, dimension, looking, s.inner, inner)
	activate(s.inner[:looking*inner])
	l.narrow.Apply(n.multiply, s.inner, inner, looking, s.y, dimension)
	matrix.Add(s.x[:looking*dimension], s.y)
}

// normalize writes the normalised first rows of x to y.
func (n *Network) normalize(with *norm, x, y []float32, count int) {
	copy(y, x[:count*dimension])
	for t := range count {
		matrix.Normalize(y[t*dimension:][:dimension], with.gain, with.shift, n.about.Epsilon)
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
			for i, k := range s.keys[(from+c)*double+at:][:width] {
				keys[i*matrix.TileColumns+c] = k
			}
		}
		n.product(s, s.query[at:], dimension, looking, keys, width, s.scores[from:], columns)
	}
	scale := float32(1 / math.Sqrt(width))
	for t := range looking {
		softmax(s.scores[t*columns:][:count], scale)
	}
	for part := 0; part < width; part += matrix.TileColumns {
		values := s.panel[:count*matrix.TileColumns]
		for t := range count {
			copy(values[t*matrix.TileColumns:][:matrix.TileColumns], s.keys[t*double+dimension+at+part:])
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
