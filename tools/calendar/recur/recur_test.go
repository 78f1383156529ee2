package recur_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

func mustCompile(t *testing.T, s recur.Series) *recur.Expander {
	t.Helper()
	x, err := recur.Compile(s, recur.Options{Location: zone(t, "Asia/Tokyo")})
	if err != nil {
		t.Fatalf("Compile(%v) = %v, want an expander", s.Master.Event.Recurrence, err)
	}
	return x
}

// at reads "20060102T150405" on the clocks of a zone.
func at(t *testing.T, s, in string) recur.Moment {
	t.Helper()
	m, err := recur.ParseMoment(s, in, time.LoadLocation)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// timedSeries is a series that starts at a time on the clocks of a zone.
func timedSeries(t *testing.T, start, in string, length time.Duration, lines ...string) recur.Series {
	t.Helper()
	return recur.Series{Master: recur.Entry{
		Event: calendar.Event{ID: "uid", Title: "Title", ETag: "1", Attendees: []string{"a@example.org"}, Recurrence: lines},
		Start: at(t, start, in), Length: recur.Length{Exact: length},
	}}
}

func allDaySeries(first civil.Date, days int, lines ...string) recur.Series {
	return recur.Series{Master: recur.Entry{Event: calendar.Event{
		ID: "uid", Title: "Title", ETag: "1", AllDay: true, FirstDay: first, EndDay: first.AddDays(days), Recurrence: lines,
	}}}
}

func windowOf(from, to time.Time) civil.TimeRange { return civil.TimeRange{Start: from, End: to} }

// stamps writes when events start, in their own zones.
func stamps(events []calendar.Event, layout string) []string {
	var all []string
	for _, e := range events {
		if e.AllDay {
			all = append(all, fmt.Sprintf("%s/%s", e.FirstDay, e.EndDay))
			continue
		}
		all = append(all, e.Start.Format(layout))
	}
	return all
}

func ids(events []calendar.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.ID)
	}
	return all
}

// wantFirst compares the first instances, as text, and that there are no more.
func wantFirst(t *testing.T, s recur.Series, want ...string) []calendar.Event {
	t.Helper()
	events, more := mustCompile(t, s).First(len(want)+1, zone(t, "Asia/Tokyo"))
	if diff := cmp.Diff(want, stamps(events, "2006-01-02 15:04 -0700")); diff != "" || more {
		t.Errorf("First of %v: more = %v (-want +got):\n%s", s.Master.Event.Recurrence, more, diff)
	}
	return events
}

