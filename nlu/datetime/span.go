package datetime

// sequence joins the components that stand side by side from i on, as long as they can be of one expression.
func (p *parser) sequence(i int) (value, int) {
	v, j := p.component(i)
	if j == i {
		return v, i
	}
	return p.extend(v, j)
}

// extend joins further components to v, over the small words between them.
func (p *parser) extend(v value, j int) (value, int) {
	for range 12 {
		k := p.skipGlue(j)
		w, end := p.component(k)
		if end == k {
			return v, j
		}
		u, ok := p.join(v, w)
		if !ok {
			return v, j
		}
		v, j = u, end
	}
	return v, j
}

// join merges two values, and a count of weeks with the weekday said behind it (2週間後の月曜).
func (p *parser) join(v, w value) (value, bool) {
	if v.weekOffset && v.any(fDays) && w.has == fWeekday {
		w.has, w.monday, w.past = fWeek|fWeekday, v.first.Monday(), v.past
		return w, true
	}
	if v.any(fDays) && w.has == fDom && w.dom == 1 { // 今日1日
		return v, true
	}
	return merge(v, w)
}

// skipGlue passes over the small words that may stand between two components.
func (p *parser) skipGlue(j int) int {
	for k := range 3 {
		switch p.tok(j + k).class {
		case cComma, cThe, cOf, cOn, cAt, cIn, cFor, cApprox:
			if p.is(j+k, cFor) && !p.is(j+k+1, cNum) {
				return j + k
			}
			continue
		}
		return j + k
	}
	return j + 3
}

// expression reads the longest expression that starts at i, ranges and open ranges included.
func (p *parser) expression(i int) (value, int) {
	t := p.tok(i)
	if t.latin {
		switch t.class {
		case cFrom, cBetween:
			if v, j := p.between(i); j > i {
				return p.extendRange(v, j)
			}
		case cUntil, cTo, cBefore, cSince, cAfter:
			if t.class == cAfter && t.b == 0 {
				return value{}, i
			}
			if v, j := p.openPrefix(i); j > i {
				return v, j
			}
		}
	}
	v, j := p.sequence(i)
	if j == i {
		return v, i
	}
	return p.tail(v, j)
}

// between reads "from A to B" and "between A and B".
func (p *parser) between(i int) (value, int) {
	outer := p.ranged
	p.ranged = true
	defer func() { p.ranged = outer }()
	j := i + 1
	if p.is(j, cThe) {
		j++
	}
	v, end := p.sequence(j)
	bare := end == j
	if bare {
		if !p.isBare(j) {
			return v, i
		}
		end = j + 1
	}
	if v.any(fTo) {
		return v, end
	}
	if !bare {
		if w, k := p.forLength(v, end); k > end {
			return w, k
		}
	}
	link := p.tok(end).class
	if link != cTo && link != cDash && link != cAnd && link != cUntil {
		if bare || p.is(i, cBetween) {
			return v, i
		}
		v.openEnd = true
		return v, end
	}
	to, k := p.rangeEnd(v, end+1)
	if k == end+1 {
		return v, i
	}
	if bare {
		if v = like(to, p.tok(j)); v.has == 0 {
			return v, i
		}
	}
	return p.rangeOf(v, to, k)
}

// isBare reports whether a number stands there whose sort the other end of its range will say.
func (p *parser) isBare(j int) bool {
	t := p.tok(j)
	return t.class == cNum && t.c == 0 && t.b >= 0 || t.class == cOrdinal
}

// like reads a bare number as what v is: an hour, a day of the month or a year.
func like(v value, t token) value {
	switch {
	case t.class == cOrdinal && t.a <= 31:
		return value{has: fDom, dom: t.a}
	case v.any(fClock) && t.a <= 24 && t.b <= 2:
		return value{has: fClock, hour: t.a}
	case v.any(fDom) && t.a >= 1 && t.a <= 31:
		return value{has: fDom, dom: t.a}
	case v.any(fYear) && isYear(t.a) && t.b == 4:
		return value{has: fYear, year: t.a}
	}
	return value{}
}

// rangeEnd reads the later end of a range whose start is v.
func (p *parser) rangeEnd(v value, i int) (value, int) {
	outer := p.ranged
	p.ranged = true
	defer func() { p.ranged = outer }()
	j := i
	for p.is(j, cThe) || p.is(j, cOf) {
		j++
	}
	w, end := p.sequence(j)
	if end > j && !w.any(fTo|fSet|fLength) {
		return w, end
	}
	t := p.tok(j)
	after := p.tok(j + 1)
	if !p.isBare(j) || after.class == cUnit || after.class == cPlace || after.class == cNum && after.n != 1 || v.has == 0 {
		return w, i
	}
	if after.isNoun() && after.latin && t.class == cNum && !v.any(dateFeatures) {
		return w, i
	}
	w = like(v, t)
	if w.has == 0 {
		return w, i
	}
	if w.any(fDom) {
		w, end = p.yearAfter(withMonth(w, v), j+1)
		return w, end
	}
	return w, j + 1
}

