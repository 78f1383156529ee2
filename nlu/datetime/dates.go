package datetime

// dayMonth reads a day before the name of its month: 15 January, 15th of January, 15-Jan-2025.
func (p *parser) dayMonth(i, dom int) (value, int) {
	if dom < 1 || dom > 31 {
		return value{}, i
	}
	if p.is(i, cNum) && p.tok(i).n == inWords && p.tok(i+1).b == 1 && !p.is(i+2, cNum) && !p.timeWordBefore(i) { // one may
		return value{}, i
	}
	j := i + 1
	for p.is(j, cOf) || p.is(j, cDash) || p.is(j, cThe) || p.is(j, cComma) {
		j++
	}
	if !p.is(j, cMonth) {
		return value{}, i
	}
	v := value{has: fDom | fMonth, dom: dom, month: p.tok(j).a}
	return p.yearAfter(v, j+1)
}

// yearAfter adds a year written behind a month: , 2025.
func (p *parser) yearAfter(v value, j int) (value, int) {
	k := j
	if p.is(k, cComma) || p.is(k, cDash) || p.is(k, cOf) || p.is(k, cIn) {
		k++
	}
	t := p.tok(k)
	if t.class != cNum || p.is(k+1, cUnit) || p.is(k+1, cAmPm) || p.is(k+1, cOClock) || p.is(k+1, cMonth) {
		return v, j
	}
	year, end := p.spokenYear(k)
	switch {
	case end > k && year >= 1000 && year < 3000:
	case t.b == 2 && v.any(fDom) && k == j && t.c == 0 && !p.is(k+1, cDash):
		year, end = fullYear(t.a, 2), k+1
	case t.b == 2 && v.any(fDom) && t.a > 31 && p.is(j, cComma) && !p.tok(k+1).isNoun(): // Aug 9, 96
		year, end = fullYear(t.a, 2), k+1
	default:
		return v, j
	}
	v.has, v.year = v.has|fYear, year
	v.past = year < p.today.Year
	return v, end
}

// spokenYear reads 2025 or twenty twenty five.
func (p *parser) spokenYear(i int) (year, end int) {
	t := p.tok(i)
	if t.class != cNum || t.c != 0 {
		return 0, i
	}
	if t.b == 4 || t.a >= 1000 {
		return t.a, i + 1
	}
	next := p.tok(i + 1)
	if t.n != inWords || next.class != cNum || next.n != inWords || t.a < 18 || t.a > 20 {
		return 0, i
	}
	if last := p.tok(i + 2); next.a == 0 && last.class == cNum && last.n == inWords && last.a > 0 && last.a < 10 { // nineteen zero one
		return t.a*100 + last.a, i + 3
	}
	if next.a >= 10 && next.a < 100 {
		return t.a*100 + next.a, i + 2
	}
	return 0, i
}

// splitDate reads a year and a month with blanks around what joins them (2016 / 11, 11 - 2016), a month and a day with a
// slash so (2 / 15), and behind on or by also 4-22 and 5.12.
func (p *parser) splitDate(i int) (value, int) {
	a, link, b := p.tok(i), p.tok(i+1), p.tok(i+2)
	dated := p.is(i-1, cOn) || p.is(i-1, cUntil) && p.tok(i-1).latin
	if a.b == -2 && dated && isMonth(a.a) && isDom(a.c/10) && !p.goesOn(i+1) {
		return value{has: fMonth | fDom, month: a.a, dom: a.c / 10}, i + 1
	}
	if link.class != cSlash && link.class != cDash || b.class != cNum || a.b < 1 || b.b < 1 || p.is(i-1, cPlace) || p.goesOn(i+3) {
		return value{}, i
	}
	switch {
	case a.b == 4 && isYear(a.a) && isMonth(b.a) && b.b <= 2:
		return value{has: fYear | fMonth, year: a.a, month: b.a, past: a.a < p.today.Year}, i + 3
	case b.b == 4 && isYear(b.a) && isMonth(a.a) && a.b <= 2:
		return value{has: fYear | fMonth, year: b.a, month: a.a, past: b.a < p.today.Year}, i + 3
	case (link.class == cSlash || dated && !link.gap) && a.b <= 2 && b.b <= 2 && isMonth(a.a) && isDom(b.a):
		return value{has: fMonth | fDom, month: a.a, dom: b.a}, i + 3
	}
	return value{}, i
}

