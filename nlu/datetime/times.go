package datetime

import (
	"time"

	"annai/civil"
)

// resolveTime makes the expression of a clock time or a part of a day.
func (p *parser) resolveTime(v value) (Expression, bool) {
	from, till, other, assumed := v.interval()
	e := Expression{Kind: KindTime, Name: Range, Assumed: assumed, Holiday: v.holiday, NoDay: !v.any(dateFeatures)}
	d := dates{run: oneDay(p.today)}
	if !e.NoDay {
		var ok bool
		if d, ok = p.daysOf(v, p.today, false); !ok || d.invalid {
			return Expression{Kind: KindTime, Name: Range, Invalid: true}, ok
		}
	} else if wall(p.today, max(till, from+1), p.ref.Location()).Before(p.ref) {
		d.run = oneDay(p.today.AddDays(1))
	}
	e.TimeRange = p.at(d.first, from, till)
	e.Assumed, e.Past, e.Conflict = e.Assumed || d.assumed, d.past, d.conflict
	if other >= 0 {
		e.Alternatives = append(e.Alternatives, p.at(d.first, other, other+till-from))
	}
	if d.other != (run{}) {
		e.Alternatives = append(e.Alternatives, p.at(d.other.first, from, till))
	}
	if !v.any(fClock) {
		e.Hours = Hours{from / 60, till / 60}
	}
	return p.open(p.eitherOrder(e, v), v), true
}

// at is the time between two times of a day, in seconds from midnight.
func (p *parser) at(day civil.Date, from, till int) civil.TimeRange {
	loc := p.ref.Location()
	r := civil.TimeRange{Start: wall(day, from, loc), End: wall(day, till, loc)}
	if r.End.Before(r.Start) { // a clock change in between
		r.End = r.Start.Add(time.Duration(till-from) * time.Second)
	}
	return r
}

// interval is the time of day that v names in seconds from midnight, and the other reading of its
// hour or -1.
func (v *value) interval() (from, till, other int, assumed bool) {
	if !v.any(fClock) {
		h := parts[v.part].hours
		return h[0] * 3600, h[1] * 3600, -1, false
	}
	v.applyPart()
	from, other, assumed = v.seconds()
	till = from
	if v.any(fLength) {
		till += v.length.days*86400 + v.length.seconds
	}
	return from, till, other, assumed
}

// applyPart gives the hour the half of the day that was said beside it.
func (v *value) applyPart() {
	if v.has&(fPart|fClock) != fPart|fClock || v.half != halfUnknown {
		return
	}
	v.half = halfIn(v.part, v.hour)
	if v.hour == 12 && v.any(fDays) && v.part >= partEvening {
		v.hour, v.half = 24, halfFixed // midnight of tonight is tomorrow's first instant
	}
}

// wall is the instant at which the wall clock shows sec seconds past the midnight that starts day.
// sec may exceed a day.
func wall(day civil.Date, sec int, loc *time.Location) time.Time {
	day = day.AddDays(sec / 86400)
	sec %= 86400
	if sec == 0 {
		return day.In(loc)
	}
	return time.Date(day.Year, day.Month, day.Day, sec/3600, sec/60%60, sec%60, 0, loc)
}

// secondsOf is what the wall clock shows, in seconds from midnight.
func secondsOf(t time.Time) int {
	h, m, s := t.Clock()
	return h*3600 + m*60 + s
}
