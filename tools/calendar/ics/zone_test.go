package ics

import (
	"strings"
	"testing"
	"time"

	"annai/tools/calendar/recur"
)

// A zone that a file defines as New York is defined is New York.
func TestDefinedZones(t *testing.T) {
	const definition = `BEGIN:VCALENDAR
BEGIN:VTIMEZONE
TZID:Like New York
BEGIN:DAYLIGHT
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
DTSTART:19870405T020000
RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
DTSTART:19671029T020000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z
END:STANDARD
BEGIN:DAYLIGHT
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
END:STANDARD
END:VTIMEZONE
BEGIN:VTIMEZONE
TZID:Once
BEGIN:STANDARD
TZOFFSETFROM:+0500
TZOFFSETTO:+053015
DTSTART:20200101T000000
RDATE:20210101T000000,20220101T000000
END:STANDARD
END:VTIMEZONE
END:VCALENDAR`
	z := newZones(takeApart([]byte(definition)), time.UTC, recur.NewBudget(parseSteps))
	defined, err := z.lookup("Like New York")
	if err != nil {
		t.Fatal(err)
	}
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for at := time.Date(1988, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2099; at = at.Add(6 * time.Hour) {
		_, want := at.In(newYork).Zone()
		if _, got := at.In(defined).Zone(); got != want {
			t.Fatalf("offset at %s = %d, want %d", at, got, want)
		}
	}
	once, err := z.lookup("Once")
	if err != nil {
		t.Fatal(err)
	}
	for date, want := range map[string]int{"2019-12-31T00:00:00Z": 18000, "2020-06-01T00:00:00Z": 19815, "2060-06-01T00:00:00Z": 19815} {
		at, err := time.Parse(time.RFC3339, date)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := at.In(once).Zone(); got != want {
			t.Errorf("offset at %s = %d, want %d", date, got, want)
		}
	}
}

// Every Windows name leads to a zone that exists.
func TestWindowsZones(t *testing.T) {
	for name, iana := range windowsZones {
		if known(strings.ToUpper(name)) == nil {
			t.Errorf("known(%q) = nil, want %s", name, iana)
		}
	}
	for _, name := range []string{"", "Local", "../etc/passwd", "Nowhere", "a/b/c/d"} {
		if got := known(name); got != nil {
			t.Errorf("known(%q) = %s, want nil", name, got)
		}
	}
}
