// Package civil has dates without a time of day, and half-open ranges of time in a location.
//
// A [Date] is not an instant: it becomes one only together with a location. The package knows no clock.
package civil

import (
	"fmt"
	"time"

	"annai/fault"
)

// A Date is a day in the Gregorian calendar, in no location. The zero Date is no day: see [Date.IsZero].
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day of t in t's own location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{Year: y, Month: m, Day: d}
}

// ParseDate reads "2006-01-02". Anything else wraps [fault.ErrInvalid].
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("date %q is not of the form 2006-01-02: %w", s, fault.ErrInvalid)
	}
	return DateOf(t), nil
}

// IsZero reports whether d is no day.
func (d Date) IsZero() bool { return d == Date{} }

// In returns the first instant of d in loc. Where a clock change removes midnight, that is the change itself.
func (d Date) In(loc *time.Location) time.Time {
	t := time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, loc)
	if DateOf(t).Before(d) { // a gap at midnight: Go answers with an instant of the day before
		_, offset := t.Zone()
		_, after := t.Add(3 * time.Hour).Zone()
		t = t.Add(time.Duration(after-offset) * time.Second)
	}
	return t
}

// AddDays returns the day n days after d; n may be negative.
func (d Date) AddDays(n int) Date { return DateOf(d.utc().AddDate(0, 0, n)) }

// AddMonths returns the same day n months after d, or the last day of that month where it has no such day.
func (d Date) AddMonths(n int) Date {
	first := time.Date(d.Year, d.Month+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return Date{Year: first.Year(), Month: first.Month(), Day: min(d.Day, last)}
}

// Sub returns the number of days from e to d.
func (d Date) Sub(e Date) int { return int(d.utc().Sub(e.utc()) / (24 * time.Hour)) }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.utc().Weekday() }

// Monday returns the Monday on or before d: the first day of its ISO week.
func (d Date) Monday() Date { return d.AddDays(-(int(d.Weekday()) + 6) % 7) }

// Before reports whether d is earlier than e.
func (d Date) Before(e Date) bool { return d.Compare(e) < 0 }

// After reports whether d is later than e.
func (d Date) After(e Date) bool { return d.Compare(e) > 0 }

// Compare returns -1, 0 or +1 as d is before, on or after e.
func (d Date) Compare(e Date) int { return d.utc().Compare(e.utc()) }

// String returns "2006-01-02", or "" for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// MarshalText writes d as [Date.String] does.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what [Date.MarshalText] wrote.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	parsed, err := ParseDate(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

func (d Date) utc() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// A TimeRange is half-open: Start is in, End is out. Both have the location in which it was meant.
type TimeRange struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// Days returns the range from the start of first up to the start of until in loc.
func Days(first, until Date, loc *time.Location) TimeRange {
	return TimeRange{Start: first.In(loc), End: until.In(loc)}
}

// Location returns the location in which the range was meant.
func (r TimeRange) Location() *time.Location { return r.Start.Location() }

// Contains reports whether t is in the range.
func (r TimeRange) Contains(t time.Time) bool { return !t.Before(r.Start) && t.Before(r.End) }

// Overlaps reports whether the two ranges share an instant. A range of no length counts as the instant of its start.
func (r TimeRange) Overlaps(o TimeRange) bool {
	if !r.Start.Before(r.End) {
		return o.Contains(r.Start)
	}
	if !o.Start.Before(o.End) {
		return r.Contains(o.Start)
	}
	return r.Start.Before(o.End) && o.Start.Before(r.End)
}
