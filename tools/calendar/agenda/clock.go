package agenda

import (
	"fmt"
	"time"

	"annai/civil"
)

// A Clock is a time of day on a wall, from 00:00 to 24:00.
type Clock struct{ Hour, Minute int }

// ParseClock reads "09:30", and "24:00" for the end of a day. Anything else is kind [calendar.Invalid].
func ParseClock(s string) (Clock, error) {
	if s == "24:00" {
		return Clock{Hour: 24}, nil
	}
	t, err := time.Parse("15:04", s)
	if err != nil || len(s) != len("15:04") {
		return Clock{}, invalid(fmt.Sprintf("time of day %.20q is not of the form 15:04", s))
	}
	return Clock{Hour: t.Hour(), Minute: t.Minute()}, nil
}

// String returns "09:30".
func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", c.Hour, c.Minute) }

// minutes returns how far the clock is from midnight on a day without a clock change.
func (c Clock) minutes() int { return 60*c.Hour + c.Minute }

// on returns when the clock shows this on day in loc. A time that a clock change leaves out is as much later as the change.
func (c Clock) on(day civil.Date, loc *time.Location) time.Time {
	if c.Hour == 24 {
		return day.AddDays(1).In(loc)
	}
	t := time.Date(day.Year, day.Month, day.Day, c.Hour, c.Minute, 0, 0, loc)
	if t.Hour() != c.Hour || t.Minute() != c.Minute {
		_, before := t.Add(-3 * time.Hour).Zone()
		wall := time.Date(day.Year, day.Month, day.Day, c.Hour, c.Minute, 0, 0, time.UTC)
		t = wall.Add(-time.Duration(before) * time.Second).In(loc)
	}
	return t
}

// Hours are a part of a day, From before To. The zero Hours are none.
type Hours struct{ From, To Clock }

// WholeDay and WorkingHours are the hours that are meant where none are given.
var (
	WholeDay     = Hours{To: Clock{Hour: 24}}
	WorkingHours = Hours{From: Clock{Hour: 9}, To: Clock{Hour: 18}}
)

// check returns an error of kind [calendar.Invalid] for hours that end before they begin or are outside a day.
func (h Hours) check() error {
	for _, c := range []Clock{h.From, h.To} {
		if c.Hour < 0 || c.Minute < 0 || c.Minute > 59 || c.minutes() > 24*60 {
			return invalid("time of day " + c.String() + " does not exist")
		}
	}
	if h.From.minutes() >= h.To.minutes() {
		return invalid("hours from " + h.From.String() + " to " + h.To.String() + " are empty")
	}
	return nil
}

// on returns the hours of day in loc.
func (h Hours) on(day civil.Date, loc *time.Location) civil.TimeRange {
	return civil.TimeRange{Start: h.From.on(day, loc), End: h.To.on(day, loc)}
}

// MaxDays is how many days may be asked about at once.
const MaxDays = 366

// checkDays returns an error of kind [calendar.Invalid] for days that are reversed, too many, or outside the years 1 to 9999.
func checkDays(from, to civil.Date) error {
	switch {
	case from.Year < 1 || to.Year > 9999:
		return invalid("days outside the years 1 to 9999")
	case to.Before(from):
		return invalid(fmt.Sprintf("days from %s to %s are reversed", from, to))
	case to.Sub(from) >= MaxDays:
		return invalid(fmt.Sprintf("days from %s to %s are more than %d", from, to, MaxDays))
	}
	return nil
}

// layouts are the forms of ISO 8601 that are read.
var layouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
}

// ParseTime reads an ISO 8601 time, to the minute or finer, and returns it in loc. One without an
// offset is meant there.
func ParseTime(s string, loc *time.Location) (time.Time, bool) {
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, s, loc); err == nil && t.Year() > 0 {
			return t.In(loc), true
		}
	}
	return time.Time{}, false
}
