package embedded

import (
	"context"
	"fmt"
	"math"

	"annai/internal/fault"
	"annai/internal/matrix"
	"annai/rag"
)

// The network that this package knows.
const (
	dimension = 512
	channels  = 256
	features  = dimension + 3*channels
	hidden    = 320
	block     = 64 // elements of an embedding that share a scale
)

// Every token is seen with its neighbours, in windows of three sizes; left says how many of them come before it.
var (
	orders = []int{2, 3, 5}
	left   = []int{0, 1, 2}
)

const (
	// halo is how many tokens on each side can change what becomes of a token: the widest window reaches two, twice.
	halo = 4
	// A section is what is computed at once; longer texts are computed in sections, each with its
	// halo. This is how many tokens it usually has.
	section = 128
	// rowsBefore and rowsAfter are for windows and tiles that reach beyond the first and the last token.
	rowsBefore = 2
	rowsAfter  = 2 + matrix.TileRows
)

type network struct {
	embeddings, scales string // u4 and f16
	windows            [3]window
	gain, shift        []float32
	cnn                matrix.Matrix
	cnnBias            []float32 // counts once per token
	d0, d1, p1         matrix.Matrix
	d2, d3, p3         matrix.Matrix
	epsilon            float32
}

// A window is one of the ways to look at neighbours.
type window struct {
	left              int
	project           matrix.Matrix
	gain, shift       []float32
	convolve, combine matrix.Matrix
}

func newNetwork(c *container) network {
	n := network{epsilon: c.Epsilon}
	n.embeddings = c.Tensor("emb.q", "u4", c.Vocab, dimension).Data
	n.scales = c.Tensor("emb.s", "f16", c.Vocab, dimension/block).Data
	for i, order := range orders {
		name := func(format string) string { return fmt.Sprintf(format, order) }
		n.windows[i] = window{
			left:     left[i],
			project:  c.biased(name("proj%d"), dimension, channels),
			gain:     c.Floats(name("ln%d.g"), channels),
			shift:    c.Floats(name("ln%d.b"), channels),
			convolve: c.biased(name("conv%da"), order*channels, channels),
			combine:  c.biased(name("conv%db"), order*channels, channels),
		}
	}
	n.gain, n.shift = c.Floats("ln.g", features), c.Floats("ln.b", features)
	n.cnn, n.cnnBias = c.matrix("cnn", features, dimension), c.Floats("cnn.b", dimension)
	n.d0, n.d1, n.p1 = c.matrix("d0", dimension, hidden), c.matrix("d1", hidden, hidden),
		c.matrix("p1", dimension, hidden)
	n.d2, n.d3, n.p3 = c.matrix("d2", hidden, dimension), c.matrix("d3", dimension, dimension),
		c.matrix("p3", hidden, dimension)
	return n
}

// A scratch is the memory of one computation.
type scratch struct {
	section int
	f       []float32 // a row per token: its embedding, then what each window made of it
	x, h    []float32 // a row per token; those before the first stay zero
	sum     []float32
}

func newScratch(section int) *scratch {
	rows := section + 2*halo + rowsAfter
	return &scratch{
		section: section,
		f:       make([]float32, rows*features),
		x:       make([]float32, (rowsBefore+rows)*channels),
		h:       make([]float32, (rowsBefore+rows)*channels),
		sum:     make([]float32, features),
	}
}

// embed returns the vector of the text with these tokens.
func (n *network) embed(ctx context.Context, multiply matrix.Tile, ids []int32, s *scratch) (rag.Vector, error) {
	clear(s.sum)
	for from := 0; from < len(ids); from += s.section {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%w: %w", fault.ErrUnavailable, err)
		}
		to := min(from+s.section, len(ids))
		first := max(from-halo, 0)
		n.features(multiply, ids[first:min(to+halo, len(ids))], s)
		for t := from - first; t < to-first; t++ {
			row := s.f[t*features:][:features]
			matrix.Normalize(row, n.gain, n.shift, n.epsilon)
			matrix.Add(s.sum, row)
		}
	}
	return n.output(multiply, s.sum, len(ids))
}

// features computes the rows of f, one per token.
func (n *network) features(multiply matrix.Tile, ids []int32, s *scratch) {
	for t, id := range ids {
		n.embedding(id, s.f[t*features:][:dimension])
	}
	const start = rowsBefore * channels
	end := start + len(ids)*channels
	for i := range n.windows {
		w := &n.windows[i]
		w.project.Apply(multiply, s.f, features, len(ids), s.x[start:], channels)
		for at := start; at < end; at += channels {
			matrix.Normalize(s.x[at:at+channels], w.gain, w.shift, n.epsilon)
		}
		clear(s.x[end:][:rowsAfter*channels])
		clear(s.h[end:][:rowsAfter*channels])
		w.convolve.Apply(multiply, s.x[start-w.left*channels:], channels, len(ids), s.h[start:], channels)
		matrix.ReLU(s.h[start:end])
		matrix.Add(s.h[start:end], s.x[start:end])
		column := dimension + i*channels
		w.combine.Apply(multiply, s.h[start-w.left*channels:], channels, len(ids), s.f[column:], features)
		for t := range ids {
			c := s.f[t*features+column:][:channels]
			matrix.ReLU(c)
			matrix.Add(c, s.h[start+t*channels:])
		}
	}
}

// output computes what is left once the features of all tokens are added up.
func (n *network) output(multiply matrix.Tile, sum []float32, tokens int) (rag.Vector, error) {
	var m, extra [dimension]float32
	var y0, y1 [hidden]float32
	once := func(w *matrix.Matrix, x, y []float32) { w.Apply(multiply, x, 0, 1, y, 0) }

	once(&n.cnn, sum, m[:])
	root := float32(math.Sqrt(float64(tokens)))
	for i, b := range n.cnnBias {
		m[i] = (m[i] + float32(tokens)*b) / root
	}
	once(&n.d0, m[:], y0[:])
	matrix.ReLU(y0[:])
	once(&n.d1, y0[:], y1[:])
	once(&n.p1, m[:], extra[:])
	matrix.Add(y1[:], extra[:])
	matrix.ReLU(y1[:])
	once(&n.d2, y1[:], m[:])
	matrix.ReLU(m[:])
	out := make(rag.Vector, dimension)
	once(&n.d3, m[:], out)
	once(&n.p3, y1[:], extra[:])
	matrix.Add(out, extra[:])
	return unit(out)
}

// unit takes the hyperbolic tangent of every value and makes the vector of unit length.
//
//go:norace
func unit(v rag.Vector) (rag.Vector, error) {
	var squares float64
	for i, x := range v {
		v[i] = float32(math.Tanh(float64(x)))
		squares += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] *= float32(1 / math.Sqrt(squares))
	}
	if !v.IsUnit() {
		return nil, fmt.Errorf("the model gives no direction for it: %w", fault.ErrInvalid)
	}
	return v, nil
}

// embedding writes the embedding of a token.
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
