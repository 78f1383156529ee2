package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"annai/fault"
	"annai/runs"
	"annai/runs/postgres"
	"annai/storage/postgres/pgtest"
)

// connectAll makes all connections that the store may have, so that its next calls need no new ones.
func connectAll(t *testing.T, s *postgres.Store) {
	t.Helper()
	for range s.Pool().Config().MaxConns {
		conn, err := s.Pool().Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
	}
}

// TestServerHangs has the server answer nobody any more, on connections that are open and on new ones, and then again.
func TestServerHangs(t *testing.T) {
	server := pgtest.Shared(t)
	direct := server.Schema(t)
	line, address := server.Line(t, direct)
	s := open(t, address, postgres.Options{Limit: 5 * time.Second, Connections: 4})
	if err := open(t, direct, postgres.Options{}).CreateThread(t.Context(), runs.Thread{ID: "t"}); err != nil {
		t.Fatalf("CreateThread = %v", err)
	}
	connectAll(t, s)
	line.Hold()
	calls := map[string]func(context.Context) error{
		"Thread": func(ctx context.Context) error { _, err := s.Thread(ctx, "t"); return err },
		"SearchThreads": func(ctx context.Context) error {
			_, _, err := s.SearchThreads(ctx, runs.ThreadFilter{Page: runs.Page{Limit: 1}})
			return err
		},
		"CreateThread": func(ctx context.Context) error { return s.CreateThread(ctx, runs.Thread{ID: "u"}) },
		"TrimEvents":   func(ctx context.Context) error { _, err := s.TrimEvents(ctx, time.Now()); return err },
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var all sync.WaitGroup
	for name, call := range calls {
		all.Go(func() {
			if err := call(ctx); !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("%s while the server hangs = %v, want ErrUnavailable", name, err)
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		t.Fatal("the calls took longer than their limit")
	}
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := calls["Thread"](short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Thread with a time of its own while the server hangs = %v, want context.DeadlineExceeded", err)
	}
	line.Release()
	var err error
	for range 20 { // connections of before may have to end first
		if err = calls["Thread"](t.Context()); err == nil {
			return
		}
	}
	t.Errorf("Thread once the server answers again = %v", err)
}

// TestOpenHangs opens a server that takes connections and never answers.
func TestOpenHangs(t *testing.T) {
	if s, err := postgres.Open(t.Context(), pgtest.Silent(t), postgres.Options{Limit: 50 * time.Millisecond}); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Open of a server that does not answer = %v, %v, want ErrUnavailable", s, err)
	}
}
