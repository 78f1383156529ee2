// Package matrix multiplies rows of numbers with matrices whose weights are signed bytes or floats,
// on the caller's goroutine and with the fastest instructions that the machine has. It knows no
// networks; those of annai are made of it.
//
// The arithmetic is marked go:norace: it reads weights that never change and writes to memory of
// its own, and looking at each of its steps would make tests that look for races six times as slow.
package matrix

import "math"

// A Matrix is a linear step: y = x * w + bias. Its weights stay bytes: each panel of [TileColumns]
// outputs is stored by itself, two inputs after two, which is the order in which a [Tile] reads them.
type Matrix struct {
	In, Out int
	Scales  []float32 // value of a weight of 1, by output
	Bias    []float32
	panels  []byte
}

// Block is what the inputs of a matrix are a multiple of.
const Block = 64

// New sorts weights that are stored input after input. There is no bias: it is zero. How many
// outputs there are has to be a multiple of [TileColumns].
func New(w string, in, out int, scales []float32) Matrix {
	m := Matrix{In: in, Out: out, Scales: scales, Bias: make([]float32, out), panels: make([]byte, 0, in*out)}
	for o := 0; o < out; o += TileColumns {
		for i := 0; i < in; i += 2 {
			for c := o; c < o+TileColumns; c++ {
				m.panels = append(m.panels, w[i*out+c], w[(i+1)*out+c])
			}
		}
	}
	return m
}

// Apply multiplies rows of x, each stride after the one before, and adds the bias. Rows of y are
// yStride apart. Rows of x that overlap have to be a multiple of [Block] apart.
func (m *Matrix) Apply(tile Tile, x []float32, stride, rows int, y []float32, yStride int) {
	tile(m, x, stride, rows, y, yStride)
}

// Add adds values to as many numbers.
//
//go:norace
func Add(to, values []float32) {
	for i, v := range values[:len(to)] {
		to[i] += v
	}
}

// ReLU makes negative numbers zero.
//
//go:norace
func ReLU(values []float32) {
	for i, v := range values {
		values[i] = max(v, 0)
	}
}

// Normalize gives a row mean 0 and variance 1, then a gain and a shift to each value. Epsilon is
// added to the variance. How many values there are has to be a multiple of 4.
//
//go:norace
func Normalize(row, gain, shift []float32, epsilon float32) {
	var a, b, c, d float32 // four sums, because one would make every addition wait for the last
	for rest := row; len(rest) >= 4; rest = rest[4:] {
		a, b, c, d = a+rest[0], b+rest[1], c+rest[2], d+rest[3]
	}
	mean := (a + b + c + d) / float32(len(row))
	a, b, c, d = 0, 0, 0, 0
	for rest := row; len(rest) >= 4; rest = rest[4:] {
		w, x, y, z := rest[0]-mean, rest[1]-mean, rest[2]-mean, rest[3]-mean
		a, b, c, d = a+w*w, b+x*x, c+y*y, d+z*z
	}
	variance := (a + b + c + d) / float32(len(row))
	scale := 1 / float32(math.Sqrt(float64(variance+epsilon)))
	gain, shift = gain[:len(row)], shift[:len(row)]
	for i, v := range row {
		row[i] = (v-mean)*scale*gain[i] + shift[i]
	}
}

// Half returns the value of a number of half precision.
//
//go:norace
func Half(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits>>15)<<31, uint32(bits>>10&31), uint32(bits&1023)
	switch exponent {
	case 0: // zero or too small for a leading 1
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)/(1<<24)))
	case 31:
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	default:
		return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
	}
}