// A time that the clock skips is what the offset before the change gives; one that it shows twice is the first. Lengths are exact.
func TestChangesOfTheClock(t *testing.T) {
	for name, test := range map[string]struct {
		start, in, line string
		want            []string
	}{
		"gap in New York": {
			"20260307T023000", "America/New_York", "RRULE:FREQ=DAILY;COUNT=3",
			[]string{"2026-03-07 02:30 -0500", "2026-03-08 03:30 -0400", "2026-03-09 02:30 -0400"},
		},
		"fold in New York": {
			"20261031T013000", "America/New_York", "RRULE:FREQ=DAILY;COUNT=3",
			[]string{"2026-10-31 01:30 -0400", "2026-11-01 01:30 -0400", "2026-11-02 01:30 -0500"},
		},
		"gap in Berlin, where the series starts": {
			"20260329T023000", "Europe/Berlin", "RRULE:FREQ=DAILY;COUNT=3",
			[]string{"2026-03-29 03:30 +0200", "2026-03-30 02:30 +0200", "2026-03-31 02:30 +0200"},
		},
		"fold in Berlin": {
			"20261018T023000", "Europe/Berlin", "RRULE:FREQ=WEEKLY;COUNT=3",
			[]string{"2026-10-18 02:30 +0200", "2026-10-25 02:30 +0200", "2026-11-01 02:30 +0100"},
		},
		"gap of half an hour on Lord Howe": {
			"20261003T021500", "Australia/Lord_Howe", "RRULE:FREQ=DAILY;COUNT=3",
			[]string{"2026-10-03 02:15 +1030", "2026-10-04 02:45 +1100", "2026-10-05 02:15 +1100"},
		},
		"fold of half an hour on Lord Howe": {
			"20260404T014500", "Australia/Lord_Howe", "RRULE:FREQ=DAILY;COUNT=3",
			[]string{"2026-04-04 01:45 +1100", "2026-04-05 01:45 +1100", "2026-04-06 01:45 +1030"},
		},
		"a day that is no day in Samoa": {
			"20111229T100000", "Pacific/Apia", "RRULE:FREQ=DAILY;COUNT=3",
			[]string{"2011-12-29 10:00 -1000", "2011-12-31 10:00 +1400"},
		},
		"what is skipped falls together with what is not": {
			"20260308T003000", "America/New_York", "RRULE:FREQ=HOURLY;COUNT=5",
			[]string{
				"2026-03-08 00:30 -0500", "2026-03-08 01:30 -0500", "2026-03-08 03:30 -0400", "2026-03-08 04:30 -0400",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := mustCompile(t, timedSeries(t, test.start, test.in, time.Hour, test.line))
			first := at(t, test.start, test.in).Instant().AddDate(0, 0, -1)
			events := slices.Collect(x.Between(windowOf(first, first.AddDate(0, 1, 0)), recur.NewBudget(recur.SeriesSteps)))
			if diff := cmp.Diff(test.want, stamps(events, "2006-01-02 15:04 -0700")); diff != "" {
				t.Errorf("Between of %s (-want +got):\n%s", test.line, diff)
			}
			seen := map[string]bool{}
			for _, e := range events {
				if seen[e.ID] {
					t.Errorf("id %s is there twice", e.ID)
				}
				seen[e.ID] = true
				if e.End.Sub(e.Start) != time.Hour {
					t.Errorf("instance %s lasts %s, want an hour", e.ID, e.End.Sub(e.Start))
				}
			}
		})
	}
}

func TestEnds(t *testing.T) {
	start, tokyo := "20260105T080000", "Asia/Tokyo"
	day := func(n int) string { return fmt.Sprintf("2026-01-%02d 08:00 +0900", n) }
	for name, test := range map[string]struct {
		line string
		want []string
	}{
		"until an instant":                 {"RRULE:FREQ=DAILY;UNTIL=20260106T230000Z", []string{day(5), day(6), day(7)}},
		"until a second before":            {"RRULE:FREQ=DAILY;UNTIL=20260106T225959Z", []string{day(5), day(6)}},
		"until a time on the wall":         {"RRULE:FREQ=DAILY;UNTIL=20260107T080000", []string{day(5), day(6), day(7)}},
		"until a second before, on a wall": {"RRULE:FREQ=DAILY;UNTIL=20260107T075959", []string{day(5), day(6)}},
		"until a day":                      {"RRULE:FREQ=DAILY;UNTIL=20260107", []string{day(5), day(6), day(7)}},
		"until before the start":           {"RRULE:FREQ=DAILY;UNTIL=20250101", []string{day(5)}},
		"once":                             {"RRULE:FREQ=DAILY;COUNT=1", []string{day(5)}},
		"three times":                      {"RRULE:FREQ=WEEKLY;COUNT=3", []string{day(5), day(12), day(19)}},
		"the start counts":                 {"RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3", []string{day(5), day(6), day(13)}},
		"count and until, count first":     {"RRULE:FREQ=DAILY;COUNT=2;UNTIL=20260110", []string{day(5), day(6)}},
		"count and until, until first":     {"RRULE:FREQ=DAILY;COUNT=20;UNTIL=20260106", []string{day(5), day(6)}},
		"lower case and a semicolon":       {"rrule:freq=daily;count=2;", []string{day(5), day(6)}},
	} {
		t.Run(name, func(t *testing.T) { wantFirst(t, timedSeries(t, start, tokyo, time.Hour, test.line), test.want...) })
	}
	first := civil.Date{Year: 2026, Month: 1, Day: 30}
	for _, until := range []string{"20260201", "20260131T150000Z", "20260201T000000"} { // the instant is midnight in Tokyo
		wantFirst(t, allDaySeries(first, 1, "RRULE:FREQ=DAILY;UNTIL="+until), "2026-01-30/2026-01-31", "2026-01-31/2026-02-01", "2026-02-01/2026-02-02")
	}
}