// goesOn reports whether what stands at i takes the number before it for itself.
func (p *parser) goesOn(i int) bool {
	t := p.tok(i)
	return t.isNoun() || t.class == cUnit || t.class == cAmPm
}

// bareYear takes a number as a year only where a word before it says so.
func (p *parser) bareYear(i int, t token) (value, int) {
	year, end := p.spokenYear(i)
	if end == i || year < 1900 || year > 2199 || t.n == 2 {
		return value{}, i
	}
	before := p.tok(i - 1).class
	switch before {
	case cIn, cOf, cSince, cUntil, cBetween, cMonth, cOrdinal, cSegment:
	case cAfter, cBefore:
		if next := p.tok(end); next.isNoun() && next.latin {
			return value{}, i
		}
	case cFrom, cTo, cAnd, cDash, cThe:
		if other := p.tok(i - 2); !p.ranged && (before != cAnd || other.class != cNum || other.b != 4 || !isYear(other.a)) {
			return value{}, i
		}
	case cComma:
		if !p.is(i-2, cMonth) {
			return value{}, i
		}
	default:
		if !p.is(i+1, cMonth) && !p.is(i+1, cSub) {
			return value{}, i
		}
	}
	return value{has: fYear, year: year, past: year < p.today.Year}, end
}

// bareDay takes a number as a day of the month: Friday 23, on the 17, 20 of next month.
func (p *parser) bareDay(i int, t token) (value, int) {
	next := p.tok(i + 1)
	if t.a < 1 || t.a > 31 || t.b < 1 && !(p.is(i-1, cThe) && p.is(i-2, cWeekday)) || next.class == cUnit || next.class == cPlace || next.class == cAmPm || next.class == cOClock || next.class == cDash || next.class == cTo {
		return value{}, i
	}
	of := next.class == cOf && next.latin && p.is(i+2, cRel) && p.is(i+3, cUnit) && p.tok(i+3).a == unitMonth
	if of || p.is(i-1, cWeekday) && p.tok(i-1).latin && t.b == 2 || p.is(i-1, cThe) && p.theDay(i) {
		return value{has: fDom, dom: t.a}, i + 1
	}
	if p.is(i-1, cOn) && (next.class == cComma || next.class == cAt) { // on 15 at 8pm
		if v, end := p.clock(i + 2); end > i+2 && v.any(fClock) {
			return value{has: fDom, dom: t.a}, i + 1
		}
	}
	return value{}, i
}

// theDay reports whether "the" before the number at i makes it a day: on the 17, Friday the fifteen, for the 27.
func (p *parser) theDay(i int) bool {
	return p.is(i-2, cWeekday) || (p.is(i-2, cOn) || p.is(i-2, cFor) || p.is(i-2, cUntil)) && !p.tok(i+1).isNoun()
}

// month reads a named month with the day and year behind it.
func (p *parser) month(i int) (value, int) {
	t := p.tok(i)
	v := value{has: fMonth, month: t.a}
	j := i + 1
	for p.is(j, cThe) || p.is(j, cDash) || p.is(j, cComma) && p.is(j+1, cOrdinal) {
		j++
	}
	if dom, end := p.domAfterMonth(j); end > j {
		v.has, v.dom = v.has|fDom, dom
		return p.yearAfter(v, end)
	}
	if w, end := p.yearAfter(v, i+1); end > i+1 {
		return w, end
	}
	if t.b == 1 && !p.supported(i) {
		return value{}, i
	}
	return v, i + 1
}

// domAfterMonth reads the day behind a named month.
func (p *parser) domAfterMonth(j int) (dom, end int) {
	t := p.tok(j)
	if t.class == cOrdinal && (t.b == 1 || t.a <= 31) && !p.is(j+1, cWeekday) {
		return t.a, j + 1
	}
	after := p.tok(j + 1)
	if t.class != cNum || t.a < 1 || t.b > 2 || t.b < 0 || t.a > 99 {
		return 0, j
	}
	if after.class == cAmPm || after.class == cUnit || after.class == cOClock || t.a > 31 && t.b != 2 {
		return 0, j
	}
	if t.n == 1 && after.class == cNum && after.n == 1 && (t.a == 19 || t.a == 20) { // march twenty twenty
		return 0, j
	}
	return t.a, j + 1
}

