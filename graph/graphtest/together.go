package graphtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/graph"
)

// largeGoes has one keep a record without its large value, the last that has it, and another put a record with that value meanwhile.
func largeGoes(t *testing.T, s graph.Checkpointer) {
	for round := range 8 {
		thread := fmt.Sprint(round)
		first, next, w := record(1, 0), record(2, 1), graph.TaskWrites{Checkpoint: 1, Sends: []graph.TaskData{{Node: "n", Input: large('x')}}}
		first.Writes[0].Data, next.Writes[0].Data, next.Base = large('x'), large('x'), 2
		if err := s.Put(t.Context(), thread, first); err != nil {
			t.Fatalf("Put = %v", err)
		}
		errs := make([]error, 3)
		var wg sync.WaitGroup
		wg.Go(func() { errs[0] = s.Keep(context.Background(), thread, snapshot(1), nil) })
		wg.Go(func() { errs[1] = s.Put(context.Background(), thread, next) })
		wg.Go(func() { errs[2] = s.PutWrites(context.Background(), thread, w) })
		wg.Wait()
		if errs[0] != nil && !errors.Is(errs[0], fault.ErrConflict) || errs[1] != nil || errs[2] != nil {
			t.Errorf("round %d: Keep, Put, PutWrites at once = %v, want nil or ErrConflict, nil, nil", round, errs)
			continue
		}
		before := snapshot(1)
		if errs[0] != nil {
			before = first
		}
		before.Pending = []graph.TaskWrites{w}
		holds(t, s, thread, map[string][]graph.Record{"": {next, before}})
	}
}

// largeRead reads a thread while large values come to it and go.
func largeRead(t *testing.T, s graph.Checkpointer) {
	put(t, s, "t", 1)
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(done)
		for id := int64(2); id < 20; id++ {
			r := record(id, id-1)
			r.Base, r.Snapshot, r.Writes[0].Data = id, true, large(byte(id))
			kept := snapshot(id)
			if id%2 == 0 {
				kept.Writes[0].Data = large(byte(id))
			}
			if err := errors.Join(s.Put(context.Background(), "t", r), s.Keep(context.Background(), "t", kept, nil)); err != nil {
				t.Errorf("Put, Keep beside Load = %v", err)
				return
			}
		}
	})
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		chain, newest, err := s.Load(context.Background(), "t", "", 0)
		records, listed := s.List(context.Background(), "t", "", 0, 0)
		if err != nil || listed != nil || len(chain) != 1 || len(records) == 0 {
			t.Errorf("Load beside Keep = %d records, %v, List = %d, %v, want one, and some", len(chain), err, len(records), listed)
			break
		}
		if got := chain[0]; got.ID != newest || len(got.Writes[0].Data) > 1000 && !cmp.Equal(got.Writes[0].Data[0], byte(got.ID)) {
			t.Errorf("Load beside Keep = record %d of %d with the value %q…, want its own", got.ID, newest, got.Writes[0].Data[:10])
		}
	}
	wg.Wait()
}

// everything does anything to a few threads at once. Nothing may fail but what comes too late, and what is left must be whole.
func everything(t *testing.T, s graph.Checkpointer) {
	const goroutines, calls = 8, 30
	threads := []string{"a", "b", "c"}
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(g))) //nolint:gosec // a test wants the same numbers every time
			for range calls {
				thread, namespace := threads[r.IntN(len(threads))], []string{"", "a:1"}[r.IntN(2)]
				what, err := anything(s, r, thread, namespace, threads[r.IntN(len(threads))])
				if err != nil && !errors.Is(err, fault.ErrConflict) && !errors.Is(err, fault.ErrNotFound) {
					t.Errorf("%s beside others = %v, want nil, ErrConflict or ErrNotFound", what, err)
				}
			}
		})
	}
	wg.Wait()
	for _, thread := range threads {
		for _, namespace := range []string{"", "a:1"} {
			chain, newest := load(t, s, thread, namespace, 0)
			if len(chain) == 0 {
				continue
			}
			last := chain[len(chain)-1]
			if chain[0].ID != newest || last.ID != chain[0].Base {
				t.Errorf("chain of %q in %q = %v, want it from %d down to %d", namespace, thread, ids(chain), newest, chain[0].Base)
			}
			if records, err := s.List(t.Context(), thread, namespace, 0, 0); err != nil || !slices.Contains(ids(records), newest) {
				t.Errorf("List(%q, %q) = %v, %v, want %d among them", thread, namespace, ids(records), err, newest)
			}
		}
	}
}

// anything does one thing to the newest record of a namespace, or to the thread.
func anything(s graph.Checkpointer, r *rand.Rand, thread, namespace, other string) (what string, err error) {
	ctx := context.Background()
	chain, newest, err := s.Load(ctx, thread, namespace, 0)
	if err != nil {
		return "Load", err
	}
	next := record(newest+1, newest)
	next.Namespace, next.Base = namespace, newest+1
	if len(chain) > 0 && r.IntN(4) > 0 {
		next.Base = chain[0].Base
	}
	if r.IntN(3) == 0 {
		next.Writes[0].Data = large(byte(r.IntN(3)))
	}
	switch r.IntN(12) {
	case 0:
		kept := snapshot(newest)
		kept.Namespace, kept.Writes = namespace, next.Writes
		if newest == 0 {
			return "", nil
		}
		return "Keep", s.Keep(ctx, thread, kept, []string{"a"}[:r.IntN(2)])
	case 1:
		return "Copy", s.Copy(ctx, thread, other)
	case 2:
		return "Delete", s.Delete(ctx, thread)
	case 3:
		_, err := s.Prune(ctx, record(5, 0).At)
		return "Prune", err
	case 4, 5, 6:
		return "PutWrites", s.PutWrites(ctx, thread, graph.TaskWrites{Namespace: namespace, Checkpoint: newest, Task: r.IntN(2), Writes: next.Writes})
	case 7, 8:
		inner := record(1, 0)
		inner.Namespace, inner.Pending = fmt.Sprint("c:", newest), left(fmt.Sprint("c:", newest), 1)
		next.Inner, next.Pending = []graph.Record{inner}, left(namespace, next.ID)
		return "Put", s.Put(ctx, thread, next)
	default:
		return "Put", s.Put(ctx, thread, next)
	}
}
