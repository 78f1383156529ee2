package ics

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/teambition/rrule-go"
)

// Walking from near the window finds what walking from the start finds.
func TestRulesAgainstTheLibrary(t *testing.T) {
	starts := []string{"20000131T093000", "20200229T000000", "20240603T235900"}
	rules := strings.Fields(`
		FREQ=DAILY FREQ=DAILY;INTERVAL=3 FREQ=DAILY;BYMONTH=2,6;BYMONTHDAY=1,-1 FREQ=DAILY;BYDAY=MO,TH;BYHOUR=8,20
		FREQ=DAILY;INTERVAL=5;BYHOUR=1,2,3;BYSETPOS=-1
		FREQ=WEEKLY FREQ=WEEKLY;BYDAY=MO,WE,SU FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU
		FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SA;BYMONTH=1,7 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,17;BYMINUTE=0,30
		FREQ=MONTHLY FREQ=MONTHLY;BYMONTHDAY=-1 FREQ=MONTHLY;BYDAY=2TU FREQ=MONTHLY;BYDAY=-1FR,1MO
		FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31 FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1
		FREQ=MONTHLY;BYMONTH=4,5;BYDAY=SA;BYMONTHDAY=1,2,3,4,5,6,7;BYHOUR=6
		FREQ=YEARLY FREQ=YEARLY;INTERVAL=4 FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU FREQ=YEARLY;BYYEARDAY=1,100,-1
		FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=MO,TU FREQ=YEARLY;BYDAY=20MO FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=2,3,4,5,6,7,8;BYDAY=TU
		FREQ=HOURLY;INTERVAL=7 FREQ=HOURLY;BYDAY=SU;BYHOUR=3,4 FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,20,40
		FREQ=MINUTELY;INTERVAL=350;BYHOUR=10,11,12 FREQ=MINUTELY;INTERVAL=1441 FREQ=SECONDLY;INTERVAL=40000`)
	windows := [][2]string{
		{"20200101T000000", "20200401T000000"},
		{"20260525T000000", "20260608T120000"},
		{"20261228T000000", "20270105T000000"},
		{"20400201T000000", "20400301T000000"},
		{"19990101T000000", "20000201T000000"},
	}
	at := func(s string) time.Time {
		parsed, err := time.Parse("20060102T150405", s)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for _, start := range starts {
		for _, text := range rules {
			z := &zones{own: utc}
			r, err := z.rule(text, moment{wall: at(start), zone: utc}, &budget{left: parseSteps})
			if err != nil {
				t.Errorf("rule(%s) = %v, want a rule", text, err)
				continue
			}
			opt, err := rrule.StrToROption(text)
			if err != nil {
				t.Fatal(err)
			}
			opt.Dtstart = at(start)
			opt.Until = at("20410101T000000")
			whole, err := rrule.NewRRule(*opt)
			if err != nil {
				t.Fatal(err)
			}
			all := whole.All()
			for _, w := range windows {
				first, _ := slices.BinarySearchFunc(all, at(w[0]), time.Time.Compare)
				after, _ := slices.BinarySearchFunc(all, at(w[1]).Add(time.Second), time.Time.Compare)
				want := all[first:after]
				got := slices.Collect(r.between(at(w[0]), at(w[1]), &budget{left: parseSteps}))
				if diff := cmp.Diff(append([]time.Time{}, want...), append([]time.Time{}, got...)); diff != "" {
					t.Errorf("%s from %s between %s and %s (-want +got):\n%s", text, start, w[0], w[1], diff)
				}
				got = slices.Collect(r.workOut(at(w[0]), at(w[1]), &budget{left: parseSteps}))
				if diff := cmp.Diff(append([]time.Time{}, want...), append([]time.Time{}, got...)); diff != "" {
					t.Errorf("%s from %s, worked out between %s and %s (-want +got):\n%s", text, start, w[0], w[1], diff)
				}
			}
		}
	}
}

func TestCountEndsWhereTheLibraryEnds(t *testing.T) {
	start := time.Date(2020, 1, 31, 10, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"FREQ=MONTHLY;COUNT=9", "FREQ=DAILY;BYDAY=FR;COUNT=20", "FREQ=YEARLY;COUNT=2", "FREQ=WEEKLY;BYDAY=FR,MO;COUNT=1", "FREQ=HOURLY;COUNT=50",
	} {
		r, err := (&zones{own: utc}).rule(text, moment{wall: start, zone: utc}, &budget{left: parseSteps})
		if err != nil {
			t.Fatal(err)
		}
		opt, err := rrule.StrToROption(text)
		if err != nil {
			t.Fatal(err)
		}
		opt.Dtstart = start
		whole, err := rrule.NewRRule(*opt)
		if err != nil {
			t.Fatal(err)
		}
		if all := whole.All(); !r.last.Equal(all[len(all)-1]) {
			t.Errorf("%s ends at %s, want %s", text, r.last, all[len(all)-1])
		}
	}
}

func TestRulesThatAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "FREQ", "FREQ=", "FREQ=OFTEN", "INTERVAL=2", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;COUNT=x", "FREQ=DAILY;UNTIL=never",
		"FREQ=DAILY;INTERVAL=-1", "FREQ=DAILY;INTERVAL=9223372036854775807", "FREQ=YEARLY;BYEASTER=400", "FREQ=WEEKLY;BYDAY=2MO",
		"FREQ=MONTHLY;BYDAY=6MO", "FREQ=MONTHLY;BYDAY=-53MO", "FREQ=YEARLY;BYMONTH=1;BYDAY=9MO", "FREQ=WEEKLY;BYMONTHDAY=1",
		"FREQ=DAILY;BYYEARDAY=1", "FREQ=MONTHLY;BYWEEKNO=1", "FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;BYSETPOS=0", "FREQ=DAILY;BYSETPOS=2",
		"FREQ=SECONDLY;COUNT=1000000000", "FREQ=DAILY;RSCALE=HEBREW", "FREQ=DAILY;BYHOUR=" + strings.Repeat("1,", 600) + "1",
	} {
		if _, err := (&zones{own: utc}).rule(text, moment{wall: zoneFrom, zone: utc}, &budget{left: parseSteps}); err == nil {
			t.Errorf("rule(%.40q) = nil error, want it refused", text)
		}
	}
}

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
	z := newZones(takeApart([]byte(definition)), time.UTC, &budget{left: parseSteps})
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
		if _, got := at.In(defined.loc).Zone(); got != want {
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
		if _, got := at.In(once.loc).Zone(); got != want {
			t.Errorf("offset at %s = %d, want %d", date, got, want)
		}
	}
}