func TestDates(t *testing.T) {
	day := func(n, hour int) string { return fmt.Sprintf("2026-01-%02d %02d:00 +0900", n, hour) }
	tests := map[string]struct {
		lines []string
		want  []string
	}{
		"exceptions by the clock, in UTC, without a zone, by the day": {
			[]string{
				"RRULE:FREQ=DAILY;COUNT=8", "EXDATE;TZID=Asia/Tokyo:20260106T080000,20260107T080000", "EXDATE:20260107T230000Z",
				"EXDATE:20260109T080000", "EXDATE;VALUE=DATE:20260110",
			},
			[]string{day(5, 8), day(11, 8), day(12, 8)},
		},
		"an exception in another zone":  {[]string{"RRULE:FREQ=DAILY;COUNT=2", "EXDATE;TZID=America/New_York:20260105T180000"}, []string{day(5, 8)}},
		"an exception of what is not":   {[]string{"RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260106T080001"}, []string{day(5, 8), day(6, 8)}},
		"the first is left out":         {[]string{"RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260104T230000Z"}, []string{day(6, 8)}},
		"all are left out":              {[]string{"RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260105T080000,20260106T080000"}, nil},
		"dates alone":                   {[]string{"RDATE;TZID=\"Asia/Tokyo\":20260107T090000,20260106T100000"}, []string{day(5, 8), day(6, 10), day(7, 9)}},
		"a date that the rule has too":  {[]string{"RRULE:FREQ=DAILY;COUNT=2", "RDATE:20260105T230000Z"}, []string{day(5, 8), day(6, 8)}},
		"a date before the start":       {[]string{"RDATE:20260101T080000"}, []string{day(1, 8), day(5, 8)}},
		"two rules":                     {[]string{"RRULE:FREQ=DAILY;COUNT=2", "RRULE:FREQ=WEEKLY;COUNT=2"}, []string{day(5, 8), day(6, 8), day(12, 8)}},
		"an exception of a date":        {[]string{"RDATE:20260107T090000", "EXDATE:20260107T090000"}, []string{day(5, 8)}},
		"a zone in quotes with a colon": {[]string{"RRULE:FREQ=DAILY;COUNT=1", "EXDATE;X-NOTE=\"a:b\";TZID=Asia/Tokyo:20260107T090000"}, []string{day(5, 8)}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wantFirst(t, timedSeries(t, "20260105T080000", "Asia/Tokyo", time.Hour, test.lines...), test.want...)
		})
	}
	events := wantFirst(t, timedSeries(t, "20260105T080000", "Asia/Tokyo", time.Hour,
		"RDATE;VALUE=PERIOD:20260106T010000Z/20260106T040000Z,20260107T010000Z/PT30M"), day(5, 8), day(6, 10), day(7, 10))
	for i, want := range []time.Duration{time.Hour, 3 * time.Hour, 30 * time.Minute} {
		if got := events[i].End.Sub(events[i].Start); got != want {
			t.Errorf("instance %d with periods lasts %s, want %s", i, got, want)
		}
	}
	wantFirst(t, allDaySeries(civil.Date{Year: 2026, Month: 1, Day: 5}, 2, "RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;VALUE=DATE:20260112",
		"EXDATE:20260118T150000Z", "RDATE;VALUE=DATE:20260107"),
		"2026-01-05/2026-01-07", "2026-01-07/2026-01-09", "2026-01-26/2026-01-28")
}

// override replaces the instance of a day.
func override(t *testing.T, original string, e calendar.Event, following bool) recur.Override {
	t.Helper()
	return recur.Override{Original: at(t, original, "Asia/Tokyo"), Entry: recur.Entry{Event: e}, ThisAndFuture: following}
}

