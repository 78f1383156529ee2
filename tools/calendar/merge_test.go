package calendar_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/mem"
)

var (
	noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	day  = civil.TimeRange{Start: noon.Add(-12 * time.Hour), End: noon.Add(12 * time.Hour)}
)

func event(id, title string, hour int) calendar.Event {
	return calendar.Event{
		ID: id, Title: title, Description: "described", Location: "Room A", URL: "https://example.org/",
		SeriesID: "series", Start: noon.Add(time.Duration(hour) * time.Hour), TimeZone: "UTC",
	}
}

// at returns a calendar that was up to date at noon plus that many hours.
func at(hour int, events ...calendar.Event) *mem.Calendar {
	c := mem.New("inner", events...)
	c.Now = func() time.Time { return noon.Add(time.Duration(hour) * time.Hour) }
	return c
}

func public(id string, r calendar.Reader) calendar.Source {
	return calendar.Source{ID: id, Visibility: calendar.Public, Reader: r}
}

func busy(id string, r calendar.Reader) calendar.Source {
	return calendar.Source{ID: id, Visibility: calendar.Busy, Reader: r}
}

// shown writes events as "calendar title" lines, in order.
func shown(events []calendar.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, strings.TrimSpace(e.CalendarID+" "+e.Title))
	}
	return all
}

func TestMergeIsAReader(t *testing.T) {
	calendartest.Run(t, func(_ *testing.T, seed []calendar.Event) calendar.Reader {
		half := len(seed) / 2
		return calendar.Merge([]calendar.Source{public("a", at(0, seed[:half]...)), public("b", at(0, seed[half:]...))})
	})
}

