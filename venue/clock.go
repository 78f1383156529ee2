package venue

import (
	"fmt"
	"strconv"
	"strings"
)

// A Clock is a time of day, as minutes after midnight. Past 24:00 it is on the next day.
type Clock int

// dayEnd is 24:00.
const dayEnd Clock = 24 * 60

// String returns "09:30", also for 33:30, and "24:00" for the midnight that ends a day.
func (c Clock) String() string {
	if c > dayEnd {
		c -= dayEnd
	}
	return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60)
}

// A ClockRange is the time from From up to Until, which may be on the next day.
type ClockRange struct{ From, Until Clock }

// String returns "09:30-17:00".
func (r ClockRange) String() string { return r.From.String() + "-" + r.Until.String() }

// parseClock reads "9:30" and "09:30", up to "24:00".
func parseClock(text string) (Clock, bool) {
	hours, minutes, ok := strings.Cut(strings.TrimSpace(text), ":")
	if !ok || len(hours) == 0 || len(hours) > 2 || len(minutes) != 2 {
		return 0, false
	}
	h, errHour := strconv.ParseUint(hours, 10, 8)
	m, errMinute := strconv.ParseUint(minutes, 10, 8)
	c := Clock(h*60 + m)
	return c, errHour == nil && errMinute == nil && m < 60 && c <= dayEnd
}

// parseRange reads "9:00-22:00".
func parseRange(text string) (ClockRange, bool) {
	from, until, _ := strings.Cut(text, "-")
	f, okFrom := parseClock(from)
	u, okUntil := parseClock(until)
	if !okFrom || !okUntil || f == u || f == dayEnd {
		return ClockRange{}, false
	}
	if u < f {
		u += dayEnd
	}
	return ClockRange{From: f, Until: u}, true
}

// parseRanges reads "10:00-12:00, 13:00-17:00"; "" is none.
func parseRanges(text string) ([]ClockRange, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var all []ClockRange
	for part := range strings.SplitSeq(text, ",") {
		r, ok := parseRange(part)
		if !ok {
			return nil, fmt.Errorf("%q is not like 09:00-22:00, or 10:00-12:00, 13:00-17:00", text)
		}
		if n := len(all); n > 0 && r.From <= all[n-1].Until {
			return nil, fmt.Errorf("%q has times that are not one after the other", text)
		}
		all = append(all, r)
	}
	return all, nil
}

// joinRanges writes what parseRanges reads.
func joinRanges(all []ClockRange) string {
	words := make([]string, len(all))
	for i, r := range all {
		words[i] = r.String()
	}
	return strings.Join(words, ", ")
}

// A lastCall is when a last order is taken. The zero lastCall is none.
type lastCall struct {
	given  bool
	before Clock // this long before the end, unless a clock is given
	clock  Clock
	fixed  bool
}

// parseLastCall reads "19:30", "30 min" and "30".
func parseLastCall(text string) (lastCall, error) {
	if text == "" {
		return lastCall{}, nil
	}
	if clock, ok := parseClock(text); ok {
		return lastCall{given: true, clock: clock, fixed: true}, nil
	}
	minutes := text
	for _, unit := range []string{"minutes", "mins", "min"} {
		minutes = strings.TrimSuffix(minutes, unit)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(minutes), 10, 8)
	if err != nil || n == 0 {
		return lastCall{}, fmt.Errorf("%q is neither a time of day like 19:30 nor a time before closing like 30 min", text)
	}
	return lastCall{given: true, before: Clock(n)}, nil
}

// in returns when it is in r, if it is.
func (l lastCall) in(r ClockRange) (Clock, bool) {
	switch {
	case !l.given:
		return 0, false
	case !l.fixed:
		at := r.Until - l.before
		return at, at >= r.From
	case r.From <= l.clock && l.clock <= r.Until:
		return l.clock, true
	}
	next := l.clock + dayEnd
	return next, r.From <= next && next <= r.Until
}
