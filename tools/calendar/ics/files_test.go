package ics_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/ics"
)

// windowOf reads two dates, the second excluded, in a zone: "2026-01-05 2026-01-06 Asia/Tokyo".
func windowOf(t *testing.T, s string) civil.TimeRange {
	t.Helper()
	parts := strings.Fields(s)
	var days [2]civil.Date
	for i := range days {
		d, err := civil.ParseDate(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		days[i] = d
	}
	return civil.Days(days[0], days[1], calendartest.Zone(t, parts[2]))
}

// line writes an event for people: "2026-01-05 19:00-20:00 Asia/Tokyo Class", "2026-01-05/2026-01-06 Day".
func line(e calendar.Event) string {
	var when string
	switch {
	case e.AllDay:
		when = fmt.Sprintf("%s/%s", e.FirstDay, e.EndDay)
	case civil.DateOf(e.Start) == civil.DateOf(e.End):
		when = fmt.Sprintf("%s-%s %s", e.Start.Format("2006-01-02 15:04"), e.End.Format("15:04"), e.TimeZone)
	default:
		when = fmt.Sprintf("%s-%s %s", e.Start.Format("2006-01-02 15:04"), e.End.Format("2006-01-02 15:04"), e.TimeZone)
	}
	if e.EndInferred {
		when += " ?"
	}
	if e.Status != calendar.Confirmed {
		when += " " + string(e.Status)
	}
	return when + " " + e.Title
}

func lines(events []calendar.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, line(e))
	}
	return all
}

func testdata(t *testing.T, name string, opts ics.Options) *ics.Reader {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return fileOf(t, string(text), opts)
}

