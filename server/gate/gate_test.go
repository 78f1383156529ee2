package gate

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/server/door"
)

// fakeConcierge does what it is told with each turn.
type fakeConcierge func(ctx context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool)

func (f fakeConcierge) Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	return func(yield func(dialog.Event, error) bool) { f(ctx, turn, yield) }
}

func (f fakeConcierge) Answer(ctx context.Context, turn dialog.Turn) (answer api.QueryResponse, err error) {
	for event, failed := range f.Ask(ctx, turn) {
		if final, ok := event.(dialog.Final); ok {
			answer = final.QueryResponse
		}
		err = failed
	}
	return answer, err
}

func (fakeConcierge) EndSession(context.Context, dialog.Session) error { return nil }

func answers(_ context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
	final := dialog.Final{QueryResponse: api.QueryResponse{Text: turn.Query, RunID: turn.RunID}}
	_ = yield(dialog.Started{}, nil) && yield(final, nil)
}

func waits(ctx context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
	<-ctx.Done()
	yield(nil, ctx.Err())
}

// ask returns the last that a turn yielded.
func ask(ctx context.Context, g *Gate, turn dialog.Turn) (last dialog.Event, err error) {
	for last, err = range g.Ask(ctx, turn) {
	}
	return last, err
}

func TestGateAnswers(t *testing.T) {
	var seen []string
	made := func() string { return "made" }
	g := New(fakeConcierge(answers), Options{NewID: made, Observe: func(a api.QueryResponse, err error) {
		seen = append(seen, a.RunID)
		if err != nil {
			t.Errorf("observed %v, want no error", err)
		}
	}})
	last, err := ask(t.Context(), g, dialog.Turn{Query: "a"})
	if final, ok := last.(dialog.Final); err != nil || !ok || final.Text != "a" || final.RunID != "made" {
		t.Errorf("Ask = %+v, %v, want the answer last, with an id made for its run", last, err)
	}
	answer, err := g.Answer(t.Context(), dialog.Turn{Query: "b", RunID: "given"})
	if err != nil || answer.Text != "b" || answer.RunID != "given" {
		t.Errorf("Answer = %+v, %v", answer, err)
	}
	if strings.Join(seen, " ") != "made given" {
		t.Errorf("observed %q, want each turn once", seen)
	}
}

// TestGateFails holds how turns may fail, asked both ways.
func TestGateFails(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	stopping, stop := context.WithCancelCause(t.Context())
	stop(door.ErrStopping)
	var caught *door.PanicError
	long := strings.Repeat("a", 129)
	panics := func(context.Context, dialog.Turn, func(dialog.Event, error) bool) { panic("oh") }
	for name, c := range map[string]struct {
		ctx       context.Context
		concierge fakeConcierge
		turn      dialog.Turn
		is        error
		as        any
	}{
		"an error": {t.Context(), func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
			yield(nil, fault.ErrConflict)
		}, dialog.Turn{}, fault.ErrConflict, nil},
		"a client that left": {gone, waits, dialog.Turn{}, door.ErrGone, nil},
		"a server that ends": {stopping, waits, dialog.Turn{}, door.ErrStopping, nil},
		"a panic":            {t.Context(), panics, dialog.Turn{}, nil, &caught},
		"an owner's thread":  {t.Context(), answers, dialog.Turn{SessionID: "\x01owner/a"}, fault.ErrInvalid, nil},
		"a long session id":  {t.Context(), answers, dialog.Turn{SessionID: long}, fault.ErrInvalid, nil},
	} {
		failures := 0
		g := New(c.concierge, Options{Observe: func(_ api.QueryResponse, err error) {
			if err != nil {
				failures++
			}
		}})
		_, asked := ask(c.ctx, g, c.turn)
		_, answered := g.Answer(c.ctx, c.turn)
		for _, err := range []error{asked, answered} {
			if c.is != nil && !errors.Is(err, c.is) || c.as != nil && !errors.As(err, c.as) {
				t.Errorf("%s: %v, want %v%T", name, err, c.is, c.as)
			}
		}
		if failures != 2 || g.Active() != 0 {
			t.Errorf("%s: %d failures observed, %d active, want 2 and none", name, failures, g.Active())
		}
	}
	silent := New(fakeConcierge(func(context.Context, dialog.Turn, func(dialog.Event, error) bool) {}), Options{})
	if _, err := ask(t.Context(), silent, dialog.Turn{}); err == nil {
		t.Error("a concierge that ends without an answer is no error")
	}
}

