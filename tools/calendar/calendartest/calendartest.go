// Package calendartest is the contract of package calendar as tests: each sentence of the comments on
// [calendar.Reader] and [calendar.Writer] is a check, and every back end runs all of them.
//
// It knows no back end, and reaches them only through the contract.
package calendartest

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
)

// Run checks a [calendar.Reader]. newReader returns one that holds exactly the seed, with a clock, so that AsOf is set.
// Seed events are single ones with a title, a known zone and an ID that is a key (see [calendar.CheckKey]), which they keep; a few lack an
// end.
func Run(t *testing.T, newReader func(t *testing.T, seed []calendar.Event) calendar.Reader) {
	run(t, newReader)
	t.Run("inferred ends are said", func(t *testing.T) { inferredSaid(t, newReader) })
}

func run(t *testing.T, newReader func(t *testing.T, seed []calendar.Event) calendar.Reader) {
	t.Run("overlap", func(t *testing.T) { overlap(t, newReader) })
	t.Run("all-day overlap", func(t *testing.T) { allDayOverlap(t, newReader) })
	t.Run("order", func(t *testing.T) { order(t, newReader) })
	t.Run("fields", func(t *testing.T) { fields(t, newReader) })
	t.Run("inferred ends", func(t *testing.T) { inferredEnds(t, newReader) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, newReader) })
	t.Run("listing", func(t *testing.T) { listing(t, newReader) })
	t.Run("invalid windows", func(t *testing.T) { invalidWindows(t, newReader) })
	t.Run("context", func(t *testing.T) { doneContext(t, newReader) })
	t.Run("caller's copy", func(t *testing.T) { callersCopy(t, newReader) })
	t.Run("concurrent", func(t *testing.T) { concurrent(t, newReader) })
}

// Zone loads a location that every machine with a zone database has.
func Zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// key makes an id of a name, in the same order as the names are.
func key(name string) string { return "seed" + hex.EncodeToString([]byte(name)) }

// nameOf is the name that an id was made of, or the id.
func nameOf(id string) string {
	if name, err := hex.DecodeString(strings.TrimPrefix(id, "seed")); err == nil {
		return string(name)
	}
	return id
}

func timed(name string, start time.Time, length time.Duration) calendar.Event {
	return calendar.Event{
		ID: key(name), Title: "Event " + name, Start: start, End: start.Add(length),
		TimeZone: start.Location().String(), Status: calendar.Confirmed,
	}
}

func allDay(name string, first civil.Date, days int) calendar.Event {
	return calendar.Event{
		ID: key(name), Title: "Event " + name, AllDay: true, FirstDay: first, EndDay: first.AddDays(days),
		Status: calendar.Confirmed,
	}
}

func window(start time.Time, length time.Duration) civil.TimeRange {
	return civil.TimeRange{Start: start, End: start.Add(length)}
}

func read(t *testing.T, r calendar.Reader, w civil.TimeRange) calendar.Listing {
	t.Helper()
	got, err := r.Events(t.Context(), w)
	if err != nil {
		t.Fatalf("Events(%v) = %v, want a listing", w, err)
	}
	return got
}

func ids(events []calendar.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, nameOf(e.ID))
	}
	return all
}

// wantIDs compares the names of events.
func wantIDs(t *testing.T, what string, got []calendar.Event, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, ids(got)); diff != "" {
		t.Errorf("%s: Events returned (-want +got):\n%s", what, diff)
	}
}

func overlap(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	noon := time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo"))
	r := newReader(t, []calendar.Event{
		timed("ends-at-start", noon.Add(-time.Hour), time.Hour),
		timed("ends-inside", noon.Add(-time.Hour), 90*time.Minute),
		timed("around", noon.Add(-24*time.Hour), 72*time.Hour),
		timed("inside", noon.Add(time.Hour), time.Hour),
		timed("moment-at-start", noon, 0),
		timed("moment-at-end", noon.Add(3*time.Hour), 0),
		timed("starts-at-end", noon.Add(3*time.Hour), time.Hour),
		timed("elsewhere", noon.Add(2*time.Hour).In(Zone(t, "America/New_York")), time.Hour),
	})
	got := read(t, r, window(noon, 3*time.Hour))
	wantIDs(t, "timed events around a window", got.Events,
		"around", "ends-inside", "moment-at-start", "inside", "elsewhere")
	if got := read(t, r, window(noon.AddDate(1, 0, 0), time.Hour)); len(got.Events) != 0 || !got.Complete {
		t.Errorf("Events a year later = %v (complete %v), want none and complete", ids(got.Events), got.Complete)
	}
}

