package datetime

import (
	"time"

	"annai/internal/civil"
)

// days is a day counted from today.
func (p *parser) days(n int) value {
	v := value{has: fDays, first: p.today.AddDays(n), past: n < 0}
	v.until = v.first.AddDays(1)
	switch n {
	case 0:
		v.name = Today
	case 1:
		v.name = Tomorrow
	case 2:
		v.name = DayAfterTomorrow
	}
	return v
}

// period is a week, month, year or weekend counted from the current one.
func (p *parser) period(n, unit int) value {
	v := value{past: n < 0}
	switch unit {
	case unitWeek:
		v.has, v.monday = fWeek, p.today.Monday().AddDays(7*n)
		v.name = pick(n, ThisWeek, NextWeek)
	case unitWeekend:
		v.has, v.monday = fWeek|fWeekend, p.today.Monday().AddDays(7*n)
		v.name = pick(n, Weekend, NextWeekend)
	case unitMonth:
		first := civil.Date{Year: p.today.Year, Month: p.today.Month, Day: 1}.AddMonths(n)
		v.has, v.year, v.month = fYear|fMonth, first.Year, int(first.Month)
		v.name = pick(n, ThisMonth, NextMonth)
	case unitYear:
		v.has, v.year, v.relYear = fYear, p.today.Year+n, true
	case unitQuarter:
		quarter := (int(p.today.Month)-1)/3*3 + 1
		v.has = fDays
		v.first = civil.Date{Year: p.today.Year, Month: time.Month(quarter), Day: 1}.AddMonths(3 * n)
		v.until = v.first.AddMonths(3)
	case unitDay:
		return p.days(n)
	case unitFortnight:
		v.has, v.first = fDays, p.today.Monday().AddDays(14*n)
		v.until = v.first.AddDays(14)
	case unitFiscal: // in Japan it begins in April
		v.has = fDays
		v.first = civil.Date{Year: p.today.AddMonths(-3).Year + n, Month: time.April, Day: 1}
		v.until = v.first.AddMonths(12)
	case unitDecade:
		v.has = fDays
		v.first = civil.Date{Year: p.today.Year/10*10 + 10*n, Month: 1, Day: 1}
		v.until = v.first.AddMonths(120)
	}
	return v
}

// pick is the name of the current or the next period; further ones have none.
func pick(n int, this, next Name) Name {
	switch n {
	case 0:
		return this
	case 1:
		return next
	}
	return ""
}

// weekday reads a named day of the week, alone or with the week it is of.
func (p *parser) weekday(i int) (value, int) {
	t := p.tok(i)
	if t.b == 1 && !p.supported(i) {
		return value{}, i
	}
	v := value{has: fWeekday, weekday: t.a}
	if t.b == 2 {
		if p.is(i-1, cNum) || p.is(i-1, cRel) {
			return value{}, i // two Sundays from now
		}
		v.has |= fSet
	}
	if p.is(i+1, cAfter) && p.is(i+2, cRel) && p.tok(i+2).a == 1 && !p.is(i+3, cUnit) { // Friday after next
		v.has, v.monday = fWeekday|fWeek, p.today.Monday().AddDays(7)
		return v, i + 3
	}
	return v, i + 1
}

// relative reads this, next and last with what they modify.
func (p *parser) relative(i int) (value, int) {
	n := p.tok(i).a
	if before := p.tok(i - 1); n < 0 && before.class == cWord && before.a == modal { // it shouldn't last two hours
		return value{}, i
	}
	j := i + 1
	for p.is(j, cOf) || p.is(j, cApprox) {
		j++
	}
	t := p.tok(j)
	switch t.class {
	case cWeekday, cUnit:
		return p.relativeUnit(i, n, j)
	case cMonth:
		return p.relativeMonth(n, j)
	case cHoliday:
		return p.relativeHoliday(n, j)
	case cPart:
		v := p.days(min(n, 1))
		v.has, v.part = v.has|fPart, t.a
		return v, j + 1
	case cQuarter:
		return p.period(min(n, 1), unitQuarter), j + 1
	case cNum, cArticle, cHalf:
		return p.runOf(i, j, n)
	case cPeriodRel:
		if t.b == unitWeekend && t.a == 0 {
			return p.period(min(n, 1), unitWeekend), j + 1
		}
	case cSegment:
		if t.b != 0 {
			return p.segment(j)
		}
	}
	return value{}, i
}

