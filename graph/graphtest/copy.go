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

// house fills a thread with forks, namespaces and what tasks left, and returns what is in it by namespace.
func house(t *testing.T, s graph.Checkpointer, thread string) map[string][]graph.Record {
	t.Helper()
	put(t, s, thread, 3)
	want := map[string][]graph.Record{"": {record(4, 1), record(3, 2), record(2, 1), record(1, 0)}}
	if err := s.Put(t.Context(), thread, record(4, 1)); err != nil {
		t.Fatalf("Put(4) = %v", err)
	}
	for _, namespace := range []string{"a:1", "a:1/b:2", "ab:1", "長:1"} {
		r := record(1, 0)
		r.Namespace = namespace
		if err := s.Put(t.Context(), thread, r); err != nil {
			t.Fatalf("Put(1) in %s = %v", namespace, err)
		}
		want[namespace] = []graph.Record{r}
	}
	for namespace, records := range want {
		for i := range records {
			asks := graph.TaskWrites{
				Namespace: namespace, Checkpoint: records[i].ID, Task: 1, Interrupts: []graph.InterruptData{{ID: "i", Node: "b", Question: []byte(`"何時？"`)}},
			}
			done := graph.TaskWrites{Namespace: namespace, Checkpoint: records[i].ID, Finished: true, Goto: namespace}
			if err := errors.Join(s.PutWrites(t.Context(), thread, asks), s.PutWrites(t.Context(), thread, done)); err != nil {
				t.Fatalf("PutWrites(%d) in %s = %v", records[i].ID, namespace, err)
			}
			records[i].Pending = []graph.TaskWrites{done, asks}
		}
	}
	return want
}

// holds compares what is in the namespaces of a thread. A namespace of no records must be empty.
func holds(t *testing.T, s graph.Checkpointer, thread string, want map[string][]graph.Record) {
	t.Helper()
	for namespace, records := range want {
		got, err := s.List(t.Context(), thread, namespace, 0, 0)
		if err != nil {
			t.Fatalf("List(%q, %q) = %v", thread, namespace, err)
		}
		same(t, fmt.Sprintf("List(%q, %q)", thread, namespace), got, records)
		wantNewest := int64(0)
		if len(records) > 0 {
			wantNewest = records[0].ID
		}
		if _, newest := load(t, s, thread, namespace, 0); newest != wantNewest {
			t.Errorf("newest of %q in %q = %d, want %d", namespace, thread, newest, wantNewest)
		}
	}
}

func copyThread(t *testing.T, s graph.Checkpointer) {
	want := house(t, s, "t")
	for _, to := range []string{"コピー 🏮", "", "t 2"} {
		if err := s.Copy(t.Context(), "t", to); err != nil {
			t.Fatalf("Copy(t, %q) = %v", to, err)
		}
		holds(t, s, to, want)
	}
	holds(t, s, "t", want)
	if err := s.Copy(t.Context(), "t 2", "t 3"); err != nil {
		t.Fatalf("Copy of a copy = %v", err)
	}
	holds(t, s, "t 3", want)
}

// copyApart changes either and looks at the other.
func copyApart(t *testing.T, s graph.Checkpointer) {
	want := house(t, s, "t")
	if err := errors.Join(s.Copy(t.Context(), "t", "u"), s.Copy(t.Context(), "t", "v")); err != nil {
		t.Fatalf("Copy = %v", err)
	}
	mine, theirs := record(5, 4), record(5, 2)
	answered := graph.TaskWrites{Checkpoint: 4, Task: 1, Finished: true}
	if err := errors.Join(s.Put(t.Context(), "t", mine), s.Put(t.Context(), "u", theirs), s.PutWrites(t.Context(), "u", answered)); err != nil {
		t.Fatalf("Put, PutWrites after Copy = %v", err)
	}
	holds(t, s, "t", map[string][]graph.Record{"": append([]graph.Record{mine}, want[""]...), "a:1": want["a:1"]})
	chain, newest := load(t, s, "u", "", 0)
	same(t, "Load of the copy that went on", ids(chain), []int64{5, 2, 1})
	same(t, "its newest", newest, int64(5))
	if err := s.Delete(t.Context(), "t"); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	holds(t, s, "v", want)
	if err := s.Copy(t.Context(), "v", "t"); err != nil {
		t.Errorf("Copy to a thread that was deleted = %v, want nil", err)
	}
	holds(t, s, "t", want)
}

func copyRefuses(t *testing.T, s graph.Checkpointer) {
	want := house(t, s, "t")
	other := record(1, 0)
	other.Namespace = "elsewhere"
	if err := s.Put(t.Context(), "only a subgraph", other); err != nil {
		t.Fatalf("Put = %v", err)
	}
	for _, to := range []string{"t", "only a subgraph"} {
		if err := s.Copy(t.Context(), "t", to); !errors.Is(err, fault.ErrConflict) {
			t.Errorf("Copy(t, %s), which is not empty = %v, want ErrConflict", to, err)
		}
	}
	holds(t, s, "t", want)
	holds(t, s, "only a subgraph", map[string][]graph.Record{"": nil, "a:1": nil, "elsewhere": {other}})
	if err := s.Copy(t.Context(), "nobody", "new"); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Copy(nobody, new) = %v, want ErrNotFound", err)
	}
	holds(t, s, "new", map[string][]graph.Record{"": nil})
}

// copyMoment copies a thread that is written to, in two namespaces by turns: no copy may have one ahead of the other by more than one.
func copyMoment(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 1)
	const copies = 8
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for id := int64(2); ; id++ {
			inner := record(id-1, id-2)
			inner.Namespace = "a:1"
			if err := errors.Join(s.Put(context.Background(), "t", inner), s.Put(context.Background(), "t", record(id, id-1))); err != nil {
				t.Errorf("Put beside Copy = %v", err)
				return
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	for i := range copies {
		if err := s.Copy(t.Context(), "t", fmt.Sprint(i)); err != nil {
			t.Errorf("Copy beside Put = %v", err)
		}
	}
	close(stop)
	wg.Wait()
	for i := range copies {
		outer, newest := load(t, s, fmt.Sprint(i), "", 0)
		inner, newestInner := load(t, s, fmt.Sprint(i), "a:1", 0)
		if len(outer) != int(newest) || len(inner) != int(newestInner) || newest < newestInner || newest > newestInner+1 {
			t.Errorf("copy %d has %d of %d records, and %d of %d in the subgraph, want all as of one moment", i, len(outer), newest, len(inner), newestInner)
		}
	}
}

// copyConcurrently copies threads that have no namespace in common.
func copyConcurrently(t *testing.T, s graph.Checkpointer) {
	const writers = 6
	for i := range writers {
		r := record(1, 0)
		r.Namespace = fmt.Sprint(i)
		if err := s.Put(t.Context(), fmt.Sprint(i), r); err != nil {
			t.Fatalf("Put = %v", err)
		}
	}
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = s.Copy(context.Background(), fmt.Sprint(i), "to") })
	}
	wg.Wait()
	for i, err := range errs {
		_, newest := load(t, s, "to", fmt.Sprint(i), 0)
		if won := err == nil; won != (newest == 1) || !won && !errors.Is(err, fault.ErrConflict) {
			t.Errorf("Copy(%d) beside others = %v, newest %d, want it whole, or ErrConflict and nothing", i, err, newest)
		}
	}
	if won := count(errs, nil); won != 1 {
		t.Errorf("%d copies won, want 1: %v", won, errs)
	}
}

func count(errs []error, kind error) (n int) {
	for _, err := range errs {
		if errors.Is(err, kind) {
			n++
		}
	}
	return n
}
