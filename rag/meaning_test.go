package rag_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"annai/fault"
	"annai/rag"
)

// TestNothingToEmbed is about passages and questions that the embedder can make nothing of: their words are left.
func TestNothingToEmbed(t *testing.T) {
	h := newHybrid(t, []rag.Passage{
		{ID: "ko", Title: "안내", Text: "주차장은 건물 뒤에 있습니다.", Lang: "en"},
		{ID: "dots", Text: "……", Lang: "ja"},
		{ID: "dogs", Title: "Dogs", Text: "Dogs stay outside.", Lang: "en"},
	}, rag.Options{})
	for text, want := range map[string]string{"주차장은 건물 뒤에 있습니다": "ko", "dogs": "dogs", "！？": "", "저녁": ""} {
		q := rag.Query{Text: text, Lang: "en"}
		e, err := h.Explain(t.Context(), q)
		if err != nil {
			t.Fatalf("Explain(%+v): %v", q, err)
		}
		hits, err := h.Search(t.Context(), q)
		got := ""
		if len(hits) > 0 {
			got = hits[0].Passage.ID
		}
		if err != nil || got != want || e.ByWords != (want != "dogs") {
			t.Errorf("Search(%+v) = %q, %v, by words alone %t; want %q", q, got, err, e.ByWords, want)
		}
	}
}

// TestPiece says that a long passage is found by one of its pieces, and that the hit names it.
func TestPiece(t *testing.T) {
	p := rag.Passage{
		ID: "long", Title: "Rules", Lang: "en",
		Text: "Please speak quietly. Do not run on the stairs. Shoes stay on. " +
			"Bags go into the lockers beside the door. Drinks need a lid. Meals are for the terrace. " +
			"The owner of a dog waits in the yard. Cameras are welcome. Tripods are not.",
	}
	h := newHybrid(t, []rag.Passage{p}, rag.Options{Threshold: -1})
	q := rag.Query{Text: "傘や荷物を預ける場所はありますか", Lang: "ja"}
	hits, err := h.Search(t.Context(), q)
	const want = "Bags go into the lockers beside the door. Drinks need a lid. Meals are for the terrace."
	if err != nil || len(hits) != 1 || hits[0].Piece != want {
		t.Errorf("Search(%+v) = %+v, %v; want the piece %q", q, hits, err, want)
	}
}

// TestForeign says that a passage in the other language wins over one in the language that is asked
// for, where it is the answer, and that it gets nothing for being foreign where its translation is
// there.
func TestForeign(t *testing.T) {
	foreign := rag.Passage{
		ID: "en", Title: "Umbrellas", Text: "Umbrellas are lent at the reception.", Lang: "en",
		Pair: "umbrella",
	}
	other := rag.Passage{ID: "ja", Title: "食堂", Text: "食堂は昼だけ開いています。", Lang: "ja"}
	translation := rag.Passage{ID: "translation", Title: "傘", Text: "傘は受付でお貸しします。", Lang: "ja", Pair: "umbrella"}
	q := rag.Query{Text: "傘を貸してください", Lang: "ja"}
	best := func(passages ...rag.Passage) rag.Candidate {
		e, err := newHybrid(t, passages, rag.Options{}).Explain(t.Context(), q)
		if err != nil || len(e.Candidates) == 0 {
			t.Fatalf("Explain(%+v) = %+v, %v", q, e, err)
		}
		return e.Candidates[0]
	}
	alone := best(foreign, other)
	if alone.Hit.Passage.ID != "en" || alone.Rejection != rag.Found {
		t.Errorf("Explain(%+v) = %+v first, want the passage in English, found", q, alone)
	}
	both := best(foreign, other, translation)
	if both.Hit.Passage.ID != "translation" || both.Rejection != rag.Found {
		t.Errorf("Explain(%+v) with a translation = %+v first, want it", q, both)
	}
}

// A silent embedder answers so long as it may.
type silent struct {
	rag.Embedder
	fails *atomic.Bool
}

func (s silent) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	if s.fails.Load() {
		return nil, fmt.Errorf("nobody there: %w", fault.ErrUnavailable)
	}
	return s.Embedder.Embed(ctx, texts)
}

// TestEmbedderFails says that without an embedder the words are all there is to go by, and that
// what they do not find is not called unknown.
func TestEmbedderFails(t *testing.T) {
	passages := []rag.Passage{{ID: "a", Title: "Dogs", Text: "Dogs stay outside.", Lang: "en"}}
	s := silent{noise{}, new(atomic.Bool)}
	s.fails.Store(true)
	if _, err := rag.New(t.Context(), passages, s, rag.NewFlat, rag.Options{}); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("New with an embedder that fails = %v, want ErrUnavailable", err)
	}
	s.fails.Store(false)
	h, err := rag.New(t.Context(), passages, s, rag.NewFlat, rag.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.fails.Store(true)
	q := rag.Query{Text: "Dogs outside?"}
	if hits, err := h.Search(t.Context(), q); err != nil || len(hits) != 1 || hits[0].Cosine != 0 {
		t.Errorf("Search(%+v) without an embedder = %+v, %v; want the passage by its words", q, hits, err)
	}
	if e, err := h.Explain(t.Context(), q); err != nil || !e.ByWords || !errors.Is(e.EmbedErr, fault.ErrUnavailable) {
		t.Errorf("Explain(%+v) without an embedder = by words %t, %v, %v; want so, and why", q, e.ByWords, e.EmbedErr,
			err)
	}
	q.Text = "May I bring cats?"
	if hits, err := h.Search(t.Context(), q); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Search(%+v) without an embedder = %v, %v; want ErrUnavailable", q, hits, err)
	}
}

// A slow embedder answers passages, and questions never.
type slow struct {
	rag.Embedder
	slow *atomic.Bool
}

func (s slow) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	if s.slow.Load() {
		<-ctx.Done()
		return nil, fmt.Errorf("nobody answered: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
	return s.Embedder.Embed(ctx, texts)
}

func TestEmbedTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := slow{noise{}, new(atomic.Bool)}
		passages := []rag.Passage{{ID: "a", Title: "Dogs", Text: "Dogs stay outside.", Lang: "en"}}
		h, err := rag.New(t.Context(), passages, s, rag.NewFlat, rag.Options{EmbedTimeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		s.slow.Store(true)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if hits, err := h.Search(ctx, rag.Query{Text: "dogs outside"}); err != nil || len(hits) != 1 {
			t.Errorf("Search while the embedder is slow = %v, %v; want the passage by its words", hits, err)
		}
	})
}
