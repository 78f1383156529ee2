package datetime

// lengthAt reads a length of time at i: 3日, 2時間半, half an hour, 2 days 1 hour, a year and a half, 1 hour fifteen.
// weeks says that it is a whole number of weeks.
func (p *parser) lengthAt(i int) (l length, end int, weeks bool) {
	end, weeks = i, true
	last := 0
	for n := range 5 {
		j := end
		if n > 0 {
			j = p.skipJoint(end)
		}
		one, unit, next := p.lengthTerm(j)
		if next == j {
			break
		}
		l = l.add(one)
		l.weak = one.weak && n == 0
		weeks = weeks && unit == unitWeek
		end, last = next, unit
	}
	if last == unitHour {
		return p.looseMinutes(l, end)
	}
	return l, end, weeks && end > i
}

// skipJoint passes over what joins two terms of a length.
func (p *parser) skipJoint(i int) int {
	if p.is(i, cComma) {
		i++
	}
	if p.is(i, cAnd) {
		i++
	}
	return i
}

// looseMinutes reads the minutes behind the hours of a length where their unit is left out: 1 hour and thirty.
func (p *parser) looseMinutes(l length, end int) (length, int, bool) {
	j := end
	if p.is(j, cAnd) && p.tok(j).latin {
		j++
	}
	t, after := p.tok(j), p.tok(j+1)
	if t.class != cNum || t.n != 1 || t.a < 5 || t.a > 59 || !p.tok(end-1).latin || after.class != cWord && after.class != cComma || after.isNoun() {
		return l, end, false
	}
	return l.add(unitLength(unitMinute, t.a*1000)), j + 1, false
}

// lengthTerm reads one number and its unit.
func (p *parser) lengthTerm(i int) (l length, unit, end int) {
	amount, j := p.amount(i)
	if j == i {
		return l, 0, i
	}
	for p.is(j, cOf) && p.tok(j).latin && p.tok(i).n == 1 || p.is(j, cDash) && !p.tok(j).gap && p.tok(j+1).latin || p.is(j, cExtra) {
		j++
	}
	t := p.lengthUnit(i, j)
	if t.class != cUnit || t.b&pointOnly != 0 && !p.is(i, cHalf) || p.tok(i).n == pluralOnly && t.latin && t.b&plural == 0 {
		return l, 0, i
	}
	j++
	if h := p.tok(j); h.class == cHalf && !h.latin {
		amount += 500
		j++
	} else if p.is(j, cAnd) && p.is(j+1, cHalf) || p.is(j, cAnd) && p.is(j+1, cArticle) && p.is(j+2, cHalf) {
		amount += 500
		if j += 2; p.is(j, cHalf) {
			j++
		}
	}
	l = unitLength(t.a, amount)
	l.weak = t.b&weakWord != 0
	return l, t.a, j
}

// lengthUnit is the unit at j of an amount that starts at i, also where the word says something else as well: one second
// reads as an ordinal, two nights as a part of the day.
func (p *parser) lengthUnit(i, j int) token {
	t := p.tok(j)
	switch {
	case t.class == cOrdinal && t.a == 2 && t.b == 0 && (!p.is(i, cArticle) || !p.tok(j+1).isNoun()):
		return token{class: cUnit, a: unitSecond}
	case t.class == cWeekdays && t.latin && p.is(i, cNum): // 5 business days
		return token{class: cUnit, a: unitWorkday, b: lengthOnly | plural}
	case t.class == cPart && t.a == partNight && t.latin && p.is(i, cNum) && p.tok(i).b <= 2 && j == i+1:
		return token{class: cUnit, a: unitDay, b: lengthOnly}
	}
	return t
}

// amount reads how many, in thousandths.
func (p *parser) amount(i int) (milli, end int) {
	t := p.tok(i)
	switch t.class {
	case cNum:
		if t.b > 4 || t.a > 100_000 {
			return 0, i
		}
		if p.is(i+1, cAnd) && (p.is(i+2, cHalf) || p.is(i+2, cArticle) && p.is(i+3, cHalf)) {
			end = i + 3
			if p.is(i+2, cArticle) {
				end++
			}
			if p.is(end, cUnit) {
				return t.a*1000 + 500, end
			}
		}
		return t.a*1000 + t.c, i + 1
	case cMD:
		if t.b > 0 && p.is(i+1, cUnit) && p.tok(i+1).latin {
			return t.a * 1000 / t.b, i + 1
		}
	case cHalf:
		if p.is(i+1, cArticle) {
			return 500, i + 2
		}
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

// unitSeconds is how long each unit counts as a length by itself.
var unitSeconds = [...]int64{
	unitSecond: 1, unitMinute: 60, unitHour: 3600, unitDay: 86400, unitWorkday: 86400, unitWeek: 7 * 86400, unitWeekend: 7 * 86400,
	unitFortnight: 14 * 86400, unitMonth: 30 * 86400, unitQuarter: 90 * 86400, unitYear: 365 * 86400, unitDecade: 3650 * 86400,
}

// unitLength is so many thousandths of a unit.
func unitLength(unit, milli int) length {
	l := length{nominal: int64(milli) * unitSeconds[unit] / 1000}
	switch unit {
	case unitSecond:
		l.seconds = milli / 1000
	case unitMinute:
		l.seconds = milli * 60 / 1000
	case unitHour:
		l.seconds = milli * 3600 / 1000
	case unitWorkday:
		l.workdays = milli / 1000
	case unitDay:
		l.days, l.seconds = milli/1000, milli%1000*86400/1000
	case unitWeek, unitWeekend:
		l.days = milli * 7 / 1000
	case unitFortnight:
		l.days = milli * 14 / 1000
	case unitMonth:
		l.months, l.days = milli/1000, milli%1000*30/1000
	case unitQuarter:
		l.months = milli * 3 / 1000
	case unitYear:
		l.months = milli * 12 / 1000
	case unitDecade:
		l.months = milli * 120 / 1000
	}
	return l
}
