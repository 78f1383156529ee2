package runs

import (
	"cmp"
	"context"
	"sync"
)

// pumpRoom is how many events wait to be written before the run does.
const pumpRoom = 1024

// pump writes what a run says to the log of its thread: all that waits at a time, so that a run does not wait for each event.
type pump struct {
	write func(ctx context.Context, events []Event) error
	fail  func(error)

	mu      sync.Mutex
	waiting []Event
	// moved says that there is something to write, or room.
	moved sync.Cond
	// writing says that some are being written, err why that failed.
	writing, closed bool
	err             error
	done            chan struct{}
}

// newPump starts a pump. What write returns as an error goes to fail, and then nothing is written any more.
func newPump(ctx context.Context, write func(ctx context.Context, events []Event) error, fail func(error)) *pump {
	p := &pump{write: write, fail: fail, done: make(chan struct{})}
	p.moved.L = &p.mu
	go p.work(ctx)
	return p
}

// add hands an event over, and waits while too many wait already.
func (p *pump) add(e Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.waiting) >= pumpRoom && !p.closed {
		p.moved.Wait()
	}
	if !p.closed {
		p.waiting = append(p.waiting, e)
		p.moved.Broadcast()
	}
}

func (p *pump) work(ctx context.Context) {
	defer close(p.done)
	for {
		events := p.take()
		if len(events) == 0 {
			return
		}
		err := p.write(ctx, events)
		p.wrote(err)
		if err != nil {
			p.fail(err)
			return
		}
	}
}

// take waits for events and returns them; none once the pump is shut.
func (p *pump) take() []Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.waiting) == 0 && !p.closed {
		p.moved.Wait()
	}
	if p.closed {
		return nil
	}
	events := p.waiting
	p.waiting, p.writing = nil, true
	p.moved.Broadcast()
	return events
}

func (p *pump) wrote(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writing, p.err, p.closed = false, err, p.closed || err != nil
	p.moved.Broadcast()
}

// settle returns once all that was handed over is written.
func (p *pump) settle(ctx context.Context) error {
	stop := wakes(ctx, &p.moved)
	defer stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for (len(p.waiting) > 0 || p.writing) && !p.closed && ctx.Err() == nil {
		p.moved.Wait()
	}
	return cmp.Or(p.err, context.Cause(ctx))
}

func (p *pump) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.moved.Broadcast()
}

// rest stops the pump and returns what it has not written.
func (p *pump) rest() []Event {
	p.shut()
	<-p.done
	return p.waiting
}
