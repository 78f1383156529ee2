package polled

import (
	"context"
	"fmt"
	"sync"
	"time"

	"annai/fault"
)

// A snapshot is a document and when it was last known to be up to date.
type snapshot struct {
	doc  Document
	asOf time.Time
}

// A fetcher reads the source. Where it has not changed since the last successful call, it returns
// no document, and no time for what is of now. What it has beside an error is taken too. Its calls do not
// overlap.
type fetcher interface {
	fetch(ctx context.Context) (snapshot, error)
	// restore returns what was kept of the source by an earlier process. It is called once, before
	// fetch.
	restore() (snapshot, error)
}

// latest keeps the last good copy of a source and refreshes it when somebody asks and it is old.
// All who ask at the same time share one fetch, which outlives them but not Options.Timeout.
type latest struct {
	opts    Options
	fetcher fetcher

	restored sync.Once
	lost     error // why what was kept can't be used

	mu      sync.Mutex
	good    snapshot
	failure error         // of the last fetch
	next    time.Time     // when to fetch again
	flight  chan struct{} // closed when the fetch in flight is over; nil if none is
	cancel  context.CancelFunc
	closed  bool
}

// get returns the copy, which has no document if the source was never read, and what is wrong with
// it.
func (l *latest) get(ctx context.Context) (snapshot, error) {
	l.restored.Do(func() { l.good, l.lost = l.fetcher.restore() })
	flight, have := l.join(ctx)
	if flight == nil {
		return l.state(nil)
	}
	var impatient <-chan time.Time
	if have {
		timer := time.NewTimer(l.opts.Patience)
		defer timer.Stop()
		impatient = timer.C
	}
	select {
	case <-flight:
		return l.state(nil)
	case <-impatient:
		return l.state(fmt.Errorf("the source is being read, this is the copy of before: %w", fault.ErrUnavailable))
	case <-ctx.Done():
		return l.state(fmt.Errorf("the source did not answer in time: %w: %w", fault.ErrUnavailable, ctx.Err()))
	}
}

// join returns the fetch in flight, started now if one is due, and whether there is a copy.
func (l *latest) join(ctx context.Context) (flight <-chan struct{}, have bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.opts.Now()
	if l.flight == nil && !l.closed && !now.Before(l.next) {
		l.start(ctx)
	}
	if l.flight == nil {
		return nil, l.good.doc != nil
	}
	return l.flight, l.good.doc != nil
}

// start begins a fetch. It has its own deadline, since others than the one who asked first wait for
// it.
func (l *latest) start(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.opts.Timeout)
	done := make(chan struct{})
	l.flight, l.cancel = done, cancel
	go func() {
		defer close(done)
		defer cancel()
		got, err := l.fetcher.fetch(ctx)
		l.land(got, err)
	}()
}

// land takes the result of a fetch.
func (l *latest) land(got snapshot, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.opts.Now()
	l.flight, l.failure, l.next = nil, err, now.Add(l.opts.Refresh)
	if got.doc != nil {
		l.good.doc = got.doc
	}
	switch {
	case !got.asOf.IsZero():
		l.good.asOf = got.asOf
	case err == nil:
		l.good.asOf = now
	}
	if err != nil {
		l.next = now.Add(l.opts.Retry)
	}
}

// state returns the copy and what is wrong: the last fetch, or else waiting.
func (l *latest) state(waiting error) (snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case waiting != nil:
		return l.good, waiting
	case l.failure != nil && l.good.doc == nil:
		return l.good, lostCopy(l.failure, l.lost)
	case l.failure != nil:
		return l.good, l.failure
	case l.good.doc == nil:
		return l.good, fmt.Errorf("closed: %w", fault.ErrUnavailable)
	}
	return l.good, nil
}

func (l *latest) close() {
	l.mu.Lock()
	l.closed = true
	flight := l.flight
	if flight != nil {
		l.cancel()
	}
	l.mu.Unlock()
	if flight != nil {
		<-flight
	}
}
