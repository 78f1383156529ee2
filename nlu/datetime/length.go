package datetime

import (
	"time"

	"annai/civil"
	"annai/internal/holiday"
)

// length is a length of time in the units in which it was said.
type length struct {
	months, days, seconds int
	// workdays are counted over weekends and, in Japan, public holidays.
	workdays int
	// nominal is the length in seconds where it counts from nowhere: a month is 30 days, a year
	// 365.
	nominal int64
	// weak says that its unit was a single letter, which means a length only beside further words.
	weak bool
	// weeks says that it was said in weeks.
	weeks bool
}

// unitLengths is how long each unit is.
var unitLengths = [...]length{
	unitSecond:    {seconds: 1, nominal: 1},
	unitMinute:    {seconds: 60, nominal: 60},
	unitHour:      {seconds: 3600, nominal: 3600},
	unitDay:       {days: 1, nominal: 86400},
	unitWorkday:   {workdays: 1, nominal: 86400},
	unitWeek:      {days: 7, nominal: 7 * 86400},
	unitWeekend:   {days: 7, nominal: 7 * 86400},
	unitFortnight: {days: 14, nominal: 14 * 86400},
	unitMonth:     {months: 1, nominal: 30 * 86400},
	unitQuarter:   {months: 3, nominal: 90 * 86400},
	unitYear:      {months: 12, nominal: 365 * 86400},
	unitDecade:    {months: 120, nominal: 3650 * 86400},
}

// unitLength is so many thousandths of a unit.
func unitLength(unit, milli int) length {
	l := unitLengths[unit]
	l = length{
		months: l.months * milli / 1000, days: l.days * milli / 1000, seconds: l.seconds * milli / 1000,
		workdays: l.workdays * milli / 1000, nominal: l.nominal * int64(milli) / 1000, weeks: unit == unitWeek,
	}
	switch unit {
	case unitDay:
		l.seconds = milli % 1000 * 86400 / 1000
	case unitMonth:
		l.days = milli % 1000 * 30 / 1000
	}
	return l
}

// hasClock reports whether the length has hours, minutes or seconds, so that it counts from the
// instant.
func (l length) hasClock() bool { return l.seconds != 0 }

func (l length) scale(n int) length {
	l.months, l.days, l.seconds, l.workdays = l.months*n, l.days*n, l.seconds*n, l.workdays*n
	l.nominal *= int64(n)
	return l
}

func (l length) add(m length) length {
	return length{
		months: l.months + m.months, days: l.days + m.days, seconds: l.seconds + m.seconds,
		workdays: l.workdays + m.workdays, nominal: l.nominal + m.nominal,
	}
}

// from adds the length to t by the calendar and the wall clock for days, by elapsed time for the
// rest.
func (l length) from(t time.Time) time.Time {
	day := addWorkdays(civil.DateOf(t).AddMonths(l.months).AddDays(l.days), l.workdays, t.Location())
	return wall(day, secondsOf(t), t.Location()).Add(time.Duration(l.seconds) * time.Second)
}

// inYears keeps dates where they can be written with four digits.
func inYears(t time.Time) bool { return t.Year() >= 1 && t.Year() <= maxYear }

// addWorkdays is the nth working day after a day, or before it.
func addWorkdays(day civil.Date, n int, loc *time.Location) civil.Date {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	for n = min(n, 1000); n > 0; {
		day = day.AddDays(step)
		if workdays&(1<<day.Weekday()) != 0 && (loc.String() != "Asia/Tokyo" || holiday.Japan(day) == "") {
			n--
		}
	}
	return day
}

// lengthAt reads a length of time at i: 3日, 2時間半, half an hour, 2 days 1 hour, a year and a half, 1
// hour fifteen.
func (p *parser) lengthAt(i int) (l length, end int) {
	l, last, end := p.lengthTerm(i)
	for range 4 {
		j := end
		if p.is(j, cComma) {
			j++
		}
		if p.is(j, cAnd) {
			j++
		}
		one, unit, next := p.lengthTerm(j)
		if end == i || next == j {
			break
		}
		weeks := l.weeks && one.weeks
		l, last, end = l.add(one), unit, next
		l.weeks = weeks
	}
	if last == unitHour {
		return p.looseMinutes(l, end)
	}
	return l, end
}

// looseMinutes reads the minutes behind the hours of a length where their unit is left out: 1 hour
// and thirty.
func (p *parser) looseMinutes(l length, end int) (length, int) {
	j := end
	if p.is(j, cAnd) {
		j++
	}
	t, after := p.tok(j), p.tok(j+1)
	spoken := t.class == cNum && t.n == inWords && t.a >= 5 && t.a <= 59
	if !spoken || after.class != cWord && after.class != cComma || after.isNoun() {
		return l, end
	}
	return l.add(unitLength(unitMinute, t.a*1000)), j + 1
}

// lengthTerm reads one number and its unit.
func (p *parser) lengthTerm(i int) (l length, unit, end int) {
	milli, j := p.amount(i)
	if j == i {
		return l, 0, i
	}
	if p.is(j, cOf) && p.tok(i).n == inWords || p.is(j, cDash) && !p.tok(j).gap && p.tok(j+1).latin {
		j++
	}
	j = p.skip(j, cExtra)
	t := p.lengthUnit(i, j)
	if t.class != cUnit || t.b&pointOnly != 0 && !p.is(i, cHalf) || p.tok(i).n == pluralOnly && t.b&plural == 0 {
		return l, 0, i
	}
	end = p.andHalf(j + 1)
	if p.is(j+1, cHalf) && !p.tok(j+1).latin {
		end = j + 2
	}
	if end > j+1 {
		milli += 500
	}
	l = unitLength(t.a, milli)
	l.weak = t.b&weakWord != 0
	return l, t.a, end
}

// andHalf is where "and a half" ends that stands at i.
func (p *parser) andHalf(i int) int {
	j := i + 1
	if p.is(j, cArticle) {
		j++
	}
	if !p.is(i, cAnd) || !p.is(j, cHalf) {
		return i
	}
	return j + 1
}

// lengthUnit is the unit at j of an amount that starts at i, also where the word says something
// else as well: one second reads as an ordinal, two nights as a part of the day.
func (p *parser) lengthUnit(i, j int) token {
	t := p.tok(j)
	switch {
	case t.class == cOrdinal && t.a == 2 && t.b == 0 && (!p.is(i, cArticle) || !p.tok(j+1).isNoun()):
		return token{class: cUnit, a: unitSecond}
	case t.class == cWeekdays && t.latin && p.is(i, cNum): // 5 business days
		return token{class: cUnit, a: unitWorkday, b: lengthOnly | plural}
	case t.class == cPart && t.a == partNight && t.latin && p.is(i, cNum) && j == i+1:
		return token{class: cUnit, a: unitDay, b: lengthOnly}
	}
	return t
}

// amount reads how many, in thousandths.
func (p *parser) amount(i int) (milli, end int) {
	t := p.tok(i)
	switch t.class {
	case cNum:
		switch half := p.andHalf(i + 1); {
		case t.a > 100_000:
			return 0, i
		case half > i+1 && p.is(half, cUnit):
			return t.a*1000 + 500, half
		}
		return t.a*1000 + t.c, i + 1
	case cMD:
		if t.b > 0 && p.is(i+1, cUnit) && p.tok(i+1).latin {
			return t.a * 1000 / t.b, i + 1
		}
	case cHalf:
		return 500, i + 1
	case cArticle:
		if p.is(i+1, cHalf) {
			return 500, i + 2
		}
		return 1000, i + 1
	case cQuarter:
		return 250, i + 1
	}
	return 0, i
}
