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
const maxSteps = 10_000

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
		v.has, v.year = fYear, p.today.Year+n
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
	case unitDecade:
		v.has = fDays
		v.first = civil.Date{Year: p.today.Year/10*10 + 10*n, Month: 1, Day: 1}
		v.until = v.first.AddMonths(120)
	}
	return v
}

func pick(n int, this, next Name) Name {
	switch n {
	case 0:
		return this
	case 1:
		return next
	}
	return ""
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

// dayMonth reads a day before the name of its month: 15 January, 15th of January, 15-Jan-2025.
func (p *parser) dayMonth(i, dom int) (value, int) {
	if dom < 1 || dom > 31 {
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
	if t.n == 1 && next.class == cNum && next.n == 1 && (t.a == 19 || t.a == 20 || t.a == 18) && next.a >= 10 && next.a < 100 {
		return t.a*100 + next.a, i + 2
	}
	return 0, i
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
	case cFrom, cTo, cAnd, cDash, cThe:
		if !p.ranged {
			return value{}, i
		}
	case cComma:
		if !p.is(i-2, cMonth) {
			return value{}, i
		}
	default:
		if !p.is(i+1, cMonth) {
			return value{}, i
		}
	}
	return value{has: fYear, year: year, past: year < p.today.Year}, end
}

// bareDay takes a number as a day of the month: Friday 23, on the 17, 20 of next month.
func (p *parser) bareDay(i int, t token) (value, int) {
	next := p.tok(i + 1)
	if t.a < 1 || t.a > 31 || t.b < 1 || next.class == cUnit || next.class == cPlace || next.class == cAmPm || next.class == cOClock || next.class == cDash || next.class == cTo {
		return value{}, i
	}
	of := next.class == cOf && next.latin && p.is(i+2, cRel) && p.is(i+3, cUnit) && p.tok(i+3).a == unitMonth
	if of || p.is(i-1, cWeekday) && p.tok(i-1).latin && t.b == 2 || p.is(i-1, cThe) && p.is(i-2, cOn) {
		return value{has: fDom, dom: t.a}, i + 1
	}
	return value{}, i
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
	switch p.tok(i - 1).class {
	case cIn, cOf, cOn, cRel, cFrom, cTo, cBetween, cUntil, cSince, cEvery, cSegment, cOrdinal, cBefore, cDash, cAfter, cDayRel:
		return true
	case cAnd:
		return p.ranged
	}
	switch p.tok(i + 1).class {
	case cNum, cOrdinal, cMonth, cDash, cTo, cYMD, cMD, cClock:
		return true
	case cComma:
		return p.is(i+2, cMonth) || p.is(i+2, cNum) || p.is(i+2, cOrdinal)
	}
	return false
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
	if p.is(i+1, cAfter) && p.is(i+2, cRel) && p.tok(i+2).a == 1 && !p.is(i+3, cUnit) { // friday after next
		v.has, v.monday = fWeekday|fWeek, p.today.Monday().AddDays(7)
		return v, i + 3
	}
	return v, i + 1
}

// relative reads this, next and last with what they modify.
func (p *parser) relative(i int) (value, int) {
	n := p.tok(i).a
	j := i + 1
	for p.is(j, cOf) || p.is(j, cApprox) {
		j++
	}
	t := p.tok(j)
	switch t.class {
	case cWeekday:
		if n < 0 && (p.is(j+1, cOf) || p.is(j+1, cIn)) {
			return value{has: fNth | fWeekday, nth: -1, weekday: t.a}, j + 1
		}
		return p.relativeWeekday(n, t.a), j + 1
	case cMonth:
		v, end := p.month(j)
		if end == j {
			v, end = value{has: fMonth, month: t.a}, j+1
		}
		if !v.any(fYear) {
			v.has, v.year = v.has|fYear, p.relativeYear(n, t.a)
			v.past = n < 0
		}
		return v, end
	case cUnit:
		if offset, ok := unitOffset(n, t); ok {
			return p.period(offset, t.a), j + 1
		}
		return value{}, i
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

// unitOffset is which period a relative word and its unit mean.
func unitOffset(n int, t token) (int, bool) {
	if t.a < unitDay {
		return 0, false
	}
	return min(n, 1), true
}

// relativeWeekday is that day of this, the next or the last week, or the coming one.
func (p *parser) relativeWeekday(n, weekday int) value {
	v := value{has: fWeekday | fWeek, weekday: weekday, monday: p.today.Monday().AddDays(7 * n), past: n < 0}
	if n == 2 || n == 0 && v.monday.AddDays((weekday+6)%7).Before(p.today) {
		v.has, v.coming = fWeekday, n == 2
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

// segment reads the start, middle or end of the period that it names or that stands behind it (end of May).
func (p *parser) segment(i int) (value, int) {
	t := p.tok(i)
	v := value{has: fSegment, segment: t.a}
	if t.b != 0 {
		switch t.b {
		case unitMonth:
			v.has, v.year, v.month = v.has|fYear|fMonth, p.today.Year, int(p.today.Month)
			if i > 0 && p.namesMonth(i-1) {
				v.has = fSegment
			}
		case unitYear:
			v.has, v.month = v.has|fMonth, 12
			if t.a == segmentStart {
				v.month = 1
			}
		case unitWeek:
			v.has, v.monday = v.has|fWeek, p.today.Monday()
			if i > 0 && p.is(i-1, cPeriodRel) || p.is(i-1, cOf) {
				v.has = fSegment
			} else if t.a == segmentStart && p.today.Weekday() != time.Monday {
				v.monday = v.monday.AddDays(7)
			}
		}
		return v, i + 1
	}
	j := i + 1
	for p.is(j, cThe) || p.is(j, cOf) || p.is(j, cApprox) || p.is(j, cDash) {
		j++
	}
	w, end := p.component(j)
	if t.start < p.tok(j).start && p.is(j, cUnit) {
		w, end = p.period(0, p.tok(j).a), j+1
	}
	if end > j && w.any(fMonth|fYear|fWeek) && !w.any(dayFeatures|fSegment|fTo) {
		return union(w, v), end
	}
	if i > 0 && p.namesPeriod(i-1) {
		return v, i + 1
	}
	return value{}, i
}

// namesMonth reports whether the token at i ends the name of a month, as before 末.
func (p *parser) namesMonth(i int) bool {
	if p.is(i, cOf) {
		i--
	}
	return p.is(i, cPeriodRel) && p.tok(i).b == unitMonth || p.unit(i, unitMonth) || p.is(i, cMonth)
}

func (p *parser) namesPeriod(i int) bool {
	if p.is(i, cOf) {
		i--
	}
	return p.namesMonth(i) || p.is(i, cPeriodRel) || p.unit(i, unitYear)
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

// nth reads 第2火曜 and 第3週.
func (p *parser) nth(i int) (value, int) {
	t := p.tok(i + 1)
	if p.tok(i).a < 0 {
		if t.class == cWeekday {
			return value{has: fNth | fWeekday, nth: -1, weekday: t.a}, i + 2
		}
		return value{}, i
	}
	if t.class == cNum && t.a >= 1 && t.a <= 53 && p.is(i+2, cUnit) && p.tok(i+2).a == unitWeek {
		return value{has: fNth | fWeekday, nth: t.a, weekday: wholeWeek}, i + 3
	}
	if t.class != cNum || t.a < 1 || t.a > 5 {
		return value{}, i
	}
	j := i + 2
	if p.is(j, cOf) {
		j++
	}
	if !p.is(j, cWeekday) {
		return value{}, i
	}
	return value{has: fNth | fWeekday, nth: t.a, weekday: p.tok(j).a}, j + 1
}

// ordinal reads the 15th, the second Tuesday, the first of March.
func (p *parser) ordinal(i int) (value, int) {
	t := p.tok(i)
	if p.is(i+1, cWeekday) && t.a <= 5 && t.b != 2 {
		return value{has: fNth | fWeekday, nth: t.a, weekday: p.tok(i + 1).a}, i + 2
	}
	if p.is(i+1, cUnit) && p.tok(i+1).a == unitWeek && p.is(i+2, cOf) && t.a <= 53 {
		return value{has: fNth | fWeekday, nth: t.a, weekday: wholeWeek}, i + 2
	}
	if v, j := p.dayMonth(i, t.a); j > i {
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
	if of || t.b == 1 && p.bareOrdinal(i) {
		return v, i + 1
	}
	return value{}, i
}

// bareOrdinal reports whether an ordinal in digits stands for a day of the month where it is.
func (p *parser) bareOrdinal(i int) bool {
	if next := p.tok(i + 1); next.class == cPlace || next.class == cUnit || next.class == cWord && next.a != -1 && next.gap && !p.afterDayWord(i) {
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
