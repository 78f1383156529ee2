package embedded

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/internal/encoder"
	"annai/internal/matrix"
	"annai/rag"
)

// A reference computes the network as its description says it: in double precision, token by token,
// with no tiles and no sections.
type reference struct{ c *container }

// times is x * NAME.w, and NAME.b where there is one.
func (r reference) times(name string, x []float64) []float64 {
	t := r.c.Tensors[name+".w"]
	y := make([]float64, t.Shape[1])
	for i, v := range x {
		for o := range y {
			y[o] += v * float64(int8(t.Data[i*len(y)+o])) * float64(t.Scale)
		}
	}
	if b, ok := r.c.Tensors[name+".b"]; ok && name != "cnn" {
		for o, v := range r.c.Floats(b.Name, len(y)) {
			y[o] += float64(v)
		}
	}
	return y
}

func (r reference) normalized(name string, x []float64) []float64 {
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	gain, shift := r.c.Floats(name+".g", len(x)), r.c.Floats(name+".b", len(x))
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = (v-mean)/math.Sqrt(variance+float64(r.c.Epsilon))*float64(gain[i]) + float64(shift[i])
	}
	return y
}

// convolved is relu(window(x) * NAME.w + NAME.b) + x.
func (r reference) convolved(name string, x [][]float64, n, left int) [][]float64 {
	y := make([][]float64, len(x))
	for t := range x {
		var window []float64
		for k := t - left; k < t-left+n; k++ {
			if k < 0 || k >= len(x) {
				window = append(window, make([]float64, channels)...)
			} else {
				window = append(window, x[k]...)
			}
		}
		y[t] = plus(positive(r.times(name, window)), x[t])
	}
	return y
}

func positive(x []float64) []float64 {
	for i, v := range x {
		x[i] = max(v, 0)
	}
	return x
}

func plus(x, y []float64) []float64 {
	for i, v := range y {
		x[i] += v
	}
	return x
}

func (r reference) vector(ids []int32) rag.Vector {
	pieces := encoder.NewPieces(r.c.File, r.c.Vocab, r.c.UnkPenalty)
	f := make([][]float64, len(ids))
	for t, id := range ids {
		e := make([]float32, dimension)
		pieces.Embed(id, e)
		for _, v := range e {
			f[t] = append(f[t], float64(v))
		}
	}
	e := append([][]float64{}, f...)
	for i, name := range []string{"2", "3", "5"} {
		x := make([][]float64, len(ids))
		for t := range e {
			x[t] = r.normalized("ln"+name, r.times("proj"+name, e[t]))
		}
		h := r.convolved("conv"+name+"a", x, encoder.Orders[i], encoder.Left[i])
		for t, c := range r.convolved("conv"+name+"b", h, encoder.Orders[i], encoder.Left[i]) {
			f[t] = append(append([]float64{}, f[t]...), c...)
		}
	}
	sum := make([]float64, features)
	for t := range f {
		plus(sum, r.normalized("ln", f[t]))
	}
	m := r.times("cnn", sum)
	for i, b := range r.c.Floats("cnn.b", dimension) {
		m[i] = (m[i] + float64(len(ids))*float64(b)) / math.Sqrt(float64(len(ids)))
	}
	y1 := positive(plus(r.times("d1", positive(r.times("d0", m))), r.times("p1", m)))
	out := plus(r.times("d3", positive(r.times("d2", y1))), r.times("p3", y1))
	squares := 0.0
	for i, v := range out {
		out[i] = math.Tanh(v)
		squares += out[i] * out[i]
	}
	vector := make(rag.Vector, dimension)
	for i, v := range out {
		vector[i] = float32(v / math.Sqrt(squares))
	}
	return vector
}

// TestReference compares texts of one section and of several with the reference, and those of several with one.
func TestReference(t *testing.T) {
	c, m, err := read(file)
	if err != nil {
		t.Fatalf("read(the file inside): %v", err)
	}
	ids := m.tokens("図書館の入口は二階にあります。 The entrance is on the second floor, opposite the lift.")
	one, several := newScratch(section), newScratch(5)
	for _, ids := range [][]int32{ids, ids[:3]} { // the longer first, to leave its traces in the scratch
		want := reference{c}.vector(ids)
		got, err := m.network.embed(t.Context(), matrix.FastestTile(), ids, one)
		if err != nil {
			t.Fatalf("embed(%d tokens): %v", len(ids), err)
		}
		if gap := furthest(want, got); gap > 2e-5 {
			t.Errorf("vector of %d tokens is %.1e from the reference", len(ids), gap)
		}
		parts, err := m.network.embed(t.Context(), matrix.FastestTile(), ids, several)
		if diff := cmp.Diff(got, parts); err != nil || diff != "" {
			t.Errorf("vector of %d tokens in sections of 5 and in one differ (%v, -one +sections):\n%s", len(ids), err,
				diff)
		}
	}
}
