package stream

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"annai/runs"
	"annai/server/door"
)

// relay hands events to handle, in order, and calls idle when there was none for so long. More says that another event
// is there already. It returns when the events end, with the first error, or when ctx does; that its reader went away
// is no error. Nothing it started is left when it returns.
func relay(
	ctx context.Context, events iter.Seq2[runs.Event, error], pause time.Duration, idle func() error,
	handle func(e runs.Event, more bool) error,
) error {
	inside, cancel := context.WithCancel(ctx)
	arrived, ended := Arrivals(inside, events)
	err := forward(inside, arrived, pause, idle, handle)
	cancel()
	if failed := ended(); err == nil {
		err = failed
	}
	if err == nil && ctx.Err() != nil { // it was cut off, and nobody said so
		err = context.Cause(ctx)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, door.ErrGone) {
		return nil
	}
	return err
}

// Arrivals hands on events by a channel, which is closed when they end, fail or ctx ends. ended, called after one of
// these, returns the failure; nothing that was started is left then.
func Arrivals(
	ctx context.Context, events iter.Seq2[runs.Event, error],
) (arrived <-chan runs.Event, ended func() error) {
	out := make(chan runs.Event, 16)
	var failed error
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(out)
		for e, err := range events {
			if err != nil {
				failed = err
				return
			}
			select {
			case out <- e:
			case <-ctx.Done():
				return
			}
		}
	})
	return out, func() error {
		reader.Wait()
		return failed
	}
}

func forward(
	ctx context.Context, arrived <-chan runs.Event, pause time.Duration, idle func() error,
	handle func(e runs.Event, more bool) error,
) error {
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
