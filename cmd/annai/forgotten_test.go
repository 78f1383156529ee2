package main

import (
	"bytes"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/dialog"
	"annai/internal/config"
	"annai/internal/secret"
	"annai/internal/setup"
	"annai/tools/calendar"
	"annai/tools/calendar/local"
)

// TestForgottenIsGone: what was said in a session that ended, and an event that was deleted, are in
// no file of the data folder any more, and while they are there not in the clear where there is a
// key.
func TestForgottenIsGone(t *testing.T) {
	const words, title = "GIRAFFEMARK", "OKAPIMARK"
	key, err := hex.DecodeString(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	for name, encryption := range map[string]secret.Text{"plain": "", "encrypted": secret.Text(key)} {
		dir := t.TempDir()
		none := config.Model{Provider: "none"}
		c := config.Config{
			Data:           dir,
			EncryptionKey:  encryption,
			SessionIdle:    time.Minute,
			Deadline:       time.Minute,
			SourceDeadline: time.Minute,
			Model:          none,
			FallbackModel:  none,
		}
		a, err := assemble(t.Context(), c, wants{}, discard)
		if err != nil {
			t.Fatal(err)
		}
		said := dialog.Turn{Query: words + "について教えて", SessionID: "s"}
		if _, err := a.concierge.Answer(t.Context(), said); err != nil {
			t.Fatal(err)
		}
		own, err := local.Open(
			t.Context(),
			filepath.Join(dir, "calendar-own.db"),
			local.Options{CalendarID: "own", Now: a.now, Row: setup.Row(c)},
		)
		if err != nil {
			t.Fatal(err)
		}
		e, err := own.Create(t.Context(), calendar.Event{Title: title, Start: a.now(), TimeZone: "UTC"})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := own.Get(t.Context(), e.ID); err != nil || got.Title != title {
			t.Errorf("%s: Get = %+v, %v", name, got, err)
		}
		for _, mark := range []string{words, title} {
			if there := inFiles(t, dir, mark); there != (encryption == "") {
				t.Errorf("%s: %s is in the files: %v", name, mark, there)
			}
		}
		if err := own.Delete(t.Context(), e.ID, ""); err != nil {
			t.Fatal(err)
		}
		if err := a.concierge.EndSession(t.Context(), dialog.Session{ID: "s"}); err != nil {
			t.Fatal(err)
		}
		if err := own.Close(); err != nil {
			t.Fatal(err)
		}
		if err := a.close(); err != nil {
			t.Fatal(err)
		}
		for _, mark := range []string{words, title} {
			if inFiles(t, dir, mark) {
				t.Errorf("%s: %s is still in the files", name, mark)
			}
		}
	}
}

func inFiles(t *testing.T, dir, mark string) (there bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		there = there || bytes.Contains(data, []byte(mark))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// TestDoctorReadsFiles: a damaged database and files that others may read are told, and keys that
// others may change are not taken.
func TestDoctorReadsFiles(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := command(
		t,
		"",
		"keys",
		"add",
		"--role",
		"admin",
		"--name",
		"boss",
		"--data",
		dir,
	); code != exitOK {
		t.Fatalf("annai keys add = %d %s", code, errs)
	}
	own, err := local.Open(
		t.Context(),
		filepath.Join(dir, "calendar-own.db"),
		local.Options{CalendarID: "own", Now: time.Now},
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := own.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a folder
		t.Fatal(err)
	}
	_, out, _ := command(t, "", "doctor", "--data", dir)
	contains(t, "annai doctor", out, "ok    files", "databases are whole")
	data, err := os.ReadFile(filepath.Join(dir, "calendar-own.db"))
	if err != nil {
		t.Fatal(err)
	}
	for at := 4096; at < 8192; at++ {
		data[at] = 0xa5
	}
	if err := os.WriteFile(filepath.Join(dir, "calendar-own.db"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "keys.json"), 0o644); err != nil { //nolint:gosec // that is what is tried
		t.Fatal(err)
	}
	code, out, _ := command(t, "", "doctor", "--data", dir)
	contains(
		t,
		"annai doctor",
		out,
		"FAIL  files      calendar-own.db: the file is damaged",
		"others may use "+filepath.Join(dir, "keys.json"),
	)
	if code != exitFailed {
		t.Errorf("annai doctor = %d, want %d", code, exitFailed)
	}
	if err := os.Chmod(filepath.Join(dir, "keys.json"), 0o666); err != nil { //nolint:gosec // that is what is tried
		t.Fatal(err)
	}
	code, _, errs := command(t, "", "serve", "--listen", "127.0.0.1:0", "--data", dir)
	if code != exitFailed || !strings.Contains(errs, "others may change") {
		t.Errorf("annai serve with keys that others may change = %d %s", code, errs)
	}
}
