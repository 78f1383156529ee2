package graphtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"annai/fault"
	"annai/graph"
)

// snapshot is a record as Keep takes it.
func snapshot(id int64) graph.Record {
	r := record(id, 0)
	r.Base, r.Snapshot, r.LogBytes = id, true, 0
	r.Writes = []graph.ChannelData{{Channel: "words", Data: fmt.Appendf(nil, `["all of %d"]`, id)}}
	return r
}

func keep(t *testing.T, s graph.Checkpointer) {
	want := house(t, s, "t")
	other := house(t, s, "u")
	r := snapshot(4)
	if err := s.Keep(t.Context(), "t", r, []string{"a:1", "長"}); err != nil {
		t.Fatalf("Keep(4) = %v", err)
	}
	r.Pending = want[""][0].Pending
	holds(t, s, "t", map[string][]graph.Record{"": {r}, "a:1": want["a:1"], "a:1/b:2": want["a:1/b:2"], "長:1": want["長:1"], "ab:1": nil})
	chain, _ := load(t, s, "t", "", 4)
	same(t, "Load(4)", chain, []graph.Record{r})
	for id := int64(1); id <= 3; id++ {
		if _, _, err := s.Load(t.Context(), "t", "", id); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Load(%d) after Keep(4) = %v, want ErrNotFound", id, err)
		}
	}
	holds(t, s, "u", other)

	inner := snapshot(1)
	inner.Namespace = "a:1"
	if err := s.Keep(t.Context(), "t", inner, nil); err != nil {
		t.Fatalf("Keep(1) of a namespace = %v", err)
	}
	inner.Pending = want["a:1"][0].Pending
	holds(t, s, "t", map[string][]graph.Record{"": nil, "a:1": {inner}, "a:1/b:2": nil, "長:1": nil})
	if err := s.Keep(t.Context(), "u", snapshot(4), []string{""}); err != nil {
		t.Fatalf("Keep(4) with all namespaces = %v", err)
	}
	delete(other, "")
	holds(t, s, "u", other)
}

func keepConflict(t *testing.T, s graph.Checkpointer) {
	want := house(t, s, "t")
	for id, thread := range map[int64]string{3: "t", 5: "t", 1: "nobody"} {
		if err := s.Keep(t.Context(), thread, snapshot(id), nil); !errors.Is(err, fault.ErrConflict) {
			t.Errorf("Keep(%s, %d) = %v, want ErrConflict", thread, id, err)
		}
	}
	elsewhere := snapshot(4)
	elsewhere.Namespace = "a:1"
	if err := s.Keep(t.Context(), "t", elsewhere, nil); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Keep(4) of a namespace that is at 1 = %v, want ErrConflict", err)
	}
	holds(t, s, "t", want)
	holds(t, s, "nobody", map[string][]graph.Record{"": nil})
}

func keepGoOn(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 5)
	if err := s.Keep(t.Context(), "t", snapshot(5), nil); err != nil {
		t.Fatalf("Keep(5) = %v", err)
	}
	after := func(id, parent, base int64) graph.Record {
		r := record(id, parent)
		r.Base = base
		return r
	}
	for what, r := range map[string]graph.Record{
		"a parent that is gone":             after(6, 4, 5),
		"a base that is gone":               after(6, 5, 1),
		"both gone":                         after(6, 2, 1),
		"a snapshot after one that is gone": after(6, 4, 6),
		"an id that was taken and is gone":  after(3, 0, 3),
		"the first id":                      after(1, 0, 1),
		"the id that was kept":              after(5, 0, 5),
	} {
		if err := s.Put(t.Context(), "t", r); !errors.Is(err, fault.ErrConflict) {
			t.Errorf("Put(%s) after Keep(5) = %v, want ErrConflict", what, err)
		}
	}
	if err := s.PutWrites(t.Context(), "t", graph.TaskWrites{Checkpoint: 4}); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("PutWrites(4) after Keep(5) = %v, want ErrNotFound", err)
	}
	holds(t, s, "t", map[string][]graph.Record{"": {snapshot(5)}})
	for _, r := range []graph.Record{after(6, 5, 5), after(7, 5, 5), after(8, 6, 5)} {
		if err := s.Put(t.Context(), "t", r); err != nil {
			t.Fatalf("Put(%d) after Keep(5) = %v", r.ID, err)
		}
	}
	chain, newest := load(t, s, "t", "", 0)
	same(t, "Load", chain, []graph.Record{after(8, 6, 5), after(6, 5, 5), snapshot(5)})
	same(t, "newest", newest, int64(8))
	if err := s.Keep(t.Context(), "t", snapshot(8), nil); err != nil {
		t.Fatalf("Keep(8) = %v", err)
	}
	holds(t, s, "t", map[string][]graph.Record{"": {snapshot(8)}})
	if err := s.Copy(t.Context(), "t", "copy"); err != nil {
		t.Fatalf("Copy = %v", err)
	}
	holds(t, s, "copy", map[string][]graph.Record{"": {snapshot(8)}})
	if err := s.Put(t.Context(), "copy", after(9, 8, 8)); err != nil {
		t.Errorf("Put(9) after Keep(8) and Copy = %v", err)
	}
}

