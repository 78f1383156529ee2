package venue_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/ics"
	"annai/venue"
)

// The years for which the demo calendar is looked at: every kind of year is among them, by its first weekday and leap day.
const firstYear, lastYear = 2020, 2047

// The file is as RFC 5545 wants it: CRLF, lines of at most 75 octets, folded between characters, a stamp and a UID each.
func TestCalendarFile(t *testing.T) {
	v := demoVenue(t)
	data, err := fs.ReadFile(v.Files, v.Calendars[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		switch text, ok := bytes.CutSuffix(line, []byte("\r\n")); {
		case !ok:
			t.Fatalf("line %d does not end in CRLF: %q", i+1, line)
		case len(text) > 75:
			t.Errorf("line %d has %d octets, want at most 75: %q", i+1, len(text), text)
		case !utf8.Valid(text):
			t.Errorf("line %d is cut inside a character: %q", i+1, text)
		}
	}
	if last := lines[len(lines)-1]; len(last) != 0 {
		t.Errorf("the file ends in %q, want CRLF", last)
	}
	text := strings.ReplaceAll(string(data), "\r\n ", "")
	for _, want := range []string{
		"X-WR-CALNAME:", "BEGIN:VTIMEZONE", "TZID:Asia/Tokyo", "EXDATE;", "RECURRENCE-ID;", "STATUS:CANCELLED",
		"FREQ=WEEKLY;BYDAY=WE", "FREQ=WEEKLY;INTERVAL=2", "FREQ=MONTHLY;BYDAY=4FR", "DTSTART;VALUE=DATE:", "SUMMARY:[要予約]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the file has no %q", want)
		}
	}
	if strings.Contains(text, "UNTIL=") || strings.Contains(text, "COUNT=") {
		t.Error("a rule of the file ends, want them to go on in any year")
	}
	if events, stamps := strings.Count(text, "BEGIN:VEVENT"), strings.Count(text, "DTSTAMP:"); stamps != events {
		t.Errorf("%d events have %d DTSTAMPs, want one each", events, stamps)
	}
}

// demoEvents returns the events of the demo calendar that overlap the days from first up to until, unless any is unclear.
func demoEvents(t *testing.T, v *venue.Venue, first, until civil.Date) []calendar.Event {
	t.Helper()
	reader, err := ics.File(v.Files, v.Calendars[0].Path, ics.Options{
		CalendarID: v.Calendars[0].ID,
		Location:   v.Location,
		Now:        func() time.Time { return date(2026, 1, 1).In(v.Location) },
	})
	if err != nil {
		t.Fatalf("ics.File(%s) = %v", v.Calendars[0].Path, err)
	}
	defer func() {
		if err := reader.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	}()
	listing, err := reader.Events(t.Context(), civil.Days(first, until, v.Location))
	if err != nil {
		t.Fatalf("Events(%v to %v) = %v", first, until, err)
	}
	if !listing.Complete {
		t.Fatalf("Events(%v to %v) is not complete: %v", first, until, listing.Problems)
	}
	return listing.Events
}

// days returns what takes place on each day from firstYear to lastYear.
func days(t *testing.T, v *venue.Venue) map[civil.Date][]calendar.Event {
	t.Helper()
	byDay := map[civil.Date][]calendar.Event{}
	for year := firstYear; year <= lastYear; year++ {
		for _, e := range demoEvents(t, v, date(year, 1, 1), date(year+1, 1, 1)) {
			if e.Status == calendar.Cancelled {
				continue
			}
			span := e.Span(v.Location)
			last := civil.DateOf(span.End.Add(-time.Nanosecond))
			for d := civil.DateOf(span.Start); !d.After(last); d = d.AddDays(1) {
				if d.Year == year {
					byDay[d] = append(byDay[d], e)
				}
			}
		}
	}
	return byDay
}

func isOnline(e calendar.Event) bool { return strings.Contains(e.Location, "Online") }

func lastDay(v *venue.Venue, e calendar.Event) civil.Date {
	return civil.DateOf(e.Span(v.Location).End.Add(-time.Nanosecond))
}

