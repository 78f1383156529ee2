package datetime

// sequence joins the components that stand side by side from i on, as long as they can be of one
// expression.
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
	switch {
	case t.latin && p.oneOf(i, cFrom, cBetween):
		if v, j := p.between(i); j > i {
			return p.extend(v, j)
		}
	case t.latin && p.oneOf(i, cUntil, cTo, cBefore, cSince, cAfter):
		if v, j := p.openPrefix(i); j > i {
			return v, j
		}
	}
	v, j := p.sequence(i)
	if j == i {
		return v, i
	}
	return p.tail(v, j)
}

// between reads "from A to B" and "between A and B".
func (p *parser) between(i int) (value, int) { return p.inRange(i, (*parser).fromTo) }

func (p *parser) fromTo(i int) (value, int) {
	j := p.skip(i+1, cThe)
	v, end := p.sequence(j)
	bare := end == j
	switch {
	case bare && !p.isBare(j):
		return value{}, i
	case bare:
		end = j + 1
	case v.any(fTo):
		return v, end
	default:
		if w, k := p.forLength(v, end); k > end {
			return w, k
		}
	}
	if p.oneOf(end, cTo, cDash, cAnd) {
		to, k := p.rangeEnd(v, end+1)
		if bare {
			v = like(to, p.tok(j))
		}
		if k > end+1 && v.has != 0 {
			return p.rangeOf(v, to, k)
		}
	}
	if bare || p.is(i, cBetween) || p.is(end, cAnd) {
		return value{}, i
	}
	v.openEnd = true
	return v, end
}

// isBare reports whether a number stands there whose sort the other end of its range will say.
func (p *parser) isBare(j int) bool { return p.is(j, cOrdinal) || p.is(j, cNum) && p.tok(j).b >= 0 }

// like reads a bare number as what v is: an hour or a day of the month.
func like(v value, t token) value {
	switch {
	case v.any(fClock) && t.class == cNum && t.a <= 24:
		return at(t.a, 0)
	case isDom(t.a) && (t.class == cOrdinal || v.any(fDom)):
		return value{has: fDom, dom: t.a}
	}
	return value{}
}

// rangeEnd reads the later end of a range whose start is v.
func (p *parser) rangeEnd(v value, i int) (value, int) {
	j := p.skip(i, cThe, cOf)
	w, end := p.inRange(j, (*parser).sequence)
	if end > j && !w.any(fTo|fSet|fLength) {
		return w, end
	}
	if v.has == 0 || !p.isBare(j) || p.oneOf(j+1, cUnit, cPlace) {
		return w, i
	}
	w = like(v, p.tok(j))
	switch {
	case w.has == 0:
		return w, i
	case w.any(fDom):
		return p.yearAfter(w, j+1)
	}
	return w, j + 1
}

// rangeOf makes the range of two ends and passes over the words that close it.
func (p *parser) rangeOf(from, to value, j int) (value, int) {
	if (from.has|to.has)&(fTo|fLength|fSet) != 0 {
		return from, j
	}
	end := to
	from.to, from.has, from.name = &end, from.has|fTo, ""
	return from, p.skip(j, cUntil, cMiddle, cInside)
}

// tail reads what may follow a sequence: the other end of a range, a length, or a word that leaves
// one end open.
func (p *parser) tail(v value, j int) (value, int) {
	switch {
	case p.tok(j).class == cWord:
		return v, j
	case v.any(fSet):
		return v, p.setHours(v, j)
	case v.any(fTo):
		return v, j
	}
	if w, k := p.otherEnd(v, j); k > j || v.any(fLength) {
		return w, k
	}
	switch t := p.tok(j); {
	case t.class == cComma:
		return p.together(v, j)
	case t.class == cNow && v.any(dateFeatures) && !t.latin && !t.gap: // 9月3日現在
		return v, j + 1
	case t.class == cMiddle && v.any(fDays|fWeek|fMonth) && !v.any(fDom):
		return v, j + 1
	}
	k := j
	if p.is(j, cOf) && p.oneOf(j+1, cAgo, cAfter) { // の前, の後
		k++
	}
	if w, end := p.openBehind(v, k); end > k {
		return w, end
	}
	return v, j
}

