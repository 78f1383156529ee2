package graphtest

import (
	"testing"
	"time"

	"annai/graph"
)

// mark returns the mark of the newest record.
func mark(t *testing.T, s graph.Checkpointer, thread, namespace string) graph.Mark {
	t.Helper()
	m, err := s.Newest(t.Context(), thread, namespace)
	if err != nil {
		t.Fatalf("Newest(%q, %q) = %v", thread, namespace, err)
	}
	return m
}

// newest holds marks against the records themselves. A thread that was deleted and begun anew has
// other marks.
func newest(t *testing.T, s graph.Checkpointer) {
	if got := mark(t, s, "nobody", ""); !got.Is(graph.Mark{}) {
		t.Errorf("Newest of no thread = %v, want the zero mark", got)
	}
	put(t, s, "t", 3)
	inner := record(1, 0)
	inner.Namespace, inner.At = "a:1", inner.At.Add(time.Nanosecond)
	if err := s.Put(t.Context(), "t", inner); err != nil {
		t.Fatalf("Put = %v", err)
	}
	for namespace, want := range map[string]graph.Record{"": record(3, 2), "a:1": inner} {
		chain, _ := load(t, s, "t", namespace, 0)
		got := mark(t, s, "t", namespace)
		loaded := graph.Mark{ID: chain[0].ID, At: chain[0].At}
		if wanted := (graph.Mark{ID: want.ID, At: want.At}); !got.Is(loaded) || !got.Is(wanted) {
			t.Errorf("Newest(%q) = %v, want %v; loaded was %v", namespace, got, wanted, loaded)
		}
	}
	before := mark(t, s, "t", "")
	if err := s.Copy(t.Context(), "t", "copy"); err != nil {
		t.Fatalf("Copy = %v", err)
	}
	if got := mark(t, s, "copy", ""); !got.Is(before) {
		t.Errorf("Newest of a copy = %v, want %v", got, before)
	}
	if err := s.Delete(t.Context(), "t"); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	if got := mark(t, s, "t", ""); !got.Is(graph.Mark{}) {
		t.Errorf("Newest after Delete = %v, want the zero mark", got)
	}
	for id := int64(1); id <= before.ID; id++ {
		r := record(id, id-1)
		r.At = r.At.Add(time.Nanosecond)
		if err := s.Put(t.Context(), "t", r); err != nil {
			t.Fatalf("Put = %v", err)
		}
	}
	if got := mark(t, s, "t", ""); got.ID != before.ID || got.Is(before) {
		t.Errorf("Newest of a thread that was begun anew = %v, want another than %v", got, before)
	}
}
