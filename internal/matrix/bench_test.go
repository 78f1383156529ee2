package matrix

import (
	"math/rand/v2"
	"os"
	"testing"

	"annai/internal/budget"
)

// BenchmarkApply is what the tile of this machine takes for a window of five pieces over a text of
// twelve, beside the same multiplications in floats.
func BenchmarkApply(b *testing.B) {
	const rows, in, out, stride = 12, 1280, 256, 256
	random := rand.New(rand.NewPCG(1, 2))
	x, w := randoms(random, (rows+TileRows)*stride+in), bytesOf(random, in*out)
	m, y := New(string(w), in, out, randoms(random, out)), make([]float32, rows*out)
	floats, multiply := randoms(random, in*TileColumns), FastestFloatTile()
	var sums [TileRows * TileColumns]float32
	inFloats := func() {
		for range out / TileColumns {
			for row := 0; row < rows; row += TileRows {
				multiply(x[row*stride:], stride, TileRows, floats, in, &sums)
			}
		}
	}
	var ratio float64
	for b.Loop() {
		ratio = budget.Ratio(1, func() { m.Apply(FastestTile(), x, stride, rows, y, out) }, inFloats)
	}
	budget.AtMost(os.Stdout, "matrix-beside-floats", ratio, "x", 0.7)
}
