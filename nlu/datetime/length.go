package datetime

import (
	"time"

	"annai/internal/civil"
)

// lengthAt reads a length of time at i: 3日, 2時間半, half an hour, 2 days 1 hour, a year and a half.
func (p *parser) lengthAt(i int) (l length, end int, weeks bool) {
	end, weeks = i, true
	for n := range 5 {
		j := end
		if n > 0 && (p.is(j, cAnd) || p.is(j, cComma)) {
			j++
		}
		one, unit, next := p.lengthTerm(j)
		if next == j {
			break
		}
		l.months, l.days, l.seconds = l.months+one.months, l.days+one.days, l.seconds+one.seconds
		weeks = weeks && unit == unitWeek
		end = next
	}
	return l, end, weeks && end > i
}

// lengthTerm reads one number and its unit.
func (p *parser) lengthTerm(i int) (l length, unit, end int) {
	amount, j := p.amount(i)
	if j == i {
		return l, 0, i
	}
	for p.is(j, cOf) && p.tok(j).latin && p.tok(i).n == 1 || p.is(j, cDash) && !p.tok(j).gap && p.tok(j+1).latin ||
		p.is(j, cRel) && p.tok(j).a == 1 && p.tok(j).latin && p.is(j+1, cUnit) {
		j++
	}
	t := p.tok(j)
	if t.class == cOrdinal && t.a == 2 && t.b == 0 { // "one second" reads as an ordinal
		t = token{class: cUnit, a: unitSecond}
	}
	if t.class != cUnit || t.b&pointOnly != 0 {
		return l, 0, i
	}
	j++
	if p.is(j, cHalf) && p.tok(j).class == cHalf && !p.tok(j).latin {
		amount += 500
		j++
	} else if p.is(j, cAnd) && p.is(j+1, cHalf) || p.is(j, cAnd) && p.is(j+1, cArticle) && p.is(j+2, cHalf) {
		amount += 500
		if j += 2; p.is(j, cHalf) {
			j++
		}
	}
	return unitLength(t.a, amount), t.a, j
}

// amount reads how many, in thousandths.
func (p *parser) amount(i int) (milli, end int) {
	t := p.tok(i)
	switch t.class {
	case cNum:
		if t.b > 4 || t.a > 100_000 {
			return 0, i
		}
		if p.is(i+1, cAnd) && (p.is(i+2, cHalf) || p.is(i+2, cArticle) && p.is(i+3, cHalf)) {
			end = i + 3
			if p.is(i+2, cArticle) {
				end++
			}
			if p.is(end, cUnit) {
				return t.a*1000 + 500, end
			}
		}
		return t.a*1000 + t.c, i + 1
	case cMD:
		if t.b > 0 && p.is(i+1, cUnit) && p.tok(i+1).latin {
			return t.a * 1000 / t.b, i + 1
		}
	case cHalf:
		if p.is(i+1, cArticle) {
			return 500, i + 2
		}
		return 500, i + 1
	case cArticle:
		if p.is(i+1, cHalf) {
			return 500, i + 2
		}
		return 1000, i + 1
	case cQuarter:
		return 250, i + 1
	}
	return 0, i
}

// unitLength is so many thousandths of a unit.
func unitLength(unit, milli int) length {
	switch unit {
	case unitSecond:
		return length{seconds: milli / 1000}
	case unitMinute:
		return length{seconds: milli * 60 / 1000}
	case unitHour:
		return length{seconds: milli * 3600 / 1000}
	case unitDay, unitWorkday:
		return length{days: milli / 1000, seconds: milli % 1000 * 86400 / 1000}
	case unitWeek, unitWeekend:
		return length{days: milli * 7 / 1000}
	case unitFortnight:
		return length{days: milli * 14 / 1000}
	case unitMonth:
		return length{months: milli / 1000, days: milli % 1000 * 30 / 1000}
	case unitQuarter:
		return length{months: milli * 3 / 1000}
	case unitYear:
		return length{months: milli * 12 / 1000}
	case unitDecade:
		return length{months: milli * 120 / 1000}
	}
	return length{}
}

// offset reads a length and from where it counts: 3日後, in 3 days, 2 weeks from Friday, 3日以内; or the length alone.
func (p *parser) offset(i int) (value, int) {
	t := p.tok(i)
	if t.class == cIn || t.class == cWithin {
		return p.offsetPrefix(i)
	}
	l, j, weeks := p.lengthAt(i)
	if j == i {
		return value{}, i
	}
	k := j
	if p.is(k, cApprox) {
		k++
	}
	switch p.tok(k).class {
	case cAfter, cFrom:
		if v, end := p.offsetFrom(l, k); end > k {
			v.weekOffset = weeks
			return v, end
		}
		if p.is(k, cAfter) && p.tok(k).b == 0 {
			return p.shift(l, weeks), k + 1
		}
	case cBefore:
		if v, end := p.offsetFrom(l.scale(-1), k); end > k {
			return v, end
		}
	case cAgo:
		return p.shift(l.scale(-1), weeks), k + 1
	case cWithin:
		return p.span(l), k + 1
	}
	if p.is(i, cArticle) && l.seconds == 0 && !p.is(i-1, cFor) {
		return value{}, i // "a day" says no length
	}
	return value{has: fLength, length: l}, j
}