func TestMergeShowsEventsOnce(t *testing.T) {
	cancelled := event("1", "Replaced", 3)
	cancelled.Status = calendar.Cancelled
	tests := []struct {
		name    string
		sources []calendar.Source
		want    []string
	}{
		{
			"the same title and time",
			[]calendar.Source{public("a", at(0, event("1", "Talk", 0))), public("b", at(0, event("2", " talk", 0)))},
			[]string{"a Talk"},
		},
		{
			"the same id and time, another title",
			[]calendar.Source{public("a", at(0, event("1", "Talk", 0))), public("b", at(0, event("1", "講演", 0)))},
			[]string{"a Talk"},
		},
		{
			"the same id and title, moved in one",
			[]calendar.Source{public("a", at(0, event("1", "Talk", 0))), public("b", at(0, event("1", "Talk", 2)))},
			[]string{"a Talk"},
		},
		{
			"the same id, but nothing else",
			[]calendar.Source{public("a", at(0, event("1", "Talk", 0))), public("b", at(0, event("1", "Walk", 2)))},
			[]string{"a Talk", "b Walk"},
		},
		{
			"twice in one calendar is two",
			[]calendar.Source{public("a", at(0, event("1", "Talk", 0), event("2", "Talk", 0)))},
			[]string{"a Talk", "a Talk"},
		},
		{
			"cancelled in one calendar and replaced in the other",
			[]calendar.Source{public("a", at(0, cancelled)), public("b", at(0, event("2", "Replaced", 3)))},
			[]string{"a Replaced", "b Replaced"},
		},
		{
			"public wins over busy, whatever the order",
			[]calendar.Source{busy("a", at(0, event("1", "Talk", 0))), public("b", at(0, event("1", "Talk", 0)))},
			[]string{"b Talk"},
		},
		{
			"busy at the same time is busy once",
			[]calendar.Source{busy("a", at(0, event("1", "Talk", 0), event("2", "Walk", 0))), busy("b", at(0, event("3", "Rest", 0)))},
			[]string{"a"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := calendar.Merge(tt.sources).Events(t.Context(), day)
			if err != nil {
				t.Fatalf("Events = %v, want a listing", err)
			}
			if diff := cmp.Diff(tt.want, shown(got.Events)); diff != "" {
				t.Errorf("Events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMergeAppliesVisibility(t *testing.T) {
	private, half, odd := event("p", "Secret", 1), event("h", "Half", 2), event("o", "Odd", 3)
	private.Visibility, half.Visibility, odd.Visibility = calendar.Private, calendar.Busy, "confidential"
	all := []calendar.Event{event("e", "Open", 0), private, half, odd}
	got, err := calendar.Merge([]calendar.Source{
		public("open", at(0, all...)),
		{ID: "hidden", Visibility: calendar.Private, Reader: mem.Broken{}},
		{ID: "unset", Reader: at(0, event("u", "Unset", 5))},
		busy("times", at(0, event("t@example.org", "Times", 6), private)),
	}).Events(t.Context(), day)
	if err != nil {
		t.Fatalf("Events = %v, want a listing", err)
	}
	if diff := cmp.Diff([]string{"open Open", "open", "times"}, shown(got.Events)); diff != "" {
		t.Errorf("Events (-want +got):\n%s", diff)
	}
	if !got.Complete {
		t.Errorf("Complete = false (%v), want true: a private calendar is not read", got.Problems)
	}
	want := calendar.Event{
		ID: got.Events[2].ID, ETag: got.Events[2].ETag, CalendarID: "times", Start: noon.Add(6 * time.Hour),
		End: noon.Add(7 * time.Hour), EndInferred: true, TimeZone: "UTC", Status: calendar.Confirmed,
		Visibility: calendar.Busy, Source: "mem",
	}
	if diff := cmp.Diff(want, got.Events[2]); diff != "" {
		t.Errorf("busy event (-want +got):\n%s", diff)
	}
	if id := got.Events[2].ID; id == "" || strings.Contains(id, "example.org") {
		t.Errorf("busy event's ID = %q, want one that does not repeat the calendar's", id)
	}
}

func TestMergeWithFailures(t *testing.T) {
	odd := errors.New("out of order")
	got, err := calendar.Merge([]calendar.Source{
		public("good", at(-1, event("1", "Talk", 0))),
		public("bad", mem.Broken{Err: odd}),
		public("older", at(-5)),
	}).Events(t.Context(), day)
	if err != nil {
		t.Fatalf("Events = %v, want a listing", err)
	}
	if got.Complete || len(got.Problems) != 1 || got.Problems[0].CalendarID != "bad" || !errors.Is(got.Problems[0].Err, odd) {
		t.Errorf("listing = complete %v, problems %v, want incomplete because of bad", got.Complete, got.Problems)
	}
	if len(got.Events) != 1 || got.Events[0].CalendarID != "good" {
		t.Errorf("Events = %v, want what good gave", shown(got.Events))
	}
	if want := noon.Add(-5 * time.Hour); !got.AsOf.Equal(want) {
		t.Errorf("AsOf = %s, want the oldest, %s", got.AsOf, want)
	}
}

// partial answers, but not completely.
type partial struct{ calendar.Reader }

func (p partial) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	listing, err := p.Reader.Events(ctx, window)
	listing.Complete = false
	listing.Problems = []calendar.Problem{{CalendarID: "inner", Err: fault.ErrInvalid}}
	return listing, err
}

func TestMergePassesProblemsOn(t *testing.T) {
	got, err := calendar.Merge([]calendar.Source{public("outer", partial{at(0)})}).Events(t.Context(), day)
	if err != nil || got.Complete || len(got.Problems) != 1 || got.Problems[0].CalendarID != "outer" {
		t.Errorf("Events = %+v, %v, want an incomplete listing with a problem of outer", got, err)
	}
}

func TestMergeWithoutAnyAnswer(t *testing.T) {
	tests := map[string][]calendar.Source{
		"all fail":     {public("a", mem.Broken{}), public("b", mem.Broken{Err: fault.ErrDenied})},
		"none":         nil,
		"none visible": {{ID: "a", Visibility: calendar.Private, Reader: at(0)}},
	}
	for name, sources := range tests {
		_, err := calendar.Merge(sources).Events(t.Context(), day)
		if !errors.Is(err, fault.ErrUnavailable) || errors.Is(err, fault.ErrDenied) {
			t.Errorf("Events with %s = %v, want ErrUnavailable and no other kind", name, err)
		}
	}
	if _, err := calendar.Merge(nil).Events(t.Context(), civil.TimeRange{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Events(empty window) = %v, want ErrInvalid", err)
	}
}

// deaf ignores its context and answers when told.
type deaf struct{ release chan struct{} }

func (d deaf) Events(context.Context, civil.TimeRange) (calendar.Listing, error) {
	<-d.release
	return calendar.Listing{Complete: true}, nil
}

func TestMergeDoesNotWaitPastTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := deaf{release: make(chan struct{})}
		defer close(d.release)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		got, err := calendar.Merge([]calendar.Source{
			public("deaf", d), public("hangs", mem.Broken{Hang: true}), public("good", at(0, event("1", "Talk", 0))),
		}).Events(ctx, day)
		if err != nil {
			t.Fatalf("Events = %v, want what good gave", err)
		}
		if waited := time.Since(began); waited != time.Second {
			t.Errorf("Events took %s, want the deadline's second", waited)
		}
		if got.Complete || len(got.Problems) != 2 || len(got.Events) != 1 {
			t.Errorf("Events = %v, complete %v, problems %v, want one event and two problems", shown(got.Events), got.Complete, got.Problems)
		}

		_, err = calendar.Merge([]calendar.Source{public("deaf", d)}).Events(ctx, day)
		if !errors.Is(err, fault.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Events with only a deaf calendar = %v, want ErrUnavailable and the deadline", err)
		}
	})
}

// gate answers once all of its readers are being read.
type gate struct {
	arrived chan struct{}
	open    chan struct{}
}

func (g gate) Events(context.Context, civil.TimeRange) (calendar.Listing, error) {
	g.arrived <- struct{}{}
	<-g.open
	return calendar.Listing{Complete: true}, nil
}

func TestMergeReadsAtTheSameTime(t *testing.T) {
	g := gate{arrived: make(chan struct{}), open: make(chan struct{})}
	done := make(chan error)
	go func() {
		_, err := calendar.Merge([]calendar.Source{public("a", g), public("b", g)}).Events(t.Context(), day)
		done <- err
	}()
	<-g.arrived
	<-g.arrived // only when both are being read at once
	close(g.open)
	if err := <-done; err != nil {
		t.Errorf("Events = %v, want a listing", err)
	}
}

// Attendees are for the owner only, who sees private calendars too, and the same event in two of them twice.
func TestMergeOwn(t *testing.T) {
	start := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	e := calendar.Event{ID: "event1", Title: "Lunch", Start: start, Attendees: []string{"guest@example.com"}}
	sources := []calendar.Source{
		{ID: "open", Visibility: calendar.Public, Reader: mem.New("a", e)},
		{ID: "own", Visibility: calendar.Private, Reader: mem.New("b", e)},
	}
	w := civil.TimeRange{Start: start, End: start.Add(time.Hour)}
	visitors, err := calendar.Merge(sources).Events(t.Context(), w)
	if err != nil || len(visitors.Events) != 1 || visitors.Events[0].Attendees != nil {
		t.Errorf("Merge(...).Events = %+v, %v, want one event without attendees", visitors.Events, err)
	}
	owners, err := calendar.MergeOwn(sources).Events(t.Context(), w)
	if err != nil || len(owners.Events) != 2 {
		t.Fatalf("MergeOwn(...).Events = %+v, %v, want the event of both calendars", owners.Events, err)
	}
	for i, id := range []string{"open", "own"} {
		if e := owners.Events[i]; e.CalendarID != id || len(e.Attendees) != 1 {
			t.Errorf("MergeOwn(...).Events[%d] = %+v, want that of %s with its attendees", i, e, id)
		}
	}
}
