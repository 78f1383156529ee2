package danger

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"annai/internal/matrix"
	"annai/internal/tensorfile"
	"annai/internal/unigram"
)

const (
	longest = 64 // pieces of an utterance that are read, the last of it
	// rowsBefore and rowsAfter are for windows and tiles that reach beyond the first and the last piece.
	rowsBefore = 2
	rowsAfter  = 2 + matrix.TileRows
	rows       = longest + 2
)

// Every piece is seen with its neighbours, in windows of three sizes; left says how many of them come before it.
var (
	orders = [3]int{2, 3, 5}
	left   = [3]int{0, 1, 2}
)

// A network is a small convolutional network over the pieces of an utterance: that of rag/embedded, begun with its
// weights and learnt further, with a layer that decides behind it.
type network struct {
	tokenizer          *unigram.Tokenizer
	embeddings, scales string // u4 and f16
	windows            [len(orders)]window
	gain, shift        []float32
	pooled             matrix.Matrix    // of the sum of the features of all pieces
	sentence           [6]matrix.Matrix // what makes a vector of that: d0, d1, p1, d2, d3, p3
	inside, out        matrix.Matrix
	epsilon            float32
	multiply           matrix.Tile
	memory             sync.Pool // of *scratch
}

// A window is one of the ways to look at neighbours.
type window struct {
	left              int
	project           matrix.Matrix
	gain, shift       []float32
	convolve, combine matrix.Matrix
}

func newNetwork(f *tensorfile.File, h header) *network {
	n := &network{tokenizer: unigram.New(f, h.Vocab, h.UnkPenalty), epsilon: h.Epsilon, multiply: matrix.FastestTile()}
	n.embeddings = f.Tensor("emb.q", "u4", h.Vocab, dimension).Data
	n.scales = f.Tensor("emb.s", "f16", h.Vocab, dimension/block).Data
	for i, order := range orders {
		name := func(format string) string { return fmt.Sprintf(format, order) }
		n.windows[i] = window{
			left:     left[i],
			project:  newMatrix(f, name("proj%d"), dimension, channels),
			gain:     f.Floats(name("ln%d.g"), channels),
			shift:    f.Floats(name("ln%d.b"), channels),
			convolve: newMatrix(f, name("conv%da"), order*channels, channels),
			combine:  newMatrix(f, name("conv%db"), order*channels, channels),
		}
	}
	n.gain, n.shift = f.Floats("ln.g", features), f.Floats("ln.b", features)
	n.pooled = newMatrix(f, "cnn", features, dimension)
	n.sentence = [...]matrix.Matrix{
		newMatrix(f, "d0", dimension, hidden), newMatrix(f, "d1", hidden, hidden),
		newMatrix(f, "p1", dimension, hidden),
		newMatrix(f, "d2", hidden, dimension), newMatrix(f, "d3", dimension, dimension),
		newMatrix(f, "p3", hidden, dimension),
	}
	n.inside, n.out = newMatrix(f, "inside", 2*features+dimension, inside), newMatrix(f, "out", inside, outputs)
	n.memory.New = func() any { return newScratch() }
	return n
}

// A scratch is the memory of one computation.
type scratch struct {
	f      []float32 // a row per piece: its embedding, then what each window made of it
	x, h   []float32 // a row per piece; those before the first stay zero
	sum    []float32
	pooled []float32 // mean and greatest of each feature, and the vector of the sentence
	inside []float32
	out    [outputs]float32
}

func newScratch() *scratch {
	const all = rowsBefore + rows + rowsAfter
	return &scratch{
		f: make([]float32, (rows+rowsAfter)*features),
		x: make([]float32, all*channels), h: make([]float32, all*channels),
		sum: make([]float32, features), pooled: make([]float32, 2*features+dimension), inside: make([]float32, inside),
	}
}

// logits computes what each class weighs; the first is that of no danger.
func (n *network) logits(utterance string) []float32 {
	s := n.memory.Get().(*scratch)
	defer n.memory.Put(s)
	ids := n.tokens(utterance)
	n.features(ids, s)
	n.pool(len(ids), s)
	n.inside.Apply(n.multiply, s.pooled, 0, 1, s.inside, 0)
	for i, x := range s.inside {
		s.inside[i] = x * 0.5 * float32(math.Erfc(-float64(x)/math.Sqrt2))
	}
	n.out.Apply(n.multiply, s.inside, 0, 1, s.out[:], 0)
	return append([]float32(nil), s.out[:len(classes)]...)
}

