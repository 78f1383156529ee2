package mem

import (
	"cmp"
	"context"
	"slices"
	"time"

	"annai/runs"
)

// AppendEvents implements [runs.Events].
func (s *Store) AppendEvents(_ context.Context, thread, run, owner string, events []runs.Event) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.held(thread, run, owner)
	if err != nil {
		return 0, err
	}
	s.append(s.threads[r.ThreadID], run, events)
	s.changed(r.ThreadID)
	return s.events, nil
}

func (s *Store) append(t *thread, run string, events []runs.Event) {
	for _, e := range events {
		s.events++
		e.ID, e.RunID = s.events, run
		t.log = append(t.log, e)
	}
	if over := len(t.log) - s.opts.MaxEvents; over > 0 {
		t.log = slices.Clone(t.log[over+s.opts.MaxEvents/4:]) // some more, so that it is not done each time
	}
}

// ReadEvents implements [runs.Events].
func (s *Store) ReadEvents(_ context.Context, thread, run string, after int64, limit int) ([]runs.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.threads[thread]
	if t == nil {
		return nil, nil
	}
	first, _ := slices.BinarySearchFunc(t.log, after+1, func(e runs.Event, id int64) int { return cmp.Compare(e.ID, id) })
	var found []runs.Event
	bytes := 0
	for _, e := range t.log[first:] {
		if len(found) == limit || bytes >= runs.MaxPage {
			break
		}
		if run == "" || e.RunID == run {
			found = append(found, e)
			bytes += len(e.Data)
		}
	}
	return found, nil
}

// TrimEvents implements [runs.Events].
func (s *Store) TrimEvents(_ context.Context, before time.Time) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, t := range s.threads {
		had := len(t.log)
		t.log = slices.DeleteFunc(t.log, func(e runs.Event) bool {
			r := s.runs[e.RunID]
			return e.At.Before(before) && (r == nil || r.Status.Ended())
		})
		n += had - len(t.log)
	}
	return n, nil
}
