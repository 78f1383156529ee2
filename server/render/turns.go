package render

import (
	"context"
	"fmt"
	"sync"

	"annai/fault"
	"annai/nodes"
	"annai/server/door"
)

// turns lets one turn at a time onto each session, in which the others wait: front ends send several at
// once, and the first of a barge-in may still be ending.
type turns struct {
	mu   sync.Mutex
	busy map[nodes.Session]*queue
}

// A queue is the wait for one session. There is one while somebody is in it.
type queue struct {
	turn chan struct{} // has room for the one whose turn it is
	in   int
}

// maxQueue is how many may be at one session, waiting included; more are [fault.ErrConflict].
const maxQueue = 5

// enter waits for the session. The error is that of the queue, or why ctx ended.
func (t *turns) enter(ctx context.Context, session nodes.Session) (leave func(), err error) {
	t.mu.Lock()
	q := t.busy[session]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1)}
		t.busy[session] = q
	}
	if q.in == maxQueue {
		t.mu.Unlock()
		return nil, fmt.Errorf("%d turns wait for one session: %w", q.in, fault.ErrConflict)
	}
	q.in++
	t.mu.Unlock()
	gone := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if q.in--; q.in == 0 {
			delete(t.busy, session)
		}
	}
	select {
	case q.turn <- struct{}{}:
		return func() { <-q.turn; gone() }, nil
	case <-ctx.Done():
		gone()
		return nil, door.Because(ctx, fmt.Errorf("wait for a session: %w", ctx.Err()))
	}
}