// keepBesidePut has one put a record and another keep the one before: the put is lost only if it says so, and so is the keep.
func keepBesidePut(t *testing.T, s graph.Checkpointer) {
	for round := range 24 {
		thread := fmt.Sprint(round)
		put(t, s, thread, 5)
		next := record(6, 5)
		switch round % 3 {
		case 1:
			next.Parent = 3 // a fork
		case 2:
			next.Base = 6 // needs nothing but its parent, and can so come after the keep too
		}
		var putting, keeping error
		var wg sync.WaitGroup
		wg.Go(func() { putting = s.Put(context.Background(), thread, next) })
		wg.Go(func() { keeping = s.Keep(context.Background(), thread, snapshot(5), nil) })
		wg.Wait()
		want := map[string][]graph.Record{}
		switch {
		case putting == nil && errors.Is(keeping, fault.ErrConflict):
			want[""] = []graph.Record{next, record(5, 4), record(4, 3), record(3, 2), record(2, 1), record(1, 0)}
		case keeping == nil && errors.Is(putting, fault.ErrConflict) && round%3 != 2:
			want[""] = []graph.Record{snapshot(5)}
		case keeping == nil && putting == nil && round%3 == 2:
			want[""] = []graph.Record{next, snapshot(5)}
		default:
			t.Errorf("round %d: Put beside Keep = %v, Keep = %v, want one of them nil and the other ErrConflict", round, putting, keeping)
			continue
		}
		holds(t, s, thread, want)
	}
}

// keepBesideWrites has a task finish while its record is kept.
func keepBesideWrites(t *testing.T, s graph.Checkpointer) {
	for round := range 8 {
		thread := fmt.Sprint(round)
		put(t, s, thread, 3)
		done := graph.TaskWrites{Checkpoint: 3, Task: 1, Finished: true, Writes: []graph.ChannelData{{Channel: "c", Data: []byte("1")}}}
		late := graph.TaskWrites{Checkpoint: 2, Finished: true}
		errs := make([]error, 3)
		var wg sync.WaitGroup
		wg.Go(func() { errs[0] = s.PutWrites(context.Background(), thread, done) })
		wg.Go(func() { errs[1] = s.Keep(context.Background(), thread, snapshot(3), nil) })
		wg.Go(func() { errs[2] = s.PutWrites(context.Background(), thread, late) })
		wg.Wait()
		if errs[0] != nil || errs[1] != nil || errs[2] != nil && !errors.Is(errs[2], fault.ErrNotFound) {
			t.Errorf("round %d: PutWrites(3), Keep(3), PutWrites(2) at once = %v, want nil, nil, nil or ErrNotFound", round, errs)
		}
		want := snapshot(3)
		want.Pending = []graph.TaskWrites{done}
		holds(t, s, thread, map[string][]graph.Record{"": {want}})
	}
}
