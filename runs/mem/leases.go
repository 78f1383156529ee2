package mem

import (
	"context"
	"slices"
	"time"

	"annai/runs"
)

// ClaimRun implements [runs.Leases].
func (s *Store) ClaimRun(_ context.Context, thread, id, owner string, now, until time.Time) (runs.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(thread, id)
	switch {
	case err != nil:
		return runs.Run{}, err
	case r.Status.Ended():
		return r.Run, runs.ErrEnded
	case !s.threads[r.ThreadID].turn(r, now):
		return r.Run, runs.ErrBusy
	}
	r.lease(owner, now, until)
	s.changed(r.ThreadID)
	return r.Run, nil
}

// held returns the run if its lease is the owner's.
func (s *Store) held(thread, id, owner string) (*run, error) {
	r, err := s.find(thread, id)
	if err != nil || r.Owner != owner || r.Status != runs.RunRunning {
		return nil, runs.ErrLost
	}
	return r, nil
}

// RenewRun implements [runs.Leases].
func (s *Store) RenewRun(_ context.Context, thread, id, owner string, until time.Time) (runs.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.held(thread, id, owner)
	if err != nil {
		return runs.Run{}, err
	}
	r.LeaseUntil = until
	return r.Run, nil
}

// FinishRun implements [runs.Leases].
func (s *Store) FinishRun(_ context.Context, f runs.Finish) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.held(f.ThreadID, f.RunID, f.Owner)
	if err != nil {
		return err
	}
	t := s.threads[r.ThreadID]
	if f.DeleteThread {
		s.dropThread(t.ID)
		return nil
	}
	t.Bytes += f.Bytes
	s.append(t, f.RunID, f.Events)
	s.end(t, r)
	r.Status, r.Error, r.EndedAt, r.UpdatedAt, r.Owner, r.LeaseUntil = f.Status, f.Error, f.At, f.At, "", time.Time{}
	if f.DeleteRun {
		s.drop(t, r)
	}
	if f.Thread != nil {
		t.stand(*f.Thread, f.At)
	}
	if len(t.open) > 0 {
		t.Status = runs.ThreadBusy
	}
	s.rest(t)
	s.changed(t.ID)
	return nil
}

// stand writes how the thread stands after a run.
func (t *thread) stand(e runs.ThreadEnd, at time.Time) {
	t.Status, t.Values, t.Interrupts, t.Error, t.ExpiresAt = e.Status, e.Values, e.Interrupts, e.Error, e.ExpiresAt
	t.UpdatedAt, t.StateUpdatedAt = at, &at
}

// CancelRun implements [runs.Leases].
func (s *Store) CancelRun(_ context.Context, thread, id string, how runs.Action, at time.Time) (runs.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(thread, id)
	if err != nil {
		return runs.Run{}, err
	}
	t := s.threads[r.ThreadID]
	switch {
	case r.Status == runs.RunPending:
		s.end(t, r)
		r.Status, r.EndedAt, r.UpdatedAt = runs.RunInterrupted, at, at
		s.rest(t)
	case r.Status == runs.RunRunning && r.Cancel != runs.CancelRollback:
		r.Cancel, r.UpdatedAt = how, at
	}
	s.changed(t.ID)
	return r.Run, nil
}

// DueRuns implements [runs.Leases].
func (s *Store) DueRuns(_ context.Context, now time.Time, limit int) ([]runs.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var due []*run
	for _, t := range s.open {
		for _, r := range t.open {
			if t.turn(r, now) {
				due = append(due, r)
			}
		}
	}
	slices.SortFunc(due, byAge)
	var found []runs.Run
	for _, r := range due[:min(limit, len(due))] {
		found = append(found, r.Run)
	}
	return found, nil
}
