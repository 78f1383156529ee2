package local_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"annai/civil"
	"annai/internal/budget"
	"annai/tools/calendar"
	"annai/tools/calendar/local"
)

// fiveThousand are 4,900 single events over two years and 100 weekly series.
func fiveThousand(loc *time.Location) []calendar.Event {
	var all []calendar.Event
	for i := range 5000 {
		start := time.Date(2025, time.January, 1+i*730/5000, 9+i%9, 0, 0, 0, loc)
		e := calendar.Event{ID: fmt.Sprintf("event%05d", i), Title: fmt.Sprintf("Event %d", i), Start: start, End: start.Add(time.Hour), TimeZone: loc.String()}
		if i%50 == 0 {
			e.Recurrence = []string{"RRULE:FREQ=WEEKLY"}
		}
		all = append(all, e)
	}
	return all
}

// Reading one week after another of a calendar of 5,000 events.
func BenchmarkWeek(b *testing.B) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		b.Fatal(err)
	}
	c, err := local.Open(b.Context(), filepath.Join(b.TempDir(), "calendar.db"), local.Options{CalendarID: "bench", Now: clock})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	fill(b, c, fiveThousand(tokyo))
	monday := civil.Date{Year: 2026, Month: 1, Day: 5}
	var rounds []float64
	for n := 0; b.Loop(); n++ {
		first := monday.AddDays(7 * (n % 40))
		began := time.Now()
		got, err := c.Events(b.Context(), civil.Days(first, first.AddDays(7), tokyo))
		rounds = append(rounds, float64(time.Since(began))/float64(time.Millisecond))
		if err != nil || len(got.Events) < 90 || !got.Complete {
			b.Fatalf("Events = %d events (complete %v), %v, want a week of them", len(got.Events), got.Complete, err)
		}
	}
	budget.AtMost(os.Stdout, "calendar-local-week", budget.Median(rounds), "ms", 1)
}

// Writing an event and knowing that it is on the disk.
func BenchmarkCreate(b *testing.B) {
	c, err := local.Open(b.Context(), filepath.Join(b.TempDir(), "calendar.db"), local.Options{CalendarID: "bench", Now: clock})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	e := calendar.Event{Title: "Event", Start: clock(), TimeZone: "UTC"}
	for b.Loop() {
		if _, err := c.Create(b.Context(), e); err != nil {
			b.Fatal(err)
		}
	}
}

// Four months of a calendar that has 10,000 events in a year, again and again, as visitors ask.
func BenchmarkMonths(b *testing.B) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "calendar.db")
	c, err := local.Open(b.Context(), path, local.Options{CalendarID: "bench", Now: clock})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	var all []calendar.Event
	for i := range 10_000 {
		start := time.Date(2026, time.January, 1+i*365/10_000, 9+i%9, 0, 0, 0, tokyo)
		all = append(all, calendar.Event{
			ID: fmt.Sprintf("event%05d", i), Title: fmt.Sprintf("Event %d", i),
			Start: start, End: start.Add(time.Hour), TimeZone: "Asia/Tokyo",
		})
	}
	fill(b, c, all)
	first := civil.Date{Year: 2026, Month: 3, Day: 1}
	window := civil.Days(first, first.AddDays(120), tokyo)
	var rounds []float64
	for b.Loop() {
		began := time.Now()
		got, err := calendar.Lend(b.Context(), c, window)
		rounds = append(rounds, float64(time.Since(began))/float64(time.Millisecond))
		if err != nil || len(got.Events) < 3000 || !got.Complete {
			b.Fatalf("Lend = %d events (complete %v), %v", len(got.Events), got.Complete, err)
		}
	}
	budget.AtMost(os.Stdout, "calendar-local-months", budget.Median(rounds), "ms", 0.1)
}
