package calendartest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/internal/civil"
	"annai/internal/fault"
	"annai/tools/calendar"
)

// RunWriter checks a [calendar.Writer], as a reader too. newWriter returns one that holds exactly the seed.
func RunWriter(t *testing.T, newWriter func(t *testing.T, seed []calendar.Event) calendar.Writer) {
	Run(t, func(t *testing.T, seed []calendar.Event) calendar.Reader { return newWriter(t, seed) })
	t.Run("create", func(t *testing.T) { create(t, newWriter(t, nil)) })
	t.Run("create again", func(t *testing.T) { createAgain(t, newWriter(t, nil)) })
	t.Run("create invalid", func(t *testing.T) { createInvalid(t, newWriter(t, nil)) })
	t.Run("update", func(t *testing.T) { update(t, newWriter(t, nil)) })
	t.Run("update stale", func(t *testing.T) { updateStale(t, newWriter(t, nil)) })
	t.Run("delete", func(t *testing.T) { remove(t, newWriter(t, nil)) })
	t.Run("concurrent writes", func(t *testing.T) { concurrentWrites(t, newWriter(t, nil)) })
}

func sample(t *testing.T) calendar.Event {
	t.Helper()
	return calendar.Event{
		Title: "Sample", Location: "Room A", Start: time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo")),
		TimeZone: "Asia/Tokyo",
	}
}

func mustCreate(t *testing.T, w calendar.Writer, e calendar.Event) calendar.Event {
	t.Helper()
	got, err := w.Create(t.Context(), e)
	if err != nil {
		t.Fatalf("Create(%+v) = %v, want the event", e, err)
	}
	return got
}

func create(t *testing.T, w calendar.Writer) {
	e := sample(t)
	first, second := mustCreate(t, w, e), mustCreate(t, w, e)
	if first.ID == "" || first.ID == second.ID {
		t.Errorf("Create twice without id = %q and %q, want two ids", first.ID, second.ID)
	}
	if first.ETag == "" || first.CalendarID == "" || first.Source == "" || first.Status != calendar.Confirmed {
		t.Errorf("Create = %+v, want etag, calendar, source and status filled", first)
	}
	if !first.End.Equal(e.Start.Add(time.Hour)) || !first.EndInferred {
		t.Errorf("Create without end: End = %s (inferred %v), want an hour, inferred", first.End, first.EndInferred)
	}
	day := mustCreate(t, w, calendar.Event{Title: "Day", AllDay: true, FirstDay: civil.Date{Year: 2026, Month: 1, Day: 15}})
	if day.EndDay.String() != "2026-01-16" || !day.EndInferred {
		t.Errorf("Create all-day without end: EndDay = %s (inferred %v), want the next day, inferred", day.EndDay, day.EndInferred)
	}
	got := read(t, w, window(e.Start, time.Hour))
	if len(got.Events) != 3 {
		t.Errorf("Events after three creations = %v, want three", ids(got.Events))
	}
}

func createAgain(t *testing.T, w calendar.Writer) {
	e := sample(t)
	e.ID = "draft7abc"
	first := mustCreate(t, w, e)
	if first.ID != e.ID {
		t.Errorf("Create with id %q = id %q, want the caller's", e.ID, first.ID)
	}
	if again := mustCreate(t, w, e); !cmp.Equal(again, first) {
		t.Errorf("Create again = %+v, want what is there: %+v", again, first)
	}
	e.Title = "Another"
	if _, err := w.Create(t.Context(), e); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Create again with other contents = %v, want ErrConflict", err)
	}
	if got := read(t, w, window(e.Start, time.Hour)); len(got.Events) != 1 || got.Events[0].Title != "Sample" {
		t.Errorf("Events = %+v, want the first creation only", got.Events)
	}
}

func createInvalid(t *testing.T, w calendar.Writer) {
	noTitle, noStart, reversed := sample(t), sample(t), sample(t)
	noTitle.Title = " "
	noStart.Start = time.Time{}
	reversed.End = reversed.Start.Add(-time.Minute)
	first := civil.Date{Year: 2026, Month: 1, Day: 15}
	for name, e := range map[string]calendar.Event{
		"no title": noTitle, "no start": noStart, "end before start": reversed,
		"no first day":         {Title: "Day", AllDay: true},
		"end before first day": {Title: "Day", AllDay: true, FirstDay: first, EndDay: first.AddDays(-1)},
	} {
		if _, err := w.Create(t.Context(), e); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Create(%s) = %v, want ErrInvalid", name, err)
		}
	}
}

