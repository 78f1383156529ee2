package datetime

// numberRange reads two numbers that share what follows or precedes them: 14〜16時, 3-8pm, 10-22
// August, 2020・2021年.
func (p *parser) numberRange(i int) (value, int) {
	a, b := p.tok(i), p.tok(i+2)
	switch {
	case a.class != cNum || b.class != cNum && b.class != cClock:
	case p.is(i+1, cComma):
		if a.b == 4 && b.b == 4 && p.unit(i+3, unitYear) {
			return p.rangeOf(value{has: fYear, year: a.a}, value{has: fYear, year: b.a}, i+4)
		}
	case p.is(i+1, cDash) && p.ranged && (a.b > 2 || a.b < 0):
		return p.militaryRange(i)
	case p.linked(i) && a.b >= 0 && a.b <= 2 && (b.class == cClock || b.b >= 0 && b.b <= 2):
		return p.first(i, (*parser).unitRange, (*parser).monthRange, (*parser).hourRange)
	}
	return value{}, i
}

// linked reports whether what stands behind the number at i makes a range of it and the next one.
func (p *parser) linked(i int) bool {
	link := p.tok(i + 1)
	switch link.class {
	case cDash, cTo:
		return true
	case cFrom:
		return !link.latin
	case cAnd:
		return p.ranged
	}
	return false
}

// militaryRange reads 0730-0930 and 9.30-4.30pm behind from or between, but not 2024-2025.
func (p *parser) militaryRange(i int) (value, int) {
	from, ok := p.tok(i).clockInDigits()
	to, both := p.tok(i + 2).clockInDigits()
	if !ok || !both || isYear(p.tok(i).a) {
		return value{}, i
	}
	to, end := p.suffix(to, i+3)
	return p.rangeOf(from, to, end)
}

// clockInDigits reads a number as a time on the clock: 0930, 9.30.
func (t token) clockInDigits() (value, bool) {
	if t.b == -2 {
		return at(t.a, t.c/10), t.a <= 24 && t.c < 600
	}
	v := at(t.a/100, t.a%100)
	return v, t.b >= 3 && t.b <= 4 && v.hour <= 24 && v.minute < 60
}

// unitRange reads 14〜16時 and 3〜5日.
func (p *parser) unitRange(i int) (value, int) {
	a := p.tok(i).a
	to, end := p.countedOne(i + 2)
	if end == i+2 || to.any(fYear) {
		return value{}, i
	}
	from := to
	from.dom, from.month = a, a
	return p.rangeOf(from, to, end)
}

// monthRange reads 10-22 August 2012.
func (p *parser) monthRange(i int) (value, int) {
	to, end := p.dayMonth(i + 2)
	if end == i+2 {
		return value{}, i
	}
	return p.rangeOf(value{has: fDom, dom: p.tok(i).a}, to, end)
}

// hourRange reads 3-8pm, and two bare hours where a day or "from" stands beside them.
func (p *parser) hourRange(i int) (value, int) {
	from, b := at(p.tok(i).a, 0), p.tok(i+2)
	if to, end := p.clock(i + 2); end > i+2 {
		return p.rangeOf(from, to, end)
	}
	if b.class == cClock || b.a > 24 || !p.besideHours(i) {
		return value{}, i
	}
	return p.rangeOf(from, at(b.a, 0), i+3)
}

// besideHours reports whether the words beside the range of two numbers at i say that they are
// hours.
func (p *parser) besideHours(i int) bool {
	switch {
	case p.oneOf(i+3, cPlace, cUnit, cNum, cMonth, cDash, cTo):
		return false
	case p.oneOf(i-1, cWeekday, cDayRel, cDayPartRel, cAt, cPart):
		return true
	}
	return p.oneOf(i-1, cFrom, cBetween) && !p.tok(i+3).isNoun() || p.dayBehind(i+3)
}

// dayBehind reports whether a day follows: next Monday, on Friday, tomorrow.
func (p *parser) dayBehind(i int) bool {
	i = p.skip(i, cOn, cOf)
	return p.oneOf(i, cWeekday, cDayRel, cDayPartRel, cYMD) || p.is(i, cRel) && p.oneOf(i+1, cWeekday, cPart)
}
