// Package graphtest holds what whoever extends package graph is held against: the suite of [graph.Checkpointer] and the law of reducers.
package graphtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"annai/fault"
	"annai/graph"
)

// Checkpointer runs every sentence of the contract of [graph.Checkpointer] against stores that open makes, empty ones.
func Checkpointer(t *testing.T, open func(t *testing.T) graph.Checkpointer) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, graph.Checkpointer){
		"an unknown thread is empty":             unknownThread,
		"what was put is found":                  roundTrip,
		"the newest and any other are loaded":    loadOne,
		"the newest is told from all others":     newest,
		"the chain ends at the base":             chainToBase,
		"the chain follows parents across forks": forks,
		"list pages newest first":                list,
		"an id can be taken once":                conflict,
		"of concurrent writers one wins":         concurrentWriters,
		"writes replace those of the same task":  pendingWrites,
		"namespaces are apart":                   namespaces,
		"delete forgets everything":              deleteThread,
		"nobody shares slices":                   aliasing,
		"a cancelled context changes nothing":    cancelled,
		"large and empty values survive":         extremes,
		"nil stays apart from empty":             nilOrEmpty,
		"relaxed is not stored":                  relaxed,
		"a large value kept often is found":      largeOften,
		"names are only names":                   names,
		"ten thousand threads":                   manyThreads,
		"old threads are pruned":                 prune,
		"threads are listed in order":            listThreads,
		"a copy is like the thread":              copyThread,
		"a copy and its thread go on apart":      copyApart,
		"a copy needs a thread and a free name":  copyRefuses,
		"a copy is of one moment":                copyMoment,
		"of concurrent copies one wins":          copyConcurrently,
		"keep leaves one record and namespaces":  keep,
		"only the newest is kept":                keepConflict,
		"a thread goes on from what was kept":    keepGoOn,
		"keep is before or after a put":          keepBesidePut,
		"keep takes over what is pending":        keepBesideWrites,
		"a large value goes as another comes":    largeGoes,
		"large values are read as they go":       largeRead,
		"what goes together is there together":   putWhole,
		"what goes together is refused together": putNothing,
		"of those who put much one wins":         putWholeConcurrently,
		"nobody sees a part of it":               putWholeBesideLoad,
		"nobody shares what goes together":       aliasingWhole,
		"everything at once":                     everything,
	} {
		t.Run(name, func(t *testing.T) { check(t, open(t)) })
	}
}

func record(id, parent int64) graph.Record {
	return graph.Record{
		ID: id, Parent: parent, Base: 1, Step: int(id), Source: graph.SourceLoop, Graph: "test", RunID: "run",
		At:       time.Date(2025, 1, 15, 19, 0, 0, int(id), time.UTC),
		Writes:   []graph.ChannelData{{Channel: "words", Data: fmt.Appendf(nil, `["語 %d"]`, id)}},
		Tasks:    []graph.TaskData{{Node: "a"}, {Node: "b", Input: []byte("7")}},
		Joins:    []graph.JoinData{{Index: 0, Target: "c", Arrived: []string{"x"}}},
		LogBytes: 8 * id,
	}
}

// put puts records 1 to n, each after the one before.
func put(t *testing.T, s graph.Checkpointer, thread string, n int64) {
	t.Helper()
	for id := int64(1); id <= n; id++ {
		if err := s.Put(t.Context(), thread, record(id, id-1)); err != nil {
			t.Fatalf("Put(%d) = %v", id, err)
		}
	}
}

func load(t *testing.T, s graph.Checkpointer, thread, namespace string, id int64) ([]graph.Record, int64) {
	t.Helper()
	chain, newest, err := s.Load(t.Context(), thread, namespace, id)
	if err != nil {
		t.Fatalf("Load(%q, %q, %d) = %v", thread, namespace, id, err)
	}
	return chain, newest
}

// asPut are the options that compare records: Pending is in no order, how an empty list comes back is not said, and large values are not printed.
var asPut = cmp.Options{
	cmpopts.SortSlices(func(a, b graph.TaskWrites) bool { return a.Task < b.Task }),
	cmpopts.EquateEmpty(),
	cmp.FilterValues(func(a, b []byte) bool { return len(a)+len(b) > 0 }, cmp.Transformer("short", func(b []byte) string {
		if len(b) > 1000 {
			return fmt.Sprintf("%q… of %d bytes, SHA-256 %x", b[:10], len(b), sha256.Sum256(b))
		}
		return string(b)
	})),
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, asPut); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func ids(records []graph.Record) (out []int64) {
	for _, r := range records {
		out = append(out, r.ID)
	}
	return out
}

