package datetime

import (
	"time"

	"annai/internal/civil"
)

// resolveTime makes the expression of a clock time or a part of a day.
func (p *parser) resolveTime(v value) (Expression, bool) {
	from, till, other, assumed := v.interval()
	e := Expression{Kind: KindTime, Name: Range, Assumed: assumed, Holiday: v.holiday}
	day := p.today
	if v.any(dateFeatures) {
		d, ok := p.daysOf(v, p.today, false)
		if !ok {
			return Expression{}, false
		}
		if d.invalid {
			return Expression{Kind: KindTime, Name: Range, Invalid: true}, true
		}
		day = d.first
		e.Assumed, e.Past, e.Conflict = e.Assumed || d.assumed, d.past || v.past, d.conflict
		for _, a := range d.alternatives {
			e.Alternatives = append(e.Alternatives, p.at(a[0], from, till))
		}
	} else {
		e.NoDay = true
		if wall(day, max(till, from+1), p.ref.Location()).Before(p.ref) {
			day = day.AddDays(1)
		}
	}
	e.TimeRange = p.at(day, from, till)
	if !v.any(fClock) {
		e.Hours = Hours{from / 60, till / 60}
	}
	if o, ok := p.otherOrder(v); ok {
		e.Assumed = true
		e.Alternatives = append(e.Alternatives, o.TimeRange)
	}
	if other >= 0 {
		e.Alternatives = append([]civil.TimeRange{p.at(day, other, other+till-from)}, e.Alternatives...)
	}
	return p.open(e, v), true
}

func (p *parser) at(day civil.Date, from, till int) civil.TimeRange {
	loc := p.ref.Location()
	r := civil.TimeRange{Start: wall(day, from, loc), End: wall(day, till, loc)}
	if r.End.Before(r.Start) { // a clock change in between
		r.End = r.Start.Add(time.Duration(till-from) * time.Second)
	}
	return r
}

// interval is the time of day that v names in seconds from midnight, and the other reading of its hour or -1.
func (v *value) interval() (from, till, other int, assumed bool) {
	if !v.any(fClock) {
		h := partHours[v.part]
		return h[0] * 3600, h[1] * 3600, -1, false
	}
	v.applyPart()
	from, other, assumed = v.seconds()
	till = from
	if v.any(fLength) {
		till += v.length.days*86400 + v.length.seconds
	}
	return from, till, other, assumed
}

// applyPart gives the hour the half of the day that was said beside it.
func (v *value) applyPart() {
	if !v.any(fPart) || !v.any(fClock) || v.half != halfUnknown {
		return
	}
	v.half = partHalf(v.part, *v)
	if v.hour == 12 && v.any(fDays) && (v.part == partEvening || (v.part == partNight || v.part == partLate) && v.half == halfAM) {
		v.hour, v.half = 24, halfFixed // midnight of tonight is tomorrow's first instant
	}
}

// resolveRange makes the expression of a range: each end inherits from the other what was not said twice.
func (p *parser) resolveRange(v value) (Expression, bool) {
	a, b := v, *v.to
	a.has &^= fTo
	a.to = nil
	if a.invalid || b.invalid {
		return Expression{}, false
	}
	if a.any(fPart) && !b.any(fPart) && b.any(fClock) {
		b.part, b.has = a.part, b.has|fPart
	}
	p.wholeDayNow(&a, b)
	p.wholeDayNow(&b, a)
	inherit(&a, &b)
	if a.any(fInstant) || b.any(fInstant) {
		return p.instantRange(a, b)
	}
	if (a.has|b.has)&timeFeatures == 0 {
		return p.dayRange(a, b)
	}
	return p.timeRange(a, b)
}

// wholeDayNow makes now today where the other end of the range is a day: between Jan 22 and now.
func (p *parser) wholeDayNow(now *value, other value) {
	if now.has == fInstant && now.at.Equal(p.ref) && now.till.Equal(p.ref) && other.any(dateFeatures) && !other.any(timeFeatures) {
		*now = p.days(0)
	}
}

