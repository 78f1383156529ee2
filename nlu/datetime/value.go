package datetime

import (
	"time"

	"annai/civil"
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
	dateFeatures = dayFeatures | fYear | fMonth | fWeek | fWeekend | fWorkdays | fSegment | fNth | fSub
	timeFeatures = fClock | fPart
)

// A value is the features named so far by the words of one expression.
type value struct {
	has              feature
	year, month, dom int
	nth, weekday     int // nth -1 is the last
	span             int // a holiday of several days: how many
	monday           civil.Date
	run              run
	segment          int
	clockTime
	part                      int
	length                    length
	at, till                  time.Time
	fromNow                   time.Duration // how far the words count from the reference
	ofThat                    bool          // as the words count from a day that was spoken of
	counted                   bool          // the words count from a day or a time that they name
	to                        *value
	name                      Name
	holiday                   bool
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

// clockTime is a time on the clock.
type clockTime struct {
	hour, minute, second, half int
	literal                    bool // written as 09:00, which is no afternoon
}

// at is a time on the clock.
func at(hour, minute int) value {
	return value{has: fClock, clockTime: clockTime{hour: hour, minute: minute}}
}

func (v *value) any(f feature) bool { return v.has&f != 0 }

// isDay reports whether the features name one day.
func (v *value) isDay() bool { return v.any(dayFeatures) && !v.any(fWeekend|fWorkdays) }

// merge is the union of two values that stand side by side, if they can be of one expression.
func merge(a, b value) (value, bool) {
	switch both := a.has | b.has; {
	case a.isDay() && !a.any(fClock) && b.has&(fClock|fLength) == fClock|fLength:
		out := union(a, b)
		out.length = b.length
		return out, true
	case both&(fLength|fInstant) != 0 || a.has&b.has&fTo != 0:
		return a, false
	case both&fSet != 0:
		return mergeSet(a, b)
	case a.any(fTo):
		return mergeRange(a, b)
	case b.any(fTo):
		return mergeRange(b, a)
	}
	return union(a, b), compatible(&a, &b)
}

// mergeSet adds when something recurs to what recurs.
func mergeSet(a, b value) (value, bool) {
	out := union(a, b)
	out.to, out.has = nil, out.has&^fTo
	return out, a.has&b.has&fSet == 0 && !out.any(fDays|fYear)
}

// mergeRange gives a range of clock times the day said beside it, or a range of days the part of the day.
func mergeRange(rng, one value) (value, bool) {
	end, bare := *rng.to, one
	bare.has &^= fPart
	out := union(rng, one)
	out.to = rng.to
	switch {
	case one.any(fClock):
		return rng, false
	case !compatible(&rng, &bare), end.any(dateFeatures) && !compatible(&end, &bare):
		return rng, false
	case rng.any(fClock) && one.any(dateFeatures):
		return out, out.isDay()
	}
	return out, true
}

// against are features that are not of one expression with some others.
var against = [...]struct{ one, others feature }{
	{fDays, fYear | fMonth | fWeek | fWeekend | fNth | fSegment | fDom | fWorkdays | fRule},
	{fSub, dateFeatures &^ (fSub | fYear)},
	{fRule, fMonth | fDom | fWeek | fNth | fSegment | fWeekday},
	{fWeek, fYear | fMonth | fDom | fNth},
	{fWeekend | fWorkdays | fSegment, fWeekday | fDom},
}

// needs are features that are of one expression with another only beside a third.
var needs = [...]struct{ one, other, third feature }{
	{fYear, fDom, fMonth},
	{fYear, fWeekday, fDom | fNth | fRule},
}

// compatible reports whether no feature is named twice or against another.
func compatible(a, b *value) bool {
	both := a.has | b.has
	if a.has&b.has != 0 {
		return false
	}
	for _, pair := range &against {
		if both&pair.one != 0 && both&pair.others != 0 {
			return false
		}
	}
	for _, n := range &needs {
		if both&n.one != 0 && both&n.other != 0 && both&n.third == 0 {
			return false
		}
	}
	if both&fDays != 0 && both&fWeekday != 0 {
		return a.isOnWeekday(b) || b.isOnWeekday(a)
	}
	return both&timeFeatures == 0 || both&dateFeatures == 0 || a.isDay() || b.isDay()
}

// isOnWeekday reports whether v is one known day, which is on the weekday of w.
func (v *value) isOnWeekday(w *value) bool {
	return v.any(fDays) && v.run.isDay() && int(v.run.first.Weekday()) == w.weekday
}

// pass gives one value a detail of another, if that has it.
func pass[T any](has bool, to *T, from T) {
	if has {
		*to = from
	}
}

// union puts the features of b beside those of a.
func union(a, b value) value {
	out := a
	pass(b.any(fYear), &out.year, b.year)
	pass(b.any(fMonth), &out.month, b.month)
	pass(b.any(fWeek), &out.monday, b.monday)
	pass(b.any(fSegment), &out.segment, b.segment)
	pass(b.any(fDom), &out.dom, b.dom)
	pass(b.any(fDom), &out.span, b.span)
	pass(b.any(fDom), &out.slashed, b.slashed)
	pass(b.any(fNth), &out.nth, b.nth)
	pass(b.any(fWeekday), &out.weekday, b.weekday)
	pass(b.any(fWeekday), &out.coming, b.coming)
	pass(b.any(fDays), &out.run, b.run)
	pass(b.any(fClock), &out.clockTime, b.clockTime)
	pass(b.any(fPart), &out.part, b.part)
	pass(b.any(fRule), &out.rule, b.rule)
	pass(b.any(fSub), &out.sub, b.sub)
	pass(b.any(fSub), &out.subMonths, b.subMonths)
	pass(b.any(fTo), &out.to, b.to)
	out.has |= b.has
	out.each |= b.each
	out.holiday = a.holiday || b.holiday
	out.conflict, out.impossible = a.conflict || b.conflict, a.impossible || b.impossible
	out.openStart, out.openEnd = a.openStart || b.openStart, a.openEnd || b.openEnd
	out.exclusive, out.onDay = a.exclusive || b.exclusive, a.onDay || b.onDay
	out.weekOf, out.rest = a.weekOf || b.weekOf, a.rest || b.rest
	switch {
	case a.has&dateFeatures == 0:
		out.name = b.name
	case b.has&dateFeatures != 0:
		out.name = ""
	}
	return out
}

// What stands for a weekday where none is meant: the nth week, which is that with the nth Thursday,
// the nth day, or the nth weekend.
const (
	wholeWeek    = -1
	anyDay       = -2
	wholeWeekend = -3
)
