package datetime

import (
	"strings"
	"time"

	"annai/internal/civil"
)

// A parser holds the tokens of one text and the instant against which it resolves.
type parser struct {
	text   string
	tokens []token
	// japanese says that some of the text is written in Japanese.
	japanese bool
	ref      time.Time
	today    civil.Date
	// list is the last expression, if further weekdays may be listed behind it.
	list listed
	// ranged is set while the ends of a range are read, where a bare ordinal is a day.
	ranged bool
	// tried are the components read so far, by place and by ranged: long texts would be read over and over without it.
	tried []trial
	steps int
	// depth is how many components are being read inside each other.
	depth int
}

// A trial is a component that was read: its end, or 0 when not yet, and its value where there is one.
type trial struct {
	end   int
	value *value
}

const (
	// shortText is how many components are read before they are remembered; few utterances have more.
	shortText = 100
	// maxDepth is how many times a length may count from a length: a week before the day after Christmas is two.
	maxDepth = 6
)

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
	if i >= len(p.tokens) || p.tokens[i].class == cWord {
		return value{}, i
	}
	if p.depth >= maxDepth {
		return value{}, i
	}
	if p.steps++; p.steps < shortText {
		return p.nested(i)
	}
	if p.tried == nil {
		p.tried = make([]trial, 2*len(p.tokens))
	}
	t := &p.tried[2*i]
	if p.ranged {
		t = &p.tried[2*i+1]
	}
	switch {
	case t.value != nil:
		return *t.value, t.end
	case t.end > 0:
		return value{}, i
	}
	v, end := p.nested(i)
	if t.end = end + 1; end > i {
		t.end, t.value = end, &v
	}
	return v, end
}

// nested reads a component one level deeper.
func (p *parser) nested(i int) (value, int) {
	p.depth++
	v, end := p.read(i)
	p.depth--
	return v, end
}

// read is component without its memory.
func (p *parser) read(i int) (value, int) {
	t := p.tok(i)
	switch t.class {
	case cNum, cHalf, cQuarter, cArticle:
		return p.number(i)
	case cOrdinal:
		return p.ordinal(i)
	case cYMD:
		return value{has: fYear | fMonth | fDom, year: t.a, month: t.b, dom: t.c, slashed: t.n == eitherOrder && !p.japanese}, i + 1
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
	case cPlus:
		return p.signed(i)
	case cBound:
		return p.bound(i)
	case cWeekOf:
		return p.weekStarting(i)
	case cRest:
		return p.restOf(i)
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
		if t.a == -1 && t.b == unitWeekend && (p.is(i+1, cOf) || p.is(i+1, cIn) || p.relatedMonth(i+1)) && p.besideMonth(i, i+1) { // the last weekend of November
			return value{has: fNth | fWeekday, nth: -1, weekday: wholeWeekend}, i + 1
		}
		return p.period(t.a, t.b), i + 1
	case cWeekdays:
		return value{has: fWeek | fWorkdays, monday: p.today.Monday()}, i + 1
	case cNow:
		return value{has: fInstant, at: p.ref, till: p.ref}, i + 1
	case cIn, cWithin:
		return p.offset(i)
	case cAfter: // あと3日
		if t.n == 1 {
			return p.runOf(i, i+1, 1)
		}
	case cSub:
		return p.subYear(i, t.a, t.b, i+1)
	case cUnit:
		return p.bareUnit(i, t)
	}
	return value{}, i
}