// inherit completes each end of a range from the other.
func inherit(a, b *value) {
	da, db := a.has&dateFeatures, b.has&dateFeatures
	switch {
	case (a.has|b.has)&fInstant != 0:
		return
	case da == 0 && db != 0:
		*a = union(*b.dateOnly(), *a)
		return
	case db == 0 && da != 0:
		*b = union(*a.dateOnly(), *b)
		return
	}
	if a.any(fDom) && !a.any(fMonth) && b.any(fMonth) {
		a.month, a.has = b.month, a.has|fMonth
	}
	if b.any(fDom) && !b.any(fMonth) && a.any(fMonth) {
		b.month, b.has = a.month, b.has|fMonth
	}
	inheritYear(a, b)
	if b.has&(fWeekday|fWeek) == fWeekday && a.any(fWeek) {
		b.monday, b.has = a.monday, b.has|fWeek
		if (b.weekday+6)%7 < (a.weekday+6)%7 {
			b.monday = b.monday.AddDays(7)
		}
	}
	if a.has&(fWeekday|fWeek) == fWeekday && b.any(fWeek) && b.any(fWeekday) {
		a.monday, a.has, a.past = b.monday, a.has|fWeek, b.past
		if (b.weekday+6)%7 < (a.weekday+6)%7 {
			a.monday = a.monday.AddDays(-7)
		}
	}
}

func inheritYear(a, b *value) {
	if !a.any(fMonth) || !b.any(fMonth) || a.any(fYear) == b.any(fYear) {
		return
	}
	later := b.month < a.month || b.month == a.month && a.any(fDom) && b.any(fDom) && b.dom < a.dom
	if a.any(fYear) {
		b.year, b.has = a.year, b.has|fYear
		if later {
			b.year++
		}
		return
	}
	a.year, a.has = b.year, a.has|fYear
	if later {
		a.year--
	}
}

func (v *value) dateOnly() *value {
	d := *v
	d.has &= dateFeatures
	d.to, d.openStart, d.openEnd = nil, false, false
	return &d
}

// dayRange is from the first day of one to the last day of the other.
func (p *parser) dayRange(a, b value) (Expression, bool) {
	from, ok := p.daysOf(a, p.today, false)
	if !ok {
		return Expression{}, false
	}
	to, ok := p.daysOf(b, from.first, true)
	if !ok {
		return Expression{}, false
	}
	if from.invalid || to.invalid {
		return Expression{Kind: KindDays, Name: Range, Invalid: true}, true
	}
	if len(from.alternatives) > 0 && to.until.Before(from.first) { // between Jan 22 and now
		from.first, from.alternatives = from.alternatives[0][0], nil
	}
	if !from.first.Before(to.until) {
		return Expression{}, false
	}
	if before := to.until.AddMonths(-12); from.assumed && to.assumed && a.any(fMonth) && !a.any(fYear) && p.today.Before(before) {
		if earlier, ok := p.daysOf(a, from.first.AddMonths(-12).AddDays(-7), false); ok && earlier.first.Before(from.first) {
			from.first, to.until, from.alternatives = earlier.first, before, nil // we are in it
		}
	}
	e := Expression{Kind: KindDays, Name: Range, Holiday: a.holiday || b.holiday, Conflict: from.conflict || to.conflict}
	e.TimeRange = civil.Days(from.first, to.until, p.ref.Location())
	e.Assumed = from.assumed || to.assumed
	e.Past = from.past || a.past
	for _, alt := range from.alternatives {
		e.Alternatives = append(e.Alternatives, civil.Days(alt[0], alt[0].AddDays(to.until.Sub(from.first)), p.ref.Location()))
	}
	return e, true
}

