package datetime

import (
	"time"

	"annai/civil"
)

// resolveRange makes the expression of a range: each end inherits from the other what was not said
// twice.
func (p *parser) resolveRange(v value) (Expression, bool) {
	a, b := v, *v.to
	a.has, a.to = a.has&^fTo, nil
	p.wholeDayNow(&a, b)
	p.wholeDayNow(&b, a)
	if a.any(fInstant) || b.any(fInstant) {
		return p.instantRange(a, b)
	}
	inherit(&a, &b)
	if (a.has|b.has)&timeFeatures == 0 {
		return p.dayRange(a, b)
	}
	return p.timeRange(a, b)
}

// wholeDayNow makes now today where the other end of the range is a day: between Jan 22 and now.
func (p *parser) wholeDayNow(now *value, other value) {
	if now.has == fInstant && now.at.Equal(p.ref) && other.any(dateFeatures) && !other.any(timeFeatures) {
		*now = p.days(0)
	}
}

// inherit completes each end of a range from the other.
func inherit(a, b *value) {
	switch {
	case !a.any(dateFeatures):
		*a = union(b.dateOnly(), *a)
		return
	case !b.any(dateFeatures):
		*b = union(a.dateOnly(), *b)
		return
	}
	inheritMonth(a, b)
	inheritMonth(b, a)
	inheritYear(a, b)
	if a.has&(fWeekday|fWeek) == fWeekday && b.any(fWeek) && b.any(fWeekday) {
		a.monday, a.has = b.monday, a.has|fWeek
		if afterMonday(b.weekday) < afterMonday(a.weekday) {
			a.monday = a.monday.AddDays(-7)
		}
	}
}

func inheritMonth(to, from *value) {
	if to.has&(fDom|fMonth) == fDom && from.any(fMonth) {
		to.month, to.has = from.month, to.has|fMonth
	}
}

func inheritYear(a, b *value) {
	if !a.any(fMonth) || !b.any(fMonth) || a.any(fYear) == b.any(fYear) {
		return
	}
	years := 0
	if b.month < a.month || b.month == a.month && b.dom < a.dom && a.any(fDom) && b.any(fDom) {
		years = 1
	}
	if a.any(fYear) {
		b.year, b.has = a.year+years, b.has|fYear
	} else {
		a.year, a.has = b.year-years, a.has|fYear
	}
}

func (v *value) dateOnly() value {
	d := *v
	d.has &= dateFeatures
	d.to, d.openStart, d.openEnd = nil, false, false
	return d
}

// ends are the days of both ends of a range. They are ok where both are days that exist; otherwise
// they may be invalid.
func (p *parser) ends(a, b value) (from, to dates, isInvalid, ok bool) {
	from, first := p.daysOf(a, p.today, false)
	to, last := p.daysOf(b, from.first, true)
	isInvalid = first && last && (from.invalid || to.invalid)
	return from, to, isInvalid, first && last && !isInvalid
}

// dayRange is from the first day of one to the last day of the other.
func (p *parser) dayRange(a, b value) (Expression, bool) {
	from, to, isInvalid, ok := p.ends(a, b)
	if !ok {
		return Expression{Kind: KindDays, Name: Range, Invalid: isInvalid}, isInvalid
	}
	if from.other != (run{}) && to.until.Before(from.first) { // between Jan 22 and now
		from.first, from.other = from.other.first, run{}
	}
	if !from.first.Before(to.until) {
		return Expression{}, false
	}
	before := to.until.AddMonths(-12)
	if from.assumed && to.assumed && a.has&(fMonth|fYear) == fMonth && p.today.Before(before) {
		earlier, ok := p.daysOf(a, from.first.AddMonths(-12).AddDays(-7), false)
		if ok && earlier.first.Before(from.first) {
			from.first, to.until, from.other = earlier.first, before, run{} // we are in it
		}
	}
	loc := p.ref.Location()
	e := Expression{Kind: KindDays, Name: Range, TimeRange: run{from.first, to.until}.in(loc)}
	e.Holiday = a.holiday || b.holiday
	e.Assumed, e.Past, e.Conflict = from.assumed || to.assumed, from.past, from.conflict || to.conflict
	if from.other != (run{}) {
		e.Alternatives = append(e.Alternatives, someDays(from.other.first, to.until.Sub(from.first)).in(loc))
	}
	return e, true
}

// timeRange is from one clock time to another, on one day or several.
func (p *parser) timeRange(a, b value) (Expression, bool) {
	agree(&a, &b)
	start, _, other, assumed := a.interval()
	_, till, _, _ := b.interval()
	e := Expression{Kind: KindTime, Name: Range, Assumed: assumed, NoDay: !a.any(dateFeatures)}
	first, last := p.today, p.today
	if !e.NoDay {
		from, to, isInvalid, ok := p.ends(a, b)
		if !ok {
			return Expression{Kind: KindTime, Name: Range, Invalid: isInvalid}, isInvalid
		}
		first, last = from.first, to.first
		if !b.any(timeFeatures) {
			last, till = to.until, 0
		}
		e.Assumed, e.Past, e.Conflict = e.Assumed || from.assumed, from.past, from.conflict
	}
	if first == last && till <= start {
		till += 86400
	}
	loc := p.ref.Location()
	if e.NoDay && wall(last, till, loc).Before(p.ref) {
		first, last = first.AddDays(1), last.AddDays(1)
	}
	e.TimeRange = civil.TimeRange{Start: wall(first, start, loc), End: wall(last, till, loc)}
	if (a.has|b.has)&fClock == 0 && a.any(fPart) != b.any(fPart) { // 14日から18日の午後, of which the other end says none
		h := parts[max(a.part, b.part)].hours
		e.Hours = Hours{h[0] * 60, h[1] * 60}
	}
	if other >= 0 && other < start && assumed {
		earlier := civil.TimeRange{Start: wall(first, other, loc), End: wall(last, till-start+other, loc)}
		e.Alternatives = append(e.Alternatives, earlier)
	}
	return e, !e.TimeRange.End.Before(e.TimeRange.Start)
}

// agree chooses the halves of the day of two clock times together: 9時から5時 ends at 17, 4 to 6pm
// starts at 16.
func agree(a, b *value) {
	const half = 12 * 3600
	a.applyPart()
	b.applyPart()
	if !a.any(fClock) || !b.any(fClock) || a.has&dateFeatures != b.has&dateFeatures {
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
		if later := from + half; later < till || till <= from && till+half < later { // 11 to 3am starts at 23
			from = later
		}
		a.hour, a.half = from/3600, halfFixed
	case tillOther >= 0:
		till = min(till, tillOther)
		if till <= from && till+half > from {
			till += half
		}
		b.hour, b.half = till/3600, halfFixed
	}
}

// instantRange is from or to an instant, such as now.
func (p *parser) instantRange(a, b value) (Expression, bool) {
	start, ok := p.valid(a)
	end, both := p.valid(b)
	if !ok || !both {
		return Expression{}, false
	}
	r := civil.TimeRange{Start: start.TimeRange.Start, End: end.TimeRange.End}
	if earlier := r.End.Add(-12 * time.Hour); end.NoDay && len(end.Alternatives) > 0 && earlier.After(r.Start) {
		r.End = earlier // between now and eight o'clock
	}
	if start.NoDay && r.End.Before(r.Start) {
		r.Start = wall(civil.DateOf(r.Start).AddDays(-1), secondsOf(r.Start), p.ref.Location())
	}
	return Expression{Kind: KindTime, Name: Range, TimeRange: r, Past: start.Past}, !r.End.Before(r.Start)
}
