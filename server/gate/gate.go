package gate

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/server/door"
)

// Options are the settings of a [Gate] that have a default.
type Options struct {
	// MaxConcurrent is how many runs there may be at once, MaxWaiting how many more may wait for that, MaxWait for
	// how long; what is beyond is [door.ErrOverloaded]. 0: 256, as many as MaxConcurrent, and 2 seconds.
	MaxConcurrent, MaxWaiting int
	MaxWait                   time.Duration
	// Peers are the processes that serve the same sessions. Nil: there is only this one.
	Peers Peers
	// Said returns the sentence that was said here at an address of its sound. Nil: nobody can hear any.
	Said func(address string) (text, language string, ok bool)
	// NewID makes ids of runs. Nil: random ones.
	NewID func() string
	// Observe is told how every turn ended; of one that did not fail the error is nil. It must be quick and safe
	// for concurrent use. Nil: nobody is.
	Observe func(answer api.QueryResponse, err error)
}

// A Gate is a [Concierge] with a bound on how many turns it answers at once, each of which can be cancelled by the
// id of its run. One gate stands before all doors. It is safe for concurrent use.
//
// Beside the errors of what is behind it, [Gate.Ask] and [Gate.Answer] return [door.ErrOverloaded],
// [door.ErrCancelled], [door.ErrStopping], and [door.ErrGone] where the caller's context was cancelled. A panic
// behind the gate is a [door.PanicError]. A session id that can't be one is [fault.ErrInvalid].
type Gate struct {
	concierge Concierge
	opts      Options
	runs      *runs
	peers     peers
	resident  Resident
}

// New returns the gate before the concierge.
func New(concierge Concierge, opts Options) *Gate {
	if opts.MaxConcurrent == 0 {
		opts.MaxConcurrent = 256
	}
	if opts.MaxWaiting == 0 {
		opts.MaxWaiting = opts.MaxConcurrent
	}
	if opts.MaxWait == 0 {
		opts.MaxWait = 2 * time.Second
	}
	if opts.NewID == nil {
		opts.NewID = rand.Text
	}
	if opts.Said == nil {
		opts.Said = func(string) (string, string, bool) { return "", "", false }
	}
	if opts.Observe == nil {
		opts.Observe = func(api.QueryResponse, error) {}
	}
	return &Gate{
		concierge: concierge, opts: opts, runs: newRuns(opts.MaxConcurrent, opts.MaxWaiting, opts.MaxWait),
		peers: peers{
			Peers: opts.Peers, name: rand.Text(),
			asked: map[string]chan struct{}{}, sought: map[string][]chan string{},
		},
	}
}

// Answer is [Gate.Ask] for those who want only the answer.
func (g *Gate) Answer(ctx context.Context, turn dialog.Turn) (answer api.QueryResponse, err error) {
	err = g.run(ctx, turn, func(ctx context.Context, turn dialog.Turn) error {
		return door.Safely(func() (err error) {
			answer, err = g.concierge.Answer(ctx, turn)
			return err
		})
	})
	g.opts.Observe(answer, err)
	return answer, err
}

// Ask runs one turn and yields its events, in order, as they happen: the last is [dialog.Final], unless there is an
// error, which is yielded last. Breaking off the loop, or the end of ctx, cancels the run. A turn without RunID
// gets one.
func (g *Gate) Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	return func(yield func(dialog.Event, error) bool) {
		t := telling{yield: yield}
		err := g.run(ctx, turn, func(ctx context.Context, turn dialog.Turn) error {
			return t.pass(g.concierge.Ask(ctx, turn))
		})
		if t.left {
			err = door.ErrGone
		}
		g.opts.Observe(t.answer, err)
		if err != nil && !t.left {
			yield(nil, err)
		}
	}
}

// run does a turn within the bounds.
func (g *Gate) run(ctx context.Context, turn dialog.Turn, do func(context.Context, dialog.Turn) error) error {
	if turn.SessionID != "" {
		if problem := SessionProblem(turn.SessionID); problem != "" {
			return door.Invalid("sessionId", problem)
		}
	}
	if turn.RunID == "" {
		turn.RunID = g.opts.NewID()
	}
	running, end, err := g.runs.start(ctx, turn.RunID, turn.Session())
	if err != nil {
		return door.Because(ctx, err)
	}
	defer end()
	return door.Because(running, do(running, turn))
}

// telling passes the events of one turn on.
type telling struct {
	yield func(dialog.Event, error) bool
	// answer is the last event, once it came; final says that it did.
	answer api.QueryResponse
	final  bool
	// left says that nobody wants to hear more.
	left bool
}

func (t *telling) pass(events iter.Seq2[dialog.Event, error]) (err error) {
	outside := false // in the caller's loop, whose panics are the caller's
	defer func() {
		if !outside {
			door.Recovered(recover(), &err)
		}
	}()
	for event, err := range events {
		if err != nil {
			return err
		}
		if last, ok := event.(dialog.Final); ok {
			t.answer, t.final = last.QueryResponse, true
		}
		outside = true
		t.left = !t.yield(event, nil)
		outside = false
		if t.left {
			return nil
		}
	}
	if !t.final {
		return errors.New("the concierge ended without an answer")
	}
	return nil
}

// EndSession forgets what was said in the session; a run that is active on it is cancelled first.
// One in another process is told to end, and what it leaves is
// forgotten there.
func (g *Gate) EndSession(ctx context.Context, s dialog.Session) error {
	if problem := SessionProblem(s.ID); problem != "" {
		return door.Invalid("id", problem)
	}
	untold := g.peers.tell(ctx, word{End: &s})
	return errors.Join(g.concierge.EndSession(ctx, s), untold)
}

// Begin registers a turn of the caller's that is not one of a session, after waiting for room where there is none. Its
// context ends with ctx, when the run is cancelled, or with end, which must be called once.
func (g *Gate) Begin(ctx context.Context, runID, caller string) (run context.Context, end func(), err error) {
	run, end, err = g.runs.start(ctx, runID, dialog.Session{Caller: caller})
	return run, end, door.Because(ctx, err)
}

// Cancel ends a run of the caller's, as [dialog.Turn] names callers, with [door.ErrCancelled]. It reports
// whether there was one, here or in another process, which has a second to say so.
func (g *Gate) Cancel(ctx context.Context, runID, caller string) (bool, error) {
	if g.runs.cancel(runID, caller) {
		return true, nil
	}
	return g.peers.cancel(ctx, runID, caller)
}

// Active is how many runs are under way, those that wait not included.
func (g *Gate) Active() int { return len(g.runs.slots) }

// Wait waits until no run is under way or waits to be, or for the end of ctx, whose error it then returns.
func (g *Gate) Wait(ctx context.Context) error { return g.runs.wait(ctx) }

// End ends all runs, with [door.ErrStopping].
func (g *Gate) End() { g.runs.cancelAll(door.ErrStopping) }
