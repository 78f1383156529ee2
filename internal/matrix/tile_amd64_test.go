package matrix

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"
)

func runnable() map[string]Tile {
	all := map[string]Tile{"plain": PlainTile}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all["avx2"] = avx2.tile
	}
	if cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VNNI {
		all["vnni"] = vnni.tile
	}
	return all
}

// TestRound rounds within each block: one with a great number, one of zeros, one of numbers that are
// nearly zero, and one of others.
func TestRound(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("SKIPPED: no AVX2")
	}
	x := randoms(rand.New(rand.NewPCG(1, 2)), 4*Block)
	x[0] = -7
	clear(x[Block : 2*Block])
	for i := range Block {
		x[2*Block+i] *= 1e-38
	}
	got, scales := make([]int16, len(x)), make([]float32, len(x)/Block)
	avx2Round(x, got, scales)
	if got[0] != -most {
		t.Errorf("the greatest of a block, %g, is rounded to %d, want %d", x[0], got[0], -most)
	}
	for i, v := range x {
		scale := scales[i/Block]
		if gap := v - float32(got[i])*scale; max(gap, -gap) > scale/2*1.001 {
			t.Errorf("%g is rounded to %d times %g, which is %g away", v, got[i], scale, gap)
		}
	}
}
