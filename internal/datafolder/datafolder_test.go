package datafolder_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/datafolder"
	"annai/internal/privatefile"
	"annai/internal/sqlitefile"
)

var empty, replace = datafolder.RestoreOptions{}, datafolder.RestoreOptions{Replace: true}

var noon = time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)

// database makes one of whole numbers.
func database(t *testing.T, path string) *sqlitefile.File {
	t.Helper()
	f, err := sqlitefile.Open(t.Context(), path, sqlitefile.Options{
		Migrations: []sqlitefile.Migration{sqlitefile.Script("CREATE TABLE numbers (n INTEGER)")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func insert(ctx context.Context, f *sqlitefile.File, n int) error {
	return f.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO numbers VALUES (?)", n)
		return err
	})
}

func count(t *testing.T, path string) (n int) {
	t.Helper()
	f := database(t, path)
	if err := f.Read.QueryRowContext(t.Context(), "SELECT count(*) FROM numbers").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestOneMoment: somebody writes a number into one database, then into the other, then into a file,
// as fast as it goes. In no backup is there a later one without the earlier ones.
func TestOneMoment(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	first := database(t, filepath.Join(dir, "first.db"))
	second := database(t, filepath.Join(dir, "sub", "second.db"))
	note := filepath.Join(dir, "note.json")
	writing, stop := context.WithCancel(t.Context())
	var writer sync.WaitGroup
	writer.Go(func() {
		for n := 1; writing.Err() == nil; n++ {
			err := errors.Join(
				insert(t.Context(), first, n), insert(t.Context(), second, n),
				privatefile.Replace(note, bytes.Repeat([]byte("."), n)),
			)
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	defer writer.Wait()
	defer stop()
	last := 0
	for i := range 5 {
		for { // there is more than in the backup before
			var n int
			if err := second.Read.QueryRowContext(t.Context(), "SELECT count(*) FROM numbers").Scan(&n); err != nil {
				t.Fatal(err)
			}
			if n > last+5 {
				break
			}
		}
		file, to := filepath.Join(out, "backup"+strconv.Itoa(i)), filepath.Join(out, "to"+strconv.Itoa(i))
		if _, err := datafolder.Backup(t.Context(), dir, file, "v1", noon); err != nil {
			t.Fatalf("Backup = %v", err)
		}
		if _, err := datafolder.Restore(t.Context(), file, to, empty); err != nil {
			t.Fatalf("Restore = %v", err)
		}
		a, b := count(t, filepath.Join(to, "first.db")), count(t, filepath.Join(to, "sub", "second.db"))
		info, err := os.Stat(filepath.Join(to, "note.json"))
		if err != nil {
			t.Fatal(err)
		}
		if c := int(info.Size()); a < b || b < c || a > c+1 || b <= last {
			t.Errorf("a backup has %d, %d and %d numbers, want as many or one less in each of the later ones", a, b, c)
		}
		last = b
	}
}

func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f := database(t, filepath.Join(dir, "a.db"))
	for n := range 2000 {
		if n%500 == 0 {
			if err := insert(t.Context(), f, n); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "keys.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "audit.log"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "half.tmp"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRestore(t *testing.T) {
	dir, out := folder(t), t.TempDir()
	file := filepath.Join(out, "backup")
	m, err := datafolder.Backup(t.Context(), dir, file, "v1", noon)
	if err != nil || len(m.Files) != 3 || !m.Files[0].Database || m.Files[2].Path != "keys.json" {
		t.Fatalf("Backup = %+v, %v, want a database, a log and keys.json", m, err)
	}
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v, %v, want 0600", info.Mode(), err)
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 1 {
		t.Errorf("beside the backup there is %v, %v", entries, err)
	}
	for what, c := range map[string]struct {
		dir, to string
		want    error
	}{
		"to where there is one":  {dir, file, fault.ErrConflict},
		"into the folder itself": {dir, filepath.Join(dir, "b"), fault.ErrInvalid},
		"of no folder":           {filepath.Join(dir, "no"), file + "2", fault.ErrNotFound},
	} {
		if _, err := datafolder.Backup(t.Context(), c.dir, c.to, "v1", noon); !errors.Is(err, c.want) {
			t.Errorf("Backup %s = %v, want %v", what, err, c.want)
		}
	}
	// a.db is still open here, by nobody who says so
	if _, err := datafolder.Restore(t.Context(), file, dir, empty); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Restore into a folder with data = %v, want ErrConflict", err)
	}
	release, err := datafolder.Use(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := datafolder.Restore(t.Context(), file, dir, replace); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Restore into a folder that is used = %v, want ErrConflict", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "later.json"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"audit.log", "audit.log.1"} {
		if err := os.WriteFile(filepath.Join(other, name), []byte("kept"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opts := datafolder.RestoreOptions{Replace: true, Keep: "audit.log"}
	if _, err := datafolder.Restore(t.Context(), file, other, opts); err != nil {
		t.Fatalf("Restore in the place of what is there = %v", err)
	}
	want := []string{"a.db", "annai.lock", "audit.log", "audit.log.1", "keys.json"}
	if got := names(t, other); !slices.Equal(got, want) {
		t.Errorf("the folder has %q afterwards, want %q", got, want)
	}
	if kept, err := os.ReadFile(filepath.Join(other, "audit.log")); err != nil || string(kept) != "kept" {
		t.Errorf("the log of who did what is %q, %v, want it as it was", kept, err)
	}
	if n := count(t, filepath.Join(other, "a.db")); n != 4 {
		t.Errorf("the database has %d numbers, want 4", n)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestRestoreOfWhatIsNone: whatever is wrong with a backup, the folder stays as it was.
func TestRestoreOfWhatIsNone(t *testing.T) {
	dir, out := folder(t), t.TempDir()
	file := filepath.Join(out, "backup")
	if _, err := datafolder.Backup(t.Context(), dir, file, "v1", noon); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for name, data := range map[string][]byte{
		"nothing":            nil,
		"something else":     []byte("hello"),
		"the first half":     whole[:len(whole)/2],
		"without its end":    whole[:len(whole)-4],
		"one other bit":      flipped,
		"two of them":        append(bytes.Clone(whole), whole...),
		"no manifest":        archive(t, "a", "x"),
		"a newer format":     packed(t, `{"format": 2}`),
		"a path outside":     packed(t, `{"format": 1, "files": [{"path": "../x", "size": 1}]}`, "../x", "x"),
		"another sum":        packed(t, manifest("a"), "a", other),
		"no database":        packed(t, manifest("a.db"), "a.db", garbage),
		"more than it says":  packed(t, `{"format": 1}`, "a", "x"),
		"less than it says":  packed(t, manifest("a")),
		"the same one twice": packed(t, twice),
	} {
		to := t.TempDir()
		if err := os.WriteFile(filepath.Join(to, "mine"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		wrong := filepath.Join(out, "wrong")
		if err := os.WriteFile(wrong, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := datafolder.Restore(t.Context(), wrong, to, replace); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%s: Restore = %v, want ErrInvalid", name, err)
		}
		if got := names(t, to); len(got) != 2 || got[1] != "mine" {
			t.Errorf("%s: the folder has %q afterwards", name, got)
		}
	}
}

const twice = `{"format": 1, "files": [{"path": "a"}, {"path": "a"}]}`

// garbage is a file of a backup, and other one that is as long.
var garbage, other = strings.Repeat("x", 8192), strings.Repeat("y", 8192)

// manifest is one of garbage under that name.
func manifest(name string) string {
	sum := sha256.Sum256([]byte(garbage))
	file := datafolder.File{
		Path: name, Size: int64(len(garbage)), SHA256: hex.EncodeToString(sum[:]),
		Database: filepath.Ext(name) == ".db",
	}
	text, _ := json.Marshal(datafolder.Manifest{Format: 1, Files: []datafolder.File{file}})
	return string(text)
}

// packed is a backup with that manifest, and then files by their names.
func packed(t *testing.T, manifest string, files ...string) []byte {
	t.Helper()
	return archive(t, append([]string{"manifest.json", manifest}, files...)...)
}

func archive(t *testing.T, files ...string) []byte {
	t.Helper()
	var data bytes.Buffer
	zipped := gzip.NewWriter(&data)
	to := tar.NewWriter(zipped)
	for i := 0; i < len(files); i += 2 {
		name, text := files[i], files[i+1]
		if err := to.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(to, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(to.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// TestBrokenOff: a folder in which a restore was broken off is used by nobody until it is restored.
func TestBrokenOff(t *testing.T) {
	dir, out := folder(t), t.TempDir()
	file := filepath.Join(out, "backup")
	if _, err := datafolder.Backup(t.Context(), dir, file, "v1", noon); err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if err := os.MkdirAll(filepath.Join(to, ".restore", "ready"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := datafolder.Use(to); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Use = %v, want ErrConflict", err)
	}
	if _, err := datafolder.Restore(t.Context(), file, to, empty); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Restore = %v, want ErrConflict: it has to be said that there is nothing to keep", err)
	}
	if _, err := datafolder.Restore(t.Context(), file, to, replace); err != nil {
		t.Errorf("Restore once more = %v", err)
	}
	release, err := datafolder.Use(to)
	if err != nil {
		t.Fatalf("Use after that = %v", err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}

// TestServe: the second server is told that it is not alone.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	first, alone, err := datafolder.Serve(dir)
	if err != nil || !alone {
		t.Fatalf("Serve = %v, %v, want that it is alone", alone, err)
	}
	second, alone, err := datafolder.Serve(dir)
	if err != nil || alone {
		t.Errorf("Serve beside another = %v, %v, want that it is not alone", alone, err)
	}
	if err := errors.Join(second(), first()); err != nil {
		t.Fatal(err)
	}
	third, alone, err := datafolder.Serve(dir)
	if err != nil || !alone {
		t.Errorf("Serve after them = %v, %v, want that it is alone", alone, err)
	}
	if err := third(); err != nil {
		t.Error(err)
	}
}

// TestBackupOfADamagedDatabase leaves no backup.
func TestBackupOfADamagedDatabase(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.db"), bytes.Repeat([]byte("x"), 8192), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := datafolder.Backup(t.Context(), dir, filepath.Join(out, "b"), "v1", noon)
	if !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Backup = %v, want ErrInvalid", err)
	}
	if got := names(t, out); len(got) != 0 {
		t.Errorf("there is %q, want nothing", got)
	}
}
