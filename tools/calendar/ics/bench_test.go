package ics

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"annai/civil"
	"annai/tools/calendar"
)

// manyWeekly is a calendar of n weekly series that began ten years ago, one of them with replacements.
func manyWeekly(n int) []byte {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for i := range n {
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:weekly-%d\r\nSUMMARY:Weekly number %d\r\nDTSTART;TZID=Asia/Tokyo:201601%02dT%02d0000\r\n"+
			"DTEND;TZID=Asia/Tokyo:201601%02dT%02d3000\r\nRRULE:FREQ=WEEKLY\r\nEXDATE;TZID=Asia/Tokyo:20160215T100000\r\nEND:VEVENT\r\n",
			i, i, 4+i%7, 9+i%12, 4+i%7, 9+i%12)
	}
	b.WriteString("END:VCALENDAR\r\n")
	return []byte(b.String())
}

func benchmarkWeek(b *testing.B, remembered, fresh bool) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		b.Fatal(err)
	}
	data := manyWeekly(50)
	doc, err := parse(data, tokyo)
	if err != nil {
		b.Fatal(err)
	}
	monday := civil.Date{Year: 2026, Month: 1, Day: 5}
	week := civil.Days(monday, monday.AddDays(7), tokyo)
	b.ReportAllocs()
	for b.Loop() {
		if !remembered {
			doc.windows = calendar.Windows{}
			if fresh {
				b.StopTimer()
				if doc, err = parse(data, tokyo); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		}
		found, _, err := doc.Events(context.Background(), week, 10_000)
		if err != nil || len(found) != 50 {
			b.Fatalf("Events = %d, %v, want 50", len(found), err)
		}
	}
}

// The first read of a file.
func BenchmarkWeekFirst(b *testing.B) { benchmarkWeek(b, false, true) }

// The first read of a window near one that was read before.
func BenchmarkWeekNear(b *testing.B) { benchmarkWeek(b, false, false) }

// A window that was read before.
func BenchmarkWeekAgain(b *testing.B) { benchmarkWeek(b, true, false) }

// Reading a file of 1,000 events.
func BenchmarkParse(b *testing.B) {
	data := manyWeekly(1000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := parse(data, time.UTC); err != nil {
			b.Fatal(err)
		}
	}
}
