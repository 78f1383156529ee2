package datetime

// clock reads a time of day: 15時, 午後三時半, 15:00, 3pm, half past three, noon, or only a part of the
// day.
func (p *parser) clock(i int) (value, int) {
	t := p.tok(i)
	switch t.class {
	case cNoon:
		if t.b == dueThen {
			return endOfDay(), i + 1
		}
		return value{has: fClock, clockTime: clockTime{hour: t.a, half: halfFixed, literal: t.a == 0}}, i + 1
	case cMeridiem:
		return p.meridiemFirst(i)
	case cPart:
		return p.partFirst(i)
	case cAmPm: // "tomorrow pm"
		if p.oneOf(i-1, cWeekday, cDayRel) {
			return value{has: fPart, part: partOfHalf[t.a]}, i + 1
		}
		return value{}, i
	}
	return p.suffix(p.hour(i))
}

// partOfHalf is the part of the day that each half of it is.
var partOfHalf = [...]int{halfAM: partForenoon, halfPM: partAfternoon}

// meridiemFirst reads 午後3時, and 午後 alone as a part of the day. 午後13時 is no time: it may mean 13時 as
// well as 午後3時.
func (p *parser) meridiemFirst(i int) (value, int) {
	half := p.tok(i).a
	if v, end := p.first(p.skip(i+1, cOf), (*parser).hour); v.any(fClock) {
		v.half, v.impossible = half, v.hour > 12
		return p.suffix(v, end)
	}
	return value{has: fPart, part: partOfHalf[half]}, i + 1
}

// partFirst reads 朝9時 and 夜の8時, or the part alone.
func (p *parser) partFirst(i int) (value, int) {
	part := p.tok(i).a
	if !p.tok(i).latin {
		if v, end := p.clock(p.skip(i+1, cOf)); v.any(fClock) {
			v.half = halfIn(part, v.hour)
			return v, end
		}
	}
	return value{has: fPart, part: part}, i + 1
}

// halfIn is the half of the day that an hour is of in a part of it.
func halfIn(part, hour int) int {
	if pm := parts[part].pm; pm[0] <= hour%12 && hour%12 < pm[1] {
		return halfPM
	}
	return halfAM
}

// hour reads an hour with its minutes and seconds, without what says which half of the day it is
// of.
func (p *parser) hour(i int) (value, int) {
	t := p.tok(i)
	switch {
	case t.class == cClock:
		v := at(t.a, t.b)
		v.second, v.literal = t.c, t.n == 1
		return v, i + 1
	case t.class == cNum && t.b < 0:
		return p.dotted(i)
	case t.class == cNum:
		return p.first(i, (*parser).pastHour, (*parser).hourInDigits, (*parser).englishHour)
	case p.oneOf(i, cHalf, cQuarter):
		return p.pastHour(i)
	}
	return value{}, i
}

// hourInDigits reads 15時30分 and 19h30.
func (p *parser) hourInDigits(i int) (value, int) {
	t := p.tok(i)
	if !p.unit(i+1, unitHour) || t.a > 30 || p.tok(i+1).latin && !p.isHour(i) {
		return value{}, i
	}
	v := at(t.a, 0)
	v.literal = t.b == 2 && t.a < 10
	return p.minutes(v, i+2)
}

// isHour reports whether the number at i with an h behind it is an hour: 19h30, at 8h, Friday 8h,
// and 15h alone, but not 3h.
func (p *parser) isHour(i int) bool {
	if p.atBefore(i) || p.is(i+2, cNum) && !p.tok(i+2).gap && !p.is(i+3, cUnit) {
		return true
	}
	return (p.tok(i).a >= 13 || p.dateBefore(i)) && !p.is(i-1, cFor)
}

// dateBefore reports whether a day is named right before token i, with a comma at most between.
func (p *parser) dateBefore(i int) bool {
	if p.is(i-1, cComma) {
		i--
	}
	if p.oneOf(i-1, cOrdinal, cNum) {
		return p.is(i-2, cMonth) || p.is(i-2, cThe) && p.is(i-3, cWeekday)
	}
	return p.oneOf(i-1, cWeekday, cDayRel, cYMD, cMD, cDayPartRel)
}

// dotted reads 8.30 pm, and "at 8.30".
func (p *parser) dotted(i int) (value, int) {
	t := p.tok(i)
	if t.b != -2 || t.a > 24 || t.c >= 600 || !p.is(i+1, cAmPm) && !p.atBefore(i) {
		return value{}, i
	}
	return at(t.a, t.c/10), i + 1
}

// minutes reads 30分15秒, 半 and 30 (as in 19h30) behind an hour.
func (p *parser) minutes(v value, j int) (value, int) {
	t := p.tok(j)
	switch {
	case t.class == cHalf:
		v.minute = 30
		return p.secondsBehind(v, j+1)
	case t.class != cNum:
		return v, j
	case p.unit(j+1, unitMinute) && p.is(j+2, cAgo): // 8時15分前
		return v.plusMinutes(-t.a), j + 3
	case p.unit(j+1, unitMinute):
		v.minute, v.impossible = t.a, t.a > 59
		return p.secondsBehind(v, j+2)
	case p.unit(j+1, unitSecond):
		return p.secondsBehind(v, j)
	case t.b == 2 && !t.gap && t.a < 60:
		v.minute = t.a
		return v, j + 1
	}
	return v, j
}

// secondsBehind reads the seconds behind a minute.
func (p *parser) secondsBehind(v value, j int) (value, int) {
	if t := p.tok(j); t.class == cNum && p.unit(j+1, unitSecond) {
		v.second, v.impossible = t.a, v.impossible || t.a > 59
		return v, j + 2
	}
	return v, j
}

// endOfDay is the last second of a day, by which something is due.
func endOfDay() value {
	return value{has: fClock, clockTime: clockTime{hour: 23, minute: 59, second: 59, half: halfFixed}}
}

// plusMinutes is so many minutes after the time of v, or before it.
func (v value) plusMinutes(minutes int) value {
	total := (v.hour*60 + v.minute + minutes + dayMinutes) % dayMinutes
	v.hour, v.minute = total/60, total%60
	return v
}

// isNoun reports whether an unknown word stands there, which a number may belong to (Room 2).
func (t token) isNoun() bool {
	return t.class == cWord && t.a != outside && t.a != functionWord || t.class == cPlace
}

// suffix reads what follows an hour: am, o'clock, in the evening, 頃.
func (p *parser) suffix(v value, j int) (value, int) {
	if p.is(j, cOClock) || p.is(j, cApprox) && p.is(j+1, cAmPm) {
		j++
	}
	if p.is(j, cAmPm) {
		if v.hour <= 12 {
			v.half = p.tok(j).a
		}
		j++
	}
	if p.is(j, cApprox) && !p.tok(j).latin {
		j++
	}
	return v, j
}

// seconds is the time of day in seconds from midnight, the other reading where no half was said,
// and whether one was chosen. A bare hour from one to six is taken as the afternoon's.
func (t clockTime) seconds() (chosen, other int, assumed bool) {
	h, rest := t.hour, t.minute*60+t.second
	switch {
	case t.half == halfAM && h == 12:
		h = 0
	case t.half == halfPM && h < 12:
		h += 12
	case t.half == halfUnknown && h > 0 && h <= 12 && !t.literal:
		am, pm := h%12*3600+rest, (h%12+12)*3600+rest
		if h <= 6 || h == 12 {
			return pm, am, h <= 6
		}
		return am, pm, false
	}
	return h*3600 + rest, -1, false
}
