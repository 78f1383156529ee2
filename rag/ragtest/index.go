package ragtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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

var entries = []rag.Entry{
	{
		ID: "a", Vector: rag.Vector{1, 0, 0}, Lang: "ja", Category: "hours", ValidFrom: day(1), ValidUntil: day(3),
	},
	{ID: "b", Vector: rag.Vector{0.8, 0.6, 0}, Lang: "ja", Category: "price", ValidUntil: day(8)},
	{ID: "c", Vector: rag.Vector{0, 1, 0}, Lang: "en", Category: "hours"},
	{ID: "d", Vector: rag.Vector{0, 0, 1}, Lang: "en", Category: "price"},
	{ID: "e", Vector: rag.Vector{-1, 0, 0}, Lang: "en", Category: ""},
}

// day is one of a month.
func day(n int) civil.Date { return civil.Date{Year: 2026, Month: time.May, Day: n} }

// Index checks that what newIndex builds keeps the contract of [rag.Index].
func Index(t *testing.T, newIndex rag.NewIndex) {
	full := build(t, newIndex, entries)
	t.Run("search", func(t *testing.T) { searchIndex(t, full) })
	t.Run("refused searches", func(t *testing.T) { refusedSearches(t, full) })
	t.Run("refused entries", func(t *testing.T) { refusedEntries(t, newIndex) })
	t.Run("the very nearest", func(t *testing.T) { theVeryNearest(t, newIndex) })
	t.Run("empty", func(t *testing.T) {
		if got := nearest(t, build(t, newIndex, nil), rag.Vector{1}, 3, rag.Filter{}); len(got) != 0 {
			t.Errorf("Nearest in an empty index = %v, want nothing", got)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := full.Nearest(ctx, rag.Vector{1, 0, 0}, 1, rag.Filter{}); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Nearest with a cancelled context = %v, want ErrUnavailable", err)
		}
	})
	t.Run("concurrent use", func(t *testing.T) {
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() { searchIndex(t, full) })
		}
		group.Wait()
	})
}

func searchIndex(t *testing.T, x rag.Index) {
	q := rag.Vector{1, 0, 0}
	for _, test := range []struct {
		name   string
		n      int
		filter rag.Filter
		want   []rag.Neighbour
	}{
		{"nearest first", 2, rag.Filter{}, []rag.Neighbour{{ID: "a", Cosine: 1}, {ID: "b", Cosine: 0.8}}},
		{
			"more than there are", 99,
			rag.Filter{},
			[]rag.Neighbour{{ID: "a", Cosine: 1}, {ID: "b", Cosine: 0.8}, {ID: "c"}, {ID: "d"}, {ID: "e", Cosine: -1}},
		},
		{"language", 9, rag.Filter{Lang: "ja"}, []rag.Neighbour{{ID: "a", Cosine: 1}, {ID: "b", Cosine: 0.8}}},
		{"category", 9, rag.Filter{Category: "price"}, []rag.Neighbour{{ID: "b", Cosine: 0.8}, {ID: "d"}}},
		{"both", 9, rag.Filter{Lang: "en", Category: "hours"}, []rag.Neighbour{{ID: "c"}}},
		{"none matches", 9, rag.Filter{Lang: "fr"}, nil},
		{"first day", 1, rag.Filter{On: day(1)}, []rag.Neighbour{{ID: "a", Cosine: 1}}},
		{"last day", 1, rag.Filter{On: day(3)}, []rag.Neighbour{{ID: "a", Cosine: 1}}},
		{"too late", 1, rag.Filter{On: day(4)}, []rag.Neighbour{{ID: "b", Cosine: 0.8}}},
		{"too early for one, too late for another", 1, rag.Filter{Lang: "ja", On: day(9)}, nil},
		{"not yet", 9, rag.Filter{Lang: "ja", On: day(10).AddDays(-11)}, []rag.Neighbour{{ID: "b", Cosine: 0.8}}},
	} {
		got := nearest(t, x, q, test.n, test.filter)
		if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty(), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%s: Nearest(%v, %d, %+v) (-want +got):\n%s", test.name, q, test.n, test.filter, diff)
		}
	}
}

