package graph

import "sync"

// live keeps the newest states of the threads that were last run, so that the next run on them loads nothing. A state belongs to one
// run at a time: it is taken out, and given back when the run has finished.
type live[S any] struct {
	mu      sync.Mutex
	limit   int
	threads map[string]*liveThread[S]
	// ring is before the thread that was used last and after the one that was used longest ago.
	ring liveThread[S]
}

// liveThread is where a thread stands, as [run.load] would find it.
type liveThread[S any] struct {
	log   threadLog[S]
	state S
	step  int
	// spares is the room behind lists, arrived are the sources that reached joins.
	spares  []spare
	arrived [][]string
	// newer and older are its neighbours in the ring.
	newer, older *liveThread[S]
}

func newLive[S any](limit int) *live[S] {
	l := &live[S]{limit: limit, threads: map[string]*liveThread[S]{}}
	l.ring.newer, l.ring.older = &l.ring, &l.ring
	return l
}

// take returns the thread and forgets it, or nil.
func (l *live[S]) take(thread string) *liveThread[S] {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.threads[thread]
	if t != nil {
		l.drop(t)
	}
	return t
}

// give keeps the thread, and drops the one that was used longest ago if there are too many. It returns one that was dropped, or nil.
func (l *live[S]) give(t *liveThread[S]) (dropped *liveThread[S]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if dropped = l.threads[t.log.thread]; dropped != nil {
		l.drop(dropped)
	}
	l.threads[t.log.thread] = t
	t.newer, t.older = &l.ring, l.ring.older
	t.older.newer, l.ring.older = t, t
	if len(l.threads) > l.limit {
		dropped = l.ring.newer
		l.drop(dropped)
	}
	return dropped
}

func (l *live[S]) drop(t *liveThread[S]) {
	delete(l.threads, t.log.thread)
	t.newer.older, t.older.newer = t.older, t.newer
	t.newer, t.older = nil, nil
}

// adopt makes the run stand where the thread stands.
func (r *run[S]) adopt(t *liveThread[S]) {
	r.reuse(r.thread)
	r.thread, r.log = t, &t.log
	r.state, r.spares, r.step, r.arrived = t.state, t.spares, t.step, t.arrived
	r.origin = origin{r.log.head, r.step, r.log.head}
}

// leave gives the finished thread to those that are kept. A thread that waits for answers is not kept: what its
// questions are must be the same for whoever asks.
func (r *run[S]) leave() {
	if r.log == nil || r.info.namespace != "" || len(r.tasks) > 0 {
		return
	}
	t := r.thread
	t.state, t.spares, t.step, t.arrived = r.state, r.spares, r.step, r.arrived
	r.thread, r.log, r.spares, r.arrived = nil, nil, nil, nil
	if dropped := r.g.live.give(t); dropped != nil {
		r.spares, r.arrived = dropped.spares, dropped.arrived // [run.forget] empties them
		r.reuse(dropped)
	}
}

// reuse takes the room of a thread that nobody else knows for the next one.
func (r *run[S]) reuse(t *liveThread[S]) {
	*t = liveThread[S]{}
	r.room = t
}
