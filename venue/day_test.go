package venue_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/venue"
)

func date(y int, m time.Month, d int) civil.Date { return civil.Date{Year: y, Month: m, Day: d} }

func withHours(t *testing.T, hours string) *venue.Venue {
	t.Helper()
	v, err := parse(small + "timezone: Asia/Tokyo\nhours:\n" + hours)
	if err != nil {
		t.Fatalf("Parse(%s) = %v", hours, err)
	}
	return v
}

func at(t *testing.T, v *venue.Venue, text string) time.Time {
	t.Helper()
	instant, err := time.ParseInLocation("2006-01-02 15:04", text, v.Location)
	if err != nil {
		t.Fatal(err)
	}
	return instant
}

// closed returns the closed days of a month as "2026-02-24 last mon, moved from 2026-02-23".
func closed(v *venue.Venue, year int, month time.Month) []string {
	var out []string
	for _, day := range v.ClosedDays(year, month) {
		text := day.Date.String() + " " + day.Rule
		if !day.MovedFrom.IsZero() {
			text += ", moved from " + day.MovedFrom.String()
		}
		out = append(out, text)
	}
	return out
}

// The last Monday of a month is a public holiday in only a few months: 29 and 30 April, 23 and 24 February, 24 September, 24 November.
func TestClosedDays(t *testing.T) {
	v := demoVenue(t)
	for _, c := range []struct {
		year  int
		month time.Month
		want  []string
	}{
		{2025, time.January, []string{"2025-01-01 12-29/01-03", "2025-01-02 12-29/01-03", "2025-01-03 12-29/01-03", "2025-01-27 last mon"}},
		{2024, time.April, []string{"2024-04-30 last mon, moved from 2024-04-29"}},
		{2025, time.February, []string{"2025-02-25 last mon, moved from 2025-02-24"}},
		{2025, time.November, []string{"2025-11-25 last mon, moved from 2025-11-24"}},
		{2026, time.February, []string{"2026-02-24 last mon, moved from 2026-02-23"}},
		{2026, time.November, []string{"2026-11-30 last mon"}},
		// Moved into the next month, which then has two.
		{2029, time.April, nil},
		{2029, time.May, []string{"2029-05-01 last mon, moved from 2029-04-30", "2029-05-28 last mon"}},
		// Past ten holidays in a row.
		{2019, time.May, []string{"2019-05-07 last mon, moved from 2019-04-29", "2019-05-27 last mon"}},
		// The last Monday before, and in, the year-end holidays.
		{2026, time.December, []string{"2026-12-28 last mon", "2026-12-29 12-29/01-03", "2026-12-30 12-29/01-03", "2026-12-31 12-29/01-03"}},
		{2025, time.December, []string{"2025-12-29 12-29/01-03", "2025-12-30 12-29/01-03", "2025-12-31 12-29/01-03"}},
		{2024, time.December, []string{"2024-12-29 12-29/01-03", "2024-12-30 12-29/01-03", "2024-12-31 12-29/01-03"}},
	} {
		if diff := cmp.Diff(c.want, closed(v, c.year, c.month)); diff != "" {
			t.Errorf("ClosedDays(%d, %v) (-want +got):\n%s", c.year, c.month, diff)
		}
	}
}

func TestDay(t *testing.T) {
	v := demoVenue(t)
	open := v.Day(date(2026, 2, 23))
	hours := venue.Span{Date: date(2026, 2, 23), From: at(t, v, "2026-02-23 09:00"), Until: at(t, v, "2026-02-23 22:00")}
	want := venue.Day{Date: hours.Date, Known: true, Open: true, Spans: []venue.Span{hours}, From: hours.From, Until: hours.Until}
	if diff := cmp.Diff(want, open); diff != "" {
		t.Errorf("Day(2026-02-23) (-want +got):\n%s", diff)
	}
	shut := v.Day(date(2025, 12, 29))
	want = venue.Day{Date: date(2025, 12, 29), Known: true, Rule: "12-29/01-03", Reason: venue.Text{JA: "年末年始", EN: "the year-end holidays"}}
	if diff := cmp.Diff(want, shut); diff != "" {
		t.Errorf("Day(2025-12-29) (-want +got):\n%s", diff)
	}
	for _, holiday := range []civil.Date{date(2026, 5, 4), date(2026, 8, 14), date(2026, 11, 22), date(2026, 11, 23)} {
		if !v.Day(holiday).Open {
			t.Errorf("Day(%v).Open = false, want true: only the rules close", holiday)
		}
	}
}

func TestOpenAt(t *testing.T) {
	v := demoVenue(t)
	for text, want := range map[string]bool{
		"2026-11-25 08:59": false,
		"2026-11-25 09:00": true,
		"2026-11-25 21:59": true,
		"2026-11-25 22:00": false,
		"2026-11-30 12:00": false, // the last Monday
		"2026-02-24 12:00": false, // moved
		"2027-01-03 12:00": false,
		"2027-01-04 12:00": true,
	} {
		instant := at(t, v, text)
		if got := v.OpenAt(instant); got != want {
			t.Errorf("OpenAt(%s) = %v, want %v", text, got, want)
		}
		if got := v.OpenAt(instant.UTC()); got != want {
			t.Errorf("OpenAt(%s as UTC) = %v, want %v: the zone is the venue's", text, got, want)
		}
	}
}

