package runs

import (
	"context"
	"errors"

	"annai/fault"
)

// sweepMost is how many threads are forgotten at a time.
const sweepMost = 1000

// Sweep forgets threads and events whose time is over.
func (s *Service) Sweep(ctx context.Context) (err error) {
	defer func() { s.counts.swept(err) }()
	now := s.now()
	over, _, err := s.parts.Store.SearchThreads(ctx, ThreadFilter{ExpiresBefore: now, Page: Page{Limit: sweepMost}})
	if err != nil {
		return err
	}
	for _, t := range over {
		if err := s.expire(ctx, t); err != nil && !errors.Is(err, fault.ErrNotFound) {
			return err
		}
		s.counts.forgot()
	}
	_, err = s.parts.Store.TrimEvents(ctx, now.Add(-s.opts.EventsKept))
	return err
}

// expire does to a thread whose time is over what its TTL says.
func (s *Service) expire(ctx context.Context, t Thread) error {
	if t.TTL == nil || t.TTL.Strategy != "keep_latest" || s.opts.GraphTTL[t.GraphID] > 0 {
		return s.DeleteThread(ctx, t.ID)
	}
	if err := s.prune(ctx, t.ID, t.TTL.Strategy); err != nil {
		return err
	}
	_, err := s.parts.Store.UpdateThread(ctx, t.ID, func(t *Thread) error { t.ExpiresAt = nil; return nil })
	return err
}
