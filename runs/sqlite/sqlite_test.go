package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"annai/fault"
	"annai/runs"
	"annai/runs/runstest"
	"annai/runs/sqlite"
	"annai/storage/row"
	checkpoints "annai/storage/sqlite"
)

func open(t testing.TB, path string, opts sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, opts)
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	for name, opts := range map[string]row.Options{
		"plain":                    {},
		"encrypted and compressed": {Key: bytes.Repeat([]byte{7}, 32), CompressAbove: 100},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "runs.db"), sqlite.Options{Row: opts})
			runstest.TestStore(t, func(*testing.T) runs.Store { return s })
		})
	}
}

// TestOpenNothing opens what is no file of runs.
func TestOpenNothing(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.db")
	s, err := checkpoints.Open(t.Context(), other, checkpoints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{other: fault.ErrInvalid, "/proc/annai/runs.db": fault.ErrUnavailable} {
		if s, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, want) {
			t.Errorf("Open(%s) = %v, %v, want %v", path, s, err, want)
		}
	}
}

// TestTogether has many writers, some of which give up, and a store that is closed meanwhile.
func TestTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const writers, threads = 16, 20
	errs := make([][threads]error, writers)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range threads {
				ctx, cancel := context.WithCancel(t.Context())
				if w%4 == 0 {
					go cancel()
				}
				errs[w][i] = s.CreateThread(ctx, runs.Thread{ID: fmt.Sprint(w, " ", i)})
				cancel()
			}
		})
	}
	all.Go(func() {
		if _, err := s.Thread(t.Context(), "0 0"); err != nil && !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Thread = %v", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	})
	all.Wait()
	again := open(t, path, sqlite.Options{})
	for w := range writers {
		for i, err := range errs[w] {
			_, missing := again.Thread(t.Context(), fmt.Sprint(w, " ", i))
			if expected := err == nil || errors.Is(err, context.Canceled) || errors.Is(err, fault.ErrUnavailable); !expected || (err == nil) != (missing == nil) {
				t.Errorf("CreateThread(%d %d) = %v, and then Thread = %v, want both or neither", w, i, err, missing)
			}
		}
	}
}
