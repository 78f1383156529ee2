package postgres_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"annai/fault"
	"annai/runs"
	"annai/runs/postgres"
	"annai/runs/runstest"
	"annai/storage/postgres/pgtest"
	"annai/storage/row"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// schema returns the address of an empty schema.
func schema(t testing.TB) string { return pgtest.Shared(t).Schema(t) }

func open(t testing.TB, address string, opts postgres.Options) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, opts)
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStore(t *testing.T) {
	for name, opts := range map[string]row.Options{
		"plain":                    {},
		"encrypted and compressed": {Key: bytes.Repeat([]byte{7}, 32), CompressAbove: 100},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, schema(t), postgres.Options{Row: opts})
			runstest.TestStore(t, func(*testing.T) runs.Store { return s })
		})
	}
}

// TestServerDies kills the server under a store that is watched.
func TestServerDies(t *testing.T) {
	server := pgtest.Shared(t)
	address := server.Schema(t)
	s := open(t, address, postgres.Options{})
	if err := s.CreateThread(t.Context(), runs.Thread{ID: "t"}); err != nil {
		t.Fatalf("CreateThread = %v", err)
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Thread(t.Context(), "t"); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Thread without a server = %v, want ErrUnavailable", err)
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := open(t, address, postgres.Options{})
	changed, stop := s.Watch("t")
	defer stop()
	if _, err := other.CreateRun(t.Context(), runs.Start{Run: runs.Run{ID: "r", ThreadID: "t"}}); err != nil {
		t.Fatalf("CreateRun once the server is back = %v", err)
	}
	<-changed
	for tries := 0; ; tries++ { // with each connection that is from before, at most
		_, err := s.Run(t.Context(), "t", "r")
		if err == nil {
			break
		}
		if tries == 10 || !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Run once the server is back = %v", err)
		}
	}
}

// TestNewer opens tables that a newer annai made.
func TestNewer(t *testing.T) {
	address := schema(t)
	s := open(t, address, postgres.Options{})
	if _, err := s.Pool().Exec(t.Context(), "INSERT INTO annai_run_versions (version) VALUES (99)"); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Open(t.Context(), address, postgres.Options{}); !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "version 99") {
		t.Errorf("Open of newer tables = %v, want ErrInvalid that says so", err)
	}
}

func TestOpenNothing(t *testing.T) {
	for address, want := range map[string]error{"port=x": fault.ErrInvalid, "host=/nowhere user=annai dbname=postgres": fault.ErrUnavailable} {
		if s, err := postgres.Open(t.Context(), address, postgres.Options{}); !errors.Is(err, want) {
			t.Errorf("Open(%s) = %v, %v, want %v", address, s, err, want)
		}
	}
}
