package sqlite_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/graph"
	"annai/graph/graphtest"
	"annai/storage/row"
	"annai/storage/sqlite"
)

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	return openWith(t, path, sqlite.Options{})
}

func openWith(t *testing.T, path string, opts sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, opts)
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

func TestDurable(t *testing.T) {
	for name, opts := range map[string]row.Options{"plain": {}, "encrypted": {CompressAbove: 64, Key: bytes.Repeat([]byte{1}, 32)}} {
		t.Run(name, func(t *testing.T) {
			graphtest.Durable(t, func(t *testing.T) func() graph.Checkpointer {
				path := filepath.Join(t.TempDir(), "annai.db")
				return func() graph.Checkpointer { return openWith(t, path, sqlite.Options{Row: opts}) }
			})
		})
	}
}

func TestWrongKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	for i, want := range []error{nil, fault.ErrDenied} {
		opts := sqlite.Options{Row: row.Options{Key: bytes.Repeat([]byte{byte(i)}, 32)}}
		s, err := sqlite.Open(t.Context(), path, opts)
		if err != nil {
			t.Fatalf("Open = %v", err)
		}
		if i == 0 {
			err = s.Put(t.Context(), "t", graph.Record{ID: 1, Base: 1})
		} else {
			_, _, err = s.Load(t.Context(), "t", "", 0)
		}
		if !errors.Is(err, want) {
			t.Errorf("with key %d = %v, want %v", i, err, want)
		}
		s.Close()
	}
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{Row: row.Options{Key: []byte("short")}}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open(a short key) = %v, want ErrInvalid", err)
	}
}

// TestVersion1 opens a file of the first format, with rows in JSON, as it was written then.
func TestVersion1(t *testing.T) {
	old, err := os.ReadFile(filepath.Join("testdata", "version1.db"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2025, 1, 15, 19, 0, 0, 1, time.UTC)
	want := []graph.Record{
		{
			ID: 2, Parent: 1, Base: 1, LogBytes: 9, RunID: "run", Source: graph.SourceLoop, At: at.Add(time.Second), Graph: "concierge",
			Writes: []graph.ChannelData{{Channel: "words", Data: []byte(`["🏮"]`)}}, Tasks: []graph.TaskData{{Node: "ask"}},
			Joins: []graph.JoinData{{Index: 1, Target: "c", Arrived: []string{"a", "b"}}},
			Pending: []graph.TaskWrites{{
				Checkpoint: 2, Answers: [][]byte{[]byte(`"yes"`)},
				Interrupts: []graph.InterruptData{{ID: "i1", Node: "ask", Question: []byte(`"何時？"`)}},
			}},
		},
		{
			ID: 1, Base: 1, RunID: "run", Step: -1, Source: graph.SourceInput, At: at, Graph: "concierge", Snapshot: true,
			Writes: []graph.ChannelData{{Channel: "words", Data: []byte(`["語"]`)}}, Tasks: []graph.TaskData{{Node: "a"}, {Node: "b", Input: []byte("7")}},
		},
	}
	for name, opts := range map[string]row.Options{"plain": {}, "encrypted": {Key: make([]byte, 32)}} {
		path := filepath.Join(t.TempDir(), "annai.db")
		if err := os.WriteFile(path, old, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, time := range []string{"first", "second"} {
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{Row: opts})
			if err != nil {
				t.Fatalf("%s: Open for the %s time = %v", name, time, err)
			}
			got, newest, err := s.Load(t.Context(), "スレッド", "", 0)
			if diff := cmp.Diff(want, got); diff != "" || newest != 2 || err != nil {
				t.Errorf("%s: Load after the %s opening = %d, %v (-want +got):\n%s", name, time, newest, err, diff)
			}
			if inner, _, err := s.Load(t.Context(), "スレッド", "a:1", 0); err != nil || len(inner) != 1 || inner[0].Graph != "inner" {
				t.Errorf("%s: Load(a:1) = %v, %v, want the record of the subgraph", name, inner, err)
			}
			s.Close()
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text")
	if err := os.WriteFile(text, []byte("this is not a database, however long it is; it goes on and on and on"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{text: fault.ErrInvalid, folder: fault.ErrUnavailable, filepath.Join(text, "x.db"): fault.ErrUnavailable} {
		if s, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, want) {
			t.Errorf("Open(%s) = %v, %v, want %v", path, s, err, want)
		}
	}
}

// Nobody else may read what people said.
func TestModeOfFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	s := open(t, filepath.Join(folder, "annai.db"))
	if err := s.Put(t.Context(), "t", graph.Record{ID: 1, Base: 1}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "annai.db": 0o600, "annai.db-wal": 0o600, "annai.db-shm": 0o600} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("Stat(%q) = %v, %v, want mode %v", name, info, err, want)
		}
	}
}

func TestNewerFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	sqlite.SetVersion(t, path, 99)
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open(format 99) = %v, want ErrInvalid", err)
	}
}
