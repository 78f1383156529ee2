package datetime

import (
	"time"

	"annai/civil"
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
	apart := p.is(k, cDash) && p.tok(k).gap && p.tok(k+1).gap
	if apart && p.is(k+1, cClock) && v.isDay() && !v.any(timeFeatures) { // 6 jan 2017 - 6:37am
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

// suffixes are words in Japanese behind a value that change what it means as a whole.
var suffixes = [...]struct {
	class    class
	a, b     int     // which word of the class
	of       bool    // behind の
	has, not feature // what the value names, and does not name
	change   func(v *value)
}{
	{cSegment, segmentEnd, 0, true, dayFeatures, notOneDay, (*value).makeDue},      // 明日の終わり
	{cUnit, unitWeek, lengthOnly, true, dayFeatures, notOneDay, (*value).makeWeek}, // 18日の週
	{cRest, restAll, 0, false, dateFeatures, 0, (*value).makeRest},                 // 今週の残り
}

func (v *value) makeDue()  { *v = union(*v, endOfDay()) }
func (v *value) makeWeek() { v.weekOf, v.name = true, "" }
func (v *value) makeRest() { v.rest, v.name = true, "" }

// notOneDay are features of what is more than a day, or not all of it.
const notOneDay = fWeekend | fWorkdays | timeFeatures | fTo | fSet

// suffixed reads what may stand behind v and changes what it means as a whole: の週, の残り, の2日前, and a
// year behind a clock time.
func (p *parser) suffixed(v value, j int) (value, int) {
	if p.tok(j).class == cWord {
		return v, j
	}
	k := j
	if p.is(k, cOf) && !p.tok(k).latin {
		k++
	}
	t, of := p.tok(k), k > j
	for _, s := range &suffixes {
		said := s.class == t.class && s.a == t.a && s.b == t.b && !t.latin && (of || !s.of)
		if said && v.any(s.has) && !v.any(s.not) {
			s.change(&v)
			return v, k + 1
		}
	}
	switch t.class {
	case cInside: // 今週中
		if !of || t.b != rightBehind {
			return p.wholeOf(v, j, k)
		}
	case cAnd, cComma:
		return p.alsoOn(v, j)
	case cDayRel:
		return p.dayFromThat(v, j, k)
	case cNum:
		return p.clockYear(v, j)
	}
	return p.plus(v, j)
}

// wholeOf passes over 中 at k behind a longer time, which it is all of anyway.
func (p *parser) wholeOf(v value, j, k int) (value, int) {
	if !v.any(dateFeatures) || v.any(fClock) {
		return v, j
	}
	return v, k + 1
}

// alsoOn reads every Monday and Wednesday.
func (p *parser) alsoOn(v value, j int) (value, int) {
	if !v.any(fSet) || v.any(fClock) || !p.is(j+1, cWeekday) {
		return v, j
	}
	v.each |= p.weekOf(j + 1)
	return v, j + 2
}

// dayFromThat reads クリスマスの翌日 and 来年の今日; k is where the day stands.
func (p *parser) dayFromThat(v value, j, k int) (value, int) {
	t := p.tok(k)
	if t.b == ofThat && v.any(dayFeatures) && !v.any(notOneDay) {
		if e, ok := p.valid(v); ok {
			return p.shift(length{days: t.a}, e), k + 1
		}
	}
	if t.a == 0 && v.has == fYear {
		v.has, v.month, v.dom = fYear|fMonth|fDom, int(p.today.Month), p.today.Day
		return v, k + 1
	}
	return v, j
}

// clockYear reads the year of a date behind its clock time: June 5 at 3pm 2026.
func (p *parser) clockYear(v value, j int) (value, int) {
	dayWithoutYear := v.any(fClock) && v.has&(fDom|fYear|fTo) == fDom
	if !dayWithoutYear || !p.isYearAt(j) || p.goesOn(j+1) {
		return p.plus(v, j)
	}
	v.has, v.year = v.has|fYear, p.tok(j).a
	return v, j + 1
}

// join merges two values, and a count of weeks with the weekday said behind it (2週間後の月曜).
func (p *parser) join(v, w value) (value, bool) {
	if v.weekOffset && v.any(fDays) && w.has == fWeekday {
		w.has, w.monday = fWeek|fWeekday, v.run.first.Monday()
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

// dated joins a date to the day that says it in another way: this Friday 5/12, 明日1月16日. Without a
// year it is that nearest to the day.
func (p *parser) dated(day, date value) (value, bool) {
	known := day.has == fDays && day.run.isDay()
	isDay := known || day.has == fWeek|fWeekday || day.has == fWeekday && day.named
	if !isDay || date.has&^(fYear|fTo|timeFeatures) != fMonth|fDom || date.span != 0 {
		return value{}, false
	}
	d, _ := p.daysOf(day, p.today, false)
	if !date.any(fYear) {
		date.has, date.year = date.has|fYear, nearestYear(date, d.first)
	}
	date.conflict = d.first != civil.Date{Year: date.year, Month: time.Month(date.month), Day: date.dom}
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
		case cArticle: // 5 July, a Sunday
			if p.is(j+k-1, cComma) && p.is(j+k+1, cWeekday) {
				continue
			}
		case cComma, cThe, cOf, cOn, cAt, cIn, cFor, cApprox:
			if p.is(j+k, cFor) && !p.oneOf(j+k+1, cNum, cClock, cNoon) {
				return j + k
			}
			continue
		}
		return j + k
	}
	return j + 3
}
