package runs

import (
	"context"
	"fmt"

	"annai/fault"
)

// ErrQueue says that the queue is full. Its kind is [fault.ErrUnavailable].
var ErrQueue = fmt.Errorf("the queue of runs is full: %w", fault.ErrUnavailable)

// A Queue hands runs to whoever executes them: each to one at a time, those of a thread one after the other, and again if a process died.
type Queue interface {
	// Enqueue does what [Runs.CreateRun] does, and in the same transaction notes that the run is to be executed once it is due. Start has no Owner.
	// A queue that is full is [ErrQueue], and the run is not created.
	Enqueue(ctx context.Context, s Start) (Run, error)
	// Work calls execute for runs until ctx ends, then waits until those calls have returned, and returns nil. Several at once, as many as the queue was
	// made for. Besides those that were enqueued it offers, within some seconds, what [Leases.DueRuns] finds: what waits for a turn that has come, and what a dead process left,
	// whoever created it. Offering a run more than once does no harm. It is called once.
	Work(ctx context.Context, execute Execute) error
}

// Execute executes a run from its claim to its finish. Nil: nothing is left to do, also if the run failed, is gone or had ended. [ErrBusy]: it is to be
// offered again when its thread changed, or a little later. Any other error: again after a while. When ctx ends the run stops where it is and the lease is given back early, so that
// another process goes on; the error is that of ctx.
type Execute func(ctx context.Context, thread, run string) error
