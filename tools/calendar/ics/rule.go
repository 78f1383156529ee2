package ics

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/teambition/rrule-go"

	"annai/internal/fault"
)

// A budget bounds how many steps recurrence rules may take together. It is used by one goroutine.
type budget struct{ left int }

// spend takes a step; false says that there was none left.
func (b *budget) spend() bool {
	b.left--
	return b.left >= 0
}

func (b *budget) exhausted() bool { return b.left < 0 }

// Bounds on rules that no honest calendar reaches.
const (
	maxRuleText   = 1024
	maxInterval   = 100_000
	maxTimesInDay = 24 * 60
)

// A rule is an RRULE that starts at a wall-clock time.
//
// The library that works rules out walks on until something matches, for thousands of years if need be, and from the
// first start. So it only ever gets rules of which every period has a match, or a single period: the parts of a rule
// that can empty a period are taken out and applied afterwards, and months and years are worked out one at a time. And a
// walk begins near the time of interest, moved by whole intervals.
type rule struct {
	start time.Time
	// opt is the rule without COUNT and UNTIL, and without the parts in filter.
	opt    rrule.ROption
	filter filter
	// last is the last wall-clock time that may be an occurrence; zero is no end.
	last time.Time
	// until is the end as an instant, in zone, where it was given so.
	until time.Time
	zone  *zone
	// known is the stretch of occurrences that was asked for last.
	known atomic.Pointer[stretch]
}

// A filter is the parts of a rule that only take occurrences away.
type filter struct {
	months, monthDays, yearDays, weekdays, hours, minutes, seconds []int
}

func (f filter) passes(wall time.Time) bool {
	daysInMonth := time.Date(wall.Year(), wall.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	daysInYear := time.Date(wall.Year(), time.December, 31, 0, 0, 0, 0, time.UTC).YearDay()
	return among(f.months, int(wall.Month()), 0) &&
		among(f.monthDays, wall.Day(), daysInMonth) &&
		among(f.yearDays, wall.YearDay(), daysInYear) &&
		among(f.weekdays, (int(wall.Weekday())+6)%7, 0) &&
		among(f.hours, wall.Hour(), 0) && among(f.minutes, wall.Minute(), 0) && among(f.seconds, wall.Second(), 0)
}

// among reports whether allowed is empty or has n, counted from the front or, where size is given, from the back.
func among(allowed []int, n, size int) bool {
	return len(allowed) == 0 || slices.Contains(allowed, n) || size > 0 && slices.Contains(allowed, n-size-1)
}

// rule reads an RRULE of a series that starts at start. steps pays for finding the end of a rule with COUNT.
func (z *zones) rule(text string, start moment, steps *budget) (*rule, error) {
	text = strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), ";")
	r, err := z.parseRule(text, start, steps)
	if err != nil {
		return nil, fmt.Errorf("RRULE %.100q: %w", text, err)
	}
	return r, nil
}

func (z *zones) parseRule(text string, start moment, steps *budget) (*rule, error) {
	if len(text) > maxRuleText {
		return nil, fmt.Errorf("longer than %d characters: %w", maxRuleText, fault.ErrInvalid)
	}
	rest, ends := cutEnds(text)
	opt, err := rrule.StrToROption(rest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", err.Error(), fault.ErrInvalid)
	}
	r := &rule{start: start.wall, zone: start.zone, opt: *opt}
	r.opt.Dtstart = start.wall
	if err := r.check(); err != nil {
		return nil, err
	}
	if err := r.complete(); err != nil {
		return nil, err
	}
	return r, r.setEnd(ends, z, start, steps)
}

// cutEnds takes UNTIL and COUNT out of a rule.
func cutEnds(text string) (rest string, ends map[string]string) {
	ends = map[string]string{}
	var parts []string
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		if name == "UNTIL" || name == "COUNT" {
			ends[name] = value
			continue
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ";"), ends
}

// check refuses what RFC 5545 forbids and the library would take, or fall over.
func (r *rule) check() error {
	o := r.opt
	numbered := slices.ContainsFunc(o.Byweekday, func(w rrule.Weekday) bool { return w.N() != 0 })
	outOfMonth := slices.ContainsFunc(o.Byweekday, func(w rrule.Weekday) bool { return w.N() > 5 || w.N() < -5 })
	switch {
	case o.Interval > maxInterval:
		return fmt.Errorf("INTERVAL is over %d: %w", maxInterval, fault.ErrInvalid)
	case len(o.Byeaster) > 0:
		return fmt.Errorf("BYEASTER is not known: %w", fault.ErrInvalid)
	case numbered && (o.Freq > rrule.MONTHLY || len(o.Byweekno) > 0),
		outOfMonth && (o.Freq == rrule.MONTHLY || len(o.Bymonth) > 0):
		return fmt.Errorf("BYDAY has a number that can't be: %w", fault.ErrInvalid)
	case len(o.Byweekno) > 0 && o.Freq != rrule.YEARLY,
		len(o.Bymonthday) > 0 && o.Freq == rrule.WEEKLY,
		len(o.Byyearday) > 0 && (o.Freq == rrule.MONTHLY || o.Freq == rrule.WEEKLY || o.Freq == rrule.DAILY):
		return fmt.Errorf("a BY part that does not go with FREQ: %w", fault.ErrInvalid)
	}
	return nil
}

