package datetime

import (
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
)

// offset reads a length and from where it counts: 3日後, in 3 days, 2 weeks from Friday, 3日以内; or the length alone.
func (p *parser) offset(i int) (value, int) {
	if p.is(i, cIn) || p.is(i, cWithin) {
		return p.offsetPrefix(i)
	}
	l, j, weeks := p.lengthAt(i)
	if j == i {
		return value{}, i
	}
	if v, end, ok := p.offsetBehind(i, l, j, weeks); ok {
		return v, end
	}
	if l.weak || p.is(i, cArticle) && l.seconds == 0 && !p.is(i-1, cFor) {
		return value{}, i // "3D" and "a day" say no length
	}
	return value{has: fLength, length: l}, j
}

// offsetBehind reads what follows the length l, which stands at i up to j, and says from where it counts.
func (p *parser) offsetBehind(i int, l length, j int, weeks bool) (v value, end int, ok bool) {
	k := j
	if p.is(k, cApprox) || p.is(i-1, cFor) && p.is(k, cComma) && p.is(k+1, cFrom) {
		k++
	}
	t := p.tok(k)
	switch t.class {
	case cAfter, cFrom, cSince:
		if v, end := p.offsetFrom(i, l, k); end > k {
			v.weekOffset = weeks
			return v, end, true
		}
		if t.class == cAfter && t.b == 0 && t.n != 1 {
			return p.shift(l, weeks), k + 1, true
		}
	case cBefore:
		if v, end := p.offsetFrom(i, l.scale(-1), k); end > k {
			return v, end, true
		}
	case cAgo:
		return p.shift(l.scale(-1), weeks), k + 1, true
	case cRest: // two days later
		if t.a == restLater {
			return p.shift(l, weeks), k + 1, true
		}
	case cWithin:
		return p.span(l), k + 1, true
	case cEach:
		return value{has: fSet}, k + 1, true
	}
	if p.byThen(j) {
		return p.shift(l, weeks), j, true
	}
	return value{}, i, false
}

// byThen reports whether で follows the token before j and the length before it says when something happens (3日で戻ります),
// not how long it takes or costs (2時間でいくら, 徒歩5分で着きますか).
func (p *parser) byThen(j int) bool {
	rest, ok := strings.CutPrefix(p.text[p.tokens[j-1].end:], "で")
	if !ok {
		return false
	}
	rest = strings.TrimRight(rest, "。、.!！ ")
	if rest == "" {
		return true
	}
	const near = len("私はまた来週出発") // how far off the verb may be
	verbs := rest[:min(len(rest), near)]
	return slices.ContainsFunc([]string{"戻", "もど", "帰り", "帰って", "出発", "去り", "始ま", "始め", "開き", "開け"}, func(verb string) bool {
		return strings.Contains(verbs, verb)
	})
}

// offsetPrefix reads "in 3 days", "in two days from today" and "within 2 hours".
func (p *parser) offsetPrefix(i int) (value, int) {
	j := i + 1
	for p.is(j, cThe) || p.is(j, cRel) && p.tok(j).a >= 1 || p.is(j, cApprox) {
		j++
	}
	l, end, weeks := p.lengthAt(j)
	if end == j || p.is(end, cPast) || l.weak && l.days != 0 {
		return value{}, i
	}
	if p.is(i, cWithin) || p.is(j-1, cRel) {
		if p.is(end, cFrom) || p.is(end, cAfter) {
			if v, k := p.anchor(end + 1); k > end+1 {
				return p.spanFrom(l, v), k
			}
		}
		return p.span(l), end
	}
	if p.is(end, cFrom) || p.is(end, cAfter) || p.is(end, cSince) {
		if v, k := p.offsetFrom(i, l, end); k > end {
			return v, k
		}
	}
	return p.shift(l, weeks), end
}

// signed reads +2 months and +15 minutes: from now.
func (p *parser) signed(i int) (value, int) {
	l, end, weeks := p.lengthAt(i + 1)
	if end == i+1 || p.tok(i+1).gap {
		return value{}, i
	}
	return p.shift(l, weeks), end
}

