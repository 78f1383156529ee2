// Package mem keeps what [runs.Store] keeps in memory, and queues runs in the process. It is the reference that the other back ends are held against;
// nothing outlives the process.
//
// Everything is under one lock: what a call does is little. Numbers of threads and events are bounded, so that nobody fills the memory.
package mem

import (
	"cmp"
	"fmt"
	"sync"

	"annai/fault"
	"annai/runs"
)

// Options are the settings of a [Store] that have a default.
type Options struct {
	// MaxThreads is how many threads there may be; a further one is [fault.ErrUnavailable]. 0: 100,000.
	MaxThreads int
	// MaxEvents is how many events the log of a thread keeps; the oldest go first. 0: 10,000.
	MaxEvents int
	// MaxItems is how many items there may be; a further one is [fault.ErrUnavailable]. 0: 100,000.
	MaxItems int
}

// Store is a [runs.Store] in memory.
type Store struct {
	opts Options

	mu         sync.Mutex
	assistants map[string]*assistant
	threads    map[string]*thread
	// runs are all runs by their ids, open the threads that have one that has not ended.
	runs   map[string]*run
	open   map[string]*thread
	items  map[string]*runs.Item
	crons  map[string]*runs.Cron
	topics map[string]*topic
	// events is the last id given to an event.
	events int64
	// made counts runs.
	made int64
}

var _ runs.Store = (*Store)(nil)

// New returns an empty store.
func New(opts Options) *Store {
	opts.MaxThreads = cmp.Or(opts.MaxThreads, 100_000)
	opts.MaxEvents = cmp.Or(opts.MaxEvents, 10_000)
	opts.MaxItems = cmp.Or(opts.MaxItems, 100_000)
	return &Store{
		opts: opts, assistants: map[string]*assistant{}, threads: map[string]*thread{}, runs: map[string]*run{}, open: map[string]*thread{},
		items: map[string]*runs.Item{}, crons: map[string]*runs.Cron{}, topics: map[string]*topic{},
	}
}

func missing(kind, id string) error { return fmt.Errorf("%s %q: %w", kind, id, fault.ErrNotFound) }
func exists(kind, id string) error  { return fmt.Errorf("%s %q: %w", kind, id, fault.ErrConflict) }

// topic is what those wait for who watch a thread.
type topic struct {
	changed chan struct{}
	watched int
}

// Watch implements [runs.Events].
func (s *Store) Watch(thread string) (changed <-chan struct{}, stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[thread]
	if t == nil {
		t = &topic{changed: make(chan struct{})}
		s.topics[thread] = t
	}
	t.watched++
	return t.changed, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.watched--; t.watched == 0 && s.topics[thread] == t {
			delete(s.topics, thread)
		}
	}
}

// changed wakes those who watch the thread. It is called with the lock.
func (s *Store) changed(thread string) {
	if t := s.topics[thread]; t != nil {
		close(t.changed)
		delete(s.topics, thread)
	}
}
