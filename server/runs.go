package server

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"annai/internal/fault"
)

// runs knows the runs that are under way, so that they can be cancelled, and lets only so many run at once.
type runs struct {
	slots    chan struct{}
	waiting  atomic.Int64
	queue    int64 // how many may wait
	patience time.Duration

	mu     sync.Mutex
	active map[string]context.CancelCauseFunc
}

func newRuns(atOnce, queue int, patience time.Duration) *runs {
	return &runs{
		slots: make(chan struct{}, atOnce), queue: int64(queue), patience: patience,
		active: map[string]context.CancelCauseFunc{},
	}
}

// start waits for its turn and returns the context of the run, which ends with ctx, by cancel(id), or with end. Where too many run
// and wait the error is errOverloaded; where the run was ended while it waited, the cause.
func (r *runs) start(ctx context.Context, id string) (run context.Context, end func(), err error) {
	run, cancel := context.WithCancelCause(ctx)
	r.mu.Lock()
	r.active[id] = cancel
	r.mu.Unlock()
	forget := func() {
		r.mu.Lock()
		delete(r.active, id)
		r.mu.Unlock()
		cancel(nil)
	}
	if err := r.acquire(run); err != nil {
		forget()
		return nil, nil, err
	}
	return run, func() { forget(); <-r.slots }, nil
}

func (r *runs) acquire(ctx context.Context) error {
	select {
	case r.slots <- struct{}{}:
		return nil
	default:
	}
	defer r.waiting.Add(-1)
	if r.waiting.Add(1) > r.queue {
		return errOverloaded
	}
	late := time.NewTimer(r.patience)
	defer late.Stop()
	select {
	case r.slots <- struct{}{}:
		return nil
	case <-late.C:
		return errOverloaded
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// cancel ends the run with errCancelled. It reports whether there was one.
func (r *runs) cancel(id string) bool {
	r.mu.Lock()
	cancel, ok := r.active[id]
	r.mu.Unlock()
	if ok {
		cancel(errCancelled)
	}
	return ok
}

// count returns how many runs are under way, those that wait not included.
func (r *runs) count() float64 { return float64(len(r.slots)) }

// cancelRun is POST /runs/{id}/cancel.
func (s *Server) cancelRun(c *gin.Context) error {
	if !s.runs.cancel(c.Param("id")) {
		return fault.ErrNotFound
	}
	c.Status(http.StatusAccepted)
	return nil
}
