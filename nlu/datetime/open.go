package datetime

import "unicode/utf8"

// openBehind reads a word behind v that leaves one end of it open: 金曜まで, 15時から, 9月1日前, Tuesday after 1pm.
func (p *parser) openBehind(v value, j int) (value, int) {
	t := p.tok(j)
	if t.latin && t.class != cSince {
		return p.openClock(v, j)
	}
	point := v.isDay() || v.any(fClock)
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
	case cBefore:
		v.openStart, v.exclusive, v.onDay = true, true, v.isDay() && v.any(fClock)
	case cAgo:
		if !point || !v.any(fClock) && p.wordGoesOn(j) {
			return v, j
		}
		v.openStart, v.exclusive, v.onDay = true, true, v.isDay() && v.any(fClock)
	case cAfter:
		if t.n == 1 || !point || !v.any(fClock) && p.wordGoesOn(j) {
			return v, j
		}
		v.openEnd = t.n == 0 || !v.any(fClock) // 8時過ぎ is still about eight
		v.exclusive = v.openEnd && !v.any(fClock)
		return v, j + 1
	case cOf: // の前, の後
		if k := j + 1; p.is(k, cAgo) || p.is(k, cAfter) && p.tok(k).n != 1 {
			if w, end := p.openBehind(v, k); end > k {
				return w, end
			}
		}
		return v, j
	default:
		return v, j
	}
	if !v.openStart && !v.openEnd {
		return v, j
	}
	return v, j + 1
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
		v.openStart, v.exclusive = true, !v.any(fSegment) || v.segment != segmentEnd // before the end of May is in May
	case cAfter:
		v.openEnd, v.exclusive = true, true
		return p.afterUntil(v, end)
	default:
		v.openEnd = true
	}
	return v, end
}

// wordGoesOn reports whether the token at j is the start of a longer word in kanji or katakana: 前 in 明日前橋で.
func (p *parser) wordGoesOn(j int) bool {
	r, _ := utf8.DecodeRuneInString(p.text[p.tokens[j].end:])
	return isJapanese(r) && !isHiragana(r)
}

// afterUntil reads the other end of a range of clock times: later than 3:30pm but before 6pm.
func (p *parser) afterUntil(v value, j int) (value, int) {
	k := j
	if p.is(k, cAnd) || p.tok(k).class == cWord && p.tok(k).a == functionWord {
		k++
	}
	if !p.is(k, cBefore) && !p.is(k, cUntil) || !p.tok(k).latin || !v.any(fClock) {
		return v, j
	}
	to, end := p.openPrefix(k)
	if end == k || !to.any(fClock) {
		return v, j
	}
	v.openEnd, to.openStart, v.exclusive, to.exclusive = false, false, false, false
	return p.rangeOf(v, to, end)
}

// openClock reads a clock time that bounds the day v: Tuesday after 1pm.
func (p *parser) openClock(v value, j int) (value, int) {
	switch p.tok(j).class {
	case cUntil, cBefore, cAfter:
	default:
		return v, j
	}
	if !v.isDay() || v.any(timeFeatures) || p.is(j, cAfter) && p.tok(j).b == 0 {
		return v, j
	}
	w, end := p.openPrefix(j)
	if end == j || !w.any(fClock) || w.any(dateFeatures|fTo) {
		return v, j
	}
	w.onDay = !p.is(j, cUntil)
	return union(v, w), end
}

// sinceUntil reads the end of a range behind its start and 以降: 6月以降7月いっぱい.
func (p *parser) sinceUntil(v value, j int) (value, int) {
	k := j + 1
	if p.is(k, cComma) {
		k++
	}
	to, end := p.rangeEnd(v, k)
	if end == k || !p.is(end, cUntil) && !p.is(end, cMiddle) || p.tok(end).latin {
		return v, j
	}
	return p.rangeOf(v, to, end)
}

// together reads years or months in a row as one range: 2020年、2021年.
func (p *parser) together(v value, j int) (value, int) {
	if p.tok(j).latin || v.has != fYear && v.has != fMonth && v.has != fMonth|fYear || v.relYear {
		return v, j
	}
	w, end := p.component(j + 1)
	if end == j+1 || w.has != v.has && w.has|fYear != v.has || w.relYear || p.tok(j+1).latin {
		return v, j
	}
	if v.has == fYear && w.year != v.year+1 || v.any(fMonth) && (w.month != v.month+1 || w.any(fYear) && w.year != v.year) {
		return v, j
	}
	return p.rangeOf(v, w, end)
}
