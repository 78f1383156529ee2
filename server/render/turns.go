package render

import (
	"context"
	"fmt"
	"sync"

	"annai/dialog"
	"annai/fault"
	"annai/server/door"
)

// turns lets one turn at a time onto each session, in which the others wait: front ends send
// several at once, and the first of a barge-in may still be ending.
type turns struct {
	mu   sync.Mutex
	busy map[dialog.Session]*queue
}

// A queue is the wait for one session. There is one while somebody is in it.
type queue struct {
	turn chan struct{} // has room for the one whose turn it is
	in   map[*entrant]struct{}
}

// An entrant is at a session, waiting included.
type entrant struct {
	// speaks says that it is spoken as it is answered, and that who speaks next may silence it.
	speaks bool
	cancel context.CancelCauseFunc
}

// maxQueue is how many may be at one session; more are [fault.ErrConflict].
const maxQueue = 5

// enter waits for the session. Who speaks silences those before it that do: their contexts end with
// [door.ErrCancelled]. The turn has the context that is returned. The error is that of the queue,
// or why ctx ended.
func (t *turns) enter(
	ctx context.Context, session dialog.Session, speaks bool,
) (during context.Context, leave func(), err error) {
	during, cancel := context.WithCancelCause(ctx)
	me := &entrant{speaks, cancel}
	q, err := t.join(session, me)
	if err != nil {
		cancel(nil)
		return nil, nil, err
	}
	gone := func() {
		cancel(nil)
		t.mu.Lock()
		defer t.mu.Unlock()
		if delete(q.in, me); len(q.in) == 0 {
			delete(t.busy, session)
		}
	}
	select {
	case q.turn <- struct{}{}:
		return during, func() { <-q.turn; gone() }, nil
	case <-during.Done():
		err := door.Because(during, fmt.Errorf("wait for a session: %w", during.Err()))
		gone()
		return nil, nil, err
	}
}

// join adds an entrant to the queue of a session.
func (t *turns) join(session dialog.Session, me *entrant) (*queue, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.busy[session]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1), in: map[*entrant]struct{}{}}
		t.busy[session] = q
	}
	if len(q.in) == maxQueue {
		return nil, fmt.Errorf("%d turns wait for one session: %w", len(q.in), fault.ErrConflict)
	}
	for other := range q.in {
		if me.speaks && other.speaks {
			other.cancel(door.ErrCancelled)
		}
	}
	q.in[me] = struct{}{}
	return q, nil
}
