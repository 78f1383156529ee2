package recur

import (
	"fmt"
	"math"
	"strings"
	"time"

	"annai/civil"
	"annai/fault"
)

// A Moment is a day, or a time on a wall in a zone, as it was written. The zero Moment is none.
type Moment struct {
	// wall is what a clock on the wall shows, as if it hung in UTC; of a day its midnight.
	wall time.Time
	// zone is where the clock hangs; nil for a day.
	zone *time.Location
}

// At returns the moment that a clock in t's location shows at t, to the second.
func At(t time.Time) Moment {
	return Moment{wall: toWall(t, t.Location()).Truncate(time.Second), zone: t.Location()}
}

// Day returns the moment that is a day.
func Day(d civil.Date) Moment {
	return Moment{wall: time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)}
}

// ParseMoment reads a DATE or DATE-TIME: "20260115", "20260115T140000Z", or "20260115T140000" in the zone that zone returns for name.
// Anything else is [fault.ErrInvalid].
func ParseMoment(value, name string, zone func(name string) (*time.Location, error)) (Moment, error) {
	value = strings.ToUpper(strings.TrimSpace(value))
	if len(value) == len("20060102") {
		wall, err := time.Parse("20060102", value)
		if err != nil {
			return Moment{}, fmt.Errorf("%q is no date: %w", value, fault.ErrInvalid)
		}
		return Moment{wall: wall}, nil
	}
	digits, isUTC := strings.CutSuffix(value, "Z")
	wall, err := time.Parse("20060102T150405", digits)
	if err != nil {
		return Moment{}, fmt.Errorf("%.100q is no date-time: %w", value, fault.ErrInvalid)
	}
	if isUTC {
		return Moment{wall: wall, zone: time.UTC}, nil
	}
	loc, err := zone(name)
	if err != nil {
		return Moment{}, err
	}
	return Moment{wall: wall, zone: loc}, nil
}

// IsZero reports whether m is no moment.
func (m Moment) IsZero() bool { return m == Moment{} }

// IsDay reports whether m is a whole day.
func (m Moment) IsDay() bool { return m.zone == nil }

// Date returns the day on which m is, where it is.
func (m Moment) Date() civil.Date { return civil.DateOf(m.wall) }

// Instant returns when m is, in its zone. A day has none: it is its midnight in UTC.
//
// A time that the clock shows twice is the first. One that it skips is what the offset before the change gives, as RFC 5545 asks.
func (m Moment) Instant() time.Time {
	if m.IsDay() {
		return m.wall
	}
	return time.Unix(m.key(), 0).In(m.zone)
}

// Same reports whether two moments are the same instant, or the same day.
func (m Moment) Same(o Moment) bool { return m.IsDay() == o.IsDay() && m.key() == o.key() }

// in returns the moment as a clock in loc shows it. Days are the same everywhere.
func (m Moment) in(loc *time.Location) Moment {
	if m.IsDay() || m.zone == loc {
		return m
	}
	return Moment{wall: toWall(m.Instant(), loc), zone: loc}
}

// key names an instance of a series: by its instant, or its day.
func (m Moment) key() int64 {
	if m.IsDay() {
		return m.wall.Unix()
	}
	return instantOf(m.wall.Unix(), m.zone)
}

func midnight(wall time.Time) time.Time {
	return time.Date(wall.Year(), wall.Month(), wall.Day(), 0, 0, 0, 0, time.UTC)
}

// toWall returns what a clock in loc shows at t, as a time in UTC.
func toWall(t time.Time, loc *time.Location) time.Time {
	_, offset := t.In(loc).Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// instantOf returns the instant at which a clock in loc shows wall, both in seconds since 1970. Of two the first; and if there is none,
// because the clock is put forward, that which the offset before the change gives, as RFC 5545 asks. (time.Date promises neither.)
func instantOf(wall int64, loc *time.Location) int64 {
	if loc == time.UTC {
		return wall
	}
	before := offsetAt(wall-daySeconds, loc)
	if first := wall - before; offsetAt(first, loc) == before {
		return first
	}
	after := offsetAt(wall+daySeconds, loc)
	if second := wall - after; offsetAt(second, loc) == after {
		return second
	}
	return wall - before
}

// offsetAt returns how far east of UTC the clocks are at an instant, in seconds.
func offsetAt(instant int64, loc *time.Location) int64 {
	_, offset := time.Unix(instant, 0).In(loc).Zone()
	return int64(offset)
}

// A clock turns wall-clock times in a zone into instants, quickly where they follow each other: it remembers between which changes the
// last one was.
type clock struct {
	zone *time.Location
	// From calm to until the zone has the one offset, with a day to spare on both sides.
	calm, until, offset int64
}

// instant returns the instant, and whether it is one that no other time on the wall leads to.
func (c *clock) instant(wall int64) (at int64, only bool) {
	if c.zone == nil || c.zone == time.UTC {
		return wall, true
	}
	at = wall - c.offset
	if at >= c.calm && at < c.until {
		return at, true
	}
	at = instantOf(wall, c.zone)
	from, to := time.Unix(at, 0).In(c.zone).ZoneBounds()
	c.offset = offsetAt(at, c.zone)
	c.calm, c.until = math.MinInt64, math.MaxInt64
	if !from.IsZero() {
		c.calm = from.Unix() + daySeconds
	}
	if !to.IsZero() {
		c.until = to.Unix() - daySeconds
	}
	return at, at >= c.calm && at < c.until
}