func withMonth(w, v value) value {
	if v.any(fMonth) {
		w.has, w.month = w.has|fMonth, v.month
	}
	return w
}

// rangeOf makes the range of two ends and passes over the words that close it.
func (p *parser) rangeOf(from, to value, j int) (value, int) {
	if from.any(fTo) || to.any(fTo) || (from.has|to.has)&(fLength|fSet) != 0 {
		return from, j
	}
	end := to
	from.to, from.has = &end, from.has|fTo
	from.name = ""
	for p.is(j, cUntil) || p.is(j, cMiddle) {
		j++
	}
	return from, j
}

// tail reads what may follow a sequence: the other end of a range, a length, or a word that leaves one end open.
func (p *parser) tail(v value, j int) (value, int) {
	t := p.tok(j)
	if v.any(fTo | fSet) {
		return p.closed(v, j)
	}
	switch t.class {
	case cFrom, cTo, cDash, cUntil:
		if w, k := p.toEnd(v, j); k > j {
			return p.extendRange(w, k)
		}
	case cAnd:
		if to, k := p.rangeEnd(v, j+1); k > j+1 && p.is(k, cMiddle) {
			return p.rangeOf(v, to, k)
		}
	case cBetween:
		if w, k := p.fromClock(v, j); k > j {
			return w, k
		}
	case cFor:
		if w, k := p.forLength(v, j); k > j {
			return w, k
		}
	}
	if v.any(fLength) {
		return v, j
	}
	switch t.class {
	case cFrom:
		if !t.latin && !v.any(fInstant) {
			v.openEnd = true
			return v, j + 1
		}
	case cUntil:
		if !t.latin {
			v.openStart = true
			return v, j + 1
		}
	case cSince:
		v.openEnd = true
		return v, j + 1
	case cBefore:
		if !t.latin {
			v.openStart, v.exclusive = true, true
			return v, j + 1
		}
	case cNow:
		if v.any(dateFeatures) && !t.gap && !t.latin { // 9月3日現在
			return v, j + 1
		}
	case cMiddle:
		if v.any(fDays|fWeek|fMonth) && !v.any(fDom) {
			return v, j + 1
		}
	}
	return v, j
}

// closed passes over the words behind a range.
func (p *parser) closed(v value, j int) (value, int) {
	for v.any(fTo) && (p.is(j, cUntil) || p.is(j, cMiddle)) && !p.tok(j).latin {
		j++
	}
	return v, j
}

// toEnd reads the connection at j and the other end, or the length, behind it.
func (p *parser) toEnd(v value, j int) (value, int) {
	t := p.tok(j)
	if t.class == cFrom && t.latin || t.class == cUntil && !t.latin || v.any(fLength) {
		if t.class == cFrom && t.latin {
			return p.fromClock(v, j)
		}
		return v, j
	}
	if t.class == cFrom || t.class == cFor {
		if w, k := p.forLength(v, j); k > j {
			return w, k
		}
	}
	k := j + 1
	if p.is(k, cComma) {
		k++
	}
	to, end := p.rangeEnd(v, k)
	if end == k || (v.any(fInstant) != to.any(fInstant)) && !v.any(fClock) && !to.any(fClock|fDays) {
		return v, j
	}
	return p.rangeOf(v, to, end)
}

// fromClock reads "tonight from 7 to 7:30pm": a day with a range of hours behind it.
func (p *parser) fromClock(v value, j int) (value, int) {
	if !v.any(dateFeatures) || v.any(fClock) {
		return v, j
	}
	w, end := p.between(j)
	if end == j {
		return v, j
	}
	u, ok := merge(v, w)
	if !ok {
		return v, j
	}
	return u, end
}

// forLength reads a length behind a start: 15時から2時間, 4pm for 30 mins, 今日から3日間.
func (p *parser) forLength(v value, j int) (value, int) {
	if !p.is(j, cFor) && !p.is(j, cFrom) || v.has == 0 || v.any(fTo) {
		return v, j
	}
	l, end, _ := p.lengthAt(j + 1)
	if end == j+1 {
		return v, j
	}
	if v.any(fClock) && l.hasClock() {
		v.length, v.has = l, v.has|fLength
		return v, end
	}
	e, ok := p.resolve(v)
	if !ok || e.Invalid {
		return v, j
	}
	last := p.tok(end - 1)
	switch p.tok(end).class {
	case cAfter:
		return p.shiftFrom(l, e), end + 1
	case cAgo:
		return p.shiftFrom(l.scale(-1), e), end + 1
	case cWithin:
		end++
	default:
		if last.class == cUnit && last.b&lengthOnly == 0 {
			return v, j // から12日 is a day, not a length
		}
	}
	if p.is(j, cFor) && !v.isDay() {
		return v, j
	}
	return p.spanFrom(l, e), end
}

