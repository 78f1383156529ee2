package recur_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"annai/civil"
	"annai/internal/budget"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// realistic is a calendar of 300 events of an office, one in five a series: 240 single ones over the year, 45 weekly ones in two zones, each
// with an exception, 5 on working days, and 10 monthly or yearly, a few all day.
func realistic(b *testing.B) []*recur.Expander {
	b.Helper()
	zones := []*time.Location{zone(b, "Asia/Tokyo"), zone(b, "America/New_York")}
	var all []*recur.Expander
	add := func(e calendar.Event, lines ...string) {
		e.ID = fmt.Sprintf("event%d", len(all))
		e.Title = "Event " + e.ID
		e.Recurrence = lines
		x, err := recur.Compile(recur.Series{Master: recur.Entry{Event: e}}, recur.Options{})
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, x)
	}
	timed := func(loc *time.Location, year, dayOfYear, hour int) calendar.Event {
		start := time.Date(year, time.January, dayOfYear, hour, 0, 0, 0, loc)
		return calendar.Event{Start: start, End: start.Add(time.Hour), TimeZone: loc.String()}
	}
	for i := range 240 {
		add(timed(zones[0], 2026, 1+i*365/240, 9+i%9))
	}
	days := []string{"MO", "TU", "WE", "TH", "FR", "SA"}
	for i := range 45 {
		e := timed(zones[i%2], 2024, 1+i, 9+i%9)
		exdate := e.Start.AddDate(2, 0, 0).UTC().Format("20060102T150405Z")
		add(e, "RRULE:FREQ=WEEKLY;BYDAY="+days[i%6], "EXDATE:"+exdate)
	}
	for i := range 5 {
		add(timed(zones[0], 2025, 6, 9+i), "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261231T145959Z")
	}
	for _, line := range []string{
		"FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
	} {
		add(timed(zones[0], 2024, 10, 15), "RRULE:"+line)
	}
	for i := range 4 {
		add(calendar.Event{AllDay: true, FirstDay: civil.Date{Year: 2020, Month: time.Month(3 + i), Day: 8}}, "RRULE:FREQ=YEARLY")
	}
	return all
}

// A year of a calendar of 300 events, sorted as a listing is.
func BenchmarkYear(b *testing.B) {
	all := realistic(b)
	first := civil.Date{Year: 2026, Month: 1, Day: 1}
	year := civil.Days(first, first.AddDays(365), zone(b, "Asia/Tokyo"))
	const want = 240 + 45*51 + 5*261
	rounds := make([]float64, 0, 101)
	for b.Loop() {
		began := time.Now()
		events, cut, err := recur.Expand(b.Context(), all, year, 10_000)
		if err != nil || len(cut) > 0 || len(events) < want {
			b.Fatalf("Expand(a year) = %d events, %v cut, %v, want at least %d", len(events), cut, err, want)
		}
		rounds = append(rounds, float64(time.Since(began))/float64(time.Millisecond))
	}
	budget.AtMost(os.Stdout, "calendar-year", budget.Median(rounds), "ms", 5)
}

func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		tb.Fatal(err)
	}
	return loc
}
