package datetime

import (
	"time"

	"annai/internal/civil"
)

// A parser holds the tokens of one text and the instant against which it resolves.
type parser struct {
	tokens []token
	ref    time.Time
	today  civil.Date
	// ranged is set while the ends of a range are read, where a bare ordinal is a day.
	ranged bool
	// steps counts the components tried, so that no input costs more than maxSteps of them.
	steps int
}

// maxSteps is far above what a visitor's words need; only words made to be slow reach it, and are then read no further.
const maxSteps = 2500

// tok is the token at i, or a barrier outside the text.
func (p *parser) tok(i int) token {
	if i < 0 || i >= len(p.tokens) {
		return token{class: cWord, a: -1}
	}
	return p.tokens[i]
}

func (p *parser) is(i int, c class) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].class == c
}

// unit reports whether the token at i is the unit u and may mark a point in time.
func (p *parser) unit(i, u int) bool {
	return p.is(i, cUnit) && p.tokens[i].a == u && p.tokens[i].b&lengthOnly == 0
}

// component reads one named feature, or several that only make sense together, at i. It returns i when there is none.
func (p *parser) component(i int) (value, int) {
	if p.steps++; p.steps > maxSteps {
		return value{}, i
	}
	t := p.tok(i)
	switch t.class {
	case cNum, cHalf, cQuarter, cArticle:
		return p.number(i)
	case cOrdinal:
		return p.ordinal(i)
	case cYMD:
		return value{has: fYear | fMonth | fDom, year: t.a, month: t.b, dom: t.c}, i + 1
	case cYM:
		return value{has: fYear | fMonth, year: t.a, month: t.b}, i + 1
	case cMD:
		return p.slashDate(i)
	case cClock, cMeridiem, cNoon, cPart, cAmPm:
		return p.clock(i)
	case cMonth:
		return p.month(i)
	case cWeekday:
		return p.weekday(i)
	case cRel:
		return p.relative(i)
	case cPast, cLastN, cNextN:
		return p.run(i)
	case cSegment:
		return p.segment(i)
	case cHoliday:
		return p.holiday(i)
	case cEra:
		return p.era(i)
	case cNth:
		return p.nth(i)
	case cEvery, cSet:
		return p.set(i)
	}
	return p.known(i, t)
}

// known is a component of a single token that stands for itself.
func (p *parser) known(i int, t token) (value, int) {
	switch t.class {
	case cDayRel:
		return p.days(t.a), i + 1
	case cDayPartRel:
		v := p.days(t.a)
		v.has, v.part = v.has|fPart, t.b
		return v, i + 1
	case cPeriodRel:
		return p.period(t.a, t.b), i + 1
	case cWeekdays:
		return value{has: fWeek | fWorkdays, monday: p.today.Monday()}, i + 1
	case cNow:
		return value{has: fInstant, at: p.ref, till: p.ref}, i + 1
	case cIn, cWithin:
		return p.offset(i)
	case cUnit: // in the week, of the year
		if t.latin && t.b&lengthOnly != 0 && t.a >= unitWeek && t.a <= unitYear && t.end-t.start <= len("month") && p.is(i-1, cThe) &&
			(p.is(i-2, cIn) || p.is(i-2, cFor) || p.is(i-2, cOf)) {
			return p.period(0, t.a), i + 1
		}
	}
	return value{}, i
}

// slashDate reads 1/15, unless it is a fraction or 24/7.
func (p *parser) slashDate(i int) (value, int) {
	t := p.tok(i)
	if p.is(i+1, cUnit) && p.tok(i+1).latin {
		return p.offset(i)
	}
	if t.a == 24 && t.b == 7 || p.is(i+1, cPlace) {
		return value{}, i
	}
	v := value{has: fMonth | fDom, month: t.a, dom: t.b}
	if t.a > 12 {
		v.month, v.dom = t.b, t.a
	}
	return v, i + 1
}

