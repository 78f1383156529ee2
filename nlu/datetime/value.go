package datetime

import (
	"time"

	"annai/internal/civil"
	"annai/internal/holiday"
)

// feature is one thing an expression can name.
type feature uint32

const (
	fYear feature = 1 << iota
	fMonth
	fWeek     // monday
	fWeekend  // Saturday and Sunday of that week
	fWorkdays // Monday to Friday of that week
	fSegment  // the start, middle or end of the month, year or week
	fDom      // day of the month
	fNth      // which weekday of the month
	fWeekday
	fRule    // a holiday whose day changes with the year
	fDays    // first..until: days already known
	fClock   // hour, minute, second, half
	fPart    // part of the day
	fLength  // a length of time
	fInstant // an instant already known, at..till
	fSet
	fTo  // the other end of a range
	fSub // a quarter or half of the year
)

const (
	dayFeatures  = fDom | fWeekday | fDays | fRule
	dateFeatures = fYear | fMonth | fWeek | fWeekend | fWorkdays | fSegment | fDom | fNth | fWeekday | fRule | fDays | fSub
	timeFeatures = fClock | fPart
)

// A value is the features named so far by the words of one expression.
type value struct {
	has                       feature
	year, month, dom          int
	nth, weekday              int // nth -1 is the last
	span                      int // a holiday of several days: how many
	monday                    civil.Date
	first, until              civil.Date
	segment                   int
	hour, minute, second      int
	half                      int
	part                      int
	length                    length
	at, till                  time.Time
	to                        *value
	name                      Name
	past, holiday, literal    bool
	weekOffset                bool // a whole number of weeks from today: a weekday may follow
	conflict, coming, invalid bool
	impossible                bool // a minute past the 59th, a 13th hour of the afternoon
	openStart, openEnd        bool
	onDay                     bool // an open end within the day said beside it: tomorrow before noon
	exclusive                 bool // an open end that stops before the day said: before Friday
	weekOf                    bool // the week in which the day is
	rest                      bool // what is left of it
	relYear                   bool // the year was counted from this one
	slashed                   bool // 3/4 in English, which may as well be the 3rd of April
	named                     bool // the weekday was said as this one, or the next
	rule                      int  // index in holidays
	sub, subMonths            int  // the first month of a part of the year, and how many it has
	each                      week // the days of the week on which it recurs
}

// length is a length of time in the units in which it was said.
type length struct {
	months, days, seconds int
	// workdays are counted over weekends and, in Japan, public holidays.
	workdays int
	// nominal is the length in seconds where it counts from nowhere: a month is 30 days, a year 365.
	nominal int64
	// weak says that its unit was a single letter, which means a length only beside further words.
	weak bool
}

// hasClock reports whether the length has hours, minutes or seconds, so that it counts from the instant.
func (l length) hasClock() bool { return l.seconds != 0 }

func (l length) scale(n int) length {
	return length{months: l.months * n, days: l.days * n, seconds: l.seconds * n, workdays: l.workdays * n, nominal: l.nominal * int64(n)}
}

func (l length) add(m length) length {
	return length{
		months: l.months + m.months, days: l.days + m.days, seconds: l.seconds + m.seconds,
		workdays: l.workdays + m.workdays, nominal: l.nominal + m.nominal,
	}
}

// from adds the length to t by the calendar and the wall clock for days, by elapsed time for the rest.
func (l length) from(t time.Time) time.Time {
	day := addWorkdays(civil.DateOf(t).AddMonths(l.months).AddDays(l.days), l.workdays, t.Location())
	h, m, s := t.Clock()
	return wall(day, h*3600+m*60+s, t.Location()).Add(time.Duration(l.seconds) * time.Second)
}

// addWorkdays is the nth working day after a day, or before it.
func addWorkdays(day civil.Date, n int, loc *time.Location) civil.Date {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	for n = min(n, 1000); n > 0; {
		day = day.AddDays(step)
		if w := day.Weekday(); w != time.Saturday && w != time.Sunday && (loc.String() != "Asia/Tokyo" || holiday.Japan(day) == "") {
			n--
		}
	}
	return day
}

func (v *value) any(f feature) bool { return v.has&f != 0 }

// isDay reports whether the features name one day.
func (v *value) isDay() bool { return v.any(dayFeatures) && !v.any(fWeekend|fWorkdays) }

// merge is the union of two values that stand side by side, if they can be of one expression.
func merge(a, b value) (value, bool) {
	if a.has&b.has&fClock == 0 && b.has&(fClock|fLength) == fClock|fLength && a.any(dateFeatures) && a.isDay() {
		out := union(a, b)
		out.length = b.length
		return out, true
	}
	if (a.has|b.has)&(fLength|fInstant) != 0 || a.has&b.has&fTo != 0 {
		return a, false
	}
	if (a.has|b.has)&fSet != 0 {
		return mergeSet(a, b)
	}
	if a.any(fTo) || b.any(fTo) {
		return mergeRange(a, b)
	}
	if !compatible(&a, &b) {
		return a, false
	}
	return union(a, b), true
}

