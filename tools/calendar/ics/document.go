package ics

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"annai/internal/civil"
	"annai/internal/fault"
	"annai/tools/calendar"
)

// Bounds on a read.
const (
	// seriesSteps is what the rules of one series may take, readSteps those of all together.
	seriesSteps = 50_000
	readSteps   = 500_000
	// maxWindows is how many expansions are remembered.
	maxWindows = 64
)

// A document is a file that was read. It does not change, but remembers what was asked of it.
type document struct {
	series   []*series
	problems []error

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

func newDocument(all []*series, problems []error) *document {
	return &document{series: all, problems: problems, windows: map[windowKey]expansion{}}
}

// events returns what the window has. The caller owns the events. The error is the context's.
func (d *document) events(ctx context.Context, window civil.TimeRange, limit int) (expansion, error) {
	k := windowKey{window.Start.UnixNano(), window.End.UnixNano(), window.Location()}
	d.mu.Lock()
	found, ok := d.windows[k]
	d.mu.Unlock()
	if !ok {
		var err error
		if found, err = d.expand(ctx, window, limit); err != nil {
			return expansion{}, err
		}
		d.mu.Lock()
		if len(d.windows) >= maxWindows {
			clear(d.windows)
		}
		d.windows[k] = found
		d.mu.Unlock()
	}
	found.events = slices.Clone(found.events)
	return found, nil
}

func (d *document) expand(ctx context.Context, window civil.TimeRange, limit int) (expansion, error) {
	e := expander{window: window, loc: window.Location(), limit: limit, left: readSteps}
	e.events = make([]calendar.Event, 0, min(len(d.series), 256))
	for _, s := range d.series {
		if err := ctx.Err(); err != nil {
			return expansion{}, err
		}
		e.series(s)
	}
	if e.more > 0 {
		e.problems = append(e.problems, fmt.Errorf("%d more series are cut short: %w", e.more, fault.ErrInvalid))
	}
	calendar.Sort(e.events, e.loc)
	return e.expansion, nil
}

// An expander gathers the events of a window, within bounds.
type expander struct {
	expansion
	window civil.TimeRange
	loc    *time.Location
	limit  int // events
	left   int // steps
	more   int
}

// series adds one. Bounds are per series too, so that one that never ends does not crowd out the others.
func (e *expander) series(s *series) {
	given := min(seriesSteps, e.left)
	steps := &budget{left: given}
	mine := max(1, e.limit/4)
	full := false
	s.expand(e.window, steps, func(event *calendar.Event) bool {
		if !event.Span(e.loc).Overlaps(e.window) {
			return true
		}
		if full = mine == 0 || len(e.events) >= e.limit; full {
			return false
		}
		mine--
		e.events = append(e.events, *event)
		return true
	})
	e.left -= given - max(steps.left, 0)
	if full || steps.exhausted() {
		e.cut(s)
	}
}

func (e *expander) cut(s *series) {
	if len(e.problems) == maxProblems {
		e.more++
		return
	}
	e.problems = append(e.problems,
		fmt.Errorf("event %.100q: has too many instances in the window, some are left out: %w", s.uid, fault.ErrInvalid))
}
