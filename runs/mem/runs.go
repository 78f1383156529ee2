package mem

import (
	"cmp"
	"context"
	"slices"
	"time"

	"annai/runs"
)

// run is a run and its place among all.
type run struct {
	runs.Run

	made int64
}

// CreateRun implements [runs.Runs].
func (s *Store) CreateRun(_ context.Context, start runs.Start) (runs.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := start.Run
	if s.runs[r.ID] != nil {
		return runs.Run{}, exists("run", r.ID)
	}
	t := s.threads[r.ThreadID]
	switch {
	case t != nil && start.New:
		return runs.Run{}, exists("thread", r.ThreadID)
	case t == nil && start.Thread == nil:
		return runs.Run{}, missing("thread", r.ThreadID)
	case t == nil:
		var err error
		if t, err = s.addThread(*start.Thread); err != nil {
			return runs.Run{}, err
		}
	case start.Thread != nil && t.Maker.Name != start.Thread.Maker.Name:
		return runs.Run{}, missing("thread", r.ThreadID)
	case (start.Idle || r.Strategy == runs.Reject) && len(t.open) > 0:
		return runs.Run{}, runs.ErrBusy
	}
	s.made++
	added := &run{Run: r, made: s.made}
	added.Status = runs.RunPending
	s.runs[r.ID] = added
	t.all, t.open = append(t.all, added), append(t.open, added)
	t.Status = runs.ThreadBusy
	t.Bytes += start.Bytes
	s.open[t.ID] = t
	if start.Owner != "" && t.turn(added, r.CreatedAt) {
		added.lease(start.Owner, r.CreatedAt, start.LeaseUntil)
	}
	s.changed(t.ID)
	return added.Run, nil
}

// Run implements [runs.Runs].
func (s *Store) Run(_ context.Context, thread, id string) (runs.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(thread, id)
	if err != nil {
		return runs.Run{}, err
	}
	return r.Run, nil
}

func (s *Store) find(thread, id string) (*run, error) {
	r := s.runs[id]
	if r == nil || thread != "" && r.ThreadID != thread {
		return nil, missing("run", id)
	}
	return r, nil
}

// ListRuns implements [runs.Runs].
func (s *Store) ListRuns(_ context.Context, f runs.RunFilter) ([]runs.Run, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*run
	if f.ThreadID != "" {
		if t := s.threads[f.ThreadID]; t != nil {
			all = t.all
		}
	} else {
		for _, r := range s.runs {
			all = append(all, r)
		}
		slices.SortFunc(all, byAge)
	}
	var found []runs.Run
	for _, r := range all {
		if (len(f.IDs) == 0 || slices.Contains(f.IDs, r.ID)) && (len(f.Statuses) == 0 || slices.Contains(f.Statuses, r.Status)) {
			found = append(found, r.Run)
		}
	}
	if f.Newest {
		slices.Reverse(found)
	}
	return runs.Paged(found, f.Page), len(found), nil
}

func byAge(a, b *run) int { return cmp.Compare(a.made, b.made) }

// DeleteRun implements [runs.Runs].
func (s *Store) DeleteRun(_ context.Context, thread, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(thread, id)
	if err != nil {
		return err
	}
	t := s.threads[r.ThreadID]
	s.drop(t, r)
	s.rest(t)
	s.changed(t.ID)
	return nil
}

// drop forgets a run and its events.
func (s *Store) drop(t *thread, r *run) {
	s.end(t, r)
	delete(s.runs, r.ID)
	t.all = slices.DeleteFunc(t.all, func(o *run) bool { return o == r })
	t.log = slices.DeleteFunc(t.log, func(e runs.Event) bool { return e.RunID == r.ID })
}

// end takes a run from those that have not ended.
func (s *Store) end(t *thread, r *run) {
	t.open = slices.DeleteFunc(t.open, func(o *run) bool { return o == r })
	if len(t.open) == 0 {
		delete(s.open, t.ID)
	}
}

// rest makes a busy thread that has nothing to do one that is not.
func (s *Store) rest(t *thread) {
	switch {
	case len(t.open) > 0 || t.Status != runs.ThreadBusy:
	case len(t.Interrupts) > 0:
		t.Status = runs.ThreadInterrupted
	default:
		t.Status = runs.ThreadIdle
	}
}

// turn says whether the run may be executed by whoever claims it now.
func (t *thread) turn(r *run, now time.Time) bool {
	if r.After.After(now) {
		return false
	}
	for _, other := range t.open {
		if other.Owner != "" && other.LeaseUntil.After(now) || other.made < r.made && !other.After.After(now) {
			return false
		}
	}
	return true
}

// lease gives the run to the owner.
func (r *run) lease(owner string, now, until time.Time) {
	r.Status, r.Owner, r.LeaseUntil, r.UpdatedAt = runs.RunRunning, owner, until, now
	r.Attempt++
	if r.StartedAt.IsZero() {
		r.StartedAt = now
	}
}
