package calendartest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

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
	e.ID = "draft7key"
	first := mustCreate(t, w, e)
	if first.ID != e.ID {
		t.Errorf("Create with id %q = id %q, want the caller's", e.ID, first.ID)
	}
	if again := mustCreate(t, w, e); again != first {
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
	change := before
	change.Title, change.Location = "Changed", ""
	change.Start, change.End = before.Start.Add(time.Hour), before.End.Add(time.Hour)
	after, err := w.Update(t.Context(), change)
	if err != nil {
		t.Fatalf("Update = %v, want the event", err)
	}
	if after.ETag == before.ETag || after.Title != "Changed" || after.ID != before.ID {
		t.Errorf("Update = %+v, want the change, the same id and a new etag", after)
	}
	got := read(t, w, window(before.Start, 2*time.Hour)).Events
	if len(got) != 1 || got[0].Title != "Changed" || got[0].Location != "" || !got[0].Start.Equal(change.Start) {
		t.Errorf("Events after Update = %+v, want the event replaced", got)
	}
	gone := sample(t)
	gone.ID = "nobody"
	if _, err := w.Update(t.Context(), gone); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Update(nobody) = %v, want ErrNotFound", err)
	}
	after.Title = ""
	if _, err := w.Update(t.Context(), after); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Update(no title) = %v, want ErrInvalid", err)
	}
}

func updateStale(t *testing.T, w calendar.Writer) {
	first := mustCreate(t, w, sample(t))
	second := first
	second.Title = "Second"
	if _, err := w.Update(t.Context(), second); err != nil {
		t.Fatalf("Update = %v, want the event", err)
	}
	first.Title = "Too late"
	if _, err := w.Update(t.Context(), first); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Update with an old etag = %v, want ErrConflict", err)
	}
	first.ETag = ""
	if _, err := w.Update(t.Context(), first); err != nil {
		t.Errorf("Update without etag = %v, want it done", err)
	}
}

func remove(t *testing.T, w calendar.Writer) {
	e := mustCreate(t, w, sample(t))
	if err := w.Delete(t.Context(), e.ID); err != nil {
		t.Fatalf("Delete(%s) = %v, want nil", e.ID, err)
	}
	if err := w.Delete(t.Context(), e.ID); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Delete again = %v, want ErrNotFound", err)
	}
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
			keyed.ID = fmt.Sprintf("key%d", i/2) // each key is used by two writers
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
