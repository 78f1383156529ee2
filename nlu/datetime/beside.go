package datetime

import (
	"time"

	"annai/internal/civil"
)

// extend joins further components to v, over the small words between them.
func (p *parser) extend(v value, j int) (value, int) {
	for range 12 {
		if w, end := p.suffixed(v, j); end > j {
			v, j = w, end
			continue
		}
		w, end := p.further(v, j)
		if end == j {
			return v, j
		}
		v, j = w, end
	}
	return v, j
}

// further joins the next component to v. One in parentheses is joined with them: Friday (June 15).
func (p *parser) further(v value, j int) (value, int) {
	k := p.skipGlue(j)
	open := p.is(k, cOpen)
	if open {
		k++
	}
	if p.is(k, cDash) && p.tok(k).gap && p.tok(k+1).gap && v.isDay() && !v.any(timeFeatures) && p.is(k+1, cClock) { // 6 jan 2017 - 6:37am
		k++
	}
	w, end := p.component(k)
	if end == k {
		return v, j
	}
	u, ok := p.join(v, w)
	if !ok || open && !p.is(end, cClose) {
		return v, j
	}
	if open {
		end++
	}
	return u, end
}

// suffixed reads what may stand behind v and changes what it means as a whole: の週, の残り, の2日前, and a year behind a
// clock time.
func (p *parser) suffixed(v value, j int) (value, int) {
	k := j
	if p.is(k, cOf) && !p.tok(k).latin {
		k++
	}
	t := p.tok(k)
	switch {
	case t.class == cDayRel && t.b == ofThat && v.isDay() && !v.any(timeFeatures|fTo|fSet): // クリスマスの翌日
		return p.plusDays(v, t.a, k+1)
	case t.class == cDayRel && t.a == 0 && v.has == fYear && v.relYear: // 来年の今日
		return value{has: fYear | fMonth | fDom, year: v.year, month: int(p.today.Month), dom: p.today.Day, past: v.past}, k + 1
	case t.class == cSegment && t.a == segmentEnd && t.b == 0 && k > j && v.isDay() && !v.any(timeFeatures|fTo|fSet): // 明日の終わり
		return union(v, endOfDay()), k + 1
	case v.any(fSet) && !v.any(fClock) && (t.class == cAnd || t.class == cComma) && p.is(k+1, cWeekday): // every Monday and Wednesday
		v.each |= p.weekOf(k + 1)
		return v, k + 2
	case t.class == cUnit && !t.latin && t.a == unitWeek && k > j && v.isDay() && !v.any(timeFeatures|fTo|fSet|fLength):
		v.weekOf, v.name = true, ""
		return v, k + 1
	case t.class == cInside && (k == j || p.tok(k).end-p.tok(k).start > len("中")) && v.any(dateFeatures) && !v.any(fClock|fTo|fSet|fLength): // 今週中
		return v, k + 1
	case t.class == cRest && !t.latin && v.any(dateFeatures) && !v.any(timeFeatures|fTo|fSet|fLength|fSegment):
		v.rest, v.name = true, ""
		return v, k + 1
	case t.class == cNum && t.b == 4 && isYear(t.a) && k == j && v.any(fClock) && v.any(fDom) && !v.any(fYear|fTo) && !p.is(k+1, cUnit) && !p.tok(k+1).isNoun():
		v.has, v.year, v.past = v.has|fYear, t.a, t.a < p.today.Year
		return v, k + 1
	}
	return p.plus(v, j)
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
	if v.has == fYear && v.relYear && w.any(fYear) && !w.relYear { // 今年2020年
		return w, true
	}
	if v.has == fWeek|fWeekday && w.has == fDom { // next Friday the 13th
		return value{has: fWeekday | fDom, weekday: v.weekday, dom: w.dom}, true
	}
	if u, ok := p.dated(v, w); ok {
		return u, true
	}
	if u, ok := p.dated(w, v); ok {
		return u, true
	}
	return merge(v, w)
}

// dated joins a date to the day that says it in another way: this Friday 5/12, 明日1月16日. Without a year it is that nearest
// to the day.
func (p *parser) dated(day, date value) (value, bool) {
	oneDay := day.has == fDays && day.until == day.first.AddDays(1) || day.has == fWeek|fWeekday || day.has == fWeekday && day.named
	if !oneDay || date.has&^(fYear|fTo|timeFeatures) != fMonth|fDom || date.span != 0 {
		return value{}, false
	}
	d, ok := p.daysOf(day, p.today, false)
	if !ok {
		return value{}, false
	}
	if !date.any(fYear) {
		date.has, date.year = date.has|fYear, nearestYear(date, d.first)
	}
	date.conflict = d.first != civil.Date{Year: date.year, Month: time.Month(date.month), Day: date.dom}
	date.past = civil.Date{Year: date.year, Month: time.Month(date.month), Day: date.dom}.Before(p.today)
	return date, true
}

// nearestYear is the year in which the date is nearest to day.
func nearestYear(date value, day civil.Date) int {
	best, distance := day.Year, 1000
	for year := day.Year - 1; year <= day.Year+1; year++ {
		away := civil.Date{Year: year, Month: time.Month(date.month), Day: date.dom}.Sub(day)
		if away = max(away, -away); away < distance {
			best, distance = year, away
		}
	}
	return best
}

// skipGlue passes over the small words that may stand between two components.
func (p *parser) skipGlue(j int) int {
	for k := range 3 {
		switch p.tok(j + k).class {
		case cComma, cThe, cOf, cOn, cAt, cIn, cFor, cApprox:
			if p.is(j+k, cFor) && !p.is(j+k+1, cNum) && !p.is(j+k+1, cClock) && !p.is(j+k+1, cNoon) {
				return j + k
			}
			continue
		}
		return j + k
	}
	return j + 3
}