// TestGateLeftAlone breaks the loop off, and panics in it: the panic is the caller's.
func TestGateLeftAlone(t *testing.T) {
	var observed error
	g := New(fakeConcierge(answers), Options{Observe: func(_ api.QueryResponse, err error) { observed = err }})
	for range g.Ask(t.Context(), dialog.Turn{}) {
		break
	}
	if !errors.Is(observed, door.ErrGone) || g.Active() != 0 {
		t.Errorf("after a break: observed %v, %d active, want door.ErrGone and none", observed, g.Active())
	}
	defer func() {
		if v := recover(); v != "mine" || g.Active() != 0 {
			t.Errorf("recovered %v with %d active, want the caller's own panic and none", v, g.Active())
		}
	}()
	for range g.Ask(t.Context(), dialog.Turn{}) {
		panic("mine")
	}
}

func TestCancelWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(fakeConcierge(waits), Options{MaxConcurrent: 1, MaxWaiting: 5, MaxWait: time.Minute})
		_, end, err := g.Begin(t.Context(), "first", "")
		if err != nil {
			t.Fatal(err)
		}
		waited := make(chan error, 1)
		go func() {
			_, _, err := g.Begin(t.Context(), "second", "")
			waited <- err
		}()
		synctest.Wait()
		cancels := map[[2]string]bool{{"second", ""}: true, {"third", ""}: false, {"first", "another"}: false}
		for run, want := range cancels {
			if there, err := g.Cancel(t.Context(), run[0], run[1]); there != want || err != nil {
				t.Errorf("Cancel(%q) = %t, %v, want %t", run, there, err, want)
			}
		}
		if err := <-waited; !errors.Is(err, door.ErrCancelled) {
			t.Errorf("Begin = %v, want door.ErrCancelled", err)
		}
		end()
		if err := g.Wait(t.Context()); err != nil || g.Active() != 0 {
			t.Errorf("Wait = %v, %d active, want none", err, g.Active())
		}
	})
}

// TestWait waits for the runs that there are, and no longer than its context.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(fakeConcierge(waits), Options{})
		run, end, err := g.Begin(t.Context(), "a", "")
		if err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := g.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait with a run under way = %v, want DeadlineExceeded", err)
		}
		waited := make(chan error, 2)
		for range 2 {
			go func() { waited <- g.Wait(t.Context()) }()
		}
		synctest.Wait()
		g.End()
		if <-run.Done(); !errors.Is(context.Cause(run), door.ErrStopping) {
			t.Errorf("cause of a run that was ended = %v, want door.ErrStopping", context.Cause(run))
		}
		end()
		for range 2 {
			if err := <-waited; err != nil {
				t.Errorf("Wait = %v, want nil", err)
			}
		}
	})
}

// TestInterrupted: who breaks an answer off and asks something else at once is answered, although it takes
// a moment until the server knows, and another until the run has ended. Where the answer is still heard it
// is a conflict.
func TestInterrupted(t *testing.T) {
	for name, c := range map[string]struct {
		leaves time.Duration // 0: never
		want   error
	}{"left": {50 * time.Millisecond, nil}, "heard": {0, fault.ErrConflict}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { interrupted(t, c.leaves, c.want) })
		})
	}
}

func interrupted(t *testing.T, leaves time.Duration, want error) {
	t.Helper()
	busy := make(chan struct{}, 1)
	concierge := func(ctx context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
		select {
		case busy <- struct{}{}:
			defer func() { <-busy }()
		default:
			yield(nil, fault.ErrConflict)
			return
		}
		if turn.Query == "first" {
			<-ctx.Done()
			time.Sleep(300 * time.Millisecond) // until it comes to look
			yield(nil, ctx.Err())
			return
		}
		answers(ctx, turn, yield)
	}
	g := New(fakeConcierge(concierge), Options{})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var first sync.WaitGroup
	first.Go(func() { _, _ = ask(ctx, g, dialog.Turn{Query: "first", SessionID: "s"}) })
	synctest.Wait()
	if leaves > 0 {
		time.AfterFunc(leaves, leave)
	}
	began := time.Now()
	if _, err := ask(t.Context(), g, dialog.Turn{Query: "second", SessionID: "s"}); !errors.Is(err, want) {
		t.Errorf("the second question = %v, want %v", err, want)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("the second question took %v", took)
	}
	if _, err := ask(t.Context(), g, dialog.Turn{Query: "other", SessionID: "other"}); want == nil && err != nil {
		t.Errorf("a question in another session = %v", err)
	}
	leave()
	first.Wait()
}