func allDayOverlap(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	first := civil.Date{Year: 2026, Month: 1, Day: 15}
	r := newReader(t, []calendar.Event{allDay("one", first, 1), allDay("three", first.AddDays(-1), 3)})
	for _, zone := range []string{"Asia/Tokyo", "America/New_York"} {
		loc := Zone(t, zone)
		got := read(t, r, civil.Days(first, first.AddDays(1), loc))
		wantIDs(t, "the day in "+zone, got.Events, "three", "one")
		got = read(t, r, window(first.In(loc).Add(-time.Second), time.Second))
		wantIDs(t, "the second before the day in "+zone, got.Events, "three")
		got = read(t, r, window(first.AddDays(2).In(loc), time.Hour))
		wantIDs(t, "the day after the last in "+zone, got.Events)
	}
}

func order(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	loc := Zone(t, "Asia/Tokyo")
	first := civil.Date{Year: 2026, Month: 1, Day: 15}
	midnight := first.In(loc)
	seed := []calendar.Event{
		timed("later", midnight.Add(time.Hour), time.Hour),
		timed("b", midnight, time.Hour),
		timed("a", midnight, 2*time.Hour),
		allDay("day", first, 1),
		timed("z-same-title", midnight, time.Hour),
		timed("y-same-title", midnight, time.Hour),
	}
	seed[3].Title = "Zzz"
	seed[4].Title, seed[5].Title = "Same", "Same"
	got := read(t, newReader(t, seed), civil.Days(first, first.AddDays(1), loc))
	wantIDs(t, "order", got.Events, "day", "a", "b", "y-same-title", "z-same-title", "later")
}

