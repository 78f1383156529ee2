package graph

import (
	"container/list"
	"sync"
)

// live keeps the newest states of the threads that were last run, so that the next run on them loads nothing. A state belongs to one
// run at a time: it is taken out, and given back when the run has finished.
type live[S any] struct {
	mu      sync.Mutex
	limit   int
	order   *list.List // of *liveThread[S], the last used in front
	threads map[string]*list.Element
}

// liveThread is where a thread stands, as [run.load] would find it.
type liveThread[S any] struct {
	log   threadLog[S]
	state S
	slots []any
	step  int
	// arrived are the sources that reached joins.
	arrived [][]string
}

func newLive[S any](limit int) *live[S] {
	return &live[S]{limit: limit, order: list.New(), threads: map[string]*list.Element{}}
}

// take returns the thread and forgets it, or nil.
func (l *live[S]) take(thread string) *liveThread[S] {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.threads[thread]
	if e == nil {
		return nil
	}
	delete(l.threads, thread)
	return l.order.Remove(e).(*liveThread[S])
}

// give keeps the thread, and drops the one that was used longest ago if there are too many.
func (l *live[S]) give(t *liveThread[S]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.threads[t.log.thread]; e != nil {
		l.order.Remove(e)
	}
	l.threads[t.log.thread] = l.order.PushFront(t)
	for l.order.Len() > l.limit {
		oldest := l.order.Remove(l.order.Back()).(*liveThread[S])
		delete(l.threads, oldest.log.thread)
	}
}

// adopt makes the run stand where the thread stands.
func (r *run[S]) adopt(t *liveThread[S]) {
	*r.log = t.log
	r.state, r.slots, r.step, r.arrived = t.state, t.slots, t.step, t.arrived
	r.origin = t.log.head
}

// leave gives the thread of a finished run to those that come after. One that waits for answers is not kept: what its
// questions are must be the same for whoever asks.
func (r *run[S]) leave() {
	if r.log == nil || r.namespace != "" || len(r.tasks) > 0 {
		return
	}
	r.g.live.give(&liveThread[S]{log: *r.log, state: r.state, slots: r.slots, step: r.step, arrived: r.arrived})
	r.slots, r.arrived = nil, nil
}
