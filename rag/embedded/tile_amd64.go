package embedded

import "golang.org/x/sys/cpu"

// fastestTile returns the [tile] for this machine.
func fastestTile() tile {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return avx2Tile
	}
	return plainTile
}

func avx2Tile(x []float32, stride, rows int, w []byte, n int, y *[tileRows * tileColumns]float32) {
	if rows == 1 {
		stride = 0
	}
	_, _ = x[3*stride+n-1], w[n*tileColumns-1] // what the assembly reads
	tileAVX2(&x[0], stride, &w[0], n, &y[0])
}

// tileAVX2 is in tile_amd64.s. It needs AVX2 and FMA and an n of at least 1.
//
//go:noescape
func tileAVX2(x *float32, stride int, w *byte, n int, y *float32)
