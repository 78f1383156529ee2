package ics

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"annai/internal/civil"
	"annai/internal/fault"
)

const day = 24 * time.Hour

// A moment is a DATE or DATE-TIME as it stands in the file.
type moment struct {
	// date says that it is a whole day: then wall is its midnight and zone is nil.
	date bool
	// wall is what a clock on the wall shows, as if it hung in UTC.
	wall time.Time
	zone *zone
}

// instant returns when a moment that is no date is.
func (m moment) instant() time.Time { return fromWall(m.wall, m.zone.loc) }

func (m moment) day() civil.Date { return civil.DateOf(m.wall) }

// in returns the moment as a clock in z shows it. Dates are the same everywhere.
func (m moment) in(z *zone) moment {
	if m.date || m.zone == z {
		return m
	}
	return moment{wall: toWall(m.instant(), z.loc), zone: z}
}

// toWall returns what a clock in loc shows at t, as a time in UTC.
func toWall(t time.Time, loc *time.Location) time.Time {
	_, offset := t.In(loc).Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// fromWall returns the instant at which a clock in loc shows wall. Of two the first; and if there is none, because the
// clock is put forward, that which the offset before the change gives, as RFC 5545 asks. (time.Date promises neither.)
func fromWall(wall time.Time, loc *time.Location) time.Time {
	if loc == time.UTC {
		return wall
	}
	_, before := wall.Add(-day).In(loc).Zone()
	first := wall.Add(-time.Duration(before) * time.Second).In(loc)
	if _, offset := first.Zone(); offset == before {
		return first
	}
	_, after := wall.Add(day).In(loc).Zone()
	second := wall.Add(-time.Duration(after) * time.Second).In(loc)
	if _, offset := second.Zone(); offset == after {
		return second
	}
	return first
}

// moment reads one value of a property of type DATE or DATE-TIME.
func (z *zones) moment(prop *ical.Prop, value string) (moment, error) {
	value = strings.ToUpper(strings.TrimSpace(value))
	if strings.EqualFold(prop.Params.Get("VALUE"), "DATE") || len(value) == len("20060102") {
		wall, err := time.Parse("20060102", value)
		if err != nil {
			return moment{}, fmt.Errorf("%s %q is no date: %w", prop.Name, value, fault.ErrInvalid)
		}
		return moment{date: true, wall: wall}, nil
	}
	digits, isUTC := strings.CutSuffix(value, "Z")
	wall, err := time.Parse("20060102T150405", digits)
	if err != nil {
		return moment{}, fmt.Errorf("%s %q is no date-time: %w", prop.Name, value, fault.ErrInvalid)
	}
	if isUTC {
		return moment{wall: wall, zone: utc}, nil
	}
	where, err := z.lookup(prop.Params.Get("TZID"))
	if err != nil {
		return moment{}, fmt.Errorf("%s: %w", prop.Name, err)
	}
	return moment{wall: wall, zone: where}, nil
}

// A length is how long an event lasts: whole days by the calendar, and then an exact time.
type length struct {
	days     int
	exact    time.Duration
	inferred bool
}

// about returns the length as a time, give or take a change of the clock.
func (l length) about() time.Duration { return time.Duration(l.days)*day + l.exact }

const maxLength = 100 * 366 * day

var durationForm = regexp.MustCompile(`^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$`)

// parseLength reads a DURATION.
func parseLength(s string) (length, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	parts := durationForm.FindStringSubmatch(s)
	if parts == nil || parts[1] == "-" || strings.HasSuffix(s, "P") || strings.HasSuffix(s, "T") {
		return length{}, fmt.Errorf("DURATION %q is no length of time: %w", s, fault.ErrInvalid)
	}
	var n [7]int
	for i := 2; i < len(parts); i++ {
		n[i], _ = strconv.Atoi(parts[i]) // digits, or nothing, which is 0
	}
	l := length{
		days:  7*n[2] + n[3],
		exact: time.Duration(n[4])*time.Hour + time.Duration(n[5])*time.Minute + time.Duration(n[6])*time.Second,
	}
	if l.days > int(maxLength/day) || l.exact > maxLength {
		return length{}, fmt.Errorf("DURATION %q is too long: %w", s, fault.ErrInvalid)
	}
	return l, nil
}

// text returns a TEXT property without its escapes. It forgives commas that were not escaped, and unknown escapes.
func text(c *ical.Component, name string) string {
	prop := c.Props.Get(name)
	if prop == nil {
		return ""
	}
	return strings.TrimSpace(unescape.Replace(prop.Value))
}

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";")

// number returns an INTEGER property, or 0.
func number(c *ical.Component, name string) int {
	prop := c.Props.Get(name)
	if prop == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(prop.Value))
	if err != nil {
		return 0
	}
	return n
}