// setHours is where the hours of what comes again end: every Monday from 7 to 9, 毎週火曜19時から21時.
func (p *parser) setHours(v value, j int) int {
	if p.tok(j).latin && p.oneOf(j, cFrom, cBetween) {
		if w, end := p.between(j); w.any(fClock) {
			return end
		}
	}
	if v.any(fClock) && p.oneOf(j, cFrom, cTo, cDash) {
		if to, end := p.rangeEnd(v, j+1); to.any(fClock) {
			return p.closed(end)
		}
	}
	return j
}

// otherEnd reads the end of the range that starts with v, or the length for which it goes on.
func (p *parser) otherEnd(v value, j int) (value, int) {
	switch t := p.tok(j); {
	case t.class == cBetween, t.class == cFrom && t.latin:
		if w, k := p.fromClock(v, j); k > j {
			return p.extend(w, k)
		}
	case t.class == cFor:
		return p.forLength(v, j)
	case p.oneOf(j, cFrom, cTo, cDash) && !v.any(fLength):
		if w, k := p.toEnd(v, j); k > j {
			return p.extend(w, k)
		}
	case t.class == cAnd:
		if to, k := p.rangeEnd(v, j+1); k > j+1 && p.is(k, cMiddle) {
			return p.rangeOf(v, to, k)
		}
	}
	return v, j
}

// closed passes over the words behind a range.
func (p *parser) closed(j int) int {
	for p.oneOf(j, cUntil, cMiddle, cInside) && !p.tok(j).latin {
		j++
	}
	return j
}

// toEnd reads the connection at j and the other end, or the length, behind it.
func (p *parser) toEnd(v value, j int) (value, int) {
	if p.is(j, cFrom) {
		if w, k := p.forLength(v, j); k > j {
			return w, k
		}
	}
	k := j + 1
	if p.is(k, cComma) {
		k++
	}
	to, end := p.rangeEnd(v, k)
	apart := k > j+1 && to.has == fInstant                                // 18時から、15分前に知らせて
	moved := p.is(j, cTo) && v.has == fClock && to.has&^dateFeatures == 0 // move my 3 pm to Friday
	switch {
	case end == k, apart, moved:
		return v, j
	case v.has == fWeekday && to.has == fWeekday|fClock && p.tok(j-1).latin: // Monday through Friday at 9:30
		to.has |= fSet
		to.each = days(v.weekday, to.weekday)
		return to, p.setHours(to, end)
	}
	return p.rangeOf(v, to, end)
}

// fromClock reads "tonight from 7 to 7:30pm": a day with a range of hours behind it.
func (p *parser) fromClock(v value, j int) (value, int) {
	w, end := p.between(j)
	u, ok := merge(v, w)
	if end == j || !ok || v.any(fClock) {
		return v, j
	}
	return u, end
}

// forLength reads a length behind a start: 15時から2時間, 4pm for 30 mins, 今日から3日間.
func (p *parser) forLength(v value, j int) (value, int) {
	if !p.oneOf(j, cFor, cFrom) {
		return v, j
	}
	l, end := p.lengthAt(j + 1)
	if end == j+1 {
		return v, j
	}
	if v.any(fClock) && l.hasClock() {
		v.length, v.has = l, v.has|fLength
		return v, end
	}
	e, ok := p.valid(v)
	unit, behind := p.tok(end-1), p.tok(end)
	switch {
	case !ok:
		return v, j
	case behind.class == cAfter, behind.class == cAgo:
		return p.shift(l.scale(behind.direction()), e), end + 1
	case behind.class == cWithin:
		end++
	case unit.class == cUnit && unit.b&lengthOnly == 0:
		return v, j // から12日 is a day, not a length
	}
	if p.is(j, cFor) && !v.isDay() {
		return v, j
	}
	return p.span(l, e), end
}