// complete fills in what the rule takes from its start, splits off the filter, and refuses rules without occurrences.
func (r *rule) complete() error {
	o := &r.opt
	for _, list := range []*[]int{&o.Byhour, &o.Byminute, &o.Bysecond, &o.Bysetpos} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if max(len(o.Byhour), 1)*max(len(o.Byminute), 1)*max(len(o.Bysecond), 1) > maxTimesInDay {
		return fmt.Errorf("more than %d times a day: %w", maxTimesInDay, fault.ErrInvalid)
	}
	built, err := rrule.NewRRule(*o) // which checks the ranges too
	if err != nil {
		return fmt.Errorf("%s: %w", err.Error(), fault.ErrInvalid)
	}
	*o = built.Options
	if o.Freq < rrule.HOURLY {
		o.Byhour = orElse(o.Byhour, r.start.Hour())
	}
	if o.Freq < rrule.MINUTELY {
		o.Byminute = orElse(o.Byminute, r.start.Minute())
	}
	if o.Freq < rrule.SECONDLY {
		o.Bysecond = orElse(o.Bysecond, r.start.Second())
	}
	r.splitFilter()
	return r.checkPositions()
}

func orElse(list []int, value int) []int {
	if len(list) == 0 {
		return []int{value}
	}
	return list
}

// splitFilter moves the parts that can empty a period into the filter.
func (r *rule) splitFilter() {
	o := &r.opt
	if o.Freq < rrule.WEEKLY {
		return
	}
	r.filter.months, o.Bymonth = o.Bymonth, nil
	if o.Freq == rrule.WEEKLY {
		return
	}
	r.filter.monthDays, o.Bymonthday = o.Bymonthday, nil
	r.filter.yearDays, o.Byyearday = o.Byyearday, nil
	for _, w := range o.Byweekday {
		r.filter.weekdays = append(r.filter.weekdays, w.Day())
	}
	o.Byweekday = nil
	if o.Freq >= rrule.HOURLY {
		r.filter.hours, o.Byhour = o.Byhour, nil
	}
	if o.Freq >= rrule.MINUTELY {
		r.filter.minutes, o.Byminute = o.Byminute, nil
	}
	if o.Freq >= rrule.SECONDLY {
		r.filter.seconds, o.Bysecond = o.Bysecond, nil
	}
}

// checkPositions refuses a BYSETPOS that no period can have.
func (r *rule) checkPositions() error {
	o := r.opt
	if len(o.Bysetpos) == 0 || o.Freq < rrule.WEEKLY {
		return nil
	}
	size := max(len(o.Byhour), 1) * max(len(o.Byminute), 1) * max(len(o.Bysecond), 1)
	if o.Freq == rrule.WEEKLY {
		size *= max(len(o.Byweekday), 1)
	}
	for _, p := range o.Bysetpos {
		if p >= -size && p <= size {
			return nil
		}
	}
	return fmt.Errorf("BYSETPOS never occurs: %w", fault.ErrInvalid)
}

// setEnd works out last from UNTIL or COUNT.
func (r *rule) setEnd(ends map[string]string, z *zones, start moment, steps *budget) error {
	if value, ok := ends["UNTIL"]; ok {
		return r.setUntil(value, z, start)
	}
	value, ok := ends["COUNT"]
	if !ok {
		return nil
	}
	count, err := strconv.Atoi(value)
	if err != nil || count < 1 {
		return fmt.Errorf("COUNT %q is no number above 0: %w", value, fault.ErrInvalid)
	}
	last, found := r.nth(count, steps)
	if !found {
		return fmt.Errorf("COUNT %d is too far: %w", count, fault.ErrInvalid)
	}
	r.last = last
	return nil
}

// nth returns the nth occurrence, or the zero time if there are not so many before the end of time. The start is the
// first, whether the rule says so or not. False is that there were no steps left to find it.
func (r *rule) nth(n int, steps *budget) (time.Time, bool) {
	if n == 1 {
		return r.start, true
	}
	given := min(seriesSteps, steps.left) // one rule does not take it all
	mine := &budget{left: given}
	defer func() { steps.left -= given - max(mine.left, 0) }()
	seen := 1
	for wall := range r.workOut(r.start.Add(time.Second), endOfTime, mine) {
		if seen++; seen == n {
			return wall, true
		}
	}
	return time.Time{}, !mine.exhausted()
}

