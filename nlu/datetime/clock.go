package datetime

// clock reads a time of day: 15時, 午後三時半, 15:00, 3pm, half past three, noon, or only a part of the day.
func (p *parser) clock(i int) (value, int) {
	t := p.tok(i)
	switch t.class {
	case cNoon:
		v := value{has: fClock, hour: t.a, half: halfFixed}
		if t.a == 0 {
			v.literal = true
		}
		return v, i + 1
	case cMeridiem:
		return p.meridiemFirst(i)
	case cPart:
		return p.partFirst(i)
	case cAmPm: // "tomorrow pm"
		if p.is(i-1, cWeekday) || p.is(i-1, cDayRel) {
			return value{has: fPart, part: [...]int{halfAM: partForenoon, halfPM: partAfternoon}[t.a]}, i + 1
		}
		return value{}, i
	}
	v, j := p.hour(i)
	if j == i {
		return value{}, i
	}
	return p.suffix(v, j)
}

// meridiemFirst reads 午後3時, and 午後 alone as a part of the day.
func (p *parser) meridiemFirst(i int) (value, int) {
	half := p.tok(i).a
	j := i + 1
	if p.is(j, cOf) || p.is(j, cApprox) {
		j++
	}
	if v, end := p.hour(j); end > j && v.hour <= 12 {
		v.half = half
		return p.suffix(v, end)
	}
	part := partForenoon
	if half == halfPM {
		part = partAfternoon
	}
	return value{has: fPart, part: part}, i + 1
}

// partFirst reads 朝9時 and 夜の8時, or the part alone.
func (p *parser) partFirst(i int) (value, int) {
	v := value{has: fPart, part: p.tok(i).a}
	j := i + 1
	if p.is(j, cOf) || p.is(j, cApprox) || p.is(j, cComma) {
		j++
	}
	if p.tok(i).latin {
		return v, i + 1
	}
	if w, end := p.clock(j); end > j && w.any(fClock) {
		w.half = partHalf(v.part, w)
		return w, end
	}
	return v, i + 1
}

// partHalf is the half of the day that a part of it gives an hour.
func partHalf(part int, v value) int {
	if v.half != halfUnknown || v.hour > 12 {
		return v.half
	}
	switch part {
	case partEarly, partMorning, partForenoon:
		return halfAM
	case partNoon:
		if v.hour >= 10 && v.hour < 12 {
			return halfAM
		}
		return halfPM
	case partAfternoon, partEvening:
		return halfPM
	case partNight, partLate:
		if v.hour >= 5 && v.hour < 12 {
			return halfPM
		}
		return halfAM
	}
	return halfUnknown
}

// hour reads an hour with its minutes and seconds, without what says which half of the day it is of.
func (p *parser) hour(i int) (value, int) {
	t := p.tok(i)
	switch t.class {
	case cClock:
		return value{has: fClock, hour: t.a, minute: t.b, second: t.c, literal: t.n == 1}, i + 1
	case cHalf, cQuarter, cArticle:
		return p.pastHour(i)
	case cNum:
		if t.b < 0 {
			return p.dotted(i, t)
		}
	default:
		return value{}, i
	}
	if u := p.tok(i + 1); u.latin && u.class == cUnit && !p.atBefore(i) && (!p.is(i+2, cNum) || p.tok(i+2).gap) {
		return value{}, i // 3h is a length, 19h30 a time
	}
	if p.unit(i+1, unitHour) && t.a <= 30 {
		return p.minutes(value{has: fClock, hour: t.a, literal: t.b == 2 && t.a < 10}, i+2)
	}
	if v, j := p.pastHour(i); j > i {
		return v, j
	}
	return p.englishHour(i, t)
}

// dotted reads 8.30 pm, and "at 8.30".
func (p *parser) dotted(i int, t token) (value, int) {
	if t.b != -2 || t.a > 24 || t.c/10 > 59 || !p.is(i+1, cAmPm) && !p.atBefore(i) {
		return value{}, i
	}
	return value{has: fClock, hour: t.a, minute: t.c / 10}, i + 1
}

