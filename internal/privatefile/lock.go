package privatefile

import (
	"context"
	"os"
	"time"
)

// Lock is [TryLock] until it locks, fails, or ctx ends. Waiting in the kernel could not be ended.
func Lock(ctx context.Context, f *os.File) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if locked, err := TryLock(f); locked || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
