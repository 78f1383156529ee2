package mem_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/graph/graphtest"
	"annai/storage/mem"
)

// holding holds each thread once it is first written to.
type holding struct {
	*mem.Behind

	mu   sync.Mutex
	seen map[string]bool
}

func (h *holding) Put(ctx context.Context, thread string, r graph.Record) error {
	h.mu.Lock()
	if !h.seen[thread] {
		h.seen[thread] = true
		h.Hold(thread)
	}
	h.mu.Unlock()
	return h.Behind.Put(ctx, thread, r)
}

func (h *holding) Copy(ctx context.Context, from, to string) error {
	h.mu.Lock()
	h.seen[to] = true // it is not empty
	h.mu.Unlock()
	return h.Behind.Copy(ctx, from, to)
}

// TestBehind: who holds a thread sees it as every checkpointer shows one, while it is held, after that, and in between.
func TestBehind(t *testing.T) {
	for name, pause := range map[string]time.Duration{
		"held": time.Hour, "written": 0, "between": 50 * time.Microsecond,
	} {
		t.Run(name, func(t *testing.T) {
			graphtest.Checkpointer(t, func(*testing.T) graph.Checkpointer {
				return &holding{Behind: mem.NewBehind(mem.New(), pause), seen: map[string]bool{}}
			})
		})
	}
}

// broken is a store that can be told to fail.
type broken struct {
	graph.Checkpointer
	fails   atomic.Bool
	deleted int
}

func (b *broken) Put(ctx context.Context, thread string, r graph.Record) error {
	if b.fails.Load() && r.ID > 1 {
		return fault.ErrUnavailable
	}
	return b.Checkpointer.Put(ctx, thread, r)
}

func (b *broken) Delete(ctx context.Context, thread string) error {
	b.deleted++
	return b.Checkpointer.Delete(ctx, thread)
}

func put(t *testing.T, c graph.Checkpointer, id int64) error {
	t.Helper()
	return c.Put(t.Context(), "t", graph.Record{ID: id, Parent: id - 1, Base: 1})
}

// newest returns the newest record of the thread, and how much its tasks left.
func newest(t *testing.T, c graph.Checkpointer) (id int64, left int) {
	t.Helper()
	found, err := c.List(t.Context(), "t", "", 0, 1)
	if err != nil || len(found) == 0 {
		return 0, 0
	}
	return found[0].ID, len(found[0].Pending)
}

// TestHeld: what is held is written after the pause, in order and with what its tasks left; if it can't be, nothing
// more is taken until it was.
func TestHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		under := &broken{Checkpointer: mem.New()}
		under.fails.Store(true)
		b := mem.NewBehind(under, 50*time.Millisecond)
		b.Hold("t")
		for id := range int64(2) {
			if err := put(t, b, id+1); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.PutWrites(t.Context(), "t", graph.TaskWrites{Checkpoint: 2, Finished: true}); err != nil {
			t.Fatal(err)
		}
		if id, _ := newest(t, under); id != 0 {
			t.Fatalf("record %d was written at once", id)
		}
		time.Sleep(60 * time.Millisecond)
		if id, _ := newest(t, under); id != 1 {
			t.Fatalf("after the pause %d was written", id)
		}
		if err := put(t, b, 3); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("a record was taken behind one that can't be written: %v", err)
		}
		under.fails.Store(false)
		time.Sleep(2 * time.Second)
		if id, left := newest(t, under); id != 2 || left != 1 {
			t.Fatalf("when the store came back %d was written, with %d tasks", id, left)
		}
		if err := put(t, b, 3); err != nil {
			t.Fatal(err)
		}
		if id, _ := newest(t, under); id != 3 {
			t.Fatalf("what came after that was not written at once: %d", id)
		}
	})
}

// TestDeletedWhileHeld: a thread that was never written costs the store nothing, and one that was is deleted there.
func TestDeletedWhileHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		under := &broken{Checkpointer: mem.New()}
		b := mem.NewBehind(under, 50*time.Millisecond)
		for want, wait := range []time.Duration{0, time.Second} {
			b.Hold("t")
			if err := put(t, b, 1); err != nil {
				t.Fatal(err)
			}
			time.Sleep(wait)
			if err := b.Delete(t.Context(), "t"); err != nil || under.deleted != want {
				t.Fatalf("after %v: %d times deleted in the store, %v", wait, under.deleted, err)
			}
			time.Sleep(time.Second)
			if id, _ := newest(t, under); id != 0 {
				t.Fatalf("after %v: %d is there", wait, id)
			}
		}
		b.Hold("t")
		if err := put(t, b, 1); err != nil {
			t.Fatal(err)
		}
		b.Forget("t")
		time.Sleep(time.Second)
		if id, _ := newest(t, b); id != 0 {
			t.Fatalf("%d was written though it was to be forgotten", id)
		}
	})
}
