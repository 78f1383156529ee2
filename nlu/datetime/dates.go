package datetime

import "slices"

// dateInDigits reads 2025-01-15 and 2025/1.
func (p *parser) dateInDigits(i int) (value, int) {
	t := p.tok(i)
	v := value{has: fYear | fMonth, year: t.a, month: t.b}
	if t.class == cYMD {
		v.has, v.dom, v.slashed = v.has|fDom, t.c, t.n == eitherOrder && !p.japanese
	}
	return v, i + 1
}

// slashDate reads 1/15 and 5/7, 2020, unless it is a fraction or 24/7.
func (p *parser) slashDate(i int) (value, int) {
	t := p.tok(i)
	if p.is(i+1, cUnit) && p.tok(i+1).latin {
		return p.offset(i)
	}
	if t.a == 24 && t.b == 7 || p.is(i+1, cPlace) {
		return value{}, i
	}
	v := value{has: fMonth | fDom, month: t.a, dom: t.b}
	v.slashed = t.n == eitherOrder && !p.japanese && isMonth(t.a) && isMonth(t.b)
	if t.a > 12 {
		v.month, v.dom = t.b, t.a
	}
	k := i + 1
	if p.is(k, cComma) {
		k++
	}
	if p.isYearAt(k) && !p.is(k+1, cUnit) {
		v.has, v.year = v.has|fYear, p.tok(k).a
		return v, k + 1
	}
	return v, i + 1
}

// dayMonth reads a day before the name of its month: 15 January, 15th of January.
func (p *parser) dayMonth(i int) (value, int) {
	t, j := p.tok(i), p.skip(i+1, cOf, cDash, cThe, cComma)
	month := p.tok(j)
	if month.class != cMonth || !isDom(t.a) || p.oneMay(i) {
		return value{}, i
	}
	return p.yearAfter(value{has: fDom | fMonth, dom: t.a, month: month.a}, j+1)
}

// oneMay reports whether a number in words and a month at i are something else: one may, unless
// time words stand beside.
func (p *parser) oneMay(i int) bool {
	spoken := p.is(i, cNum) && p.tok(i).n == inWords
	return spoken && p.tok(i+1).b == weakWord && !p.is(i+2, cNum) && !p.timeWordBefore(i)
}

// yearAfter adds a year written behind a month: , 2025.
func (p *parser) yearAfter(v value, j int) (value, int) {
	k := j
	if p.oneOf(k, cComma, cDash, cOf, cIn) {
		k++
	}
	if !p.is(k, cNum) || p.oneOf(k+1, cUnit, cAmPm, cOClock, cMonth) {
		return v, j
	}
	year, end := p.spokenYear(k)
	if t := p.tok(k); t.b == 2 && v.any(fDom) && (k == j && !p.is(k+1, cDash) || t.a > 31) { // 9 Aug 96, Aug 9, 96
		year, end = fullYear(t.a), k+1
	}
	if end == k || !inCalendar(year) {
		return v, j
	}
	v.has, v.year = v.has|fYear, year
	return v, end
}

// spokenYear reads 2025, twenty twenty five or nineteen zero one.
func (p *parser) spokenYear(i int) (year, end int) {
	t, next, last := p.tok(i), p.tok(i+1), p.tok(i+2)
	switch {
	case t.b == 4 || t.a >= 1000:
		return t.a, i + 1
	case t.n != inWords || next.class != cNum || next.n != inWords || t.a < 18 || t.a > 20:
		return 0, i
	case next.a >= 10:
		return t.a*100 + next.a, i + 2
	case next.a == 0 && last.class == cNum && last.a < 10:
		return t.a*100 + last.a, i + 3
	}
	return 0, i
}

