package rag_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"annai/internal/fault"
	"annai/rag"
	"annai/rag/chromem"
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
	p := rag.Passage{ID: "long", Title: "Rules", Lang: "en", Text: "Please speak quietly. Do not run on the stairs. Shoes stay on. " +
		"Bags go into the lockers beside the door. Drinks need a lid. Meals are for the terrace. " +
		"The owner of a dog waits in the yard. Cameras are welcome. Tripods are not."}
	h := newHybrid(t, []rag.Passage{p}, rag.Options{Threshold: -1})
	q := rag.Query{Text: "傘や荷物を預ける場所はありますか", Lang: "ja"}
	hits, err := h.Search(t.Context(), q)
	const want = "Bags go into the lockers beside the door. Drinks need a lid. Meals are for the terrace."
	if err != nil || len(hits) != 1 || hits[0].Piece != want {
		t.Errorf("Search(%+v) = %+v, %v; want the piece %q", q, hits, err, want)
	}
}

// TestForeign says that a passage in the other language wins over one in the language that is asked for, where it is the
// answer, and that it gets nothing for being foreign where its translation is there.
func TestForeign(t *testing.T) {
	foreign := rag.Passage{ID: "en", Title: "Umbrellas", Text: "Umbrellas are lent at the reception.", Lang: "en", Pair: "umbrella"}
	other := rag.Passage{ID: "ja", Title: "食堂", Text: "食堂は昼だけ開いています。", Lang: "ja"}
	translation := rag.Passage{ID: "translation", Title: "傘", Text: "傘は受付でお貸しします。", Lang: "ja", Pair: "umbrella"}
	q := rag.Query{Text: "雨が降ってきたので傘を貸してください", Lang: "ja"}
	best := func(passages ...rag.Passage) rag.Candidate {
		e, err := newHybrid(t, passages, rag.Options{}).Explain(t.Context(), q)
		if err != nil || len(e.Candidates) == 0 {
			t.Fatalf("Explain(%+v) = %+v, %v", q, e, err)
		}
		return e.Candidates[0]
	}
	alone := best(foreign, other)
	if alone.Hit.Passage.ID != "en" || alone.Left != rag.Found {
		t.Errorf("Explain(%+v) = %+v first, want the passage in English, found", q, alone)
	}
	both := best(foreign, other, translation)
	if both.Hit.Passage.ID != "translation" || both.Left != rag.Found {
		t.Errorf("Explain(%+v) with a translation = %+v first, want it", q, both)
	}
}

// A silent embedder fails after it was asked a number of times.
type silent struct {
	rag.Embedder
	left *int
}

func (s silent) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	if *s.left--; *s.left < 0 {
		return nil, fmt.Errorf("nobody there: %w", fault.ErrUnavailable)
	}
	return s.Embedder.Embed(ctx, texts)
}

func TestEmbedderFails(t *testing.T) {
	passages := []rag.Passage{{ID: "a", Title: "Dogs", Text: "Dogs stay outside.", Lang: "en"}}
	left := 0
	if _, err := rag.New(t.Context(), passages, silent{noise{}, &left}, chromem.New, rag.Options{}); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("New with an embedder that fails = %v, want ErrUnavailable", err)
	}
	left = 2
	h, err := rag.New(t.Context(), passages, silent{noise{}, &left}, chromem.New, rag.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"dogs", "dogs", "cats"} { // the second is remembered
		if _, err := h.Search(t.Context(), rag.Query{Text: text}); errors.Is(err, fault.ErrUnavailable) != (i == 2) {
			t.Errorf("Search(%q), number %d = %v", text, i, err)
		}
	}
}
