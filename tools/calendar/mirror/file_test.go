package mirror_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/mem"
	"annai/tools/calendar/mirror"
)

var key = bytes.Repeat([]byte("k"), 32)

// keep syncs a mirror once and leaves its file.
func keep(t *testing.T, opts mirror.Options) calendar.Listing {
	t.Helper()
	f := &feed{}
	day := civil.DateOf(noon(t)).AddDays(3)
	all := event(t, "day", 0)
	all.AllDay, all.FirstDay, all.EndDay, all.Start, all.End, all.TimeZone = true, day, day.AddDays(1), time.Time{}, time.Time{}, ""
	e := event(t, "a", 0)
	e.Attendees, e.Description = []string{"guest@example.org"}, "二行\nText"
	f.then(gives(mirror.Changes{
		Full: true, Events: []calendar.Event{e, all, weekly(t, "s")},
		Overrides: []mirror.Override{override(t, "s", 1, calendar.Event{Status: calendar.Cancelled}), override(t, "s", 2, event(t, "", 30))},
	}))
	m := open(t, f, opts)
	synctest.Wait()
	kept := read(t, m)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return kept
}

// A program that starts while the calendar is down answers from the file of the one before.
func TestRestart(t *testing.T) {
	for name, k := range map[string][]byte{"plain": nil, "encrypted": key} {
		path := filepath.Join(t.TempDir(), "copy")
		synctest.Test(t, func(t *testing.T) {
			opts := mirror.Options{File: path, Key: k}
			before := keep(t, opts)
			info, err := os.Stat(path)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("%s: the file = %v, %v, want it its owner's alone", name, info, err)
			}
			text, err := os.ReadFile(path)
			if err != nil || k != nil == bytes.Contains(text, []byte("Event a")) {
				t.Errorf("%s: the file can be read: %v (%v)", name, bytes.Contains(text, []byte("Event a")), err)
			}
			time.Sleep(5 * time.Minute)
			f := &feed{}
			f.then(fails(errDown))
			m := open(t, f, opts)
			if diff := cmp.Diff(before, read(t, m)); diff != "" {
				t.Errorf("%s: Events after a restart (-before +after):\n%s", name, diff)
			}
			pass(interval)
			if diff := cmp.Diff([]string{"1", "1"}, f.calls()); diff != "" {
				t.Errorf("%s: tokens that were asked with (-want +got):\n%s", name, diff)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// What was written is not in the file before the next sync. A program that dies meanwhile leaves no file, which would say that it is not there; one
// that ends keeps it.
func TestFileAfterAWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copy")
	synctest.Test(t, func(t *testing.T) {
		before := keep(t, mirror.Options{File: path})
		f := &feed{}
		f.then(fails(errDown), fails(errDown))
		m := open(t, f, mirror.Options{File: path})
		synctest.Wait()
		if _, err := m.Writer(mem.New("feed")).Create(t.Context(), event(t, "fresh", 1)); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the file after a write = %v, want none", err)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		f.then(fails(errDown))
		again := open(t, f, mirror.Options{File: path})
		defer again.Close()
		wantIDs(t, "after a write and a restart", again, slices.Insert(ids(before.Events), 2, "fresh")...)
	})
}

// An old copy waits a moment for the first sync; if that does not come, it says that it is old.
func TestOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copy")
	synctest.Test(t, func(t *testing.T) {
		before := keep(t, mirror.Options{File: path})
		time.Sleep(24 * time.Hour)
		f := &feed{}
		f.then(fails(errDown))
		m := open(t, f, mirror.Options{File: path})
		defer m.Close()
		if got := read(t, m); got.Complete || !got.AsOf.Equal(before.AsOf) || len(got.Events) != len(before.Events) {
			t.Errorf("Events of yesterday's file = complete %v as of %s, want not complete as of %s", got.Complete, got.AsOf, before.AsOf)
		}
		pass(interval)
		if got := read(t, m); !got.Complete || !got.AsOf.After(before.AsOf) {
			t.Errorf("Events after a sync = complete %v as of %s, want complete as of now", got.Complete, got.AsOf)
		}
	})
}

// What is no file of this mirror, or not whole, is not used: everything is asked for.
func TestUselessFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copy")
	spoil := func(t *testing.T, change func([]byte) []byte) {
		t.Helper()
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, change(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	flip := func(text []byte) []byte {
		text[len(text)/2] ^= 1
		return text
	}
	for name, test := range map[string]struct {
		with, by mirror.Options
		change   func([]byte) []byte
		other    bool
	}{
		"empty":              {change: func([]byte) []byte { return nil }},
		"foreign":            {change: func([]byte) []byte { return []byte("annai mirror 1 plain\nwhat is this") }},
		"half":               {change: func(text []byte) []byte { return text[:len(text)/2] }},
		"damaged":            {change: flip},
		"encrypted, half":    {with: mirror.Options{Key: key}, by: mirror.Options{Key: key}, change: func(text []byte) []byte { return text[:40] }},
		"encrypted, damaged": {with: mirror.Options{Key: key}, by: mirror.Options{Key: key}, change: flip},
		"another key":        {with: mirror.Options{Key: key}, by: mirror.Options{Key: bytes.Repeat([]byte("x"), 32)}},
		"no key":             {with: mirror.Options{Key: key}},
		"a key for none":     {by: mirror.Options{Key: key}},
		"another calendar":   {other: true},
		"another origin":     {by: mirror.Options{Origin: "another account"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test.with.File, test.by.File, test.by.Now, test.by.CalendarID = path, path, time.Now, "feed"
				keep(t, test.with)
				if test.change != nil {
					spoil(t, test.change)
				}
				if test.other {
					test.by.CalendarID = "another"
				}
				f := &feed{}
				m, err := mirror.New(f, test.by)
				if err != nil {
					t.Fatal(err)
				}
				defer m.Close()
				synctest.Wait()
				wantIDs(t, name, m)
				if diff := cmp.Diff([]string{""}, f.calls()); diff != "" {
					t.Errorf("tokens that were asked with (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A file that can't be written is no failure of the calendar.
func TestFileThatCantBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no such folder", "copy")
	synctest.Test(t, func(t *testing.T) {
		if got := keep(t, mirror.Options{File: path}); !got.Complete {
			t.Errorf("Events = not complete, want it all the same")
		}
	})
}
