package sqlite_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"annai/runs"
	"annai/runs/runstest"
	"annai/runs/sqlite"
	"annai/storage/row"
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
