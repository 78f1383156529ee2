package civil_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"annai/civil"
	"annai/fault"
)

func date(t *testing.T, s string) civil.Date {
	t.Helper()
	d, err := civil.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestParseDate(t *testing.T) {
	for _, s := range []string{"", "2026-02-30", "2026-2-3", "20260203", "2026-02-03T00:00:00Z", "二月"} {
		if d, err := civil.ParseDate(s); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("ParseDate(%q) = %v, %v, want ErrInvalid", s, d, err)
		}
	}
	var d civil.Date
	if err := json.Unmarshal([]byte(`"2026-11-21"`), &d); err != nil || d.String() != "2026-11-21" {
		t.Errorf("Unmarshal = %v, %v", d, err)
	}
	if err := json.Unmarshal([]byte(`""`), &d); err != nil || !d.IsZero() || d.String() != "" {
		t.Errorf("Unmarshal of nothing = %v, %v, want the zero date", d, err)
	}
}

func TestArithmetic(t *testing.T) {
	for _, c := range []struct{ what, got, want string }{
		{"a day after the year's last", date(t, "2025-12-31").AddDays(1).String(), "2026-01-01"},
		{"a leap day", date(t, "2028-03-01").AddDays(-1).String(), "2028-02-29"},
		{"a month after January 31", date(t, "2025-01-31").AddMonths(1).String(), "2025-02-28"},
		{"a month before March 31 of a leap year", date(t, "2028-03-31").AddMonths(-1).String(), "2028-02-29"},
		{"fourteen months on", date(t, "2025-11-15").AddMonths(14).String(), "2027-01-15"},
		{"the Monday of a Sunday", date(t, "2026-11-22").Monday().String(), "2026-11-16"},
		{"the Monday of a Monday", date(t, "2026-11-16").Monday().String(), "2026-11-16"},
	} {
		if c.got != c.want {
			t.Errorf("%s = %s, want %s", c.what, c.got, c.want)
		}
	}
	if n := date(t, "2026-03-01").Sub(date(t, "2026-02-01")); n != 28 {
		t.Errorf("Sub = %d, want 28", n)
	}
	if !date(t, "2026-02-01").Before(date(t, "2026-02-02")) || date(t, "2026-02-01").After(date(t, "2026-02-01")) {
		t.Error("Before and After disagree with the calendar")
	}
}

func TestStartOfDay(t *testing.T) {
	for zone, c := range map[string]struct{ day, want string }{
		"Asia/Tokyo":        {"2026-11-21", "2026-11-21T00:00:00+09:00"},
		"America/Sao_Paulo": {"2018-11-04", "2018-11-04T01:00:00-02:00"}, // clocks went from 0:00 to 1:00
		"America/New_York":  {"2026-03-08", "2026-03-08T00:00:00-05:00"},
	} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := date(t, c.day).In(loc).Format(time.RFC3339); got != c.want {
			t.Errorf("%s in %s starts at %s, want %s", c.day, zone, got, c.want)
		}
	}
}

func TestRanges(t *testing.T) {
	day := func(first, until string) civil.TimeRange { return civil.Days(date(t, first), date(t, until), time.UTC) }
	week := day("2026-11-16", "2026-11-23")
	if !week.Contains(week.Start) || week.Contains(week.End) {
		t.Error("a range has its start and not its end")
	}
	instant := civil.TimeRange{Start: week.Start, End: week.Start}
	for _, c := range []struct {
		a, b civil.TimeRange
		want bool
	}{
		{week, day("2026-11-22", "2026-11-24"), true},
		{week, day("2026-11-23", "2026-11-24"), false},
		{week, instant, true},
		{day("2026-11-15", "2026-11-16"), instant, false},
		{instant, instant, false},
	} {
		if got := c.a.Overlaps(c.b); got != c.want || c.b.Overlaps(c.a) != c.want {
			t.Errorf("%v.Overlaps(%v) = %v, want %v both ways", c.a, c.b, got, c.want)
		}
	}
}