// splitDate reads a year and a month with blanks around what joins them (2016 / 11, 11 - 2016), a
// month and a day with a slash so (2 / 15), and behind on also 4-22 and 5.12.
func (p *parser) splitDate(i int) (value, int) {
	a, link, b := p.tok(i), p.tok(i+1), p.tok(i+2)
	dated := p.is(i-1, cOn)
	if a.b == -2 && dated && isMonth(a.a) && isDom(a.c/10) && !p.goesOn(i+1) {
		return value{has: fMonth | fDom, month: a.a, dom: a.c / 10}, i + 1
	}
	if a.b < 1 || b.b < 1 || b.class != cNum || !p.oneOf(i+1, cSlash, cDash) || p.goesOn(i+3) {
		return value{}, i
	}
	t, ok := dateInNumbers([]int{a.a, b.a}, []int{a.b, b.b}, []byte("/"), false)
	switch {
	case ok && t.class == cYM:
		return value{has: fYear | fMonth, year: t.a, month: t.b}, i + 3
	case ok && isMonth(t.a) && (link.class == cSlash || dated):
		return value{has: fMonth | fDom, month: t.a, dom: t.b}, i + 3
	}
	return value{}, i
}

// goesOn reports whether what stands at i takes the number before it for itself.
func (p *parser) goesOn(i int) bool { return p.tok(i).isNoun() || p.oneOf(i, cUnit, cAmPm) }

// bareYear takes a number as a year only where a word before it says so.
func (p *parser) bareYear(i int) (value, int) {
	year, end := p.spokenYear(i)
	if !isYear(year) || !p.besideYear(i) {
		return value{}, i
	}
	return value{has: fYear, year: year}, end
}

// besideYear reports whether the words beside the number at i say that it is a year.
func (p *parser) besideYear(i int) bool {
	switch before := p.tok(i - 1).class; before {
	case cIn, cOf, cSince, cUntil, cBetween, cMonth, cOrdinal, cSegment, cAfter, cBefore:
		return true
	case cFrom, cTo, cAnd, cDash, cThe:
		return p.ranged || before == cAnd && p.tok(i-2).b == 4
	case cComma:
		return p.is(i-2, cMonth)
	}
	return p.oneOf(i+1, cMonth, cSub)
}

// bareDay takes a number as a day of the month: Friday 23, on the 17, 20 of next month, on 15 at
// 8pm.
func (p *parser) bareDay(i int) (value, int) {
	t := p.tok(i)
	if t.class != cNum || !isDom(t.a) || p.oneOf(i+1, cUnit, cPlace, cAmPm, cOClock, cDash, cTo) {
		return value{}, i
	}
	v := value{has: fDom, dom: t.a}
	switch {
	case t.b <= 0:
		if t.b == 0 && p.is(i-1, cThe) && p.is(i-2, cWeekday) {
			return v, i + 1
		}
	case p.is(i-1, cThe) && p.theDay(i), p.is(i+1, cOf) && p.relatedMonth(i+2):
		return v, i + 1
	case p.is(i-1, cWeekday) && p.tok(i-1).latin && t.b == 2:
		return v, i + 1
	case p.is(i-1, cOn) && p.oneOf(i+1, cComma, cAt):
		if w, _ := p.clock(i + 2); w.any(fClock) {
			return v, i + 1
		}
	}
	return value{}, i
}

// theDay reports whether "the" before the number at i makes it a day: on the 17, Friday the
// fifteen, for the 27.
func (p *parser) theDay(i int) bool {
	return p.is(i-2, cWeekday) || p.oneOf(i-2, cOn, cFor, cUntil) && !p.tok(i+1).isNoun()
}

// month reads a named month with the day and year behind it.
func (p *parser) month(i int) (value, int) {
	t := p.tok(i)
	v := value{has: fMonth, month: t.a}
	j := p.skip(i+1, cThe, cDash)
	if p.domAfterMonth(j) {
		v.has, v.dom = v.has|fDom, p.tok(j).a
		return p.yearAfter(v, j+1)
	}
	v, end := p.yearAfter(v, i+1)
	if end == i+1 && t.b == weakWord && !p.supported(i) {
		return value{}, i
	}
	return v, end
}

// domAfterMonth reports whether a day stands at j, behind a named month.
func (p *parser) domAfterMonth(j int) bool {
	t := p.tok(j)
	switch t.class {
	case cOrdinal:
		return isDom(t.a) && !p.is(j+1, cWeekday)
	case cNum:
		is := isDom(t.a) && t.b >= 0 && t.b <= 2 || t.a > 31 && t.b == 2 // a day, even if June has none of that number
		return is && !p.oneOf(j+1, cAmPm, cUnit, cOClock)
	}
	return false
}

