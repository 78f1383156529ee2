package datetime

import (
	"slices"
	"strings"
	"time"

	"annai/civil"
)

// offset reads a length and from where it counts: 3日後, in 3 days, 2 weeks from Friday, 3日以内; or the
// length alone.
func (p *parser) offset(i int) (value, int) {
	l, j := p.lengthAt(i)
	if j == i {
		return value{}, i
	}
	if v, end := p.behindLength(i, l, j); end > i {
		return v, end
	}
	if l.weak || p.is(i, cArticle) && !l.hasClock() && !p.is(i-1, cFor) {
		return value{}, i // "3D" and "a day" say no length
	}
	return value{has: fLength, length: l}, j
}

// behindLength reads what follows the length l, which stands at i up to j, and says from where it
// counts.
func (p *parser) behindLength(i int, l length, j int) (value, int) {
	k := j
	if p.is(k, cApprox) || p.is(i-1, cFor) && p.is(k, cComma) {
		k++
	}
	t := p.tok(k)
	switch t.class {
	case cAfter, cFrom, cSince, cBefore:
		if v, end := p.offsetFrom(i, l.scale(t.direction()), k); end > k {
			return v, end
		}
		if t.class == cAfter && t.b != preposition {
			return p.shift(l, p.present()), k + 1
		}
	case cAgo:
		return p.shift(l.scale(-1), p.present()), k + 1
	case cRest: // two days later
		if t.a == restLater {
			return p.shift(l, p.present()), k + 1
		}
	case cWithin:
		return p.span(l, p.present()), k + 1
	case cEach:
		return value{has: fSet}, k + 1
	}
	if p.byThen(j) {
		return p.shift(l, p.present()), j
	}
	return value{}, i
}

// thenVerbs are what happens when a length is over (3日で戻ります), and not what takes so long or costs
// so much.
var thenVerbs = []string{"戻", "もど", "帰り", "帰って", "出発", "去り", "始ま", "始め", "開き", "開け"}

// byThen reports whether で follows the token before j and the length before it says when something
// happens (3日で戻ります), not how long it takes or costs (2時間でいくら, 徒歩5分で着きますか).
func (p *parser) byThen(j int) bool {
	rest, ok := strings.CutPrefix(p.text[p.tokens[j-1].end:], "で")
	if !ok {
		return false
	}
	rest = strings.TrimRight(rest, "。、.!！ ")
	const near = len("私はまた来週出発") // how far off the verb may be
	said := rest[:min(len(rest), near)]
	return rest == "" || slices.ContainsFunc(thenVerbs, func(verb string) bool { return strings.Contains(said, verb) })
}

// stillToCome reads あと3日.
func (p *parser) stillToCome(i int) (value, int) {
	if p.tok(i).n != stillToCome {
		return value{}, i
	}
	return p.runOf(i, i+1, 1)
}

// offsetPrefix reads "in 3 days", "in two days from today" and "within 2 hours".
func (p *parser) offsetPrefix(i int) (value, int) {
	j := i + 1
	for p.oneOf(j, cThe, cApprox) || p.is(j, cRel) && p.tok(j).a >= 1 {
		j++
	}
	l, end := p.lengthAt(j)
	if end == j || l.weak && l.days != 0 {
		return value{}, i
	}
	from := p.present()
	if p.oneOf(end, cFrom, cAfter, cSince) {
		if e, k := p.anchor(end + 1); k > end+1 {
			from, end = e, k
		}
	}
	if p.is(i, cWithin) || p.is(j-1, cRel) {
		return p.span(l, from), end
	}
	return p.shift(l, from), end
}

// signed reads +2 months and +15 minutes: from now.
func (p *parser) signed(i int) (value, int) {
	l, end := p.lengthAt(i + 1)
	if end == i+1 {
		return value{}, i
	}
	return p.shift(l, p.present()), end
}

// plus reads a length added to the day or instant v, or taken from it: next Tuesday +10 days,
// 昨日の2日前.
func (p *parser) plus(v value, j int) (value, int) {
	t, k, sign := p.tok(j), j+1, 0
	switch {
	case t.class == cPlus:
		sign = 1
	case t.class == cDash && t.gap && !p.tok(k).gap:
		sign = -1
	case t.class != cOf || t.latin:
		k = j
	}
	if n := p.tok(k); n.class != cNum || n.latin && sign == 0 || !v.isDay() && !v.any(fClock|fInstant) {
		return v, j
	}
	l, end := p.lengthAt(k)
	if sign == 0 && p.oneOf(end, cAgo, cAfter) && !p.tok(end).latin {
		sign = p.tok(end).direction()
		end++
	}
	e, ok := p.valid(v)
	if sign == 0 || end == k || !ok || l.hasClock() && e.Kind != KindTime {
		return v, j
	}
	return p.shift(l.scale(sign), e), end
}

// bound reads less than 3 days after tomorrow and more than 2 weeks ago: a range that ends or
// starts there.
func (p *parser) bound(i int) (value, int) {
	l, end := p.lengthAt(i + 1)
	if end == i+1 {
		return value{}, i
	}
	from, j := p.present(), end+1
	switch t := p.tok(end); t.class {
	case cAgo, cBefore, cAfter, cFrom:
		l = l.scale(t.direction())
		if t.class == cAgo {
			break
		}
		if from, j = p.anchor(end + 1); j == end+1 {
			return value{}, i
		}
	default:
		return value{has: fLength, length: l}, end
	}
	if p.tok(i).a < 0 {
		return p.span(l, from), j
	}
	v := p.shift(l, from)
	v.openStart, v.openEnd, v.exclusive = l.nominal < 0, l.nominal > 0, l.nominal < 0
	return v, j
}

