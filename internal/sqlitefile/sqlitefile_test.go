package sqlitefile_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/sqlitefile"
)

// notes is a kind of file. Who finds it taken by another process waits for a long time.
func notes(more ...sqlitefile.Migration) sqlitefile.Options {
	first := sqlitefile.Script(`CREATE TABLE notes (text TEXT NOT NULL UNIQUE, after TEXT REFERENCES notes (text)) STRICT;`)
	return sqlitefile.Options{Application: 7, Migrations: append([]sqlitefile.Migration{first}, more...), Busy: time.Minute}
}

// hasty is the same, for who is to find that waiting was for nothing, or is to be asked in between whether to go on.
func hasty(opts sqlitefile.Options) sqlitefile.Options {
	opts.Busy = 10 * time.Millisecond
	return opts
}

func open(t *testing.T, path string, opts sqlitefile.Options) *sqlitefile.File {
	t.Helper()
	f, err := sqlitefile.Open(t.Context(), path, opts)
	if err != nil {
		t.Fatalf("Open(%q) = %v", path, err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func write(ctx context.Context, f *sqlitefile.File, text string) error {
	return f.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO notes (text) VALUES (?)", text)
		return sqlitefile.Fault(err)
	})
}

func wantNotes(t *testing.T, f *sqlitefile.File, want string) {
	t.Helper()
	var got string
	err := f.Read.QueryRowContext(t.Context(), "SELECT coalesce(group_concat(text, ' '), '') FROM (SELECT text FROM notes ORDER BY text)").Scan(&got)
	if got != want || err != nil {
		t.Errorf("notes = %q, %v, want %q", got, err, want)
	}
}

func TestOpen(t *testing.T) {
	for name, path := range map[string]string{"in memory": "", "a file": filepath.Join(t.TempDir(), "データ 1", "a?b#c%20.db")} {
		t.Run(name, func(t *testing.T) {
			f := open(t, path, notes())
			if err := write(t.Context(), f, "one"); err != nil {
				t.Errorf("Transaction = %v", err)
			}
			wantNotes(t, f, "one")
			if f.Path != path || (f.Read == f.Write) != (path == "") {
				t.Errorf("Open(%q) = a file at %q, one connection: %t", path, f.Path, f.Read == f.Write)
			}
			if err := f.Close(); err != nil {
				t.Errorf("Close() = %v", err)
			}
			if err := write(t.Context(), f, "late"); !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("Transaction after Close = %v, want ErrUnavailable", err)
			}
			if again := open(t, path, notes()); path != "" {
				wantNotes(t, again, "one")
			}
		})
	}
}

// What is kept beside the file is for nobody else to read either.
func TestModes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	f := open(t, filepath.Join(folder, "notes.db"), notes())
	if err := write(t.Context(), f, "one"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "notes.db": 0o600, "notes.db-wal": 0o600, "notes.db-shm": 0o600} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("Stat(%q) = %v, %v, want mode %v", name, info, err, want)
		}
	}
}

func TestSettings(t *testing.T) {
	for _, test := range []struct {
		opts        sqlitefile.Options
		busy, level int
	}{{sqlitefile.Options{}, 5000, 2}, {sqlitefile.Options{Busy: time.Second, Relaxed: true}, 1000, 1}} {
		f := open(t, filepath.Join(t.TempDir(), "f.db"), test.opts)
		for name, db := range map[string]*sql.DB{"Write": f.Write, "Read": f.Read} {
			var busy, level, keys int
			var mode string
			err := db.QueryRowContext(t.Context(), `SELECT timeout, synchronous, journal_mode, foreign_keys
				FROM pragma_busy_timeout, pragma_synchronous, pragma_journal_mode, pragma_foreign_keys`).Scan(&busy, &level, &mode, &keys)
			if err != nil || busy != test.busy || level != test.level || mode != "wal" || keys != 1 {
				t.Errorf("%s of Open(%+v) = %d ms, synchronous %d, %s, foreign keys %d, %v", name, test.opts, busy, level, mode, keys, err)
			}
		}
	}
}

func TestMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	if err := write(t.Context(), open(t, path, notes()), "one"); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	fails := func(ctx context.Context, tx *sql.Tx) error { return broken }
	upper := sqlitefile.Script("UPDATE notes SET text = upper(text)")
	twice := sqlitefile.Script("UPDATE notes SET text = text || text")
	if f, err := sqlitefile.Open(t.Context(), path, notes(upper, fails)); !errors.Is(err, broken) {
		t.Errorf("Open with a migration that fails = %v, %v, want its error", f, err)
	}
	wantNotes(t, open(t, path, notes()), "one")
	for range 2 {
		wantNotes(t, open(t, path, notes(upper, twice)), "ONEONE")
	}
	if f, err := sqlitefile.Open(t.Context(), path, notes()); !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "format 3") {
		t.Errorf("Open of a newer file = %v, %v, want ErrInvalid that says which format", f, err)
	}
}

// Many who open a file at once all find it migrated, once.
func TestMigrateTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	opts := notes(sqlitefile.Script("INSERT INTO notes (text) VALUES ('only')"))
	errs := make(chan error)
	for range 8 {
		go func() {
			f, err := sqlitefile.Open(t.Context(), path, opts)
			if err == nil {
				err = f.Close()
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Errorf("Open at the same time as others = %v", err)
		}
	}
	wantNotes(t, open(t, path, opts), "only")
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("This is no database. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "other.db")
	if err := open(t, other, sqlitefile.Options{Migrations: notes().Migrations, Application: 8}).Close(); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(folder, "foreign.db")
	plain, err := sql.Open("sqlite", foreign)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.ExecContext(t.Context(), "CREATE TABLE t (x)"); err != nil {
		t.Fatal(err)
	}
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, says string
		opts       sqlitefile.Options
		want       error
	}{
		{text, "no database", notes(), fault.ErrInvalid},
		{other, "something else", notes(), fault.ErrInvalid},
		{foreign, "something else", notes(), fault.ErrInvalid},
		{foreign, "something else", sqlitefile.Options{}, fault.ErrInvalid},
		{folder, "can't be written", notes(), fault.ErrUnavailable},
		{filepath.Join(text, "below"), "can't be written", notes(), fault.ErrUnavailable},
	} {
		f, err := sqlitefile.Open(t.Context(), test.path, test.opts)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("Open(%s, %d) = %v, %v, want %v that says %q", test.path, test.opts.Application, f, err, test.want, test.says)
		}
	}
}

// A file whose tables are made by somebody else's migrations is still ours.
func TestNoMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "river.db")
	for i := range 2 {
		f := open(t, path, sqlitefile.Options{Application: 9})
		if _, err := f.Write.ExecContext(t.Context(), fmt.Sprintf("CREATE TABLE t%d (x)", i)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTransaction(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "notes.db"), notes())
	broken := errors.New("broken")
	err := f.Transaction(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO notes (text) VALUES ('half')")
		return errors.Join(err, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("Transaction that fails = %v, want its error", err)
	}
	wantNotes(t, f, "")
	ctx, cancel := context.WithCancel(t.Context())
	err = f.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		cancel()
		_, err := tx.ExecContext(ctx, "INSERT INTO notes (text) VALUES ('whole')")
		return err
	})
	if err != nil {
		t.Errorf("Transaction whose context ends half-way = %v, want it done", err)
	}
	wantNotes(t, f, "whole")
	if err := write(ctx, f, "never"); !errors.Is(err, context.Canceled) {
		t.Errorf("Transaction(done context) = %v, want Canceled", err)
	}
	wantNotes(t, f, "whole")
}

// A transaction waits for another process that writes, but not longer than whoever asks wants to.
func TestAnotherWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	one, two, late := open(t, path, notes()), open(t, path, notes()), open(t, path, hasty(notes()))
	tx, err := one.Write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := write(ctx, late, "late"); !errors.Is(err, fault.ErrUnavailable) && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Transaction while another writes = %v, want ErrUnavailable or the end of its context", err)
	}
	done := make(chan error)
	go func() { done <- write(t.Context(), two, "in time") }()
	wantNotes(t, two, "")
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("Transaction once the other is done = %v", err)
	}
	wantNotes(t, one, "in time")
}