// theVeryNearest compares with every entry: what an index finds is the same to the last bit, also where
// many are as near as others.
func theVeryNearest(t *testing.T, newIndex rag.NewIndex) {
	random := rand.New(rand.NewPCG(1, 2))
	crowd := make([]rag.Entry, 600)
	for i := range crowd {
		v, sum := make(rag.Vector, 64), 0.0
		if i%5 != 0 {
			copy(v, crowd[i-1].Vector)
		}
		for j := range v {
			if i%5 == 0 {
				v[j] = 1 + random.Float32()
			}
			sum += float64(v[j]) * float64(v[j])
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(sum))
		}
		crowd[i] = rag.Entry{ID: fmt.Sprint(i), Vector: v, Lang: []string{"ja", "en"}[i%2], ValidFrom: day(1 + i%20)}
	}
	x := build(t, newIndex, crowd)
	for _, f := range []rag.Filter{{}, {Lang: "en"}, {On: day(3)}, {Lang: "ja", On: day(19)}} {
		var all []rag.Neighbour
		for i := range crowd {
			if f.Keeps(&crowd[i]) {
				all = append(all, rag.Neighbour{ID: crowd[i].ID, Cosine: rag.Cosine(crowd[7].Vector, crowd[i].Vector)})
			}
		}
		slices.SortFunc(all, rag.CompareNeighbours)
		for _, n := range []int{1, 3, 32, 1000} {
			got := nearest(t, x, crowd[7].Vector, n, f)
			if diff := cmp.Diff(all[:min(n, len(all))], got); diff != "" {
				t.Errorf("Nearest(entry 7, %d, %+v) (-want +got):\n%s", n, f, diff)
			}
		}
	}
}

func refusedSearches(t *testing.T, x rag.Index) {
	nan := float32(math.NaN())
	for _, test := range []struct {
		v rag.Vector
		n int
	}{
		{rag.Vector{1, 0, 0}, 0},
		{rag.Vector{1, 0, 0}, -1},
		{rag.Vector{1, 0}, 1},
		{nil, 1},
		{rag.Vector{0, 0, 0}, 1},
		{rag.Vector{2, 0, 0}, 1},
		{rag.Vector{nan, 0, 0}, 1},
	} {
		if got, err := x.Nearest(t.Context(), test.v, test.n, rag.Filter{}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Nearest(%v, %d) = %v, %v; want ErrInvalid", test.v, test.n, got, err)
		}
	}
}

func refusedEntries(t *testing.T, newIndex rag.NewIndex) {
	unit := rag.Vector{1, 0}
	for name, bad := range map[string][]rag.Entry{
		"no id":             {{Vector: unit}},
		"repeated id":       {{ID: "a", Vector: unit}, {ID: "a", Vector: unit}},
		"zero vector":       {{ID: "a", Vector: rag.Vector{0, 0}}},
		"no vector":         {{ID: "a"}},
		"another dimension": {{ID: "a", Vector: unit}, {ID: "b", Vector: rag.Vector{1}}},
	} {
		if _, err := newIndex(t.Context(), "suite", bad); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("building an index with %s = %v, want ErrInvalid", name, err)
		}
	}
}

func build(t *testing.T, newIndex rag.NewIndex, entries []rag.Entry) rag.Index {
	t.Helper()
	x, err := newIndex(t.Context(), "suite/3/1", entries)
	if err != nil {
		t.Fatalf("building an index of %d entries: %v", len(entries), err)
	}
	return x
}

// nearest may be called from any goroutine.
func nearest(t *testing.T, x rag.Index, v rag.Vector, n int, f rag.Filter) []rag.Neighbour {
	t.Helper()
	got, err := x.Nearest(t.Context(), v, n, f)
	if err != nil {
		t.Errorf("Nearest(%v, %d, %+v): %v", v, n, f, err)
	}
	return got
}