// mergeSet adds when something recurs to what recurs.
func mergeSet(a, b value) (value, bool) {
	if a.any(fSet) && b.any(fSet) || b.any(fDays|fYear) || a.any(fDays|fYear) {
		return a, false
	}
	out := union(a, b)
	out.to, out.has = nil, out.has&^fTo
	return out, true
}

// mergeRange gives a range of clock times the day said beside it, or a range of days the part of the day.
func mergeRange(a, b value) (value, bool) {
	rng, one := a, b
	if !a.any(fTo) {
		rng, one = b, a
	}
	end := *rng.to
	if one.any(timeFeatures) && (rng.any(fClock) || end.any(fClock) || one.any(fClock)) && !one.any(dateFeatures) {
		if one.any(fClock) {
			return a, false
		}
		rng.part, rng.has = one.part, rng.has|fPart
		return rng, true
	}
	bare := one
	bare.has &^= fPart
	if !compatible(&rng, &bare) || end.any(dateFeatures) && !compatible(&end, &bare) || one.any(fClock) {
		return a, false
	}
	if both := union(rng, one); rng.any(fClock) && one.any(dateFeatures) && !both.isDay() {
		return a, false
	}
	out := union(rng, one)
	out.to = rng.to
	return out, true
}

// compatible reports whether no feature is named twice or against another.
func compatible(a, b *value) bool {
	both := a.has | b.has
	if a.has&b.has != 0 {
		return false
	}
	if both&fDays != 0 && both&(fYear|fMonth|fWeek|fWeekend|fNth|fSegment|fDom|fWorkdays|fRule) != 0 || both&fSub != 0 && both&dateFeatures&^(fSub|fYear) != 0 {
		return false
	}
	if both&fRule != 0 && both&(fMonth|fDom|fWeek|fNth|fSegment|fWeekday) != 0 {
		return false
	}
	if both&fWeek != 0 && both&(fYear|fMonth|fDom|fNth) != 0 {
		return false
	}
	if both&fDays != 0 && both&fWeekday != 0 {
		d, w := a, b
		if !a.any(fDays) {
			d, w = b, a
		}
		return d.until == d.first.AddDays(1) && int(d.first.Weekday()) == w.weekday
	}
	if both&(fWeekend|fWorkdays|fSegment) != 0 && both&(fWeekday|fDom) != 0 {
		return false
	}
	if both&fYear != 0 && both&fDom != 0 && both&fMonth == 0 || both&fYear != 0 && both&fWeekday != 0 && both&(fDom|fNth|fRule) == 0 {
		return false
	}
	dated := both&dateFeatures != 0
	return both&timeFeatures == 0 || !dated || a.isDay() || b.isDay()
}

// union puts the features of b beside those of a.
func union(a, b value) value {
	out := a
	if b.any(fYear) {
		out.year = b.year
	}
	if b.any(fMonth) {
		out.month = b.month
	}
	if b.any(fWeek) {
		out.monday = b.monday
	}
	if b.any(fSegment) {
		out.segment = b.segment
	}
	if b.any(fDom) {
		out.dom, out.span, out.slashed = b.dom, b.span, b.slashed
	}
	if b.any(fNth) {
		out.nth = b.nth
	}
	if b.any(fWeekday) {
		out.weekday, out.coming = b.weekday, b.coming
	}
	if b.any(fDays) {
		out.first, out.until = b.first, b.until
	}
	if b.any(fClock) {
		out.hour, out.minute, out.second, out.half, out.literal = b.hour, b.minute, b.second, b.half, b.literal
	}
	if b.any(fPart) {
		out.part = b.part
	}
	if b.any(fRule) {
		out.rule = b.rule
	}
	if b.any(fSub) {
		out.sub, out.subMonths = b.sub, b.subMonths
	}
	if b.any(fTo) {
		out.to = b.to
	}
	out.has |= b.has
	out.past = a.past || b.past
	out.holiday = a.holiday || b.holiday
	out.conflict, out.impossible = a.conflict || b.conflict, a.impossible || b.impossible
	out.openStart, out.openEnd = a.openStart || b.openStart, a.openEnd || b.openEnd
	out.exclusive, out.onDay = a.exclusive || b.exclusive, a.onDay || b.onDay
	out.weekOf, out.rest = a.weekOf || b.weekOf, a.rest || b.rest
	out.each = a.each | b.each
	switch {
	case a.has&dateFeatures == 0:
		out.name = b.name
	case b.has&dateFeatures != 0:
		out.name = ""
	}
	return out
}

// What stands for a weekday where none is meant: the nth week, which is that with the nth Thursday, the nth day, or the nth weekend.
const (
	wholeWeek    = -1
	anyDay       = -2
	wholeWeekend = -3
)

// wall is the instant at which the wall clock shows sec seconds past the midnight that starts day. sec may exceed a day.
func wall(day civil.Date, sec int, loc *time.Location) time.Time {
	day = day.AddDays(sec / 86400)
	sec %= 86400
	if sec == 0 {
		return day.In(loc)
	}
	return time.Date(day.Year, day.Month, day.Day, sec/3600, sec/60%60, sec%60, 0, loc)
}
