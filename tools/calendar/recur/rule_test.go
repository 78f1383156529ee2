package recur

import (
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/teambition/rrule-go"

	"annai/tools/calendar"
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
			r, err := newRule(text, At(at(start)), Options{}.complete(calendar.Event{}))
			if err != nil {
				t.Errorf("newRule(%s) = %v, want a rule", text, err)
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
				got := walls(r.between(at(w[0]).Unix(), at(w[1]).Unix(), NewBudget(SeriesSteps)))
				if diff := cmp.Diff(append([]time.Time{}, want...), append([]time.Time{}, got...)); diff != "" {
					t.Errorf("%s from %s between %s and %s (-want +got):\n%s", text, start, w[0], w[1], diff)
				}
				got = walls(r.workOut(at(w[0]).Unix(), at(w[1]).Unix(), NewBudget(SeriesSteps)))
				if diff := cmp.Diff(append([]time.Time{}, want...), append([]time.Time{}, got...)); diff != "" {
					t.Errorf("%s from %s, worked out between %s and %s (-want +got):\n%s", text, start, w[0], w[1], diff)
				}
			}
		}
	}
}

func walls(seconds iter.Seq[int64]) []time.Time {
	var all []time.Time
	for s := range seconds {
		all = append(all, time.Unix(s, 0).UTC())
	}
	return all
}

func TestCountEndsWhereTheLibraryEnds(t *testing.T) {
	start := time.Date(2020, 1, 31, 10, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"FREQ=MONTHLY;COUNT=9", "FREQ=DAILY;BYDAY=FR;COUNT=20", "FREQ=YEARLY;COUNT=2", "FREQ=WEEKLY;BYDAY=FR,MO;COUNT=1", "FREQ=HOURLY;COUNT=50",
	} {
		r, err := newRule(text, At(start), Options{}.complete(calendar.Event{}))
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
		if all := whole.All(); !(r.last == all[len(all)-1].Unix()) {
			t.Errorf("%s ends at %s, want %s", text, time.Unix(r.last, 0).UTC(), all[len(all)-1])
		}
	}
}

func TestRulesThatAreRefused(t *testing.T) {
	start := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"", "FREQ", "FREQ=", "FREQ=OFTEN", "INTERVAL=2", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;COUNT=x", "FREQ=DAILY;UNTIL=never",
		"FREQ=DAILY;INTERVAL=-1", "FREQ=DAILY;INTERVAL=9223372036854775807", "FREQ=YEARLY;BYEASTER=400", "FREQ=WEEKLY;BYDAY=2MO",
		"FREQ=MONTHLY;BYDAY=6MO", "FREQ=MONTHLY;BYDAY=-53MO", "FREQ=YEARLY;BYMONTH=1;BYDAY=9MO", "FREQ=WEEKLY;BYMONTHDAY=1",
		"FREQ=DAILY;BYYEARDAY=1", "FREQ=MONTHLY;BYWEEKNO=1", "FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;BYSETPOS=0", "FREQ=DAILY;BYSETPOS=2",
		"FREQ=SECONDLY;COUNT=1000000000", "FREQ=DAILY;RSCALE=HEBREW", "FREQ=DAILY;BYHOUR=" + strings.Repeat("1,", 600) + "1",
	} {
		if _, err := newRule(text, At(start), Options{}.complete(calendar.Event{})); err == nil {
			t.Errorf("newRule(%.40q) = nil error, want it refused", text)
		}
	}
}
