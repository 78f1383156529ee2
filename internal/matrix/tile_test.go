package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// tiles are those that this machine can run.
var (
	tiles      = runnable()
	floatTiles = map[string]FloatTile{"plain": PlainFloatTile, "fastest": FastestFloatTile()}
)

func randoms(random *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = random.Float32()*2 - 1
	}
	return x
}

func bytesOf(random *rand.Rand, n int) []byte {
	w := make([]byte, n)
	for i := range w {
		w[i] = byte(random.Uint32())
	}
	return w
}

// TestApply compares what each tile computes with sums in double precision, for rows that are apart
// and rows that overlap, and sees that nothing is written beside them.
func TestApply(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const out = 2 * TileColumns
	for name, tile := range tiles {
		for _, in := range []int{Block, 320, 1280} {
			w := bytesOf(random, in*out)
			m := New(string(w), in, out, randoms(random, out))
			m.Bias = randoms(random, out)
			for rows := 1; rows <= 2*TileRows+1; rows++ {
				for _, stride := range []int{Block, in, in + 8} {
					x := randoms(random, (rows-1)*stride+in)
					clear(x[:Block])
					t.Run(fmt.Sprint(name, "/", in, "/", rows, "/", stride), func(t *testing.T) {
						checkApply(t, &m, tile, w, x, stride, rows)
					})
				}
			}
		}
	}
}

func checkApply(t *testing.T, m *Matrix, tile Tile, w []byte, x []float32, stride, rows int) {
	t.Helper()
	yStride := m.Out + TileColumns
	y := make([]float32, rows*yStride)
	m.Apply(tile, x, stride, rows, y, yStride)
	for r := range rows {
		for o, got := range y[r*yStride:][:yStride] {
			want, size := 0.0, 0.0
			if o < m.Out {
				want, size = multiplied(x[r*stride:][:m.In], w[o:], m.Out)
				want = want*float64(m.Scales[o]) + float64(m.Bias[o])
			}
			if math.Abs(float64(got)-want) > size*1e-5 {
				t.Fatalf("row %d, column %d = %g, want %g", r, o, got, want)
			}
		}
	}
}

// multiplied is the product of a row with a column of weights that are stride apart, and the sum of
// the sizes of what is added.
func multiplied(x []float32, w []byte, stride int) (sum, size float64) {
	for i, v := range x {
		p := float64(v) * float64(int8(w[i*stride]))
		sum, size = sum+p, size+math.Abs(p)
	}
	return sum, size
}

func checkTile(t *testing.T, x []float32, stride, rows int, w []byte, n int, y *[TileRows * TileColumns]float32) {
	t.Helper()
	for r := range rows {
		for o := range TileColumns {
			want, size := multiplied(x[r*stride:][:n], w[o:], TileColumns)
			if got := float64(y[r*TileColumns+o]); max(got-want, want-got) > size*1e-5 {
				t.Errorf("row %d, column %d = %g, want %g", r, o, got, want)
			}
		}
	}
}

// TestFloatTile compares each tile of floats with the tile of bytes that have the same values.
func TestFloatTile(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, multiply := range floatTiles {
		for _, n := range []int{1, 2, 33} {
			for rows := 1; rows <= TileRows; rows++ {
				const stride = 64
				x, w := randoms(random, 3*stride+n), bytesOf(random, n*TileColumns)
				floats := make([]float32, len(w))
				for i := range w {
					floats[i] = float32(int8(w[i]))
				}
				var y [TileRows * TileColumns]float32
				multiply(x, stride, rows, floats, n, &y)
				t.Run(fmt.Sprint(name, "/", n, "/", rows), func(t *testing.T) { checkTile(t, x, stride, rows, w, n, &y) })
			}
		}
	}
}
