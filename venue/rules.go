package venue

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/holiday"
)

// weekdays are the keys of [Hours.Weekly], in the order of [time.Weekday].
var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// weekdayNames are the weekdays for messages.
const weekdayNames = "mon, tue, wed, thu, fri, sat, sun"

// The keys of [Hours.Weekly] that are no weekday.
const (
	everyDay   = "daily"
	onHolidays = "holiday"
)

// ordinals are the first words of [ClosedRule.NthWeekday]; -1 is the last.
var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
	"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5,
	"last": -1,
}

// schedule understands the hours under key; nil where they say nothing. A part closes with the
// venue, if that is given.
func (c *checker) schedule(key string, h *Hours, loc *time.Location, venue *schedule) *schedule {
	s := &schedule{loc: loc, venue: venue, holiday: c.holidays(key, h.Holidays)}
	if len(h.Weekly) == 0 {
		c.withoutWeekly(key, h)
		return nil
	}
	c.weekly(s, key, h)
	for i, r := range h.Closed {
		at := fmt.Sprintf("%s.closed[%d]", key, i)
		if r.MoveIfHoliday && (h.Holidays == "" || r.NthWeekday == "") {
			c.add(at+".moveIfHoliday", "needs nthWeekday, and hours.holidays to say whose holidays")
		}
		s.closed = append(s.closed, c.rules(s, at, r)...)
	}
	for i, r := range h.Special {
		s.special = append(s.special, c.specials(s, fmt.Sprintf("%s.special[%d]", key, i), r)...)
	}
	c.checkSpecial(s, key)
	s.order = c.lastCall(s, key+".lastOrder", h.LastOrder)
	s.entry = c.lastCall(s, key+".lastEntry", h.LastEntry)
	return s
}

// withoutWeekly adds what needs the hours of the weekdays, which are not given.
func (c *checker) withoutWeekly(key string, h *Hours) {
	switch {
	case len(h.Closed) > 0:
		c.add(key+".weekly", "is missing, so %s.closed has nothing to close", key)
	case len(h.Special) > 0 || h.OpenIfHoliday || h.MoveIfHoliday || h.LastOrder != "" || h.LastEntry != "":
		c.add(key+".weekly", "is missing, so the rest of %s has nothing to change", key)
	}
}

func (c *checker) holidays(key, name string) func(civil.Date) string {
	switch name {
	case "jp":
		return holiday.Japan
	case "":
	default:
		c.add(key+".holidays", "%q is not jp, nor empty for none", name)
	}
	return func(civil.Date) string { return "" }
}

// weekly understands the hours of the weekdays, and writes them back into h with what "daily"
// stands for.
func (c *checker) weekly(s *schedule, key string, h *Hours) {
	hours := maps.Clone(h.Weekly)
	text, hasDaily := h.Weekly[everyDay]
	daily := c.ranges(key+".weekly."+everyDay, text)
	for i, name := range weekdays {
		text, ok := h.Weekly[name]
		switch {
		case ok:
			s.weekly[i] = c.ranges(key+".weekly."+name, text)
		case hasDaily:
			s.weekly[i] = daily
		default:
			c.add(key+".weekly", "%s is missing; give \"\" for closed", name)
		}
		hours[name] = joinRanges(s.weekly[i])
	}
	text, s.hasHoliday = h.Weekly[onHolidays]
	s.onHoliday = c.ranges(key+".weekly."+onHolidays, text)
	for _, name := range slices.Sorted(maps.Keys(h.Weekly)) {
		if name != everyDay && name != onHolidays && !slices.Contains(weekdays, name) {
			c.add(key+".weekly", "%q is not one of %s, daily, holiday; hours with a comma stand in quotes",
				name, weekdayNames)
		}
	}
	c.ifHoliday(s, key, h)
	delete(hours, everyDay)
	h.Weekly = hours
}

// ifHoliday understands what happens where a weekday that is closed every week is a public holiday.
func (c *checker) ifHoliday(s *schedule, key string, h *Hours) {
	if s.hasHoliday && h.Holidays == "" {
		c.add(key+".weekly."+onHolidays, "needs hours.holidays, to say whose holidays")
	}
	name := key + ".openIfHoliday"
	if h.MoveIfHoliday {
		name = key + ".moveIfHoliday"
	}
	if !h.OpenIfHoliday && !h.MoveIfHoliday {
		return
	}
	if h.Holidays == "" {
		c.add(name, "needs hours.holidays, to say whose holidays")
	}
	hours, err := s.hoursIfHoliday()
	if err != nil {
		c.add(name, "%v", err)
		return
	}
	s.opens, s.moves, s.ifHoliday = true, h.MoveIfHoliday, hours
}

