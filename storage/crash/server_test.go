package crash_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"annai/fault"
	"annai/graph"
	"annai/storage/postgres/pgtest"
)

// TestServerDies kills the PostgreSQL server under a process, which lives on: its runs fail, and when the server is back it goes on with them at once,
// although its connections are those from before.
func TestServerDies(t *testing.T) {
	for _, durability := range []graph.Durability{graph.DurabilitySync, graph.DurabilityAsync, graph.DurabilityExit} {
		t.Run(string(durability), func(t *testing.T) {
			o := orders{Dir: t.TempDir(), Durability: durability, Store: places[postgresStore](t)}
			s, err := o.Store.open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			pipe := counter(make(chan struct{}))
			c, err := newChild(o, s, pipe)
			if err != nil {
				t.Fatal(err)
			}
			l := newLedger(durability)
			r := rand.New(rand.NewPCG(*seed, 0))
			for range 2 {
				c.outage(t, pipe, 1+r.IntN(300))
				l.read(t, o.Dir)
				o.examine(t, l)
			}
			close(pipe)
			c.Finish = true
			if err := errors.Join(c.live()...); err != nil {
				t.Errorf("once the server is back = %v", err)
			}
			o.ends(t, l)
			t.Log(l.sum())
		})
	}
}

// outage kills the server after so many events, waits until everybody has met that, and starts it again.
func (c *child) outage(t *testing.T, pipe counter, events int) {
	t.Helper()
	met := make(chan []error)
	go func() { met <- c.live() }()
	for range events {
		<-pipe
	}
	if err := pgtest.Shared(t).Kill(); err != nil {
		t.Fatal(err)
	}
	for waiting := true; waiting; {
		select {
		case <-pipe:
		case errs := <-met:
			waiting = false
			for i, err := range errs {
				if !errors.Is(err, fault.ErrUnavailable) {
					t.Errorf("worker %d without a server = %v, want ErrUnavailable", i, err)
				}
			}
		}
	}
	if err := pgtest.Shared(t).Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// counter hands over a byte that is written at a time, until it is closed.
type counter chan struct{}

func (c counter) Write(p []byte) (n int, err error) {
	defer func() {
		if recover() != nil { // closed: nobody counts any more
			n, err = len(p), fmt.Errorf("nobody counts: %w", fault.ErrUnavailable)
		}
	}()
	for range p {
		c <- struct{}{}
	}
	return len(p), nil
}
