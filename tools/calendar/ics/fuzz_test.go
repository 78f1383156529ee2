package ics

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"annai/civil"
	"annai/tools/calendar"
)

// Whatever a file says, reading it ends soon, without panic, and what comes out keeps the contract.
func FuzzReader(f *testing.F) {
	files, err := filepath.Glob("testdata/*.ics")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		f.Fatal(err)
	}
	first := civil.Date{Year: 2026, Month: 1, Day: 1}
	windows := []civil.TimeRange{civil.Days(first, first.AddDays(7), tokyo), civil.Days(first, first.AddDays(400), time.UTC)}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			t.Skip("long files are for the benchmark")
		}
		began := time.Now()
		doc, err := parse(data, tokyo)
		if err != nil {
			return
		}
		for _, w := range windows {
			found, _, err := doc.Events(context.Background(), w, 1000)
			if err != nil {
				t.Fatalf("events = %v, want events", err)
			}
			for i, e := range found {
				checkEvent(t, e, w)
				if i > 0 && e.Span(w.Location()).Start.Before(found[i-1].Span(w.Location()).Start) {
					t.Fatalf("event %d starts before the one before it", i)
				}
			}
		}
		if took := time.Since(began); took > time.Minute {
			t.Fatalf("reading took %s, want a moment", took)
		}
	})
}

func checkEvent(t *testing.T, e calendar.Event, w civil.TimeRange) {
	t.Helper()
	span := e.Span(w.Location())
	switch {
	case e.ID == "" || e.Status == "" || e.Visibility == "" || e.ETag == "":
		t.Fatalf("event %+v lacks id, status, visibility or etag", e)
	case span.End.Before(span.Start):
		t.Fatalf("event %+v ends before it starts", e)
	case !span.Overlaps(w):
		t.Fatalf("event %+v is not in %v", e, w)
	case !e.AllDay && e.TimeZone == "":
		t.Fatalf("event %+v has no zone", e)
	}
}
