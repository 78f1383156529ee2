package datetime

import "time"

// days is a day counted from today.
func (p *parser) days(n int) value {
	v := value{has: fDays, run: oneDay(p.today.AddDays(n))}
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

// dayFromToday reads 明日, 昨夜.
func (p *parser) dayFromToday(i int) (value, int) {
	t := p.tok(i)
	v := p.days(t.a)
	switch {
	case t.class == cDayPartRel:
		v.has, v.part = v.has|fPart, t.b
	case t.b == ofThat:
		v = p.dayOfThat(t.a)
	}
	return v, i + 1
}

// dayOfThat is a day counted from one that was spoken of (翌日, "the next day"), or else from today.
func (p *parser) dayOfThat(n int) value {
	v := p.days(n)
	v.fromNow, v.ofThat = time.Duration(n)*24*time.Hour, n != 0
	return v
}

// periodFromNow reads 来週 and 去年, and the last weekend of November.
func (p *parser) periodFromNow(i int) (value, int) {
	t := p.tok(i)
	if t.a == -1 && t.b == unitWeekend && p.ofMonth(i+1) {
		return value{has: fNth | fWeekday, nth: -1, weekday: wholeWeekend}, i + 1
	}
	return p.period(t.a, t.b), i + 1
}

// period is a week, month, year or weekend counted from the current one.
func (p *parser) period(n, unit int) value {
	var v value
	year, month := p.today.Year, int(p.today.Month)
	months := func(year, month, months int) value { // those counted, of as many months each
		return value{has: fDays, run: someMonths(monthStart(year, month).AddMonths(n*months), months)}
	}
	switch unit {
	case unitWeek:
		v.has, v.monday = fWeek, p.today.Monday().AddDays(7*n)
		v.name = pick(n, ThisWeek, NextWeek)
	case unitWeekend:
		v.has, v.monday = fWeek|fWeekend, p.today.Monday().AddDays(7*n)
		v.name = pick(n, Weekend, NextWeekend)
	case unitMonth:
		first := monthStart(year, month).AddMonths(n)
		v.has, v.year, v.month = fYear|fMonth, first.Year, int(first.Month)
		v.name = pick(n, ThisMonth, NextMonth)
	case unitYear:
		v.has, v.year, v.relYear = fYear, year+n, true
	case unitDay:
		return p.dayOfThat(n)
	case unitFortnight:
		v.has, v.run = fDays, someDays(p.today.Monday().AddDays(14*n), 14)
	case unitQuarter:
		return months(year, (month-1)/3*3+1, 3)
	case unitFiscal: // in Japan it begins in April
		return months(p.today.AddMonths(-3).Year, 4, 12)
	case unitDecade:
		return months(year/10*10, 1, 120)
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
	v := value{has: fWeekday, weekday: t.a}
	switch {
	case t.b == weakWord && !p.supported(i), t.b == plural && p.oneOf(i-1, cNum, cRel): // two Sundays from now
		return value{}, i
	case t.b == plural:
		v.has |= fSet
	case p.is(i+1, cAfter) && p.is(i+2, cRel) && p.tok(i+2).a == 1 && !p.is(i+3, cUnit): // Friday after next
		v.has, v.monday = fWeekday|fWeek, p.today.Monday().AddDays(7)
		return v, i + 3
	}
	return v, i + 1
}

// relative reads this, next and last with what they modify.
func (p *parser) relative(i int) (value, int) {
	n, j := p.tok(i).a, p.skip(i+1, cOf, cApprox)
	if n < 0 && p.is(i-1, cWord) && p.tok(i-1).a == modal { // it shouldn't last two hours
		return value{}, i
	}
	switch t := p.tok(j); t.class {
	case cWeekday:
		return p.relativeWeekday(i, n, j)
	case cUnit:
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
	}
	return value{}, i
}

// relativeUnit reads last month, and the last of a longer one: the last week of the month. j is
// where the unit stands.
func (p *parser) relativeUnit(i, n, j int) (value, int) {
	t := p.tok(j)
	if n < 0 && p.ofMonth(j+1) {
		if v, end := p.nthUnit(i, -1, j); end > i {
			return v, end
		}
	}
	if t.a >= unitDay && (t.b&plural == 0 || p.tok(j+1).isNoun()) { // next weeks menu
		return p.period(min(n, 1), t.a), j + 1
	}
	return value{}, i
}

// relativeMonth is the nearest month of a name in the direction said; j is where the name stands.
func (p *parser) relativeMonth(n, j int) (value, int) {
	v, end := p.month(j)
	if v.any(fYear) {
		return v, end
	}
	year, current := p.today.Year, int(p.today.Month)
	switch {
	case n < 0 && v.month >= current:
		year--
	case n > 0 && v.month <= current:
		year++
	}
	v.has, v.year = v.has|fYear, year
	return v, end
}

// relativeWeekday is that day of this, the next or the last week, or the coming one; or the last
// Monday of a month. The day of this week that has gone by is not what anybody asks for: then it is
// the coming one, too.
func (p *parser) relativeWeekday(i, n, j int) (value, int) {
	t := p.tok(j)
	v := value{has: fWeekday | fWeek, weekday: t.a, monday: p.today.Monday().AddDays(7 * n)}
	switch {
	case n < 0 && (p.oneOf(j+1, cOf, cIn) || p.relatedMonth(j+1)):
		v.has, v.nth = fNth|fWeekday, -1
	case t.b == plural:
		return value{}, i
	case n == 2 || n == 0 && v.monday.AddDays(afterMonday(t.a)).Before(p.today):
		v.has, v.coming, v.named = fWeekday, n == 2, true
	}
	return v, j + 1
}

// segment reads the start, middle or end of the period that it names or that stands beside it (end
// of May, 来月末).
func (p *parser) segment(i int) (value, int) {
	t, before := p.tok(i), p.tok(i-1)
	v := value{has: fSegment, segment: t.a}
	switch {
	case t.b != 0:
		return p.segmentOf(i)
	case t.n == lastDay && p.namesPeriod(i-1):
		return value{has: fNth | fWeekday, nth: -1, weekday: anyDay}, i + 1
	case t.n == ofDecember && (p.unit(i-1, unitYear) || before.class == cPeriodRel && before.b == unitYear): // 来年末
		v.has, v.month = v.has|fMonth, 12
		return v, i + 1
	}
	j := p.skip(i+1, cThe, cOf, cApprox, cDash)
	w, end := p.component(j)
	if p.is(j, cUnit) {
		w, end = p.period(0, p.tok(j).a), j+1
	}
	switch {
	case w.any(fMonth|fYear|fWeek) && !w.any(dayFeatures|fSegment|fTo):
		return union(w, v), end
	case t.n == ofDay && w.isDay() && !w.any(timeFeatures|fTo|fSet): // end of the day
		return union(w, endOfDay()), end
	case p.namesPeriod(i - 1):
		return v, i + 1
	}
	return value{}, i
}

// segmentOf reads a word that names its period as well: 月末, 年始, 週明け.
func (p *parser) segmentOf(i int) (value, int) {
	t := p.tok(i)
	v := value{has: fSegment, segment: t.a}
	switch t.b {
	case unitMonth:
		if !p.namesMonth(i - 1) {
			v.has, v.year, v.month = v.has|fYear|fMonth, p.today.Year, int(p.today.Month)
		}
	case unitYear:
		v.has, v.month = v.has|fMonth, 12
		if t.a == segmentStart {
			v.month = 1
		}
	case unitWeek:
		v.has, v.monday = v.has|fWeek, p.today.Monday()
		if t.a == segmentStart && p.today != v.monday {
			v.monday = v.monday.AddDays(7)
		}
	}
	return v, i + 1
}

// namesMonth reports whether the token at i ends the name of a month, as before 末.
func (p *parser) namesMonth(i int) bool {
	return p.is(i, cMonth) || p.unit(i, unitMonth) || p.is(i, cPeriodRel) && p.tok(i).b == unitMonth
}

// namesPeriod reports whether the token at i ends the name of a week, month or year.
func (p *parser) namesPeriod(i int) bool {
	if p.is(i, cOf) {
		i--
	}
	return p.oneOf(i, cMonth, cPeriodRel) || p.unit(i, unitMonth) || p.unit(i, unitYear)
}