func TestFiles(t *testing.T) {
	tests := []struct {
		name, file, window string
		limit              int
		want               []string
		problems           []string // what each is about
	}{
		{
			name: "zones in summer", file: "zones.ics", window: "2026-07-01 2026-07-03 Asia/Tokyo",
			want: []string{
				"2026-07-01 09:00-10:00 Asia/Seoul Floating",
				"2026-07-01 09:00-10:00 Asia/Tokyo Windows name",
				"2026-07-01 09:00-10:00 Europe/Paris Alias",
				"2026-07-01 09:00-10:00 Europe/Berlin Name with a prefix",
				"2026-07-01 09:00-10:00 UTC UTC",
				"2026-07-01 20:30-21:30 Asia/Seoul Our own in summer",
				"2026-07-01 09:00-10:00 America/New_York IANA name",
			},
			problems: []string{`"i"`, `"j"`},
		},
		{
			name: "zones in winter", file: "zones.ics", window: "2026-01-05 2026-01-06 Asia/Tokyo",
			want:     []string{"2026-01-05 21:30-22:30 Asia/Seoul Our own in winter"},
			problems: []string{`"i"`, `"j"`},
		},
		{
			name: "EXDATE and RDATE", file: "exceptions.ics", window: "2026-01-05 2026-02-10 Asia/Tokyo",
			want: []string{
				"2026-01-05/2026-01-06 ? Days",
				"2026-01-05 19:00-20:00 Asia/Tokyo Weekly",
				"2026-01-07/2026-01-08 ? Days",
				"2026-01-08/2026-01-09 ? Days",
				"2026-01-13 19:00-20:00 Asia/Tokyo Weekly",
				"2026-01-20 18:00-19:00 Asia/Tokyo Weekly",
				"2026-01-21 18:00-21:00 Asia/Tokyo Weekly",
				"2026-01-22 18:00-18:30 Asia/Tokyo Weekly",
				"2026-02-02/2026-02-03 ? Days",
				"2026-02-09/2026-02-10 ? Days",
				"2026-02-09 19:00-20:00 Asia/Tokyo Weekly",
			},
		},
		{
			name: "replaced instances", file: "overrides.ics", window: "2026-01-05 2026-03-11 Asia/Tokyo",
			want: []string{
				"2026-01-05 19:00-20:00 Asia/Tokyo Class",
				"2026-01-06 19:00-20:00 Asia/Tokyo Class, brought forward by far",
				"2026-01-07 11:00-12:00 UTC Of a series that is not here",
				"2026-01-12 19:00-20:00 Asia/Tokyo cancelled Class",
				"2026-01-20 20:00-21:30 Asia/Tokyo Class, moved",
				"2026-01-26 19:00-20:00 Asia/Tokyo Class",
				"2026-02-03 10:00-12:00 Asia/Tokyo Class in the morning",
				"2026-02-09 12:00-13:00 Asia/Tokyo Class, once outdoors",
				"2026-02-17 10:00-12:00 Asia/Tokyo Class in the morning",
				"2026-02-24 10:00-12:00 Asia/Tokyo Class in the morning",
				"2026-03-02 19:00-20:00 Asia/Tokyo cancelled Class",
				"2026-03-09 19:00-20:00 Asia/Tokyo cancelled Class",
			},
		},
		{
			name: "the day that an instance was moved to", file: "overrides.ics", window: "2026-01-20 2026-01-21 Asia/Tokyo",
			want: []string{"2026-01-20 20:00-21:30 Asia/Tokyo Class, moved"},
		},
		{
			name: "the day that an instance was moved from", file: "overrides.ics", window: "2026-01-19 2026-01-20 Asia/Tokyo",
		},
		{
			name: "the day that all later ones were moved to", file: "overrides.ics", window: "2026-02-17 2026-02-18 Asia/Tokyo",
			want: []string{"2026-02-17 10:00-12:00 Asia/Tokyo Class in the morning"},
		},
		{
			name: "replaced days", file: "overrides.ics", window: "2026-04-01 2026-04-07 UTC",
			want: []string{
				"2026-04-01/2026-04-02 ? Days",
				"2026-04-02 01:00-02:00 UTC At a time for once",
				"2026-04-04/2026-04-06 Days, a day later",
				"2026-04-05/2026-04-07 Days, a day later",
				"2026-04-06/2026-04-08 Days, a day later",
				"2026-04-06 19:00-20:00 Asia/Tokyo cancelled Class",
			},
		},
		{
			name: "ends of rules", file: "ends.ics", window: "2026-01-05 2026-02-01 Asia/Tokyo",
			want: []string{
				"2026-01-05/2026-01-06 ? Days until",
				"2026-01-05/2026-01-06 ? Days until an instant",
				"2026-01-05 08:00-09:00 Asia/Tokyo ? Until an instant",
				"2026-01-05 08:01-09:01 Asia/Tokyo ? Until a date",
				"2026-01-05 08:02-09:02 Asia/Tokyo ? Until a local time",
				"2026-01-05 08:03-09:03 Asia/Tokyo ? Until just before",
				"2026-01-05 08:04-09:04 Asia/Tokyo ? Three times",
				"2026-01-05 08:05-09:05 Asia/Tokyo ? Start out of step",
				"2026-01-06/2026-01-07 ? Days until",
				"2026-01-06/2026-01-07 ? Days until an instant",
				"2026-01-06 08:00-09:00 Asia/Tokyo ? Until an instant",
				"2026-01-06 08:01-09:01 Asia/Tokyo ? Until a date",
				"2026-01-06 08:02-09:02 Asia/Tokyo ? Until a local time",
				"2026-01-06 08:03-09:03 Asia/Tokyo ? Until just before",
				"2026-01-06 08:04-09:04 Asia/Tokyo ? Three times",
				"2026-01-07/2026-01-08 ? Days until",
				"2026-01-07 08:00-09:00 Asia/Tokyo ? Until an instant",
				"2026-01-07 08:01-09:01 Asia/Tokyo ? Until a date",
				"2026-01-07 08:02-09:02 Asia/Tokyo ? Until a local time",
				"2026-01-07 08:04-09:04 Asia/Tokyo ? Three times",
				"2026-01-07 08:05-09:05 Asia/Tokyo ? Start out of step",
			},
		},
		{
			name: "lengths", file: "lengths.ics", window: "2026-03-28 2026-03-29 Europe/Berlin",
			want: []string{
				"2026-03-27/2026-03-30 Three days",
				"2026-03-27/2026-03-29 Two days by duration",
				"2026-03-27 22:00-2026-03-28 01:00 Europe/Berlin Over midnight",
				"2026-03-28/2026-03-29 ? Day that forgot",
				"2026-03-28/2026-03-29 ? Day without end",
				"2026-03-28 20:00-21:30 Europe/Berlin Duration",
				"2026-03-28 21:00-2026-03-29 21:00 Europe/Berlin A day by the calendar",
				"2026-03-28 22:00-2026-03-29 23:00 Europe/Berlin A day by the clock",
				"2026-03-28 23:00-2026-03-29 00:00 Europe/Berlin ? No end",
				"2026-03-28 23:30-23:30 Europe/Berlin A moment",
			},
		},
		{
			name: "clocks put forward", file: "dst.ics", window: "2026-03-07 2026-03-10 America/New_York",
			want: []string{
				"2026-03-07 01:30-02:00 America/New_York Twice on the clock",
				"2026-03-07 02:30-03:30 America/New_York In the gap",
				"2026-03-08 01:30-03:00 America/New_York Twice on the clock",
				"2026-03-08 03:30-04:30 America/New_York In the gap",
				"2026-03-09 01:30-02:00 America/New_York Twice on the clock",
				"2026-03-09 02:30-03:30 America/New_York In the gap",
			},
		},
		{
			name: "clocks put forward in Berlin", file: "dst.ics", window: "2026-03-29 2026-03-30 Europe/Berlin",
			want: []string{
				"2026-03-29 03:30-04:00 Europe/Berlin In the gap in Berlin",
				"2026-03-29 01:30-02:00 America/New_York Twice on the clock",
				"2026-03-29 02:30-03:30 America/New_York In the gap",
			},
		},
		{
			name: "clocks put back", file: "dst.ics", window: "2026-11-01 2026-11-02 America/New_York",
			want: []string{
				"2026-11-01 01:30-01:00 America/New_York Twice on the clock",
				"2026-11-01 02:30-03:30 America/New_York In the gap",
			},
		},
		{
			name: "text", file: "text.ics", window: "2026-01-05 2026-01-06 Asia/Tokyo",
			want: []string{
				"2026-01-05 09:00-10:00 Asia/Tokyo ? lower case and LF",
				`2026-01-05 10:00-11:00 Asia/Tokyo ? 読書会, 第1回; \"朗読\" C:\x and more`,
				"2026-01-05 11:00-12:00 Asia/Tokyo ? tentative Odd address",
			},
		},
		{
			name: "broken events", file: "broken.ics", window: "2026-01-05 2026-01-06 UTC",
			want: []string{
				"2026-01-05 01:00-02:00 UTC ? Good one",
				"2026-01-05 02:00-03:00 UTC ? Good two",
				"2026-01-05 04:00-05:00 UTC ? Second of two",
				"2026-01-05 05:00-06:00 UTC ? Without UID",
			},
			problems: []string{
				`"bad1"`, `"bad2"`, `"bad3"`, `"bad4"`, `"bad5"`, `"bad6"`, `"bad7"`, `"bad8"`, `"bad9"`, "twice",
			},
		},
		{
			name: "endless rules", file: "endless.ics", limit: 8, window: "2026-02-01 2026-02-03 UTC",
			want: []string{
				"2026-02-01 00:00-00:00 UTC Every second",
				"2026-02-01 00:00-00:00 UTC Every second",
				"2026-02-02 02:00-03:00 UTC ? An honest one",
			},
			problems: []string{`"count"`, `"position"`, `"panic"`, `"seconds"`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := ics.Options{Location: calendartest.Zone(t, "Asia/Seoul"), MaxInstances: tt.limit}
			got, err := testdata(t, tt.file, opts).Events(t.Context(), windowOf(t, tt.window))
			if err != nil {
				t.Fatalf("Events(%s) = %v, want a listing", tt.window, err)
			}
			if diff := cmp.Diff(tt.want, lines(got.Events)); diff != "" {
				t.Errorf("Events(%s) (-want +got):\n%s", tt.window, diff)
			}
			if got.Complete != (len(tt.problems) == 0) {
				t.Errorf("Complete = %v, want %v", got.Complete, len(tt.problems) == 0)
			}
			wantProblems(t, got.Problems, tt.problems)
		})
	}
}

