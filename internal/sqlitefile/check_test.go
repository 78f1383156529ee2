package sqlitefile_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"annai/fault"
	"annai/internal/sqlitefile"
)

func TestCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	f, err := sqlitefile.Open(t.Context(), path, sqlitefile.Options{Application: 1, Migrations: []sqlitefile.Migration{
		sqlitefile.Script(
			`CREATE TABLE said (words TEXT);
			INSERT INTO said SELECT hex(randomblob(4000)) FROM (VALUES (1),(2),(3),(4),(5),(6),(7),(8))`,
		),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := sqlitefile.Check(t.Context(), path); err != nil {
		t.Errorf("Check of a file that is whole = %v", err)
	}
	broken := bytes.Clone(whole)
	for at := 4096; at < 3*4096; at++ {
		broken[at] = 0xa5
	}
	for name, data := range map[string][]byte{"damaged": broken, "no database": bytes.Repeat([]byte("x"), 8192)} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := sqlitefile.Check(t.Context(), path); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Check of a file that is %s = %v, want ErrInvalid", name, err)
		}
	}
	if err := sqlitefile.Check(t.Context(), path+"2"); err == nil {
		t.Error("Check of no file = nil")
	}
	if _, err := os.Stat(path + "2"); err == nil {
		t.Error("Check made a file")
	}
}
