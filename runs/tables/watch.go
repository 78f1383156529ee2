package tables

import (
	"sync"
	"time"
)

// longest is after which time whoever watches is woken at the latest, in case a word of another process was lost.
const longest = 3 * time.Second

// Watchers are those who watch threads in this process. The zero Watchers are ready to use.
type Watchers struct {
	mu      sync.Mutex
	threads map[string]*topic
}

// topic is what those wait for who watch a thread.
type topic struct {
	changed chan struct{}
	watched int
	timer   *time.Timer
}

// Watch is [runs.Events.Watch].
func (w *Watchers) Watch(thread string) (changed <-chan struct{}, stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.threads[thread]
	if t == nil {
		t = &topic{changed: make(chan struct{})}
		t.timer = time.AfterFunc(longest, func() { w.wake(thread, t) })
		if w.threads == nil {
			w.threads = map[string]*topic{}
		}
		w.threads[thread] = t
	}
	t.watched++
	return t.changed, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if t.watched--; t.watched == 0 && w.threads[thread] == t {
			t.timer.Stop()
			delete(w.threads, thread)
		}
	}
}

// Wake wakes those who watch the thread.
func (w *Watchers) Wake(thread string) { w.wake(thread, nil) }

// wake wakes those who wait for the topic, if it is still the thread's; nil is any.
func (w *Watchers) wake(thread string, only *topic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.threads[thread]; t != nil && (only == nil || only == t) {
		t.timer.Stop()
		close(t.changed)
		delete(w.threads, thread)
	}
}

// WakeAll wakes everybody.
func (w *Watchers) WakeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for thread, t := range w.threads {
		t.timer.Stop()
		close(t.changed)
		delete(w.threads, thread)
	}
}
