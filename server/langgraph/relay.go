package langgraph

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"annai/runs"
	"annai/server/door"
)

// relay hands events to handle, in order, and calls idle when there was none for so long. More says that another event is there already. It returns when the
// events end, with the first error, or when ctx does; that its reader went away is no error. Nothing it started is left when it returns.
func relay(ctx context.Context, events iter.Seq2[runs.Event, error], pause time.Duration, idle func() error, handle func(e runs.Event, more bool) error) error {
	ctx, cancel := context.WithCancel(ctx)
	arrived := make(chan runs.Event, 16)
	var failed error
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(arrived)
		for e, err := range events {
			if err != nil {
				failed = err
				return
			}
			select {
			case arrived <- e:
			case <-ctx.Done():
				return
			}
		}
	})
	err := forward(ctx, arrived, pause, idle, handle)
	cancel()
	for range arrived { // so that the reader ends
	}
	reader.Wait()
	if err == nil {
		err = failed
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, door.ErrGone) {
		return nil
	}
	return err
}

func forward(ctx context.Context, arrived <-chan runs.Event, pause time.Duration, idle func() error, handle func(e runs.Event, more bool) error) error {
	beat := time.NewTicker(pause)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-beat.C:
			if err := idle(); err != nil {
				return err
			}
		case e, ok := <-arrived:
			if !ok {
				return nil
			}
			if err := handle(e, len(arrived) > 0); err != nil {
				return err
			}
		}
	}
}
