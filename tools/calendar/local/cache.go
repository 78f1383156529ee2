package local

import (
	"fmt"
	"sync"
	"time"

	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// maxKnown is how many events are remembered.
const maxKnown = 10_000

// A cache remembers what reads had to work out: events by the numbers of their rows, and locations. Its zero value is empty.
type cache struct {
	mu        sync.RWMutex
	events    map[int64]known
	locations map[string]*time.Location
}

// A known is an event of a revision, ready to be read.
type known struct {
	revision int64
	event    *recur.Expander
}

// event returns the event of this revision, or nil.
func (c *cache) event(number, revision int64) *recur.Expander {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if k := c.events[number]; k.revision == revision {
		return k.event
	}
	return nil
}

func (c *cache) put(number, revision int64, x *recur.Expander) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.events == nil || len(c.events) >= maxKnown {
		c.events = map[int64]known{}
	}
	c.events[number] = known{revision, x}
}

// location loads a zone. Loading takes long enough to be done once.
func (c *cache) location(name string) (*time.Location, error) {
	c.mu.RLock()
	loc := c.locations[name]
	c.mu.RUnlock()
	if loc != nil {
		return loc, nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, fmt.Errorf("time zone %.100q is unknown", name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.locations == nil {
		c.locations = map[string]*time.Location{}
	}
	c.locations[name] = loc
	return loc, nil
}

// lent is what windows have of one state of the calendar. Its zero value is of none.
type lent struct {
	mu      sync.Mutex
	of      changes
	windows *calendar.Windows
}

// at returns the windows of that state. What is read into those of an older one is never lent again.
func (l *lent) at(now changes) *calendar.Windows {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.windows == nil || l.of != now {
		l.of, l.windows = now, new(calendar.Windows)
	}
	return l.windows
}
