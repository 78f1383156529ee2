package datetime

import (
	"slices"
	"strings"
)

// number reads what starts with a number: a date part, a clock time or a length.
func (p *parser) number(i int) (value, int) {
	return p.first(i, (*parser).counted, (*parser).oftenEach, (*parser).countedAhead, (*parser).numberRange,
		(*parser).splitDate, (*parser).dayMonth, (*parser).bareYear, (*parser).bareDay, (*parser).clock,
		(*parser).offset)
}

// oftenEach reads three times a week.
func (p *parser) oftenEach(i int) (value, int) {
	if next := p.tok(i + 1); next.class != cEach || !next.latin {
		return value{}, i
	}
	return value{has: fSet}, i + 2
}

// counted reads numbers with units that mark a point, from the longest down: 2025年1月15日.
func (p *parser) counted(i int) (value, int) {
	v, j := p.countedOne(i)
	for v.any(fYear | fMonth) {
		w, end := p.countedOne(j)
		u, ok := merge(v, w)
		if end == j || w.any(fYear) || !ok {
			break
		}
		v, j = u, end
	}
	return v, j
}

// countedOne reads 2025年, 1月 or 15日.
func (p *parser) countedOne(i int) (value, int) {
	t := p.tok(i)
	if t.class != cNum || t.b < 0 || t.n == several || !p.marksPoint(i+1) || p.measures(i) {
		return value{}, i
	}
	switch p.tok(i + 1).a {
	case unitYear:
		if t.b == 2 && p.unit(i+3, unitMonth) {
			return value{has: fYear, year: fullYear(t.a)}, i + 2
		}
		if inCalendar(t.a) {
			return value{has: fYear, year: t.a}, i + 2
		}
	case unitMonth:
		if isMonth(t.a) || t.a > 12 && t.a < 100 && p.unit(i+3, unitDay) { // 13月1日
			return value{has: fMonth, month: t.a}, i + 2
		}
	case unitDay:
		if isDom(t.a) || t.a > 31 && t.a < 100 && p.unit(i-1, unitMonth) {
			return value{has: fDom, dom: t.a}, i + 2
		}
	}
	return value{}, i
}

// bounding are words behind a number and its unit that make them a length.
var bounding = []string{"以上", "以下", "未満", "ほど"}

// measures reports whether what follows the number at i and its unit says that they are a length:
// 3日後, 3日以上, 1日と5時間.
func (p *parser) measures(i int) bool {
	unit, after := p.tok(i+1), p.tok(i+2)
	switch after.class {
	case cAfter, cAgo:
		return !p.unit(i-1, unitMonth) // but not 1月1日後
	case cWithin, cEach:
		return true
	case cHalf:
		return unit.a != unitHour
	case cAnd:
		if unit.a == unitDay && !after.latin && p.is(i+4, cUnit) && p.tok(i+4).b&lengthOnly != 0 {
			return true
		}
	}
	rest := p.text[unit.end:]
	if slices.ContainsFunc(bounding, func(word string) bool { return strings.HasPrefix(rest, word) }) {
		return true
	}
	return unit.a == unitDay && len(rest) > len("で。") && p.byThen(i+2)
}
