package mem

import (
	"cmp"
	"context"
	"time"

	"annai/runs"
)

// CreateCron implements [runs.Crons].
func (s *Store) CreateCron(_ context.Context, c runs.Cron) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.crons[c.ID] != nil {
		return exists("cron", c.ID)
	}
	s.crons[c.ID] = &c
	return nil
}

// UpdateCron implements [runs.Crons].
func (s *Store) UpdateCron(_ context.Context, id string, change func(*runs.Cron) error) (runs.Cron, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.crons[id]
	if c == nil {
		return runs.Cron{}, missing("cron", id)
	}
	next := *c
	if err := change(&next); err != nil {
		return runs.Cron{}, err
	}
	next.ID, next.CreatedAt = c.ID, c.CreatedAt
	s.crons[id] = &next
	return next, nil
}

// DeleteCron implements [runs.Crons].
func (s *Store) DeleteCron(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.crons[id] == nil {
		return missing("cron", id)
	}
	delete(s.crons, id)
	return nil
}

// SearchCrons implements [runs.Crons].
func (s *Store) SearchCrons(_ context.Context, f runs.CronFilter) ([]runs.Cron, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []runs.Cron
	for _, c := range s.crons {
		if cronFits(c, f) {
			found = append(found, *c)
		}
	}
	sorted(found, f.Sort, cronKeys, func(c runs.Cron) string { return c.ID })
	return paged(found, f.Page), len(found), nil
}

func cronFits(c *runs.Cron, f runs.CronFilter) bool {
	switch {
	case f.AssistantID != "" && c.AssistantID != f.AssistantID,
		f.ThreadID != "" && (c.ThreadID == nil || *c.ThreadID != f.ThreadID),
		f.Enabled != nil && c.Enabled != *f.Enabled,
		!runs.Contains(c.Metadata, f.Metadata):
		return false
	case f.DueBefore.IsZero():
		return true
	default:
		return c.Enabled && c.NextRun != nil && !c.NextRun.After(f.DueBefore)
	}
}

var cronKeys = map[string]func(a, b runs.Cron) int{
	"cron_id":       func(a, b runs.Cron) int { return cmp.Compare(a.ID, b.ID) },
	"assistant_id":  func(a, b runs.Cron) int { return cmp.Compare(a.AssistantID, b.AssistantID) },
	"thread_id":     func(a, b runs.Cron) int { return cmp.Compare(deref(a.ThreadID), deref(b.ThreadID)) },
	"next_run_date": func(a, b runs.Cron) int { return deref(a.NextRun).Compare(deref(b.NextRun)) },
	"end_time":      func(a, b runs.Cron) int { return deref(a.EndTime).Compare(deref(b.EndTime)) },
	"created_at":    func(a, b runs.Cron) int { return a.CreatedAt.Compare(b.CreatedAt) },
	"updated_at":    func(a, b runs.Cron) int { return a.UpdatedAt.Compare(b.UpdatedAt) },
}

func deref[T string | time.Time](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}
