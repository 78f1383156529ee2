package datetime

import (
	"cmp"
	"time"

	"annai/civil"
)

// run is some days in a row.
type run struct{ first, until civil.Date }

func oneDay(d civil.Date) run { return someDays(d, 1) }

func someDays(first civil.Date, days int) run { return run{first, first.AddDays(days)} }

func someMonths(first civil.Date, months int) run { return run{first, first.AddMonths(months)} }

func (r run) isDay() bool { return r.until == r.first.AddDays(1) }

// in is the range of the days in a place.
func (r run) in(loc *time.Location) civil.TimeRange { return civil.Days(r.first, r.until, loc) }

// dates is the days that features name, with what had to be taken for granted.
type dates struct {
	run
	other                            run // what the words may mean as well; zero for nothing
	assumed, past, invalid, conflict bool
}

// resolve makes the expression of a value. It is not ok when the features make no time after all.
func (p *parser) resolve(v value) (Expression, bool) {
	switch {
	case v.invalid:
		return Expression{}, false
	case v.impossible || v.to != nil && v.to.impossible:
		return invalid(KindTime, Range)
	case v.any(fSet):
		return p.resolveSet(v), true
	case v.any(fInstant) && !v.any(fTo):
		return p.instant(v), true
	case v.any(fTo):
		return p.resolveRange(v)
	case v.any(fLength) && !v.any(fClock):
		return Expression{Kind: KindDuration, Name: Range, Seconds: v.length.nominal}, v.length.nominal != 0
	case v.any(timeFeatures):
		return p.resolveTime(v)
	case v.any(dateFeatures):
		return p.resolveDays(v)
	}
	return Expression{}, false
}

func (p *parser) instant(v value) Expression {
	r := civil.TimeRange{Start: v.at, End: v.till}
	past := v.at.Before(p.ref) && !p.ref.Before(v.till)
	return p.open(Expression{Kind: KindTime, Name: Range, Past: past, TimeRange: r}, v)
}

// invalid is an expression of a time that does not exist.
func invalid(kind Kind, name Name) (Expression, bool) {
	return Expression{Kind: kind, Name: name, Invalid: true}, true
}

// resolveDays makes the expression of whole days.
func (p *parser) resolveDays(v value) (Expression, bool) {
	d, ok := p.daysOf(v, p.today, false)
	if !ok {
		return Expression{}, false
	}
	if d.invalid {
		return invalid(KindDay, Date)
	}
	if v.weekOf {
		d.widen()
	}
	if v.rest && d.first.Before(p.today) && p.today.Before(d.until) {
		d.first = p.today
	}
	loc := p.ref.Location()
	if v.rest && d.run == oneDay(p.today) {
		rest := civil.TimeRange{Start: p.ref, End: d.until.In(loc)}
		return Expression{Kind: KindTime, Name: Range, TimeRange: rest}, true
	}
	e := Expression{Kind: KindDays, Name: Range, Holiday: v.holiday, TimeRange: d.in(loc)}
	if d.isDay() {
		e.Kind, e.Name = KindDay, Date
	}
	e.Name = cmp.Or(v.name, e.Name)
	e.Assumed, e.Past, e.Conflict = d.assumed, d.past, d.conflict
	if d.other != (run{}) {
		e.Alternatives = append(e.Alternatives, d.other.in(loc))
	}
	return p.open(p.eitherOrder(e, v), v), true
}

// eitherOrder adds the reading of a date in slashes with the day first, where that is another date.
func (p *parser) eitherOrder(e Expression, v value) Expression {
	if !v.slashed || v.month == v.dom {
		return e
	}
	v.slashed, v.month, v.dom = false, v.dom, v.month
	if o, ok := p.valid(v); ok {
		e.Assumed = true
		e.Alternatives = append(e.Alternatives, o.TimeRange)
	}
	return e
}