func wantProblems(t *testing.T, got []calendar.Problem, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("problems = %v, want %d, about %v", got, len(want), want)
		return
	}
	for i, p := range got {
		if p.CalendarID != "test" || !strings.Contains(p.Err.Error(), want[i]) {
			t.Errorf("problem %d = %s: %v, want one of test about %s", i, p.CalendarID, p.Err, want[i])
		}
	}
}

func TestTextFields(t *testing.T) {
	got, err := testdata(t, "text.ics", ics.Options{}).Events(t.Context(), windowOf(t, "2026-01-05 2026-01-06 Asia/Tokyo"))
	if err != nil || len(got.Events) != 3 {
		t.Fatalf("Events = %v, %v, want three", lines(got.Events), err)
	}
	e := got.Events[1]
	e.Title, e.ETag, e.Start, e.End = "", "", time.Time{}, time.Time{}
	want := calendar.Event{
		ID: "text", CalendarID: "test", Description: "first\nsecond\nthird, not escaped and folded", Location: "Room: A",
		URL: "https://example.org/?a=1,2", EndInferred: true, TimeZone: "Asia/Tokyo",
		Status: calendar.Confirmed, Visibility: calendar.Public, Source: "ics",
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
	if odd := got.Events[2]; odd.URL != "" || odd.Visibility != calendar.Private {
		t.Errorf("event with an odd address and CLASS:PRIVATE = URL %q, visibility %q, want none and private", odd.URL, odd.Visibility)
	}
}

func TestInstancesHaveStableIDs(t *testing.T) {
	r := testdata(t, "overrides.ics", ics.Options{})
	seen := map[string]string{}
	for _, w := range []string{"2026-01-05 2026-03-11 Asia/Tokyo", "2026-01-12 2026-02-10 UTC", "2026-04-01 2026-04-07 UTC"} {
		got, err := r.Events(t.Context(), windowOf(t, w))
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, e := range got.Events {
			if ids[e.ID] {
				t.Errorf("id %s is there twice in %s", e.ID, w)
			}
			ids[e.ID] = true
			if old, ok := seen[e.ID]; ok && old != line(e) {
				t.Errorf("id %s is %q in one window and %q in another", e.ID, old, line(e))
			}
			seen[e.ID] = line(e)
			if e.SeriesID == "" || !strings.HasPrefix(e.ID, e.SeriesID+"/") || e.ETag == "" {
				t.Errorf("event %s has series %q and etag %q, want both, the series in the id", e.ID, e.SeriesID, e.ETag)
			}
		}
	}
	if want := "2026-01-20 20:00-21:30 Asia/Tokyo Class, moved"; seen["class/20260119T100000Z"] != want {
		t.Errorf("instance of the 19th = %q, want %q", seen["class/20260119T100000Z"], want)
	}
}