func unknownThread(t *testing.T, s graph.Checkpointer) {
	chain, newest := load(t, s, "nobody", "", 0)
	if len(chain) != 0 || newest != 0 {
		t.Errorf("Load(nobody) = %v, %d, want nothing, 0", chain, newest)
	}
	if _, _, err := s.Load(t.Context(), "nobody", "", 3); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Load(nobody, 3) = %v, want ErrNotFound", err)
	}
	if records, err := s.List(t.Context(), "nobody", "", 0, 0); err != nil || len(records) != 0 {
		t.Errorf("List(nobody) = %v, %v, want nothing", records, err)
	}
	if err := s.Delete(t.Context(), "nobody"); err != nil {
		t.Errorf("Delete(nobody) = %v, want nil", err)
	}
	err := s.PutWrites(t.Context(), "nobody", graph.TaskWrites{Checkpoint: 1})
	if !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("PutWrites(nobody) = %v, want ErrNotFound", err)
	}
}

func roundTrip(t *testing.T, s graph.Checkpointer) {
	put(t, s, "スレッド 🏮", 1)
	chain, newest := load(t, s, "スレッド 🏮", "", 0)
	same(t, "Load", chain, []graph.Record{record(1, 0)})
	same(t, "newest", newest, int64(1))
}

func loadOne(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 3)
	for id, want := range map[int64][]int64{0: {3, 2, 1}, 3: {3, 2, 1}, 2: {2, 1}, 1: {1}} {
		chain, newest := load(t, s, "t", "", id)
		same(t, fmt.Sprintf("Load(%d)", id), ids(chain), want)
		same(t, "newest", newest, int64(3))
	}
	for _, id := range []int64{4, -1} {
		if _, _, err := s.Load(t.Context(), "t", "", id); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Load(%d) = %v, want ErrNotFound", id, err)
		}
	}
}

func chainToBase(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 2)
	snapshot := record(3, 2)
	snapshot.Base, snapshot.Snapshot = 3, true
	after := record(4, 3)
	after.Base = 3
	for _, r := range []graph.Record{snapshot, after} {
		if err := s.Put(t.Context(), "t", r); err != nil {
			t.Fatalf("Put(%d) = %v", r.ID, err)
		}
	}
	chain, _ := load(t, s, "t", "", 0)
	same(t, "Load", chain, []graph.Record{after, snapshot})
}

func forks(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 3)
	for _, r := range []graph.Record{record(4, 1), record(5, 3), record(6, 4)} {
		if err := s.Put(t.Context(), "t", r); err != nil {
			t.Fatalf("Put(%d) = %v", r.ID, err)
		}
	}
	for id, want := range map[int64][]int64{6: {6, 4, 1}, 5: {5, 3, 2, 1}} {
		chain, newest := load(t, s, "t", "", id)
		same(t, fmt.Sprintf("Load(%d)", id), ids(chain), want)
		same(t, "newest", newest, int64(6))
	}
}

func list(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 5)
	for _, c := range []struct {
		before int64
		limit  int
		want   []int64
	}{{0, 0, []int64{5, 4, 3, 2, 1}}, {0, 2, []int64{5, 4}}, {4, 2, []int64{3, 2}}, {2, 9, []int64{1}}, {1, 9, nil}} {
		records, err := s.List(t.Context(), "t", "", c.before, c.limit)
		if err != nil {
			t.Fatalf("List(%d, %d) = %v", c.before, c.limit, err)
		}
		same(t, fmt.Sprintf("List(%d, %d)", c.before, c.limit), ids(records), c.want)
	}
}

