package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"annai/runs"
	"annai/runs/postgres"
	"annai/runs/runstest"
	"annai/storage/postgres/pgtest"
	"annai/storage/row"
)

// started is the server of these tests, once one was asked for.
var started = sync.OnceValues(func() (*pgtest.Server, error) {
	s, err := pgtest.Start(context.Background())
	running = s
	return s, err
})

var running *pgtest.Server

func TestMain(m *testing.M) {
	status := m.Run()
	if running != nil {
		if err := running.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// schema returns the address of an empty schema.
func schema(t testing.TB) string {
	t.Helper()
	s, err := started()
	if errors.Is(err, pgtest.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.Schema(t)
}

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