// hoursIfHoliday returns the hours of a weekday that is closed every week and opens as a public
// holiday.
func (s *schedule) hoursIfHoliday() ([]ClockRange, error) {
	var open [][]ClockRange
	for _, hours := range s.weekly {
		if len(hours) > 0 {
			open = append(open, hours)
		}
	}
	switch {
	case len(open) == len(weekdays):
		return nil, errors.New(`is about weekdays that weekly closes with "", and there is none`)
	case s.hasHoliday && len(s.onHoliday) == 0:
		return nil, errors.New("opens on public holidays, which weekly.holiday closes")
	case s.hasHoliday:
		return s.onHoliday, nil
	}
	differs := func(hours []ClockRange) bool { return !slices.Equal(hours, open[0]) }
	if len(open) == 0 || slices.ContainsFunc(open, differs) {
		return nil, errors.New("does not say from when until when; give the hours of a public holiday as weekly.holiday")
	}
	return open[0], nil
}

// ranges understands the hours of a day, and notes those that end on the next.
func (c *checker) ranges(key, text string) []ClockRange {
	all, err := parseRanges(text)
	if err != nil {
		c.add(key, "%v", err)
	}
	for _, r := range all {
		if r.Until > dayEnd {
			c.note(key, "%v ends at %v on the next day", r, r.Until)
		}
	}
	return all
}

func (c *checker) lastCall(s *schedule, key, text string) lastCall {
	last, err := parseLastCall(text)
	if err != nil {
		c.add(key, "%v", err)
	}
	hits := func(hours []ClockRange) bool {
		return slices.ContainsFunc(hours, func(r ClockRange) bool { _, ok := last.in(r); return ok })
	}
	if last.given && !slices.ContainsFunc(s.weekly[:], hits) && !hits(s.onHoliday) {
		c.add(key, "%q is in no opening hours of the week", text)
	}
	return last
}

// days are what a rule is about: exactly one of them is given.
type days struct {
	nthWeekday string
	yearly     string
	days       []string
	move       bool
}

func (c *checker) rules(s *schedule, key string, r ClosedRule) []rule {
	return c.daysOf(s, key, days{r.NthWeekday, r.Yearly, r.Days, r.MoveIfHoliday}, rule{reason: r.Reason})
}

func (c *checker) specials(s *schedule, key string, r SpecialRule) []rule {
	of := rule{reason: r.Reason, hours: c.ranges(key+".hours", r.Hours)}
	if strings.TrimSpace(r.Hours) == "" {
		c.add(key+".hours", "is missing; a day that is closed belongs under closed")
	}
	all := c.daysOf(s, key, days{r.NthWeekday, r.Yearly, r.Days, false}, of)
	if len(of.hours) == 0 {
		return nil
	}
	return all
}

// daysOf returns a rule like of for each thing that d says.
func (c *checker) daysOf(s *schedule, key string, d days, of rule) []rule {
	given := 0
	for _, is := range []bool{d.nthWeekday != "", d.yearly != "", len(d.days) > 0} {
		if is {
			given++
		}
	}
	if given != 1 {
		c.add(key, "give exactly one of nthWeekday, yearly and days")
		return nil
	}
	var all []rule
	add := func(key, text string, kind ruleKind, holds func(civil.Date) (civil.Date, bool), err error) {
		if err != nil {
			c.add(key, "%v", err)
			return
		}
		r := of
		r.kind, r.text, r.holds = kind, text, holds
		all = append(all, r)
	}
	switch {
	case d.nthWeekday != "":
		holds, err := s.nthWeekday(d.nthWeekday, d.move)
		add(key+".nthWeekday", d.nthWeekday, onNthWeekday, holds, err)
	case d.yearly != "":
		holds, err := yearly(d.yearly)
		add(key+".yearly", d.yearly, onYearly, holds, err)
	default:
		for i, text := range d.days {
			day, err := civil.ParseDate(text)
			is := func(d civil.Date) (civil.Date, bool) { return civil.Date{}, d == day }
			if err != nil {
				err = fmt.Errorf("%q is not a date like 2026-05-01", text)
			}
			add(fmt.Sprintf("%s.days[%d]", key, i), text, onDays, is, err)
		}
	}
	return all
}

// checkSpecial adds the dates that are special and closed at once, or special twice.
func (c *checker) checkSpecial(s *schedule, key string) {
	seen := map[string]bool{}
	for _, r := range s.special {
		if r.kind != onDays {
			continue
		}
		day, err := civil.ParseDate(r.text)
		if _, _, closed := find(s.closed, day, onDays); err == nil && closed {
			c.add(key+".special", "%s is under closed too", r.text)
		}
		if seen[r.text] {
			c.add(key+".special", "%s is there twice", r.text)
		}
		seen[r.text] = true
	}
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
