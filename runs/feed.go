package runs

import (
	"errors"
	"sync"
)

// ErrSlow ends the stream of a reader that took so little for so long that events it had not read were dropped.
var ErrSlow = errors.New("the reader of the stream was too slow, and events are lost")

const (
	// feedEvents and feedBytes are how much a feed keeps for its slowest reader.
	feedEvents = 1024
	feedBytes  = 4 << 20
)

// feed is the log of a run that only its caller listens to: in memory, bounded, gone with the run.
type feed struct {
	mu     sync.Mutex
	events []Event
	last   int64
	bytes  int
	ended  bool
	// changed is closed at the next event; nil while nobody waits for one.
	changed chan struct{}
}

// add appends an event, and drops the oldest ones if there are too many. Last says that no more will come.
func (f *feed) add(e Event, last bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	e.ID = f.last
	f.events = append(f.events, e)
	f.bytes += len(e.Data)
	for len(f.events) > feedEvents || f.bytes > feedBytes && len(f.events) > 1 {
		f.bytes -= len(f.events[0].Data)
		f.events[0] = Event{}
		f.events = f.events[1:]
	}
	f.ended = f.ended || last
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// read returns what came after an event, and, if that is nothing, a channel that is closed when something does.
func (f *feed) read(after int64) (events []Event, changed <-chan struct{}, ended bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	behind := int(f.last - after)
	switch {
	case behind > len(f.events):
		return nil, nil, false, ErrSlow
	case behind > 0:
		return append(events, f.events[len(f.events)-behind:]...), nil, f.ended, nil
	case f.changed == nil:
		f.changed = make(chan struct{})
	}
	return nil, f.changed, f.ended, nil
}
