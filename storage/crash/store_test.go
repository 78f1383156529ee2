package crash_test

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"annai/graph"
	"annai/storage/postgres"
	"annai/storage/postgres/pgtest"
	"annai/storage/row"
	"annai/storage/sqlite"
)

// The kinds of stores.
const (
	sqliteStore   = "sqlite"
	postgresStore = "postgres"
)

// place is a store that a child can open.
type place struct{ Kind, Address string }

// store is what all of them are.
type store interface {
	graph.Checkpointer
	Close() error
}

// open opens the store. Rows in PostgreSQL are compressed and encrypted, those in the file are plain.
func (p place) open(ctx context.Context) (store, error) {
	if p.Kind == postgresStore {
		return postgres.Open(ctx, p.Address, postgres.Options{Row: row.Options{CompressAbove: 200, Key: bytes.Repeat([]byte{7}, 32)}})
	}
	return sqlite.Open(ctx, p.Address, sqlite.Options{})
}

// places are where threads are kept in the tests, made anew.
var places = map[string]func(t *testing.T) place{
	sqliteStore:   func(t *testing.T) place { return place{sqliteStore, filepath.Join(t.TempDir(), "annai.db")} },
	postgresStore: func(t *testing.T) place { return place{postgresStore, pgtest.Shared(t).Schema(t)} },
}

// whole asks SQLite whether its file is.
func (p place) whole(t *testing.T) {
	t.Helper()
	if p.Kind != sqliteStore {
		return
	}
	db, err := sql.Open("sqlite", p.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity_check = %q, %v, want ok", verdict, err)
	}
}

func TestMain(m *testing.M) {
	if told := os.Getenv(isChild); told != "" {
		os.Exit(beChild(told))
	}
	os.Exit(pgtest.Main(m))
}
