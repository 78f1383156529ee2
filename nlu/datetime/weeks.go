package datetime

import (
	"time"

	"annai/internal/civil"
)

// nth reads 第2火曜, 第3週, 第1四半期, 最後の週, 最初の日 and, of a month, 最後の週末.
func (p *parser) nth(i int) (value, int) {
	n, j := p.tok(i).a, i+1
	if n == 0 {
		if !p.is(j, cNum) || p.tok(j).a < 1 || p.tok(j).a > 53 {
			return value{}, i
		}
		n, j = p.tok(j).a, j+1
		if p.is(j, cOf) {
			j++
		}
	}
	return p.nthUnit(i, n, j)
}

// nthUnit reads what the nth (from the end, when negative) is of, at j. It returns i when that is no time.
func (p *parser) nthUnit(i, n, j int) (value, int) {
	t := p.tok(j)
	v := value{has: fNth | fWeekday, nth: n, weekday: t.a}
	switch {
	case t.class == cWeekday && n <= 5:
		return v, j + 1
	case t.class == cUnit && t.a == unitWeek && t.b&plural == 0:
		v.weekday = wholeWeek
		return v, j + 1
	case (t.class == cUnit && t.a == unitQuarter || t.class == cQuarter) && n > 0 && n <= 4:
		return p.subYear(i, 3*n-2, 3, j+1)
	case t.class == cUnit && t.a == unitDay && t.b&plural == 0 && p.besideMonth(i, j+1):
		v.weekday = anyDay
		return v, j + 1
	case t.class == cPeriodRel && t.b == unitWeekend && t.a == 0 && n <= 5 && p.besideMonth(i, j+1):
		v.weekday = wholeWeekend
		return v, j + 1
	}
	return value{}, i
}

// besideMonth reports whether a month or year is named before token i or from token j on.
func (p *parser) besideMonth(i, j int) bool {
	if p.namesPeriod(i-1) || p.relatedMonth(j) {
		return true
	}
	if !p.is(j, cOf) && !p.is(j, cIn) {
		return false
	}
	for p.is(j, cOf) || p.is(j, cIn) || p.is(j, cThe) {
		j++
	}
	v, end := p.component(j)
	return end > j && v.any(fMonth|fYear) && !v.any(fDom)
}

// relatedMonth reports whether token j and the next are this month or next month, which need no "of" before them.
func (p *parser) relatedMonth(j int) bool {
	return p.is(j, cRel) && p.tok(j).a >= 0 && p.is(j+1, cUnit) && p.tok(j+1).a == unitMonth
}

// subYear is a quarter or half of a year. Alone it says too little: Q1 may be a question.
func (p *parser) subYear(i, month, months, j int) (value, int) {
	v := value{has: fSub, sub: month, subMonths: months}
	if p.is(i, cSub) && p.tok(i).latin && !p.unitYearBefore(i) {
		k := j
		for p.is(k, cOf) || p.is(k, cIn) || p.is(k, cDash) || p.is(k, cComma) {
			k++
		}
		w, end := p.yearAt(k)
		if end == k {
			return value{}, i
		}
		return union(w, v), end
	}
	if w, end := p.yearAt(j); end > j {
		return union(w, v), end
	}
	return v, j
}

// yearAt reads a year in four digits, or one counted from this one.
func (p *parser) yearAt(i int) (value, int) {
	for p.is(i, cThe) {
		i++
	}
	if t := p.tok(i); t.class == cNum && t.b == 4 && isYear(t.a) && !p.is(i+1, cUnit) {
		return value{has: fYear, year: t.a, past: t.a < p.today.Year}, i + 1
	}
	if p.is(i, cNum) {
		return value{}, i
	}
	v, end := p.component(i)
	if end > i && v.has == fYear {
		return v, end
	}
	return value{}, i
}

// unitYearBefore reports whether a year stands before token i: 2019 Q1, next year's first quarter.
func (p *parser) unitYearBefore(i int) bool {
	if p.is(i-1, cDash) || p.is(i-1, cOf) {
		i--
	}
	t := p.tok(i - 1)
	return t.class == cNum && t.b == 4 && isYear(t.a) || p.unit(i-1, unitYear) || t.class == cPeriodRel && t.b == unitYear || t.class == cUnit && t.a == unitYear
}