// supported reports whether a word that may also be no time (may, march, sun) stands where times
// do.
func (p *parser) supported(i int) bool {
	if len(p.tokens) == 1 {
		return true
	}
	if p.is(i-1, cAnd) {
		return p.ranged
	}
	if p.timeWordBefore(i) || p.is(i-1, cNum) && p.tok(i-1).b == 4 {
		return true
	}
	if p.is(i+1, cComma) {
		return p.oneOf(i+2, cMonth, cNum, cOrdinal)
	}
	return p.oneOf(i+1, cNum, cOrdinal, cMonth, cDash, cTo, cYMD, cMD, cClock)
}

// beforeTimes are words that times follow.
var beforeTimes = []class{
	cIn, cOf, cOn, cRel, cFrom, cTo, cBetween, cUntil, cSince, cEvery, cSegment, cOrdinal, cBefore, cDash, cAfter,
	cDayRel,
}

// timeWordBefore reports whether a word that times follow stands before the token.
func (p *parser) timeWordBefore(i int) bool { return slices.Contains(beforeTimes, p.tok(i-1).class) }

// ordinal reads the 15th, the second Tuesday, the first of March.
func (p *parser) ordinal(i int) (value, int) {
	return p.first(i, (*parser).yearOfEra, (*parser).ordinalUnit, (*parser).dayMonth, (*parser).ordinalRange,
		(*parser).ordinalDay)
}

// ordinalUnit reads the second Tuesday, the first week of May, the third last day of the year and
// the second quarter.
func (p *parser) ordinalUnit(i int) (value, int) {
	if p.tok(i).b == ownName {
		return value{}, i
	}
	n, j := p.tok(i).a, i+1
	if rel := p.tok(j); rel.class == cRel && rel.a < 0 {
		n, j = -n, j+1
	}
	if p.is(j, cUnit) && p.tok(j).a == unitWeek && !p.besideMonth(i, j+1) {
		return value{}, i
	}
	return p.nthUnit(i, n, j)
}

// ordinalRange reads eighth to eleventh May.
func (p *parser) ordinalRange(i int) (value, int) {
	if !p.oneOf(i+1, cTo, cDash) || !p.is(i+2, cOrdinal) {
		return value{}, i
	}
	return p.monthRange(i)
}

// ordinalDay reads an ordinal as a day of the month: 20th of next month, Friday the twenty second.
func (p *parser) ordinalDay(i int) (value, int) {
	t := p.tok(i)
	of := p.is(i+1, cOf) && (p.oneOf(i+2, cRel, cPeriodRel) || p.is(i+2, cThe) && p.is(i+3, cRel))
	is := isDom(t.a) && of
	switch t.b {
	case ownName:
		is = true
	case inDigits:
		is = is || isDom(t.a) && p.bareOrdinal(i)
	default:
		is = is || p.is(i-1, cThe) && p.theDay(i) && !p.is(i+1, cUnit)
	}
	if !is {
		return value{}, i
	}
	return value{has: fDom, dom: t.a}, i + 1
}

// bareOrdinal reports whether an ordinal in digits stands for a day of the month where it is.
func (p *parser) bareOrdinal(i int) bool {
	next := p.tok(i + 1)
	switch {
	case p.oneOf(i+1, cPlace, cUnit), next.isNoun() && next.gap && !p.afterDayWord(i):
		return false
	case p.ranged || len(p.tokens) == 1 || p.oneOf(i-1, cWeekday, cThe):
		return true
	}
	return p.afterDayWord(i)
}

// afterDayWord reports whether on, by, until, the morning of or the like stands before the token.
func (p *parser) afterDayWord(i int) bool {
	if p.is(i-1, cThe) {
		i--
	}
	if p.is(i-1, cOf) && p.is(i-2, cPart) {
		return true
	}
	return p.oneOf(i-1, cOn, cUntil, cTo, cFrom, cBetween, cAt, cSince, cBefore, cAfter, cFor)
}
