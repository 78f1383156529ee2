package ragtest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"annai/civil"
	"annai/fault"
	"annai/rag"
)

// passages is the corpus that a retriever under test gets.
func passages() []rag.Passage {
	summer := func(p rag.Passage) rag.Passage {
		p.ValidFrom = civil.Date{Year: 2026, Month: time.July, Day: 1}
		p.ValidUntil = civil.Date{Year: 2026, Month: time.August, Day: 31}
		return p
	}
	return []rag.Passage{
		{ID: "hours.ja", Title: "開館時間", Text: "開館時間は9時から20時までです。", Lang: "ja", Category: "hours", Pair: "hours"},
		{
			ID: "hours.en", Title: "Opening hours", Text: "The opening hours are 9:00 to 20:00.", Lang: "en",
			Category: "hours", Pair: "hours",
		},
		{ID: "parking.ja", Title: "駐車場", Text: "駐車場は建物の裏にあります。", Lang: "ja", Category: "access", Pair: "parking"},
		{
			ID: "parking.en", Title: "Parking", Text: "The parking lot is behind the building.", Lang: "en",
			Category: "access", Pair: "parking",
		},
		{
			ID: "piano.en", Title: "Piano",
			Text: "The Steinway piano in the lobby may be played on Fridays.", Lang: "en",
			Category: "facility",
		},
		{ID: "loan.ja", Title: "自転車の貸し出し", Text: "自転車の貸し出しは受付で行っています。", Lang: "ja", Category: "facility"},
		summer(rag.Passage{ID: "night.ja", Title: "夜間開放", Text: "夏の夜間開放では、屋上庭園に入れます。", Lang: "ja", Category: "events"}),
		{ID: "garden.ja", Title: "屋上庭園", Text: "屋上庭園では季節の花が見られます。", Lang: "ja", Category: "facility"},
	}
}

// Retriever checks that what newRetriever makes of passages keeps the contract of [rag.Retriever].
func Retriever(t *testing.T, newRetriever func(t *testing.T, passages []rag.Passage) rag.Retriever) {
	r := newRetriever(t, passages())
	t.Run("finds", func(t *testing.T) { finds(t, r) })
	t.Run("best first, in the limit", func(t *testing.T) { bestFirst(t, r) })
	t.Run("one of a pair", func(t *testing.T) {
		q := rag.Query{Text: "parking lot"}
		parking := slices.DeleteFunc(search(t, r, q), func(h rag.Hit) bool { return h.Passage.Pair != "parking" })
		if len(parking) != 1 {
			t.Errorf("Search(%+v) = %d passages about parking, want one of the pair", q, len(parking))
		}
	})
	t.Run("same for the same", func(t *testing.T) {
		q := rag.Query{Text: "屋上庭園", Lang: "ja"}
		if diff := cmp.Diff(search(t, r, q), search(t, r, q)); diff != "" {
			t.Errorf("Search(%+v) twice (-first +second):\n%s", q, diff)
		}
	})
	t.Run("empty text", func(t *testing.T) {
		for _, text := range []string{"", " \n"} {
			if hits, err := r.Search(t.Context(), rag.Query{Text: text}); !errors.Is(err, fault.ErrInvalid) {
				t.Errorf("Search(%q) = %v, %v; want ErrInvalid", text, hits, err)
			}
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.Search(ctx, rag.Query{Text: "駐車場"}); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Search with a cancelled context = %v, want ErrUnavailable", err)
		}
	})
	t.Run("concurrent use", func(t *testing.T) {
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() { finds(t, r) })
		}
		group.Wait()
	})
	t.Run("no passages", func(t *testing.T) {
		if hits := search(t, newRetriever(t, nil), rag.Query{Text: "駐車場", Lang: "ja"}); len(hits) != 0 {
			t.Errorf("Search among no passages = %v, want nothing", hits)
		}
	})
}

