package recur

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/teambition/rrule-go"

	"annai/fault"
)

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
	// plain is the rule where it is one that needs no library.
	plain *plain
	// last is the last wall-clock time that may be an occurrence, until the last instant in zone.
	last, until int64
	zone        *time.Location
	// known is the stretch of occurrences that was asked for last.
	known atomic.Pointer[stretch]
}

// never is after all times.
const never = math.MaxInt64

// A filter is the parts of a rule that only take occurrences away.
type filter struct {
	months, monthDays, yearDays, weekdays, hours, minutes, seconds []int
}

func (f filter) empty() bool {
	return len(f.months)+len(f.monthDays)+len(f.yearDays)+len(f.weekdays)+len(f.hours)+len(f.minutes)+len(f.seconds) == 0
}

func (f filter) passes(wall time.Time) bool {
	daysInMonth := time.Date(wall.Year(), wall.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	daysInYear := time.Date(wall.Year(), time.December, 31, 0, 0, 0, 0, time.UTC).YearDay()
	return among(f.months, int(wall.Month()), 0) &&
		among(f.monthDays, wall.Day(), daysInMonth) &&
		among(f.yearDays, wall.YearDay(), daysInYear) &&
		among(f.weekdays, weekday(wall), 0) &&
		among(f.hours, wall.Hour(), 0) && among(f.minutes, wall.Minute(), 0) && among(f.seconds, wall.Second(), 0)
}

// among reports whether allowed is empty or has n, counted from the front or, where size is given, from the back.
func among(allowed []int, n, size int) bool {
	return len(allowed) == 0 || slices.Contains(allowed, n) || size > 0 && slices.Contains(allowed, n-size-1)
}

// newRule reads an RRULE of a series that starts at start.
func newRule(text string, start Moment, o Options) (*rule, error) {
	text = strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), ";")
	if len(text) > maxRuleText {
		return nil, fmt.Errorf("longer than %d characters: %w", maxRuleText, fault.ErrInvalid)
	}
	rest, ends, err := cutEnds(text)
	if err != nil {
		return nil, err
	}
	opt, err := rrule.StrToROption(rest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", err.Error(), fault.ErrInvalid)
	}
	r := &rule{start: start.wall, zone: start.zone, opt: *opt, last: never, until: never}
	r.opt.Dtstart = start.wall
	if start.IsDay() {
		if r.opt.Freq > rrule.DAILY {
			return nil, fmt.Errorf("a FREQ of less than a day does not go with a day: %w", fault.ErrInvalid)
		}
		r.opt.Byhour, r.opt.Byminute, r.opt.Bysecond = nil, nil, nil // which the standard says are to be ignored
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	if err := r.complete(); err != nil {
		return nil, err
	}
	r.plain = r.simplify()
	return r, r.setEnd(ends, start, o)
}

