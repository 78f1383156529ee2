// Package mem keeps threads in memory. It is the reference that the other back ends are held against; nothing outlives the process.
package mem

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"annai/graph"
	"annai/internal/fault"
)

// Store is a [graph.Checkpointer] in memory. The zero Store is empty and ready.
type Store struct {
	mu      sync.RWMutex
	threads map[string]map[string]*log
}

// log is one namespace of a thread. Record i+1 is at i: ids count from 1 without gaps.
type log struct{ records []graph.Record }

// New returns an empty store.
func New() *Store { return new(Store) }

// Put is part of [graph.Checkpointer].
func (s *Store) Put(ctx context.Context, thread string, r graph.Record) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("put: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.log(thread, r.Namespace)
	count := int64(0)
	if l != nil {
		count = int64(len(l.records))
	}
	switch {
	case r.ID <= count, r.Parent > count:
		return fmt.Errorf("put record %d of thread %s: %w", r.ID, thread, fault.ErrConflict)
	case r.ID != count+1 || r.Parent >= r.ID || r.Base > r.ID || r.Base < 1:
		return fmt.Errorf("put record %d after %d of thread %s: %w", r.ID, count, thread, fault.ErrInvalid)
	}
	if l == nil {
		l = s.create(thread, r.Namespace)
	}
	r.Pending = nil
	l.records = append(l.records, cloneRecord(r))
	return nil
}

func (s *Store) create(thread, namespace string) *log {
	if s.threads == nil {
		s.threads = map[string]map[string]*log{}
	}
	if s.threads[thread] == nil {
		s.threads[thread] = map[string]*log{}
	}
	l := new(log)
	s.threads[thread][namespace] = l
	return l
}

func (s *Store) log(thread, namespace string) *log { return s.threads[thread][namespace] }

// PutWrites is part of [graph.Checkpointer].
func (s *Store) PutWrites(ctx context.Context, thread string, w graph.TaskWrites) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("put writes: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.log(thread, w.Namespace)
	if l == nil || w.Checkpoint < 1 || w.Checkpoint > int64(len(l.records)) {
		return fmt.Errorf("put writes of record %d of thread %s: %w", w.Checkpoint, thread, fault.ErrNotFound)
	}
	r := &l.records[w.Checkpoint-1]
	same := func(o graph.TaskWrites) bool { return o.Task == w.Task }
	r.Pending = append(slices.DeleteFunc(r.Pending, same), cloneWrites(w))
	return nil
}

// Load is part of [graph.Checkpointer].
func (s *Store) Load(ctx context.Context, thread, namespace string, id int64) ([]graph.Record, int64, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, fmt.Errorf("load: %w", err)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	l := s.log(thread, namespace)
	if l == nil && id == 0 {
		return nil, 0, nil
	}
	if l == nil || id < 0 || id > int64(len(l.records)) {
		return nil, 0, fmt.Errorf("load record %d of thread %s: %w", id, thread, fault.ErrNotFound)
	}
	newest := int64(len(l.records))
	if id == 0 {
		id = newest
	}
	base := l.records[id-1].Base
	var chain []graph.Record
	for ; id >= base; id = l.records[id-1].Parent {
		chain = append(chain, cloneRecord(l.records[id-1]))
	}
	return chain, newest, nil
}

// List is part of [graph.Checkpointer].
func (s *Store) List(ctx context.Context, thread, namespace string, before int64, limit int) ([]graph.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("list: %w", err)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	l := s.log(thread, namespace)
	if l == nil {
		return nil, nil
	}
	var out []graph.Record
	for _, r := range slices.Backward(l.records) {
		if before != 0 && r.ID >= before {
			continue
		}
		if limit > 0 && len(out) == limit {
			break
		}
		out = append(out, cloneRecord(r))
	}
	return out, nil
}

// Delete is part of [graph.Checkpointer].
func (s *Store) Delete(ctx context.Context, thread string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.threads, thread)
	return nil
}

// Prune is part of [graph.Pruner].
func (s *Store) Prune(ctx context.Context, since time.Time) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("prune: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for thread, logs := range s.threads {
		fresh := false
		for _, l := range logs {
			fresh = fresh || !l.records[len(l.records)-1].At.Before(since)
		}
		if !fresh {
			delete(s.threads, thread)
			n++
		}
	}
	return n, nil
}

func cloneRecord(r graph.Record) graph.Record {
	r.Writes = cloneChannels(r.Writes)
	r.Tasks = cloneTasks(r.Tasks)
	r.Joins = slices.Clone(r.Joins)
	for i := range r.Joins {
		r.Joins[i].Arrived = slices.Clone(r.Joins[i].Arrived)
	}
	r.Pending = slices.Clone(r.Pending)
	for i := range r.Pending {
		r.Pending[i] = cloneWrites(r.Pending[i])
	}
	return r
}

func cloneWrites(w graph.TaskWrites) graph.TaskWrites {
	w.Writes = cloneChannels(w.Writes)
	w.Sends = cloneTasks(w.Sends)
	w.Interrupts = slices.Clone(w.Interrupts)
	for i := range w.Interrupts {
		w.Interrupts[i].Question = bytes.Clone(w.Interrupts[i].Question)
		w.Interrupts[i].Answer = bytes.Clone(w.Interrupts[i].Answer)
	}
	w.Answers = slices.Clone(w.Answers)
	for i := range w.Answers {
		w.Answers[i] = bytes.Clone(w.Answers[i])
	}
	return w
}

func cloneChannels(in []graph.ChannelData) []graph.ChannelData {
	out := slices.Clone(in)
	for i := range out {
		out[i].Data = bytes.Clone(out[i].Data)
	}
	return out
}

func cloneTasks(in []graph.TaskData) []graph.TaskData {
	out := slices.Clone(in)
	for i := range out {
		out[i].Input = bytes.Clone(out[i].Input)
	}
	return out
}
