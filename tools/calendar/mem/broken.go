package mem

import (
	"context"
	"fmt"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
)

// Broken is a [calendar.Reader] that never answers with events: for the tests of those who must live with one.
type Broken struct {
	// Err is the failure. Nil is [fault.ErrUnavailable].
	Err error
	// Hang makes a read wait until its context is done before it fails.
	Hang bool
}

// Events implements [calendar.Reader].
func (b Broken) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if err := calendar.CheckWindow(window); err != nil {
		return calendar.Listing{}, err
	}
	if b.Hang {
		<-ctx.Done()
		return calendar.Listing{}, fmt.Errorf("wait for a calendar: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
	if b.Err != nil {
		return calendar.Listing{}, b.Err
	}
	return calendar.Listing{}, fmt.Errorf("read a broken calendar: %w", fault.ErrUnavailable)
}
