package venue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/internal/holiday"
	"annai/venue"
)

// told writes a day as "10:00-12:00, 13:00-17:00 (rule)" or "closed (rule)", with the day it was
// moved from.
func told(day venue.Day) string {
	var spans []string
	for _, s := range day.Spans {
		spans = append(spans, s.From.Format("15:04")+"-"+s.Until.Format("15:04"))
	}
	text := strings.Join(spans, ", ")
	if !day.Open {
		text = "closed"
	}
	if day.Rule != "" {
		text += " (" + day.Rule + ")"
	}
	if !day.MovedFrom.IsZero() {
		text += " from " + day.MovedFrom.String()
	}
	return text
}

func TestDaysByRules(t *testing.T) {
	const museum = `  weekly: {mon: "", daily: "9:30-17:00"}
  holidays: jp
`
	for _, c := range []struct {
		name, hours string
		want        map[string]string // by date
	}{
		{"moved", museum + "  moveIfHoliday: true\n", map[string]string{
			"2026-11-16": "closed (weekly mon)",
			"2026-11-23": "09:30-17:00 (weekly holiday)",
			"2026-11-24": "closed (weekly mon) from 2026-11-23",
			"2026-09-21": "09:30-17:00 (weekly holiday)",
			"2026-09-22": "09:30-17:00", // a holiday itself
			"2026-09-24": "closed (weekly mon) from 2026-09-21",
			"2026-05-04": "09:30-17:00 (weekly holiday)", // Golden Week to Wednesday
			"2026-05-07": "closed (weekly mon) from 2026-05-04",
		}},
		{"opened", museum + "  openIfHoliday: true\n", map[string]string{
			"2026-11-16": "closed (weekly mon)", "2026-11-23": "09:30-17:00 (weekly holiday)", "2026-11-24": "09:30-17:00",
		}},
		{"neither", museum, map[string]string{"2026-11-23": "closed (weekly mon)", "2026-11-24": "09:30-17:00"}},
		{"closed on holidays", `  weekly: {sun: "", daily: "9:00-20:00", holiday: ""}
  holidays: jp
`, map[string]string{"2026-11-23": "closed (weekly holiday)", "2026-11-22": "closed (weekly sun)", "2026-11-24": "09:00-20:00"}},
		{"hours of holidays", `  weekly: {mon: "", daily: "12:00-17:00, 18:00-20:00", sat: "11:00-20:00", sun: "11:00-20:00", holiday: "11:00-20:00"}
  holidays: jp
`, map[string]string{
			"2026-11-03": "11:00-20:00 (weekly holiday)", // a Tuesday
			"2026-11-23": "closed (weekly mon)", "2026-11-24": "12:00-17:00, 18:00-20:00",
		}},
		{"special", museum + `  moveIfHoliday: true
  closed: [{yearly: 12-29/01-03}, {nthWeekday: last thu}]
  special:
    - {days: [2026-12-30, 2026-11-24, 2026-11-30], hours: "10:00-15:00"}
    - {yearly: 08-01/08-31, hours: "9:30-19:00"}
    - {nthWeekday: first mon, hours: "13:00-16:00"}
    - {nthWeekday: last thu, hours: "13:00-16:00"}
    - {nthWeekday: 2nd wed, hours: "9:30-12:00"}
`, map[string]string{
			"2026-12-30": "10:00-15:00 (2026-12-30)", "2026-12-29": "closed (12-29/01-03)",
			"2026-11-24": "10:00-15:00 (2026-11-24)", "2026-11-30": "10:00-15:00 (2026-11-30)",
			"2026-08-05": "09:30-19:00 (08-01/08-31)", "2026-08-10": "closed (weekly mon)",
			"2026-12-07": "13:00-16:00 (first mon)", "2026-11-26": "closed (last thu)", "2026-11-11": "09:30-12:00 (2nd wed)",
			"2026-08-11": "09:30-19:00 (08-01/08-31)",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := withHours(t, c.hours)
			got := map[string]string{}
			for text := range c.want {
				d, err := civil.ParseDate(text)
				if err != nil {
					t.Fatal(err)
				}
				got[text] = told(v.Day(d))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("Day() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBreaks(t *testing.T) {
	v := withHours(t, "  weekly: {mon: \"\", daily: \"9:30-12:00, 13:00-17:00\"}\n  lastEntry: 30 min\n  lastOrder: \"16:45\"\n")
	for text, want := range map[string]string{ // open until, or opens at
		"2026-11-25 09:00": "opens 2026-11-25 09:30",
		"2026-11-25 11:59": "until 2026-11-25 12:00",
		"2026-11-25 12:00": "opens 2026-11-25 13:00",
		"2026-11-25 16:59": "until 2026-11-25 17:00",
		"2026-11-25 17:00": "opens 2026-11-26 09:30",
		"2026-11-22 17:00": "opens 2026-11-24 09:30",
	} {
		now := at(t, v, text)
		got := ""
		if s, open := v.Opening(now); open {
			got = "until " + s.Until.Format("2006-01-02 15:04")
		} else if s, ok := v.NextOpening(now); ok {
			got = "opens " + s.From.Format("2006-01-02 15:04")
		}
		if got != want {
			t.Errorf("at %s: %s, want %s", text, got, want)
		}
	}
	var last []string
	for _, s := range v.Day(date(2026, 11, 25)).Spans {
		last = append(last, s.LastEntry.Format("15:04"), fmt.Sprint(!s.LastOrder.IsZero()))
	}
	if want := []string{"11:30", "false", "16:30", "true"}; !slices.Equal(last, want) {
		t.Errorf("last entries and orders are %v, want %v", last, want)
	}
	if day, ok := v.Hours.NextClosed(date(2026, 11, 25)); !ok || day.Date != date(2026, 11, 30) {
		t.Errorf("NextClosed(2026-11-25) = %v, %v, want 2026-11-30", day.Date, ok)
	}
}

func TestHoursRefused(t *testing.T) {
	const week = `hours: {weekly: {mon: "", daily: "9:30-17:00"}, `
	for yaml, want := range map[string]string{
		`hours: {weekly: {daily: "9:00-12:00, 11:00-13:00"}}`:                                                   `"9:00-12:00, 11:00-13:00" has times that are not one after the other`,
		`hours: {weekly: {daily: "22:00-02:00, 03:00-04:00"}}`:                                                  `"22:00-02:00, 03:00-04:00" has times that are not one after the other`,
		week + `moveIfHoliday: true}`:                                                                           `hours.moveIfHoliday: needs hours.holidays, to say whose holidays`,
		`hours: {weekly: {daily: "9:00-17:00"}, holidays: jp, moveIfHoliday: true}`:                             `hours.moveIfHoliday: is about weekdays that weekly closes with "", and there is none`,
		`hours: {weekly: {mon: "", sat: "9:00-12:00", daily: "9:00-17:00"}, holidays: jp, openIfHoliday: true}`: `hours.openIfHoliday: does not say from when until when; give the hours of a public holiday as weekly.holiday`,
		`hours: {weekly: {mon: "", daily: "9:00-17:00", holiday: ""}, holidays: jp, openIfHoliday: true}`:       `hours.openIfHoliday: opens on public holidays, which weekly.holiday closes`,
		week + `special: [{days: [2026-01-01]}]}`:                                                               `hours.special[0].hours: is missing; a day that is closed belongs under closed`,
		week + `special: [{hours: "9:00-12:00"}]}`:                                                              `hours.special[0]: give exactly one of nthWeekday, yearly and days`,
		week + `closed: [{days: [2026-01-01]}], special: [{days: [2026-01-01], hours: "9:00-12:00"}]}`:          `hours.special: 2026-01-01 is under closed too`,
		week + `lastOrder: soon}`:                                                                               `hours.lastOrder: "soon" is neither a time of day like 19:30 nor a time before closing like 30 min`,
		week + `lastOrder: "19:30"}`:                                                                            `hours.lastOrder: "19:30" is in no opening hours of the week`,
		`hours: {lastOrder: "19:30"}`:                                                                           `hours.weekly: is missing, so the rest of hours has nothing to change`,
	} {
		_, err := parse(small + yaml + "\n")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%s) = %v, want %s", yaml, err, want)
		}
	}
}

func TestNotes(t *testing.T) {
	v := withHours(t, "  weekly: {daily: \"9:30-17:00\", fri: \"19:00-10:00\"}\n")
	want := `line 4: hours.weekly.fri: 19:00-10:00 ends at 10:00 on the next day`
	if notes := v.Notes(); len(notes) != 1 || notes[0].String() != want {
		t.Errorf("Notes() = %v, want %s", notes, want)
	}
}

// randomHours are hours with rules of all kinds, by chance.
func randomHours(r *rand.Rand) string {
	clocks := []string{"", "9:30-17:00", "10:00-12:00, 13:00-17:00", "18:00-02:00", "00:00-24:00", "11:00-13:30, 17:00-23:00"}
	names := []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
	var b strings.Builder
	b.WriteString("  weekly: {")
	for _, n := range names {
		fmt.Fprintf(&b, "%s: %q, ", n, clocks[r.IntN(len(clocks))])
	}
	fmt.Fprintf(&b, "holiday: %q}\n  holidays: jp\n", clocks[1+r.IntN(len(clocks)-1)])
	if r.IntN(2) == 0 && strings.Contains(b.String(), `""`) {
		b.WriteString([]string{"  moveIfHoliday: true\n", "  openIfHoliday: true\n"}[r.IntN(2)])
	}
	b.WriteString("  closed: [{yearly: 12-29/01-03}, {nthWeekday: 3rd " + names[r.IntN(7)] + ", moveIfHoliday: true}]\n")
	b.WriteString("  special: [{days: [2026-05-05], hours: \"8:00-9:00\"}, {nthWeekday: 2nd " + names[r.IntN(7)] + ", hours: \"8:00-9:00, 10:00-11:00\"}]\n")
	return b.String()
}

// What is answered of an instant agrees with the spans of its day and of the day before, hour by
// hour; the next opening is the first span that follows, and no closing day is lost in moving.
func TestHoursProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		text := randomHours(r)
		v := withHours(t, text)
		var spans []venue.Span
		first := date(2026, 3, 28).AddDays(r.IntN(365))
		for i := -1; i < 60; i++ {
			day := v.Day(first.AddDays(i))
			if day.Open != (len(day.Spans) > 0) || !day.Known {
				t.Fatalf("%s: Day(%v) = %+v, want spans where it is open", text, day.Date, day)
			}
			spans = append(spans, day.Spans...)
		}
		for now := first.In(v.Location); now.Before(first.AddDays(20).In(v.Location)); now = now.Add(30 * time.Minute) {
			open := slices.ContainsFunc(spans, func(s venue.Span) bool { return s.Contains(now) })
			if got := v.OpenAt(now); got != open {
				t.Fatalf("%s: OpenAt(%v) = %v, want %v", text, now, got, open)
			}
			next := slices.IndexFunc(spans, func(s venue.Span) bool { return s.From.After(now) })
			got, ok := v.NextOpening(now)
			if next >= 0 && (!ok || got != spans[next]) {
				t.Fatalf("%s: NextOpening(%v) = %v, want %v", text, now, got, spans[next])
			}
		}
	}
}

// A part is open only when the venue is that day, and on its special days only within their hours; days of its own are excepted.
func TestPartsClose(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		part := strings.ReplaceAll(strings.Replace(randomHours(r), "  holidays: jp\n", "", 1), "\n", "\n    ")
		text := small + "hours:\n" + randomHours(r) + "parts:\n  - name: Hall\n    hours:\n    " + part + "\n"
		v, err := parse(text)
		if err != nil {
			t.Fatalf("Parse(%s) = %v", text, err)
		}
		for i := range 400 {
			d := date(2026, 1, 1).AddDays(i)
			whole, day := v.Day(d), v.Part("Hall").Hours.Day(d)
			own := day.Rule == d.String() && !day.WithVenue
			if day.Open && !whole.Open && !own {
				t.Fatalf("%s: the part is open on %v: %+v", text, d, day)
			}
			special := whole.Open && whole.Rule != "" && whole.Rule != "weekly holiday"
			for _, s := range day.Spans {
				holds := func(w venue.Span) bool { return !s.From.Before(w.From) && !s.Until.After(w.Until) }
				if special && !own && !slices.ContainsFunc(whole.Spans, holds) {
					t.Fatalf("%s: the part is open on %v: %+v, want it within %+v", text, d, day, whole)
				}
			}
		}
	}
}

// Where Mondays move, each week has exactly the closed Mondays it is owed: a Monday is open if it
// is a holiday, and then the first workday after it that is no holiday is closed; no other day is.
func TestMovedMondays(t *testing.T) {
	v := withHours(t, "  weekly: {mon: \"\", daily: \"9:30-17:00\"}\n  holidays: jp\n  moveIfHoliday: true\n")
	want := map[civil.Date]civil.Date{}
	for monday := date(2019, 12, 2); monday.Year < 2032; monday = monday.AddDays(7) {
		closes := monday
		for weekend := false; holiday.Japan(closes) != "" || weekend; {
			closes = closes.AddDays(1)
			weekend = closes.Weekday() == time.Saturday || closes.Weekday() == time.Sunday
		}
		want[closes] = monday
	}
	for d := date(2020, 1, 1); d.Year < 2031; d = d.AddDays(1) {
		monday, closed := want[d]
		day := v.Day(d)
		if day.Open == closed || closed && monday != d && day.MovedFrom != monday {
			t.Errorf("Day(%v) = %+v, want closed %v for %v", d, day, closed, monday)
		}
	}
}
