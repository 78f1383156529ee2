package datetime

import "unicode/utf8"

// openBehind reads a word behind v that leaves one end of it open: 金曜まで, 15時から, 9月1日前, Tuesday
// after 1pm.
func (p *parser) openBehind(v value, j int) (value, int) {
	t := p.tok(j)
	if t.latin && t.class != cSince {
		return p.openClock(v, j)
	}
	point := v.isDay() || v.any(fClock)
	if p.oneOf(j, cAgo, cAfter) && (!point || !p.isAfter(v, j)) {
		return v, j
	}
	switch t.class {
	case cFrom:
		v.openEnd = !v.any(fInstant)
	case cUntil:
		v.openStart = t.n != ofLonger || !point
	case cSince:
		if w, k := p.sinceUntil(v, j); k > j {
			return w, k
		}
		v.openEnd = true
	case cBefore, cAgo:
		v.openStart, v.exclusive, v.onDay = true, true, v.isDay() && v.any(fClock)
	case cAfter:
		v.openEnd = t.n != goneBy || !v.any(fClock) // 8時過ぎ is still about eight
		v.exclusive = !v.any(fClock)
		return v, j + 1
	default:
		return v, j
	}
	if !v.openStart && !v.openEnd {
		return v, j
	}
	return v, j + 1
}

// isAfter reports whether 前 or 後 at j is said of v, and is not the start of another word.
func (p *parser) isAfter(v value, j int) bool {
	return p.tok(j).n != stillToCome && (v.any(fClock) || !p.wordGoesOn(j))
}

// openPrefix reads until Friday, by noon, since Monday, before May, after 3pm.
func (p *parser) openPrefix(i int) (value, int) {
	t, j := p.tok(i), p.skip(i+1, cThe)
	if p.oneOf(i, cTo, cAfter) && t.b == 0 { // to, from now
		return value{}, i
	}
	v, end := p.inRange(j, (*parser).sequence)
	if hour := p.tok(j); end == j && t.class == cUntil && hour.class == cNum && hour.a <= 12 && end+1 >= len(p.tokens) {
		v, end = at(hour.a, 0), j+1
	}
	if end == j || v.any(fLength|fSet|fTo) {
		return value{}, i
	}
	switch t.class {
	case cUntil, cTo:
		v.openStart = true
	case cBefore:
		v.openStart, v.exclusive = true, !v.any(fSegment) || v.segment != segmentEnd // before the end of May is in May
	case cAfter:
		v.openEnd, v.exclusive = true, true
		return p.afterUntil(v, end)
	default:
		v.openEnd = true
	}
	return v, end
}

// wordGoesOn reports whether the token at j is the start of a longer word in kanji or katakana: 前
// in 明日前橋で.
func (p *parser) wordGoesOn(j int) bool {
	r, _ := utf8.DecodeRuneInString(p.text[p.tokens[j].end:])
	return isJapanese(r) && !isHiragana(r)
}

// afterUntil reads the other end of a range of clock times: later than 3:30pm but before 6pm.
func (p *parser) afterUntil(v value, j int) (value, int) {
	k := j
	if p.is(k, cAnd) || p.tok(k).a == functionWord && p.is(k, cWord) {
		k++
	}
	if !p.oneOf(k, cBefore, cUntil) || !v.any(fClock) {
		return v, j
	}
	to, end := p.openPrefix(k)
	if !to.any(fClock) {
		return v, j
	}
	v.openEnd, to.openStart, v.exclusive, to.exclusive = false, false, false, false
	return p.rangeOf(v, to, end)
}

// openClock reads a clock time that bounds the day v: Tuesday after 1pm.
func (p *parser) openClock(v value, j int) (value, int) {
	if !p.oneOf(j, cUntil, cBefore, cAfter) || !v.isDay() || v.any(timeFeatures) {
		return v, j
	}
	w, end := p.openPrefix(j)
	if !w.any(fClock) || w.any(dateFeatures|fTo) {
		return v, j
	}
	w.onDay = !p.is(j, cUntil)
	return union(v, w), end
}

// sinceUntil reads the end of a range behind its start and 以降: 6月以降7月いっぱい.
func (p *parser) sinceUntil(v value, j int) (value, int) {
	to, end := p.rangeEnd(v, j+1)
	if end == j+1 || !p.oneOf(end, cUntil, cMiddle) {
		return v, j
	}
	return p.rangeOf(v, to, end)
}

// together reads years or months in a row as one range: 2020年、2021年.
func (p *parser) together(v value, j int) (value, int) {
	year, month := v.has == fYear && !v.relYear, v.has&^fYear == fMonth
	if p.tok(j).latin || !year && !month {
		return v, j
	}
	w, end := p.component(j + 1)
	if year && w.has == fYear && w.year == v.year+1 || month && w.has&^fYear == fMonth && w.month == v.month+1 {
		return p.rangeOf(v, w, end)
	}
	return v, j
}
