package encoder

import (
	"fmt"
	"math"
	"slices"

	"annai/internal/matrix"
	"annai/internal/tensorfile"
)

const (
	channels = 256 // of a window
	// Features is how many values say what a piece is among its neighbours.
	Features = Dimension + 3*channels
	hidden   = 320 // width of what makes a vector of a sentence
	// rowsBefore and rowsAfter are for windows that reach beyond the first and the last piece.
	rowsBefore = 2
	rowsAfter  = 2
)

// Every piece is seen with its neighbours, in windows of three sizes: Orders; Left says how many of
// them come before it.
var (
	Orders = [3]int{2, 3, 5}
	Left   = [3]int{0, 1, 2}
)

// Layers are what is behind the embeddings: convolutions over the pieces of a text, and what makes
// a vector of the sum of what they find. They never change.
type Layers struct {
	windows     [len(Orders)]window
	gain, shift []float32
	epsilon     float32
	pooled      matrix.Matrix    // of the sum of the features of all pieces; its bias counts once a piece
	sentence    [6]matrix.Matrix // what makes a vector of that: d0, d1, p1, d2, d3, p3
}

// A window is one of the ways to look at neighbours.
type window struct {
	left              int
	project           matrix.Matrix
	gain, shift       []float32
	convolve, combine matrix.Matrix
}

// NewLayers reads the layers of a file. What is wrong is the file's error.
func NewLayers(f *tensorfile.File, epsilon float32) *Layers {
	l := &Layers{gain: f.Floats("ln.g", Features), shift: f.Floats("ln.b", Features), epsilon: epsilon}
	for i, order := range Orders {
		name := func(format string) string { return fmt.Sprintf(format, order) }
		l.windows[i] = window{
			left:     Left[i],
			project:  NewMatrix(f, name("proj%d"), Dimension, channels),
			gain:     f.Floats(name("ln%d.g"), channels),
			shift:    f.Floats(name("ln%d.b"), channels),
			convolve: NewMatrix(f, name("conv%da"), order*channels, channels),
			combine:  NewMatrix(f, name("conv%db"), order*channels, channels),
		}
	}
	l.pooled = NewMatrix(f, "cnn", Features, Dimension)
	l.sentence = [...]matrix.Matrix{
		NewMatrix(f, "d0", Dimension, hidden), NewMatrix(f, "d1", hidden, hidden),
		NewMatrix(f, "p1", Dimension, hidden),
		NewMatrix(f, "d2", hidden, Dimension), NewMatrix(f, "d3", Dimension, Dimension),
		NewMatrix(f, "p3", hidden, Dimension),
	}
	return l
}

// NewMatrix reads NAME.w, NAME.s, if its outputs have a scale each, and NAME.b, if there is a bias.
func NewMatrix(f *tensorfile.File, name string, in, out int) matrix.Matrix {
	t := f.Tensor(name+".w", "i8", in, out)
	scales := slices.Repeat([]float32{t.Scale}, out)
	if _, ok := f.Tensors[name+".s"]; ok {
		scales = f.Floats(name+".s", out)
	}
	if f.Err != nil {
		return matrix.Matrix{}
	}
	m := matrix.New(t.Data, in, out, scales)
	if _, ok := f.Tensors[name+".b"]; ok {
		m.Bias = f.Floats(name+".b", out)
	}
	return m
}

// A Scratch is the memory of one computation.
type Scratch struct {
	// F has a row of [Features] values per piece.
	F    []float32
	x, h []float32 // a row per piece; those before the first stay zero
}

// NewScratch returns memory for texts of as many pieces at most.
func NewScratch(pieces int) *Scratch {
	all := rowsBefore + pieces + rowsAfter
	return &Scratch{
		F: make([]float32, pieces*Features),
		x: make([]float32, all*channels), h: make([]float32, all*channels),
	}
}

// Features computes the rows of s.F, one per piece.
func (l *Layers) Features(multiply matrix.Tile, pieces *Pieces, ids []int32, s *Scratch) {
	for t, id := range ids {
		pieces.Embed(id, s.F[t*Features:][:Dimension])
	}
	const start = rowsBefore * channels
	end := start + len(ids)*channels
	for i := range l.windows {
		w := &l.windows[i]
		w.project.Apply(multiply, s.F, Features, len(ids), s.x[start:], channels)
		for at := start; at < end; at += channels {
			matrix.Normalize(s.x[at:at+channels], w.gain, w.shift, l.epsilon)
		}
		clear(s.x[end:][:rowsAfter*channels])
		clear(s.h[end:][:rowsAfter*channels])
		w.convolve.Apply(multiply, s.x[start-w.left*channels:], channels, len(ids), s.h[start:], channels)
		matrix.ReLU(s.h[start:end])
		matrix.Add(s.h[start:end], s.x[start:end])
		column := Dimension + i*channels
		w.combine.Apply(multiply, s.h[start-w.left*channels:], channels, len(ids), s.F[column:], Features)
		for t := range ids {
			c := s.F[t*Features+column:][:channels]
			matrix.ReLU(c)
			matrix.Add(c, s.h[start+t*channels:])
		}
	}
	for t := range ids {
		matrix.Normalize(s.F[t*Features:][:Features], l.gain, l.shift, l.epsilon)
	}
}

// Vector writes the vector of a text, of such a length, from the sum of the features of its pieces.
func (l *Layers) Vector(multiply matrix.Tile, sum []float32, pieces int, length float64, out []float32) {
	var m, extra [Dimension]float32
	var y0, y1 [hidden]float32
	once := func(w *matrix.Matrix, x, y []float32) { w.Apply(multiply, x, 0, 1, y, 0) }
	once(&l.pooled, sum, m[:])
	root := float32(math.Sqrt(float64(pieces)))
	for i, b := range l.pooled.Bias {
		m[i] = (m[i] + float32(pieces-1)*b) / root
	}
	once(&l.sentence[0], m[:], y0[:])
	matrix.ReLU(y0[:])
	once(&l.sentence[1], y0[:], y1[:])
	once(&l.sentence[2], m[:], extra[:])
	matrix.Add(y1[:], extra[:])
	matrix.ReLU(y1[:])
	once(&l.sentence[3], y1[:], m[:])
	matrix.ReLU(m[:])
	once(&l.sentence[4], m[:], out)
	once(&l.sentence[5], y1[:], extra[:])
	squares := 0.0
	for i := range out {
		out[i] = float32(math.Tanh(float64(out[i] + extra[i])))
		squares += float64(out[i]) * float64(out[i])
	}
	scale := float32(length / math.Sqrt(max(squares, 1e-24)))
	for i := range out {
		out[i] *= scale
	}
}
