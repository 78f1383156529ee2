package calendar

import (
	"context"
	"errors"
	"fmt"

	"annai/civil"
	"annai/fault"
)

// A Watch is told that a calendar is read or written. Operation is "events", "get", "create", "update" or "delete".
// The context that it returns is that of the operation, and the function is called when that ended, with how many
// events came of it. Of a listing that is not complete the error is why.
type Watch func(ctx context.Context, operation string) (context.Context, func(events int, err error))

// Watched is the calendar with somebody who is told of each read.
func Watched(r Reader, w Watch) Reader { return watchedReader{r, w} }

// WatchedWriter is the calendar with somebody who is told of each read and write.
func WatchedWriter(c Writer, w Watch) Writer { return watchedWriter{watchedReader{c, w}, c} }

type watchedReader struct {
	calendar Reader
	watch    Watch
}

// Events implements [Reader].
func (r watchedReader) Events(ctx context.Context, window civil.TimeRange) (Listing, error) {
	return r.read(ctx, window, whole)
}

// Lend implements [Lender].
func (r watchedReader) Lend(ctx context.Context, window civil.TimeRange) (Listing, error) {
	return r.read(ctx, window, Lend)
}

func (r watchedReader) read(ctx context.Context, window civil.TimeRange, read readFunc) (Listing, error) {
	ctx, ended := r.watch(ctx, "events")
	listing, err := read(ctx, r.calendar, window)
	ended(len(listing.Events), errors.Join(err, listing.incomplete()))
	return listing, err
}

// incomplete is why a listing is not complete; nil if it is.
func (l Listing) incomplete() error {
	if l.Complete || len(l.Problems) == 0 {
		return nil
	}
	var problems []error
	for _, p := range l.Problems {
		problems = append(problems, p.Err)
	}
	return fmt.Errorf("not complete: %w: %w", fault.ErrUnavailable, errors.Join(problems...))
}

type watchedWriter struct {
	watchedReader

	calendar Writer
}

// one tells of an operation on one event.
func (w watchedWriter) one(
	ctx context.Context, operation string, do func(ctx context.Context) (Event, error),
) (Event, error) {
	ctx, ended := w.watch(ctx, operation)
	e, err := do(ctx)
	n := 1
	if err != nil {
		n = 0
	}
	ended(n, err)
	return e, err
}

// Get implements [Writer].
func (w watchedWriter) Get(ctx context.Context, id string) (Event, error) {
	return w.one(ctx, "get", func(ctx context.Context) (Event, error) { return w.calendar.Get(ctx, id) })
}

// Create implements [Writer].
func (w watchedWriter) Create(ctx context.Context, e Event) (Event, error) {
	return w.one(ctx, "create", func(ctx context.Context) (Event, error) { return w.calendar.Create(ctx, e) })
}

// Update implements [Writer].
func (w watchedWriter) Update(ctx context.Context, id string, c Change, etag string) (Event, error) {
	return w.one(ctx, "update", func(ctx context.Context) (Event, error) { return w.calendar.Update(ctx, id, c, etag) })
}

// Delete implements [Writer].
func (w watchedWriter) Delete(ctx context.Context, id, etag string) error {
	_, err := w.one(ctx, "delete", func(ctx context.Context) (Event, error) {
		return Event{}, w.calendar.Delete(ctx, id, etag)
	})
	return err
}