// cutEnds takes UNTIL and COUNT out of a rule. Every part may be there once.
func cutEnds(text string) (rest string, ends map[string]string, err error) {
	ends = map[string]string{}
	seen := map[string]bool{}
	var parts []string
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		if seen[name] {
			return "", nil, fmt.Errorf("%.20q is there twice: %w", name, fault.ErrInvalid)
		}
		seen[name] = true
		if name == "UNTIL" || name == "COUNT" {
			ends[name] = value
			continue
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ";"), ends, nil
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

// setEnd works out last from UNTIL or COUNT; of both, which the standard forbids, the earlier.
func (r *rule) setEnd(ends map[string]string, start Moment, o Options) error {
	if value, ok := ends["UNTIL"]; ok {
		if err := r.setUntil(value, start, o); err != nil {
			return err
		}
	}
	value, ok := ends["COUNT"]
	if !ok {
		return nil
	}
	count, err := strconv.Atoi(value)
	if err != nil || count < 1 {
		return fmt.Errorf("COUNT %q is no number above 0: %w", value, fault.ErrInvalid)
	}
	last, found := r.nth(count, o.Steps)
	if !found {
		return fmt.Errorf("COUNT %d is too far: %w", count, fault.ErrInvalid)
	}
	r.last = min(r.last, last)
	return nil
}

// nth returns the nth occurrence, or never if there are not so many before the end of time. The start is the
// first, whether the rule says so or not. False is that there were no steps left to find it.
func (r *rule) nth(n int, steps *Budget) (int64, bool) {
	if n == 1 {
		return r.start.Unix(), true
	}
	mine, giveBack := steps.Part(SeriesSteps) // one rule does not take it all
	defer giveBack()
	seen := 1
	for wall := range r.workOut(r.start.Unix()+1, endOfTime.Unix(), mine) {
		if seen++; seen == n {
			return wall, true
		}
	}
	return never, !mine.Exhausted()
}

// endOfTime is after all that is ever worked out.
var endOfTime = time.Date(2200, time.January, 1, 0, 0, 0, 0, time.UTC)

func (r *rule) setUntil(value string, start Moment, o Options) error {
	until, err := ParseMoment(value, "", zoneIn(start, o))
	if err != nil {
		return fmt.Errorf("UNTIL: %w", err)
	}
	switch {
	case until.IsDay():
		r.last = until.wall.Add(day - time.Second).Unix()
	case start.IsDay():
		r.last = until.in(o.Location).wall.Unix()
	case until.zone == start.zone:
		r.last = until.wall.Unix()
	default:
		r.until = until.key()
		r.last = until.in(start.zone).wall.Add(day).Unix() // the instant decides
	}
	return nil
}

// between yields the wall-clock times of the rule from from up to to, both included, in order and not before the start.
// It ends early when steps run out.
func (r *rule) between(from, to int64, steps *Budget) iter.Seq[int64] {
	if r.plain == nil {
		if s := r.stretch(from, to); s != nil {
			return s.between(from, to)
		}
	}
	return r.workOut(from, to, steps)
}

// workOut is between without looking at what is known.
func (r *rule) workOut(from, to int64, steps *Budget) iter.Seq[int64] {
	from, to = max(from, r.start.Unix()), min(to, r.last)
	unfiltered := r.filter.empty()
	return func(yield func(int64) bool) {
		if from > to {
			return
		}
		for wall := range r.walk(from, to, steps) {
			if wall < from || !unfiltered && !r.filter.passes(time.Unix(wall, 0).UTC()) {
				continue
			}
			if r.until != never && instantOf(wall, r.zone) > r.until || !yield(wall) {
				return
			}
		}
	}
}

// walk yields occurrences from somewhat before from up to to, without the filter.
func (r *rule) walk(from, to int64, steps *Budget) iter.Seq[int64] {
	switch {
	case r.plain != nil:
		return r.plain.walk(from, to, steps)
	case r.opt.Freq == rrule.YEARLY || r.opt.Freq == rrule.MONTHLY:
		return r.byPeriod(from, to, steps)
	}
	return func(yield func(int64) bool) {
		opt := r.opt
		opt.Dtstart = r.near(from)
		r.library(opt, to, steps, yield)
	}
}

// library yields what the library finds up to to. False is that yield said stop, or steps ran out.
func (r *rule) library(opt rrule.ROption, to int64, steps *Budget, yield func(int64) bool) bool {
	built, err := rrule.NewRRule(opt)
	if err != nil { // it was built before
		return false
	}
	next := built.Iterator()
	for at, ok := next(); ok && at.Unix() <= to; at, ok = next() {
		if !steps.spend() || !yield(at.Unix()) {
			return false
		}
	}
	return true
}

// near returns the start moved by whole intervals to at least one interval before from, or the start.
func (r *rule) near(from int64) time.Time {
	seconds := map[rrule.Frequency]int64{
		rrule.WEEKLY: 7 * 86400, rrule.DAILY: 86400, rrule.HOURLY: 3600, rrule.MINUTELY: 60, rrule.SECONDLY: 1,
	}[r.opt.Freq] * int64(r.opt.Interval)
	n := (from-r.start.Unix())/seconds - 1
	if n <= 0 {
		return r.start
	}
	return time.Unix(r.start.Unix()+n*seconds, 0).UTC()
}

// byPeriod walks a rule of months or years, one of them at a time.
func (r *rule) byPeriod(from, to int64, steps *Budget) iter.Seq[int64] {
	months := r.opt.Interval
	if r.opt.Freq == rrule.YEARLY {
		months *= 12
	}
	opt := r.opt
	opt.Interval = maxInterval * 12 // past the end of the library's calendar: there is no second period
	begin := time.Unix(from, 0).UTC()
	first := max(0, (12*(begin.Year()-r.start.Year())+int(begin.Month()-r.start.Month()))/months-1)
	return func(yield func(int64) bool) {
		for n := first; ; n++ {
			opt.Dtstart = r.start
			if n > 0 {
				opt.Dtstart = r.period(n * months)
			}
			if opt.Dtstart.Unix() > to || !steps.spend() || !r.library(opt, to, steps, yield) {
				return
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
