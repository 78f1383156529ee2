package datetime

// numberRange reads two numbers that share what follows or precedes them: 14〜16時, 3-8pm, 10-22 August.
func (p *parser) numberRange(i int) (value, int) {
	a, link, b := p.tok(i), p.tok(i+1), p.tok(i+2)
	linked := link.class == cDash || link.class == cTo || link.class == cFrom && !link.latin ||
		link.class == cAnd && p.is(i-1, cBetween) && p.ranged
	if link.class == cComma && a.b == 4 && b.b == 4 && b.a == a.a+1 && p.unit(i+3, unitYear) { // 2020・2021年
		return p.rangeOf(value{has: fYear, year: a.a}, value{has: fYear, year: b.a}, i+4)
	}
	if a.class == cNum && b.class == cNum && link.class == cDash && p.ranged {
		if v, j := p.militaryRange(i, a, b); j > i {
			return v, j
		}
	}
	if !linked || a.class != cNum || a.b < 0 || a.b > 2 || a.c != 0 || b.class != cNum && b.class != cClock {
		return value{}, i
	}
	if b.class == cNum && (b.b < 0 || b.b > 2 || b.c != 0) {
		return value{}, i
	}
	for _, read := range [...]func(int, token, token) (value, int){p.unitRange, p.monthRange, p.hourRange} {
		if v, j := read(i, a, b); j > i {
			return v, j
		}
	}
	return value{}, i
}

// militaryRange reads 0730-0930 and 9.30-4.30pm behind from or between.
func (p *parser) militaryRange(i int, a, b token) (value, int) {
	hour := func(t token) (value, bool) {
		switch {
		case t.b == 4 && (!isYear(a.a) || !isYear(b.a)):
			return value{has: fClock, hour: t.a / 100, minute: t.a % 100, half: halfFixed}, t.a < 2400 && t.a%100 < 60
		case t.b == -2:
			return value{has: fClock, hour: t.a, minute: t.c / 10}, t.a < 24 && t.c < 600
		}
		return value{}, false
	}
	from, ok := hour(a)
	if !ok {
		return value{}, i
	}
	to, ok := hour(b)
	if !ok {
		return value{}, i
	}
	to, end := p.suffix(to, i+3)
	return p.rangeOf(from, to, end)
}

// unitRange reads 14〜16時 and 3〜5日.
func (p *parser) unitRange(i int, a, b token) (value, int) {
	unit := p.tok(i + 3)
	if b.class != cNum || unit.class != cUnit || unit.b&lengthOnly != 0 || unit.latin {
		return value{}, i
	}
	if unit.a == unitHour && a.a <= 30 {
		to, end := p.clock(i + 2)
		if end == i+2 {
			return value{}, i
		}
		return p.rangeOf(value{has: fClock, hour: a.a}, to, end)
	}
	to, end := p.counted(i+2, b, unit)
	if end == i+2 || to.any(fYear) {
		return value{}, i
	}
	from := to
	from.dom, from.month = a.a, a.a
	return p.rangeOf(from, to, end)
}

// monthRange reads 10-22 August 2012.
func (p *parser) monthRange(i int, a, b token) (value, int) {
	if b.class != cNum || a.a < 1 || a.a > 31 {
		return value{}, i
	}
	to, end := p.dayMonth(i+2, b.a)
	if end == i+2 {
		return value{}, i
	}
	return p.rangeOf(value{has: fDom, dom: a.a}, to, end)
}

// hourRange reads 3-8pm, and two bare hours where a day or "from" stands beside them.
func (p *parser) hourRange(i int, a, b token) (value, int) {
	if a.a > 24 || b.class == cNum && b.a > 24 {
		return value{}, i
	}
	from := value{has: fClock, hour: a.a}
	if to, end := p.clock(i + 2); end > i+2 {
		return p.rangeOf(from, to, end)
	}
	if b.class == cClock {
		return value{}, i
	}
	next := p.tok(i + 3)
	if next.class == cPlace || next.class == cUnit || next.class == cNum || next.class == cMonth || next.class == cDash || next.class == cTo {
		return value{}, i
	}
	before := p.tok(i - 1).class
	beside := before == cWeekday || before == cDayRel || before == cDayPartRel || before == cAt || before == cPart ||
		(before == cFrom || before == cBetween) && p.ranged && !next.isNoun() || p.dayBehind(i+3)
	if !beside {
		return value{}, i
	}
	return p.rangeOf(from, value{has: fClock, hour: b.a}, i+3)
}

// dayBehind reports whether a day follows: next Monday, on Friday, tomorrow.
func (p *parser) dayBehind(i int) bool {
	for p.is(i, cOn) || p.is(i, cOf) {
		i++
	}
	switch p.tok(i).class {
	case cRel:
		return p.is(i+1, cWeekday) || p.is(i+1, cPart)
	case cWeekday, cDayRel, cDayPartRel, cYMD:
		return true
	}
	return false
}
