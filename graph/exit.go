package graph

import (
	"bytes"
	"context"
	"slices"
	"sync"
)

// exits reports whether the run writes only when it ends.
func (r *run[S]) exits() bool { return r.log != nil && r.info.durability == DurabilityExit }

// flush writes one checkpoint of where the run came to, unless nothing happened. A subgraph that is done leaves nothing, since its result is its task's.
func (r *run[S]) flush(ctx context.Context) error {
	if r.info.namespace != "" && (len(r.tasks) == 0 || r.parent != nil) {
		return nil
	}
	unchanged := !slices.ContainsFunc(r.tasks, func(t task[S]) bool { return t.fresh })
	if unchanged && !r.ahead && len(r.inner()) == 0 {
		return nil
	}
	r.carried = !r.ahead
	return r.log.put(ctx, r, SourceLoop)
}

// inner returns the records that subgraphs put in the run, in order.
func (r *run[S]) inner() []Record {
	h, ok := r.info.checkpointer.(*held)
	if !ok || r.info.namespace != "" {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.records
}

// held is what subgraphs remember with in a run that writes when it ends: their records stay here until then, to be put with that of the run.
type held struct {
	Checkpointer

	mu      sync.Mutex
	records []Record
}

func (h *held) Put(_ context.Context, _ string, r Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	r.Tasks, r.Writes = slices.Clone(r.Tasks), slices.Clone(r.Writes)
	for i := range r.Writes {
		r.Writes[i].Data = bytes.Clone(r.Writes[i].Data)
	}
	h.records = append(h.records, r)
	return nil
}

// Load finds the newest record of the namespace and its ancestors, here or in the store. Subgraphs ask for no other.
func (h *held) Load(ctx context.Context, thread, namespace string, id int64) (chain []Record, newest int64, err error) {
	if chain, newest, err = h.Checkpointer.Load(ctx, thread, namespace, id); err != nil {
		return nil, 0, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.records {
		if r.Namespace != namespace {
			continue
		}
		if r.Base == r.ID {
			chain = nil
		}
		chain, newest = append([]Record{r}, chain...), r.ID
	}
	return chain, newest, nil
}
