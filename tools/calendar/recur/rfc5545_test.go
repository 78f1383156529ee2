package recur_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// TestRFC5545 has every sample of section 3.8.5.3, which are all in New York and at nine where nothing else is said, with the dates that are
// listed there. A list that ends in "..." goes on for ever.
func TestRFC5545(t *testing.T) {
	const minutes = "9:00 9:20 9:40 10:00 10:20 10:40 11:00 11:20 11:40 12:00 12:20 12:40 13:00 13:20 13:40 14:00 14:20 14:40 15:00 15:20 15:40 16:00 16:20 16:40"
	const christmasEve = "1997 EDT Sep 2-30 Oct 1-25 EST Oct 26-31 Nov 1-30 Dec 1-23"
	const januaries = "EST 1998 Jan 1-31 1999 Jan 1-31 2000 Jan 1-31"
	const fiveWeeks = "1997 EDT Sep 2 4 9 11 16 18 23 25 30 Oct 2"
	for _, test := range []struct{ name, start, lines, want string }{
		{"daily for 10 occurrences", "", "FREQ=DAILY;COUNT=10", "1997 EDT Sep 2-11"},
		{"daily until December 24, 1997", "", "FREQ=DAILY;UNTIL=19971224T000000Z", christmasEve},
		{
			"every other day", "", "FREQ=DAILY;INTERVAL=2", `1997 EDT Sep 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30
			Oct 2 4 6 8 10 12 14 16 18 20 22 24 EST Oct 26 28 30 Nov 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 Dec 1 3 ...`,
		},
		{"every 10 days, 5 occurrences", "", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997 EDT Sep 2 12 22 Oct 2 12"},
		{
			"every day in January, for 3 years", "19980101T090000",
			"FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", januaries,
		},
		{"every day in January, daily", "19980101T090000", "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", januaries},
		{"weekly for 10 occurrences", "", "FREQ=WEEKLY;COUNT=10", "1997 EDT Sep 2 9 16 23 30 Oct 7 14 21 EST Oct 28 Nov 4"},
		{
			"weekly until December 24, 1997", "", "FREQ=WEEKLY;UNTIL=19971224T000000Z",
			"1997 EDT Sep 2 9 16 23 30 Oct 7 14 21 EST Oct 28 Nov 4 11 18 25 Dec 2 9 16 23",
		},
		{
			"every other week", "", "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
			"1997 EDT Sep 2 16 30 Oct 14 EST Oct 28 Nov 11 25 Dec 9 23 1998 EST Jan 6 20 Feb 3 17 ...",
		},
		{"Tuesday and Thursday for five weeks, until", "", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", fiveWeeks},
		{"Tuesday and Thursday for five weeks, count", "", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", fiveWeeks},
		{
			"every other week on Monday, Wednesday and Friday", "19970901T090000",
			"FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
			"1997 EDT Sep 1 3 5 15 17 19 29 Oct 1 3 13 15 17 EST Oct 27 29 31 Nov 10 12 14 24 26 28 Dec 8 10 12 22",
		},
		{
			"every other week on Tuesday and Thursday", "", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
			"1997 EDT Sep 2 4 16 18 30 Oct 2 14 16",
		},
		{
			"first Friday for 10 occurrences", "19970905T090000", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
			"1997 EDT Sep 5 Oct 3 EST Nov 7 Dec 5 1998 EST Jan 2 Feb 6 Mar 6 Apr 3 EDT May 1 Jun 5",
		},
		{
			"first Friday until December 24, 1997", "19970905T090000", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
			"1997 EDT Sep 5 Oct 3 EST Nov 7 Dec 5",
		},
		{
			"first and last Sunday of every other month", "19970907T090000", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
			"1997 EDT Sep 7 28 EST Nov 2 30 1998 EST Jan 4 25 Mar 1 29 EDT May 3 31",
		},
		{
			"second-to-last Monday", "19970922T090000", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
			"1997 EDT Sep 22 Oct 20 EST Nov 17 Dec 22 1998 EST Jan 19 Feb 16",
		},
		{
			"third-to-last day of the month", "19970928T090000", "FREQ=MONTHLY;BYMONTHDAY=-3",
			"1997 EDT Sep 28 EST Oct 29 Nov 28 Dec 29 1998 EST Jan 29 Feb 26 ...",
		},
		{
			"2nd and 15th", "", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
			"1997 EDT Sep 2 15 Oct 2 15 EST Nov 2 15 Dec 2 15 1998 EST Jan 2 15",
		},
		{
			"first and last day", "19970930T090000", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
			"1997 EDT Sep 30 Oct 1 EST Oct 31 Nov 1 30 Dec 1 31 1998 EST Jan 1 31 Feb 1",
		},
		{
			"10th to 15th every 18 months", "19970910T090000", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
			"1997 EDT Sep 10-15 1999 EST Mar 10 11 12 13",
		},
		{
			"every Tuesday, every other month", "", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
			"1997 EDT Sep 2 9 16 23 30 EST Nov 4 11 18 25 1998 EST Jan 6 13 20 27 Mar 3 10 17 24 31 ...",
		},
		{
			"June and July", "19970610T090000", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
			"EDT 1997 Jun 10 Jul 10 1998 Jun 10 Jul 10 1999 Jun 10 Jul 10 2000 Jun 10 Jul 10 2001 Jun 10 Jul 10",
		},
		{
			"January, February and March of every other year", "19970310T090000", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
			"EST 1997 Mar 10 1999 Jan 10 Feb 10 Mar 10 2001 Jan 10 Feb 10 Mar 10 2003 Jan 10 Feb 10 Mar 10",
		},
		{
			"1st, 100th and 200th day of every third year", "19970101T090000", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
			"1997 EST Jan 1 EDT Apr 10 Jul 19 2000 EST Jan 1 EDT Apr 9 Jul 18 2003 EST Jan 1 EDT Apr 10 Jul 19 2006 EST Jan 1",
		},
		{"20th Monday of the year", "19970519T090000", "FREQ=YEARLY;BYDAY=20MO", "EDT 1997 May 19 1998 May 18 1999 May 17 ..."},
		{"Monday of week 20", "19970512T090000", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "EDT 1997 May 12 1998 May 11 1999 May 17 ..."},
		{
			"every Thursday in March", "19970313T090000", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
			"EST 1997 Mar 13 20 27 1998 Mar 5 12 19 26 1999 Mar 4 11 18 25 ...",
		},
		{
			"every Thursday in summer", "19970605T090000", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
			`EDT 1997 Jun 5 12 19 26 Jul 3 10 17 24 31 Aug 7 14 21 28 1998 Jun 4 11 18 25 Jul 2 9 16 23 30 Aug 6 13 20 27
			1999 Jun 3 10 17 24 Jul 1 8 15 22 29 Aug 5 12 19 26 ...`,
		},
		{
			"Friday the 13th", "", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13 EXDATE;TZID=America/New_York:19970902T090000",
			"1998 EST Feb 13 Mar 13 Nov 13 1999 EDT Aug 13 2000 EDT Oct 13 ...",
		},
		{
			"first Saturday after the first Sunday", "19970913T090000", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
			"1997 EDT Sep 13 Oct 11 EST Nov 8 Dec 13 1998 EST Jan 10 Feb 7 Mar 7 EDT Apr 11 May 9 Jun 13 ...",
		},
		{
			"election day", "19961105T090000", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
			"EST 1996 Nov 5 2000 Nov 7 2004 Nov 2 ...",
		},
		{
			"third instance of Tuesday, Wednesday or Thursday", "19970904T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
			"1997 EDT Sep 4 Oct 7 EST Nov 6",
		},
		{
			"second-to-last weekday", "19970929T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
			"1997 EDT Sep 29 EST Oct 30 Nov 27 Dec 30 1998 EST Jan 29 Feb 26 Mar 30 ...",
		},
		// The RFC has UNTIL=19970902T170000Z, which is one in the afternoon in New York; erratum 3883 puts that right.
		{"every 3 hours from nine to five", "", "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", "1997 EDT Sep 2 9:00 12:00 15:00"},
		{
			"every 15 minutes for 6 occurrences", "", "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
			"1997 EDT Sep 2 9:00 9:15 9:30 9:45 10:00 10:15",
		},
		{"every hour and a half", "", "FREQ=MINUTELY;INTERVAL=90;COUNT=4", "1997 EDT Sep 2 9:00 10:30 12:00 13:30"},
		{
			"every 20 minutes, daily", "", "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
			"1997 EDT Sep 2 " + minutes + " Sep 3 " + minutes + " ...",
		},
		{
			"every 20 minutes, minutely", "", "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
			"1997 EDT Sep 2 " + minutes + " Sep 3 " + minutes + " ...",
		},
		{"weeks that start on Monday", "19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997 EDT Aug 5 10 19 24"},
		{"weeks that start on Sunday", "19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997 EDT Aug 5 17 19 31"},
		// The RFC says EST of all; by the time of its year 2007 clocks are changed in the middle of March.
		{"a date that is invalid is ignored", "20070115T090000", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007 EST Jan 15 30 Feb 15 EDT Mar 15 30"},
	} {
		t.Run(test.name, func(t *testing.T) {
			want, forever := listed(t, test.want)
			start := test.start
			if start == "" {
				start = "19970902T090000"
			}
			lines := strings.Fields("RRULE:" + test.lines)
			x := mustCompile(t, timedSeries(t, start, "America/New_York", time.Hour, lines...))
			events, more := x.First(len(want), zone(t, "America/New_York"))
			if diff := cmp.Diff(want, stamps(events, "2006-01-02 15:04 MST")); diff != "" {
				t.Errorf("First(%d) of %s (-want +got):\n%s", len(want), lines, diff)
			}
			if more != forever {
				t.Errorf("First(%d) of %s: more = %v, want %v", len(want), lines, more, forever)
			}
			wantSameInWindows(t, x, events, more)
		})
	}
}

// wantSameInWindows reads the same month by month, the latest first.
func wantSameInWindows(t *testing.T, x *recur.Expander, want []calendar.Event, more bool) {
	t.Helper()
	loc := zone(t, "America/New_York")
	first, last := want[0].Start, want[len(want)-1].Start
	steps := recur.NewBudget(100 * recur.SeriesSteps)
	var got []calendar.Event
	for month := last; !month.Before(first.AddDate(0, -2, 0)); month = month.AddDate(0, -1, 0) {
		begin := time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, loc)
		month = begin.AddDate(0, 0, 14)
		part := slices.Collect(x.Between(windowOf(begin, begin.AddDate(0, 1, 0)), steps))
		got = append(part, got...)
	}
	if more { // the last month has more than was asked for
		got = slices.DeleteFunc(got, func(e calendar.Event) bool { return e.Start.After(last) })
	}
	if diff := cmp.Diff(ids(want), ids(got)); diff != "" {
		t.Errorf("month by month (-want +got):\n%s", diff)
	}
}

// listed reads "1997 EDT Sep 2-4 Oct 1 ...", at nine, or "1997 EDT Sep 2 9:00 12:00".
func listed(t *testing.T, text string) (all []string, forever bool) {
	t.Helper()
	var year, month, zone string
	var days []string
	add := func(clock string) {
		for _, d := range days {
			all = append(all, strings.Join([]string{year + "-" + month + "-" + d, clock, zone}, " "))
		}
	}
	words := strings.Fields(text)
	for i, word := range words {
		m, notMonth := time.Parse("Jan", word)
		switch {
		case word == "...":
			forever = true
		case strings.Contains(word, ":"):
			add(fmt.Sprintf("%05s", word))
		case word == "EDT" || word == "EST":
			zone = word
		case notMonth == nil:
			month = m.Format("01")
		case len(word) == 4 && !strings.Contains(word, "-"):
			year = word
		default:
			first, last, isRange := strings.Cut(word, "-")
			if !isRange {
				last = first
			}
			days = nil
			for d := number(t, first); d <= number(t, last); d++ {
				days = append(days, fmt.Sprintf("%02d", d))
			}
			if i+1 == len(words) || !strings.Contains(words[i+1], ":") {
				add("09:00")
			}
		}
	}
	return all, forever
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