// offsetPrefix reads "in 3 days" and "within 2 hours".
func (p *parser) offsetPrefix(i int) (value, int) {
	j := i + 1
	for p.is(j, cThe) || p.is(j, cRel) && p.tok(j).a >= 1 || p.is(j, cApprox) {
		j++
	}
	within := p.is(i, cWithin) || j > i+1 && p.is(j-1, cRel)
	l, end, weeks := p.lengthAt(j)
	if end == j || p.is(end, cPast) {
		return value{}, i
	}
	if within {
		for _, c := range [...]class{cFrom, cAfter} {
			if p.is(end, c) {
				if v, k := p.anchor(end + 1); k > end+1 {
					return p.spanFrom(l, v), k
				}
			}
		}
		return p.span(l), end
	}
	return p.shift(l, weeks), end
}

// offsetFrom counts a length from the day or time that follows a preposition.
func (p *parser) offsetFrom(l length, k int) (value, int) {
	if !p.tok(k).latin {
		return value{}, k
	}
	v, end := p.anchor(k + 1)
	if end == k+1 {
		return value{}, k
	}
	return p.shiftFrom(l, v), end
}

// anchor reads the expression from which a length counts and resolves it.
func (p *parser) anchor(i int) (Expression, int) {
	for p.is(i, cThe) {
		i++
	}
	v, j := p.sequence(i)
	if j == i || v.any(fLength|fSet) {
		return Expression{}, i
	}
	e, ok := p.resolve(v)
	if !ok || e.Invalid {
		return Expression{}, i
	}
	return e, j
}

// shift is the day or instant a length from now.
func (p *parser) shift(l length, weeks bool) value {
	v := p.shiftAt(l, p.ref, l.hasClock())
	v.weekOffset = weeks
	return v
}

func (p *parser) shiftFrom(l length, e Expression) value {
	instant := e.Kind == KindTime && !e.TimeRange.Start.Equal(p.ref)
	return p.shiftAt(l, e.TimeRange.Start, instant || l.hasClock())
}

func (p *parser) shiftAt(l length, from time.Time, instant bool) value {
	at := l.from(from)
	if !inYears(at) {
		return value{invalid: true, has: fInstant, at: p.ref, till: p.ref}
	}
	v := value{past: at.Before(p.ref)}
	if instant {
		v.has, v.at, v.till = fInstant, at, at
		return v
	}
	v.has, v.first = fDays, civil.DateOf(at)
	v.until = v.first.AddDays(1)
	v.past = v.first.Before(p.today)
	return v
}

// inYears keeps dates where they can be written with four digits.
func inYears(t time.Time) bool { return t.Year() >= 1 && t.Year() <= 9998 }

// span is the time from now on for a length: 3日以内.
func (p *parser) span(l length) value { return p.spanAt(l, p.ref) }

func (p *parser) spanFrom(l length, e Expression) value { return p.spanAt(l, e.TimeRange.Start) }

func (p *parser) spanAt(l length, from time.Time) value {
	till := l.from(from)
	if !inYears(till) {
		return value{invalid: true, has: fInstant, at: p.ref, till: p.ref}
	}
	if l.hasClock() {
		v := value{has: fInstant, at: from, till: till}
		if till.Before(from) {
			v.at, v.till, v.past = till, from, true
		}
		return v
	}
	first, until := civil.DateOf(from), civil.DateOf(till)
	if until.Before(first) {
		return value{has: fDays, first: until, until: first, past: true}
	}
	return value{has: fDays, first: first, until: until}
}

// run reads 過去3日間, 今後2週間, past 3 days.
func (p *parser) run(i int) (value, int) {
	n := 1
	if !p.is(i, cNextN) {
		n = -1
	}
	j := i + 1
	if p.is(j, cOf) {
		j++
	}
	if n < 0 && p.is(i, cPast) && (p.is(j, cUnit) || p.is(j, cWeekday)) {
		if t := p.tok(j); t.class == cUnit && t.a >= unitDay {
			return p.period(-1, t.a), j + 1
		}
		return value{}, i
	}
	if v, end := p.runOf(i, j, n); end > i {
		return v, end
	}
	if p.is(i, cNextN) && (p.tok(i).end-p.tok(i).start) == len("今後") && (j >= len(p.tokens) || p.is(i+1, cOf)) {
		return value{has: fDays, first: p.today, until: p.today.AddDays(1), openEnd: true}, i + 1
	}
	return value{}, i
}

// runOf reads the length at j that a word at i says to lie behind or before us.
func (p *parser) runOf(i, j, n int) (value, int) {
	l, end, _ := p.lengthAt(j)
	if end == j || n == 0 {
		return value{}, i
	}
	if p.is(end, cWithin) {
		end++
	}
	if n < 0 {
		return p.span(l.scale(-1)), end
	}
	return p.span(l), end
}

// set reads what comes again: 毎週, every Wednesday, every 2 weeks.
func (p *parser) set(i int) (value, int) {
	t := p.tok(i)
	v := value{has: fSet}
	if t.class == cSet {
		return v, i + 1
	}
	j := i + 1
	if p.is(j, cOrdinal) {
		j++
	}
	if l, end, _ := p.lengthAt(j); end > j && l != (length{}) {
		return v, end
	}
	switch p.tok(j).class {
	case cUnit, cWeekday, cPart, cWeekdays, cMonth, cHoliday:
		return v, j + 1
	case cPeriodRel:
		if p.tok(j).b == unitWeekend {
			return v, j + 1
		}
	}
	return value{}, i
}