func conflict(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 2)
	other := record(2, 1)
	other.RunID = "other"
	if err := s.Put(t.Context(), "t", other); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Put(2) again = %v, want ErrConflict", err)
	}
	chain, _ := load(t, s, "t", "", 0)
	same(t, "Load", chain[0], record(2, 1))
	for what, err := range map[string]error{
		"Put(3) in a thread without records": s.Put(t.Context(), "nobody", record(3, 2)),
		"Put(2) after itself":                s.Put(t.Context(), "t", record(2, 2)),
		"Put(4) after itself":                s.Put(t.Context(), "t", record(4, 4)),
	} {
		if !errors.Is(err, fault.ErrConflict) {
			t.Errorf("%s = %v, want ErrConflict", what, err)
		}
	}
	holds(t, s, "t", map[string][]graph.Record{"": {record(2, 1), record(1, 0)}})
}

func concurrentWriters(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 1)
	const writers = 8
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			r := record(2, 1)
			r.RunID = fmt.Sprint(i)
			errs[i] = s.Put(context.Background(), "t", r)
		})
	}
	wg.Wait()
	chain, _ := load(t, s, "t", "", 2)
	won := 0
	for i, err := range errs {
		switch {
		case err == nil:
			won++
			same(t, "the winner's record", chain[0].RunID, fmt.Sprint(i))
		case !errors.Is(err, fault.ErrConflict):
			t.Errorf("Put(2) by %d = %v, want ErrConflict", i, err)
		}
	}
	same(t, "winners", won, 1)
}

func pendingWrites(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 2)
	asks := graph.TaskWrites{
		Checkpoint: 2, Task: 1, Answers: [][]byte{[]byte(`"yes"`)},
		Interrupts: []graph.InterruptData{{ID: "i1", Node: "b", Question: []byte(`"何時？"`)}, {ID: "i2", Node: "b", Question: []byte("1"), Answer: []byte("2")}},
	}
	done := graph.TaskWrites{
		Checkpoint: 2, Task: 1, Finished: true, Goto: "c",
		Writes: []graph.ChannelData{{Channel: "words", Data: []byte("[]")}}, Sends: []graph.TaskData{{Node: "b", Input: []byte("1")}},
	}
	other := graph.TaskWrites{Checkpoint: 2, Task: 0, Finished: true}
	pending := func() []graph.TaskWrites {
		chain, _ := load(t, s, "t", "", 2)
		return chain[0].Pending
	}
	for _, step := range []struct {
		put  graph.TaskWrites
		want []graph.TaskWrites
	}{{asks, []graph.TaskWrites{asks}}, {other, []graph.TaskWrites{other, asks}}, {done, []graph.TaskWrites{other, done}}} {
		if err := s.PutWrites(t.Context(), "t", step.put); err != nil {
			t.Fatalf("PutWrites = %v", err)
		}
		if diff := cmp.Diff(step.want, pending(), asPut); diff != "" {
			t.Errorf("Pending (-want +got):\n%s", diff)
		}
	}
	records, err := s.List(t.Context(), "t", "", 0, 1)
	if err != nil || len(records) != 1 || len(records[0].Pending) != 2 {
		t.Errorf("List = %v, %v, want one record with two pending writes", records, err)
	}
	if err := s.PutWrites(t.Context(), "t", graph.TaskWrites{Checkpoint: 9}); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("PutWrites(9) = %v, want ErrNotFound", err)
	}
}

func namespaces(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 2)
	inner := record(1, 0)
	inner.Namespace = "a:1"
	if err := s.Put(t.Context(), "t", inner); err != nil {
		t.Fatalf("Put = %v", err)
	}
	if err := s.PutWrites(t.Context(), "t", graph.TaskWrites{Namespace: "a:1", Checkpoint: 1, Finished: true}); err != nil {
		t.Fatalf("PutWrites = %v", err)
	}
	chain, newest := load(t, s, "t", "a:1", 0)
	if newest != 1 || len(chain) != 1 || len(chain[0].Pending) != 1 {
		t.Errorf("Load(a:1) = %v, %d, want one record with pending writes", chain, newest)
	}
	chain, newest = load(t, s, "t", "", 1)
	if newest != 2 || len(chain[0].Pending) != 0 {
		t.Errorf("Load() = %v, %d, want what another namespace did not touch", chain, newest)
	}
}

