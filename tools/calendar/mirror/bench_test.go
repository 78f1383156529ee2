package mirror_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"annai/internal/budget"
	"annai/tools/calendar"
	"annai/tools/calendar/mirror"
)

// A week from a copy of 5,000 entries: 4,700 single events over two years and 300 weekly series, worked out once.
func BenchmarkWeek(b *testing.B) {
	f := &feed{}
	changes := mirror.Changes{Full: true}
	for i := range 4700 {
		e := event(b, fmt.Sprintf("single%d", i), (i-2350)*4)
		e.Attendees = []string{"guest@example.org"}
		changes.Events = append(changes.Events, e)
	}
	for i := range 300 {
		e := event(b, fmt.Sprintf("series%d", i), i-24*365)
		e.Recurrence = []string{"RRULE:FREQ=WEEKLY"}
		changes.Events = append(changes.Events, e)
	}
	f.then(gives(changes))
	m, err := mirror.New(f, mirror.Options{Now: time.Now, CalendarID: "feed"})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	var r calendar.Reader = m
	week := weeks(b, 1)
	times := make([]float64, 0, 1000)
	for b.Loop() {
		began := time.Now()
		got, err := r.Events(context.Background(), week)
		if err != nil || len(got.Events) < 330 {
			b.Fatalf("Events = %d, %v, want the 42 and more singles and the 300 instances of a week", len(got.Events), err)
		}
		times = append(times, float64(time.Since(began))/float64(time.Millisecond))
	}
	budget.AtMost(os.Stdout, "calendar-mirror-week", budget.Median(times), "ms", 1)
}