func TestOverrides(t *testing.T) {
	tokyo := zone(t, "Asia/Tokyo")
	moved := func(month time.Month, day, hour int) calendar.Event {
		start := time.Date(2026, month, day, hour, 0, 0, 0, tokyo)
		return calendar.Event{Title: "Moved", Start: start, End: start.Add(2 * time.Hour), TimeZone: "Asia/Tokyo", Status: calendar.Confirmed, ETag: "9"}
	}
	s := timedSeries(t, "20260105T190000", "Asia/Tokyo", time.Hour, "RRULE:FREQ=WEEKLY;COUNT=8", "EXDATE:20260119T100000Z")
	s.Overrides = []recur.Override{
		override(t, "20260112T190000", moved(1, 13, 20), false),
		override(t, "20260119T100000Z", moved(1, 20, 7), false), // one that was left out as well
		override(t, "20260126T190000", calendar.Event{Status: calendar.Cancelled}, false),
		override(t, "20260209T190000", moved(2, 10, 10), true),
		override(t, "20260216", moved(2, 16, 12), false), // by its day, within what was moved
		override(t, "20260223T190000", calendar.Event{Status: calendar.Cancelled}, true),
	}
	events := wantFirst(t, s,
		"2026-01-05 19:00 +0900", "2026-01-13 20:00 +0900", "2026-01-20 07:00 +0900", "2026-01-26 19:00 +0900", "2026-02-02 19:00 +0900",
		"2026-02-10 10:00 +0900", "2026-02-16 12:00 +0900", "2026-02-23 19:00 +0900")
	want := []string{
		"uid/20260105T100000Z Title 1 ", "uid/20260112T100000Z Moved 19 confirmed", "uid/20260119T100000Z Moved 19 confirmed",
		"uid/20260126T100000Z Title 1 cancelled", "uid/20260202T100000Z Title 1 ", "uid/20260209T100000Z Moved 19 confirmed",
		"uid/20260216T100000Z Moved 19 confirmed", "uid/20260223T100000Z Title 1 cancelled",
	}
	var got []string
	for _, e := range events {
		got = append(got, strings.Join([]string{e.ID, e.Title, e.ETag, string(e.Status)}, " "))
		if e.SeriesID != "uid" || e.Recurrence != nil {
			t.Errorf("instance = %+v, want one of the series uid, without recurrence", e)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ids, titles, etags and status (-want +got):\n%s", diff)
	}
	x := mustCompile(t, s)
	for _, e := range events {
		series, original, ok := recur.SplitID(e.ID)
		instance, found := x.Instance(original)
		if !ok || series != "uid" || !found || !cmp.Equal(instance, e) {
			t.Errorf("Instance(%s) = %+v, %v, want %+v", e.ID, instance, found, e)
		}
	}
	for _, none := range []string{"uid/20260106T100000Z", "uid/20260105", "uid/20270104T100000Z"} {
		if _, original, ok := recur.SplitID(none); ok {
			if e, found := x.Instance(original); found {
				t.Errorf("Instance(%s) = %+v, want none", none, e)
			}
		}
	}
}

func TestOverridesOfDays(t *testing.T) {
	first := civil.Date{Year: 2026, Month: 4, Day: 1}
	s := allDaySeries(first, 1, "RRULE:FREQ=DAILY;COUNT=4")
	once := time.Date(2026, 4, 2, 1, 0, 0, 0, time.UTC)
	s.Overrides = []recur.Override{
		{Original: recur.Day(first.AddDays(1)), Entry: recur.Entry{Event: calendar.Event{Title: "At a time for once", Start: once, TimeZone: "UTC"}}},
		{
			Original: recur.Day(first.AddDays(2)), ThisAndFuture: true,
			Entry: recur.Entry{Event: calendar.Event{Title: "Two days", AllDay: true, FirstDay: first.AddDays(3), EndDay: first.AddDays(5)}},
		},
	}
	wantFirst(t, s, "2026-04-01/2026-04-02", "2026-04-02 01:00 +0000", "2026-04-04/2026-04-06", "2026-04-05/2026-04-07")
}

func TestRefusedLines(t *testing.T) {
	for _, line := range []string{
		"", ":", "RRULE", "RRULE:", "FREQ=DAILY", "RRULE:FREQ=OFTEN", "RRULE:FREQ=DAILY;COUNT=0", "RRULE:FREQ=DAILY;UNTIL=tomorrow",
		"RRULE:FREQ=DAILY;FREQ=DAILY", "EXRULE:FREQ=DAILY", "DTSTART:20260105T080000", "EXDATE:never", "EXDATE;TZID=Nowhere:20260105T080000",
		"RDATE:20260105", "RDATE:", "RDATE;VALUE=PERIOD:20260106T010000Z/20260105T010000Z", "RDATE:20260105T080000/P", "X:Y", "RRULE;\"X:FREQ=DAILY",
	} {
		_, err := recur.Compile(timedSeries(t, "20260105T080000", "Asia/Tokyo", time.Hour, "RRULE:FREQ=DAILY", line), recur.Options{})
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), fmt.Sprintf("%q", line)) {
			t.Errorf("Compile(%q) = %v, want ErrInvalid, which names the line", line, err)
		}
	}
	if err := recur.Check(calendar.Event{ID: "uid", Title: "T", Start: time.Now(), TimeZone: "Nowhere"}, recur.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Check(unknown zone) = %v, want ErrInvalid", err)
	}
	far := calendar.Event{ID: "uid", Title: "T", AllDay: true, FirstDay: civil.Date{Year: 9999, Month: 1, Day: 1}, Recurrence: []string{"RRULE:FREQ=DAILY"}}
	if err := recur.Check(far, recur.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Check(a series from 9999 on) = %v, want ErrInvalid", err)
	}
}