// tokens returns the pieces of an utterance in lower case, between a beginning and an end.
func (n *network) tokens(utterance string) []int32 {
	ids := []int32{unigram.Begin, unigram.End}
	if text := strings.ToLower(n.tokenizer.Normalize(utterance)); text != "" {
		ids = n.tokenizer.Tokens(text)
	}
	if len(ids) > rows {
		ids = append([]int32{unigram.Begin}, ids[len(ids)-longest-1:]...)
	}
	return ids
}

// features computes the rows of f, one per piece.
func (n *network) features(ids []int32, s *scratch) {
	for t, id := range ids {
		n.embedding(id, s.f[t*features:][:dimension])
	}
	const start = rowsBefore * channels
	end := start + len(ids)*channels
	for i := range n.windows {
		w := &n.windows[i]
		w.project.Apply(n.multiply, s.f, features, len(ids), s.x[start:], channels)
		for at := start; at < end; at += channels {
			matrix.Normalize(s.x[at:at+channels], w.gain, w.shift, n.epsilon)
		}
		clear(s.x[end:][:rowsAfter*channels])
		clear(s.h[end:][:rowsAfter*channels])
		w.convolve.Apply(n.multiply, s.x[start-w.left*channels:], channels, len(ids), s.h[start:], channels)
		matrix.ReLU(s.h[start:end])
		matrix.Add(s.h[start:end], s.x[start:end])
		column := dimension + i*channels
		w.combine.Apply(n.multiply, s.h[start-w.left*channels:], channels, len(ids), s.f[column:], features)
		for t := range ids {
			c := s.f[t*features+column:][:channels]
			matrix.ReLU(c)
			matrix.Add(c, s.h[start+t*channels:])
		}
	}
	for t := range ids {
		matrix.Normalize(s.f[t*features:][:features], n.gain, n.shift, n.epsilon)
	}
}

// embedding writes the embedding of a piece.
//
//go:norace
func (n *network) embedding(id int32, to []float32) {
	values := n.embeddings[int(id)*dimension/2:]
	scales := n.scales[int(id)*dimension/block*2:]
	for b := range dimension / block {
		scale := matrix.Half(uint16(scales[2*b]) | uint16(scales[2*b+1])<<8)
		for i := b * block; i < (b+1)*block; i += 2 {
			pair := values[i/2]
			to[i] = (float32(pair&15) - 7.5) * scale
			to[i+1] = (float32(pair>>4) - 7.5) * scale
		}
	}
}

// pool writes what is known of the whole utterance: the mean of each feature, half of its greatest value, and the
// vector of the sentence.
func (n *network) pool(tokens int, s *scratch) {
	clear(s.sum)
	greatest := s.pooled[features : 2*features]
	copy(greatest, s.f[:features])
	for t := range tokens {
		row := s.f[t*features:][:features]
		matrix.Add(s.sum, row)
		for i, v := range row {
			greatest[i] = max(greatest[i], v)
		}
	}
	for i, v := range s.sum {
		s.pooled[i] = v / float32(tokens)
		greatest[i] *= 0.5
	}
	n.vector(tokens, s)
}

// vector computes the vector of the sentence from the sum of the features of its pieces.
func (n *network) vector(tokens int, s *scratch) {
	var m, extra [dimension]float32
	var y0, y1 [hidden]float32
	once := func(w *matrix.Matrix, x, y []float32) { w.Apply(n.multiply, x, 0, 1, y, 0) }
	once(&n.pooled, s.sum, m[:]) // with its bias once
	root := float32(math.Sqrt(float64(tokens)))
	for i, b := range n.pooled.Bias {
		m[i] = (m[i] + float32(tokens-1)*b) / root
	}
	once(&n.sentence[0], m[:], y0[:])
	matrix.ReLU(y0[:])
	once(&n.sentence[1], y0[:], y1[:])
	once(&n.sentence[2], m[:], extra[:])
	matrix.Add(y1[:], extra[:])
	matrix.ReLU(y1[:])
	once(&n.sentence[3], y1[:], m[:])
	matrix.ReLU(m[:])
	out := s.pooled[2*features:]
	once(&n.sentence[4], m[:], out)
	once(&n.sentence[5], y1[:], extra[:])
	squares := 0.0
	for i := range out {
		out[i] = float32(math.Tanh(float64(out[i] + extra[i])))
		squares += float64(out[i]) * float64(out[i])
	}
	scale := float32(8 / math.Sqrt(max(squares, 1e-24)))
	for i := range out {
		out[i] *= scale
	}
}
