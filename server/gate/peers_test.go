package gate

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"annai/api"
	"annai/dialog"
	"annai/server/door"
)

// fakePeers tells all that hear.
type fakePeers struct {
	mu    sync.Mutex
	heard []chan string
}

func (p *fakePeers) Tell(_ context.Context, words string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.heard {
		c <- words
	}
	return nil
}

func (p *fakePeers) Hear(ctx context.Context, heard func(string)) {
	c := make(chan string, 100)
	p.mu.Lock()
	p.heard = append(p.heard, c)
	p.mu.Unlock()
	for {
		select {
		case words := <-c:
			heard(words)
		case <-ctx.Done():
			return
		}
	}
}

// ends is a concierge that notes which sessions were ended; its turns go on until then.
type ends struct {
	fakeConcierge

	mu    sync.Mutex
	ended []dialog.Session
	cut   context.CancelFunc
}

func newEnds() *ends {
	e := new(ends)
	e.fakeConcierge = func(ctx context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		e.mu.Lock()
		e.cut = cancel
		e.mu.Unlock()
		<-ctx.Done()
		yield(nil, ctx.Err())
	}
	return e
}

func (e *ends) EndSession(_ context.Context, s dialog.Session) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended = append(e.ended, s)
	if e.cut != nil {
		e.cut()
	}
	return nil
}

// TestPeers cancels a run and ends a session in another process.
func TestPeers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		all, concierges := new(fakePeers), []*ends{newEnds(), newEnds()}
		var listening sync.WaitGroup
		var gates []*Gate
		for _, e := range concierges {
			g := New(e, Options{Peers: all, Observe: func(api.QueryResponse, error) {}})
			gates = append(gates, g)
			listening.Go(func() { g.Listen(ctx) })
		}
		turn := dialog.Turn{SessionID: "s", Caller: "me", RunID: "run", Query: "?"}
		ask := func() <-chan error {
			done := make(chan error, 1)
			go func() {
				_, err := gates[0].Answer(t.Context(), turn)
				done <- err
			}()
			synctest.Wait()
			return done
		}
		done := ask()
		cancels := map[[2]string]bool{{"run", "another"}: false, {"other", "me"}: false, {"run", "me"}: true}
		for run, want := range cancels {
			if there, err := gates[1].Cancel(t.Context(), run[0], run[1]); there != want || err != nil {
				t.Errorf("Cancel(%q) elsewhere = %t, %v, want %t", run, there, err, want)
			}
		}
		if err := <-done; !errors.Is(err, door.ErrCancelled) {
			t.Errorf("the run = %v, want door.ErrCancelled", err)
		}
		done = ask()
		for _, s := range []dialog.Session{{ID: "s", Caller: "another"}, turn.Session()} {
			if err := gates[1].EndSession(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("the run of a session that was ended elsewhere = %v, want Canceled", err)
		}
		if got := concierges[0].ended; len(got) != 1 || got[0] != turn.Session() {
			t.Errorf("ended where the run was: %v, want that session once", got)
		}
		stop()
		listening.Wait()
	})
}

// TestSaid finds a sentence that another process said, and none that nobody did.
func TestSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var all fakePeers
		said := func(address string) (string, string, bool) { return "はい。", "ja", address == "known" }
		here, elsewhere := New(newEnds(), Options{Peers: &all}), New(newEnds(), Options{Peers: &all, Said: said})
		var listening sync.WaitGroup
		for _, g := range []*Gate{here, elsewhere} {
			listening.Go(func() { g.Listen(ctx) })
		}
		synctest.Wait()
		got, ok, err := here.Said(t.Context(), "known")
		if want := (Sentence{"known", "はい。", "ja"}); got != want || !ok || err != nil {
			t.Errorf("Said(known) = %+v, %t, %v, want %+v", got, ok, err, want)
		}
		if _, ok, err := here.Said(t.Context(), "unknown"); ok || err != nil {
			t.Errorf("Said(unknown) = %t, %v, want nothing", ok, err)
		}
		if len(here.peers.sought) != 0 {
			t.Errorf("%d are still sought", len(here.peers.sought))
		}
		stop()
		listening.Wait()
	})
}
