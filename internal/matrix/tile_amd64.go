package matrix

import "golang.org/x/sys/cpu"

// FastestTile returns the [Tile] for this machine.
func FastestTile() Tile {
	switch {
	case !cpu.X86.HasAVX2 || !cpu.X86.HasFMA:
		return PlainTile
	case cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VNNI:
		return vnni.tile
	default:
		return avx2.tile
	}
}

var (
	avx2 = instructions{round: avx2Round, multiply: multiplyAVX2}
	vnni = instructions{round: avx2Round, multiply: multiplyVNNI}
)

func avx2Round(x []float32, to []int16, scales []float32) {
	if len(scales) > 0 {
		_, _ = x[len(scales)*Block-1], to[len(scales)*Block-1] // what the assembly reads and writes
		roundAVX2(&x[0], &to[0], &scales[0], len(scales))
	}
}

// roundAVX2 is in tile_amd64.s, as what follows. It needs AVX2 and at least one block.
//
//go:noescape
func roundAVX2(x *float32, to *int16, scales *float32, blocks int)

// multiplyAVX2 needs AVX2, FMA, a row and a block.
//
//go:noescape
func multiplyAVX2(p *product)

// multiplyVNNI needs AVX-512 with words and VNNI, a row and a block.
//
//go:noescape
func multiplyVNNI(p *product)

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

// floatTileAVX2 needs AVX2 and FMA and an n of at least 1.
//
//go:noescape
func floatTileAVX2(x *float32, stride int, w *float32, n int, y *float32)