// supported reports whether a word that may also be no time (may, march, sun) stands where times do.
func (p *parser) supported(i int) bool {
	if len(p.tokens) == 1 {
		return true
	}
	switch t := p.tok(i - 1); t.class {
	case cNum:
		if t.b == 4 && isYear(t.a) {
			return true
		}
	case cAnd:
		return p.ranged
	default:
		if p.timeWordBefore(i) {
			return true
		}
	}
	switch p.tok(i + 1).class {
	case cNum, cOrdinal, cMonth, cDash, cTo, cYMD, cMD, cClock:
		return true
	case cComma:
		return p.is(i+2, cMonth) || p.is(i+2, cNum) || p.is(i+2, cOrdinal)
	}
	return false
}

// timeWordBefore reports whether a word that times follow stands before the token.
func (p *parser) timeWordBefore(i int) bool {
	switch p.tok(i - 1).class {
	case cIn, cOf, cOn, cRel, cFrom, cTo, cBetween, cUntil, cSince, cEvery, cSegment, cOrdinal, cBefore, cDash, cAfter, cDayRel:
		return true
	}
	return false
}

// ordinal reads the 15th, the second Tuesday, the first of March.
func (p *parser) ordinal(i int) (value, int) {
	t := p.tok(i)
	if isYearWord(p.tok(i + 1)) {
		if v, j := p.yearOfEra(i, t.a, i+2); j > i {
			return v, j
		}
	}
	if v, j := p.ordinalUnit(i, t); j > i {
		return v, j
	}
	if v, j := p.dayMonth(i, t.a); j > i {
		return v, j
	}
	if v, j := p.ordinalRange(i, t); j > i {
		return v, j
	}
	if t.a > 31 {
		return value{}, i
	}
	v := value{has: fDom, dom: t.a}
	if t.b == 2 {
		return v, i + 1
	}
	of := p.is(i+1, cOf) && (p.is(i+2, cRel) || p.is(i+2, cPeriodRel) || p.is(i+2, cThe) && p.is(i+3, cRel))
	dated := p.is(i-1, cThe) && t.b == 0 && p.theDay(i) && !p.is(i+1, cUnit) // Friday the twenty second
	if of || dated || t.b == 1 && p.bareOrdinal(i) {
		return v, i + 1
	}
	return value{}, i
}

// ordinalUnit reads the second Tuesday, the first week of May, the third last day of the year and the second quarter.
func (p *parser) ordinalUnit(i int, t token) (value, int) {
	if t.b == 2 {
		return value{}, i
	}
	n, j := t.a, i+1
	if rel := p.tok(j); rel.class == cRel && rel.a < 0 && rel.latin {
		n, j = -n, j+1
	}
	if p.is(j, cUnit) && p.tok(j).a == unitWeek && !p.besideMonth(i, j+1) {
		return value{}, i
	}
	return p.nthUnit(i, n, j)
}

// ordinalRange reads eighth to eleventh May.
func (p *parser) ordinalRange(i int, t token) (value, int) {
	to := p.tok(i + 2)
	if t.a > 31 || !p.is(i+1, cTo) && !p.is(i+1, cDash) || to.class != cOrdinal || to.a <= t.a {
		return value{}, i
	}
	v, end := p.dayMonth(i+2, to.a)
	if end == i+2 {
		return value{}, i
	}
	return p.rangeOf(value{has: fDom, dom: t.a}, v, end)
}

// bareOrdinal reports whether an ordinal in digits stands for a day of the month where it is.
func (p *parser) bareOrdinal(i int) bool {
	if next := p.tok(i + 1); next.class == cPlace || next.class == cUnit || next.isNoun() && next.gap && !p.afterDayWord(i) {
		return false
	}
	if p.ranged || len(p.tokens) == 1 || p.is(i-1, cWeekday) || p.is(i-1, cThe) && p.is(i-2, cWeekday) ||
		(p.is(i+1, cTo) || p.is(i+1, cDash)) && p.is(i+2, cOrdinal) {
		return true
	}
	return p.afterDayWord(i) || p.is(i-1, cThe)
}

// afterDayWord reports whether on, by, until or the like stands before the token.
func (p *parser) afterDayWord(i int) bool {
	k := i - 1
	if p.is(k, cThe) {
		k--
	}
	switch p.tok(k).class {
	case cOn, cUntil, cTo, cFrom, cBetween, cAt, cSince, cBefore, cAfter, cFor:
		return true
	}
	return false
}
