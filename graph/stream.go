package graph

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"
)

// ErrSlowReader ends the stream of a run whose reader was so slow that the run went on without it. See [Graph.Stream].
var ErrSlowReader = errors.New("the reader of the stream was too slow, and events are lost")

var errStopped = errors.New("nobody listens any more")

// Stream runs the graph and yields the events of opts.Modes as they happen, then the [ResultEvent], or the error that
// ended the run, as of [Graph.Invoke]. Nothing runs before the loop over the iterator begins, and each loop is a run of
// its own. Breaking off the loop cancels the run and waits for its tasks.
//
// Up to 256 events wait for the reader. Then the run waits for it, for opts.ReaderTimeout. After that the run goes on
// and events are dropped; once it has ended the stream ends with [ErrSlowReader].
func (g *Graph[S]) Stream(ctx context.Context, in Input[S], opts RunOptions) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		s := newStream(ctx, opts)
		r := g.newRun(opts, &runInfo{checkpointer: g.opts.Checkpointer, durability: g.opts.Durability, stream: s})
		ctx = r.observed(ctx)
		s.step = func() bool {
			if !r.advance(ctx, in) {
				return false
			}
			result, err := r.conclude()
			s.end(ResultEvent[S]{Place{Step: result.Steps}, result}, err)
			return true
		}
		defer s.leave(cancel)
		for event := range s.events {
			if !yield(event, nil) {
				return
			}
		}
		if s.err != nil {
			yield(nil, s.err)
		}
	}
}

// Invoke runs the graph until it ends, asks or pauses.
//
// An error says which node, or what else, failed and wraps the reason: the error that the node returned, the cause with
// which ctx ended, a [PanicError], [fault.ErrInvalid] for an input or options that make no sense and for a run that
// reached its limit of supersteps, [fault.ErrNotFound] for a checkpoint or an interrupt that does not exist, or
// [fault.ErrConflict] where another run wrote to the thread meanwhile. The result then says how far the run came; on a
// thread, an empty [Input] goes on from the last checkpoint.
func (g *Graph[S]) Invoke(ctx context.Context, in Input[S], opts RunOptions) (Result[S], error) {
	r := g.newRun(opts, &runInfo{checkpointer: g.opts.Checkpointer, durability: g.opts.Durability})
	ctx = r.observed(ctx)
	for !r.advance(ctx, in) {
	}
	return r.conclude()
}

const (
	// streamRoom is how many events wait for the reader before the run does.
	streamRoom = 256
	// streamAlone is how long a stream may last before its run gets a goroutine.
	streamAlone = 20 * time.Millisecond
)

// stream is what lies between a run, whose tasks send events from any goroutine, and the one reader. A nil stream
// wants nothing.
//
// A run whose events come between supersteps is driven by its reader, who makes a superstep when no event is left;
// most are over before a goroutine would have begun. One that lasts, or whose tasks say something while they run, is
// driven by a goroutine.
type stream struct {
	wanted    modes
	subgraphs bool
	timeout   time.Duration
	ctx       context.Context // the run's

	// step makes the next piece of the run and reports whether it was the last. One at a time calls it.
	step func() (over bool)

	mu      sync.Mutex
	waiting []Event
	// drives says that the reader calls step, driven that a goroutine does until the end; late that one is to, once
	// the reader does not.
	drives, driven, late bool
	// arrived says that there is an event, or the end.
	arrived sync.Cond
	// room is closed when the reader takes what waits; nil while nobody needs that.
	room chan struct{}
	// deaf says that events are dropped: the reader was too slow, or has left.
	deaf, ended bool
	err         error
	// few is the first room for waiting, and for what the reader takes in exchange.
	few [2][4]Event
}

func newStream(ctx context.Context, opts RunOptions) *stream {
	s := &stream{ctx: ctx, subgraphs: opts.Subgraphs, timeout: orDuration(opts.ReaderTimeout, 10*time.Second)}
	s.waiting = s.few[0][:0]
	for _, m := range opts.Modes {
		s.wanted |= m.bit()
	}
	s.arrived.L = &s.mu
	return s
}

