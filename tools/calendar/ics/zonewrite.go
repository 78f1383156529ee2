package ics

import (
	"fmt"
	"time"

	"annai/tools/calendar"
)

// How far around an event its zone is written: programs that know the zone by its name need none of
// it, and those that don't are right about the first twenty years.
const (
	zoneYearsBefore = 1
	zoneYearsAfter  = 20
)

// zoneLines are the VTIMEZONE (RFC 5545, 3.6.5) of the zone in which an event is, by its changes: none
// for an all-day event, and for one in UTC.
func zoneLines(e calendar.Event) []string {
	loc, err := time.LoadLocation(e.TimeZone)
	if err != nil || e.AllDay || e.TimeZone == "" || e.TimeZone == "UTC" {
		return nil
	}
	at, until := e.Start.In(loc).AddDate(-zoneYearsBefore, 0, 0), e.Start.AddDate(zoneYearsAfter, 0, 0)
	lines := []string{"BEGIN:VTIMEZONE", "TZID:" + e.TimeZone}
	_, offset := at.Zone()
	first := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	lines = append(lines, observanceLines(at, first, offset, offset)...)
	for {
		_, change := at.ZoneBounds()
		if change.IsZero() || change.After(until) {
			return append(lines, "END:VTIMEZONE")
		}
		if !change.After(at) { // the change that it is at
			at = at.Add(time.Hour)
			continue
		}
		_, next := change.Zone()
		local := change.UTC().Add(time.Duration(offset) * time.Second)
		lines = append(lines, observanceLines(change, local, offset, next)...)
		at, offset = change, next
	}
}

// observanceLines are one stretch of a zone, from a time on as the clock showed it before.
func observanceLines(at, local time.Time, from, to int) []string {
	kind := "STANDARD"
	if at.IsDST() {
		kind = "DAYLIGHT"
	}
	name, _ := at.Zone()
	return []string{
		"BEGIN:" + kind, "DTSTART:" + local.Format("20060102T150405"), "TZOFFSETFROM:" + offsetText(from),
		"TZOFFSETTO:" + offsetText(to), "TZNAME:" + name, "END:" + kind,
	}
}

// offsetText writes seconds east of UTC: +0900.
func offsetText(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	text := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf("%02d", seconds%60)
	}
	return text
}
