package matrix

// A Tile multiplies a few rows with a few columns: with rows tokens and TileColumns outputs,
//
//	y[r*TileColumns+o] = sum over i < n of x[r*stride+i] * w[i*TileColumns+o]
//
// where the bytes of w are signed. It may read TileRows rows of x and write as many of y, however
// many are asked for. Every sum is taken in the order of i, so the result for a row does not depend
// on the others.
type Tile func(x []float32, stride, rows int, w []byte, n int, y *[TileRows * TileColumns]float32)

// A FloatTile is a [Tile] whose weights are floats: what is computed of a text itself, such as how
// its tokens attend to each other.
type FloatTile func(x []float32, stride, rows int, w []float32, n int, y *[TileRows * TileColumns]float32)

// The rows and columns that a tile multiplies at once.
const (
	TileRows    = 4
	TileColumns = 16
)

// signed are the values of bytes: looking them up is quicker than converting them.
var signed = func() (values [256]float32) {
	for i := range values {
		values[i] = float32(int8(i))
	}
	return values
}()

// PlainTile is the [Tile] for every machine.
//
//go:norace
func PlainTile(x []float32, stride, rows int, w []byte, n int, y *[TileRows * TileColumns]float32) {
	if rows == 1 {
		for o := 0; o < TileColumns; o += 4 {
			plainRow(x[:n], w[o:], (*[4]float32)(y[o:]))
		}
		return
	}
	x0, x1, x2, x3 := x[:n], x[stride:stride+n], x[2*stride:2*stride+n], x[3*stride:3*stride+n]
	for o := range TileColumns {
		y[o], y[TileColumns+o], y[2*TileColumns+o], y[3*TileColumns+o] = plainColumn(x0, x1, x2, x3, w[o:])
	}
}

// plainColumn is four rows and one column: four sums, none of which waits for another, stay in
// registers. Two steps at a time are quicker than one; the inputs of every matrix are even in
// number.
//
//go:norace
func plainColumn(x0, x1, x2, x3 []float32, w []byte) (a, b, c, d float32) {
	x1, x2, x3 = x1[:len(x0)], x2[:len(x0)], x3[:len(x0)]
	for i := 0; i < len(x0)-1; i += 2 {
		two := w[i*TileColumns : i*TileColumns+TileColumns+1]
		p, q := signed[two[0]], signed[two[TileColumns]]
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
func plainRow(x []float32, w []byte, y *[4]float32) {
	var y0, y1, y2, y3 float32
	for i, a := range x {
		four := w[i*TileColumns : i*TileColumns+4]
		y0 += a * signed[four[0]]
		y1 += a * signed[four[1]]
		y2 += a * signed[four[2]]
		y3 += a * signed[four[3]]
	}
	*y = [4]float32{y0, y1, y2, y3}
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