// extendRange joins the day said behind a range of hours: between 2 and 4 on Friday.
func (p *parser) extendRange(v value, j int) (value, int) {
	if v.openEnd || v.any(fLength|fInstant) {
		return v, j
	}
	v, j = p.extend(v, j)
	return p.closed(v, j)
}

// openPrefix reads until Friday, by noon, since Monday, before May, after 3pm.
func (p *parser) openPrefix(i int) (value, int) {
	t := p.tok(i)
	j := i + 1
	if p.is(j, cThe) {
		j++
	}
	outer := p.ranged
	p.ranged = true
	v, end := p.sequence(j)
	p.ranged = outer
	if end == j && p.isBare(j) && t.class == cUntil && p.tok(j).class == cNum && p.tok(j).a <= 12 && p.tok(j).b <= 2 && (end+1 >= len(p.tokens)) {
		v, end = value{has: fClock, hour: p.tok(j).a}, j+1
	}
	if end == j || v.any(fLength|fSet|fTo) || t.class == cTo && p.tok(i).end-p.tok(i).start < 4 {
		return value{}, i
	}
	switch t.class {
	case cUntil, cTo:
		v.openStart = true
	case cBefore:
		v.openStart, v.exclusive = true, true
	case cAfter:
		v.openEnd, v.exclusive = true, true
	default:
		v.openEnd = true
	}
	return v, end
}

// numberRange reads two numbers that share what follows or precedes them: 14〜16時, 3-8pm, 10-22 August.
func (p *parser) numberRange(i int) (value, int) {
	a, link, b := p.tok(i), p.tok(i+1), p.tok(i+2)
	linked := link.class == cDash || link.class == cTo || link.class == cFrom && !link.latin ||
		link.class == cAnd && p.is(i-1, cBetween) && p.ranged
	if !linked || a.class != cNum || a.b < 0 || a.b > 2 || a.c != 0 || b.class != cNum && b.class != cClock {
		return value{}, i
	}
	if b.class == cNum && (b.b < 0 || b.b > 2 || b.c != 0) {
		return value{}, i
	}
	for _, read := range [...]func(int, token, token) (value, int){p.unitRange, p.monthRange, p.hourRange} {
		if v, j := read(i, a, b); j > i {
			return v, j
		}
	}
	return value{}, i
}

// unitRange reads 14〜16時 and 3〜5日.
func (p *parser) unitRange(i int, a, b token) (value, int) {
	unit := p.tok(i + 3)
	if b.class != cNum || unit.class != cUnit || unit.b&lengthOnly != 0 || unit.latin {
		return value{}, i
	}
	if unit.a == unitHour && a.a <= 30 {
		to, end := p.clock(i + 2)
		if end == i+2 {
			return value{}, i
		}
		return p.rangeOf(value{has: fClock, hour: a.a}, to, end)
	}
	to, end := p.counted(i+2, b, unit)
	if end == i+2 || to.any(fYear) {
		return value{}, i
	}
	from := to
	from.dom, from.month = a.a, a.a
	return p.rangeOf(from, to, end)
}

// monthRange reads 10-22 August 2012.
func (p *parser) monthRange(i int, a, b token) (value, int) {
	if b.class != cNum || a.a < 1 || a.a > 31 {
		return value{}, i
	}
	to, end := p.dayMonth(i+2, b.a)
	if end == i+2 {
		return value{}, i
	}
	return p.rangeOf(value{has: fDom, dom: a.a}, to, end)
}

// hourRange reads 3-8pm, and two bare hours where a day or "from" stands beside them.
func (p *parser) hourRange(i int, a, b token) (value, int) {
	if a.a > 24 || b.class == cNum && b.a > 24 {
		return value{}, i
	}
	from := value{has: fClock, hour: a.a}
	if to, end := p.clock(i + 2); end > i+2 {
		return p.rangeOf(from, to, end)
	}
	if b.class == cClock {
		return value{}, i
	}
	next := p.tok(i + 3)
	if next.class == cPlace || next.class == cUnit || next.class == cNum || next.class == cMonth || next.class == cDash || next.class == cTo {
		return value{}, i
	}
	before := p.tok(i - 1).class
	beside := before == cWeekday || before == cDayRel || before == cDayPartRel || before == cAt || before == cPart ||
		(before == cFrom || before == cBetween) && p.ranged && !next.isNoun() || p.dayBehind(i+3)
	if !beside {
		return value{}, i
	}
	return p.rangeOf(from, value{has: fClock, hour: b.a}, i+3)
}

// dayBehind reports whether a day follows: next Monday, on Friday, tomorrow.
func (p *parser) dayBehind(i int) bool {
	for p.is(i, cOn) || p.is(i, cOf) {
		i++
	}
	switch p.tok(i).class {
	case cRel:
		return p.is(i+1, cWeekday) || p.is(i+1, cPart)
	case cWeekday, cDayRel, cDayPartRel, cYMD:
		return true
	}
	return false
}
