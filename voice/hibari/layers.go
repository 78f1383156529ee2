package hibari

import (
	"context"
	"math"
	"runtime"
	"sync"

	"annai/internal/encoder"
	"annai/internal/matrix"
	"annai/internal/tensorfile"
)

// epsilon is added to the variance where rows are normalized.
const epsilon = 1e-5

// A norm gives rows mean 0 and variance 1, then a gain and a shift to each value.
type norm struct{ gain, shift []float32 }

func newNorm(f *tensorfile.File, name string, width int) norm {
	return norm{f.Floats(name+".g", width), f.Floats(name+".b", width)}
}

func (n norm) apply(row []float32) { matrix.Normalize(row, n.gain, n.shift, epsilon) }

// A linear is a linear step: it computes rows of y from rows of x, each stride after the one before.
type linear interface {
	apply(x []float32, stride, rows int, y []float32)
}

// A rounded is a [linear] whose weights are bytes.
type rounded struct{ matrix.Matrix }

func newRounded(f *tensorfile.File, name string, in, out int) *rounded {
	return &rounded{encoder.NewMatrix(f, name, in, out)}
}

func (r *rounded) apply(x []float32, stride, rows int, y []float32) {
	r.Apply(tile, x, stride, rows, y, r.Out)
}

var tile, floatTile = matrix.FastestTile(), matrix.FastestFloatTile()

// A dense is a [linear] whose weights are floats.
type dense struct {
	in, out int
	panels  []float32 // for each matrix.TileColumns outputs, input after input
	bias    []float32
}

func newDense(f *tensorfile.File, name string, in, out int) *dense {
	weights := halves(f.Tensor(name+".w", "f16", in, out).Data)
	d := &dense{in: in, out: out, panels: make([]float32, 0, in*out), bias: f.Floats(name+".b", out)}
	if f.Err != nil {
		return d
	}
	for o := 0; o < out; o += matrix.TileColumns {
		for i := range in {
			d.panels = append(d.panels, weights[i*out+o:][:matrix.TileColumns]...)
		}
	}
	return d
}

// halves are numbers of half precision.
func halves(bytes string) []float32 {
	out := make([]float32, len(bytes)/2)
	for i := range out {
		out[i] = matrix.Half(uint16(bytes[2*i]) | uint16(bytes[2*i+1])<<8)
	}
	return out
}

func (d *dense) apply(x []float32, stride, rows int, y []float32) {
	var sums [matrix.TileRows * matrix.TileColumns]float32
	for o := 0; o < d.out; o += matrix.TileColumns {
		panel, bias := d.panels[o*d.in:][:d.in*matrix.TileColumns], d.bias[o:][:matrix.TileColumns]
		for row := 0; row < rows; {
			n := 1
			if rows-row >= matrix.TileRows {
				n = matrix.TileRows
			}
			floatTile(x[row*stride:], stride, n, panel, d.in, &sums)
			for r := range n {
				to := y[(row+r)*d.out+o:][:matrix.TileColumns]
				for c, b := range bias {
					to[c] = sums[r*matrix.TileColumns+c] + b
				}
			}
			row += n
		}
	}
}

// A pair is two linear steps with a GELU between them.
type pair struct {
	width, hidden int
	up, down      linear
}

// add adds what a pair makes of rows of x to as many of y.
func (p *pair) add(x []float32, rows int, y []float32) {
	h, d := make([]float32, rows*p.hidden), make([]float32, rows*p.width)
	p.up.apply(x, p.width, rows, h)
	gelu(h)
	p.down.apply(h, p.hidden, rows, d)
	matrix.Add(y, d)
}

// A convolution looks at what is before and after each row: a ConvNeXt block.
type convolution struct {
	width, kernel, dilation int
	weights                 []float32 // kernel rows of width
	bias                    []float32
	norm                    norm
	pair                    pair
}

func newConvolution(f *tensorfile.File, name string, width, kernel, dilation, hidden int) convolution {
	return convolution{
		width: width, kernel: kernel, dilation: dilation,
		weights: f.Floats(name+".dw.w", kernel, width), bias: f.Floats(name+".dw.b", width),
		norm: newNorm(f, name+".norm", width),
		pair: pair{
			width, hidden, newRounded(f, name+".pw1", width, hidden), newRounded(f, name+".pw2", hidden, width),
		},
	}
}

// look writes what row t of x has around it.
func (c *convolution) look(x []float32, t int, to []float32) {
	copy(to, c.bias)
	for k := range c.kernel {
		at := t + (k-c.kernel/2)*c.dilation
		if at < 0 || at*c.width >= len(x) {
			continue
		}
		row, weights := x[at*c.width:][:len(to)], c.weights[k*c.width:][:len(to)]
		for i, w := range weights {
			to[i] += w * row[i]
		}
	}
}

