package matrix

import "golang.org/x/sys/cpu"

// FastestTile returns the [Tile] for this machine.
func FastestTile() Tile {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return avx2Tile
	}
	return PlainTile
}

func avx2Tile(x []float32, stride, rows int, w []byte, n int, y *[TileRows * TileColumns]float32) {
	if rows == 1 {
		stride = 0
	}
	_, _ = x[3*stride+n-1], w[n*TileColumns-1] // what the assembly reads
	tileAVX2(&x[0], stride, &w[0], n, &y[0])
}

// FastestFloatTile returns the [FloatTile] for this machine.
func FastestFloatTile() FloatTile {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return avx2FloatTile
	}
	return PlainFloatTile
}

func avx2FloatTile(x []float32, stride, rows int, w []float32, n int, y *[TileRows * TileColumns]float32) {
	if rows == 1 {
		stride = 0
	}
	_, _ = x[3*stride+n-1], w[n*TileColumns-1] // what the assembly reads
	floatTileAVX2(&x[0], stride, &w[0], n, &y[0])
}

// tileAVX2 is in tile_amd64.s. It needs AVX2 and FMA and an n of at least 1.
//
//go:noescape
func tileAVX2(x *float32, stride int, w *byte, n int, y *float32)

// floatTileAVX2 is the same for weights that are floats.
//
//go:noescape
func floatTileAVX2(x *float32, stride int, w *float32, n int, y *float32)