func aliasing(t *testing.T, s graph.Checkpointer) {
	mine := record(1, 0)
	if err := s.Put(t.Context(), "t", mine); err != nil {
		t.Fatalf("Put = %v", err)
	}
	w := graph.TaskWrites{Checkpoint: 1, Writes: []graph.ChannelData{{Channel: "c", Data: []byte("1")}}, Answers: [][]byte{[]byte("2")}}
	if err := s.PutWrites(t.Context(), "t", w); err != nil {
		t.Fatalf("PutWrites = %v", err)
	}
	mine.Writes[0].Data[0], mine.Tasks[1].Input[0], mine.Joins[0].Arrived[0] = 'X', 'X', "X"
	w.Writes[0].Data[0], w.Answers[0][0] = 'X', 'X'
	theirs, _ := load(t, s, "t", "", 0)
	theirs[0].Writes[0].Data[0], theirs[0].Tasks[0].Node = 'X', "X"
	theirs[0].Pending[0].Writes[0].Data[0] = 'X'
	want := record(1, 0)
	want.Pending = []graph.TaskWrites{{
		Checkpoint: 1, Writes: []graph.ChannelData{{Channel: "c", Data: []byte("1")}}, Answers: [][]byte{[]byte("2")},
	}}
	chain, _ := load(t, s, "t", "", 0)
	same(t, "Load after slices were changed", chain, []graph.Record{want})
}

// cancelled calls everything with a context that has ended.
func cancelled(t *testing.T, s graph.Checkpointer) {
	want := house(t, s, "t")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	errs := map[string]error{
		"Put":       s.Put(ctx, "t", record(5, 4)),
		"Put whole": s.Put(ctx, "u", whole(1, 0)),
		"PutWrites": s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 1}),
		"Copy":      s.Copy(ctx, "t", "u"),
		"Keep":      s.Keep(ctx, "t", snapshot(4), nil),
		"Delete":    s.Delete(ctx, "t"),
	}
	_, _, errs["Load"] = s.Load(ctx, "t", "", 0)
	_, errs["List"] = s.List(ctx, "t", "", 0, 0)
	_, errs["Prune"] = s.Prune(ctx, record(9, 0).At)
	for call, err := range errs {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a cancelled context = %v, want context.Canceled", call, err)
		}
	}
	holds(t, s, "t", want)
	holds(t, s, "u", held(0))
}

// names has threads and namespaces that look like each other, like patterns or like statements.
func names(t *testing.T, s graph.Checkpointer) {
	kinds := []string{"", " ", "a", "A", "a:1", "a/b", "%", "_", "'; DROP TABLE records; --", "が", "か\u3099", "🏮", strings.Repeat("長", 200)}
	for i, thread := range kinds {
		for j, namespace := range kinds {
			r := record(1, 0)
			r.Namespace, r.RunID = namespace, fmt.Sprint(i, j)
			if err := s.Put(t.Context(), thread, r); err != nil {
				t.Fatalf("Put(%q, %q) = %v", thread, namespace, err)
			}
		}
	}
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	for i, thread := range kinds {
		for j, namespace := range kinds {
			chain, _ := load(t, s, thread, namespace, 0)
			switch {
			case thread == "a" && len(chain) != 0:
				t.Errorf("Load(%q, %q) after Delete = %v, want nothing", thread, namespace, chain)
			case thread != "a" && (len(chain) != 1 || chain[0].RunID != fmt.Sprint(i, j) || chain[0].Namespace != namespace):
				t.Errorf("Load(%q, %q) = %v, want its own record", thread, namespace, chain)
			}
		}
	}
}

// manyThreads writes them from many goroutines, as visitors do.
func manyThreads(t *testing.T, s graph.Checkpointer) {
	const threads, writers = 10_000, 64
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := w; i < threads; i += writers {
				if err := s.Put(context.Background(), fmt.Sprint("thread ", i), graph.Record{ID: 1, Base: 1, Step: i}); err != nil {
					t.Errorf("Put(thread %d) = %v", i, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if err := s.Delete(t.Context(), "thread 4711"); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	for i := 11; i < threads; i += 100 { // 4711 is among them
		chain, newest := load(t, s, fmt.Sprint("thread ", i), "", 0)
		switch {
		case i == 4711 && len(chain) == 0:
		case i == 4711 || newest != 1 || len(chain) != 1 || chain[0].Step != i:
			t.Errorf("Load(thread %d) = %v, %d, want its own record, or none where it was deleted", i, chain, newest)
		}
	}
}
