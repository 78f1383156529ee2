package sqlite

import (
	"context"
	"fmt"
	"testing"
)

// SetVersion makes a file of another format.
func SetVersion(t *testing.T, path string, version int) {
	t.Helper()
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Pragma(t, fmt.Sprintf("user_version = %d", version))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Pragma sets one on the connection that writes, which must be idle.
func (s *Store) Pragma(t *testing.T, pragma string) {
	t.Helper()
	if _, err := s.writer.conn.ExecContext(t.Context(), "PRAGMA "+pragma); err != nil {
		t.Fatalf("PRAGMA %s: %v", pragma, err)
	}
}

// Hold calls f between two commits.
func (s *Store) Hold(t *testing.T, f func()) {
	t.Helper()
	err := s.writer.run(t.Context(), &job{do: func(context.Context, *writer) error {
		f()
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// Queued is how many jobs wait.
func (s *Store) Queued() int { return s.writer.commits.Waiting() }

// Count is how many rows a table has.
func (s *Store) Count(t *testing.T, table string) (n int) {
	t.Helper()
	if err := s.read.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Synchronous is what the connection that writes, which must be idle, says how its last commit was made.
func (s *Store) Synchronous(t *testing.T) (level int) {
	t.Helper()
	if err := s.writer.conn.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&level); err != nil {
		t.Fatal(err)
	}
	return level
}