// bareUnit reads a unit without a number: the current one (in the week, of the year, 週の残り), or one with a number of its
// own behind it (week 27, year 2016).
func (p *parser) bareUnit(i int, t token) (value, int) {
	if !t.latin {
		if t.a >= unitDay && p.is(i+1, cOf) && p.is(i+2, cRest) {
			return p.period(0, t.a), i + 1
		}
		return p.timesPer(i, t)
	}
	if t.b&plural != 0 || t.a < unitDay || t.a > unitYear {
		return value{}, i
	}
	if v, j := p.numbered(i, t); j > i {
		return v, j
	}
	if isYearWord(t) && p.is(i+1, cNum) {
		return p.yearOfEra(i, p.tok(i+1).a, i+2)
	}
	if p.is(i-1, cWithin) && p.tok(i-1).n == definite && t.a > unitDay { // within the week
		return p.period(0, t.a), i + 1
	}
	if t.a == unitDay && (p.is(i+1, cBefore) || p.is(i+1, cAfter)) && p.is(i-1, cThe) { // the day before Christmas
		return p.offsetFrom(i, length{days: p.tok(i + 1).direction()}, i+1)
	}
	if t.a == unitWeek && p.is(i+1, cOf) {
		if v, j := p.weekStarting(i); j > i {
			return v, j
		}
	}
	if !p.is(i-1, cThe) || t.a == unitDay {
		return value{}, i
	}
	of := p.is(i-2, cOf) && (!p.is(i-3, cUnit) || p.is(i-4, cOrdinal) || p.is(i-4, cRel)) // but not the day of the month
	if of || p.is(i-2, cIn) || p.is(i-2, cOn) && t.a != unitYear || p.is(i-2, cFor) && t.a != unitYear {
		return p.period(0, t.a), i + 1
	}
	return value{}, i
}

// direction is -1 for before and 1 for after.
func (t token) direction() int {
	if t.class == cBefore {
		return -1
	}
	return 1
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
	v := value{has: fMonth | fDom, month: t.a, dom: t.b, slashed: t.n == eitherOrder && !p.japanese && isMonth(t.a) && isMonth(t.b)}
	if t.a > 12 {
		v.month, v.dom = t.b, t.a
	}
	k := i + 1
	if p.is(k, cComma) {
		k++
	}
	if y := p.tok(k); y.class == cNum && y.b == 4 && isYear(y.a) && !p.is(k+1, cUnit) && !p.tok(k+1).isNoun() { // 5/7, 2020
		v.has, v.year, v.past = v.has|fYear, y.a, y.a < p.today.Year
		return v, k + 1
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
	if next.class == cEach && next.latin { // three times a week
		return value{has: fSet}, i + 2
	}
	if t.class == cNum && next.latin {
		if v, j := p.countedAhead(i); j > i {
			return v, j
		}
	}
	if v, j := p.numberRange(i); j > i {
		return v, j
	}
	if v, j := p.splitDate(i); j > i {
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
	if unit.b&lengthOnly != 0 || t.n == several || p.measures(i, unit) {
		return value{}, i
	}
	switch {
	case unit.a == unitYear && t.a >= 1000 && t.a < 3000:
		return value{has: fYear, year: t.a, past: t.a < p.today.Year}, i + 2
	case unit.a == unitYear && t.b == 2 && (p.is(i+2, cNum) && p.unit(i+3, unitMonth)):
		return value{has: fYear, year: fullYear(t.a, 2)}, i + 2
	case unit.a == unitMonth && unit.b&pointOnly != 0 && t.a >= 1 && t.a <= 12:
		return value{has: fMonth, month: t.a}, i + 2
	case unit.a == unitMonth && unit.b&pointOnly != 0 && t.a > 12 && t.a < 100 && p.is(i+2, cNum) && p.unit(i+3, unitDay): // 13月1日
		return value{has: fMonth, month: t.a}, i + 2
	case unit.a == unitDay && t.a >= 1 && t.a <= 31:
		return value{has: fDom, dom: t.a}, i + 2
	case unit.a == unitDay && t.a > 31 && t.a < 100 && i >= 2 && p.unit(i-1, unitMonth):
		return value{has: fDom, dom: t.a}, i + 2
	}
	return value{}, i
}

// measures reports whether what follows the number at i and its unit says that they are a length: 3日後, 3日以上, 1日と5時間.
func (p *parser) measures(i int, unit token) bool {
	after := p.tok(i + 2)
	switch after.class {
	case cAfter, cAgo:
		return i < 2 || !p.unit(i-1, unitMonth) || !p.is(i-2, cNum) // but not 1月1日後
	case cWithin, cEach:
		return true
	case cHalf:
		return unit.a != unitHour
	case cAnd:
		if unit.a == unitDay && !after.latin && p.is(i+3, cNum) && p.is(i+4, cUnit) && p.tok(i+4).b&lengthOnly != 0 {
			return true
		}
	}
	rest := p.text[p.tok(i+1).end:]
	for _, word := range [...]string{"以上", "以下", "未満", "ほど"} {
		if strings.HasPrefix(rest, word) {
			return true
		}
	}
	return unit.a == unitDay && len(rest) > len("で。") && p.byThen(i+2)
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
