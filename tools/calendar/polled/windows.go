package polled

import (
	"sync"

	"annai/civil"
	"annai/tools/calendar"
)

// maxWindows is how many windows are remembered.
const maxWindows = 64

// Windows remember what windows of a document have, which does not change. The zero value remembers
// none yet. They are safe for concurrent use.
type Windows struct {
	mu   sync.Mutex
	kept map[calendar.WindowKey]window
}

// A window is what a window has: events in order, and what is missing.
type window struct {
	events   []calendar.Event
	problems []error
}

// Events returns what a window has, which nobody changes: what expand returned at the first time.
func (w *Windows) Events(
	of civil.TimeRange, expand func() ([]calendar.Event, []error, error),
) ([]calendar.Event, []error, error) {
	k := calendar.KeyOf(of)
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
	if w.kept == nil || len(w.kept) >= maxWindows {
		w.kept = map[calendar.WindowKey]window{}
	}
	w.kept[k] = found
	return found.events, found.problems, nil
}
