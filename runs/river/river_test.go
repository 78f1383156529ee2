package river_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"annai/runs"
	"annai/runs/postgres"
	"annai/runs/river"
	"annai/runs/runstest"
	"annai/runs/sqlite"
	"annai/storage/postgres/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func clock() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

func openSQLite(t *testing.T, opts river.Options) (runs.Store, runs.Queue) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "runs.db"), sqlite.Options{})
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	})
	q, err := river.NewSQLite(t.Context(), s, clock, opts)
	if err != nil {
		t.Fatalf("NewSQLite = %v", err)
	}
	return s, q
}

func openPostgres(t *testing.T, opts river.Options) (runs.Store, runs.Queue) {
	t.Helper()
	s, err := postgres.Open(t.Context(), pgtest.Shared(t).Schema(t), postgres.Options{})
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	q, err := river.NewPostgres(t.Context(), s, clock, opts)
	if err != nil {
		t.Fatalf("NewPostgres = %v", err)
	}
	return s, q
}

var opens = map[string]func(*testing.T, river.Options) (runs.Store, runs.Queue){"sqlite": openSQLite, "postgres": openPostgres}

func TestQueue(t *testing.T) {
	for name, open := range opens {
		t.Run(name, func(t *testing.T) {
			runstest.TestQueue(t, func(t *testing.T) (runs.Store, runs.Queue) {
				return open(t, river.Options{Every: 50 * time.Millisecond})
			}, clock)
		})
	}
}
