package ics

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// maxWindows is how many expansions are remembered.
const maxWindows = 64

// A document is a [polled.Document]. It does not change, but remembers what was asked of it.
type document struct {
	series   []*recur.Expander
	problems []error
	// own is where the events are that are in one of the nameless zones.
	own      *time.Location
	nameless map[*time.Location]bool

	mu      sync.Mutex
	windows map[windowKey]expansion
}

// A windowKey is a window, comparable.
type windowKey struct {
	start, end int64
	loc        *time.Location
}

// An expansion is what a window has: events in order, and what is missing.
type expansion struct {
	events   []calendar.Event
	problems []error
}

// Problems implements [polled.Document].
func (d *document) Problems() []error { return d.problems }

// Events implements [polled.Document].
func (d *document) Events(ctx context.Context, window civil.TimeRange, limit int) ([]calendar.Event, []error, error) {
	k := windowKey{window.Start.UnixNano(), window.End.UnixNano(), window.Location()}
	d.mu.Lock()
	found, ok := d.windows[k]
	d.mu.Unlock()
	if !ok {
		var err error
		if found, err = d.expand(ctx, window, limit); err != nil {
			return nil, nil, err
		}
		d.mu.Lock()
		if len(d.windows) >= maxWindows {
			clear(d.windows)
		}
		d.windows[k] = found
		d.mu.Unlock()
	}
	return slices.Clone(found.events), found.problems, nil // events have no lists of their own
}

func (d *document) expand(ctx context.Context, window civil.TimeRange, limit int) (expansion, error) {
	events, cut, err := recur.Expand(ctx, d.series, window, limit)
	if err != nil {
		return expansion{}, err
	}
	found := expansion{events: events}
	for i, id := range cut {
		if i == maxProblems {
			found.problems = append(found.problems, fmt.Errorf("%d more series are cut short: %w", len(cut)-i,
				fault.ErrInvalid))
			break
		}
		found.problems = append(found.problems,
			fmt.Errorf("event %.100q: has too many instances in the window, some are left out: %w", id,
				fault.ErrInvalid))
	}
	d.rename(events)
	return found, nil
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
