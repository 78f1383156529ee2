package local_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/storage/postgres/pgtest"
	"annai/storage/row"
	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/local"
)

// connect returns connections as a process of its own has them.
func connect(t testing.TB, address string) *pgdb.DB {
	t.Helper()
	db, err := pgdb.Open(t.Context(), address, pgdb.Options{Connections: 4})
	if err != nil {
		t.Fatalf("Open(%s) = %v", address, err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func openShared(t testing.TB, db *pgdb.DB, opts local.Options) *local.Calendar {
	t.Helper()
	opts.Now = clock
	c, err := local.OpenShared(t.Context(), db, opts)
	if err != nil {
		t.Fatalf("OpenShared(%s) = %v", opts.CalendarID, err)
	}
	return c
}

// TestSharedCalendar has each check look at a calendar of its own, among the others in the same table.
func TestSharedCalendar(t *testing.T) {
	db := connect(t, pgtest.Shared(t).Schema(t))
	n := 0
	calendartest.RunWriter(t, func(t *testing.T, seed []calendar.Event) calendar.Writer {
		n++
		return fill(t, openShared(t, db, local.Options{CalendarID: fmt.Sprint("test", n)}), seed)
	})
}

// TestSharedByTwo has two processes write and read in turn, and at once.
func TestSharedByTwo(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	one := openShared(t, connect(t, address), local.Options{CalendarID: "own"})
	two := openShared(t, connect(t, address), local.Options{CalendarID: "own"})
	others := openShared(t, connect(t, address), local.Options{CalendarID: "other"})
	e := calendar.Event{ID: "first", Title: "First", Start: clock(), TimeZone: "UTC"}
	made, err := one.Create(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := two.Create(t.Context(), e); err != nil || again.ETag != made.ETag {
		t.Errorf("Create of the same key elsewhere = %+v, %v, want what is there", again, err)
	}
	stale := made.ETag
	for i, c := range []*local.Calendar{two, one, two} {
		title := fmt.Sprintf("Title %d", i)
		if made, err = c.Update(t.Context(), made.ID, calendar.Change{Title: &title}, made.ETag); err != nil {
			t.Fatalf("Update with the etag of the other's last write = %v", err)
		}
		for name, reader := range map[string]*local.Calendar{"one": one, "two": two} {
			got, err := reader.Events(t.Context(), day())
			if err != nil || len(got.Events) != 1 || got.Events[0].Title != title {
				t.Errorf("%s: Events = %+v, %v, want %s", name, got, err, title)
			}
		}
	}
	if err := one.Delete(t.Context(), made.ID, stale); calendar.KindOf(err) != calendar.Stale {
		t.Errorf("Delete with an old etag = %v, want kind stale", err)
	}
	if got, err := others.Events(t.Context(), day()); err != nil || len(got.Events) != 0 {
		t.Errorf("Events of another calendar = %+v, %v, want none", got.Events, err)
	}
	if _, err := others.Get(t.Context(), made.ID); calendar.KindOf(err) != calendar.NotFound {
		t.Errorf("Get in another calendar = %v, want kind not found", err)
	}
	atOnce(t, one, two)
}

// atOnce creates each of some events through both.
func atOnce(t *testing.T, both ...*local.Calendar) {
	t.Helper()
	var all sync.WaitGroup
	for i := range 20 {
		for _, c := range both {
			all.Go(func() {
				e := numbered(i)
				if _, err := c.Create(t.Context(), e); err != nil {
					t.Errorf("Create(%s) at once with another process = %v, want the same event", e.ID, err)
				}
			})
		}
	}
	all.Wait()
}

// TestSharedIsSealed looks for words in the rows.
func TestSharedIsSealed(t *testing.T) {
	db := connect(t, pgtest.Shared(t).Schema(t))
	key := row.Options{Key: bytes.Repeat([]byte{7}, 32)}
	c := openShared(t, db, local.Options{CalendarID: "own", Row: key})
	e := calendar.Event{ID: "secret", Title: "Dentist", Location: "Harbour street", Start: clock(), TimeZone: "UTC"}
	if _, err := c.Create(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	text := rowsOf(t, db)
	if strings.Contains(text, "Dentist") || strings.Contains(text, "Harbour") || !strings.Contains(text, "secret") {
		t.Errorf("the rows have %q, want the event encrypted", text)
	}
	again := openShared(t, db, local.Options{CalendarID: "own", Row: key})
	if got, err := again.Get(t.Context(), "secret"); err != nil || got.Title != "Dentist" {
		t.Errorf("Get with the key = %+v, %v", got, err)
	}
	other := openShared(t, db, local.Options{CalendarID: "own"})
	if got, err := other.Events(t.Context(), day()); err != nil || got.Complete || len(got.Events) != 0 {
		t.Errorf("Events without the key = %+v, %v, want none of them, and a problem", got, err)
	}
	if err := c.Delete(t.Context(), "secret", ""); err != nil {
		t.Fatal(err)
	}
	if text := rowsOf(t, db); strings.Contains(text, "sealed:") {
		t.Errorf("the rows of a deleted event have %q, want the id only", text)
	}
}

func rowsOf(t *testing.T, db *pgdb.DB) (text string) {
	t.Helper()
	query := `SELECT coalesce(string_agg(e::text, ' '), '') FROM annai_calendar_events e`
	if err := db.QueryRowContext(t.Context(), query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSharedServerDies kills the server: nothing is read or written, and afterwards everything is there.
func TestSharedServerDies(t *testing.T) {
	server := pgtest.Shared(t)
	db := connect(t, server.Schema(t))
	c := openShared(t, db, local.Options{CalendarID: "own"})
	fill(t, c, []calendar.Event{numbered(1)})
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Events(t.Context(), day()); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Events without a server = %+v, %v, want ErrUnavailable", got, err)
	}
	if _, err := c.Create(t.Context(), numbered(2)); calendar.KindOf(err) != calendar.Unavailable {
		t.Errorf("Create without a server = %v, want kind unavailable", err)
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	var err error
	for range 10 { // with each connection that is from before, at most
		if _, err = c.Create(t.Context(), numbered(2)); err == nil {
			break
		}
	}
	if err != nil {
		t.Errorf("Create once the server is back = %v", err)
	}
	if _, err := c.Get(t.Context(), numbered(1).ID); err != nil {
		t.Errorf("Get once the server is back = %v", err)
	}
}

// TestSharedServerHangs has a server that is there and does not answer.
func TestSharedServerHangs(t *testing.T) {
	server := pgtest.Shared(t)
	line, address := server.Line(t, server.Schema(t))
	db, err := pgdb.Open(t.Context(), address, pgdb.Options{Connections: 2, Limit: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	c := openShared(t, db, local.Options{CalendarID: "own"})
	line.Hold()
	for name, call := range map[string]func(context.Context) error{
		"Events": func(ctx context.Context) error { _, err := c.Events(ctx, day()); return err },
		"Get":    func(ctx context.Context) error { _, err := c.Get(ctx, "abcde"); return err },
		"Create": func(ctx context.Context) error { _, err := c.Create(ctx, numbered(1)); return err },
	} {
		kind := calendar.KindOf(call(t.Context()))
		if kind != calendar.Unavailable {
			t.Errorf("%s while the server hangs = %v, want kind unavailable", name, kind)
		}
	}
	line.Release()
}

// TestCarry copies a file once, with what was deleted, and leaves alone what has events.
func TestCarry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calendar.db")
	f := open(t, path)
	fill(t, f, []calendar.Event{numbered(1), numbered(2)})
	if err := f.Delete(t.Context(), numbered(2).ID, ""); err != nil {
		t.Fatal(err)
	}
	before, err := f.Get(t.Context(), numbered(1).ID)
	if err != nil {
		t.Fatal(err)
	}
	db := connect(t, pgtest.Shared(t).Schema(t))
	for _, want := range []int{2, 0} {
		if n, err := local.Carry(t.Context(), path, db, "test"); err != nil || n != want {
			t.Errorf("Carry = %d, %v, want %d", n, err, want)
		}
	}
	c := openShared(t, db, local.Options{CalendarID: "test"})
	if got, err := c.Get(t.Context(), numbered(1).ID); err != nil || got.ETag != before.ETag || !got.Same(before) {
		t.Errorf("Get of what was copied = %+v, %v, want %+v", got, err, before)
	}
	if got, err := c.Events(t.Context(), day()); err != nil || len(got.Events) != 1 || !got.Complete {
		t.Errorf("Events = %+v, %v, want one", got, err)
	}
	if _, err := c.Create(t.Context(), numbered(2)); calendar.KindOf(err) != calendar.Gone {
		t.Errorf("Create of what was deleted before it was copied = %v, want kind gone", err)
	}
}
