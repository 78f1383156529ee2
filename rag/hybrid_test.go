package rag_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/rag"
	"annai/rag/ragtest"
)

func TestFlat(t *testing.T) { ragtest.Index(t, rag.NewFlat) }

func TestHybrid(t *testing.T) {
	ragtest.Retriever(t, func(t *testing.T, passages []rag.Passage) rag.Retriever {
		return newHybrid(t, passages,
			rag.Options{})
	})
}

// TestSearchFindsWhatExplainFinds says that both go the same way.
func TestSearchFindsWhatExplainFinds(t *testing.T) {
	passages := loadPassages(t, "testdata", "library")
	for _, opts := range []rag.Options{{}, {Threshold: -1}, {Words: 1, Threshold: 0.5}} {
		h := newHybrid(t, passages, opts)
		for _, q := range readQuestions(t, "testdata/library_questions.txt") {
			query := rag.Query{Text: q.text, Lang: q.lang, Limit: 3}
			got, err1 := h.Search(t.Context(), query)
			e, err2 := h.Explain(t.Context(), query)
			if err1 != nil || err2 != nil {
				t.Fatalf("Search and Explain(%q): %v, %v", q.text, err1, err2)
			}
			want := []rag.Hit{}
			for _, c := range e.Candidates {
				if c.Rejection == rag.Found {
					want = append(want, c.Hit)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Search(%+v) with %+v (-as explained +got):\n%s", query, opts, diff)
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for name, bad := range map[string][]rag.Passage{
		"no id":       {{Text: "text", Lang: "ja"}},
		"repeated id": {{ID: "a", Text: "text", Lang: "ja"}, {ID: "a", Text: "other", Lang: "ja"}},
	} {
		if _, err := rag.New(t.Context(), bad, embedder(), rag.NewFlat, rag.Options{}); !errors.Is(err,
			fault.ErrInvalid) {
			t.Errorf("New with %s = %v, want ErrInvalid", name, err)
		}
	}
}

func TestExplain(t *testing.T) {
	h := newHybrid(t, loadPassages(t, "testdata", "library"), rag.Options{})
	q := rag.Query{Text: "Where is the bathroom?", Lang: "en", Limit: 1}
	e, err := h.Explain(t.Context(), q)
	if err != nil {
		t.Fatalf("Explain(%+v): %v", q, err)
	}
	if !slices.ContainsFunc(e.Terms, func(ways []string) bool { return slices.Contains(ways, "toilet") }) {
		t.Errorf("Explain(%+v).Terms = %v, want toilet as another way to say bathroom", q, e.Terms)
	}
	rejections := map[rag.Rejection]int{}
	for _, c := range e.Candidates {
		rejections[c.Rejection]++
	}
	if e.Candidates[0].Rejection != rag.Found || rejections[rag.Found] != 1 || rejections[rag.BelowThreshold] == 0 {
		t.Errorf("Explain(%+v) leaves out %v, want one found, first, and some below the threshold", q, rejections)
	}
	hits, err := h.Search(t.Context(), q)
	if err != nil || len(hits) != 1 || hits[0] != e.Candidates[0].Hit {
		t.Errorf("Search(%+v) = %v, %v; want the candidate that Explain calls found: %v", q, hits, err, e.Candidates[0])
	}
}

func TestExplainTranslation(t *testing.T) {
	h := newHybrid(t, loadPassages(t, "testdata", "library"), rag.Options{})
	q := rag.Query{Text: "読み聞かせはいつですか", Lang: "en"}
	e, err := h.Explain(t.Context(), q)
	if err != nil {
		t.Fatalf("Explain(%+v): %v", q, err)
	}
	i := slices.IndexFunc(e.Candidates, func(c rag.Candidate) bool { return c.Rejection == rag.Found })
	if i < 0 {
		t.Fatalf("Explain(%+v) found nothing", q)
	}
	if c := e.Candidates[i]; c.By != "library/rooms.ja.md#4" || c.Hit.Passage.ID != "library/rooms.en.md#4" {
		t.Errorf("Explain(%+v) found %s by %q, want the English passage by the Japanese one", q, c.Hit.Passage.ID, c.By)
	}
}

// TestLost says that what was lost decides nothing unless a passage is about losing just that.
func TestLost(t *testing.T) {
	h := newHybrid(t, []rag.Passage{
		{ID: "umbrellas", Title: "Umbrellas", Text: "We lend umbrellas on rainy days.", Lang: "en"},
		{
			ID: "phone", Title: "Phone number", Text: "The phone number is 012-345. You can phone us until six.",
			Lang: "en",
		},
		{ID: "property", Title: "Lost property", Text: "Things left behind are kept at the desk.", Lang: "en"},
		{ID: "books", Title: "本をなくしたとき", Text: "本をなくしたときは、同じ本を買ってください。", Lang: "ja"},
		{ID: "reading", Title: "本を借りる", Text: "本は10冊まで借りられます。", Lang: "ja"},
	}, rag.Options{})
	for text, want := range map[string]string{
		"I left my umbrella here": "property", "I lost my phone yesterday": "property",
		"Can I borrow an umbrella?":  "umbrellas",
		"What is your phone number?": "phone", "本をなくしました": "books", "本を借りたい": "reading",
	} {
		q := rag.Query{Text: text, Lang: "en"}
		hits, err := h.Search(t.Context(), q)
		if err != nil || len(hits) == 0 || hits[0].Passage.ID != want {
			t.Errorf("Search(%+v) = %+v, %v; want %s first", q, hits, err, want)
		}
	}
}

// TestAskedAgain: what is found is found again, whatever was done with it, and what could not be embedded
// is looked for anew.
func TestAskedAgain(t *testing.T) {
	failing := &failingOnce{Embedder: embedder()}
	passages := []rag.Passage{
		{ID: "dogs", Title: "Dogs", Text: "Dogs stay outside.", Lang: "en"},
		{ID: "bags", Title: "Bags", Text: "Bags go into the lockers.", Lang: "en"},
	}
	h, err := rag.New(t.Context(), passages, failing, rag.NewFlat, rag.Options{Threshold: -1})
	if err != nil {
		t.Fatal(err)
	}
	failing.now = true
	q := rag.Query{Text: "May my dogs come in?", Lang: "en"}
	byWords, err := h.Search(t.Context(), q)
	if err != nil || byWords[0].Cosine != 0 {
		t.Fatalf("Search without an embedder = %+v, %v, want the words alone", byWords, err)
	}
	first, err := h.Search(t.Context(), q)
	if err != nil || first[0].Cosine == 0 {
		t.Fatalf("Search with one again = %+v, %v, want the meaning too", first, err)
	}
	want := slices.Clone(first)
	first[0].Passage.Title = "changed by who asked"
	again, err := h.Search(t.Context(), q)
	if diff := cmp.Diff(want, again); err != nil || diff != "" {
		t.Errorf("Search again, %v (-want +got):\n%s", err, diff)
	}
}

// TestAskedForLess: a search for other hits than one before finds what it would have found first.
func TestAskedForLess(t *testing.T) {
	passages := []rag.Passage{
		{ID: "dogs", Title: "Dogs", Text: "Dogs stay outside.", Lang: "en", Pair: "dogs", Category: "rules"},
		{ID: "犬", Title: "犬", Text: "犬は入れません。", Lang: "ja", Pair: "dogs", Category: "rules"},
		{
			ID: "bags", Title: "Bags", Text: "Bags go into the lockers.", Lang: "en",
			ValidUntil: civil.Date{Year: 2026, Month: 5, Day: 1},
		},
		{ID: "wifi", Title: "Wi-Fi", Text: "The network is free.", Lang: "en"},
	}
	known := new(rag.Vectors)
	fresh := func() *rag.Hybrid {
		h, err := rag.New(t.Context(), passages, embedder(), rag.NewFlat, rag.Options{Known: known})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	all := rag.Query{Text: "May my dogs come in?", Lang: "en", Limit: 32, Near: true}
	asked := fresh()
	for _, change := range []func(q *rag.Query){
		func(*rag.Query) {},
		func(q *rag.Query) { q.Limit = 1 },
		func(q *rag.Query) { q.Limit, q.Near = 0, false },
		func(q *rag.Query) { q.Limit = 33 },
		func(q *rag.Query) { q.Lang = "ja" },
		func(q *rag.Query) { q.On = civil.Date{Year: 2026, Month: 6, Day: 1} },
		func(q *rag.Query) { q.Categories = []string{"rules"} },
	} {
		q := all
		change(&q)
		want, err := fresh().Search(t.Context(), q)
		got, err2 := asked.Search(t.Context(), q)
		if diff := cmp.Diff(want, got); err != nil || err2 != nil || diff != "" {
			t.Errorf("Search(%+v) after others: %v, %v (-want +got):\n%s", q, err, err2, diff)
		}
	}
}

// failingOnce is an embedder that fails once, now.
type failingOnce struct {
	rag.Embedder

	now bool
}

func (f *failingOnce) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	if f.now {
		f.now = false
		return nil, fault.ErrUnavailable
	}
	return f.Embedder.Embed(ctx, texts)
}
