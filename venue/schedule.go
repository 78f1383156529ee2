package venue

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/internal/holiday"
)

// weekdays are the keys of [Hours.Weekly], in the order of [time.Weekday].
var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// ordinals are the first words of [ClosedRule.NthWeekday]; -1 is the last.
var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
	"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5,
	"last": -1,
}

// schedule is [Hours], understood.
type schedule struct {
	weekly  [7]span // by time.Weekday
	closed  []closing
	holiday func(civil.Date) string
}

// span is when a weekday is open, in minutes after its midnight. The zero span is closed.
type span struct{ from, until int }

// closing is a [ClosedRule], understood.
type closing struct {
	rule   string // as the file has it
	reason Text
	// closes reports whether the rule closes d, and the day it was moved from, if it was.
	closes func(d civil.Date) (movedFrom civil.Date, ok bool)
}

// schedule understands h; nil where it says nothing.
func (c *checker) schedule(h Hours) *schedule {
	s := &schedule{holiday: c.holidays(h.Holidays)}
	if len(h.Weekly) == 0 {
		if len(h.Closed) > 0 {
			c.add("hours.weekly", "is missing, so hours.closed has nothing to close")
		}
		return nil
	}
	c.weekly(s, h.Weekly)
	for i, rule := range h.Closed {
		key := fmt.Sprintf("hours.closed[%d]", i)
		if rule.MoveIfHoliday && (h.Holidays == "" || rule.NthWeekday == "") {
			c.add(key+".moveIfHoliday", "needs nthWeekday, and hours.holidays to say whose holidays")
		}
		s.closed = append(s.closed, c.closings(s, key, rule)...)
	}
	return s
}

func (c *checker) holidays(name string) func(civil.Date) string {
	switch name {
	case "jp":
		return holiday.Japan
	case "":
	default:
		c.add("hours.holidays", "%q is not jp, nor empty for none", name)
	}
	return func(civil.Date) string { return "" }
}