// relativeUnit reads next Monday and last month, and the last of a longer one: the last Monday of the month. j is where the
// weekday or unit stands.
func (p *parser) relativeUnit(i, n, j int) (value, int) {
	t := p.tok(j)
	ofLonger := n < 0 && (p.is(j+1, cOf) || p.is(j+1, cIn) || p.relatedMonth(j+1))
	switch {
	case t.class == cWeekday && ofLonger:
		return value{has: fNth | fWeekday, nth: -1, weekday: t.a}, j + 1
	case t.class == cWeekday && t.b != 2:
		return p.relativeWeekday(n, t.a), j + 1
	case t.class == cWeekday:
		return value{}, i
	case ofLonger && t.latin && (t.a == unitWeek || t.a == unitDay) && p.besideMonth(i, j+1):
		return p.nthUnit(i, -1, j)
	case t.a >= unitDay && (t.b&plural == 0 || p.tok(j+1).isNoun() && p.tok(j+1).latin): // next weeks menu
		return p.period(min(n, 1), t.a), j + 1
	}
	return value{}, i
}

// relativeMonth is the nearest month of a name in the direction said; j is where the name stands.
func (p *parser) relativeMonth(n, j int) (value, int) {
	month := p.tok(j).a
	v, end := p.month(j)
	if end == j {
		v, end = value{has: fMonth, month: month}, j+1
	}
	if !v.any(fYear) {
		v.has, v.year = v.has|fYear, p.relativeYear(n, month)
		v.past = n < 0
	}
	return v, end
}

// relativeWeekday is that day of this, the next or the last week, or the coming one. The day of this week that has gone
// by is not what anybody asks for: then it is the coming one, too.
func (p *parser) relativeWeekday(n, weekday int) value {
	v := value{has: fWeekday | fWeek, weekday: weekday, monday: p.today.Monday().AddDays(7 * n), past: n < 0}
	if n == 2 || n == 0 && v.monday.AddDays((weekday+6)%7).Before(p.today) {
		v.has, v.coming, v.named = fWeekday, n == 2, true
	}
	return v
}

// relativeYear is the year of this, the next or the last month of a name.
func (p *parser) relativeYear(n, month int) int {
	current := int(p.today.Month)
	switch {
	case n == 0:
		return p.today.Year
	case n < 0 && month < current || n > 0 && month > current:
		return p.today.Year
	case n < 0:
		return p.today.Year - 1
	}
	return p.today.Year + 1
}

// segment reads the start, middle or end of the period that it names or that stands beside it (end of May, 来月末).
func (p *parser) segment(i int) (value, int) {
	t := p.tok(i)
	if t.b != 0 {
		return p.segmentOf(i, t)
	}
	v := value{has: fSegment, segment: t.a}
	if k := i - 1; t.n == ofDecember && (p.unit(k, unitYear) || p.is(k, cPeriodRel) && p.tok(k).b == unitYear) { // 来年末 is in December
		v.has, v.month = v.has|fMonth, 12
		return v, i + 1
	}
	if t.n == lastDay && i > 0 && p.namesPeriod(i-1) {
		return value{has: fNth | fWeekday, nth: -1, weekday: anyDay}, i + 1
	}
	j := i + 1
	for p.is(j, cThe) || p.is(j, cOf) || p.is(j, cApprox) || p.is(j, cDash) {
		j++
	}
	w, end := p.component(j)
	if p.is(j, cUnit) {
		w, end = p.period(0, p.tok(j).a), j+1
	}
	if end > j && w.any(fMonth|fYear|fWeek) && !w.any(dayFeatures|fSegment|fTo) {
		return union(w, v), end
	}
	if end > j && t.n == ofDay && w.isDay() && !w.any(timeFeatures|fTo|fSet) { // end of the day
		return union(w, endOfDay()), end
	}
	if i > 0 && p.namesPeriod(i-1) {
		return v, i + 1
	}
	return value{}, i
}

// segmentOf reads a word that names its period as well: 月末, 年始, 週明け.
func (p *parser) segmentOf(i int, t token) (value, int) {
	v := value{has: fSegment, segment: t.a}
	switch t.b {
	case unitMonth:
		if i == 0 || !p.namesMonth(i-1) {
			v.has, v.year, v.month = v.has|fYear|fMonth, p.today.Year, int(p.today.Month)
		}
	case unitYear:
		v.has, v.month = v.has|fMonth, 12
		if t.a == segmentStart {
			v.month = 1
		}
	case unitWeek:
		if p.is(i-1, cPeriodRel) || p.is(i-1, cOf) {
			return v, i + 1
		}
		v.has, v.monday = v.has|fWeek, p.today.Monday()
		if t.a == segmentStart && p.today.Weekday() != time.Monday {
			v.monday = v.monday.AddDays(7)
		}
	}
	return v, i + 1
}

// namesMonth reports whether the token at i ends the name of a month, as before 末.
func (p *parser) namesMonth(i int) bool {
	if p.is(i, cOf) {
		i--
	}
	return p.is(i, cPeriodRel) && p.tok(i).b == unitMonth || p.unit(i, unitMonth) || p.is(i, cMonth)
}

// namesPeriod reports whether the token at i ends the name of a week, month or year.
func (p *parser) namesPeriod(i int) bool {
	if p.is(i, cOf) {
		i--
	}
	return p.namesMonth(i) || p.is(i, cPeriodRel) || p.unit(i, unitYear)
}
