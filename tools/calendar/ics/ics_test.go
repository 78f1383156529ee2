package ics_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/ics"
)

func clock() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// fileOf returns a reader of a file with that text.
func fileOf(t *testing.T, text string, opts ics.Options) *ics.Reader {
	t.Helper()
	if opts.Now == nil {
		opts.Now = clock
	}
	if opts.CalendarID == "" {
		opts.CalendarID = "test"
	}
	r, err := ics.File(fstest.MapFS{"a.ics": {Data: []byte(text)}}, "a.ics", opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func TestConformance(t *testing.T) {
	calendartest.Run(t, func(t *testing.T, seed []calendar.Event) calendar.Reader {
		return fileOf(t, write(seed), ics.Options{})
	})
}

// write makes a file of single events, folded as files are.
func write(events []calendar.Event) string {
	escape := strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`)
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0"}
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, name+":"+value)
		}
	}
	local := func(e calendar.Event, at time.Time) string {
		loc, err := time.LoadLocation(e.TimeZone)
		if err != nil {
			panic(err)
		}
		return at.In(loc).Format("20060102T150405")
	}
	for _, e := range events {
		add("BEGIN", "VEVENT")
		add("UID", e.ID)
		add("SUMMARY", escape.Replace(e.Title))
		add("DESCRIPTION", escape.Replace(e.Description))
		add("LOCATION", escape.Replace(e.Location))
		add("URL", e.URL)
		add("STATUS", strings.ToUpper(string(e.Status)))
		if e.AllDay {
			add("DTSTART;VALUE=DATE", strings.ReplaceAll(e.FirstDay.String(), "-", ""))
			add("DTEND;VALUE=DATE", strings.ReplaceAll(e.EndDay.String(), "-", ""))
		} else {
			add("DTSTART;TZID="+e.TimeZone, local(e, e.Start))
			if !e.End.IsZero() {
				add("DTEND;TZID="+e.TimeZone, local(e, e.End))
			}
		}
		add("END", "VEVENT")
	}
	lines = append(lines, "END:VCALENDAR")
	var folded strings.Builder
	for _, line := range lines {
		for len(line) > 40 { // within characters too, as the standard allows
			fmt.Fprintf(&folded, "%s\r\n ", line[:40])
			line = line[40:]
		}
		folded.WriteString(line + "\r\n")
	}
	return folded.String()
}

// A title in two languages is one text, whichever of the two ways the file has it.
func TestTitlesInTwoLanguages(t *testing.T) {
	for lines, want := range map[string]string{
		"SUMMARY:朝ヨガ / Morning Yoga":                                          "朝ヨガ / Morning Yoga",
		"SUMMARY:朝ヨガ\r\nX-ANNAI-SUMMARY;LANGUAGE=en:Morning Yoga\\, outside":  "朝ヨガ / Morning Yoga, outside",
		"SUMMARY;LANGUAGE=en:Morning Yoga\r\nX-ANNAI-SUMMARY;LANGUAGE=ja:朝ヨガ": "Morning Yoga / 朝ヨガ",
		"SUMMARY:朝ヨガ / Morning Yoga\r\nX-ANNAI-SUMMARY:Morning Yoga":          "朝ヨガ / Morning Yoga",
		"X-ANNAI-SUMMARY:Morning Yoga":                                        "Morning Yoga",
		"SUMMARY:朝ヨガ":                                                         "朝ヨガ",
	} {
		text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\n" + lines +
			"\r\nDTSTART:20260105T010000Z\r\nDTEND:20260105T020000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
		day := civil.Date{Year: 2026, Month: 1, Day: 5}
		listing, err := fileOf(t, text, ics.Options{}).Events(t.Context(), civil.Days(day, day.AddDays(1), time.UTC))
		if err != nil || len(listing.Events) != 1 || listing.Events[0].Title != want {
			t.Errorf("Events() of %q = %v, %v, want the title %q", lines, listing.Events, err, want)
		}
	}
}