// Every Windows name leads to a zone that exists, and every wall-clock time comes back as it was unless there is none.
func TestZonesAndWallClocks(t *testing.T) {
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
	for _, name := range []string{"America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "Pacific/Apia", "Africa/Casablanca"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		var last time.Time
		for wall := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); wall.Year() < 2027; wall = wall.Add(15 * time.Minute) {
			at := fromWall(wall, loc)
			back := toWall(at, loc)
			if gap := back.Sub(wall); gap != 0 && gap != time.Hour && gap != 30*time.Minute {
				t.Fatalf("%s in %s is %s, which shows %s, want the same or a gap later", wall, name, at, back)
			}
			if same := at.Add(-time.Hour); toWall(same, loc).Equal(wall) {
				t.Fatalf("%s in %s is %s, want the first of two, %s", wall, name, at, same)
			}
			if back.Equal(wall) {
				if at.Before(last) {
					t.Fatalf("%s in %s is %s, before an earlier one", wall, name, at)
				}
				last = at
			}
		}
	}
}

func TestParseLength(t *testing.T) {
	for s, want := range map[string]length{
		"PT1H30M": {exact: 90 * time.Minute}, "P1D": {days: 1}, "P1W": {days: 7}, "P2DT3H": {days: 2, exact: 3 * time.Hour},
		"+PT5S": {exact: 5 * time.Second}, "pt15m": {exact: 15 * time.Minute}, "P0D": {},
	} {
		if got, err := parseLength(s); err != nil || got != want {
			t.Errorf("parseLength(%q) = %+v, %v, want %+v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "P", "PT", "P1", "1D", "-PT1H", "P1H", "PT1D", "P1DT", "P99999999999D", "P40000D", "PT999999999H"} {
		if got, err := parseLength(s); err == nil {
			t.Errorf("parseLength(%q) = %+v, want an error", s, got)
		}
	}
}
