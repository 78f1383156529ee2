package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/internal/traceparent"
)

// execution is a run that is executed in this process, or waits here for its turn.
type execution struct {
	// id and thread are the run's; run itself belongs to whoever executes it.
	id, thread string
	run        Run
	// fresh says that the run's thread was made together with it, and that this is its first attempt.
	fresh bool
	// ctx is that of the run, which cancel ends with why.
	ctx    context.Context //nolint:containedctx // it is the run's, and outlives the call that made it
	cancel context.CancelCauseFunc
	// said is how many bytes are in the log of what the run says.
	said atomic.Int64
	// feed has what the run says if that is not logged.
	feed *feed
	// done is closed when nothing happens any more; result is how it ended then.
	done   chan struct{}
	result Result
}

// A Result is how a run ended.
type Result struct {
	Run Run
	Ending

	// Values is the state, Interrupts the open questions. Paused says that more would run.
	Values     json.RawMessage
	Interrupts []Interrupt
	Paused     bool
}

// Why runs end early.
var (
	errCancelled  = errors.New("the run was cancelled")
	errRolledBack = errors.New("the run was cancelled and is to be undone")
	errTooLong    = fmt.Errorf("the run took too long: %w", fault.ErrUnavailable)
)

// enter notes a run that is to be executed here. It is followed by a leave and one less in busy.
func (s *Service) enter(run Run) (*execution, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		return nil, errStopping
	}
	if s.active[run.ID] != nil {
		return nil, ErrBusy
	}
	if len(s.active) >= s.opts.MaxActive {
		return nil, fmt.Errorf("%d runs are under way: %w", len(s.active), fault.ErrUnavailable)
	}
	e := &execution{id: run.ID, thread: run.ThreadID, run: run, done: make(chan struct{})}
	if !run.Kwargs.Logged {
		e.feed = new(feed)
	}
	e.ctx, e.cancel = context.WithCancelCause(s.life)
	s.active[run.ID] = e
	s.busy.Add(1)
	return e, nil
}

func (s *Service) leave(e *execution) {
	s.mu.Lock()
	delete(s.active, e.id)
	s.mu.Unlock()
	e.cancel(nil)
	close(e.done)
}

// executing returns the run if it is executed here.
func (s *Service) executing(run string) *execution {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active[run]
}

