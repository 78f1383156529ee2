package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/fault"
	"annai/storage/postgres"
)

// TestPeers: what one process tells all hear that have the same tables open, and nobody else.
func TestPeers(t *testing.T) {
	address := schema(t)
	var stores []*postgres.Store
	for _, at := range []string{address, address, schema(t)} {
		stores = append(stores, open(t, at, postgres.Options{}))
	}
	ctx, stop := context.WithCancel(t.Context())
	var hearing sync.WaitGroup
	heard := make([]chan string, len(stores))
	for i, s := range stores {
		heard[i] = make(chan string, 1000)
		hearing.Go(func() { s.Hear(ctx, func(words string) { heard[i] <- words }) })
	}
	defer hearing.Wait()
	defer stop()
	for i := range stores { // until it listens
		for len(heard[i]) == 0 {
			if err := stores[i].Tell(t.Context(), "begin"); err != nil {
				t.Fatalf("Tell = %v", err)
			}
			time.Sleep(time.Millisecond)
		}
	}
	words := `"it's"` + "\x01\n" + strings.Repeat("案", 100)
	if err := stores[0].Tell(t.Context(), words); err != nil {
		t.Fatalf("Tell = %v", err)
	}
	if err := stores[2].Tell(t.Context(), "elsewhere"); err != nil {
		t.Fatalf("Tell = %v", err)
	}
	for i, want := range []string{words, words, "elsewhere"} {
		for got := ""; got != want; {
			select {
			case got = <-heard[i]:
				if got != want && got != "begin" {
					t.Errorf("store %d heard %q, want %q", i, got, want)
				}
			case <-time.After(time.Minute):
				t.Fatalf("store %d did not hear %q", i, want)
			}
		}
	}
	if err := stores[0].Tell(t.Context(), strings.Repeat("x", 8000)); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Tell of 8,000 bytes = %v, want ErrInvalid", err)
	}
}
