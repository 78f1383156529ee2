package graphtest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"annai/fault"
	"annai/graph"
)

// Durable checks what a store promises besides if what it keeps outlives it: place makes an empty place, and what that returns opens the store
// there. A store is closed, if it can be, before the next one is opened at its place.
func Durable(t *testing.T, place func(t *testing.T) (open func() graph.Checkpointer)) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, func() graph.Checkpointer){
		"what was put is found after re-opening": reopen,
		"a large record is found whole":          reopenLarge,
		"a copy and what was kept are found":     reopenKept,
	} {
		t.Run(name, func(t *testing.T) { check(t, place(t)) })
	}
}

func reopen(t *testing.T, open func() graph.Checkpointer) {
	s := open()
	put(t, s, "スレッド", 2)
	pending := graph.TaskWrites{Checkpoint: 2, Task: 1, Interrupts: []graph.InterruptData{{ID: "i", Node: "b", Question: []byte("1")}}}
	if err := s.PutWrites(t.Context(), "スレッド", pending); err != nil {
		t.Fatalf("PutWrites = %v", err)
	}
	put(t, s, "deleted", 1)
	if err := s.Delete(t.Context(), "deleted"); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	want := []graph.Record{record(2, 1), record(1, 0)}
	want[0].Pending = []graph.TaskWrites{pending}
	for range 2 {
		shut(t, s)
		s = open()
		chain, newest := load(t, s, "スレッド", "", 0)
		same(t, "Load after re-opening", chain, want)
		same(t, "newest", newest, int64(2))
		if chain, _ := load(t, s, "deleted", "", 0); len(chain) != 0 {
			t.Errorf("Load of a deleted thread after re-opening = %v, want nothing", chain)
		}
	}
	if err := s.Put(t.Context(), "スレッド", record(2, 1)); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Put(2) again after re-opening = %v, want ErrConflict", err)
	}
	if err := s.Put(t.Context(), "スレッド", record(3, 2)); err != nil {
		t.Errorf("Put(3) after re-opening = %v", err)
	}
}

func reopenLarge(t *testing.T, open func() graph.Checkpointer) {
	big := record(1, 0)
	big.Writes[0].Data = []byte(strings.Repeat("大", 1<<20))
	s := open()
	if err := s.Put(t.Context(), "t", big); err != nil {
		t.Fatalf("Put = %v", err)
	}
	shut(t, s)
	chain, _ := load(t, open(), "t", "", 0)
	if len(chain) != 1 || !bytes.Equal(chain[0].Writes[0].Data, big.Writes[0].Data) {
		t.Error("Load after re-opening did not return the large value whole")
	}
}

func reopenKept(t *testing.T, open func() graph.Checkpointer) {
	s := open()
	want := house(t, s, "t")
	kept := snapshot(4)
	kept.Writes[0].Data = large('x')
	if err := errors.Join(s.Copy(t.Context(), "t", "copy"), s.Keep(t.Context(), "t", kept, nil)); err != nil {
		t.Fatalf("Copy, Keep = %v", err)
	}
	shut(t, s)
	s = open()
	holds(t, s, "copy", want)
	kept.Pending = want[""][0].Pending
	holds(t, s, "t", map[string][]graph.Record{"": {kept}, "a:1": nil})
}

func shut(t *testing.T, s graph.Checkpointer) {
	t.Helper()
	if c, ok := s.(io.Closer); ok {
		if err := c.Close(); err != nil {
			t.Fatalf("Close() = %v", err)
		}
	}
}
