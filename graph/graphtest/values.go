package graphtest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/graph"
)

// nilOrEmpty: a task that was sent no input differs from one that was sent an empty one, and so does a question without an answer.
func nilOrEmpty(t *testing.T, s graph.Checkpointer) {
	r := graph.Record{
		ID: 1, Base: 1, At: record(1, 0).At,
		Writes: []graph.ChannelData{{Channel: "nil"}, {Channel: "empty", Data: []byte{}}},
		Tasks:  []graph.TaskData{{Node: "nil"}, {Node: "empty", Input: []byte{}}},
	}
	w := graph.TaskWrites{
		Checkpoint: 1,
		Writes:     []graph.ChannelData{{Channel: "nil"}, {Channel: "empty", Data: []byte{}}},
		Sends:      []graph.TaskData{{Node: "nil"}, {Node: "empty", Input: []byte{}}},
		Interrupts: []graph.InterruptData{{ID: "nil"}, {ID: "empty", Question: []byte{}, Answer: []byte{}}},
		Answers:    [][]byte{nil, {}},
	}
	if err := errors.Join(s.Put(t.Context(), "t", r), s.PutWrites(t.Context(), "t", w), s.Copy(t.Context(), "t", "copy")); err != nil {
		t.Fatalf("Put, PutWrites, Copy = %v", err)
	}
	want := r
	want.Pending = []graph.TaskWrites{w}
	for _, thread := range []string{"t", "copy"} {
		chain, _ := load(t, s, thread, "", 0)
		if diff := cmp.Diff([]graph.Record{want}, chain); diff != "" {
			t.Errorf("Load(%s), nil and empty told apart (-want +got):\n%s", thread, diff)
		}
	}
	kept := graph.Record{ID: 1, Base: 1, At: r.At, Snapshot: true, Writes: r.Writes, Tasks: r.Tasks}
	if err := s.Keep(t.Context(), "t", kept, nil); err != nil {
		t.Fatalf("Keep = %v", err)
	}
	kept.Pending = want.Pending
	chain, _ := load(t, s, "t", "", 0)
	if diff := cmp.Diff([]graph.Record{kept}, chain); diff != "" {
		t.Errorf("Load after Keep, nil and empty told apart (-want +got):\n%s", diff)
	}
}

func relaxed(t *testing.T, s graph.Checkpointer) {
	r := record(1, 0)
	r.Relaxed = true
	if err := s.Put(t.Context(), "t", r); err != nil {
		t.Fatalf("Put = %v", err)
	}
	chain, _ := load(t, s, "t", "", 0)
	same(t, "Load of a relaxed record", chain, []graph.Record{record(1, 0)})
	r.Snapshot = true
	if err := s.Keep(t.Context(), "t", r, nil); err != nil {
		t.Fatalf("Keep = %v", err)
	}
	r.Relaxed = false
	chain, _ = load(t, s, "t", "", 0)
	same(t, "Load of a relaxed record after Keep", chain, []graph.Record{r})
}

// large is a value that a store may keep in a place of its own, once.
func large(b byte) []byte { return bytes.Repeat([]byte{b, 'x', 0, 0xff}, 20_000) }

// largeOften has large values that are the same in several records and tasks, and takes them away one after the other.
func largeOften(t *testing.T, s graph.Checkpointer) {
	two := func(id, parent int64) graph.Record {
		r := record(id, parent)
		r.Writes = []graph.ChannelData{{Channel: "a", Data: large('a')}, {Channel: "small", Data: []byte("1")}, {Channel: "again", Data: large('a')}}
		r.Tasks = []graph.TaskData{{Node: "n", Input: large('i')}, {Node: "m", Input: large(byte(id))}}
		return r
	}
	asks := graph.TaskWrites{
		Checkpoint: 3, Task: 1, Interrupts: []graph.InterruptData{{ID: "i", Question: large('q'), Answer: large('a')}}, Answers: [][]byte{large('i'), large('z')},
	}
	done := graph.TaskWrites{Checkpoint: 3, Task: 0, Finished: true, Sends: []graph.TaskData{{Node: "n", Input: large('q')}}, Writes: []graph.ChannelData{{Channel: "a", Data: large('i')}}}
	for id := int64(1); id <= 3; id++ {
		if err := s.Put(t.Context(), "t", two(id, id-1)); err != nil {
			t.Fatalf("Put(%d) = %v", id, err)
		}
	}
	inner := two(1, 0)
	inner.Namespace = "a:1"
	err := errors.Join(s.PutWrites(t.Context(), "t", asks), s.PutWrites(t.Context(), "t", done), s.Put(t.Context(), "t", inner), s.Copy(t.Context(), "t", "copy"))
	if err != nil {
		t.Fatalf("PutWrites, Put, Copy = %v", err)
	}
	want := []graph.Record{two(3, 2), two(2, 1), two(1, 0)}
	want[0].Pending = []graph.TaskWrites{done, asks}
	holds(t, s, "t", map[string][]graph.Record{"": want})
	small := graph.TaskWrites{Checkpoint: 3, Task: 1, Finished: true}
	if err := s.PutWrites(t.Context(), "t", small); err != nil {
		t.Fatalf("PutWrites = %v", err)
	}
	want[0].Pending[1] = small
	holds(t, s, "t", map[string][]graph.Record{"": want})
	kept := two(3, 0)
	kept.Base, kept.Snapshot = 3, true
	if err := s.Keep(t.Context(), "t", kept, []string{"a"}); err != nil {
		t.Fatalf("Keep = %v", err)
	}
	kept.Pending = want[0].Pending
	holds(t, s, "t", map[string][]graph.Record{"": {kept}})
	holds(t, s, "t", map[string][]graph.Record{"a:1": {inner}})
	next := two(4, 3)
	next.Base = 3
	if err := errors.Join(s.Put(t.Context(), "t", next), s.Delete(t.Context(), "copy")); err != nil {
		t.Fatalf("Put, Delete = %v", err)
	}
	holds(t, s, "t", map[string][]graph.Record{"": {next, kept}})
	if err := s.Put(t.Context(), "t", two(4, 3)); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Put of a large record whose id is taken = %v, want ErrConflict", err)
	}
	holds(t, s, "t", map[string][]graph.Record{"": {next, kept}})
}

// extremes has values of 12 MB, of zeroes and of nothing.
func extremes(t *testing.T, s graph.Checkpointer) {
	big := record(1, 0)
	big.Writes = []graph.ChannelData{
		{Channel: "big", Data: bytes.Repeat([]byte("大"), 4<<20)}, {Channel: "zero", Data: []byte("\x00\xff")}, {Channel: "empty"},
	}
	bare := graph.Record{ID: 2, Parent: 1, Base: 1}
	for _, r := range []graph.Record{big, bare} {
		if err := s.Put(t.Context(), "t", r); err != nil {
			t.Fatalf("Put(%d) = %v", r.ID, err)
		}
	}
	chain, _ := load(t, s, "t", "", 0)
	same(t, "Load", chain, []graph.Record{bare, big})
}
