package matrix

import "testing"

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float32{
		0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x7bff: 65504,
		1: 1.0 / (1 << 24), 0x03ff: 1023.0 / (1 << 24), 0x0400: 1.0 / (1 << 14),
	} {
		if got := Half(bits); got != want {
			t.Errorf("Half(%#x) = %g, want %g", bits, got, want)
		}
	}
}
