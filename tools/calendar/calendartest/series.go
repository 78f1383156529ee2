package calendartest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
)

// weekly is the sample on Thursdays, four times, of which the second is left out.
func weekly(t *testing.T) calendar.Event {
	t.Helper()
	e := sample(t)
	e.Recurrence = []string{"RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;TZID=Asia/Tokyo:20260122T120000"}
	return e
}

// spans writes when events are, in loc.
func spans(events []calendar.Event, loc *time.Location) []string {
	var all []string
	for _, e := range events {
		if e.AllDay {
			all = append(all, fmt.Sprintf("%s/%s", e.FirstDay, e.EndDay))
			continue
		}
		all = append(all, e.Start.In(loc).Format("01-02 15:04")+"-"+e.End.In(loc).Format("15:04"))
	}
	return all
}

// wantSpans reads two months from the sample on.
func wantSpans(t *testing.T, what string, w calendar.Writer, loc *time.Location, want ...string) []calendar.Event {
	t.Helper()
	got := read(t, w, window(sample(t).Start.AddDate(0, 0, -7), 70*24*time.Hour))
	if !got.Complete {
		t.Errorf("%s: Events is not complete: %v", what, got.Problems)
	}
	if diff := cmp.Diff(want, spans(got.Events, loc)); diff != "" {
		t.Errorf("%s: Events (-want +got):\n%s", what, diff)
	}
	return got.Events
}

func series(t *testing.T, w calendar.Writer) {
	e := weekly(t)
	e.ID = "serie5abc"
	made := mustCreate(t, w, e)
	if !made.Same(e) || made.SeriesID != "" {
		t.Errorf("Create(a series) = %+v, want it with its recurrence, and no instance", made)
	}
	if diff := cmp.Diff(made, mustGet(t, w, made.ID), anyInference); diff != "" {
		t.Errorf("Get(a series) (-created +got):\n%s", diff)
	}
	tokyo := Zone(t, "Asia/Tokyo")
	first := wantSpans(t, "a series", w, tokyo, "01-15 12:00-13:30", "01-29 12:00-13:30", "02-05 12:00-13:30")
	seen := map[string]bool{made.ID: true}
	for _, e := range first {
		if seen[e.ID] {
			t.Errorf("id %s is there twice", e.ID)
		}
		seen[e.ID] = true
		if e.SeriesID != made.ID || len(e.Recurrence) > 0 || e.ETag == "" || e.Title != "Sample" || e.TimeZone != "Asia/Tokyo" {
			t.Errorf("instance = %+v, want one of series %s, without recurrence", e, made.ID)
		}
	}
	week := read(t, w, window(first[1].Start.AddDate(0, 0, -1), 48*time.Hour)).Events
	if len(week) != 1 || !cmp.Equal(week[0], first[1]) {
		t.Errorf("Events of the days around an instance = %+v, want it as it was in another read: %+v", week, first[1])
	}
	if got := mustCreate(t, w, e); !cmp.Equal(got, made, anyInference) {
		t.Errorf("Create(the series) again = %+v, want what is there: %+v", got, made)
	}
}

func seriesOverChange(t *testing.T, w calendar.Writer) {
	newYork := Zone(t, "America/New_York")
	start := time.Date(2026, 2, 22, 9, 0, 0, 0, newYork)
	mustCreate(t, w, calendar.Event{
		Title: "Sundays at nine", Start: start, End: start.Add(time.Hour), TimeZone: "America/New_York",
		Recurrence: []string{"RRULE:FREQ=WEEKLY;UNTIL=20260315T130000Z"},
	})
	events := wantSpans(t, "Sundays at nine", w, newYork,
		"02-22 09:00-10:00", "03-01 09:00-10:00", "03-08 09:00-10:00", "03-15 09:00-10:00")
	if n := len(events); n == 4 && events[2].Start.Sub(events[1].Start) != 7*24*time.Hour-time.Hour {
		t.Errorf("from the week before the change of the clock to that of it = %s, want an hour less than a week", events[2].Start.Sub(events[1].Start))
	}
}

func seriesAllDay(t *testing.T, w calendar.Writer) {
	first := civil.Date{Year: 2026, Month: 1, Day: 30}
	mustCreate(t, w, calendar.Event{
		Title: "The last days of the month", AllDay: true, FirstDay: first, EndDay: first.AddDays(2),
		Recurrence: []string{"RRULE:FREQ=MONTHLY;BYMONTHDAY=-2;UNTIL=20260330", "RDATE;VALUE=DATE:20260210", "EXDATE;VALUE=DATE:20260227"},
	})
	wantSpans(t, "an all-day series", w, time.UTC, "2026-01-30/2026-02-01", "2026-02-10/2026-02-12")
}

func updateSeries(t *testing.T, w calendar.Writer) {
	made := mustCreate(t, w, weekly(t))
	before := read(t, w, window(made.Start, time.Hour)).Events
	title := "Changed"
	after := mustUpdate(t, w, made.ID, changeOf(&title, nil, nil), made.ETag)
	if diff := cmp.Diff(contents(made.With(changeOf(&title, nil, nil))), contents(after)); diff != "" {
		t.Errorf("Update(a series) (-want +got):\n%s", diff)
	}
	tokyo := Zone(t, "Asia/Tokyo")
	for _, e := range wantSpans(t, "a series after an update", w, tokyo, "01-15 12:00-13:30", "01-29 12:00-13:30", "02-05 12:00-13:30") {
		if e.Title != title || len(before) != 1 || e.ETag == before[0].ETag {
			t.Errorf("instance after an update of the series = %q with etag %s, want %q and another etag", e.Title, e.ETag, title)
		}
	}
}

