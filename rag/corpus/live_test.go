package corpus_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"annai/fault"
	"annai/rag"
	"annai/rag/corpus"
	"annai/rag/documents"
)

// A listed retriever finds all its passages.
type listed []rag.Passage

func (l listed) Search(context.Context, rag.Query) ([]rag.Hit, error) {
	var hits []rag.Hit
	for _, p := range l {
		hits = append(hits, rag.Hit{Passage: p})
	}
	return hits, nil
}

// Whoever asks while the knowledge is exchanged gets an answer, from the old or the new; what can't
// be built leaves the old.
func TestLive(t *testing.T) { everywhere(t, lives) }

func lives(t *testing.T, p *place) {
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	p.must(t, e, corpus.Options{})
	ticks, built := make(chan time.Time), make(chan int)
	var fail error
	build := func(_ context.Context, passages []rag.Passage) (rag.Retriever, error) {
		err := fail
		built <- len(passages)
		return listed(passages), err
	}
	l := corpus.NewLive(listed{})
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	group.Go(func() { l.Watch(ctx, p.Store, 0, ticks, build, slog.New(slog.DiscardHandler)) })
	group.Go(func() {
		for ctx.Err() == nil {
			if _, err := l.Search(ctx, rag.Query{}); err != nil {
				t.Errorf("Search while it is exchanged = %v, want no error", err)
			}
		}
	})
	ticks <- time.Time{}
	wantBuilt(t, built, 1)
	for swapped := false; !swapped; { // after that, this tick does not look at the store again
		hits, err := l.Search(ctx, rag.Query{})
		swapped = err != nil || len(hits) == 1
	}
	wantHits(t, l, 1)
	p.write(t, "b.txt", "Dogs may come in.")
	p.must(t, e, corpus.Options{})
	fail = errors.New("no memory")
	ticks <- time.Time{}
	wantBuilt(t, built, 2)
	wantHits(t, l, 1)
	ticks <- time.Time{}
	wantBuilt(t, built, 2) // tried again
	fail = nil
	ticks <- time.Time{}
	wantBuilt(t, built, 2)
	ticks <- time.Time{}
	wantHits(t, l, 2)
	cancel()
	group.Wait()
}

func wantBuilt(t *testing.T, built <-chan int, want int) {
	t.Helper()
	if got := <-built; got != want {
		t.Errorf("built of %d passages, want %d", got, want)
	}
}

func wantHits(t *testing.T, l *corpus.Live, want int) {
	t.Helper()
	if hits, err := l.Search(t.Context(), rag.Query{}); err != nil || len(hits) != want {
		t.Errorf("Search = %d hits, %v; want %d", len(hits), err, want)
	}
}

// A try says what an ingest would do, and leaves nothing.
func TestTry(t *testing.T) { everywhere(t, try) }

func try(t *testing.T, p *place) {
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	p.must(t, e, corpus.Options{})
	p.write(t, "a.txt", "Tea is 350 yen.")
	p.write(t, "b.txt", "Dogs may come in.")
	e.fails = fault.ErrUnavailable // it must not be asked
	tryIt(t, p, e)
	wantTexts(t, p, "docs/a.txt#0: Tea is 300 yen.")
}

func tryIt(t *testing.T, p *place, e rag.Embedder) {
	t.Helper()
	listing, err := documents.List(t.Context(), []string{p.folder})
	if err != nil {
		t.Fatal(err)
	}
	s, passages, err := corpus.Try(t.Context(), p.Store, listing, e, corpus.Options{})
	if want := (corpus.Summary{Version: 2, Added: 1, Changed: 1, Passages: 2, Embedded: 2}); err != nil || s != want ||
		len(passages) != 2 {
		t.Errorf("Try = %+v, %d passages, %v; want %+v and 2", s, len(passages), err, want)
	}
	if s, _, err := corpus.Try(t.Context(), nil, listing, e, corpus.Options{}); err != nil || s.Added != 2 {
		t.Errorf("Try without a store = %+v, %v; want 2 added", s, err)
	}
}
