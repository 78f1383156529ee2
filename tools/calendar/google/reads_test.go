package google_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/google"
	"annai/tools/calendar/google/emulator"
)

func titles(events []calendar.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.Title)
	}
	return all
}

// Everything odd that a page may have in it.
func TestOddEvents(t *testing.T) {
	day := `"start":{"date":"2026-01-15"},"end":{"date":"2026-01-16"}`
	page := fmt.Sprintf(`{"kind":"calendar#events","timeZone":"Asia/Tokyo","accessRole":"owner","items":[
		{"id":"a","status":"cancelled"},
		null,
		{"id":"b","status":"cancelled","recurringEventId":"s","originalStartTime":{"date":"2026-01-15"}},
		{"id":"c","summary":"Transparent","transparency":"transparent",%[1]s},
		{"id":"d","summary":"Declined","attendees":[{"email":"me@example.org","self":true,"responseStatus":"declined"},null],%[1]s},
		{"id":"e","summary":"They declined","attendees":[{"email":"you@example.org","responseStatus":"declined"}],%[1]s},
		{"id":"f","summary":"Private","visibility":"confidential",%[1]s},
		{"id":"g","summary":"Zero days","start":{"date":"2026-01-15"},"end":{"date":"2026-01-15"}},
		{"id":"h","summary":"No end","start":{"dateTime":"2026-01-15T03:00:00Z"}},
		{"id":"i","summary":"Unknown zone","start":{"dateTime":"2026-01-15T04:00:00Z","timeZone":"Mars/Base"},"end":{"dateTime":"2026-01-15T05:00:00Z"}},
		{"id":"j","summary":"Link","htmlLink":"https://www.google.com/calendar/event?eid=x","source":{"url":"https://example.org/"},%[1]s},
		{"id":"o","summary":"No page","source":{"url":"javascript:alert(1)"},%[1]s},
		{"id":"k","summary":"Page","htmlLink":"https://www.google.com/calendar/event?eid=x",%[1]s},
		{"id":"l","summary":"No start"},
		{"id":"m","summary":"Backwards","start":{"dateTime":"2026-01-15T05:00:00Z"},"end":{"dateTime":"2026-01-15T04:00:00Z"}},
		{"id":"n","summary":"Yesterday","start":{"date":"2026-01-14"},"end":{"date":"2026-01-15"}}
	]}`, day)
	_, c := scripted(t, say(200, page))
	got, err := c.Events(t.Context(), theDay(t))
	if err != nil {
		t.Fatalf("Events = %v", err)
	}
	if got.Complete || len(got.Problems) != 2 {
		t.Errorf("Events = complete %v, problems %v, want two events that can't be understood", got.Complete, got.Problems)
	}
	want := []string{"Declined", "Link", "No page", "Page", "Private", "They declined", "Transparent", "Zero days", "No end", "Unknown zone"}
	if diff := cmp.Diff(want, titles(got.Events)); diff != "" {
		t.Errorf("Events (-want +got):\n%s", diff)
	}
	for _, e := range got.Events {
		if free := e.Title == "Declined" || e.Title == "Transparent"; e.Free != free {
			t.Errorf("%s: Free = %v, want %v", e.Title, e.Free, free)
		}
		if private := e.Title == "Private"; private != (e.Visibility == calendar.Private) {
			t.Errorf("%s: Visibility = %s", e.Title, e.Visibility)
		}
		if e.Title == "Zero days" && e.EndDay != e.FirstDay.AddDays(1) {
			t.Errorf("%s: EndDay = %s, want the day after %s", e.Title, e.EndDay, e.FirstDay)
		}
		if e.Title == "No end" && (!e.EndInferred || e.End.Sub(e.Start) != time.Hour || e.TimeZone != "Asia/Tokyo") {
			t.Errorf("%s: = %+v, want an hour in the calendar's zone", e.Title, e)
		}
		if url := map[string]string{"Link": "https://example.org/"}[e.Title]; e.URL != url {
			t.Errorf("%s: URL = %q, want %q", e.Title, e.URL, url)
		}
	}
}