// endOfTime is after all that is ever worked out.
var endOfTime = time.Date(2200, time.January, 1, 0, 0, 0, 0, time.UTC)

func (r *rule) setUntil(value string, z *zones, start moment) error {
	where := start.zone
	if where == nil {
		where = z.own
	}
	until, err := (&zones{own: where}).moment(untilProp, value)
	if err != nil {
		return err
	}
	switch {
	case until.date:
		r.last = until.wall.Add(day - time.Second)
	case until.zone == where:
		r.last = until.wall
	case start.date:
		r.last = until.in(where).wall
	default:
		r.until = until.instant()
		r.last = until.in(where).wall.Add(day) // the instant decides
	}
	return nil
}

// between yields the wall-clock times of the rule from from up to to, both included, in order and not before the start.
// It ends early when steps run out.
func (r *rule) between(from, to time.Time, steps *budget) iter.Seq[time.Time] {
	if s := r.stretch(from, to); s != nil {
		return s.between(from, to)
	}
	return r.workOut(from, to, steps)
}

// workOut is between without looking at what is known.
func (r *rule) workOut(from, to time.Time, steps *budget) iter.Seq[time.Time] {
	if from.Before(r.start) {
		from = r.start
	}
	if !r.last.IsZero() && r.last.Before(to) {
		to = r.last
	}
	return func(yield func(time.Time) bool) {
		for wall := range r.walk(from, to, steps) {
			if wall.Before(from) || !r.filter.passes(wall) {
				continue
			}
			if !r.until.IsZero() && fromWall(wall, r.zone.loc).After(r.until) || !yield(wall) {
				return
			}
		}
	}
}

// walk yields occurrences from somewhat before from up to to, without the filter.
func (r *rule) walk(from, to time.Time, steps *budget) iter.Seq[time.Time] {
	if r.opt.Freq == rrule.YEARLY || r.opt.Freq == rrule.MONTHLY {
		return r.byPeriod(from, to, steps)
	}
	return func(yield func(time.Time) bool) {
		if from.After(to) {
			return
		}
		opt := r.opt
		opt.Dtstart = r.near(from)
		built, err := rrule.NewRRule(opt)
		if err != nil { // it was built before
			return
		}
		next := built.Iterator()
		for wall, ok := next(); ok && !wall.After(to); wall, ok = next() {
			if !steps.spend() || !yield(wall) {
				return
			}
		}
	}
}

// near returns the start moved by whole intervals to at least one interval before from, or the start.
func (r *rule) near(from time.Time) time.Time {
	seconds := map[rrule.Frequency]int64{
		rrule.WEEKLY: 7 * 86400, rrule.DAILY: 86400, rrule.HOURLY: 3600, rrule.MINUTELY: 60, rrule.SECONDLY: 1,
	}[r.opt.Freq] * int64(r.opt.Interval)
	n := (from.Unix()-r.start.Unix())/seconds - 1
	if n <= 0 {
		return r.start
	}
	return time.Unix(r.start.Unix()+n*seconds, 0).UTC()
}

// byPeriod walks a rule of months or years, one of them at a time.
func (r *rule) byPeriod(from, to time.Time, steps *budget) iter.Seq[time.Time] {
	months := r.opt.Interval
	if r.opt.Freq == rrule.YEARLY {
		months *= 12
	}
	opt := r.opt
	opt.Interval = maxInterval * 12 // past the end of the library's calendar: there is no second period
	first := max(0, (12*(from.Year()-r.start.Year())+int(from.Month()-r.start.Month()))/months-1)
	return func(yield func(time.Time) bool) {
		for n := first; ; n++ {
			opt.Dtstart = r.start
			if n > 0 {
				opt.Dtstart = r.period(n * months)
			}
			if opt.Dtstart.After(to) || !steps.spend() {
				return
			}
			built, err := rrule.NewRRule(opt)
			if err != nil { // it was built before
				return
			}
			next := built.Iterator()
			for wall, ok := next(); ok && !wall.After(to); wall, ok = next() {
				if !steps.spend() || !yield(wall) {
					return
				}
			}
		}
	}
}

// period returns the first moment of the period that begins months after that of the start.
func (r *rule) period(months int) time.Time {
	month := r.start.Month()
	if r.opt.Freq == rrule.YEARLY {
		month = time.January
	}
	return time.Date(r.start.Year(), month+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
}
