package chromem_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/ragtest"
)

func TestIndex(t *testing.T) { ragtest.Index(t, chromem.New) }

// BenchmarkNearest compares the library with the reference that only multiplies and sorts.
func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{150, 1000, 10000} {
		entries := make([]rag.Entry, n)
		for i := range entries {
			entries[i] = rag.Entry{ID: fmt.Sprint(i), Vector: random(256), Lang: "ja", Category: "c"}
		}
		for _, index := range []struct {
			name string
			make rag.NewIndex
		}{{"flat", rag.NewFlat}, {"chromem", chromem.New}} {
			x, err := index.make(b.Context(), "bench", entries)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%d/%s", n, index.name), func(b *testing.B) {
				for b.Loop() {
					if _, err := x.Nearest(b.Context(), entries[0].Vector, 32, rag.Filter{Lang: "ja"}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// random returns a vector of unit length.
func random(dimension int) rag.Vector {
	v := make(rag.Vector, dimension)
	sum := 0.0
	for i := range v {
		x := rand.NormFloat64()
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