func (c *checker) weekly(s *schedule, weekly map[string]string) {
	for i, name := range weekdays {
		text, ok := weekly[name]
		if !ok {
			c.add("hours.weekly", "%s is missing; give \"\" for closed", name)
			continue
		}
		var err error
		if s.weekly[i], err = parseSpan(text); err != nil {
			c.add("hours.weekly."+name, "%v", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(weekly)) {
		if !slices.Contains(weekdays, name) {
			c.add("hours.weekly", "%q is not one of mon, tue, wed, thu, fri, sat, sun", name)
		}
	}
}

// closings understands one rule.
func (c *checker) closings(s *schedule, key string, rule ClosedRule) []closing {
	given := 0
	for _, is := range []bool{rule.NthWeekday != "", rule.Yearly != "", len(rule.Days) > 0} {
		if is {
			given++
		}
	}
	if given != 1 {
		c.add(key, "give exactly one of nthWeekday, yearly and days")
		return nil
	}
	var all []closing
	add := func(key, text string, closes func(civil.Date) (civil.Date, bool), err error) {
		if err != nil {
			c.add(key, "%v", err)
			return
		}
		all = append(all, closing{rule: text, reason: rule.Reason, closes: closes})
	}
	switch {
	case rule.NthWeekday != "":
		closes, err := s.nthWeekday(rule.NthWeekday, rule.MoveIfHoliday)
		add(key+".nthWeekday", rule.NthWeekday, closes, err)
	case rule.Yearly != "":
		closes, err := yearly(rule.Yearly)
		add(key+".yearly", rule.Yearly, closes, err)
	default:
		for i, text := range rule.Days {
			day, err := civil.ParseDate(text)
			is := func(d civil.Date) (civil.Date, bool) { return civil.Date{}, d == day }
			if err != nil {
				err = fmt.Errorf("%q is not a date like 2026-05-01", text)
			}
			add(fmt.Sprintf("%s.days[%d]", key, i), text, is, err)
		}
	}
	return all
}

// nthWeekday understands "last mon".
func (s *schedule) nthWeekday(text string, move bool) (func(civil.Date) (civil.Date, bool), error) {
	first, second, _ := strings.Cut(text, " ")
	n, weekday := ordinals[first], slices.Index(weekdays, second)
	if n == 0 || weekday < 0 {
		return nil, fmt.Errorf("%q is not like \"last mon\" or \"2nd tue\"", text)
	}
	return func(d civil.Date) (civil.Date, bool) {
		month := civil.Date{Year: d.Year, Month: d.Month, Day: 1}
		// A day that was moved may come from the month before.
		for _, first := range []civil.Date{month, month.AddMonths(-1)} {
			base := nthOf(first, n, time.Weekday(weekday))
			day := base
			if move {
				day = s.afterHoliday(base)
			}
			if base.Month == first.Month && day == d {
				if day == base {
					return civil.Date{}, true
				}
				return base, true
			}
		}
		return civil.Date{}, false
	}, nil
}

// nthOf returns the nth such weekday of the month that begins on first; the last one where n is -1. A fifth one that
// does not exist is in the next month.
func nthOf(first civil.Date, n int, weekday time.Weekday) civil.Date {
	if n < 0 {
		last := first.AddMonths(1).AddDays(-1)
		return last.AddDays(-(int(last.Weekday()-weekday) + 7) % 7)
	}
	return first.AddDays((int(weekday-first.Weekday())+7)%7 + 7*(n-1))
}

// afterHoliday returns d, or where that is a public holiday the next day from Monday to Friday that is none.
func (s *schedule) afterHoliday(d civil.Date) civil.Date {
	if s.holiday(d) == "" {
		return d
	}
	for s.holiday(d) != "" || d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
		d = d.AddDays(1)
	}
	return d
}

// yearly understands "12-29/01-03" and "05-01".
func yearly(text string) (func(civil.Date) (civil.Date, bool), error) {
	start, end, isRange := strings.Cut(text, "/")
	if !isRange {
		end = start
	}
	from, errFrom := time.Parse(time.DateOnly, "2000-"+start) // a leap year: 02-29 is fine
	until, errUntil := time.Parse(time.DateOnly, "2000-"+end)
	if errFrom != nil || errUntil != nil {
		return nil, fmt.Errorf("%q is not a range of days like 12-29/01-03", text)
	}
	number := func(m time.Month, d int) int { return int(m)*100 + d }
	first, last := number(from.Month(), from.Day()), number(until.Month(), until.Day())
	return func(d civil.Date) (civil.Date, bool) {
		n := number(d.Month, d.Day)
		if first <= last {
			return civil.Date{}, first <= n && n <= last
		}
		return civil.Date{}, n >= first || n <= last
	}, nil
}

// parseSpan reads "09:00-22:00"; "" is closed.
func parseSpan(text string) (span, error) {
	if text == "" {
		return span{}, nil
	}
	from, until, _ := strings.Cut(text, "-")
	f, okFrom := parseMinutes(from)
	u, okUntil := parseMinutes(until)
	if !okFrom || !okUntil || f == u || f == minutesOfDay {
		return span{}, fmt.Errorf("%q is not like 09:00-22:00", text)
	}
	if u < f {
		u += minutesOfDay
	}
	return span{from: f, until: u}, nil
}

const minutesOfDay = 24 * 60

// parseMinutes reads "09:00" as minutes after midnight, up to "24:00".
func parseMinutes(text string) (int, bool) {
	if len(text) != len("09:00") || text[2] != ':' {
		return 0, false
	}
	hour, errHour := strconv.ParseUint(text[:2], 10, 8)
	minute, errMinute := strconv.ParseUint(text[3:], 10, 8)
	n := int(hour)*60 + int(minute)
	return n, errHour == nil && errMinute == nil && minute < 60 && n <= minutesOfDay
}