// timeRange is from one clock time to another, on one day or several.
func (p *parser) timeRange(a, b value) (Expression, bool) {
	agree(&a, &b)
	from, _, other, assumed := a.interval()
	_, till, _, _ := b.interval()
	e := Expression{Kind: KindTime, Name: Range, Assumed: assumed, NoDay: !a.any(dateFeatures)}
	first, last := p.today, p.today
	if !e.NoDay {
		start, ok := p.daysOf(a, p.today, false)
		if !ok {
			return e, false
		}
		end, ok := p.daysOf(b, start.first, true)
		if !ok {
			return e, false
		}
		if start.invalid || end.invalid {
			return Expression{Kind: KindTime, Name: Range, Invalid: true}, true
		}
		first, last = start.first, end.first
		if !b.any(timeFeatures) {
			last, till = end.until, 0
		}
		if !a.any(timeFeatures) {
			from = 0
		}
		e.Assumed, e.Past, e.Conflict = e.Assumed || start.assumed, start.past || a.past, start.conflict
	}
	if first == last && till <= from {
		till += 86400
	}
	loc := p.ref.Location()
	if e.NoDay && wall(last, till, loc).Before(p.ref) {
		first, last = first.AddDays(1), last.AddDays(1)
	}
	e.TimeRange = civil.TimeRange{Start: wall(first, from, loc), End: wall(last, till, loc)}
	if (a.has|b.has)&fClock == 0 && a.any(fPart) != b.any(fPart) { // 14日から18日の午後, of which the other end says none
		e.Hours = partOf(a, b)
	}
	if other >= 0 && other < from && assumed {
		e.Alternatives = append(e.Alternatives, civil.TimeRange{Start: wall(first, other, loc), End: wall(last, till-from+other, loc)})
	}
	return e, !e.TimeRange.End.Before(e.TimeRange.Start)
}

// partOf is the part of the day that one of two values names.
func partOf(a, b value) Hours {
	if !a.any(fPart) {
		a = b
	}
	h := partHours[a.part]
	return Hours{h[0] * 60, h[1] * 60}
}

// agree chooses the halves of the day of two clock times together: 9時から5時 ends at 17, 4 to 6pm starts at 16.
func agree(a, b *value) {
	a.applyPart()
	b.applyPart()
	if !a.any(fClock) || !b.any(fClock) {
		return
	}
	sameDay := a.has&dateFeatures == 0 && b.has&dateFeatures == 0 || a.has&dateFeatures == b.has&dateFeatures
	if !sameDay {
		return
	}
	from, fromOther, _ := a.seconds()
	till, tillOther, _ := b.seconds()
	switch {
	case fromOther >= 0 && tillOther < 0:
		if b.half == halfUnknown { // written with 24 hours, as then is the other
			a.half = halfFixed
			return
		}
		from = min(from, fromOther)
		if later := from + 43200; later < till || till <= from && till+86400-later < 43200 { // 11 to 3am starts at 23
			from = later
		}
		a.fix(from)
	case tillOther >= 0:
		till = min(till, tillOther)
		if till <= from {
			till += 43200
		}
		if till > from {
			b.fix(till)
		} else {
			b.fix(till - 43200)
		}
	}
}

// fix sets the hour to one of 24.
func (v *value) fix(seconds int) { v.hour, v.half = seconds/3600, halfFixed }

// instantRange is from or to an instant, such as now.
func (p *parser) instantRange(a, b value) (Expression, bool) {
	start, ok := p.resolve(a)
	if !ok {
		return Expression{}, false
	}
	end, ok := p.resolve(b)
	if !ok || start.Invalid || end.Invalid {
		return Expression{}, false
	}
	if earlier := end.TimeRange.End.Add(-12 * time.Hour); end.NoDay && len(end.Alternatives) > 0 && earlier.After(start.TimeRange.Start) {
		end.TimeRange.End = earlier // between now and eight o'clock
	}
	e := Expression{Kind: KindTime, Name: Range, TimeRange: civil.TimeRange{Start: start.TimeRange.Start, End: end.TimeRange.End}}
	if start.NoDay && e.TimeRange.End.Before(e.TimeRange.Start) {
		e.TimeRange.Start = wall(civil.DateOf(e.TimeRange.Start).AddDays(-1), secondsOf(e.TimeRange.Start), p.ref.Location())
	}
	e.Past = start.Past
	return e, !e.TimeRange.End.Before(e.TimeRange.Start)
}

func secondsOf(t time.Time) int {
	h, m, s := t.Clock()
	return h*3600 + m*60 + s
}
