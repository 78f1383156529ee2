package mem

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"annai/graph"
)

// Behind is a [graph.Checkpointer] that writes to another. What is put on a thread that is held stays in memory for a
// moment first; a thread that is deleted by then is never written. A process that dies loses what it held.
type Behind struct {
	graph.Checkpointer

	pause time.Duration
	mu    sync.Mutex
	held  map[string]*held
}

// NewBehind returns one that holds nothing yet. Pause is how long a thread is held.
func NewBehind(to graph.Checkpointer, pause time.Duration) *Behind {
	return &Behind{Checkpointer: to, pause: pause, held: map[string]*held{}}
}

// held is a thread whose records are in memory only.
type held struct {
	// mu is locked while the records are being written.
	mu    sync.Mutex
	store Store
	// puts are what is not written yet, in order: the places of a record's Inner, and its own.
	puts [][]placeOf
	// due says that nothing more is put before all of this is written; begun that some may be; over that the thread is
	// no longer held.
	due, begun, over bool
	timer            *time.Timer
}

type placeOf struct {
	namespace string
	id        int64
}

// mostHeld is how many records of a thread are held at most.
const mostHeld = 64

// Hold keeps in memory what is put on the thread, which must be empty, until the pause is over.
func (b *Behind) Hold(thread string) {
	h := new(held)
	h.mu.Lock()
	defer h.mu.Unlock()
	b.mu.Lock()
	b.held[thread] = h
	b.mu.Unlock()
	h.timer = time.AfterFunc(b.pause, func() {
		if err := b.settle(context.Background(), thread); err != nil {
			h.timer.Reset(time.Second)
		}
	})
}

// Forget forgets what is held of the thread, and writes none of it.
func (b *Behind) Forget(thread string) {
	_, _ = b.whileHeld(thread, func(h *held) error { b.release(thread, h); return nil })
}

// whileHeld does something to a thread if it is held, and reports whether it was.
func (b *Behind) whileHeld(thread string, do func(*held) error) (was bool, err error) {
	b.mu.Lock()
	h := b.held[thread]
	b.mu.Unlock()
	if h == nil {
		return false, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return false, nil
	}
	return true, do(h)
}

// release says that the thread is not held any more. Its lock is.
func (b *Behind) release(thread string, h *held) {
	h.over = true
	h.timer.Stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.held, thread)
}

// settle writes what is held of the thread.
func (b *Behind) settle(ctx context.Context, thread string) error {
	_, err := b.whileHeld(thread, func(h *held) error { return b.write(ctx, thread, h) })
	return err
}

// write writes what is held. If that fails, what is not written yet still is held.
func (b *Behind) write(ctx context.Context, thread string, h *held) error {
	h.due = true
	for ; len(h.puts) > 0; h.puts = h.puts[1:] {
		r, err := h.record(ctx, thread, h.puts[0])
		if err != nil {
			return err
		}
		h.begun = true
		if err := b.Checkpointer.Put(ctx, thread, r); err != nil {
			return fmt.Errorf("what was held: %w", err)
		}
	}
	b.release(thread, h)
	return nil
}

// record returns what was put at once, with what was left beside it since.
func (h *held) record(ctx context.Context, thread string, at []placeOf) (graph.Record, error) {
	records := make([]graph.Record, 0, len(at))
	for _, p := range at {
		found, err := h.store.List(ctx, thread, p.namespace, p.id+1, 1)
		if err != nil {
			return graph.Record{}, err
		}
		records = append(records, found...)
	}
	last := len(records) - 1
	r := records[last]
	r.Inner = records[:last]
	return r, nil
}

// on does something to the thread where it is. What changes it is done once the rest is written, if that is due.
func (b *Behind) on(ctx context.Context, thread string, changes bool, do func(graph.Checkpointer, *held) error) error {
	was, err := b.whileHeld(thread, func(h *held) error {
		if !changes || !h.due && len(h.puts) < mostHeld {
			return do(&h.store, h)
		}
		if err := b.write(ctx, thread, h); err != nil {
			return err
		}
		return do(b.Checkpointer, nil)
	})
	if was {
		return err
	}
	return do(b.Checkpointer, nil)
}

// Put is part of [graph.Checkpointer].
func (b *Behind) Put(ctx context.Context, thread string, r graph.Record) error {
	return b.on(ctx, thread, true, func(c graph.Checkpointer, h *held) error {
		err := c.Put(ctx, thread, r)
		if err == nil && h != nil {
			var at []placeOf
			for _, inner := range append(slices.Clip(r.Inner), r) {
				at = append(at, placeOf{inner.Namespace, inner.ID})
			}
			h.puts = append(h.puts, at)
		}
		return err
	})
}

// PutWrites is part of [graph.Checkpointer].
func (b *Behind) PutWrites(ctx context.Context, thread string, w graph.TaskWrites) error {
	return b.on(ctx, thread, true, func(c graph.Checkpointer, _ *held) error { return c.PutWrites(ctx, thread, w) })
}

// Load is part of [graph.Checkpointer].
func (b *Behind) Load(
	ctx context.Context, thread, namespace string, id int64,
) (chain []graph.Record, newest int64, err error) {
	err = b.on(ctx, thread, false, func(c graph.Checkpointer, _ *held) (err error) {
		chain, newest, err = c.Load(ctx, thread, namespace, id)
		return err
	})
	return chain, newest, err
}

// Newest is part of [graph.Checkpointer].
func (b *Behind) Newest(ctx context.Context, thread, namespace string) (newest graph.Mark, err error) {
	err = b.on(ctx, thread, false, func(c graph.Checkpointer, _ *held) (err error) {
		newest, err = c.Newest(ctx, thread, namespace)
		return err
	})
	return newest, err
}

// List is part of [graph.Checkpointer].
func (b *Behind) List(
	ctx context.Context, thread, namespace string, before int64, limit int,
) (records []graph.Record, err error) {
	err = b.on(ctx, thread, false, func(c graph.Checkpointer, _ *held) (err error) {
		records, err = c.List(ctx, thread, namespace, before, limit)
		return err
	})
	return records, err
}

// Copy is part of [graph.Checkpointer].
func (b *Behind) Copy(ctx context.Context, from, to string) error {
	for _, thread := range []string{from, to} {
		if err := b.settle(ctx, thread); err != nil {
			return err
		}
	}
	return b.Checkpointer.Copy(ctx, from, to)
}

// Keep is part of [graph.Checkpointer].
func (b *Behind) Keep(ctx context.Context, thread string, r graph.Record, namespaces []string) error {
	if err := b.settle(ctx, thread); err != nil {
		return err
	}
	return b.Checkpointer.Keep(ctx, thread, r, namespaces)
}

// Delete is part of [graph.Checkpointer].
func (b *Behind) Delete(ctx context.Context, thread string) error {
	unwritten := false
	_, err := b.whileHeld(thread, func(h *held) error {
		err := h.store.Delete(ctx, thread)
		if err == nil {
			unwritten = !h.begun
			b.release(thread, h)
		}
		return err
	})
	if err != nil || unwritten {
		return err
	}
	return b.Checkpointer.Delete(ctx, thread)
}

// Prune is part of [graph.Checkpointer].
func (b *Behind) Prune(ctx context.Context, since time.Time) (int, error) {
	b.mu.Lock()
	threads := slices.Collect(maps.Keys(b.held))
	b.mu.Unlock()
	for _, thread := range threads {
		if err := b.settle(ctx, thread); err != nil {
			return 0, err
		}
	}
	return b.Checkpointer.Prune(ctx, since)
}
