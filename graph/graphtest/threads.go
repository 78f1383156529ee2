package graphtest

import (
	"slices"
	"testing"
	"time"

	"annai/graph"
)

func deleteThread(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 2)
	put(t, s, "u", 1)
	inner := record(1, 0)
	inner.Namespace = "a:1"
	if err := s.Put(t.Context(), "t", inner); err != nil {
		t.Fatalf("Put = %v", err)
	}
	if err := s.Delete(t.Context(), "t"); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	for _, namespace := range []string{"", "a:1"} {
		if chain, newest := load(t, s, "t", namespace, 0); len(chain) != 0 || newest != 0 {
			t.Errorf("Load(%q) after Delete = %v, %d, want nothing", namespace, chain, newest)
		}
	}
	if _, newest := load(t, s, "u", "", 0); newest != 1 {
		t.Errorf("newest of another thread = %d, want 1", newest)
	}
	put(t, s, "t", 1) // the thread can begin anew
}

// prune forgets threads by the age of their newest record.
func prune(t *testing.T, s graph.Checkpointer) {
	at := record(1, 0).At
	put(t, s, "old", 1)
	put(t, s, "old but for its subgraph", 1)
	inner := record(1, 0)
	inner.Namespace, inner.At = "a:1", at.Add(time.Hour)
	fresh := record(1, 0)
	fresh.At = at.Add(time.Minute)
	for thread, r := range map[string]graph.Record{"old but for its subgraph": inner, "fresh": fresh} {
		if err := s.Put(t.Context(), thread, r); err != nil {
			t.Fatalf("Put = %v", err)
		}
	}
	if n, err := s.Prune(t.Context(), at.Add(time.Minute)); n != 1 || err != nil {
		t.Errorf("Prune = %d, %v, want 1", n, err)
	}
	for thread, want := range map[string]int64{"old": 0, "old but for its subgraph": 1, "fresh": 1} {
		if _, newest := load(t, s, thread, "", 0); newest != want {
			t.Errorf("newest of %q after Prune = %d, want %d", thread, newest, want)
		}
	}
}

// listThreads is about those that are a [graph.Lister]; others need not be.
func listThreads(t *testing.T, s graph.Checkpointer) {
	lister, ok := s.(graph.Lister)
	if !ok {
		return
	}
	for _, thread := range []string{"b", "\x01of/a\x01b", "a-1", "A", "猫"} {
		put(t, s, thread, 2)
	}
	want := []string{"\x01of/a\x01b", "A", "a-1", "b", "猫"}
	after := ""
	for i := range 3 {
		page := want[min(2*i, len(want)):min(2*i+2, len(want))]
		got, err := lister.Threads(t.Context(), after, 2)
		if err != nil || !slices.Equal(got, page) {
			t.Errorf("Threads(%q, 2) = %q, %v, want %q", after, got, err, page)
		}
		if len(got) > 0 {
			after = got[len(got)-1]
		}
	}
	if got, err := lister.Threads(t.Context(), after, 2); err != nil || len(got) > 0 {
		t.Errorf("Threads(%q, 2) = %q, %v, want none", after, got, err)
	}
}
