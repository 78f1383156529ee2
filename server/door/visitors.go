package door

import (
	"context"
	"iter"
)

// Threads are what a door keeps of callers beside their sessions.
type Threads interface {
	// Made yields the threads that callers of those names made, and those with those ids, all that is
	// kept of each.
	Made(ctx context.Context, makers, ids []string) iter.Seq2[Made, error]
	// Delete forgets a thread. One that is not there is no error.
	Delete(ctx context.Context, id string) error
}

// Made is a thread.
type Made struct {
	ID string
	// Kept is all that is kept of it, as JSON shows it.
	Kept any
}
