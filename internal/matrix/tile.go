package matrix

// The rows and columns that a tile multiplies at once.
const (
	TileRows    = 4
	TileColumns = 16
)

// A Tile is how a machine multiplies rows with a matrix: it does what [Matrix.Apply] says. The result
// for a row does not depend on the others.
type Tile func(m *Matrix, x []float32, stride, rows int, y []float32, yStride int)

// A FloatTile multiplies a few rows with a few columns of what is computed of a text itself, such as
// how its tokens attend to each other: with rows tokens and TileColumns outputs,
//
//	y[r*TileColumns+o] = sum over i < n of x[r*stride+i] * w[i*TileColumns+o]
//
// It may read TileRows rows of x, unless there is but one, and write as many of y, however many are
// asked for. Every sum is taken in the order of i, so the result for a row does not depend on the
// others.
type FloatTile func(x []float32, stride, rows int, w []float32, n int, y *[TileRows * TileColumns]float32)

// signed are the values of bytes: looking them up is quicker than converting them.
var signed = func() (values [256]float32) {
	for i := range values {
		values[i] = float32(int8(i))
	}
	return values
}()

// PlainTile is the [Tile] for every machine. It rounds nothing.
//
//go:norace
func PlainTile(m *Matrix, x []float32, stride, rows int, y []float32, yStride int) {
	write := func(row, o int, sum float32) { y[row*yStride+o] = sum*m.Scales[o] + m.Bias[o] }
	row := 0
	for ; row+TileRows <= rows; row += TileRows {
		x0, x1, x2, x3 := x[row*stride:][:m.In], x[(row+1)*stride:], x[(row+2)*stride:], x[(row+3)*stride:]
		for o := range m.Out {
			a, b, c, d := plainColumn(x0, x1, x2, x3, m.column(o))
			write(row, o, a)
			write(row+1, o, b)
			write(row+2, o, c)
			write(row+3, o, d)
		}
	}
	for ; row < rows; row++ {
		for o := 0; o < m.Out; o += 4 {
			for i, sum := range plainRow(x[row*stride:][:m.In], m.column(o)) {
				write(row, o+i, sum)
			}
		}
	}
}

// column returns the panel with the weights of an output, from its first one on.
func (m *Matrix) column(o int) []byte {
	return m.panels[o/TileColumns*TileColumns*m.In:][2*(o%TileColumns) : m.In*TileColumns]
}

// plainColumn is four rows and one column: four sums, none of which waits for another, stay in
// registers.
//
//go:norace
func plainColumn(x0, x1, x2, x3 []float32, w []byte) (a, b, c, d float32) {
	x1, x2, x3 = x1[:len(x0)], x2[:len(x0)], x3[:len(x0)]
	for i := 0; i < len(x0)-1; i += 2 {
		two := w[i*TileColumns:][:2]
		p, q := signed[two[0]], signed[two[1]]
		a += x0[i] * p
		b += x1[i] * p
		c += x2[i] * p
		d += x3[i] * p
		a += x0[i+1] * q
		b += x1[i+1] * q
		c += x2[i+1] * q
		d += x3[i+1] * q
	}
	return a, b, c, d
}

// plainRow is one row and four columns.
//
//go:norace
func plainRow(x []float32, w []byte) [4]float32 {
	var y0, y1, y2, y3 float32
	for i := 0; i < len(x)-1; i += 2 {
		a, b := x[i], x[i+1]
		eight := w[i*TileColumns:][:8]
		y0 += a*signed[eight[0]] + b*signed[eight[1]]
		y1 += a*signed[eight[2]] + b*signed[eight[3]]
		y2 += a*signed[eight[4]] + b*signed[eight[5]]
		y3 += a*signed[eight[6]] + b*signed[eight[7]]
	}
	return [4]float32{y0, y1, y2, y3}
}

// PlainFloatTile is the [FloatTile] for every machine.
//
//go:norace
func PlainFloatTile(x []float32, stride, rows int, w []float32, n int, y *[TileRows * TileColumns]float32) {
	for r := range rows {
		var sums [TileColumns]float32
		for i, a := range x[r*stride:][:n] {
			for o, b := range w[i*TileColumns:][:TileColumns] {
				sums[o] += a * b
			}
		}
		copy(y[r*TileColumns:], sums[:])
	}
}
