package local_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/local"
)

// day is the first of January.
func day() civil.TimeRange { return civil.TimeRange{Start: clock(), End: clock().AddDate(0, 0, 1)} }

func TestRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calendar.db")
	first, err := local.Open(t.Context(), path, local.Options{CalendarID: "test", Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	made, err := first.Create(t.Context(), calendar.Event{Title: "Kept", Start: clock(), TimeZone: "Asia/Tokyo"})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Get(t.Context(), made.ID); calendar.KindOf(err) != calendar.Unavailable || !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Get after Close = %v, want kind unavailable", err)
	}
	second := open(t, path)
	got, err := second.Get(t.Context(), made.ID)
	if err != nil || got.ETag != made.ETag || !got.Same(made) || !got.Created.Equal(clock()) || !got.Updated.Equal(clock()) {
		t.Errorf("Get after a restart = %+v, %v, want %+v", got, err, made)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v, want nobody else to read it", info.Mode(), err)
	}
}

// Two processes, or two calendars in one, see each other's writes.
func TestTwoAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calendar.db")
	one, two := open(t, path), open(t, path)
	made, err := one.Create(t.Context(), calendar.Event{Title: "First", Start: clock(), TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []*local.Calendar{two, one, two} {
		title := fmt.Sprintf("Title %d", i)
		if made, err = c.Update(t.Context(), made.ID, calendar.Change{Title: &title}, made.ETag); err != nil {
			t.Fatalf("Update with the etag of the other's last write = %v", err)
		}
		for name, reader := range map[string]*local.Calendar{"one": one, "two": two} {
			got, err := reader.Events(t.Context(), day())
			if err != nil || len(got.Events) != 1 || got.Events[0].Title != title || !got.AsOf.Equal(clock()) {
				t.Errorf("%s: Events = %+v, %v, want %s as of now", name, got, err, title)
			}
		}
	}
}

func TestFilesThatAreNoCalendars(t *testing.T) {
	folder := t.TempDir()
	blocked := filepath.Join(folder, "file")
	if err := os.WriteFile(blocked, []byte(strings.Repeat("This is no database. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	newer, other := filepath.Join(folder, "newer.db"), filepath.Join(folder, "other.db")
	local.Exec(t, newer, "PRAGMA application_id = 0x616e6361; PRAGMA user_version = 99")
	local.Exec(t, other, "CREATE TABLE notes (text TEXT)")
	for path, want := range map[string]error{
		blocked: fault.ErrInvalid, newer: fault.ErrInvalid, other: fault.ErrInvalid,
		filepath.Join(blocked, "calendar.db"): fault.ErrUnavailable, folder: fault.ErrUnavailable,
	} {
		if c, err := local.Open(t.Context(), path, local.Options{Now: clock}); !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("Open(%s) = %v, %v, want %v, which names the file", path, c, err, want)
		}
	}
	if _, err := local.Open(t.Context(), "", local.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open without clock = %v, want ErrInvalid", err)
	}
}

func TestContextThatIsDone(t *testing.T) {
	c := open(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Create(ctx, calendar.Event{Title: "Never", Start: clock()}); calendar.KindOf(err) != calendar.Unavailable {
		t.Errorf("Create(done context) = %v, want kind unavailable", err)
	}
	if got, err := c.Events(t.Context(), day()); err != nil || len(got.Events) != 0 {
		t.Errorf("Events = %+v, %v, want nothing written", got.Events, err)
	}
}

func TestUnknownZones(t *testing.T) {
	c := open(t, "")
	for _, zone := range []string{"Nowhere", "Local", "../etc/passwd"} {
		_, err := c.Create(t.Context(), calendar.Event{Title: "Never", Start: clock(), TimeZone: zone})
		if calendar.KindOf(err) != calendar.Invalid || !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Create(zone %s) = %v, want kind invalid", zone, err)
		}
	}
	nameless := time.Date(2026, 1, 1, 9, 0, 0, 0, time.FixedZone("", 9*60*60))
	got, err := c.Create(t.Context(), calendar.Event{Title: "An instant", Start: nameless})
	if err != nil || got.TimeZone != "UTC" || !got.Start.Equal(nameless) {
		t.Errorf("Create(an instant in no zone) = %+v, %v, want it in UTC", got, err)
	}
}

// An event that can't be read is a problem, and the others are read.
func TestDamagedRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calendar.db")
	c := open(t, path)
	fill(t, c, []calendar.Event{
		{ID: "good0", Title: "Good", Start: clock(), TimeZone: "UTC"}, {ID: "bad00", Title: "Bad", Start: clock(), TimeZone: "UTC"},
	})
	local.Exec(t, path, `UPDATE events SET revision = 2, data = '{"title":' WHERE id = 'bad00'`)
	got, err := c.Events(t.Context(), day())
	if err != nil || len(got.Events) != 1 || got.Complete || len(got.Problems) != 1 || got.Problems[0].CalendarID != "test" {
		t.Errorf("Events with a damaged row = %+v, %v, want the other event and one problem", got, err)
	}
}

// A window looks at the rows near it and nowhere else.
func TestWindowsUseTheIndexes(t *testing.T) {
	plan := open(t, "").Plan(t)
	for _, index := range []string{"short_events", "long_events"} {
		if !strings.Contains(plan, "SEARCH events USING COVERING INDEX "+index) {
			t.Errorf("plan =\n%s, want a search in %s", plan, index)
		}
	}
}

// A write waits for another process that writes, but not longer than whoever asks wants to.
func TestAnotherProcessWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calendar.db")
	c := open(t, path)
	release := local.Hold(t, path)
	soonest := time.Hour
	for range 5 { // a machine that is slow takes some tries until one is soon; a write that heeds nobody never is
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		began := time.Now()
		_, err := c.Create(ctx, calendar.Event{ID: "abcde", Title: "Late", Start: clock()})
		soonest = min(soonest, time.Since(began))
		cancel()
		if calendar.KindOf(err) != calendar.Unavailable {
			t.Errorf("Create while another writes = %v, want kind unavailable", err)
		}
		if soonest < 3*time.Second {
			break
		}
	}
	if soonest >= 3*time.Second {
		t.Errorf("Create while another writes, for 10ms, returned after %s at the soonest, want less than the 5s that it has patience for", soonest)
	}
	done := make(chan error)
	go func() {
		_, err := c.Create(t.Context(), calendar.Event{ID: "abcde", Title: "In time", Start: clock()})
		done <- err
	}()
	if got, err := c.Events(t.Context(), day()); err != nil || len(got.Events) != 0 {
		t.Errorf("Events while another writes = %+v, %v, want none, and no waiting", got.Events, err)
	}
	release()
	if err := <-done; err != nil {
		t.Errorf("Create once the other is done = %v, want the event", err)
	}
}

// A read that is given up leaves the calendar as it was, in memory too.
func TestReadsThatAreGivenUp(t *testing.T) {
	c := fill(t, open(t, ""), fiveThousand(time.UTC)[:200])
	year := civil.TimeRange{Start: clock().AddDate(-1, 0, 0), End: clock().AddDate(1, 0, 0)}
	for n := range 50 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n)*20*time.Microsecond)
		if _, err := c.Events(ctx, year); err != nil && calendar.KindOf(err) != calendar.Unavailable {
			t.Errorf("Events(a context that ends) = %v, want kind unavailable", err)
		}
		cancel()
	}
	if got, err := c.Events(t.Context(), year); err != nil || len(got.Events) < 200 {
		t.Errorf("Events = %d events, %v, want all", len(got.Events), err)
	}
}

// Where a zone has other rules by the time an event is read, it is when the clocks there show what was agreed on.
func TestZoneThatChangedItsRules(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calendar.db")
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 7, 1, 18, 30, 0, 0, berlin)
	c := fill(t, open(t, path), []calendar.Event{{ID: "agreed", Title: "Agreed", Start: start, End: start.Add(time.Hour), TimeZone: "Europe/Berlin"}})
	local.Exec(t, path, `UPDATE events SET revision = 2, data = replace(data, '+02:00', '+01:00')`)
	got, err := c.Get(t.Context(), "agreed")
	if err != nil || !got.Start.Equal(start) || !got.End.Equal(start.Add(time.Hour)) {
		t.Errorf("Get = %s to %s, %v, want %s", got.Start, got.End, err, start)
	}
}
