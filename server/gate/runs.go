package gate

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"annai/dialog"
	"annai/server/door"
)

// runs knows the runs that are under way, so that they can be cancelled, and lets only so many run at once.
type runs struct {
	slots    chan struct{}
	waiting  atomic.Int64
	queue    int64 // how many may wait
	patience time.Duration

	mu     sync.Mutex
	active map[string]*run
	// idle is closed when no run is left; nil while nobody wants to know.
	idle chan struct{}
}

// A run is one that is under way, or waits to be.
type run struct {
	session dialog.Session
	cancel  context.CancelCauseFunc
	// cancelled is closed when nobody wants it any more, and ended when it came to its end.
	cancelled <-chan struct{}
	ended     chan struct{}
}

// noticed is how long it may take until it is known that a client went away.
const noticed = 250 * time.Millisecond

// leave waits until the run has ended if nobody wants it any more, which may come to be known a moment later: who
// interrupts an answer and asks something else is not told to wait for that answer.
func (r *run) leave(ctx context.Context, patience time.Duration) {
	known := time.NewTimer(noticed)
	defer known.Stop()
	select {
	case <-r.cancelled:
	case <-known.C:
		return
	case <-r.ended:
		return
	case <-ctx.Done():
		return
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-r.ended:
	case <-late.C:
	case <-ctx.Done():
	}
}

func newRuns(atOnce, queue int, patience time.Duration) *runs {
	return &runs{
		slots: make(chan struct{}, atOnce), queue: int64(queue), patience: patience,
		active: map[string]*run{},
	}
}

// start waits for room and returns the context of the run, which ends with ctx, by cancel(id), or with end. Where
// too many run and wait the error is [door.ErrOverloaded]; where the run was ended while it waited, the cause.
func (r *runs) start(
	ctx context.Context, id string, session dialog.Session,
) (running context.Context, end func(), err error) {
	running, cancel := context.WithCancelCause(ctx)
	this := &run{session, cancel, running.Done(), make(chan struct{})}
	r.mu.Lock()
	before := r.of(session)
	r.active[id] = this
	r.mu.Unlock()
	if before != nil && session.ID != "" {
		before.leave(running, r.patience)
	}
	if err := r.acquire(running); err != nil {
		r.forget(id, this)
		return nil, nil, err
	}
	return running, func() { <-r.slots; r.forget(id, this) }, nil
}

func (r *runs) forget(id string, this *run) {
	r.mu.Lock()
	if r.active[id] == this { // not another of the same name
		delete(r.active, id)
	}
	if r.idle != nil && len(r.active) == 0 {
		close(r.idle)
		r.idle = nil
	}
	r.mu.Unlock()
	this.cancel(nil)
	close(this.ended)
}

func (r *runs) acquire(ctx context.Context) error {
	select {
	case r.slots <- struct{}{}:
		return nil
	default:
	}
	defer r.waiting.Add(-1)
	if r.waiting.Add(1) > r.queue {
		return door.ErrOverloaded
	}
	late := time.NewTimer(r.patience)
	defer late.Stop()
	select {
	case r.slots <- struct{}{}:
		return nil
	case <-late.C:
		return door.ErrOverloaded
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// cancel ends the run of the caller with [door.ErrCancelled]. It reports whether there was one.
func (r *runs) cancel(id, caller string) bool {
	r.mu.Lock()
	this, ok := r.active[id]
	r.mu.Unlock()
	ok = ok && this.session.Caller == caller
	if ok {
		this.cancel(door.ErrCancelled)
	}
	return ok
}

// on says whether a run is under way on the session, or waits to be.
func (r *runs) on(s dialog.Session) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of(s) != nil
}

// of returns a run that is under way on the session, or waits to be; nil where there is none. The caller holds mu.
func (r *runs) of(s dialog.Session) *run {
	for _, this := range r.active {
		if this.session == s {
			return this
		}
	}
	return nil
}

func (r *runs) cancelAll(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, this := range r.active {
		this.cancel(cause)
	}
}

func (r *runs) wait(ctx context.Context) error {
	r.mu.Lock()
	if len(r.active) == 0 {
		r.mu.Unlock()
		return nil
	}
	if r.idle == nil {
		r.idle = make(chan struct{})
	}
	idle := r.idle
	r.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
