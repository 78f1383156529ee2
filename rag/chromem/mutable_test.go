package chromem_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"annai/fault"
	"annai/rag"
	"annai/rag/chromem"
)

// After any puts and removals the nearest are those of an index that is made anew.
func TestMutable(t *testing.T) {
	m, err := chromem.NewMutable()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	kept := map[string][]rag.Vector{}
	for step := range 400 {
		id := fmt.Sprint(random.IntN(60))
		if random.IntN(3) == 0 {
			delete(kept, id)
			if err := m.Remove(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		} else {
			kept[id] = nil
			for range random.IntN(4) {
				kept[id] = append(kept[id], unit(random))
			}
			if err := m.Put(t.Context(), id, kept[id]); err != nil {
				t.Fatal(err)
			}
		}
		if step%10 == 0 {
			sameNearest(t, m, kept, unit(random))
		}
	}
}

func sameNearest(t *testing.T, m *chromem.Mutable, kept map[string][]rag.Vector, asked rag.Vector) {
	t.Helper()
	var entries []rag.Entry
	for id, vectors := range kept {
		for n, v := range vectors {
			entries = append(entries, rag.Entry{ID: fmt.Sprintf("%s/%d", id, n), Vector: v})
		}
	}
	flat, err := rag.NewFlat(t.Context(), "", entries)
	if err != nil {
		t.Fatal(err)
	}
	want, err := flat.Nearest(t.Context(), asked, 7, rag.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		want[i].ID = want[i].ID[:len(want[i].ID)-2]
	}
	got, err := m.Nearest(t.Context(), asked, 7)
	if err != nil || m.Len() != len(entries) {
		t.Fatalf("Nearest among %d vectors = %v; want %d", m.Len(), err, len(entries))
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-4), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("nearest (-made anew +mutable):\n%s", diff)
	}
}

func unit(random *rand.Rand) rag.Vector {
	v := make(rag.Vector, 16)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	sum := rag.Cosine(v, v)
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func TestMutableRefuses(t *testing.T) {
	m, err := chromem.NewMutable()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Nearest(t.Context(), rag.Vector{1, 0}, 3); err != nil || got != nil {
		t.Errorf("Nearest in an empty index = %v, %v; want nothing", got, err)
	}
	if err := m.Put(t.Context(), "a", []rag.Vector{{1, 0}}); err != nil {
		t.Fatal(err)
	}
	for name, vectors := range map[string][]rag.Vector{
		"a longer one": {{1, 0}, {0, 0, 1}}, "one that is not of unit length": {{1, 1}}, "nought": {{0, 0}},
	} {
		if err := m.Put(t.Context(), "a", vectors); !errors.Is(err, fault.ErrInvalid) || m.Len() != 1 {
			t.Errorf("Put of %s = %v and %d vectors are in; want ErrInvalid and what was there", name, err, m.Len())
		}
	}
	if err := m.Put(t.Context(), "", nil); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Put without an id = %v, want ErrInvalid", err)
	}
	if _, err := m.Nearest(t.Context(), rag.Vector{1, 0, 0}, 1); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Nearest with another dimension = %v, want ErrInvalid", err)
	}
}
