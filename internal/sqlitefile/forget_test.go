package sqlitefile_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"annai/internal/sqlitefile"
)

// holds says how often the words are in the files of the folder.
func holds(t *testing.T, dir, words string) (n int) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		n += bytes.Count(data, []byte(words))
	}
	return n
}

// TestForgotten: what was deleted is not in the file, nor in the log beside it, whether the file is
// closed or not.
func TestForgotten(t *testing.T) {
	const words = "GIRAFFEMARK"
	dir := t.TempDir()
	f, err := sqlitefile.Open(t.Context(), filepath.Join(dir, "a.db"), sqlitefile.Options{
		Application: 1,
		Migrations: []sqlitefile.Migration{
			sqlitefile.Script("CREATE TABLE said (id INTEGER PRIMARY KEY, words TEXT)"),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	do := func(query string) {
		t.Helper()
		if _, err := f.Write.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 300 { // of a few bytes and of many pages
		do(fmt.Sprintf("INSERT INTO said VALUES (%d, '%s')", i, strings.Repeat(words, 1+i*i%700)))
	}
	do("UPDATE said SET words = 'nothing' WHERE id % 3 = 0")
	do("DELETE FROM said WHERE id % 3 > 0")
	if holds(t, dir, words) == 0 {
		t.Error("the words are not even in the log: this test shows nothing")
	}
	if done, err := f.Truncate(t.Context()); !done || err != nil {
		t.Fatalf("Truncate = %v, %v", done, err)
	}
	if n := holds(t, dir, words); n > 0 {
		t.Errorf("after Truncate the words are there %d times", n)
	}
	do("INSERT INTO said VALUES (1000, '" + words + "')")
	do("DELETE FROM said WHERE id = 1000")
	f.Forget(t.Context())
	f.Forget(t.Context())
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if n := holds(t, dir, words); n > 0 {
		t.Errorf("after Close the words are there %d times", n)
	}
}

// TestForgottenWhileRead: who reads keeps the log from being emptied, and nobody waits for that.
func TestForgottenWhileRead(t *testing.T) {
	f, err := sqlitefile.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), sqlitefile.Options{
		Application: 1,
		Migrations:  []sqlitefile.Migration{sqlitefile.Script("CREATE TABLE said (id INTEGER PRIMARY KEY)")},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	tx, err := f.Read.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM said").Scan(&n); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write.ExecContext(t.Context(), "INSERT INTO said VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	if done, err := f.Truncate(t.Context()); done || err != nil {
		t.Errorf("Truncate while somebody reads = %v, %v, want false", done, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if done, err := f.Truncate(t.Context()); !done || err != nil {
		t.Errorf("Truncate after that = %v, %v, want true", done, err)
	}
}