// apply changes x, whose rows are c.width wide.
func (c *convolution) apply(ctx context.Context, x []float32) error {
	seen := make([]float32, len(x))
	if err := parallel(ctx, len(x)/c.width, func(from, to int) {
		for t := from; t < to; t++ {
			row := seen[t*c.width:][:c.width]
			c.look(x, t, row)
			c.norm.apply(row)
		}
	}); err != nil {
		return err
	}
	return parallel(ctx, len(x)/c.width, func(from, to int) {
		c.pair.add(seen[from*c.width:to*c.width], to-from, x[from*c.width:to*c.width])
	})
}

// An attention is a layer of a transformer, in which every row looks at every other.
type attention struct {
	width, heads int
	before       [2]norm
	qkv, out     linear
	pair         pair
}

// newAttention reads a layer. Step reads its linear ones.
func newAttention(
	f *tensorfile.File, name string, width, heads, hidden int, step func(name string, in, out int) linear,
) attention {
	return attention{
		width: width, heads: heads,
		before: [2]norm{newNorm(f, name+".norm1", width), newNorm(f, name+".norm2", width)},
		qkv:    step(name+".qkv", width, 3*width),
		out:    step(name+".out", width, width),
		pair:   pair{width, hidden, step(name+".up", width, hidden), step(name+".down", hidden, width)},
	}
}

// apply changes x.
func (a *attention) apply(x []float32) {
	rows, w := len(x)/a.width, a.width
	normed, qkv, seen := make([]float32, len(x)), make([]float32, 3*len(x)), make([]float32, len(x))
	norm := func(by norm) {
		copy(normed, x)
		for at := 0; at < len(x); at += w {
			by.apply(normed[at:][:w])
		}
	}
	norm(a.before[0])
	a.qkv.apply(normed, w, rows, qkv)
	for h := range a.heads {
		a.look(qkv, h*w/a.heads, seen)
	}
	a.out.apply(seen, w, rows, normed)
	matrix.Add(x, normed)
	norm(a.before[1])
	a.pair.add(normed, rows, x)
}

// look is one head: from the column where its numbers begin it writes what every row sees.
func (a *attention) look(qkv []float32, column int, seen []float32) {
	w, size := a.width, a.width/a.heads
	rows := len(seen) / w
	weights, scale := make([]float32, rows), 1/math.Sqrt(float64(size))
	for t := range rows {
		query, most := qkv[t*3*w+column:][:size], float32(math.Inf(-1))
		for u := range rows {
			weights[u] = dot(query, qkv[u*3*w+w+column:][:size]) * float32(scale)
			most = max(most, weights[u])
		}
		var sum float32
		for u, score := range weights {
			weights[u] = float32(math.Exp(float64(score - most)))
			sum += weights[u]
		}
		to := seen[t*w+column:][:size]
		for u, weight := range weights {
			weight /= sum
			for i, v := range qkv[u*3*w+2*w+column:][:size] {
				to[i] += weight * v
			}
		}
	}
}

func dot(x, y []float32) float32 {
	var a, b, c, d float32
	for len(x) >= 4 && len(y) >= 4 {
		a, b, c, d = a+x[0]*y[0], b+x[1]*y[1], c+x[2]*y[2], d+x[3]*y[3]
		x, y = x[4:], y[4:]
	}
	return a + b + c + d
}

// below is the chance that a number of the normal distribution is below -geluEnd, and so on in steps
// of 1/geluSteps up to geluEnd.
var below = func() (chances [2*geluEnd*geluSteps + 2]float32) {
	for i := range chances {
		chances[i] = float32(0.5 * math.Erfc((geluEnd-float64(i)/geluSteps)/math.Sqrt2))
	}
	return chances
}()

const geluEnd, geluSteps = 6, 256

// gelu replaces numbers x by x times the chance that one of the normal distribution is below x. It
// takes that from a table, which is as exact as single precision and much quicker.
func gelu(values []float32) {
	for i, v := range values {
		switch {
		case v >= geluEnd:
		case v > -geluEnd:
			place := (v + geluEnd) * geluSteps
			at := int(place)
			part := place - float32(at)
			values[i] = v * (below[at] + part*(below[at+1]-below[at]))
		default: // very negative, or not a number
			values[i] = 0
		}
	}
}

// parallel splits as many rows among the processors, and waits. Its error is that of the context.
func parallel(ctx context.Context, rows int, work func(from, to int)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	parts := max(1, min(runtime.GOMAXPROCS(0), rows/fewest))
	var wait sync.WaitGroup
	for p := range parts - 1 {
		wait.Go(func() { work(rows*p/parts, rows*(p+1)/parts) })
	}
	work(rows*(parts-1)/parts, rows)
	wait.Wait()
	return nil
}

// fewest is how many rows are worth a goroutine.
const fewest = 16
