package rag_test

import (
	"fmt"
	"os"
	"testing"

	"annai/rag"
	"annai/rag/chromem"
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

// BenchmarkSearch is a question against passages half of which are in its language, embedder included. With the default
// weights the vectors are seldom asked; "vectors" has weights that always ask them, as those of a model would.
func BenchmarkSearch(b *testing.B) {
	q := rag.Query{Text: "車椅子で使えるトイレはどこですか", Lang: "ja"}
	for _, n := range []int{300, 1000, 10000} {
		passages := corpus(b, n)
		for _, test := range []struct {
			name  string
			index rag.NewIndex
			opts  rag.Options
		}{
			{"default", chromem.New, rag.Options{}},
			{"vectors/flat", rag.NewFlat, rag.Options{MeaningWeight: 9}},
			{"vectors/chromem", chromem.New, rag.Options{MeaningWeight: 9}},
		} {
			h, err := rag.New(b.Context(), passages, rag.HashedEmbedder{}, test.index, test.opts)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%d/%s", n, test.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := h.Search(b.Context(), q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkNew builds everything from 300 passages.
func BenchmarkNew(b *testing.B) {
	passages := corpus(b, 300)
	for b.Loop() {
		if _, err := rag.New(b.Context(), passages, rag.HashedEmbedder{}, chromem.New, rag.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
