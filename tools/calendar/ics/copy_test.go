package ics_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/tools/calendar/ics"
)

// After a restart while the feed is down, answers come from the copy of before, and say of when they are.
func TestCopyOutlivesARestart(t *testing.T) {
	var c clockwork
	path := filepath.Join(t.TempDir(), "copies", "feed")
	var asked []string
	versions := versioned(&asked, "Kept")
	s := serve(t, versions)
	start := func() *ics.Reader { return feedOf(t, s.URL+"/secret-token", ics.Options{Now: c.now, Cache: path}) }
	first := start()
	if got, err := first.Events(t.Context(), windowOf(t, week)); err != nil || !got.Complete {
		t.Fatalf("Events = %+v, %v, want a listing", got, err)
	}
	c.move(time.Hour)
	if _, err := first.Events(t.Context(), windowOf(t, week)); err != nil { // which has not changed since
		t.Fatal(err)
	}
	asOf := c.now()

	s.set(failing)
	c.move(24 * time.Hour)
	second := start()
	for range 2 {
		got, err := second.Events(t.Context(), windowOf(t, week))
		if err != nil || titles(got) != "Kept" || got.Complete || !got.AsOf.Equal(asOf) || len(got.Problems) != 1 {
			t.Errorf("Events after a restart = %q (complete %v, as of %s, problems %v), %v, want the copy of %s, incomplete",
				titles(got), got.Complete, got.AsOf, got.Problems, err, asOf)
		}
	}

	s.set(versions)
	asked = nil
	third := start()
	if got, err := third.Events(t.Context(), windowOf(t, week)); err != nil || titles(got) != "Kept" || !got.Complete || !got.AsOf.Equal(c.now()) {
		t.Errorf("Events once the feed is back = %q (complete %v, as of %s), %v, want it as of now", titles(got), got.Complete, got.AsOf, err)
	}
	if want := `"v1" Thu, 01 Jan 2026 00:00:00 GMT`; len(asked) != 1 || asked[0] != want {
		t.Errorf("conditions after a restart = %q, want %q", asked, want)
	}
	text, err := os.ReadFile(path)
	info, _ := os.Stat(path)
	if err != nil || bytes.Contains(text, []byte("secret")) || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy = %q (%v), %v, want it without the address, for nobody else to read", text, info.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("files beside the copy = %v, %v, want none", left, err)
	}
}

// A copy that can't be used is left alone, and named where there is nothing else.
func TestCopiesThatAreDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "feed")
	s := serve(t, text(calendarWith("Good")))
	read := func(address string) (string, error) {
		got, err := feedOf(t, address, ics.Options{Cache: path}).Events(t.Context(), windowOf(t, week))
		return titles(got), err
	}
	if got, err := read(s.URL); err != nil || got != "Good" {
		t.Fatalf("Events = %q, %v, want Good", got, err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s.set(failing)
	if _, err := read(s.URL + "/another"); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Events of another feed with the copy of this one = %v, want ErrUnavailable", err)
	}
	if got, err := read(s.URL); err != nil || got != "Good" {
		t.Errorf("Events from the copy = %q, %v, want Good", got, err)
	}
	for name, damaged := range map[string][]byte{
		"empty": nil, "cut off": whole[:len(whole)-20], "only its head": whole[:bytes.IndexByte(whole, '\n')],
		"changed": bytes.Replace(whole, []byte("Good"), []byte("Evil"), 1), "something else": []byte("BEGIN:VCALENDAR\n"),
	} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := read(s.URL)
		if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), "status 502") || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("Events with a copy that is %s = %q, %v, want ErrUnavailable, which names both", name, got, err)
		}
	}
	s.set(text(calendarWith("Better")))
	if got, err := read(s.URL); err != nil || got != "Better" {
		t.Errorf("Events once the feed is back = %q, %v, want Better", got, err)
	}
	s.set(failing)
	if got, err := read(s.URL); err != nil || got != "Better" {
		t.Errorf("Events from the copy that replaced a damaged one = %q, %v, want Better", got, err)
	}
}

// Where the copy can't be written, the feed is read all the same.
func TestCopyThatCannotBeKept(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	opts := ics.Options{Cache: filepath.Join(blocked, "feed"), Log: slog.New(slog.NewTextHandler(&log, nil))}
	got, err := feedOf(t, serve(t, text(calendarWith("Good"))).URL+"/secret-token", opts).Events(t.Context(), windowOf(t, week))
	if err != nil || titles(got) != "Good" || !got.Complete {
		t.Errorf("Events = %q (complete %v), %v, want Good", titles(got), got.Complete, err)
	}
	if !strings.Contains(log.String(), "calendar copy not kept") || strings.Contains(log.String(), "secret") {
		t.Errorf("log = %q, want a line without the address", log.String())
	}
}

func TestWrittenAndFree(t *testing.T) {
	const file = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:one\r\nSUMMARY:Free\r\nDTSTART:20260105T100000Z\r\nTRANSP:TRANSPARENT\r\n" +
		"CREATED:20251201T010203Z\r\nLAST-MODIFIED:20251202T010203Z\r\nDTSTAMP:20260101T000000Z\r\nEND:VEVENT\r\n" +
		"BEGIN:VEVENT\r\nUID:two\r\nSUMMARY:Taken\r\nDTSTART:20260105T110000Z\r\nTRANSP:OPAQUE\r\nCREATED:never\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	got, err := fileOf(t, file, ics.Options{}).Events(t.Context(), windowOf(t, week))
	if err != nil || len(got.Events) != 2 || !got.Complete {
		t.Fatalf("Events = %+v, %v, want two", got, err)
	}
	free, taken := got.Events[0], got.Events[1]
	if !free.Free || free.Created.Format(time.RFC3339) != "2025-12-01T01:02:03Z" || free.Updated.Format(time.RFC3339) != "2025-12-02T01:02:03Z" {
		t.Errorf("event = free %v, created %s, updated %s, want all three as in the file", free.Free, free.Created, free.Updated)
	}
	if taken.Free || !taken.Created.IsZero() || !taken.Updated.IsZero() {
		t.Errorf("event = free %v, created %s, updated %s, want none of the three", taken.Free, taken.Created, taken.Updated)
	}
}