// The page of an event at Google names the calendar, so it is given to those who ask for it only.
func TestLinks(t *testing.T) {
	w := newWorld(t, emulator.Options{})
	opts := w.options(t)
	opts.Links = true
	made, err := w.account(t, opts).Calendar(google.Primary).Create(t.Context(), aLunch(t))
	if err != nil || !strings.HasPrefix(made.URL, "https://www.google.com/calendar/event?eid=") {
		t.Errorf("Create with Links = %q, %v, want the address of its page", made.URL, err)
	}
	if got, err := w.calendar(t).Get(t.Context(), made.ID); err != nil || got.URL != "" {
		t.Errorf("Get without Links = %q, %v, want no address", got.URL, err)
	}
}

func TestSeriesAreExpanded(t *testing.T) {
	w := newWorld(t, emulator.Options{})
	c := w.calendar(t)
	e := aLunch(t)
	e.Recurrence = []string{"RRULE:FREQ=WEEKLY;COUNT=3"}
	if _, err := c.Create(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if err := w.Emulator.Delete(google.Primary, "lunch_20260122T030000Z"); err != nil {
		t.Fatal(err)
	}
	got, err := c.Events(t.Context(), civil.TimeRange{Start: e.Start.AddDate(0, 0, -1), End: e.Start.AddDate(0, 1, 0)})
	if err != nil || len(got.Events) != 2 || got.Events[0].ID != "lunch_20260115T030000Z" || got.Events[1].ID != "lunch_20260129T030000Z" {
		t.Errorf("Events = %+v, %v, want the two instances that are left", got.Events, err)
	}
	one, err := c.Get(t.Context(), "lunch_20260129T030000Z")
	if err != nil || one.SeriesID != "lunch" || one.Recurrence != nil {
		t.Errorf("Get(an instance) = %+v, %v, want it with its series", one, err)
	}
}

func TestManyPages(t *testing.T) {
	w := newWorld(t, emulator.Options{ShortPages: true})
	const n = 1400
	for i := range n {
		at := time.Date(2026, 1, 15, 0, 0, i, 0, time.UTC).Format(time.RFC3339)
		if _, err := w.Put(google.Primary, emulator.Event{
			ID: fmt.Sprintf("event%d", i), Summary: "x", Start: &emulator.Time{DateTime: at}, End: &emulator.Time{DateTime: at},
		}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := w.calendar(t).Events(t.Context(), theDay(t))
	if err != nil || len(got.Events) != n || !got.Complete {
		t.Errorf("Events = %d, %v, complete %v, want %d", len(got.Events), err, got.Complete, n)
	}
	if pages := w.Requests()["events.list"]; pages < 3 {
		t.Errorf("Events asked for %d pages, want more", pages)
	}
	opts := w.options(t)
	opts.MaxEvents = 100
	got, err = w.account(t, opts).Calendar(google.Primary).Events(t.Context(), theDay(t))
	if err != nil || len(got.Events) != 100 || got.Complete {
		t.Errorf("Events with MaxEvents 100 = %d, %v, complete %v, want 100 and not complete", len(got.Events), err, got.Complete)
	}
}

func TestEdgesOfTime(t *testing.T) {
	w := newWorld(t, emulator.Options{})
	c := w.calendar(t)
	for _, window := range []civil.TimeRange{
		{Start: time.Time{}, End: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)},
		{Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), End: time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC)},
		{Start: time.Date(2026, 1, 1, 0, 0, 0, 1, time.UTC), End: time.Date(2026, 1, 1, 0, 0, 0, 2, time.UTC)},
	} {
		if got, err := c.Events(t.Context(), window); err != nil || !got.Complete {
			t.Errorf("Events(%v) = %v, complete %v, want an answer", window, err, got.Complete)
		}
	}
}