func moveSeries(t *testing.T, w calendar.Writer) {
	e := sample(t)
	e.Recurrence = []string{"RRULE:FREQ=WEEKLY;COUNT=3"}
	made := mustCreate(t, w, e)
	friday := made.Start.AddDate(0, 0, 1)
	when := calendar.When{Start: friday, End: friday.Add(time.Hour), TimeZone: "Asia/Tokyo"}
	after := mustUpdate(t, w, made.ID, calendar.Change{When: &when}, made.ETag)
	if !cmp.Equal(after.Recurrence, e.Recurrence) {
		t.Errorf("Update(when) of a series: recurrence = %v, want it as it was", after.Recurrence)
	}
	wantSpans(t, "a series that was moved", w, friday.Location(), "01-16 12:00-13:00", "01-23 12:00-13:00", "01-30 12:00-13:00")
}

func instances(t *testing.T, w calendar.Writer) {
	made := mustCreate(t, w, weekly(t))
	got := read(t, w, window(made.Start.AddDate(0, 0, 7), 10*24*time.Hour)).Events
	if len(got) != 1 {
		t.Fatalf("Events = %v, want one instance", ids(got))
	}
	one := got[0]
	if diff := cmp.Diff(one, mustGet(t, w, one.ID)); diff != "" {
		t.Errorf("Get(an instance) (-listed +got):\n%s", diff)
	}
	title := "Never"
	wantKind(t, "Update(an instance)", calendar.Instance, updating(t, w, one.ID, changeOf(&title, nil, nil), ""))
	wantKind(t, "Update(an instance, its etag)", calendar.Instance, updating(t, w, one.ID, changeOf(&title, nil, nil), one.ETag))
	wantKind(t, "Delete(an instance)", calendar.Instance, deleting(t, w, one.ID, ""))
	if diff := cmp.Diff(made, mustGet(t, w, made.ID), anyInference); diff != "" {
		t.Errorf("the series after writes to an instance (-before +after):\n%s", diff)
	}
}

func removeSeries(t *testing.T, w calendar.Writer) {
	made := mustCreate(t, w, weekly(t))
	if err := w.Delete(t.Context(), made.ID, made.ETag); err != nil {
		t.Fatalf("Delete(a series) = %v, want nil", err)
	}
	wantSpans(t, "a deleted series", w, time.UTC)
	wantKind(t, "Delete(a series) again", calendar.Gone, deleting(t, w, made.ID, ""))
}

func recurrenceInvalid(t *testing.T, w calendar.Writer) {
	for _, line := range []string{
		"", "RRULE", "FREQ=DAILY", "RRULE:FREQ=OFTEN", "RRULE:FREQ=DAILY;COUNT=0", "RRULE:FREQ=DAILY;UNTIL=tomorrow", "EXDATE:never", "X-RULE:FREQ=DAILY",
		"DTSTART:20260115T120000Z",
	} {
		e := sample(t)
		e.Recurrence = []string{line}
		if err := creating(t, w, e)(); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Create(recurrence %q) = %v, want ErrInvalid", line, err)
		}
	}
	wantNothing(t, w)
}

func attendees(t *testing.T, w calendar.Writer) {
	e := sample(t)
	e.Attendees = []string{"first@example.org", "second@example.org"}
	made := mustCreate(t, w, e)
	title := "Changed"
	when := made.When()
	when.Start, when.End = when.Start.Add(time.Hour), when.End.Add(time.Hour)
	after := mustUpdate(t, w, made.ID, calendar.Change{Title: &title, When: &when}, "")
	for call, got := range map[string]calendar.Event{"Create": made, "Update": after, "Get": mustGet(t, w, made.ID)} {
		if diff := cmp.Diff(e.Attendees, got.Attendees); diff != "" {
			t.Errorf("attendees after %s (-want +got):\n%s", call, diff)
		}
	}
}

func callersLists(t *testing.T, w calendar.Writer) {
	e := weekly(t)
	e.Attendees = []string{"guest@example.org"}
	made := mustCreate(t, w, e)
	scribble := func(events ...calendar.Event) {
		for _, e := range events {
			for _, list := range [][]string{e.Recurrence, e.Attendees} {
				for i := range list {
					list[i] = "changed by the caller"
				}
			}
		}
	}
	title := "Changed"
	scribble(e, made)
	scribble(mustUpdate(t, w, made.ID, changeOf(&title, nil, nil), ""))
	scribble(mustGet(t, w, made.ID))
	scribble(read(t, w, window(made.Start, time.Hour)).Events...)
	got := mustGet(t, w, made.ID)
	if want := weekly(t); !cmp.Equal(got.Recurrence, want.Recurrence) || !cmp.Equal(got.Attendees, []string{"guest@example.org"}) {
		t.Errorf("Get after callers changed what they have = %v, %v, want it as it was created", got.Recurrence, got.Attendees)
	}
	for _, instance := range read(t, w, window(made.Start, 30*24*time.Hour)).Events {
		if !cmp.Equal(instance.Attendees, []string{"guest@example.org"}) {
			t.Errorf("attendees of an instance after callers changed what they have = %v, want them as they were created", instance.Attendees)
		}
	}
}
