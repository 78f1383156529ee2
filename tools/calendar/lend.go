package calendar

import (
	"context"
	"slices"
	"sync"

	"annai/civil"
)

// A Lender is a [Reader] that keeps what it has of a window, so that a large calendar is not copied for
// each who looks.
type Lender interface {
	Reader
	// Lend is like Events, but lends them, if it says so in the listing.
	Lend(ctx context.Context, window civil.TimeRange) (Listing, error)
}

// Lend reads a calendar for somebody who changes nothing, with [Lender.Lend] where it is one.
func Lend(ctx context.Context, r Reader, window civil.TimeRange) (Listing, error) {
	if l, ok := r.(Lender); ok {
		return l.Lend(ctx, window)
	}
	return r.Events(ctx, window)
}

// SameMemory reports whether two lists of events are one. If a [Lender] lent the one and whoever asks
// still has it, the other is what it was.
func SameMemory(a, b []Event) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// maxShown is how many windows are kept of what visitors see.
const maxShown = 8

// visible is what [Merge] returns.
type visible struct {
	merged

	mu    sync.Mutex
	shown map[windowKey]shown
}

// shown is what visitors see of a window, and what it was made of, by source.
type shown struct {
	of     [][]Event
	events []Event
}

// Lend implements [Lender].
func (m *visible) Lend(ctx context.Context, window civil.TimeRange) (Listing, error) {
	listing, answers, err := m.read(ctx, window, Lend)
	if err != nil {
		return Listing{}, err
	}
	listing.Lent = true
	of := make([][]Event, len(answers))
	for i := range answers {
		a := &answers[i].listing
		of[i] = a.Events
		listing.Lent = listing.Lent && (a.Lent || len(a.Events) == 0)
	}
	k := keyOf(window)
	m.mu.Lock()
	kept, ok := m.shown[k]
	m.mu.Unlock()
	if ok && listing.Lent && slices.EqualFunc(kept.of, of, SameMemory) {
		listing.Events = kept.events
		return listing, nil
	}
	for i := range answers {
		if a := &answers[i].listing; a.Lent {
			a.Events = slices.Clone(a.Events)
		}
	}
	listing.Events = m.show(answers, window.Location())
	if !listing.Lent {
		return listing, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shown == nil || len(m.shown) >= maxShown {
		m.shown = map[windowKey]shown{}
	}
	m.shown[k] = shown{of, listing.Events}
	return listing, nil
}