// plus reads a length added to the day or instant v, or taken from it: next Tuesday +10 days, 昨日の2日前.
func (p *parser) plus(v value, j int) (value, int) {
	if !v.isDay() && !v.any(fClock|fInstant) || v.any(fTo|fSet|fLength|fPart) {
		return v, j
	}
	t, k := p.tok(j), j
	sign := 0
	switch {
	case t.class == cPlus:
		sign, k = 1, j+1
	case t.class == cDash && t.gap && !p.tok(j+1).gap:
		sign, k = -1, j+1
	case t.class == cOf && !t.latin:
		k = j + 1
	}
	if n := p.tok(k); n.class != cNum || n.latin && sign == 0 {
		return v, j
	}
	l, end, _ := p.lengthAt(k)
	if end == k || l.hasClock() && !v.any(fClock|fInstant) || !l.hasClock() && v.any(fClock) && sign == 0 {
		return v, j
	}
	if sign == 0 {
		switch after := p.tok(end); {
		case after.class == cAgo && !after.latin:
			sign = -1
		case after.class == cAfter && !after.latin:
			sign = 1
		default:
			return v, j
		}
		end++
	}
	e, ok := p.resolve(v)
	if !ok || e.Invalid {
		return v, j
	}
	return p.shiftFrom(l.scale(sign), e), end
}

// plusDays is the day n days after the day v, whose words end at j.
func (p *parser) plusDays(v value, n, j int) (value, int) {
	e, ok := p.resolve(v)
	if !ok || e.Invalid {
		return v, j
	}
	return p.shiftFrom(length{days: n}, e), j
}

// bound reads less than 3 days after tomorrow and more than 2 weeks ago: a range that ends or starts there.
func (p *parser) bound(i int) (value, int) {
	l, end, _ := p.lengthAt(i + 1)
	if end == i+1 {
		return value{}, i
	}
	from, j := Expression{Kind: KindTime, TimeRange: civil.TimeRange{Start: p.ref}}, end+1
	switch t := p.tok(end); {
	case t.class == cAgo:
		l = l.scale(-1)
	case t.class == cAfter && t.b == 0:
	case t.class == cAfter || t.class == cFrom || t.class == cBefore:
		if from, j = p.anchor(end + 1); j == end+1 {
			return value{}, i
		}
		if t.class == cBefore {
			l = l.scale(-1)
		}
	default:
		return value{has: fLength, length: l}, end
	}
	if p.tok(i).a < 0 {
		return p.spanFrom(l, from), j
	}
	v := p.shiftFrom(l, from)
	v.openStart, v.openEnd, v.exclusive = l.nominal < 0, l.nominal > 0, l.nominal < 0
	return v, j
}

// offsetFrom counts the length before i+1 from the day or time that follows a preposition at k. A length that something
// goes on for, or that starts there, is a range: for 3 days from today, 3 days starting Monday.
func (p *parser) offsetFrom(i int, l length, k int) (value, int) {
	t := p.tok(k)
	if !t.latin || t.class == cSince && !p.is(i, cIn) {
		return value{}, k
	}
	v, end := p.anchor(k + 1)
	if end == k+1 {
		return value{}, k
	}
	if t.class == cFrom && (t.b == 1 || p.is(i-1, cFor)) {
		return p.spanFrom(l, v), end
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
	if n == 0 && !p.tok(i).latin {
		n = -1 // この3年
	}
	if end == j || n == 0 || l.weak {
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
	if n < 0 {
		return p.span(l.scale(-1)), end
	}
	return p.span(l), end
}

// countedAhead reads what is counted from now in a way of English: the 3 next weeks, 5 past minutes, two Sundays from now, 2 day
// after tomorrow.
func (p *parser) countedAhead(i int) (value, int) {
	n, t := p.tok(i).a, p.tok(i+1)
	if !t.latin || p.tok(i).b > 2 || p.tok(i).b < 0 {
		return value{}, i
	}
	switch unit := p.tok(i + 2); {
	case t.class == cDayRel && t.b == ofUnit && n > 0 && n < 1000:
		if t.a < 0 {
			n = -n
		}
		return p.days(n + t.a/2), i + 2
	case (t.class == cRel && t.a != 0 || t.class == cPast) && unit.class == cUnit && unit.b&plural != 0:
		l := unitLength(unit.a, n*1000)
		if t.class == cPast || t.a < 0 {
			l = l.scale(-1)
		}
		return p.span(l), i + 3
	case t.class == cWeekday && n > 0 && n < 100 && (unit.class == cAgo || unit.class == cAfter && unit.b == 0):
		ahead := (t.a - int(p.today.Weekday()) + 7) % 7
		if unit.class == cAgo {
			return p.days(ahead - 7*n), i + 3
		}
		if ahead == 0 {
			ahead = 7
		}
		return p.days(ahead + 7*(n-1)), i + 3
	}
	return value{}, i
}
