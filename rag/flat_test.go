package rag

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
)

// crowd returns entries near each other, as passages about the same thing are, many of them the same.
func crowd(n, dimension int) []Entry {
	random := rand.New(rand.NewPCG(1, 2))
	centre := make([]float32, dimension)
	for i := range centre {
		centre[i] = random.Float32() - 0.5
	}
	entries := make([]Entry, n)
	for i := range entries {
		v := make(Vector, dimension)
		if i > 0 && i%7 == 0 {
			copy(v, entries[i-1].Vector)
		} else {
			for j := range v {
				v[j] = centre[j] + (random.Float32()-0.5)*float32(i%5)
			}
			normalize(v)
		}
		entries[i] = Entry{
			ID: fmt.Sprint(i), Vector: v, Lang: []string{"ja", "en"}[i%2], Category: []string{"a", "b", ""}[i%3],
		}
		if i%3 == 0 && i%5 == 0 { // some of one category
			entries[i].ValidUntil = civil.Date{Year: 2026, Month: time.Month(1 + i%12), Day: 1}
		}
	}
	return entries
}

// What is found is what comparing with every entry finds, to the last bit.
func TestFlatIsExact(t *testing.T) {
	midyear := civil.Date{Year: 2026, Month: 6, Day: 15}
	for _, dimension := range []int{512, 64, 100} {
		entries := crowd(2500, dimension)
		x, err := NewFlat(t.Context(), "", entries)
		if err != nil {
			t.Fatal(err)
		}
		if rounded := len(x.(flat).scans[kind{"ja", "a"}].rounded) > 0; rounded != (fastRounded && dimension%64 == 0) {
			t.Errorf("an index of %d dimensions has rounded vectors: %t", dimension, rounded)
		}
		for _, q := range []int{0, 3, 7, 500, 2499} {
			for _, f := range []Filter{{}, {Lang: "ja"}, {Lang: "en", Category: "a"}, {Category: "b"}, {On: midyear}} {
				exact(t, x, entries, entries[q].Vector, f)
			}
		}
	}
}

func exact(t *testing.T, x Index, entries []Entry, v Vector, f Filter) {
	t.Helper()
	var all []Neighbour
	for i := range entries {
		all = nearer(all, v, &entries[i], len(entries), f)
	}
	for _, n := range []int{1, 32, 2000, 5000} {
		got, err := x.Nearest(t.Context(), v, n, f)
		if diff := cmp.Diff(all[:min(n, len(all))], got); diff != "" || err != nil {
			t.Errorf("%d dimensions: Nearest(%d, %+v) = %v (-want +got):\n%s", len(v), n, f, err, diff)
		}
	}
}

// No product with a rounded vector is further off than is said.
func TestRoundedProducts(t *testing.T) {
	if !fastRounded {
		return // nothing is rounded here
	}
	entries := crowd(1000, 512)
	s := &scan{entries: entries}
	s.round(512)
	about := make([]float32, flatShare)
	for _, q := range entries[:50] {
		s.rounded[0].Apply(tile, q.Vector, 0, 1, about, 0)
		for i, e := range entries {
			if off := float32(Cosine(q.Vector, e.Vector)) - about[i]; max(off, -off) > s.off {
				t.Errorf("product of entry %d is %v off, want at most %v", i, off, s.off)
			}
		}
	}
}
