package datetime

// englishHour reads 3pm, three thirty p.m., 3 o'clock, at 3 and the 340pm of speech recognisers.
func (p *parser) englishHour(i int, t token) (value, int) {
	v := value{has: fClock, hour: t.a}
	if t.b >= 3 && t.b <= 4 && t.n == 0 {
		v.hour, v.minute = t.a/100, t.a%100
		if v.hour > 24 || v.minute > 59 || !p.is(i+1, cAmPm) && !(p.is(i-1, cAt) && t.b == 4 && t.a%5 == 0) {
			return value{}, i
		}
		return v, i + 1
	}
	if t.a > 24 || t.n == 2 {
		return value{}, i
	}
	if p.halfBehind(i) || p.is(i+1, cOClock) {
		return v, i + 1
	}
	if v, j := p.spokenMinutes(i, t); j > i {
		return v, j
	}
	if p.bareHour(i, t) {
		return v, i + 1
	}
	return value{}, i
}

// halfBehind reports whether am or pm stands behind the number at i. Said with a single letter (9a) it needs to stand where
// times do.
func (p *parser) halfBehind(i int) bool {
	j := i + 1
	if p.is(j, cApprox) && p.tok(j).latin && !p.tok(j).gap { // 3ish pm
		j++
	}
	t := p.tok(j)
	toAnother := (p.is(j+1, cTo) || p.is(j+1, cDash)) && p.is(j+2, cNum) && p.is(j+3, cAmPm)
	return t.class == cAmPm && (t.b != weakWord || p.atBefore(i) || p.ranged || p.dateBefore(i) || toAnother)
}

// spokenMinutes reads an hour and its minutes as two numbers: three thirty pm, at five-thirty, at 3 15.
func (p *parser) spokenMinutes(i int, t token) (value, int) {
	j := i + 1
	if p.is(j, cDash) && !p.tok(j).gap && t.n == inWords {
		j++
	}
	m, next := p.tok(j), p.tok(j+1)
	if m.class != cNum || m.a < 10 || m.a > 59 || m.c != 0 || m.n != t.n || t.a < 1 || t.a > 12 && next.class != cAmPm {
		return value{}, i
	}
	v := value{has: fClock, hour: t.a, minute: m.a}
	spoken := t.n == inWords
	switch {
	case !spoken && m.b != 2:
		return value{}, i
	case next.class == cAmPm || spoken && p.timeBehind(j+1):
		return v, j + 1
	case next.class == cUnit || next.class == cPlace || next.class == cNum:
		return value{}, i
	case p.atBefore(i) || spoken && (p.dateBefore(i) || p.is(i-1, cFor)):
		return v, j + 1
	}
	return value{}, i
}

// bareHour reports whether a number alone is an hour where it stands: at 3, 8 tonight, morning at 7.
func (p *parser) bareHour(i int, t token) bool {
	if t.b > 2 || t.b < 0 {
		return false
	}
	next := p.tok(i + 1)
	if next.class == cPlace || next.class == cUnit || next.class == cNum || next.class == cDash && !p.ranged {
		return false
	}
	if p.is(i+1, cIn) && p.timeBehind(i+1) {
		return true
	}
	if next.class == cComma && p.is(i+2, cDayPartRel) && !p.tok(i-1).isNoun() { // 10, tonight
		return true
	}
	return p.atBefore(i) || p.timeBehind(i+1) && !p.tok(i-1).isNoun()
}

func (p *parser) atBefore(i int) bool {
	k := i - 1
	if p.is(k, cApprox) {
		k--
		if p.tok(k+1).latin && p.dateBefore(k+1) { // Friday around 4
			return true
		}
	}
	return p.is(k, cAt) || p.is(k, cDayPartRel) && p.tok(k).latin
}

// timeBehind reports whether tonight, tomorrow afternoon or in the morning follows.
func (p *parser) timeBehind(i int) bool {
	if t := p.tok(i); t.class == cDayPartRel || t.class == cDayRel && t.latin && t.b != ofUnit || t.class == cPart && t.b == 1 {
		return true
	}
	if p.is(i, cIn) {
		i++
		if p.is(i, cThe) {
			i++
		}
		return p.is(i, cPart)
	}
	return p.is(i, cRel) && p.is(i+1, cPart)
}

// pastHour reads half past three, quarter to five, ten past two, 15 minutes past noon.
func (p *parser) pastHour(i int) (value, int) {
	j, minutes := i, 0
	if p.is(j, cArticle) {
		j++
	}
	t := p.tok(j)
	switch {
	case t.class == cHalf:
		minutes = 30
	case t.class == cQuarter:
		minutes = 15
	case t.class == cNum && t.a > 0 && t.a < 60 && t.b >= 0:
		minutes = t.a
	default:
		return value{}, i
	}
	j++
	if h := p.tok(j); t.class == cHalf && t.latin && h.class == cNum && h.n == inWords && h.a >= 1 && h.a <= 12 && !p.tok(j+1).isNoun() && !p.is(j+1, cUnit) {
		return value{has: fClock, hour: h.a, minute: 30}, j + 1 // half three
	}
	if u := p.tok(j); u.class == cUnit && u.a == unitMinute && u.latin {
		j++
	}
	link := p.tok(j)
	before := link.class == cTo || link.class == cBefore
	if !before && link.class != cPast && link.class != cAfter || !link.latin {
		return value{}, i
	}
	if before && t.class == cNum && !p.is(j-1, cUnit) && minutes != 5 && minutes != 10 && minutes != 20 && minutes != 25 {
		return value{}, i // 3 to 5 is a range
	}
	v, end := p.wholeHour(j + 1)
	if end == j+1 {
		return value{}, i
	}
	if before {
		minutes = -minutes
	}
	return v.plusMinutes(minutes), end
}

// wholeHour is the hour that minutes are past or to.
func (p *parser) wholeHour(i int) (value, int) {
	t := p.tok(i)
	switch {
	case t.class == cNoon:
		return value{has: fClock, hour: t.a, half: halfFixed}, i + 1
	case t.class == cNum && t.a >= 1 && t.a <= 12 && !p.is(i+1, cUnit) && t.b >= 0:
		if m := p.tok(i + 1); m.class == cNum && m.n == inWords && t.n == inWords && m.a >= 25 && m.a < 60 {
			return value{has: fClock, hour: t.a, minute: m.a}, i + 2
		}
		return value{has: fClock, hour: t.a}, i + 1
	}
	return value{}, i
}