// minutes reads 30分15秒, 半 and 30 (as in 19h30) behind an hour.
func (p *parser) minutes(v value, j int) (value, int) {
	if p.is(j, cHalf) {
		v.minute = 30
		return v, j + 1
	}
	if p.is(j, cApprox) && p.is(j+1, cNum) {
		j++
	}
	t := p.tok(j)
	if t.class != cNum || t.a > 59 {
		return v, j
	}
	switch {
	case p.unit(j+1, unitMinute):
		v.minute = t.a
		j += 2
		if s := p.tok(j); s.class == cNum && s.a < 60 && p.unit(j+1, unitSecond) {
			v.second = s.a
			j += 2
		}
	case p.unit(j+1, unitSecond):
		v.second = t.a
		j += 2
	case t.b == 2 && !t.gap:
		v.minute = t.a
		j++
	}
	return v, j
}

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
	if p.is(i+1, cAmPm) || p.is(i+1, cOClock) {
		return v, i + 1
	}
	if m := p.tok(i + 1); m.class == cNum && m.a >= 10 && m.a < 60 && t.a >= 1 && t.a <= 12 && t.n == m.n && (t.n == 1 || p.is(i+2, cAmPm)) {
		v.minute = m.a
		if p.is(i+2, cAmPm) || p.atBefore(i) || p.timeBehind(i+2) {
			return v, i + 2
		}
	}
	if p.bareHour(i, t) {
		return v, i + 1
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
	return p.atBefore(i) || p.timeBehind(i+1) && !p.tok(i-1).isNoun()
}

// isNoun reports whether an unknown word stands there, which a number may belong to (Room 2).
func (t token) isNoun() bool { return t.class == cWord && t.a != -1 || t.class == cPlace }

func (p *parser) atBefore(i int) bool {
	k := i - 1
	if p.is(k, cApprox) {
		k--
	}
	return p.is(k, cAt) || p.is(k, cDayPartRel) && p.tok(k).latin
}

// timeBehind reports whether tonight, tomorrow afternoon or in the morning follows.
func (p *parser) timeBehind(i int) bool {
	if p.is(i, cDayPartRel) || p.is(i, cDayRel) && p.tok(i).latin {
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
	if p.is(j, cUnit) && p.tok(j).a == unitMinute && p.tok(j).latin {
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
		v.hour, minutes = v.hour-1, 60-minutes
		if v.hour < 0 {
			v.hour = 23
		}
	}
	v.minute = minutes
	return v, end
}

// wholeHour is the hour that minutes are past or to.
func (p *parser) wholeHour(i int) (value, int) {
	t := p.tok(i)
	switch {
	case t.class == cNoon:
		return value{has: fClock, hour: t.a, half: halfFixed}, i + 1
	case t.class == cNum && t.a >= 1 && t.a <= 12 && !p.is(i+1, cUnit) && t.b >= 0:
		return value{has: fClock, hour: t.a}, i + 1
	}
	return value{}, i
}

// suffix reads what follows an hour: am, o'clock, in the evening, 頃.
func (p *parser) suffix(v value, j int) (value, int) {
	if v.hour == 24 && v.minute > 0 && p.is(j, cAmPm) || v.hour > 30 {
		return v, j
	}
	if p.is(j, cOClock) {
		j++
	}
	if p.is(j, cAmPm) && v.hour <= 12 && v.half == halfUnknown {
		v.half = p.tok(j).a
		j++
	} else if p.is(j, cAmPm) && v.hour > 12 && v.hour < 24 && p.tok(j).a == halfPM {
		j++
	}
	if p.is(j, cOClock) {
		j++
	}
	if p.is(j, cApprox) && !p.tok(j).latin {
		j++
	}
	return v, j
}

// seconds is the time of day in seconds from midnight, the other reading where no half was said, and whether one was
// chosen. A bare hour from one to six is taken as the afternoon's.
func (v *value) seconds() (chosen, other int, assumed bool) {
	h := v.hour
	rest := v.minute*60 + v.second
	switch v.half {
	case halfAM:
		if h == 12 {
			h = 0
		}
		return h*3600 + rest, -1, false
	case halfPM:
		if h < 12 {
			h += 12
		}
		return h*3600 + rest, -1, false
	case halfFixed:
		return h*3600 + rest, -1, false
	}
	if h == 0 || h > 12 || v.literal {
		return h*3600 + rest, -1, false
	}
	am, pm := h%12*3600+rest, (h%12+12)*3600+rest
	switch {
	case h <= 6:
		return pm, am, true
	case h == 12:
		return pm, am, false
	}
	return am, pm, false
}