// modes is a set of modes, a bit each.
type modes uint8

func (m Mode) bit() modes {
	switch m {
	case ModeValues:
		return 1
	case ModeUpdates:
		return 2
	case ModeMessages:
		return 4
	case ModeCustom:
		return 8
	case ModeTasks:
		return 16
	case ModeCheckpoints:
		return 32
	case ModeDebug:
		return 64
	default: // the result need not be asked for, and nobody sends what is no mode
		return 0
	}
}

func (s *stream) wants(mode Mode, namespace string) bool {
	return s != nil && (namespace == "" || s.subgraphs) && s.wanted&mode.bit() != 0
}

// send hands an event to the reader, and waits for it if too many wait already.
func (s *stream) send(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) >= streamRoom && !s.deaf && !s.drives {
		s.await()
	}
	if !s.deaf {
		s.waiting = append(s.waiting, e)
		s.arrived.Signal()
	}
}

// await gives the reader its time to take what waits. It is called with the lock, and lets go of it.
func (s *stream) await() {
	if s.room == nil {
		s.room = make(chan struct{})
	}
	room := s.room
	s.mu.Unlock()
	timer := time.NewTimer(s.timeout)
	defer timer.Stop()
	var why error
	select {
	case <-room:
	case <-timer.C:
		why = ErrSlowReader
	case <-s.ctx.Done():
		why = context.Cause(s.ctx)
	}
	s.mu.Lock()
	if why != nil && s.room == room {
		s.shut()
		s.err = why
	}
}

// shut drops all further events.
func (s *stream) shut() {
	s.deaf = true
	s.makeRoom()
}

// end is the run's last word: its result, or why there is none.
func (s *stream) end(result Event, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	switch {
	case s.err == ErrSlowReader: //nolint:errorlint // it is set here and nowhere else
	case err != nil:
		s.err = err
	case !s.deaf:
		s.waiting = append(s.waiting, result)
	}
	s.arrived.Signal()
}

// events yields what was sent, until the end.
func (s *stream) events(yield func(Event) bool) {
	if s.subgraphs || s.wanted&^(ModeValues.bit()|ModeUpdates.bit()|ModeCheckpoints.bit()) != 0 {
		s.driven = true
		go s.drive()
	} else {
		late := time.AfterFunc(streamAlone, s.takeOver)
		defer late.Stop()
	}
	taken := s.few[1][:0]
	for {
		taken = s.take(taken[:0])
		if len(taken) == 0 {
			return
		}
		for i := range taken {
			if !yield(taken[i]) {
				return
			}
		}
	}
}

// drive makes the rest of the run.
func (s *stream) drive() {
	for !s.step() {
	}
}

// takeOver drives the run in the reader's place: now, or once the superstep that the reader makes has ended.
func (s *stream) takeOver() {
	s.mu.Lock()
	s.late = true
	now := !s.drives && !s.ended
	s.driven = s.driven || now
	s.mu.Unlock()
	if now {
		s.drive()
	}
}

// take returns what waits, in exchange for room, and nothing at the end.
func (s *stream) take(room []Event) []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) == 0 && !s.ended {
		s.goOn()
	}
	taken := s.waiting
	s.waiting = room
	s.makeRoom()
	return taken
}

// goOn makes a superstep, or waits for who does. It is called with the lock, and lets go of it.
func (s *stream) goOn() {
	if s.driven {
		s.arrived.Wait()
		return
	}
	s.drives = true
	s.mu.Unlock()
	over := s.step()
	s.mu.Lock()
	s.drives = false
	if s.late && !over {
		s.driven = true
		go s.drive()
	}
}

// makeRoom wakes those who wait for room.
func (s *stream) makeRoom() {
	if s.room != nil {
		close(s.room)
		s.room = nil
	}
}

// leave ends the run, if it has not ended, and waits for it.
func (s *stream) leave(cancel context.CancelCauseFunc) {
	cancel(errStopped)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut()
	for !s.ended {
		s.goOn()
	}
}
