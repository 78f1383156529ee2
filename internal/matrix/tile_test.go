package matrix

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// tiles are those that this machine can run.
var (
	tiles      = map[string]Tile{"plain": PlainTile, "fastest": FastestTile()}
	floatTiles = map[string]FloatTile{"plain": PlainFloatTile, "fastest": FastestFloatTile()}
)

// TestTile compares each tile with sums in double precision.
func TestTile(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, multiply := range tiles {
		for _, n := range []int{2, 320, 1280} {
			for rows := 1; rows <= TileRows; rows++ {
				t.Run(fmt.Sprint(name, "/", n, "/", rows), func(t *testing.T) {
					const stride = 256
					x, w := make([]float32, 3*stride+n), make([]byte, n*TileColumns)
					for i := range x {
						x[i] = random.Float32()*2 - 1
					}
					for i := range w {
						w[i] = byte(random.Uint32())
					}
					var y [TileRows * TileColumns]float32
					multiply(x, stride, rows, w, n, &y)
					checkTile(t, x, stride, rows, w, n, &y)
				})
			}
		}
	}
}

func checkTile(t *testing.T, x []float32, stride, rows int, w []byte, n int, y *[TileRows * TileColumns]float32) {
	t.Helper()
	for r := range rows {
		for o := range TileColumns {
			want, size := 0.0, 0.0
			for i := range n {
				v := float64(x[r*stride+i]) * float64(int8(w[i*TileColumns+o]))
				want, size = want+v, size+max(v, -v)
			}
			if got := float64(y[r*TileColumns+o]); max(got-want, want-got) > size*1e-5 {
				t.Errorf("row %d, column %d = %g, want %g", r, o, got, want)
			}
		}
	}
}

// TestOneRow needs no more than one row to be there.
func TestOneRow(t *testing.T) {
	for name, multiply := range tiles {
		x, w := make([]float32, 320), make([]byte, 320*TileColumns)
		for i := range x {
			x[i], w[i*TileColumns] = 1, 255 // -1
		}
		var y [TileRows * TileColumns]float32
		multiply(x, 0, 1, w, len(x), &y)
		if y[0] != -320 || y[1] != 0 {
			t.Errorf("%s tile of 320 times 1 * -1 = %g, beside it %g; want -320 and 0", name, y[0], y[1])
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
				x, w, floats := make([]float32, 3*stride+n), make([]byte, n*TileColumns), make([]float32, n*TileColumns)
				for i := range x {
					x[i] = random.Float32()*2 - 1
				}
				for i := range w {
					w[i] = byte(random.Uint32())
					floats[i] = float32(int8(w[i]))
				}
				var y [TileRows * TileColumns]float32
				multiply(x, stride, rows, floats, n, &y)
				t.Run(fmt.Sprint(name, "/", n, "/", rows), func(t *testing.T) { checkTile(t, x, stride, rows, w, n, &y) })
			}
		}
	}
}