func TestFaults(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "notes.db"), notes())
	if err := write(t.Context(), f, "one"); err != nil {
		t.Fatal(err)
	}
	pages := func(n string) string { return "PRAGMA max_page_count = " + n }
	for _, test := range []struct {
		name, before, do string
		want             error
		code             sqlitefile.Code
		says             string
	}{
		{"twice", "", "INSERT INTO notes (text) VALUES ('one')", fault.ErrConflict, sqlitefile.Constraint, "may not be so"},
		{"foreign key", "", "INSERT INTO notes VALUES ('two', 'nobody')", fault.ErrConflict, sqlitefile.Constraint, "may not be so"},
		{"too big", "", "INSERT INTO notes (text) VALUES (zeroblob(2000000000))", fault.ErrInvalid, sqlitefile.TooBig, "too large"},
		{"full", pages("1"), "INSERT INTO notes (text) VALUES (hex(zeroblob(100000)))", fault.ErrUnavailable, 13, "no space left"},
		{"read-only", pages("1000000") + "; PRAGMA query_only = ON", "INSERT INTO notes (text) VALUES ('two')", fault.ErrUnavailable, 8, "can't be written"},
		{"wrong statement", "PRAGMA query_only = OFF", "INSERT INTO nothing VALUES (1)", fault.ErrUnavailable, 1, "can't be used"},
	} {
		if _, err := f.Write.ExecContext(t.Context(), test.before); err != nil {
			t.Fatal(err)
		}
		_, err := f.Write.ExecContext(t.Context(), test.do)
		if code := sqlitefile.CodeOf(err); code != test.code {
			t.Errorf("%s: CodeOf(%v) = %d, want %d", test.name, err, code, test.code)
		}
		if got := sqlitefile.Fault(err); !errors.Is(got, test.want) || !strings.Contains(got.Error(), test.says) {
			t.Errorf("%s: Fault = %v, want %v that says %q", test.name, got, test.want, test.says)
		}
	}
	wantNotes(t, f, "one")
	for _, err := range []error{nil, context.Canceled, context.DeadlineExceeded} {
		if got := sqlitefile.Fault(err); got != err { //nolint:errorlint // the very same
			t.Errorf("Fault(%v) = %v, want it as it is", err, got)
		}
	}
}

// A page that was overwritten is found out, and said to be damage.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	f := open(t, path, notes())
	if err := write(t.Context(), f, strings.Repeat("x", 50_000)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(data); i++ {
		data[i] = 0xa5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged, err := sqlitefile.Open(t.Context(), path, notes())
	if err == nil {
		defer damaged.Close()
		err = write(t.Context(), damaged, "more")
	}
	if !errors.Is(err, fault.ErrUnavailable) || sqlitefile.CodeOf(err) != sqlitefile.Corrupt || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("Transaction on a damaged file = %v, want ErrUnavailable that says so", err)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "notes.db.lock")
	unlock, err := sqlitefile.Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlitefile.Lock(t.Context(), path); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Lock of what is locked = %v, want ErrConflict", err)
	}
	if err := unlock(); err != nil {
		t.Errorf("unlock() = %v", err)
	}
	if unlock, err = sqlitefile.Lock(t.Context(), path); err != nil {
		t.Fatalf("Lock of what was unlocked = %v", err)
	}
	if err := unlock(); err != nil {
		t.Errorf("unlock() = %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("Stat = %v, %v, want a file for nobody else to read", info, err)
	}
	if _, err := sqlitefile.Lock(t.Context(), filepath.Join(path, "below")); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Lock below a file = %v, want ErrUnavailable", err)
	}
}

// TestLibrary: SQLite before 3.51.3 can damage files in WAL mode that two connections write and
// checkpoint at once (sqlite.org/wal.html#walresetbug).
func TestLibrary(t *testing.T) {
	f, err := sqlitefile.Open(t.Context(), "", sqlitefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var version string
	if err := f.Read.QueryRowContext(t.Context(), "SELECT sqlite_version()").Scan(&version); err != nil {
		t.Fatal(err)
	}
	var major, minor, patch int
	_, err = fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch)
	if err != nil || major*1_000_000+minor*1000+patch < 3_051_003 {
		t.Errorf("SQLite is %s, %v, want 3.51.3 or later", version, err)
	}
}