// Execute executes a run, as an [Execute] does. [Service.Work] gives it to the [Queue].
func (s *Service) Execute(ctx context.Context, thread, run string) error {
	if ctx.Err() != nil { // nothing is begun that would be given back at once
		return errStopping
	}
	known, err := s.parts.Store.Run(ctx, thread, run)
	if errors.Is(err, fault.ErrNotFound) || err == nil && known.Status.Ended() {
		return nil
	}
	if err != nil {
		return err
	}
	e, err := s.enter(known)
	if err != nil {
		return err
	}
	defer s.busy.Done()
	defer s.leave(e)
	stop := context.AfterFunc(ctx, func() { e.cancel(errStopping) })
	defer stop()
	switch err := s.claim(ctx, e); {
	case errors.Is(err, ErrEnded), errors.Is(err, fault.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	return s.perform(e) //nolint:contextcheck // it has the context of its own that ctx ends, see above
}

func (s *Service) claim(ctx context.Context, e *execution) error {
	now := s.now()
	run, err := s.parts.Store.ClaimRun(ctx, e.run.ThreadID, e.run.ID, s.owner, now, now.Add(s.opts.Lease))
	if err == nil {
		e.run = run
		s.counts.claimed(run)
	}
	return err
}

// attend executes a run that somebody waits for, once it is its turn.
func (s *Service) attend(e *execution) {
	defer s.busy.Done()
	defer s.leave(e)
	for e.run.Status == RunPending {
		changed, stop := s.parts.Store.Watch(e.run.ThreadID)
		err := s.claim(e.ctx, e)
		if errors.Is(err, ErrBusy) {
			s.await(e, changed)
			err = context.Cause(e.ctx)
		}
		stop()
		if err != nil {
			e.fail(err)
			return
		}
	}
	if err := s.perform(e); err != nil {
		e.fail(err)
	}
}

// await waits until it may be the run's turn.
func (s *Service) await(e *execution, changed <-chan struct{}) {
	longest := 5 * time.Second
	if wait := e.run.After.Sub(s.now()); wait > 0 {
		longest = min(longest, wait)
	}
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-e.ctx.Done():
	}
}

// fail says that the run was not executed to its end here.
func (e *execution) fail(err error) {
	e.result = Result{Run: e.run, Ending: Ending{Error: "Error", Message: err.Error()}}
	if e.feed != nil {
		e.feed.add(e.event(KindEnd, e.run.UpdatedAt, e.result.Ending), true)
	}
}

func (e *execution) event(kind Kind, at time.Time, data any) Event {
	encoded, _ := json.Marshal(data) // what this package makes always can be
	return Event{RunID: e.run.ID, At: at, Kind: kind, Data: encoded}
}

// Beginning is the data of [KindBegin].
type Beginning struct {
	Attempt     int    `json:"attempt"`
	GraphID     string `json:"graph_id"`
	AssistantID string `json:"assistant_id"`
	StreamMode  []Mode `json:"stream_mode"`
}

// perform executes a run whose lease is held, to its end. An error says that it did not come to an end here, and that somebody else goes on.
func (s *Service) perform(e *execution) error {
	g := s.graphs[e.run.GraphID]
	ctx, end := context.WithTimeoutCause(e.ctx, s.opts.MaxRun, errTooLong)
	defer end()
	defer s.renewing(e)()
	v := e.voice(ctx, s)
	e.heed(e.run.Cancel)
	v.say(e.event(KindBegin, s.now(), Beginning{e.run.Attempt, e.run.GraphID, e.run.AssistantID, e.run.Kwargs.StreamMode}))
	outcome, err := s.run(ctx, g, e, v)
	left := v.rest()
	why := context.Cause(ctx)
	switch {
	case err == nil:
	case errors.Is(why, ErrLost):
		return why
	case errors.Is(why, errStopping):
		_, err := s.parts.Store.RenewRun(context.WithoutCancel(ctx), e.run.ThreadID, e.run.ID, s.owner, s.now())
		return errors.Join(why, err)
	}
	return s.finish(context.WithoutCancel(ctx), g, e, left, outcome, err, why)
}

// run runs the graph. A panic outside of its nodes is an error too.
func (s *Service) run(ctx context.Context, g Graph, e *execution, v voice) (outcome Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &graph.PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	if g == nil {
		return Outcome{}, fmt.Errorf("graph %q is not served any more: %w", e.run.GraphID, fault.ErrNotFound)
	}
	in := Input{ThreadID: e.run.ThreadID, RunID: e.run.ID, Kwargs: e.run.Kwargs, Again: e.run.Attempt > 1, New: e.fresh, Settle: v.settle, Store: s.NodeStore()}
	if e.feed == nil {
		in.Said = func(ctx context.Context) ([]Event, error) { return s.said(ctx, e.run) }
	}
	return g.Run(traceparent.WithParent(ctx, e.run.Kwargs.Traceparent), in, e.run.Kwargs.wanted(), v.say)
}

// voice is where a run says what happens.
type voice struct {
	say func(Event)
	// settle returns once what was said is in the log; nil without one. Rest stops the voice and returns what is not written yet.
	settle func(context.Context) error
	rest   func() []Event
}

func (e *execution) voice(ctx context.Context, s *Service) voice {
	if e.feed != nil {
		return voice{say: func(event Event) { event.RunID = e.run.ID; e.feed.add(event, false) }, rest: func() []Event { return nil }}
	}
	p := newPump(context.WithoutCancel(ctx), func(ctx context.Context, events []Event) error {
		_, err := s.parts.Store.AppendEvents(ctx, e.run.ThreadID, e.run.ID, s.owner, events)
		return err
	}, e.cancel)
	say := func(event Event) {
		event.RunID = e.run.ID
		e.said.Add(int64(len(event.Data)))
		p.add(event)
	}
	return voice{say: say, settle: p.settle, rest: p.rest}
}

// said returns what the log has of a run, but for what its nodes said while they ran.
func (s *Service) said(ctx context.Context, run Run) (said []Event, err error) {
	for after := int64(0); ; {
		events, err := s.parts.Store.ReadEvents(ctx, run.ThreadID, run.ID, after, pumpRoom)
		if err != nil || len(events) == 0 {
			return said, err
		}
		for _, e := range events {
			if e.Kind != KindMessage && e.Kind != KindCustom {
				said = append(said, e)
			}
		}
		after = events[len(events)-1].ID
	}
}

// renewing keeps the lease until what it returns is called. Most runs are over before it was renewed once.
func (s *Service) renewing(e *execution) (stop func()) {
	pause, stopped := s.opts.Lease/3, make(chan struct{})
	timer := time.AfterFunc(pause, func() {
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for s.renew(e) {
			select {
			case <-stopped:
				return
			case <-tick.C:
			}
		}
	})
	return func() { timer.Stop(); close(stopped) }
}

// renew renews the lease and reports whether it is still held.
func (s *Service) renew(e *execution) bool {
	run, err := s.parts.Store.RenewRun(context.WithoutCancel(e.ctx), e.run.ThreadID, e.run.ID, s.owner, s.now().Add(s.opts.Lease))
	if errors.Is(err, ErrLost) {
		e.cancel(ErrLost)
		return false
	}
	if err == nil {
		e.heed(run.Cancel)
	}
	return true
}

// heed ends the run as it was asked to.
func (e *execution) heed(how Action) {
	switch how {
	case CancelInterrupt:
		e.cancel(errCancelled)
	case CancelRollback:
		e.cancel(errRolledBack)
	}
}