// Whatever its rule, an instance is within the bounds, and there is none outside.
func TestBounds(t *testing.T) {
	for _, line := range []string{"RRULE:FREQ=DAILY;COUNT=40", "RRULE:FREQ=WEEKLY;UNTIL=20260601T000000Z", "RDATE:20250101T000000,20270101T000000"} {
		s := timedSeries(t, "20260105T080000", "Asia/Tokyo", 100*time.Hour, line)
		moved := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
		s.Overrides = []recur.Override{override(t, "20260105T080000", calendar.Event{Title: "Early", Start: moved, End: moved.Add(time.Hour)}, false)}
		x := mustCompile(t, s)
		from, until := x.Bounds()
		events, more := x.First(1000, time.UTC)
		if more || len(events) < 3 {
			t.Errorf("First of %s = %d events, more %v, want all", line, len(events), more)
		}
		for _, e := range events {
			if e.Start.Before(from) || e.End.After(until) {
				t.Errorf("Bounds of %s = %s, %s, and there is an instance from %s to %s", line, from, until, e.Start, e.End)
			}
		}
	}
	if _, until := mustCompile(t, timedSeries(t, "20260105T080000", "Asia/Tokyo", time.Hour, "RRULE:FREQ=DAILY")).Bounds(); !until.IsZero() {
		t.Errorf("Bounds of a series without end = until %s, want zero", until)
	}
}

// An expansion is in the order of a listing and within its bounds, of which it says whose were reached.
func TestExpand(t *testing.T) {
	var all []*recur.Expander
	for i, line := range []string{"RRULE:FREQ=SECONDLY", "RRULE:FREQ=DAILY", "RRULE:FREQ=HOURLY"} {
		s := timedSeries(t, "20260105T000000", "Asia/Tokyo", 0, line)
		s.Master.Event.ID = fmt.Sprintf("series%d", i)
		all = append(all, mustCompile(t, s))
	}
	single := calendar.Event{ID: "single", Title: "Single", AllDay: true, FirstDay: civil.Date{Year: 2026, Month: 1, Day: 5}}
	all = append(all, mustCompile(t, recur.Series{Master: recur.Entry{Event: single}}))
	window := civil.Days(single.FirstDay, single.FirstDay.AddDays(1), zone(t, "Asia/Tokyo"))
	events, cut, err := recur.Expand(t.Context(), all, window, 80)
	if err != nil || !slices.Equal(cut, []string{"series0", "series2"}) && !slices.Equal(cut, []string{"series0"}) {
		t.Errorf("Expand = cut %v, %v, want the series of every second cut short", cut, err)
	}
	if len(events) != 20+1+24-4+1 && len(events) != 20+1+20+1 {
		t.Errorf("Expand = %d events, want 20 of each long series, and the others", len(events))
	}
	want := slices.Clone(events)
	calendar.Sort(want, window.Location())
	if diff := cmp.Diff(ids(want), ids(events)); diff != "" {
		t.Errorf("Expand (-in the order of a listing +got):\n%s", diff)
	}
	for i := range events {
		for j := range events[i].Attendees {
			events[i].Attendees[j] = "changed by the caller"
		}
	}
	if again, _, _ := recur.Expand(t.Context(), all, window, 80); again[1].Attendees[0] != "a@example.org" {
		t.Errorf("Expand after the caller changed what it got = %v, want it as it was", again[1].Attendees)
	}
}

