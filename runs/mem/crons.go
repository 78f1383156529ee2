package mem

import (
	"context"

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
	all := make([]runs.Cron, 0, len(s.crons))
	for _, c := range s.crons {
		all = append(all, *c)
	}
	found, total := f.Of(all)
	return found, total, nil
}
