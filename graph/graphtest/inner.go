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

// whole returns a record with what its tasks left, and with records of two subgraphs that have some, too.
func whole(id, parent int64) graph.Record {
	r := record(id, parent)
	r.Pending = left("", id)
	for _, at := range []struct {
		namespace string
		id        int64
	}{{"a:1", 2*id - 1}, {"a:1|b:2", id}, {"a:1", 2 * id}} {
		inner := record(at.id, at.id-1)
		inner.Namespace, inner.Pending = at.namespace, left(at.namespace, at.id)
		r.Inner = append(r.Inner, inner)
	}
	return r
}

// left is what two tasks left, one of them a large value.
func left(namespace string, id int64) []graph.TaskWrites {
	return []graph.TaskWrites{
		{Namespace: namespace, Checkpoint: id, Finished: true, Goto: "c", Writes: []graph.ChannelData{{Channel: "words", Data: large(byte(id))}}},
		{Namespace: namespace, Checkpoint: id, Task: 1, Interrupts: []graph.InterruptData{{ID: "i", Node: "b", Question: []byte(`"何時？"`)}}},
	}
}

// held is what namespaces hold once whole records were put, from the first on.
func held(n int64) map[string][]graph.Record {
	want := map[string][]graph.Record{"": nil, "a:1": nil, "a:1|b:2": nil}
	for id := int64(1); id <= n; id++ {
		r := whole(id, id-1)
		for _, inner := range r.Inner {
			want[inner.Namespace] = append([]graph.Record{inner}, want[inner.Namespace]...)
		}
		r.Inner = nil
		want[""] = append([]graph.Record{r}, want[""]...)
	}
	return want
}

func putWhole(t *testing.T, s graph.Checkpointer) {
	for id := int64(1); id <= 2; id++ {
		if err := s.Put(t.Context(), "t", whole(id, id-1)); err != nil {
			t.Fatalf("Put(%d) = %v", id, err)
		}
	}
	holds(t, s, "t", held(2))
	answered := graph.TaskWrites{Namespace: "a:1", Checkpoint: 4, Task: 1, Answers: [][]byte{[]byte("1")}}
	if err := errors.Join(s.PutWrites(t.Context(), "t", answered), s.Copy(t.Context(), "t", "u")); err != nil {
		t.Fatalf("PutWrites, Copy = %v", err)
	}
	want := held(2)
	want["a:1"][0].Pending[1] = answered
	holds(t, s, "t", want)
	holds(t, s, "u", want)
}

// putNothing has records whose ids are taken, or whose parents are not there, among those that are put together.
func putNothing(t *testing.T, s graph.Checkpointer) {
	taken := whole(1, 0)
	taken.Inner[2].ID = 1
	orphan := whole(1, 0)
	orphan.Inner[2].Parent = 7
	second := whole(1, 0)
	second.ID, second.Parent = 3, 2
	for what, r := range map[string]graph.Record{"an inner id that is taken": taken, "an inner parent that is not there": orphan, "a parent that is not there": second} {
		if err := s.Put(t.Context(), "nobody", r); !errors.Is(err, fault.ErrConflict) {
			t.Errorf("Put with %s = %v, want ErrConflict", what, err)
		}
		holds(t, s, "nobody", held(0))
	}
	if err := s.Put(t.Context(), "t", whole(1, 0)); err != nil {
		t.Fatalf("Put = %v", err)
	}
	for what, r := range map[string]graph.Record{"an id that is taken": whole(1, 0), "another id that is taken": {ID: 1, Base: 1, Inner: whole(2, 1).Inner}} {
		if err := s.Put(t.Context(), "t", r); !errors.Is(err, fault.ErrConflict) {
			t.Errorf("Put with %s = %v, want ErrConflict", what, err)
		}
	}
	late := whole(2, 1)
	late.Inner[0].ID = 2
	if err := s.Put(t.Context(), "t", late); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Put after a subgraph went on = %v, want ErrConflict", err)
	}
	holds(t, s, "t", held(1))
	if err := s.Copy(t.Context(), "t", "nobody"); err != nil {
		t.Errorf("Copy to a thread that nothing was put into = %v", err)
	}
}

func putWholeConcurrently(t *testing.T, s graph.Checkpointer) {
	for round := range 4 {
		thread := fmt.Sprint(round)
		errs := make([]error, 6)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() {
				r := whole(1, 0)
				r.RunID = fmt.Sprint(i)
				for j := range r.Inner {
					r.Inner[j].RunID = r.RunID
				}
				errs[i] = s.Put(context.Background(), thread, r)
			})
		}
		wg.Wait()
		won := ""
		for i, err := range errs {
			switch {
			case err == nil && won == "":
				won = fmt.Sprint(i)
			case !errors.Is(err, fault.ErrConflict):
				t.Errorf("Put by %d = %v, want one that wins and ErrConflict", i, err)
			}
		}
		for namespace, records := range held(1) {
			chain, newest := load(t, s, thread, namespace, 0)
			if len(chain) == 0 || newest != records[0].ID || chain[0].RunID != won {
				t.Errorf("Load(%q) = %v, %d, want %d, of the winner %s", namespace, ids(chain), newest, records[0].ID, won)
			}
		}
	}
}

// putWholeBesideLoad looks at a namespace and the thread itself while records of both are put together.
func putWholeBesideLoad(t *testing.T, s graph.Checkpointer) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for id := int64(1); id <= 20; id++ {
			if err := s.Put(context.Background(), "t", whole(id, id-1)); err != nil {
				t.Errorf("Put(%d) = %v", id, err)
				return
			}
		}
	}()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		_, before := load(t, s, "t", "a:1|b:2", 0)
		chain, newest := load(t, s, "t", "", 0)
		_, after := load(t, s, "t", "a:1|b:2", 0)
		if before > newest || after < newest || newest > 0 && len(chain[0].Pending) != 2 {
			t.Errorf("a subgraph was at %d, then its thread at %d, then the subgraph at %d; want them together", before, newest, after)
		}
	}
}

// aliasingWhole changes what was put together.
func aliasingWhole(t *testing.T, s graph.Checkpointer) {
	mine := whole(1, 0)
	if err := s.Put(t.Context(), "t", mine); err != nil {
		t.Fatalf("Put = %v", err)
	}
	for _, r := range append(mine.Inner, mine) {
		r.Writes[0].Data[0], r.Tasks[1].Input[0] = 'X', 'X'
		r.Pending[0].Writes[0].Data[0], r.Pending[1].Interrupts[0].ID = 'X', "X"
	}
	holds(t, s, "t", held(1))
}
