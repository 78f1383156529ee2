package media

import (
	"context"
	"fmt"
	"runtime"

	"annai/fault"
)

// Turns let pictures and films be made one after the other, by all tools together: each takes a processor and up to
// 150 MB. It is safe for concurrent use.
type Turns struct{ free chan struct{} }

// NewTurns returns turns, of which the first is free.
func NewTurns() *Turns { return &Turns{make(chan struct{}, 1)} }

// Do does it once nothing else is being made. A ctx that is done before is [fault.ErrUnavailable].
func (t *Turns) Do(ctx context.Context, do func() error) error {
	select {
	case t.free <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("wait until others are made: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
	defer func() {
		runtime.GC() // what this one took is not there beside the next
		<-t.free
	}()
	return do()
}
