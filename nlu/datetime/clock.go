package datetime

// clock reads a time of day: 15時, 午後三時半, 15:00, 3pm, half past three, noon, or only a part of the day.
func (p *parser) clock(i int) (value, int) {
	t := p.tok(i)
	switch t.class {
	case cNoon:
		v := value{has: fClock, hour: t.a, half: halfFixed, literal: t.a == 0}
		if t.b == 1 {
			v = endOfDay()
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

// meridiemFirst reads 午後3時, and 午後 alone as a part of the day. 午後13時 is no time: it may mean 13時 as well as 午後3時.
func (p *parser) meridiemFirst(i int) (value, int) {
	half := p.tok(i).a
	j := i + 1
	if p.is(j, cOf) || p.is(j, cApprox) {
		j++
	}
	if v, end := p.hour(j); end > j {
		v.half, v.impossible = half, v.impossible || v.hour > 12
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
	if v, j := p.pastHour(i); j > i {
		return v, j
	}
	if u := p.tok(i + 1); u.latin && u.class == cUnit && !p.hourUnit(i, t) {
		return value{}, i // 3h is a length, 19h30 a time
	}
	if p.unit(i+1, unitHour) && t.a <= 30 {
		return p.minutes(value{has: fClock, hour: t.a, literal: t.b == 2 && t.a < 10}, i+2)
	}
	return p.englishHour(i, t)
}

// hourUnit reports whether the number at i with an h behind it is an hour: 19h30, at 8h, July 18 19h, and 15h alone.
func (p *parser) hourUnit(i int, t token) bool {
	if p.atBefore(i) || p.is(i+2, cNum) && !p.tok(i+2).gap && !p.is(i+3, cUnit) {
		return true
	}
	if !p.unit(i+1, unitHour) || p.is(i-1, cFor) || p.is(i-1, cIn) || p.is(i+2, cNum) {
		return false
	}
	return t.a >= 13 && t.a <= 23 || p.ranged || p.dateBefore(i)
}

// dateBefore reports whether a day is named right before token i, with a comma at most between.
func (p *parser) dateBefore(i int) bool {
	if p.is(i-1, cComma) {
		i--
	}
	switch t := p.tok(i - 1); t.class {
	case cWeekday, cDayRel, cYMD, cMD, cDayPartRel:
		return true
	case cOrdinal:
		return p.is(i-2, cMonth) || p.is(i-2, cThe) && p.is(i-3, cWeekday)
	case cNum:
		return t.b == 4 && isYear(t.a) || p.is(i-2, cMonth)
	}
	return false
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
		return p.secondsBehind(v, j+1)
	}
	if p.is(j, cApprox) && p.is(j+1, cNum) {
		j++
	}
	t := p.tok(j)
	if t.class != cNum {
		return v, j
	}
	switch {
	case p.unit(j+1, unitMinute):
		if t.a <= 20 && p.is(j+2, cAgo) && !p.tok(j+2).latin { // 8時15分前
			return v.plusMinutes(-t.a), j + 3
		}
		v.minute, v.impossible = t.a, t.a > 59
		return p.secondsBehind(v, j+2)
	case p.unit(j+1, unitSecond):
		return p.secondsBehind(v, j)
	case t.b == 2 && !t.gap && t.a < 60:
		v.minute = t.a
		j++
	}
	return v, j
}

// secondsBehind reads the seconds behind a minute.
func (p *parser) secondsBehind(v value, j int) (value, int) {
	if t := p.tok(j); t.class == cNum && t.b >= 0 && p.unit(j+1, unitSecond) {
		v.second, v.impossible = t.a, v.impossible || t.a > 59
		return v, j + 2
	}
	return v, j
}

// endOfDay is the last second of a day, by which something is due.
func endOfDay() value {
	return value{has: fClock, hour: 23, minute: 59, second: 59, half: halfFixed}
}

// plusMinutes is so many minutes after the time of v, or before it.
func (v value) plusMinutes(minutes int) value {
	const day = 24 * 60
	total := (v.hour*60 + v.minute + minutes + day) % day
	v.hour, v.minute = total/60, total%60
	return v
}

// isNoun reports whether an unknown word stands there, which a number may belong to (Room 2).
func (t token) isNoun() bool {
	return t.class == cWord && t.a != -1 && t.a != functionWord || t.class == cPlace
}

// suffix reads what follows an hour: am, o'clock, in the evening, 頃.
func (p *parser) suffix(v value, j int) (value, int) {
	if v.hour == 24 && v.minute > 0 && p.is(j, cAmPm) || v.hour > 30 {
		return v, j
	}
	if p.is(j, cOClock) || p.is(j, cApprox) && p.tok(j).latin && p.is(j+1, cAmPm) {
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
