package datetime

import (
	"time"

	"annai/civil"
)

// nth reads 第2火曜, 第3週, 第1四半期, 最後の週, 最初の日 and, of a month, 最後の週末.
func (p *parser) nth(i int) (value, int) {
	n, j := p.tok(i).a, i+1
	if n == 0 {
		if !p.is(j, cNum) || p.tok(j).a < 1 || p.tok(j).a > 53 {
			return value{}, i
		}
		n, j = p.tok(j).a, p.skip(j+1, cOf)
	}
	return p.nthUnit(i, n, j)
}

// nthUnit reads what the nth (from the end, when negative) is of, at j. It returns i when that is
// no time.
func (p *parser) nthUnit(i, n, j int) (value, int) {
	t := p.tok(j)
	v := value{has: fNth | fWeekday, nth: n, weekday: t.a}
	one, isQuarter := t.b&plural == 0, t.class == cQuarter || t.class == cUnit && t.a == unitQuarter
	if isQuarter && n > 0 {
		return p.subYear(3*n-2, 3, j+1)
	}
	switch t.class {
	case cWeekday:
		if n > 5 {
			return value{}, i
		}
		return v, j + 1
	case cUnit:
		switch {
		case t.a == unitWeek && one:
			v.weekday = wholeWeek
			return v, j + 1
		case t.a == unitDay && one && p.besideMonth(i, j+1):
			v.weekday = anyDay
			return v, j + 1
		}
	case cPeriodRel:
		if t.a == 0 && t.b == unitWeekend && n <= 5 && p.besideMonth(i, j+1) {
			v.weekday = wholeWeekend
			return v, j + 1
		}
	}
	return value{}, i
}

// besideMonth reports whether a month or year is named before token i or from token j on.
func (p *parser) besideMonth(i, j int) bool { return p.namesPeriod(i-1) || p.ofMonth(j) }

// ofMonth reports whether a month or year is named from token j on: of May, this month.
func (p *parser) ofMonth(j int) bool {
	if p.relatedMonth(j) || !p.oneOf(j, cOf, cIn) {
		return p.relatedMonth(j)
	}
	v, _ := p.component(p.skip(j, cOf, cIn, cThe))
	return v.any(fMonth|fYear) && !v.any(fDom)
}

// relatedMonth reports whether token j and the next are this month or next month, which need no
// "of" before them.
func (p *parser) relatedMonth(j int) bool {
	return p.is(j, cRel) && p.tok(j).a >= 0 && p.is(j+1, cUnit) && p.tok(j+1).a == unitMonth
}

// partOfYear reads 上半期, and Q1 beside a year: alone it may be a question.
func (p *parser) partOfYear(i int) (value, int) {
	t, j := p.tok(i), i+1
	if !t.latin || p.unitYearBefore(i) {
		return p.subYear(t.a, t.b, j)
	}
	k := p.skip(j, cOf, cIn, cDash, cComma)
	v, end := p.subYear(t.a, t.b, k)
	if end == k {
		return value{}, i
	}
	return v, end
}

// subYear is a quarter or half of a year, which may stand at j.
func (p *parser) subYear(month, months, j int) (value, int) {
	w, end := p.yearAt(j)
	return union(w, value{has: fSub, sub: month, subMonths: months}), end
}

// yearAt reads a year in four digits, or one counted from this one.
func (p *parser) yearAt(i int) (value, int) {
	j := p.skip(i, cThe)
	if p.isYearAt(j) && !p.is(j+1, cUnit) {
		return value{has: fYear, year: p.tok(j).a}, j + 1
	}
	if v, end := p.component(j); v.has == fYear && !p.is(j, cNum) {
		return v, end
	}
	return value{}, i
}

// isYearAt reports whether a year in four digits stands at i.
func (p *parser) isYearAt(i int) bool { return p.is(i, cNum) && p.tok(i).b == 4 && isYear(p.tok(i).a) }

// unitYearBefore reports whether a year stands before token i: 2019 Q1, next year's first quarter.
func (p *parser) unitYearBefore(i int) bool {
	if p.oneOf(i-1, cDash, cOf) {
		i--
	}
	t := p.tok(i - 1)
	return p.isYearAt(i-1) || t.class == cPeriodRel && t.b == unitYear || t.class == cUnit && t.a == unitYear
}

