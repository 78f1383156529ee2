package datetime

// sequence joins the components that stand side by side from i on, as long as they can be of one expression.
func (p *parser) sequence(i int) (value, int) {
	v, j := p.component(i)
	if j == i {
		return v, i
	}
	return p.extend(v, j)
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
		if p.is(i, cFrom) && !bare && link != cAnd {
			v.openEnd = true
			return v, end
		}
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
	for p.is(j, cUntil) || p.is(j, cMiddle) || p.is(j, cInside) {
		j++
	}
	return from, j
}

// tail reads what may follow a sequence: the other end of a range, a length, or a word that leaves one end open.
func (p *parser) tail(v value, j int) (value, int) {
	t := p.tok(j)
	if v.any(fSet) {
		return v, p.setHours(v, j)
	}
	if v.any(fTo) {
		return p.closed(v, j)
	}
	if w, k := p.otherEnd(v, j); k > j {
		return w, k
	}
	if v.any(fLength) {
		return v, j
	}
	switch t.class {
	case cComma:
		return p.together(v, j)
	case cNow:
		if v.any(dateFeatures) && !t.gap && !t.latin { // 9月3日現在
			return v, j + 1
		}
	case cMiddle:
		if v.any(fDays|fWeek|fMonth) && !v.any(fDom) {
			return v, j + 1
		}
	}
	return p.openBehind(v, j)
}

// setHours is where the hours of what comes again end: every Monday from 7 to 9, 毎週火曜19時から21時.
func (p *parser) setHours(v value, j int) int {
	t := p.tok(j)
	switch {
	case v.any(fClock) && (t.class == cFrom || t.class == cTo || t.class == cDash):
		if to, end := p.rangeEnd(v, j+1); end > j+1 && to.any(fClock) {
			_, end = p.closed(value{has: fTo}, end)
			return end
		}
	case t.latin && (t.class == cFrom || t.class == cBetween):
		if w, end := p.between(j); end > j && w.any(fClock) {
			return end
		}
	}
	return j
}

// otherEnd reads the end of the range that starts with v, or the length for which it goes on.
func (p *parser) otherEnd(v value, j int) (value, int) {
	switch p.tok(j).class {
	case cFrom, cTo, cDash:
		if w, k := p.toEnd(v, j); k > j {
			return p.extendRange(w, k)
		}
	case cAnd:
		if to, k := p.rangeEnd(v, j+1); k > j+1 && p.is(k, cMiddle) {
			return p.rangeOf(v, to, k)
		}
	case cBetween:
		return p.fromClock(v, j)
	case cFor:
		return p.forLength(v, j)
	}
	return v, j
}

// closed passes over the words behind a range.
func (p *parser) closed(v value, j int) (value, int) {
	for v.any(fTo) && (p.is(j, cUntil) || p.is(j, cMiddle) || p.is(j, cInside)) && !p.tok(j).latin {
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
	if v.has == fWeekday && to.has == fWeekday|fClock && p.tok(j-1).latin { // Monday through Friday at 9:30 is on each of them
		to.has |= fSet
		to.each = days(v.weekday, to.weekday)
		return to, p.setHours(to, end)
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
