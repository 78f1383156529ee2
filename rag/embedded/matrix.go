package embedded

import "slices"

// The arithmetic of the network is marked go:norace: it reads weights that never change and writes to memory of its own, and looking at each
// of its steps would make tests that look for races six times as slow.

// A matrix is a linear step: y = x * w + bias. Its weights stay bytes: each panel of tileColumns outputs is stored by itself,
// input after input, which is the order in which a [tile] reads them.
type matrix struct {
	in, out int
	scales  []float32 // value of a weight of 1, by output
	panels  []byte
	bias    []float32
}

// matrix reads NAME.w, without a bias, and NAME.s, if its outputs have a scale each.
func (c *container) matrix(name string, in, out int) matrix {
	t, w := c.tensor(name+".w", "i8", in, out)
	scales := slices.Repeat([]float32{t.Scale}, out)
	if _, ok := c.tensors[name+".s"]; ok {
		scales = c.floats(name+".s", out)
	}
	if c.err != nil {
		return matrix{}
	}
	return newMatrix(w, in, out, scales)
}

// newMatrix sorts weights that are stored input after input. There is no bias.
func newMatrix(w string, in, out int, scales []float32) matrix {
	m := matrix{in: in, out: out, scales: scales, bias: make([]float32, out), panels: make([]byte, 0, in*out)}
	for o := 0; o < out; o += tileColumns {
		for i := range in {
			m.panels = append(m.panels, w[i*out+o:i*out+o+tileColumns]...)
		}
	}
	return m
}

// biased reads NAME.w and NAME.b.
func (c *container) biased(name string, in, out int) matrix {
	m := c.matrix(name, in, out)
	m.bias = c.floats(name+".b", out)
	return m
}

// apply multiplies rows of x, each stride after the one before, and adds the bias. Rows of y are yStride apart. x must have
// rows to read up to a multiple of tileRows, unless there is but one.
//
//go:norace
func (m *matrix) apply(multiply tile, x []float32, stride, rows int, y []float32, yStride int) {
	var sums [tileRows * tileColumns]float32
	for o := 0; o < m.out; o += tileColumns {
		panel := m.panels[o*m.in : (o+tileColumns)*m.in]
		for first := 0; first < rows; first += tileRows {
			n := min(tileRows, rows-first)
			multiply(x[first*stride:], stride, n, panel, m.in, &sums)
			for r := range n {
				row := y[(first+r)*yStride+o:][:tileColumns]
				scales, bias := m.scales[o:][:tileColumns], m.bias[o:][:tileColumns]
				for j := range row {
					row[j] = sums[r*tileColumns+j]*scales[j] + bias[j]
				}
			}
		}
	}
}

//go:norace
func add(to, values []float32) {
	for i, v := range values[:len(to)] {
		to[i] += v
	}
}

//go:norace
func relu(values []float32) {
	for i, v := range values {
		values[i] = max(v, 0)
	}
}
