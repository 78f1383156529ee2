package chromem_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	library "github.com/philippgille/chromem-go"

	"annai/internal/budget"
	"annai/rag"
	"annai/rag/chromem"
)

// Embed implements [rag.Embedder].
func (m anyMeaning) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	out := make([]rag.Vector, len(texts))
	for i, text := range texts {
		vectors, err := m.Vectors(ctx, text)
		if err != nil {
			return nil, err
		}
		out[i] = vectors[0]
	}
	return out, nil
}

// BenchmarkKept is what a start takes to have the index of [chromem.Most] passages whose vectors were kept: how
// many times as long from the library's own folder, where each document is a file, as from one file of vectors, of
// which the index is built.
func BenchmarkKept(b *testing.B) {
	folder, file := b.TempDir(), filepath.Join(b.TempDir(), "knowledge.vectors")
	db, err := library.NewPersistentDB(folder, false)
	if err != nil {
		b.Fatal(err)
	}
	collection, err := db.CreateCollection("passages", nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	var passages []rag.Passage
	var entries []rag.Entry
	for i := range chromem.Most {
		text := fmt.Sprint("passage ", i)
		vectors, err := anyMeaning{}.Embed(b.Context(), []string{text})
		if err != nil {
			b.Fatal(err)
		}
		passages = append(passages, rag.Passage{ID: text, Text: text, Lang: "en"})
		entries = append(entries, rag.Entry{ID: text, Vector: vectors[0], Lang: "en"})
		if err := collection.AddDocument(b.Context(), library.Document{ID: text, Embedding: vectors[0]}); err != nil {
			b.Fatal(err)
		}
	}
	var known rag.Vectors
	var kept bytes.Buffer
	if err := known.Fill(b.Context(), passages, anyMeaning{}, rag.Options{}); err != nil {
		b.Fatal(err)
	}
	if err := known.Write(&kept); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, kept.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	var took [2][]float64
	for b.Loop() {
		for i, open := range []func() error{
			func() error { return openFile(b.Context(), file, entries) },
			func() error { _, err := library.NewPersistentDB(folder, false); return err },
		} {
			began := time.Now()
			if err := open(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], float64(time.Since(began))/float64(time.Millisecond))
		}
	}
	one, many := budget.Median(took[0]), budget.Median(took[1])
	b.ReportMetric(one, "ms-one-file")
	b.ReportMetric(many, "ms-chromem-files")
	budget.AtLeast(os.Stdout, fmt.Sprintf("kept-chromem-%d", chromem.Most), many/one, "x the time of one file", 1)
}

// openFile reads a file of vectors, and builds an index of the entries.
func openFile(ctx context.Context, name string, entries []rag.Entry) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if _, err := rag.ReadVectors(bytes.NewReader(data)); err != nil {
		return err
	}
	_, err = chromem.New(ctx, "any", entries)
	return err
}
