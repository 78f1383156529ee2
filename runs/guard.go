package runs

import (
	"context"
	"sync"

	"annai/graph"
)

// guard is the checkpointer of a graph whose runs have logs. A superstep is committed once all that was said while it ran is in the log, so that no more than what is said
// of its end can be missing there when a process dies; and that can be said anew, out of the record. See retell.go.
type guard struct{ graph.Checkpointer }

// hearing is how far a run is, and how much of what it says was heard. It goes with the context in which the engine writes.
type hearing struct {
	thread, run string
	// settle returns once what was heard is in the log; nil without one.
	settle func(context.Context) error

	mu sync.Mutex
	// starts and ends are how many are to be heard of the tasks of the superstep, started and ended how many were.
	starts, ends, started, ended int
	// over says that nobody listens any more; changed that something is different.
	over    bool
	changed sync.Cond
}

func newHearing(in Input) *hearing {
	h := &hearing{thread: in.ThreadID, run: in.RunID, settle: in.Settle}
	h.changed.L = &h.mu
	return h
}

type hearingKey struct{}

func (h *hearing) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, hearingKey{}, h)
}

// heardOn returns the hearing of a run that writes to the thread itself, or nil.
func heardOn(ctx context.Context, thread, namespace string) *hearing {
	h, _ := ctx.Value(hearingKey{}).(*hearing)
	if h == nil || h.thread != thread || namespace != "" {
		return nil
	}
	return h
}

// Put implements [graph.Checkpointer]. What a command of the run writes to the state is the run's, too.
func (g guard) Put(ctx context.Context, thread string, r graph.Record) error {
	h := heardOn(ctx, thread, r.Namespace)
	if h == nil {
		return g.Checkpointer.Put(ctx, thread, r)
	}
	switch r.Source {
	case graph.SourceUpdate:
		r.RunID = h.run
	case graph.SourceLoop:
		if err := h.wait(ctx, func() bool { return h.ended >= h.ends }); err != nil {
			return err
		}
	case graph.SourceInput:
	}
	if err := g.Checkpointer.Put(ctx, thread, r); err != nil {
		return err
	}
	h.begin(len(r.Tasks), len(r.Tasks))
	return nil
}

// PutWrites implements [graph.Checkpointer]. A task that finished does not begin again, so that it began must be in the log.
func (g guard) PutWrites(ctx context.Context, thread string, w graph.TaskWrites) error {
	if h := heardOn(ctx, thread, w.Namespace); h != nil && w.Finished {
		if err := h.wait(ctx, func() bool { return h.started >= h.starts }); err != nil {
			return err
		}
	}
	return g.Checkpointer.PutWrites(ctx, thread, w)
}

// Load implements [graph.Checkpointer].
func (g guard) Load(ctx context.Context, thread, namespace string, id int64) ([]graph.Record, int64, error) {
	chain, newest, err := g.Checkpointer.Load(ctx, thread, namespace, id)
	if h := heardOn(ctx, thread, namespace); h != nil && len(chain) > 0 {
		ends := len(chain[0].Tasks)
		starts := ends
		for _, w := range chain[0].Pending {
			if w.Finished {
				ends--
			} else {
				starts = 1 // whether this one runs depends on the answers
			}
		}
		h.begin(min(starts, ends), ends)
	}
	return chain, newest, err
}

// begin says how many starts and ends of tasks the next superstep has.
func (h *hearing) begin(starts, ends int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.starts, h.ends, h.started, h.ended = starts, ends, 0, 0
}

// start says that the start of a task was heard.
func (h *hearing) start() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.started++
	h.changed.Broadcast()
}

// end says that the end of a task was heard, and with it all that came before.
func (h *hearing) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended++
	h.changed.Broadcast()
}

// leave says that nobody listens any more.
func (h *hearing) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	h.changed.Broadcast()
}

// wait returns once so much was heard, and is in the log.
func (h *hearing) wait(ctx context.Context, enough func() bool) error {
	if h.settle == nil {
		return nil
	}
	if err := h.heard(ctx, enough); err != nil {
		return err
	}
	return h.settle(ctx)
}

// heard waits until so much was heard.
func (h *hearing) heard(ctx context.Context, enough func() bool) error {
	stop := wakes(ctx, &h.changed)
	defer stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	for !enough() && !h.over && ctx.Err() == nil {
		h.changed.Wait()
	}
	return context.Cause(ctx)
}

// wakes wakes who waits for the condition when ctx ends.
func wakes(ctx context.Context, c *sync.Cond) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		c.L.Lock()
		defer c.L.Unlock()
		c.Broadcast()
	})
}