// number reads what starts with a number: a date part, a clock time or a length.
func (p *parser) number(i int) (value, int) {
	t := p.tok(i)
	next := p.tok(i + 1)
	if t.class == cNum && t.b >= 0 && next.class == cUnit {
		if v, j := p.counted(i, t, next); j > i {
			return p.countedOn(v, j)
		}
	}
	if v, j := p.numberRange(i); j > i {
		return v, j
	}
	if t.class == cNum && t.b >= 0 {
		if v, j := p.dayMonth(i, t.a); j > i {
			return v, j
		}
		if v, j := p.bareYear(i, t); j > i {
			return v, j
		}
		if v, j := p.bareDay(i, t); j > i {
			return v, j
		}
	}
	if v, j := p.clock(i); j > i {
		return v, j
	}
	return p.offset(i)
}

// counted reads 2025年, 1月, 15日: a number with a unit that marks a point.
func (p *parser) counted(i int, t, unit token) (value, int) {
	if unit.b&lengthOnly != 0 {
		return value{}, i
	}
	after := p.tok(i + 2)
	counts := after.class == cAfter || after.class == cAgo || after.class == cWithin || after.class == cHalf && unit.a != unitHour
	switch {
	case counts:
		return value{}, i
	case unit.a == unitYear && t.a >= 1000 && t.a < 3000:
		return value{has: fYear, year: t.a, past: t.a < p.today.Year}, i + 2
	case unit.a == unitYear && t.b == 2 && (p.is(i+2, cNum) && p.unit(i+3, unitMonth)):
		return value{has: fYear, year: fullYear(t.a, 2)}, i + 2
	case unit.a == unitMonth && unit.b&pointOnly != 0 && t.a >= 1 && t.a <= 12:
		return value{has: fMonth, month: t.a}, i + 2
	case unit.a == unitDay && t.a >= 1 && t.a <= 31:
		return value{has: fDom, dom: t.a}, i + 2
	case unit.a == unitDay && t.a > 31 && t.a < 100 && i >= 2 && p.unit(i-1, unitMonth):
		return value{has: fDom, dom: t.a}, i + 2
	}
	return value{}, i
}

// countedOn reads the smaller units behind a year or month: 2025年1月15日 is one component.
func (p *parser) countedOn(v value, j int) (value, int) {
	for v.any(fYear|fMonth) && !v.any(fDom) {
		k := j
		if p.is(k, cOf) && !p.tok(k).latin {
			k++
		}
		t, unit := p.tok(k), p.tok(k+1)
		if t.class != cNum || t.b < 0 || unit.class != cUnit {
			return v, j
		}
		w, end := p.counted(k, t, unit)
		u, ok := merge(v, w)
		if end == k || w.any(fYear) || !ok {
			return v, j
		}
		v, j = u, end
	}
	return v, j
}

// holiday reads a day known by name.
func (p *parser) holiday(i int) (value, int) {
	h := holidays[p.tok(i).a]
	v := value{has: fMonth | fDom, month: h.month, dom: h.dom, span: h.until, holiday: true}
	switch {
	case h.nth > 0:
		v.has, v.nth, v.weekday = fMonth|fNth|fWeekday, h.nth, h.weekday
	case h.dom == 0:
		v.has = fMonth | fEquinox
	}
	return p.yearAfter(v, i+1)
}

// era reads a year of a Japanese era.
func (p *parser) era(i int) (value, int) {
	era := p.tok(i)
	t := p.tok(i + 1)
	switch {
	case t.class == cYearOf:
		return value{has: fYear, year: era.a + 1, past: era.a+1 < p.today.Year}, i + 2
	case t.class == cNum && t.a >= 1 && t.a <= era.b && p.is(i+2, cUnit) && p.tok(i+2).a == unitYear:
		return value{has: fYear, year: era.a + t.a, past: era.a+t.a < p.today.Year}, i + 3
	}
	return value{}, i
}