func fields(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	loc := Zone(t, "Europe/Berlin")
	e := timed("full", time.Date(2026, 7, 1, 18, 30, 0, 0, loc), 90*time.Minute)
	e.Title = "夏の集い, part 1; \"open\" \\ all"
	e.Description = "One line,\nand another; 二行目。"
	e.Location = "ホールA, 1F"
	e.URL = "https://example.org/a?b=c&d=e"
	e.Status = calendar.Tentative
	day := allDay("day", civil.Date{Year: 2026, Month: 7, Day: 2}, 2)
	r := newReader(t, []calendar.Event{e, day})
	w := window(e.Start, 48*time.Hour)
	got := read(t, r, w).Events
	if len(got) != 2 {
		t.Fatalf("Events returned %d events, want 2", len(got))
	}
	timedGot, dayGot := got[0], got[1]
	for _, g := range got {
		if g.CalendarID == "" || g.Source == "" || g.ETag == "" || g.Visibility == "" {
			t.Errorf("event %s has CalendarID %q, Source %q, ETag %q, Visibility %q, want all filled",
				g.ID, g.CalendarID, g.Source, g.ETag, g.Visibility)
		}
	}
	if timedGot.TimeZone != "Europe/Berlin" || timedGot.Start.Location().String() != "Europe/Berlin" {
		t.Errorf("zone = %q, location of Start = %q, want Europe/Berlin", timedGot.TimeZone, timedGot.Start.Location())
	}
	ignore := func(x calendar.Event) calendar.Event {
		x.CalendarID, x.Source, x.ETag, x.Visibility, x.TimeZone = "", "", "", "", ""
		x.Created, x.Updated = time.Time{}, time.Time{}
		return x
	}
	if diff := cmp.Diff(ignore(e), ignore(timedGot)); diff != "" {
		t.Errorf("timed event (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(ignore(day), ignore(dayGot)); diff != "" {
		t.Errorf("all-day event (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(got, read(t, r, w).Events); diff != "" {
		t.Errorf("a second read differs (-first +second):\n%s", diff)
	}
}

// endless reads an event and a day that have no end.
func endless(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) (day, hour calendar.Event) {
	t.Helper()
	start := time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo"))
	first := civil.DateOf(start)
	r := newReader(t, []calendar.Event{
		{ID: key("hour"), Title: "Hour", Start: start, TimeZone: "Asia/Tokyo"},
		{ID: key("day"), Title: "Day", AllDay: true, FirstDay: first},
	})
	got := read(t, r, civil.Days(first, first.AddDays(1), start.Location())).Events
	if len(got) != 2 {
		t.Fatalf("Events returned %v, want day and hour", ids(got))
	}
	return got[0], got[1]
}

func inferredEnds(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	day, hour := endless(t, newReader)
	if day.EndDay != day.FirstDay.AddDays(1) {
		t.Errorf("all-day event without end: EndDay = %s, want the day after %s", day.EndDay, day.FirstDay)
	}
	if !hour.End.Equal(hour.Start.Add(time.Hour)) {
		t.Errorf("event without end: End = %s, want an hour after %s", hour.End, hour.Start)
	}
}

// inferredSaid is not for those that write: what they create may have the inferred end for its own by the time it is read.
func inferredSaid(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	day, hour := endless(t, newReader)
	if !day.EndInferred || !hour.EndInferred {
		t.Errorf("events without end: EndInferred = %v and %v, want both", day.EndInferred, hour.EndInferred)
	}
}

func cancelled(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	e := timed("off", time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo")), time.Hour)
	e.Status = calendar.Cancelled
	got := read(t, newReader(t, []calendar.Event{e}), window(e.Start, time.Hour)).Events
	if len(got) > 1 || len(got) == 1 && got[0].Status != calendar.Cancelled {
		t.Errorf("Events with a cancelled event = %+v, want it with its status, or none where the calendar does not keep it", got)
	}
}

func listing(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	start := time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo"))
	w := window(start, time.Hour)
	got := read(t, newReader(t, nil), w)
	if !got.Complete || len(got.Problems) != 0 || len(got.Events) != 0 {
		t.Errorf("Events of an empty calendar = %+v, want none, complete, no problems", got)
	}
	if got.Window != w {
		t.Errorf("Window = %v, want what was asked for, %v", got.Window, w)
	}
	if got.AsOf.IsZero() {
		t.Error("AsOf is zero, want when the calendar was last known to be up to date")
	}
}

func invalidWindows(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	start := time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo"))
	r := newReader(t, nil)
	for name, length := range map[string]time.Duration{"empty": 0, "reversed": -time.Hour} {
		if _, err := r.Events(t.Context(), window(start, length)); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Events(%s window) = %v, want ErrInvalid", name, err)
		}
	}
}

func doneContext(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	start := time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo"))
	_, err := newReader(t, nil).Events(ctx, window(start, time.Hour))
	if !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Events(done context) = %v, want ErrUnavailable", err)
	}
}

func callersCopy(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	e := timed("mine", time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo")), time.Hour)
	r := newReader(t, []calendar.Event{e, timed("other", e.Start, time.Hour)})
	w := window(e.Start, time.Hour)
	first := read(t, r, w)
	want := slices.Clone(first.Events)
	for i := range first.Events {
		first.Events[i].Title = "changed by the caller"
	}
	_ = append(first.Events[:1], calendar.Event{ID: "appended"})
	if diff := cmp.Diff(want, read(t, r, w).Events); diff != "" {
		t.Errorf("a read after the caller changed what it got (-want +got):\n%s", diff)
	}
}

func concurrent(t *testing.T, newReader func(*testing.T, []calendar.Event) calendar.Reader) {
	e := timed("shared", time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo")), time.Hour)
	r := newReader(t, []calendar.Event{e})
	var readers sync.WaitGroup
	for i := range 8 {
		readers.Go(func() {
			w := window(e.Start, time.Duration(1+i)*time.Minute)
			got, err := r.Events(t.Context(), w)
			if err != nil || len(got.Events) != 1 {
				t.Errorf("Events(%v) = %v, %v, want one event", w, ids(got.Events), err)
				return
			}
			got.Events[0].Title = "mine"
		})
	}
	readers.Wait()
}
