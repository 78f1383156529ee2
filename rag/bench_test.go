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

var indexes = []struct {
	name string
	make rag.NewIndex
}{{"flat", rag.NewFlat}, {"chromem", chromem.New}}

// BenchmarkSearch is a question against 1,000 and 10,000 passages, half of them in its language, embedder included.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{300, 1000, 10000} {
		passages := corpus(b, n)
		for _, index := range indexes {
			h, err := rag.New(b.Context(), passages, rag.HashedEmbedder{}, index.make, rag.Options{})
			if err != nil {
				b.Fatal(err)
			}
			q := rag.Query{Text: "車椅子で使えるトイレはどこですか", Lang: "ja"}
			b.Run(fmt.Sprintf("%d/%s", n, index.name), func(b *testing.B) {
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
