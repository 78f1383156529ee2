package datetime

import "slices"

// englishHour reads 3pm, three thirty p.m., 3 o'clock, at 3 and the 340pm of speech recognisers.
func (p *parser) englishHour(i int) (value, int) {
	t := p.tok(i)
	switch {
	case t.n == 0 && (t.b == 3 || t.b == 4):
		return p.military(i)
	case t.a > 24 || t.n == inKanji:
		return value{}, i
	case p.halfBehind(i) || p.is(i+1, cOClock):
		return at(t.a, 0), i + 1
	}
	return p.first(i, (*parser).spokenMinutes, (*parser).bareHour)
}

// military reads 340pm and at 1630.
func (p *parser) military(i int) (value, int) {
	t := p.tok(i)
	hour, minute := t.a/100, t.a%100
	is := p.is(i+1, cAmPm) || p.is(i-1, cAt) && t.b == 4 && t.a%5 == 0
	if !is || hour > 24 || minute > 59 {
		return value{}, i
	}
	return at(hour, minute), i + 1
}

// halfBehind reports whether am or pm stands behind the number at i. Said with a single letter (9a)
// it needs to stand where times do.
func (p *parser) halfBehind(i int) bool {
	j := i + 1
	if p.is(j, cApprox) && p.tok(j).latin && !p.tok(j).gap { // 3ish pm
		j++
	}
	t := p.tok(j)
	toAnother := p.oneOf(j+1, cTo, cDash) && p.is(j+2, cNum) && p.is(j+3, cAmPm)
	return t.class == cAmPm && (t.b != weakWord || p.atBefore(i) || p.ranged || p.dateBefore(i) || toAnother)
}

// spokenMinutes reads an hour and its minutes as two numbers: three thirty pm, at five-thirty, at 3
// 15.
func (p *parser) spokenMinutes(i int) (value, int) {
	t, j := p.tok(i), i+1
	if p.is(j, cDash) && !p.tok(j).gap && t.n == inWords {
		j++
	}
	m := p.tok(j)
	if t.a < 1 || m.class != cNum || m.n != t.n || m.a < 10 || m.a > 59 || m.c != 0 {
		return value{}, i
	}
	is := p.is(j+1, cAmPm)
	if t.n == inWords {
		is = is || t.a <= 12 && p.besideMinutes(i, j+1)
	} else {
		is = m.b == 2 && (is || t.a <= 12 && p.atBefore(i) && !p.oneOf(j+1, cUnit, cPlace, cNum))
	}
	if !is {
		return value{}, i
	}
	return at(t.a, m.a), j + 1
}

// besideMinutes reports whether the words before i and from j on say that what stands between is an
// hour with minutes.
func (p *parser) besideMinutes(i, j int) bool {
	before := p.atBefore(i) || p.dateBefore(i) || p.is(i-1, cFor)
	return p.timeBehind(j) || before && !p.oneOf(j, cUnit, cPlace, cNum)
}

// bareHour reads a number alone where it is an hour: at 3, 8 tonight, morning at 7.
func (p *parser) bareHour(i int) (value, int) {
	t := p.tok(i)
	if t.b < 0 || t.b > 2 || p.oneOf(i+1, cPlace, cUnit, cNum) || p.is(i+1, cDash) && !p.ranged {
		return value{}, i
	}
	ofTime := p.timeBehind(i+1) || p.is(i+1, cComma) && p.is(i+2, cDayPartRel) // 10, tonight
	is := p.atBefore(i) || ofTime && (!p.tok(i-1).isNoun() || p.is(i+1, cIn))
	if !is {
		return value{}, i
	}
	return at(t.a, 0), i + 1
}

// atBefore reports whether at, or tonight, stands before the number at i, or a day before about:
// Friday around 4.
func (p *parser) atBefore(i int) bool {
	if p.is(i-1, cApprox) {
		i--
		if p.tok(i).latin && p.dateBefore(i) {
			return true
		}
	}
	return p.is(i-1, cAt) || p.is(i-1, cDayPartRel) && p.tok(i-1).latin
}

// timeBehind reports whether tonight, tomorrow afternoon or in the morning follows.
func (p *parser) timeBehind(i int) bool {
	t := p.tok(i)
	switch t.class {
	case cDayPartRel:
		return true
	case cDayRel:
		return t.latin && t.b != ofUnit
	case cPart:
		return t.b == atPart
	case cRel:
		return p.is(i+1, cPart)
	case cIn:
		i++
		if p.is(i, cThe) {
			i++
		}
		return p.is(i, cPart)
	}
	return false
}

// pastHour reads half past three, quarter to five, ten past two, 15 minutes past noon.
func (p *parser) pastHour(i int) (value, int) {
	t, j := p.tok(i), i+1
	minutes, ok := t.minutesPast()
	if !ok {
		return value{}, i
	}
	if v, end := p.halfHour(i); end > i {
		return v, end
	}
	counted := p.is(j, cUnit) && p.tok(j).a == unitMinute && p.tok(j).latin
	if counted {
		j++
	}
	link := p.tok(j)
	switch link.class {
	case cTo, cBefore:
		if t.class == cNum && !counted && !slices.Contains(minutesTo, minutes) {
			return value{}, i // 3 to 5 is a range
		}
		minutes = -minutes
	case cPast, cAfter:
	default:
		return value{}, i
	}
	v, end := p.wholeHour(j + 1)
	if end == j+1 || !link.latin {
		return value{}, i
	}
	return v.plusMinutes(minutes), end
}

// minutesTo are the minutes that are said to an hour without their unit: ten to five.
var minutesTo = []int{5, 10, 20, 25}

// minutesPast are the minutes that a word says of an hour.
func (t token) minutesPast() (minutes int, ok bool) {
	switch t.class {
	case cHalf:
		return 30, true
	case cQuarter:
		return 15, true
	}
	return t.a, t.class == cNum && t.a > 0 && t.a < 60 && t.b >= 0
}

// halfHour reads half three.
func (p *parser) halfHour(i int) (value, int) {
	t, h := p.tok(i), p.tok(i+1)
	spoken := h.class == cNum && h.n == inWords && h.a >= 1 && h.a <= 12
	if t.class != cHalf || !t.latin || !spoken || p.tok(i+2).isNoun() || p.is(i+2, cUnit) {
		return value{}, i
	}
	return at(h.a, 30), i + 2
}

// wholeHour is the hour that minutes are past or to.
func (p *parser) wholeHour(i int) (value, int) {
	t, m := p.tok(i), p.tok(i+1)
	switch {
	case t.class == cNoon:
		return p.clock(i)
	case t.class != cNum || t.a < 1 || t.a > 12 || t.b < 0 || p.is(i+1, cUnit):
		return value{}, i
	case t.n == inWords && m.class == cNum && m.n == inWords && m.a >= 25 && m.a < 60:
		return at(t.a, m.a), i + 2
	}
	return at(t.a, 0), i + 1
}