// numbered reads week 27 and year 2016. A low number of a week is of a course or a plan, unless its year is said.
func (p *parser) numbered(i int, unit token) (value, int) {
	t := p.tok(i + 1)
	if t.class != cNum || t.b < 1 || t.c != 0 || !t.gap {
		return value{}, i
	}
	switch {
	case unit.a == unitYear && t.b == 4 && isYear(t.a):
		return value{has: fYear, year: t.a, past: t.a < p.today.Year}, i + 2
	case unit.a == unitWeek && t.a >= 1 && t.a <= 53 && !p.is(i+2, cUnit) && !p.is(i+2, cAmPm):
		v := value{has: fNth | fWeekday, nth: t.a, weekday: wholeWeek}
		k := i + 2
		for p.is(k, cOf) || p.is(k, cIn) || p.is(k, cComma) {
			k++
		}
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
	j := i + 1
	for p.is(j, cOn) || p.is(j, cThe) || p.is(j, cOf) {
		j++
	}
	outer := p.ranged
	p.ranged = true
	v, end := p.sequence(j)
	p.ranged = outer
	if end == j || !v.isDay() || v.any(fTo|fSet|timeFeatures) {
		return value{}, i
	}
	v.weekOf, v.name = true, ""
	return v, end
}

// restOf reads the rest of the week and later this month.
func (p *parser) restOf(i int) (value, int) {
	t := p.tok(i)
	if !t.latin {
		return value{}, i
	}
	j := i + 1
	for p.is(j, cOf) || p.is(j, cThe) || p.is(j, cIn) {
		j++
	}
	v, end := p.component(j)
	if u := p.tok(j); u.class == cUnit && u.latin && u.a >= unitDay && u.b&plural == 0 {
		v, end = p.period(0, u.a), j+1
	}
	if end == j || !v.any(dateFeatures) || v.any(timeFeatures|fTo|fSet|fSegment) {
		return value{}, i
	}
	if t.a == restLater && !v.isDay() {
		v.has, v.segment = v.has|fSegment, segmentLater
	}
	v.rest, v.name = true, ""
	return v, end
}

// The values of a cRest.
const (
	restAll = iota + 1
	restLater
)

// nthWeekday is the second Tuesday of the month said, or of the nearest month where it is not past.
func (p *parser) nthWeekday(v value, anchor civil.Date) (dates, bool) {
	if v.weekday == wholeWeek && !v.any(fMonth) && (v.any(fYear) || v.nth > 5) {
		return p.weekOfYear(v), true
	}
	if v.weekday == anyDay {
		return p.nthDay(v)
	}
	first, step := civil.Date{Year: anchor.Year, Month: anchor.Month, Day: 1}, 1
	switch {
	case v.any(fMonth):
		first.Month, step = time.Month(v.month), 12
	case v.any(fYear) && v.nth < 0:
		first.Month = time.December
	case v.any(fYear):
		first.Month = time.January
	}
	if v.any(fYear) {
		first.Year = v.year
	}
	for range 13 {
		d, ok := nthOf(first, v.nth, v.weekday)
		if ok && (v.any(fYear) || anchor.Before(d.until)) {
			d.assumed, d.past = !v.any(fYear), !p.today.Before(d.until)
			return d, true
		}
		if v.any(fYear) {
			break
		}
		first = first.AddMonths(step)
	}
	return dates{}, false
}

// nthDay is the nth day of a month or year.
func (p *parser) nthDay(v value) (dates, bool) {
	first := civil.Date{Year: p.today.Year, Month: time.January, Day: 1}
	months := 12
	if v.any(fMonth) {
		first.Month, months = time.Month(v.month), 1
	}
	if v.any(fYear) {
		first.Year = v.year
	}
	if until := first.AddMonths(months); !v.any(fYear) && !p.today.Before(until) {
		first = first.AddMonths(12)
	}
	until := first.AddMonths(months)
	day := first.AddDays(v.nth - 1)
	if v.nth < 0 {
		day = until.AddDays(v.nth)
	}
	d := oneDay(day)
	d.assumed, d.past = !v.any(fYear), day.Before(p.today)
	return d, !day.Before(first) && day.Before(until) && v.any(fMonth|fYear)
}

// nthOf is the nth weekday, week or weekend of the month that starts with first, from its end when nth is negative. A week is of the month of its
// Thursday, a weekend of that of its Saturday.
func nthOf(first civil.Date, nth, weekday int) (dates, bool) {
	week, weekend := weekday == wholeWeek, weekday == wholeWeekend
	switch {
	case week:
		weekday = int(time.Thursday)
	case weekend:
		weekday = int(time.Saturday)
	}
	day := first.AddDays((weekday-int(first.Weekday())+7)%7 + 7*(nth-1))
	if nth < 0 {
		last := first.AddMonths(1).AddDays(-1)
		day = last.AddDays(-((int(last.Weekday())-weekday+7)%7 - 7*(nth+1)))
	}
	if week {
		return dates{first: day.AddDays(-3), until: day.AddDays(4)}, day.Month == first.Month
	}
	if weekend {
		return dates{first: day, until: day.AddDays(2)}, day.Month == first.Month
	}
	return oneDay(day), day.Month == first.Month
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
	return dates{first: monday, until: monday.AddDays(7), assumed: !v.any(fYear), past: monday.AddDays(7).Before(p.today)}
}

// partOfYear is a quarter or half of the year said, or the nearest that is not past.
func (p *parser) partOfYear(v value, anchor civil.Date) (dates, bool) {
	first := civil.Date{Year: anchor.Year, Month: time.Month(v.sub), Day: 1}
	if v.any(fYear) {
		first.Year = v.year
	}
	d := dates{first: first, until: first.AddMonths(v.subMonths), assumed: !v.any(fYear)}
	if d.assumed && !anchor.Before(d.until) {
		d.first, d.until = d.first.AddMonths(12), d.until.AddMonths(12)
	}
	if d.assumed {
		d.alternatives = [][2]civil.Date{{d.first.AddMonths(-12), d.until.AddMonths(-12)}}
	}
	d.past = !p.today.Before(d.until)
	return d, first.Year >= 1 && first.Year <= 9998
}
