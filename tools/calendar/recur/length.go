package recur

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"annai/fault"
)

// A Length is how long an event lasts: whole days by the calendar, and then an exact time.
type Length struct {
	Days  int
	Exact time.Duration
	// Inferred says that the source had no end.
	Inferred bool
}

// about returns the length as a time, give or take a change of the clock.
func (l Length) about() time.Duration { return time.Duration(l.Days)*day + l.Exact }

const maxLength = 100 * 366 * day

var durationForm = regexp.MustCompile(`^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$`)

// ParseLength reads a DURATION: "P1D", "PT1H30M". One that is negative or over a hundred years is [fault.ErrInvalid] like what is none.
func ParseLength(s string) (Length, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	parts := durationForm.FindStringSubmatch(s)
	if parts == nil || parts[1] == "-" || strings.HasSuffix(s, "P") || strings.HasSuffix(s, "T") {
		return Length{}, fmt.Errorf("DURATION %.100q is no length of time: %w", s, fault.ErrInvalid)
	}
	var n [7]int
	for i := 2; i < len(parts); i++ {
		n[i], _ = strconv.Atoi(parts[i]) // digits, or nothing, which is 0
	}
	l := Length{
		Days:  7*n[2] + n[3],
		Exact: time.Duration(n[4])*time.Hour + time.Duration(n[5])*time.Minute + time.Duration(n[6])*time.Second,
	}
	if l.Days > int(maxLength/day) || l.Exact > maxLength {
		return Length{}, fmt.Errorf("DURATION %q is too long: %w", s, fault.ErrInvalid)
	}
	return l, nil
}

// LengthBetween returns how long it is from start to end: 0 days where both are the same day. Where one is a day and the other a time, or
// the end is before the start or a hundred years after it, that is [fault.ErrInvalid].
func LengthBetween(start, end Moment) (Length, error) {
	if start.IsDay() != end.IsDay() {
		return Length{}, fmt.Errorf("one of start and end is a date, the other a time: %w", fault.ErrInvalid)
	}
	seconds := end.key() - start.key()
	switch {
	case seconds < 0:
		return Length{}, fmt.Errorf("the end is before the start: %w", fault.ErrInvalid)
	case seconds > int64(maxLength/time.Second):
		return Length{}, fmt.Errorf("the end is too far from the start: %w", fault.ErrInvalid)
	case start.IsDay():
		return Length{Days: int(seconds / 86400)}, nil
	}
	return Length{Exact: time.Duration(seconds) * time.Second}, nil
}
