package runs

import (
	"context"
	"sync/atomic"
	"time"
)

// Figures are how the work stands, for whoever operates.
type Figures struct {
	// Pending and Running are how many runs there are that have not ended, for all processes that
	// share the store; Oldest is for how long the one has waited whose turn came first, of those that
	// are due.
	Pending, Running int
	Oldest           time.Duration
	// Claimed is how many runs this process began, Takeovers how many of them another one had begun
	// before.
	Claimed, Takeovers int64
	// Sweeps and FailedSweeps count the sweeps of this process, Forgotten the threads that they
	// forgot.
	Sweeps, FailedSweeps, Forgotten int64
}

// counts are those of this process.
type counts struct {
	begun, takeovers, sweeps, failedSweeps, forgotten atomic.Int64
}

func (c *counts) claimed(r Run) {
	c.begun.Add(1)
	if r.Attempt > 1 {
		c.takeovers.Add(1)
	}
}

func (c *counts) swept(err error) {
	c.sweeps.Add(1)
	if err != nil {
		c.failedSweeps.Add(1)
	}
}

func (c *counts) forgot() { c.forgotten.Add(1) }

// duePage is how many pending runs are looked at for the oldest one that is due; further ones wait
// for a time that was named.
const duePage = 32

// Figures returns how the work stands now.
func (s *Service) Figures(ctx context.Context) (f Figures, err error) {
	c, now := &s.counts, s.now()
	f = Figures{
		Claimed: c.begun.Load(), Takeovers: c.takeovers.Load(),
		Sweeps: c.sweeps.Load(), FailedSweeps: c.failedSweeps.Load(), Forgotten: c.forgotten.Load(),
	}
	pending := RunFilter{Statuses: []RunStatus{RunPending}, Page: Page{Limit: duePage}}
	list, n, err := s.parts.Store.ListRuns(ctx, pending)
	if err != nil {
		return f, err
	}
	f.Pending = n
	for _, r := range list {
		since := r.CreatedAt
		if r.After.After(since) {
			since = r.After
		}
		f.Oldest = max(f.Oldest, now.Sub(since))
	}
	running := RunFilter{Statuses: []RunStatus{RunRunning}, Page: Page{Limit: 0}}
	_, f.Running, err = s.parts.Store.ListRuns(ctx, running)
	return f, err
}