// open moves the end that was not said, for until, since and the like.
func (p *parser) open(e Expression, v value) Expression {
	if !v.openStart && !v.openEnd || e.Invalid {
		return e
	}
	e.OpenStart, e.OpenEnd = v.openStart, v.openEnd
	e.Alternatives = nil
	if e.Kind == KindDay {
		e.Kind = KindDays
	}
	e.Name = Range
	r := &e.TimeRange
	switch {
	case v.openStart:
		if v.exclusive {
			r.End = r.Start
		}
		r.Start = p.ref
		if v.onDay {
			r.Start = civil.DateOf(r.End).In(p.ref.Location())
		}
		if r.End.Before(r.Start) {
			r.Start = r.End
			e.Past = true
		}
		if e.Kind == KindDays {
			r.Start = civil.DateOf(r.Start).In(p.ref.Location())
		}
	case e.Kind == KindTime:
		r.End = civil.DateOf(r.Start).AddDays(1).In(p.ref.Location())
	default:
		if v.exclusive {
			r.Start = r.End
		}
		r.End = civil.DateOf(r.Start).AddMonths(12).In(p.ref.Location())
	}
	return e
}

// daysOf resolves the date features of v: the nearest days not before anchor, where the words leave
// a choice.
func (p *parser) daysOf(v value, anchor civil.Date, end bool) (dates, bool) {
	d, ok := p.nearestDays(v, anchor, end)
	switch {
	case v.any(fWeek): // nobody asks for the Monday that has gone by
		d.past = v.monday.Before(p.today.Monday())
	case v.any(fMonth) || !v.any(fDom):
		d.past = !p.today.Before(d.until)
	}
	return d, ok && d.first.Year <= maxYear && (d.invalid || d.first.Year >= 1)
}

// maxYear is the last year that is read, so that the one after it has four digits, too.
const maxYear = 9998

func (p *parser) nearestDays(v value, anchor civil.Date, end bool) (dates, bool) {
	switch {
	case v.any(fDays):
		return dates{run: v.run}, true
	case v.any(fSub):
		return v.inYear(anchor, func(year int) (run, bool) {
			return someMonths(monthStart(year, v.sub), v.subMonths), true
		})
	case v.any(fNth):
		return p.nthOfPeriod(v, anchor)
	case v.any(fWeek):
		return p.week(v), true
	case v.any(fRule):
		return v.inYear(anchor, func(year int) (run, bool) {
			day, ok := holidays[v.rule].in(year)
			return oneDay(day), ok && isYear(year)
		})
	case v.any(fDom):
		return dayOfMonth(v, anchor)
	case v.any(fMonth):
		return wholeMonth(v, anchor)
	case v.any(fWeekday):
		return nearestWeekday(v, anchor, end), true
	case v.any(fYear):
		part := [2]int{0, 12}
		if v.any(fSegment) {
			part = segments[v.segment].year
		}
		return dates{run: someMonths(monthStart(v.year, 1).AddMonths(part[0]), part[1]-part[0])}, true
	}
	return dates{}, false
}

// inYear is the days that come once a year, in the year said.
func (v *value) inYear(anchor civil.Date, in func(year int) (run, bool)) (dates, bool) {
	if v.any(fYear) {
		r, ok := in(v.year)
		return dates{run: r}, ok
	}
	last := monthStart(anchor.Year-1, 1)
	return nearest(last, anchor, 12, func(first civil.Date) (run, bool) { return in(first.Year) })
}

// nearest is the first of the days, which may come in every so many months from first on, that is
// not over at anchor. The other reading is the last before it.
func nearest(first, anchor civil.Date, months int, in func(first civil.Date) (run, bool)) (dates, bool) {
	for range 14 {
		if r, ok := in(first); ok && anchor.Before(r.until) {
			d := dates{run: r, assumed: true}
			for back := 1; back <= 8 && d.other == (run{}); back++ {
				if before, ok := in(first.AddMonths(-back * months)); ok {
					d.other = before
				}
			}
			return d, true
		}
		first = first.AddMonths(months)
	}
	return dates{}, false
}

// widen makes the weeks of days.
func (d *dates) widen() {
	d.run = someDays(d.first.Monday(), 7)
	if d.other != (run{}) {
		d.other = someDays(d.other.first.Monday(), 7)
	}
}

// segments are the parts of longer times, from and until: days of a week and of a month, months of
// a year.
var segments = [...]struct{ week, month, year [2]int }{
	segmentStart:  {week: [2]int{0, 3}, month: [2]int{0, 10}, year: [2]int{0, 4}},
	segmentMiddle: {week: [2]int{1, 5}, month: [2]int{10, 20}, year: [2]int{4, 8}},
	segmentEnd:    {week: [2]int{3, 7}, month: [2]int{20, 31}, year: [2]int{8, 12}},
	segmentFirst:  {week: [2]int{0, 3}, month: [2]int{0, 15}, year: [2]int{0, 6}},
	segmentLater:  {week: [2]int{3, 7}, month: [2]int{15, 31}, year: [2]int{6, 12}},
}

