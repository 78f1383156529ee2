package mem

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"annai/fault"
	"annai/runs"
)

// thread is a thread with its runs in the order of their creation, those that have not ended, and its log.
type thread struct {
	runs.Thread

	all, open []*run
	log       []runs.Event
}

// CreateThread implements [runs.Threads].
func (s *Store) CreateThread(_ context.Context, t runs.Thread) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.threads[t.ID] != nil {
		return exists("thread", t.ID)
	}
	_, err := s.addThread(t)
	return err
}

func (s *Store) addThread(t runs.Thread) (*thread, error) {
	if len(s.threads) >= s.opts.MaxThreads {
		return nil, fmt.Errorf("there are %d threads already: %w", len(s.threads), fault.ErrUnavailable)
	}
	added := &thread{Thread: t}
	s.threads[t.ID] = added
	return added, nil
}

// Thread implements [runs.Threads].
func (s *Store) Thread(_ context.Context, id string) (runs.Thread, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.threads[id]
	if t == nil {
		return runs.Thread{}, missing("thread", id)
	}
	return t.Thread, nil
}

// UpdateThread implements [runs.Threads].
func (s *Store) UpdateThread(_ context.Context, id string, change func(*runs.Thread) error) (runs.Thread, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.threads[id]
	if t == nil {
		return runs.Thread{}, missing("thread", id)
	}
	next := t.Thread
	if err := change(&next); err != nil {
		return runs.Thread{}, err
	}
	next.ID, next.CreatedAt, next.Maker = t.ID, t.CreatedAt, t.Maker
	t.Thread = next
	return next, nil
}

// DeleteThread implements [runs.Threads].
func (s *Store) DeleteThread(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.threads[id] == nil {
		return missing("thread", id)
	}
	s.dropThread(id)
	return nil
}

func (s *Store) dropThread(id string) {
	for _, r := range s.threads[id].all {
		delete(s.runs, r.ID)
	}
	delete(s.threads, id)
	delete(s.open, id)
	for cron, c := range s.crons {
		if c.ThreadID != nil && *c.ThreadID == id {
			delete(s.crons, cron)
		}
	}
	s.changed(id)
}

// SearchThreads implements [runs.Threads].
func (s *Store) SearchThreads(_ context.Context, f runs.ThreadFilter) ([]runs.Thread, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []runs.Thread
	for _, t := range s.threads {
		if fits(&t.Thread, f) {
			found = append(found, t.Thread)
		}
	}
	runs.Order(found, f.Sort, threadKeys, func(t runs.Thread) string { return t.ID })
	return runs.Paged(found, f.Page), len(found), nil
}

func fits(t *runs.Thread, f runs.ThreadFilter) bool {
	switch {
	case t.Temporary && f.ExpiresBefore.IsZero(), f.Status != "" && t.Status != f.Status, len(f.IDs) > 0 && !slices.Contains(f.IDs, t.ID),
		f.MadeBy != "" && t.Maker.Name != f.MadeBy, !runs.Contains(t.Metadata, f.Metadata):
		return false
	case !f.ExpiresBefore.IsZero():
		return t.ExpiresAt != nil && t.ExpiresAt.Before(f.ExpiresBefore) && t.Status != runs.ThreadBusy
	case len(f.Values) == 0:
		return true
	}
	var values runs.Object
	return json.Unmarshal(t.Values, &values) == nil && runs.Contains(values, f.Values)
}

// Usage implements [runs.Threads].
func (s *Store) Usage(_ context.Context, of runs.Maker) (used runs.Usage, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.threads {
		if of.Name != "" && t.Maker.Name == of.Name || of.Name == "" && t.Maker.Network == of.Network {
			used.Threads++
			used.Runs += len(t.open)
			used.Bytes += t.Bytes
		}
	}
	return used, nil
}

var threadKeys = map[string]func(a, b runs.Thread) int{
	"thread_id":  func(a, b runs.Thread) int { return cmp.Compare(a.ID, b.ID) },
	"status":     func(a, b runs.Thread) int { return cmp.Compare(a.Status, b.Status) },
	"created_at": func(a, b runs.Thread) int { return a.CreatedAt.Compare(b.CreatedAt) },
	"updated_at": func(a, b runs.Thread) int { return a.UpdatedAt.Compare(b.UpdatedAt) },
}