// offsetFrom counts the length before i+1 from the day or time that follows a preposition at k. A
// length that something goes on for, or that starts there, is a range: for 3 days from today, 3
// days starting Monday.
func (p *parser) offsetFrom(i int, l length, k int) (value, int) {
	t := p.tok(k)
	if !t.latin {
		return value{}, k
	}
	from, end := p.anchor(k + 1)
	switch {
	case end == k+1:
		return value{}, k
	case t.class == cFrom && (t.b == starting || p.is(i-1, cFor)):
		return p.span(l, from), end
	}
	return p.shift(l, from), end
}

// anchor reads the expression from which a length counts and resolves it. From the meeting, or
// something else that is no time, nothing counts: the expression is then zero.
func (p *parser) anchor(i int) (Expression, int) {
	i = p.skip(i, cThe)
	v, j := p.sequence(i)
	e, ok := p.valid(v)
	if !ok || v.any(fLength|fSet) {
		return Expression{}, i
	}
	return e, j
}

// valid resolves a value, if it makes a time that exists.
func (p *parser) valid(v value) (Expression, bool) {
	e, ok := p.resolve(v)
	return e, ok && !e.Invalid
}

// present is now, from which lengths count.
func (p *parser) present() Expression {
	return Expression{Kind: KindTime, TimeRange: civil.TimeRange{Start: p.ref}}
}

// shift is the day or instant a length from another.
func (p *parser) shift(l length, from Expression) value {
	at := l.from(from.TimeRange.Start)
	fromNow := time.Duration(0)
	if from.Kind == KindTime && from.TimeRange.Start.Equal(p.ref) {
		fromNow = at.Sub(p.ref.Truncate(time.Second))
	}
	switch {
	case from.TimeRange.Start.IsZero() || !inYears(at):
		return value{invalid: true, has: fInstant}
	case l.hasClock() || from.Kind == KindTime && fromNow == 0:
		return value{has: fInstant, at: at, till: at, fromNow: fromNow, counted: fromNow == 0}
	}
	v := value{has: fDays, run: oneDay(civil.DateOf(at)), weekOffset: l.weeks, fromNow: fromNow}
	v.counted = fromNow == 0
	return v
}

// span is the time from another on for a length: 3日以内.
func (p *parser) span(l length, from Expression) value {
	start := from.TimeRange.Start
	till := l.from(start)
	if start.IsZero() || !inYears(till) {
		return value{invalid: true, has: fInstant}
	}
	if till.Before(start) {
		start, till = till, start
	}
	if l.hasClock() {
		return value{has: fInstant, at: start, till: till}
	}
	return value{has: fDays, run: run{civil.DateOf(start), civil.DateOf(till)}}
}

// run reads 過去3日間, 今後2週間, past 3 days and past month.
func (p *parser) run(i int) (value, int) {
	if p.is(i, cPast) && p.is(i+1, cUnit) && p.tok(i+1).a >= unitDay {
		return p.period(-1, p.tok(i+1).a), i + 2
	}
	if p.is(i, cNextN) {
		return p.runOf(i, i+1, 1)
	}
	return p.runOf(i, i+1, -1)
}

// runOf reads the length at j that a word at i says to lie behind us, as この3年 does, or before us.
func (p *parser) runOf(i, j, n int) (value, int) {
	l, end := p.lengthAt(j)
	if end == j || l.weak {
		return value{}, i
	}
	if p.is(end, cAgo) { // the last 3 months and 2 days ago
		if l, _, end = p.lengthTerm(j); p.is(end, cAgo) {
			return value{}, i
		}
	}
	if p.is(end, cWithin) {
		end++
	}
	if n <= 0 {
		l = l.scale(-1)
	}
	return p.span(l, p.present()), end
}

// countedAhead reads what is counted from now in a way of English: the 3 next weeks, 5 past
// minutes, two Sundays from now, 2 day after tomorrow.
func (p *parser) countedAhead(i int) (value, int) {
	n, t, unit := p.tok(i).a, p.tok(i+1), p.tok(i+2)
	if !p.is(i, cNum) || n < 1 || n >= 1000 {
		return value{}, i
	}
	switch {
	case t.class == cDayRel && t.b == ofUnit:
		return p.days(t.a / 2 * (n + 1)), i + 2
	case (t.class == cRel && t.a != 0 || t.class == cPast) && unit.class == cUnit && unit.b&plural != 0:
		l := unitLength(unit.a, n*1000)
		if t.class == cPast || t.a < 0 {
			l = l.scale(-1)
		}
		return p.span(l, p.present()), i + 3
	case t.class == cWeekday && unit.class == cAgo:
		return p.days(p.daysTo(t.a) - 7*n), i + 3
	case t.class == cWeekday && unit.class == cAfter && unit.b != preposition:
		return p.days((p.daysTo(t.a)+6)%7 + 1 + 7*(n-1)), i + 3
	}
	return value{}, i
}

// daysTo is how many days it is to the next day of the week, 0 if it is today.
func (p *parser) daysTo(weekday int) int { return (weekday - int(p.today.Weekday()) + 7) % 7 }
