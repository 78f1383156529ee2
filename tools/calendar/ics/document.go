package ics

import (
	"context"
	"fmt"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// A document is a [polled.Document]. It does not change, but remembers what was asked of it.
type document struct {
	series   []*recur.Expander
	problems []error
	// own is where the events are that are in one of the nameless zones.
	own      *time.Location
	nameless map[*time.Location]bool

	windows calendar.Windows
}

// Problems implements [polled.Document].
func (d *document) Problems() []error { return d.problems }

// Events implements [polled.Document].
func (d *document) Events(ctx context.Context, window civil.TimeRange, limit int) ([]calendar.Event, []error, error) {
	return d.windows.Events(window, func() ([]calendar.Event, []error, error) { return d.expand(ctx, window, limit) })
}

func (d *document) expand(ctx context.Context, window civil.TimeRange, limit int) ([]calendar.Event, []error, error) {
	events, cut, err := recur.Expand(ctx, d.series, window, limit)
	if err != nil {
		return nil, nil, err
	}
	var problems []error
	for i, id := range cut {
		if i == maxProblems {
			problems = append(problems, fmt.Errorf("%d more series are cut short: %w", len(cut)-i,
				fault.ErrInvalid))
			break
		}
		problems = append(problems,
			fmt.Errorf("event %.100q: has too many instances in the window, some are left out: %w", id,
				fault.ErrInvalid))
	}
	d.rename(events)
	return events, problems, nil
}

// rename moves events from a zone that nobody else knows to the calendar's own.
func (d *document) rename(events []calendar.Event) {
	if len(d.nameless) == 0 {
		return
	}
	for i := range events {
		if e := &events[i]; d.nameless[e.Start.Location()] {
			e.Start, e.End, e.TimeZone = e.Start.In(d.own), e.End.In(d.own), d.own.String()
		}
	}
}
