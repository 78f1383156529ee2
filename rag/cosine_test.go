package rag

import (
	"math/rand/v2"
	"testing"
)

// The fastest dot product is that of plain Go, to the last bit.
func TestDot(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 8, 9, 16, 384, 512, 513, 1536} {
		a, b := make(Vector, n), make(Vector, n)
		for i := range a {
			a[i], b[i] = random.Float32()-0.5, random.Float32()-0.5
		}
		if got, want := dot(a, b), plainDot(a, b); got != want {
			t.Errorf("dot of %d = %v, want %v", n, got, want)
		}
	}
}

func BenchmarkDot(b *testing.B) {
	x, y := make(Vector, 512), make(Vector, 512)
	for name, f := range map[string]func(a, b Vector) float32{"fastest": dot, "plain": plainDot} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f(x, y)
			}
		})
	}
}