func TestNextOpening(t *testing.T) {
	v := demoVenue(t)
	for text, want := range map[string]string{
		"2026-11-25 08:00": "2026-11-25 09:00",
		"2026-11-25 09:00": "2026-11-26 09:00", // it has opened: the next one
		"2026-11-29 23:00": "2026-12-01 09:00",
		"2026-12-27 22:30": "2027-01-04 09:00", // a closed Monday, then the year-end
		"2026-02-23 22:00": "2026-02-25 09:00",
	} {
		day, ok := v.NextOpening(at(t, v, text))
		if !ok || !day.From.Equal(at(t, v, want)) {
			t.Errorf("NextOpening(%s) = %v, %v, want %s", text, day.From, ok, want)
		}
	}
}

func TestHoursPastMidnight(t *testing.T) {
	v := withHours(t, `  weekly: {mon: "", tue: "18:00-02:00", wed: "00:00-24:00", thu: "", fri: "18:00-02:00", sat: "18:00-00:00", sun: ""}
  closed: [{days: [2026-11-27]}]
`)
	for text, want := range map[string]bool{
		"2026-11-24 17:59": false,
		"2026-11-24 18:00": true,
		"2026-11-24 23:59": true,
		"2026-11-25 01:59": true, // Wednesday's own day, from midnight
		"2026-11-25 23:59": true,
		"2026-11-26 00:00": false,
		"2026-11-27 19:00": false, // closed that day
		"2026-11-28 01:00": false, // and so the night after it
		"2026-11-21 01:59": true,  // the night after an open Friday
		"2026-11-21 02:00": false,
		"2026-11-21 23:59": true,
		"2026-11-22 00:00": false,
	} {
		if got := v.OpenAt(at(t, v, text)); got != want {
			t.Errorf("OpenAt(%s) = %v, want %v", text, got, want)
		}
	}
	day, ok := v.Opening(at(t, v, "2026-11-21 01:00"))
	if !ok || day.Date != date(2026, 11, 20) || !day.Until.Equal(at(t, v, "2026-11-21 02:00")) {
		t.Errorf("Opening(Saturday 01:00) = %+v, %v, want Friday's, until 02:00", day, ok)
	}
	if got := v.Day(date(2026, 11, 23)).Rule; got != "weekly mon" {
		t.Errorf("Day(a Monday).Rule = %q, want weekly mon", got)
	}
}

func TestRules(t *testing.T) {
	const week = `  weekly: {mon: "09:00-17:00", tue: "09:00-17:00", wed: "09:00-17:00", thu: "09:00-17:00", fri: "09:00-17:00", sat: "09:00-17:00", sun: "09:00-17:00"}` + "\n"
	for rule, want := range map[string][]string{
		"{nthWeekday: first sun}":  {"2026-11-01 first sun"},
		"{nthWeekday: 2nd tue}":    {"2026-11-10 2nd tue"},
		"{nthWeekday: fifth mon}":  {"2026-11-30 fifth mon"},
		"{nthWeekday: 5th tue}":    nil, // November 2026 has four
		"{nthWeekday: last sat}":   {"2026-11-28 last sat"},
		"{nthWeekday: 4th mon}":    {"2026-11-23 4th mon"},
		"{yearly: 11-29/12-02}":    {"2026-11-29 11-29/12-02", "2026-11-30 11-29/12-02"},
		"{yearly: 11-03}":          {"2026-11-03 11-03"},
		"{days: [2026-11-05]}":     {"2026-11-05 2026-11-05"},
		"{yearly: 02-29}":          nil,
		"{days: [2025-11-05]}":     nil,
		"{nthWeekday: fourth mon}": {"2026-11-23 fourth mon"},
	} {
		v := withHours(t, week+"  closed: ["+rule+"]\n")
		if diff := cmp.Diff(want, closed(v, 2026, time.November)); diff != "" {
			t.Errorf("ClosedDays(2026, November) with %s (-want +got):\n%s", rule, diff)
		}
	}
}

func TestUnknownHours(t *testing.T) {
	v, err := parse(small)
	if err != nil {
		t.Fatal(err)
	}
	now := at(t, v, "2026-11-25 12:00")
	if day := v.Day(date(2026, 11, 25)); day.Known || day.Open {
		t.Errorf("Day() without hours = %+v, want it unknown", day)
	}
	if _, ok := v.NextOpening(now); ok || v.OpenAt(now) || v.ClosedDays(2026, time.November) != nil {
		t.Error("a venue without hours opens or closes, want neither")
	}
}

func TestNeverOpen(t *testing.T) {
	v := withHours(t, "  weekly: {mon: \"\", tue: \"\", wed: \"\", thu: \"\", fri: \"\", sat: \"\", sun: \"\"}\n")
	if day, ok := v.NextOpening(at(t, v, "2026-11-25 12:00")); ok {
		t.Errorf("NextOpening() of a venue that never opens = %+v, want none", day)
	}
}
