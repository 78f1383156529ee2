package matrix

import (
	"math"
	"slices"
	"sync"
)

// A product is rows of rounded numbers, and one panel of a [Matrix] that they are multiplied with.
// Of row r and output c of the panel it is
//
//	y[r*yStride+c] = bias[c] + scales[c] * sum over b < blocks of
//		xScales[r*stride/Block+b] * sum over i < Block of x[r*stride+b*Block+i] * weight[b*Block+i][c]
//
// There are numbers to read, whatever they are, for rows up to a multiple of [TileRows].
type product struct {
	x            []int16
	xScales      []float32 // value of a 1, by block
	stride       int
	rows, blocks int
	weights      []byte // signed
	scales, bias []float32
	y            []float32
	yStride      int
}

// most is what the greatest number of a block is rounded to, or -most. Products of 64 of them with
// signed bytes are far from what 32 bits hold.
const most = math.MaxInt16

// products are those that nobody computes now: their memory serves the next.
var products = sync.Pool{New: func() any { return new(product) }}

// instructions are those of a machine: round rounds whole blocks, multiply computes a product.
type instructions struct {
	round    func(x []float32, to []int16, scales []float32)
	multiply func(p *product)
}

// tile is a [Tile] that rounds the numbers of x to 16 bits, because integers are multiplied twice as
// fast as floats, and on some machines five times. It is as exact as the weights deserve: they are
// rounded to 8 bits.
//
//go:norace
func (n instructions) tile(m *Matrix, x []float32, stride, rows int, y []float32, yStride int) {
	p := products.Get().(*product)
	defer products.Put(p)
	n.roundRows(p, x, stride, rows, m.In)
	p.rows, p.blocks, p.yStride = rows, m.In/Block, yStride
	for o := 0; o < m.Out; o += TileColumns {
		p.weights = m.panels[o*m.In : (o+TileColumns)*m.In]
		p.scales, p.bias = m.Scales[o:o+TileColumns], m.Bias[o:o+TileColumns]
		p.y = y[o : (rows-1)*yStride+o+TileColumns]
		n.multiply(p)
	}
	p.weights, p.scales, p.bias, p.y = nil, nil, nil, nil
}

// roundRows rounds rows of x. Those that overlap are rounded once; others lie close together afterwards.
//
//go:norace
func (n instructions) roundRows(p *product, x []float32, stride, rows, in int) {
	p.stride = in
	if rows > 1 && stride < in {
		p.stride = stride
		in, rows = (rows-1)*stride+in, 1
	}
	readable := (rows-1)*p.stride + in + (TileRows-1)*p.stride
	p.x = slices.Grow(p.x[:0], readable)[:readable]
	p.xScales = slices.Grow(p.xScales[:0], readable/Block)[:readable/Block]
	for r := range rows {
		to := r * p.stride
		n.round(x[r*stride:][:in], p.x[to:][:in], p.xScales[to/Block:][:in/Block])
	}
}
