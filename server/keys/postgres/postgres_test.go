package postgres_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"annai/fault"
	"annai/server/keys"
	"annai/server/keys/keystest"
	"annai/server/keys/postgres"
	"annai/storage/postgres/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func open(t *testing.T, address string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStore(t *testing.T) {
	keystest.Run(t, func(t *testing.T) (a, b keys.Store) {
		address := pgtest.Shared(t).Schema(t)
		return open(t, address), open(t, address)
	})
}

// TestNobodyAnswers: a server that says nothing keeps nobody waiting, and what was known stays.
func TestNobodyAnswers(t *testing.T) {
	server := pgtest.Shared(t)
	line, through := server.Line(t, server.Schema(t))
	s, err := postgres.Open(t.Context(), through, 200*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key, err := keys.Add(t.Context(), s, keys.New{Name: "kiosk-1", Role: "visitor"}, keystest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	ring, err := keys.NewRing(t.Context(), keys.Settings{}, s, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	line.Hold()
	defer line.Release()
	for i, said := range []bool{true, false} {
		if changed, err := ring.Reload(t.Context()); changed || (err != nil) != said {
			t.Errorf("Reload %d while the server is silent = %v, %v, want that it is said once", i, changed, err)
		}
	}
	if _, ok := ring.Find(key); !ok {
		t.Error("a key that was known is not found while the server is silent")
	}
	if _, err := s.List(t.Context()); err == nil || errors.Is(err, fault.ErrInvalid) {
		t.Errorf("List while the server is silent = %v", err)
	}
}
