package main

import (
	"context"
	"fmt"
	"testing"

	"annai/rag"
	"annai/rag/ragtest"
)

// A latch lets an embedder through once it is open; it tells who waits for passages.
type latch struct {
	rag.Embedder

	waits, open chan struct{}
}

func (g latch) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	if len(texts) > 2 {
		select {
		case g.waits <- struct{}{}:
		default:
		}
		select {
		case <-g.open:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return g.Embedder.Embed(ctx, texts)
}

func manyTitles(n int) []rag.Passage {
	passages := make([]rag.Passage, n)
	for i := range passages {
		title := fmt.Sprintf("Concert number%d", i)
		passages[i] = rag.Passage{ID: fmt.Sprint(i), Title: title, Text: "Music.", Lang: "en"}
	}
	return passages
}

// Many titles are found by their words while they are embedded, and by their meaning afterwards; what is
// embedded once is not embedded again.
func TestManyTitles(t *testing.T) {
	g := latch{ragtest.Hashed{}, make(chan struct{}, 1), make(chan struct{})}
	opts := rag.Options{Known: new(rag.Vectors), Asked: new(rag.QuestionVectors)}
	x := newTitles(t.Context(), g, opts, discard)
	found := func(r rag.Retriever) rag.Hit {
		t.Helper()
		hits, err := r.Search(t.Context(), rag.Query{Text: "the concert number7", Lang: "en", Limit: 1})
		if err != nil || len(hits) != 1 || hits[0].Passage.ID != "7" {
			t.Fatalf("Search(number7) = %+v, %v, want that concert", hits, err)
		}
		return hits[0]
	}
	first, err := x.index(t.Context(), manyTitles(maxAwaited+1))
	if err != nil {
		t.Fatal(err)
	}
	<-g.waits
	if h := found(first); h.Cosine != 0 {
		t.Errorf("while titles are embedded Search = %+v, want what the words find", h)
	}
	close(g.open)
	second, err := x.index(t.Context(), manyTitles(maxAwaited+2)) // which waits, or knows by now
	if err != nil {
		t.Fatal(err)
	}
	x.doing.Wait()
	for name, r := range map[string]rag.Retriever{"first": first, "second": second} {
		if h := found(r); h.Cosine == 0 {
			t.Errorf("%s: once titles are embedded Search = %+v, want how near it is too", name, h)
		}
	}
}

// Nobody goes on embedding once the titles are closed.
func TestTitlesClose(t *testing.T) {
	g := latch{ragtest.Hashed{}, make(chan struct{}, 1), make(chan struct{})}
	opts := rag.Options{Known: new(rag.Vectors), Asked: new(rag.QuestionVectors)}
	x := newTitles(t.Context(), g, opts, discard)
	if _, err := x.index(t.Context(), manyTitles(maxAwaited+1)); err != nil {
		t.Fatal(err)
	}
	<-g.waits
	if err := x.close(); err != nil {
		t.Error(err)
	}
}