func TestEvents(t *testing.T) {
	e := timedSeries(t, "20260105T080000", "Asia/Tokyo", time.Hour, "RRULE:FREQ=DAILY").Master.Event
	e.Start = time.Date(2026, 1, 5, 8, 0, 0, 0, zone(t, "Asia/Tokyo"))
	got, err := recur.Events(e, windowOf(e.Start, e.Start.AddDate(0, 0, 3)))
	if err != nil || !slices.Equal(stamps(got, time.DateOnly), []string{"2026-01-05", "2026-01-06", "2026-01-07"}) {
		t.Errorf("Events = %v, %v, want three days", stamps(got, time.DateOnly), err)
	}
	if _, err := recur.Events(e, windowOf(e.Start, e.Start.AddDate(10, 0, 0))); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Events(ten years) = %v, want ErrInvalid", err)
	}
}

// Whatever the lines say, they are refused or expanded soon, into instances that keep what is promised.
func FuzzLines(f *testing.F) {
	for _, line := range []string{
		"RRULE:FREQ=DAILY;COUNT=10", "RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "RRULE:FREQ=SECONDLY",
		"RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2\nEXDATE;TZID=America/New_York:19970902T090000", "RRULE:FREQ=WEEKLY;UNTIL=19971224T000000Z;WKST=SU",
		"RDATE;VALUE=PERIOD:19960403T020000Z/19960403T040000Z,19960404T010000Z/PT3H", "RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU", "EXDATE;VALUE=DATE:19970902",
		"RRULE:FREQ=MINUTELY;INTERVAL=90;COUNT=1000000", "RRULE:FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2", "RRULE:FREQ=DAILY;UNTIL=99991231",
		"RRULE:FREQ=WEEKLY;UNTIL=09971224", "RRULE:FREQ=MINUTELY",
	} {
		f.Add(line, int64(873205200), false)
		f.Add(line, int64(1772944200), true)
	}
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, lines string, start int64, allDay bool) {
		if len(lines) > 4096 || start < -10e9 || start > 10e9 {
			t.Skip()
		}
		e := calendar.Event{ID: "uid", Title: "Title", Start: time.Unix(start, 0).In(newYork), TimeZone: newYork.String(), Recurrence: strings.Split(lines, "\n")}
		if allDay {
			e = calendar.Event{ID: "uid", Title: "Title", AllDay: true, FirstDay: civil.DateOf(e.Start), Recurrence: e.Recurrence}
		}
		x, err := recur.Compile(recur.Series{Master: recur.Entry{Event: e}}, recur.Options{})
		if err != nil {
			if !errors.Is(err, fault.ErrInvalid) {
				t.Fatalf("Compile(%q) = %v, want ErrInvalid", lines, err)
			}
			return
		}
		begin := e.Span(newYork).Start.AddDate(0, 5, 0)
		window := windowOf(begin, begin.AddDate(0, 2, 0))
		events, _, err := recur.Expand(t.Context(), []*recur.Expander{x}, window, 4000)
		if err != nil {
			t.Fatal(err)
		}
		from, until := x.Bounds()
		seen := map[string]bool{}
		for i, one := range events {
			span := one.Span(newYork)
			if !span.Overlaps(window) || span.End.Before(span.Start) || one.AllDay != allDay || seen[one.ID] {
				t.Fatalf("%q: instance %d is %+v, want another one in the window", lines, i, one)
			}
			seen[one.ID] = true
			if span.Start.Before(from) || !until.IsZero() && span.End.After(until) {
				t.Fatalf("%q: instance from %s to %s, want it within the bounds, %s and %s", lines, span.Start, span.End, from, until)
			}
		}
		x.First(3, newYork)
	})
}