// A calendar that may only be seen as busy or not.
func TestFreeBusy(t *testing.T) {
	w := newWorld(t, emulator.Options{})
	c := w.account(t, w.options(t)).Calendar("boss@example.org")
	w.AddCalendar(emulator.Calendar{ID: "boss@example.org"})
	for i, length := range []time.Duration{time.Hour, 30 * time.Minute, 90 * 24 * time.Hour} {
		e := asGoogle(calendar.Event{
			ID: fmt.Sprint("busy", i), Title: "Secret", Start: aLunch(t).Start, End: aLunch(t).Start.Add(length), TimeZone: "Asia/Tokyo",
		})
		if i == 2 {
			e.Start.DateTime, e.End.DateTime = "2026-02-01T00:00:00Z", "2026-05-02T00:00:00Z"
		}
		if _, err := w.Put("boss@example.org", e); err != nil {
			t.Fatal(err)
		}
	}
	w.AddCalendar(emulator.Calendar{ID: "boss@example.org", AccessRole: "freeBusyReader"})
	half := civil.TimeRange{Start: theDay(t).Start, End: theDay(t).Start.AddDate(0, 6, 0)}
	for range 2 {
		got, err := c.Events(t.Context(), half)
		if err != nil || !got.Complete || len(got.Events) != 2 {
			t.Fatalf("Events = %+v, %v, want when it is busy", got, err)
		}
		for _, e := range got.Events {
			if e.Title != "" || e.Visibility != calendar.Busy || !e.Busy() || e.ID == "" || e.ETag == "" {
				t.Errorf("Events = %+v, want nothing but when", e)
			}
		}
		if e := got.Events[0]; !e.Start.Equal(aLunch(t).Start) || e.End.Sub(e.Start) != time.Hour {
			t.Errorf("the first busy time is %s to %s, want lunch", e.Start, e.End)
		}
		if e := got.Events[1]; e.End.Sub(e.Start) != 90*24*time.Hour {
			t.Errorf("the second busy time is %s to %s, want it in one piece", e.Start, e.End)
		}
	}
	if lists := w.Requests()["events.list"]; lists != 1 {
		t.Errorf("%d lists of events, want one: then it is known that there are none", lists)
	}
	for name, feed := range map[string]*google.Calendar{"known": c, "not yet known": w.account(t, w.options(t)).Calendar("boss@example.org")} {
		got, err := feed.Changes(t.Context(), "")
		if err != nil || !got.Full || got.Next != "" || len(got.Events) != 2 || got.Within.End.Sub(got.Within.Start) != 120*24*time.Hour {
			t.Errorf("Changes (%s) = %+v, %v, want the busy times of 120 days", name, got, err)
		}
	}
	w.AddCalendar(emulator.Calendar{ID: "boss@example.org", AccessRole: "reader"})
	if err := w.sleep(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Events(t.Context(), half); err != nil || len(got.Events) != 3 || got.Events[0].Title != "Secret" {
		t.Errorf("Events an hour after more was allowed = %+v, %v, want the events", got.Events, err)
	}
	w.RemoveCalendar("boss@example.org")
	if got, err := c.Events(t.Context(), half); calendar.KindOf(err) != calendar.NotFound {
		t.Errorf("Events of a calendar that can't be read any more = %+v, %v, want a failure, not free", got, err)
	}
}

func TestFreeBusyErrors(t *testing.T) {
	for body, kind := range map[string]calendar.Kind{
		`{"calendars":{"team":{"errors":[{"domain":"global","reason":"notFound"}],"busy":[]}}}`:      calendar.NotFound,
		`{"calendars":{"team":{"errors":[{"domain":"global","reason":"internalError"}],"busy":[]}}}`: calendar.Unavailable,
		`{"calendars":{}}`: calendar.Unavailable,
		`{"calendars":{"team":{"busy":[{"start":"soon","end":"later"}]}}}`: calendar.Unavailable,
	} {
		s := &script{answers: []answer{say(200, body)}}
		c := s.account(t, google.Options{Granted: granted{freeBusy: true}}).Calendar("team")
		if got, err := c.Events(t.Context(), theDay(t)); err == nil || calendar.KindOf(err) != kind {
			t.Errorf("Events where google says %s = %+v, %v, want kind %s", body, got, err, kind)
		}
	}
}

func TestCalendars(t *testing.T) {
	w := newWorld(t, emulator.Options{ShortPages: true})
	w.AddCalendar(emulator.Calendar{ID: "team@example.org", Summary: "Team", AccessRole: "reader", TimeZone: "Europe/Berlin"})
	got, err := w.account(t, w.options(t)).Calendars(t.Context())
	want := []google.Entry{
		{ID: "owner@example.com", Label: "owner@example.com", Role: "owner", Primary: true, TimeZone: "Asia/Tokyo"},
		{ID: "team@example.org", Label: "Team", Role: "reader", TimeZone: "Europe/Berlin"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Calendars = %v (-want +got):\n%s", err, diff)
	}
	if !got[0].Writable() || got[1].Writable() {
		t.Errorf("Writable = %v, %v, want the first only", got[0].Writable(), got[1].Writable())
	}
}
