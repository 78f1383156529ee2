package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"annai/graph"
	"annai/graph/graphtest"
	"annai/internal/fault"
	"annai/storage/sqlite"
)

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatalf("Open(%s) = %v", path, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
	return s
}

func TestCheckpointer(t *testing.T) {
	graphtest.Checkpointer(t, func(t *testing.T) graph.Checkpointer {
		return open(t, filepath.Join(t.TempDir(), "データ 1", "a?b#c.db"))
	})
}

func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatalf("Open() = %v", err)
	}
	want := graph.Record{ID: 1, Base: 1, Writes: []graph.ChannelData{{Channel: "c", Data: []byte("1")}}}
	if err := errors.Join(s.Put(t.Context(), "t", want), s.Close()); err != nil {
		t.Fatalf("Put, Close = %v", err)
	}
	chain, newest, err := open(t, path).Load(t.Context(), "t", "", 0)
	if err != nil || newest != 1 || len(chain) != 1 || string(chain[0].Writes[0].Data) != "1" {
		t.Errorf("Load after re-open = %v, %d, %v, want the record", chain, newest, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text")
	if err := os.WriteFile(text, []byte("this is not a database, however long it is; it goes on and on and on"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"a text": text, "a folder": folder, "below a file": filepath.Join(text, "x.db")} {
		if s, err := sqlite.Open(context.Background(), path); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Open(%s) = %v, %v, want ErrUnavailable", name, s, err)
		}
	}
}

func TestNewerFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	sqlite.SetVersion(t, path, 99)
	if _, err := sqlite.Open(t.Context(), path); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open(format 99) = %v, want ErrInvalid", err)
	}
}
