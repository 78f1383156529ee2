package calendar

import (
	"sync"
	"time"

	"annai/civil"
)

// How many windows are remembered, and how many events they have together.
const (
	maxWindows      = 64
	maxWindowEvents = 1 << 16
)

// Windows remember what windows of a calendar have that does not change, for a [Lender]. The zero value remembers
// none yet. They are safe for concurrent use.
type Windows struct {
	mu     sync.Mutex
	kept   map[windowKey]windowEvents
	events int // in all of them
}

// A windowKey is a window, comparable.
type windowKey struct {
	start, end int64
	loc        *time.Location
}

func keyOf(window civil.TimeRange) windowKey {
	return windowKey{window.Start.UnixNano(), window.End.UnixNano(), window.Location()}
}

// windowEvents is what a window has: events in order, and what is missing.
type windowEvents struct {
	events   []Event
	problems []error
}

// Events returns what a window has, which nobody changes: what expand returned at the first time.
func (w *Windows) Events(
	of civil.TimeRange, expand func() ([]Event, []error, error),
) ([]Event, []error, error) {
	k := keyOf(of)
	w.mu.Lock()
	found, ok := w.kept[k]
	w.mu.Unlock()
	if ok {
		return found.events, found.problems, nil
	}
	var err error
	if found.events, found.problems, err = expand(); err != nil {
		return nil, nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kept == nil || len(w.kept) >= maxWindows || w.events+len(found.events) > maxWindowEvents {
		w.kept, w.events = map[windowKey]windowEvents{}, 0
	}
	w.kept[k] = found
	w.events += len(found.events)
	return found.events, found.problems, nil
}
