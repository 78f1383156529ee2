package rag_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"annai/internal/budget"
	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/embedded"
	"annai/rag/markdown"
)

// corpus returns n passages: those of the library again and again, each time with a number of its own.
func corpus(b *testing.B, n int) []rag.Passage {
	b.Helper()
	library, _ := markdown.Load(os.DirFS("testdata"), []string{"library"})
	passages := make([]rag.Passage, n)
	for i := range passages {
		p := library[i%len(library)]
		p.ID, p.Pair = fmt.Sprint(p.ID, "-", i), ""
		p.Text += fmt.Sprintf(" No. %d / %x", i, i*7919)
		passages[i] = p
	}
	return passages
}

// noise is an embedder that costs next to nothing: any vector of the right size will do to measure the rest.
type noise struct{}

func (noise) Fingerprint() string { return "noise/512/1" }

func (noise) Embed(_ context.Context, texts []string) ([]rag.Vector, error) {
	vectors := make([]rag.Vector, len(texts))
	for i, text := range texts {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text))
		random := rand.New(rand.NewPCG(h.Sum64(), 1))
		v, sum := make(rag.Vector, 512), 0.0
		for j := range v {
			x := random.Float64() - 0.5
			v[j] = float32(x)
			sum += x * x
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(sum))
		}
		vectors[i] = v
	}
	return vectors, nil
}

// BenchmarkSearch is a question against passages half of which are in its language, without the embedder.
func BenchmarkSearch(b *testing.B) {
	q := rag.Query{Text: "車椅子で使えるトイレはどこですか", Lang: "ja"}
	for _, size := range []struct {
		passages int
		limit    float64 // ms
	}{{1000, 1}, {10_000, 6}, {100_000, 60}} {
		passages := corpus(b, size.passages)
		h, err := rag.New(b.Context(), passages, noise{}, rag.NewFlat, rag.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strconv.Itoa(size.passages), func(b *testing.B) {
			b.ReportAllocs()
			var rounds []float64
			for b.Loop() {
				began := time.Now()
				if _, err := h.Search(b.Context(), q); err != nil {
					b.Fatal(err)
				}
				rounds = append(rounds, float64(time.Since(began))/float64(time.Millisecond))
			}
			budget.AtMost(os.Stdout, fmt.Sprintf("retrieval-%d", size.passages), budget.Median(rounds), "ms",
				size.limit)
		})
	}
}

// BenchmarkIndexes is a question against passages with chromem-go and with the flat scan in turn: how many
// milliseconds more it takes with the former. Up to [chromem.Most] pieces the product has it.
func BenchmarkIndexes(b *testing.B) {
	q := rag.Query{Text: "車椅子で使えるトイレはどこですか", Lang: "ja"}
	for _, n := range []int{chromem.Most / 2, chromem.Most, 1000, 2000, 10_000} {
		passages := corpus(b, n)
		var retrievers [2]*rag.Hybrid
		for i, newIndex := range []rag.NewIndex{rag.NewFlat, chromem.New} {
			var err error
			if retrievers[i], err = rag.New(b.Context(), passages, noise{}, newIndex, rag.Options{}); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var took [2][]float64
			for b.Loop() {
				for i, r := range retrievers {
					began := time.Now()
					if _, err := r.Search(b.Context(), q); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], float64(time.Since(began))/float64(time.Millisecond))
				}
			}
			flat, by := budget.Median(took[0]), budget.Median(took[1])
			b.ReportMetric(flat, "ms-flat")
			b.ReportMetric(by, "ms-chromem")
			if n <= chromem.Most {
				row := fmt.Sprintf("retrieval-chromem-%d", n)
				budget.AtMost(os.Stdout, row, by-flat, "ms more than the flat scan", 1)
			}
		})
	}
}

// BenchmarkNew builds everything from 300 passages, embedder included, and again with all vectors known.
func BenchmarkNew(b *testing.B) {
	passages := corpus(b, 300)
	e, err := embedded.New()
	if err != nil {
		b.Fatal(err)
	}
	all := &rag.Vectors{}
	for _, name := range []string{"unknown", "known"} { // the first makes what the second knows
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				known := all
				if name == "unknown" {
					all = &rag.Vectors{}
					known = all
				}
				if _, err := rag.New(b.Context(), passages, e, rag.NewFlat,
					rag.Options{Known: known, Pieces: pieces}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