// numbered reads week 27 and year 2016. A low number of a week is of a course or a plan, unless its
// year is said.
func (p *parser) numbered(i int) (value, int) {
	unit, t := p.tok(i), p.tok(i+1)
	switch {
	case !t.gap || t.class != cNum || t.b < 1:
	case unit.a == unitYear && p.isYearAt(i+1):
		return value{has: fYear, year: t.a}, i + 2
	case unit.a == unitWeek && t.a >= 1 && t.a <= 53 && !p.oneOf(i+2, cUnit, cAmPm):
		v := value{has: fNth | fWeekday, nth: t.a, weekday: wholeWeek}
		k := p.skip(i+2, cOf, cIn, cComma)
		if w, end := p.yearAt(k); end > k {
			return union(w, v), end
		}
		if t.a > 5 {
			return v, i + 2
		}
	}
	return value{}, i
}

// weekStarting reads the week of the 18th and the week starting February 4.
func (p *parser) weekStarting(i int) (value, int) {
	v, end := p.inRange(p.skip(i+1, cOn, cThe, cOf), (*parser).sequence)
	if !v.isDay() || v.any(fTo|fSet|timeFeatures) {
		return value{}, i
	}
	v.makeWeek()
	return v, end
}

// restOf reads the rest of the week and later this month.
func (p *parser) restOf(i int) (value, int) {
	t, j := p.tok(i), p.skip(i+1, cOf, cThe, cIn)
	v, end := p.component(j)
	if u := p.tok(j); u.class == cUnit && u.a >= unitDay && u.b&plural == 0 {
		v, end = p.period(0, u.a), j+1
	}
	if !t.latin || !v.any(dateFeatures) || v.any(timeFeatures|fTo|fSet|fSegment) {
		return value{}, i
	}
	if t.a == restLater && !v.isDay() {
		v.has, v.segment = v.has|fSegment, segmentLater
	}
	v.makeRest()
	return v, end
}

// nthOfPeriod is the second Tuesday of the month said, or of the nearest month where it is not
// past.
func (p *parser) nthOfPeriod(v value, anchor civil.Date) (dates, bool) {
	switch {
	case v.weekday == wholeWeek && !v.any(fMonth) && (v.any(fYear) || v.nth > 5):
		return p.weekOfYear(v), true
	case v.weekday == anyDay:
		return p.nthDay(v)
	}
	in := func(first civil.Date) (run, bool) { return nthOf(first, v.nth, v.weekday) }
	if !v.any(fMonth | fYear) {
		d, ok := nearest(monthStart(anchor.Year, int(anchor.Month)), anchor, 1, in)
		return dates{run: d.run, assumed: d.assumed}, ok
	}
	month := 1
	switch {
	case v.any(fMonth):
		month = v.month
	case v.nth < 0:
		month = 12
	}
	d, ok := v.inYear(anchor, func(year int) (run, bool) { return in(monthStart(year, month)) })
	return dates{run: d.run, assumed: d.assumed}, ok
}

// nthDay is the nth day of a month or year.
func (p *parser) nthDay(v value) (dates, bool) {
	month, months := 1, 12
	if v.any(fMonth) {
		month, months = v.month, 1
	}
	d, _ := v.inYear(p.today, func(year int) (run, bool) {
		return someMonths(monthStart(year, month), months), true
	})
	day := d.first.AddDays(v.nth - 1)
	if v.nth < 0 {
		day = d.until.AddDays(v.nth)
	}
	inside := !day.Before(d.first) && day.Before(d.until)
	return dates{run: oneDay(day), assumed: d.assumed}, inside && v.any(fMonth|fYear)
}

// nthOf is the nth weekday, week or weekend of the month that starts with first, from its end when
// nth is negative. A week is of the month of its Thursday, a weekend of that of its Saturday.
func nthOf(first civil.Date, nth, weekday int) (run, bool) {
	before, days := 0, 1 // of the run around the day that counts
	switch weekday {
	case wholeWeek:
		weekday, before, days = int(time.Thursday), 3, 7
	case wholeWeekend:
		weekday, days = int(time.Saturday), 2
	}
	day := first.AddDays((weekday-int(first.Weekday())+7)%7 + 7*(nth-1))
	if nth < 0 {
		last := first.AddMonths(1).AddDays(-1)
		day = last.AddDays(-(int(last.Weekday())-weekday+7)%7 + 7*(nth+1))
	}
	return someDays(day.AddDays(-before), days), day.Month == first.Month
}

// weekOfYear is an ISO week by its number, from the end of the year when that is negative.
func (p *parser) weekOfYear(v value) dates {
	year := p.today.Year
	if v.any(fYear) {
		year = v.year
	}
	monday := (civil.Date{Year: year, Month: time.January, Day: 4}).Monday().AddDays(7 * (v.nth - 1))
	if v.nth < 0 {
		monday = (civil.Date{Year: year, Month: time.December, Day: 28}).Monday().AddDays(7 * (v.nth + 1))
	}
	return dates{run: someDays(monday, 7), assumed: !v.any(fYear)}
}