// Every week has an event, every month an all-day one and one over several days, some days none, and a closed day none
// in the building. A week that is closed from Monday to Sunday (the last Monday is 28 December) has one online.
func TestCalendarFillsEveryYear(t *testing.T) {
	v := demoVenue(t)
	byDay := days(t, v)
	weeks, months, empty := map[civil.Date]bool{}, map[string]bool{}, map[int]int{}
	for d := date(firstYear, 1, 1); d.Year <= lastYear; d = d.AddDays(1) {
		month := fmt.Sprintf("%04d-%02d", d.Year, d.Month)
		if len(byDay[d]) == 0 {
			empty[d.Year]++
		}
		for _, e := range byDay[d] {
			weeks[d.Monday()] = true
			if e.AllDay {
				months[month+" all-day"] = true
			}
			if lastDay(v, e) != civil.DateOf(e.Span(v.Location).Start) {
				months[month+" multi-day"] = true
			}
			if day := v.Day(d); !day.Open && !isOnline(e) {
				t.Errorf("%v is closed (%s) and has %s, want nothing in the building", d, day.Rule, e.Title)
			}
		}
	}
	for monday := date(firstYear, 1, 1).Monday().AddDays(7); monday.AddDays(6).Year <= lastYear; monday = monday.AddDays(7) {
		if !weeks[monday] {
			t.Errorf("the week from %v has no event", monday)
		}
	}
	for d := date(firstYear, 1, 1); d.Year <= lastYear; d = d.AddMonths(1) {
		for _, kind := range []string{"all-day", "multi-day"} {
			if key := fmt.Sprintf("%04d-%02d %s", d.Year, d.Month, kind); !months[key] {
				t.Errorf("no event: %s", key)
			}
		}
		if empty[d.Year] < 50 {
			t.Errorf("%d has %d days without events, want 50 or more", d.Year, empty[d.Year])
		}
	}
}

// Timed events in the building are within its hours on the day they begin and on the day they end.
func TestCalendarIsWithinHours(t *testing.T) {
	v := demoVenue(t)
	for _, e := range demoEvents(t, v, date(2024, 1, 1), date(2028, 1, 1)) {
		if e.AllDay || isOnline(e) {
			continue
		}
		if !v.OpenAt(e.Start) || !v.OpenAt(e.End.Add(-time.Nanosecond)) {
			t.Errorf("%s is from %v to %v, want it within the opening hours", e.Title, e.Start, e.End)
		}
	}
}

func TestCalendarReadsInBothLanguages(t *testing.T) {
	v := demoVenue(t)
	for _, e := range demoEvents(t, v, date(2025, 1, 1), date(2027, 1, 1)) {
		ja, en, ok := strings.Cut(e.Description, "\n")
		if !ok || !strings.HasSuffix(ja, "。") || !strings.HasSuffix(en, ".") || strings.Contains(en, "\n") {
			t.Errorf("description of %s = %q, want a line in Japanese and one in English", e.Title, e.Description)
		}
		if !strings.Contains(e.Location, " / ") {
			t.Errorf("location of %s = %q, want it in both languages", e.Title, e.Location)
		}
	}
}

func TestCalendarInstances(t *testing.T) {
	v := demoVenue(t)
	for _, c := range []struct {
		day   civil.Date
		title string
		want  []string // "15:04-15:04 status"; empty for none
	}{
		{date(2025, 1, 15), "TypeScript勉強会", []string{"19:00-21:00 confirmed"}},
		{date(2025, 1, 15), "冬のもくもく会 (Winter Mokumoku Night)", nil}, // left out for it
		{date(2025, 1, 22), "冬のもくもく会 (Winter Mokumoku Night)", []string{"19:00-21:30 confirmed"}},
		{date(2026, 5, 6), "もくもく会 (Mokumoku Night)", []string{"19:00-21:30 confirmed"}},
		{date(2026, 5, 13), "もくもく会 (Mokumoku Night)", []string{"18:00-20:30 confirmed"}}, // moved
		{date(2026, 6, 10), "もくもく会 (Mokumoku Night)", []string{"19:00-21:30 cancelled"}},
		{date(2026, 7, 30), "Go勉強会 (Go Study Group)", []string{"19:00-21:00 confirmed"}},
		{date(2026, 8, 13), "Go勉強会 (Go Study Group)", nil}, // Obon
		{date(2026, 8, 20), "Go勉強会 (Go Study Group)", nil}, // every other week
		{date(2026, 8, 27), "Go勉強会 (Go Study Group)", []string{"19:00-21:00 confirmed"}},
		{date(2026, 2, 23), "ENGINEER IGNITION CAMP DevDay", []string{"18:00-19:00 confirmed"}}, // no end given
		{date(2026, 12, 28), "オンライン書き納め会 (Online Year-End Coding)", []string{"19:00-21:00 confirmed"}},
		{date(2027, 12, 28), "ハック納めLT会 (Year-End Lightning Talks)", []string{"15:00-18:00 confirmed"}},
	} {
		var got []string
		for _, e := range demoEvents(t, v, c.day, c.day.AddDays(1)) {
			if e.Title == c.title {
				got = append(got, e.Start.In(v.Location).Format("15:04")+"-"+e.End.In(v.Location).Format("15:04")+" "+string(e.Status))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s on %v = %v, want %v", c.title, c.day, got, c.want)
		}
	}
}