// week resolves a week, a day of it, its weekend, its working days or a part of it.
func (p *parser) week(v value) dates {
	part := [2]int{0, 7}
	switch {
	case v.any(fWeekday):
		day := afterMonday(v.weekday)
		part = [2]int{day, day + 1}
	case v.any(fWeekend):
		part = [2]int{5, 7}
	case v.any(fWorkdays):
		part = [2]int{0, 5}
	case v.any(fSegment):
		part = segments[v.segment].week
	}
	d := dates{run: run{v.monday.AddDays(part[0]), v.monday.AddDays(part[1])}}
	coming := p.today.AddDays(p.daysTo(v.weekday))
	if v.any(fWeekday) && coming != d.first && !v.monday.Before(p.today.Monday()) {
		d.other = oneDay(coming)
	}
	return d
}

// nearestWeekday is that day on or after anchor; strictly after when the words say the coming one.
func nearestWeekday(v value, anchor civil.Date, end bool) dates {
	ahead := (v.weekday - int(anchor.Weekday()) + 7) % 7
	other := -7
	switch {
	case ahead == 0 && v.coming:
		ahead, other = 7, 7
	case ahead == 0 || v.coming:
		other = 7
	}
	d := dates{run: oneDay(anchor.AddDays(ahead))}
	if !end {
		d.other = oneDay(d.first.AddDays(other))
	}
	return d
}

// dayOfMonth resolves a day with or without its month and year.
func dayOfMonth(v value, anchor civil.Date) (dates, bool) {
	in := func(first civil.Date) (run, bool) {
		day := civil.Date{Year: first.Year, Month: first.Month, Day: v.dom}
		return someDays(day, max(v.span, 1)), v.dom <= daysIn(first)
	}
	var d dates
	var ok bool
	if v.any(fMonth) {
		d, ok = v.inYear(anchor, func(year int) (run, bool) {
			return in(monthStart(year, v.month))
		})
		if !ok || v.month > 12 {
			return dates{invalid: true}, true
		}
	} else {
		d, ok = nearestDom(v, anchor, in)
	}
	d.conflict = v.any(fWeekday) && int(d.first.Weekday()) != v.weekday
	return d, ok
}

// nearestDom is the day of the first month from anchor on that has it, and has it on that weekday
// if one was said. The weekday may also say that it was this month.
func nearestDom(v value, anchor civil.Date, in func(first civil.Date) (run, bool)) (dates, bool) {
	month := func(day civil.Date) civil.Date { return monthStart(day.Year, int(day.Month)) }
	onWeekday := func(first civil.Date) (run, bool) {
		r, ok := in(first)
		return r, ok && (!v.any(fWeekday) || int(r.first.Weekday()) == v.weekday)
	}
	day := anchor
	if d, ok := nearest(month(anchor), anchor, 1, onWeekday); ok {
		day = d.first
	}
	this, ok := onWeekday(month(anchor))
	if ok && v.any(fWeekday) && this.first.Before(anchor) && day.Sub(anchor) > 31 {
		day = this.first
	}
	return nearest(month(day), day, 1, in)
}

// wholeMonth resolves a month, or the start, middle or end of it.
func wholeMonth(v value, anchor civil.Date) (dates, bool) {
	d, ok := v.inYear(anchor, func(year int) (run, bool) {
		return someMonths(monthStart(year, v.month), 1), isMonth(v.month)
	})
	if v.any(fSegment) {
		part, first := segments[v.segment].month, d.first
		d.first = first.AddDays(part[0])
		if until := first.AddDays(part[1]); until.Before(d.until) {
			d.until = until
		}
		d.other = run{}
	}
	return d, ok
}

// monthStart is the first day of a month.
func monthStart(year, month int) civil.Date {
	return civil.Date{Year: year, Month: time.Month(month), Day: 1}
}

// daysIn is how many days the month that starts with first has.
func daysIn(first civil.Date) int { return first.AddMonths(1).Sub(first) }