func update(t *testing.T, w calendar.Writer) {
	before := mustCreate(t, w, sample(t))
	title, nothing, later := "Changed", "", before.When()
	later.Start, later.End = before.Start.Add(time.Hour), before.End.Add(time.Hour)
	after, err := w.Update(t.Context(), before.ID, calendar.Change{Title: &title, Location: &nothing, When: &later}, before.ETag)
	if err != nil {
		t.Fatalf("Update = %v, want the event", err)
	}
	if after.ETag == before.ETag || after.Title != "Changed" || after.ID != before.ID {
		t.Errorf("Update = %+v, want the change, the same id and a new etag", after)
	}
	got := read(t, w, window(before.Start, 2*time.Hour)).Events
	if len(got) != 1 || got[0].Title != "Changed" || got[0].Location != "" || !got[0].Start.Equal(later.Start) {
		t.Errorf("Events after Update = %+v, want the event changed", got)
	}
	wantKind(t, "Update(nobody)", calendar.NotFound, func() error { return updated(t, w, "nobody", calendar.Change{Title: &title}, "") })
	wantKind(t, "Update(no title)", calendar.InvalidText, func() error { return updated(t, w, after.ID, calendar.Change{Title: &nothing}, "") })
}

func updated(t *testing.T, w calendar.Writer, id string, c calendar.Change, etag string) error {
	t.Helper()
	_, err := w.Update(t.Context(), id, c, etag)
	return err //nolint:wrapcheck // a test looks at it
}

// wantKind checks that a call fails as it is to.
func wantKind(t *testing.T, call string, want calendar.Kind, do func() error) {
	t.Helper()
	if err := do(); err == nil || calendar.KindOf(err) != want {
		t.Errorf("%s = %v, want kind %s", call, err, want)
	}
}

func updateStale(t *testing.T, w calendar.Writer) {
	first := mustCreate(t, w, sample(t))
	second, late := "Second", "Too late"
	if err := updated(t, w, first.ID, calendar.Change{Title: &second}, first.ETag); err != nil {
		t.Fatalf("Update = %v, want the event", err)
	}
	wantKind(t, "Update with an old etag", calendar.Stale, func() error { return updated(t, w, first.ID, calendar.Change{Title: &late}, first.ETag) })
	wantKind(t, "Delete with an old etag", calendar.Stale, func() error { return w.Delete(t.Context(), first.ID, first.ETag) })
	if err := updated(t, w, first.ID, calendar.Change{Title: &late}, ""); err != nil {
		t.Errorf("Update without etag = %v, want it done", err)
	}
}

func remove(t *testing.T, w calendar.Writer) {
	e := mustCreate(t, w, sample(t))
	if err := w.Delete(t.Context(), e.ID, e.ETag); err != nil {
		t.Fatalf("Delete(%s) = %v, want nil", e.ID, err)
	}
	wantKind(t, "Delete again", calendar.Gone, func() error { return w.Delete(t.Context(), e.ID, "") })
	if got := read(t, w, window(e.Start, time.Hour)); len(got.Events) != 0 {
		t.Errorf("Events after Delete = %v, want none", ids(got.Events))
	}
}

func concurrentWrites(t *testing.T, w calendar.Writer) {
	const writers = 8
	e := sample(t)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			keyed := e
			keyed.ID = fmt.Sprintf("abcde%d", i/2) // each key is used by two writers
			if _, err := w.Create(t.Context(), keyed); err != nil {
				t.Errorf("Create(%s) = %v, want the event", keyed.ID, err)
			}
		})
	}
	all.Wait()
	if got := read(t, w, window(e.Start, time.Hour)); len(got.Events) != writers/2 {
		t.Errorf("Events after %d creations with %d keys = %v, want one each", writers, writers/2, ids(got.Events))
	}
}