// finds asks questions whose first hit, or lack of hits, follows from the contract.
func finds(t *testing.T, r rag.Retriever) {
	july, may := civil.Date{Year: 2026, Month: time.July, Day: 31}, civil.Date{Year: 2026, Month: time.May, Day: 5}
	first, last := civil.Date{Year: 2026, Month: time.July, Day: 1}, civil.Date{Year: 2026, Month: time.August, Day: 31}
	for _, test := range []struct {
		name  string
		query rag.Query
		want  string // the first hit; "" for none
		never string // must not be among the hits
	}{
		{"Japanese", rag.Query{Text: "開館時間は？", Lang: "ja"}, "hours.ja", "hours.en"},
		{"English", rag.Query{Text: "What are the opening hours?", Lang: "en"}, "hours.en", "hours.ja"},
		{"full width and case", rag.Query{Text: "ＰＡＲＫＩＮＧ", Lang: "en"}, "parking.en", ""},
		{
			"a Japanese question, an English answer wanted",
			rag.Query{Text: "駐車場", Lang: "en"},
			"parking.en",
			"parking.ja",
		},
		{"only in the other language", rag.Query{Text: "Steinway", Lang: "ja"}, "piano.en", ""},
		{"no language preferred", rag.Query{Text: "The Steinway piano"}, "piano.en", ""},
		{"a language nobody writes", rag.Query{Text: "駐車場", Lang: "fr"}, "parking.ja", "parking.en"},
		{"nothing known", rag.Query{Text: "How expensive are elephants?", Lang: "en"}, "", ""},
		{"nothing to look for", rag.Query{Text: "！？", Lang: "ja"}, "", ""},
		{"valid", rag.Query{Text: "夜間開放", Lang: "ja", On: july}, "night.ja", ""},
		{"first day", rag.Query{Text: "夜間開放", Lang: "ja", On: first}, "night.ja", ""},
		{"last day", rag.Query{Text: "夜間開放", Lang: "ja", On: last}, "night.ja", ""},
		{"not yet valid", rag.Query{Text: "夏の屋上庭園", Lang: "ja", On: may}, "garden.ja", "night.ja"},
		{"no longer valid", rag.Query{Text: "屋上庭園", Lang: "ja", On: last.AddDays(1)}, "garden.ja", "night.ja"},
		{"any day", rag.Query{Text: "夜間開放", Lang: "ja"}, "night.ja", ""},
		{
			"category",
			rag.Query{Text: "屋上庭園", Lang: "ja", Categories: []string{"events", "hours"}},
			"night.ja",
			"garden.ja",
		},
		{"another category", rag.Query{Text: "The Steinway piano", Lang: "en", Categories: []string{"hours"}}, "", ""},
	} {
		hits := search(t, r, test.query)
		got := ""
		if len(hits) > 0 {
			got = hits[0].Passage.ID
		}
		if got != test.want {
			t.Errorf("%s: Search(%+v) = %q first, want %q", test.name, test.query, got, test.want)
		}
		if slices.ContainsFunc(hits, func(h rag.Hit) bool { return test.never != "" && h.Passage.ID == test.never }) {
			t.Errorf("%s: Search(%+v) has %q among the hits", test.name, test.query, test.never)
		}
	}
}

func bestFirst(t *testing.T, r rag.Retriever) {
	all := search(t, r, rag.Query{Text: "屋上庭園と夜間開放", Lang: "ja", Limit: 9})
	if len(all) < 2 {
		t.Fatalf("Search = %d hits, want some", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b rag.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	}) {
		t.Errorf("Search is not sorted by score: %v", all)
	}
	one := search(t, r, rag.Query{Text: "屋上庭園と夜間開放", Lang: "ja", Limit: 1})
	if diff := cmp.Diff(all[:1], one, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("Search with a limit of 1 (-first of all +got):\n%s", diff)
	}
}

// search may be called from any goroutine.
func search(t *testing.T, r rag.Retriever, q rag.Query) []rag.Hit {
	t.Helper()
	hits, err := r.Search(t.Context(), q)
	if err != nil {
		t.Errorf("Search(%+v): %v", q, err)
	}
	return hits
}
