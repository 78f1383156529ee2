package datetime

import (
	"time"

	"annai/internal/civil"
)

// dates is the run of days that features name, with what had to be taken for granted.
type dates struct {
	first, until           civil.Date
	assumed, past, invalid bool
	conflict               bool
	alternatives           [][2]civil.Date
}

func oneDay(d civil.Date) dates { return dates{first: d, until: d.AddDays(1)} }

// resolve makes the expression of a value. It is not ok when the features make no time after all.
func (p *parser) resolve(v value) (Expression, bool) {
	switch {
	case v.invalid:
		return Expression{}, false
	case v.impossible || v.to != nil && v.to.impossible:
		return Expression{Kind: KindTime, Name: Range, Invalid: true}, true
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
	e := Expression{Kind: KindTime, Name: Range, Past: v.past, TimeRange: civil.TimeRange{Start: v.at, End: v.till}}
	return p.open(e, v)
}

// resolveDays makes the expression of whole days.
func (p *parser) resolveDays(v value) (Expression, bool) {
	d, ok := p.daysOf(v, p.today, false)
	if !ok {
		return Expression{}, false
	}
	if v.weekOf {
		d.widen()
	}
	if v.rest && d.first.Before(p.today) && p.today.Before(d.until) {
		d.first = p.today
	}
	if v.rest && d.first == p.today && d.until == p.today.AddDays(1) {
		end := d.until.In(p.ref.Location())
		return Expression{Kind: KindTime, Name: Range, TimeRange: civil.TimeRange{Start: p.ref, End: end}}, true
	}
	e := Expression{Kind: KindDays, Name: v.name, Holiday: v.holiday}
	if d.first.AddDays(1) == d.until {
		e.Kind = KindDay
	}
	if e.Name == "" {
		e.Name = Range
		if e.Kind == KindDay {
			e.Name = Date
		}
	}
	if d.invalid {
		return Expression{Kind: KindDay, Name: Date, Invalid: true, Conflict: d.conflict}, true
	}
	e.TimeRange = civil.Days(d.first, d.until, p.ref.Location())
	e.Assumed, e.Past, e.Conflict = d.assumed, d.past || v.past, d.conflict
	for _, a := range d.alternatives {
		e.Alternatives = append(e.Alternatives, civil.Days(a[0], a[1], p.ref.Location()))
	}
	if o, ok := p.otherOrder(v); ok {
		e.Assumed = true
		e.Alternatives = append(e.Alternatives, o.TimeRange)
	}
	return p.open(e, v), true
}

// otherOrder reads a date in slashes with the day first, where that is another date.
func (p *parser) otherOrder(v value) (Expression, bool) {
	if !v.slashed || v.month == v.dom {
		return Expression{}, false
	}
	v.slashed, v.month, v.dom = false, v.dom, v.month
	e, ok := p.resolve(v)
	return e, ok && !e.Invalid
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

// daysOf resolves the date features of v: the nearest days not before anchor, where the words leave a choice.
func (p *parser) daysOf(v value, anchor civil.Date, end bool) (dates, bool) {
	switch {
	case v.any(fDays):
		return dates{first: v.first, until: v.until, past: v.past}, true
	case v.any(fSub):
		return p.partOfYear(v, anchor)
	case v.any(fNth):
		return p.nthWeekday(v, anchor)
	case v.any(fWeek):
		return p.week(v), true
	case v.any(fRule):
		return p.ruled(v, anchor)
	case v.any(fDom):
		return p.dayOfMonth(v, anchor)
	case v.any(fMonth):
		return p.wholeMonth(v, anchor)
	case v.any(fWeekday):
		return p.nearestWeekday(v, anchor, end), true
	case v.any(fYear):
		first := civil.Date{Year: v.year, Month: 1, Day: 1}
		d := dates{first: first, until: first.AddMonths(12)}
		if v.any(fSegment) {
			d.first, d.until = yearSegment(v)
		}
		d.past = !p.today.Before(d.until)
		return d, v.year >= 1 && v.year <= 9998
	}
	return dates{}, false
}

// widen makes the weeks of days.
func (d *dates) widen() {
	week := func(day civil.Date) (first, until civil.Date) { return day.Monday(), day.Monday().AddDays(7) }
	d.first, d.until = week(d.first)
	for i, a := range d.alternatives {
		d.alternatives[i][0], d.alternatives[i][1] = week(a[0])
	}
}

func yearSegment(v value) (first, until civil.Date) {
	months := [...][2]int{segmentStart: {0, 4}, segmentMiddle: {4, 8}, segmentEnd: {8, 12}, segmentFirst: {0, 6}, segmentLater: {6, 12}}[v.segment]
	year := civil.Date{Year: v.year, Month: 1, Day: 1}
	return year.AddMonths(months[0]), year.AddMonths(months[1])
}

// week resolves a week, a day of it, its weekend, its working days or a part of it.
func (p *parser) week(v value) dates {
	d := dates{first: v.monday, until: v.monday.AddDays(7), past: v.past}
	switch {
	case v.any(fWeekday):
		d.first = v.monday.AddDays((v.weekday + 6) % 7)
		d.until = d.first.AddDays(1)
		coming := p.today.AddDays((v.weekday - int(p.today.Weekday()) + 7) % 7)
		if coming != d.first && !v.past {
			d.alternatives = [][2]civil.Date{{coming, coming.AddDays(1)}}
		}
	case v.any(fWeekend):
		d.first = v.monday.AddDays(5)
	case v.any(fWorkdays):
		d.until = v.monday.AddDays(5)
	case v.any(fSegment):
		switch v.segment {
		case segmentStart, segmentFirst:
			d.until = v.monday.AddDays(3)
		case segmentMiddle:
			d.first, d.until = v.monday.AddDays(1), v.monday.AddDays(5)
		default:
			d.first = v.monday.AddDays(3)
		}
	}
	return d
}

// nearestWeekday is that day on or after anchor; strictly after when the words say the coming one.
func (p *parser) nearestWeekday(v value, anchor civil.Date, end bool) dates {
	ahead := (v.weekday - int(anchor.Weekday()) + 7) % 7
	if ahead == 0 && v.coming {
		ahead = 7
	}
	d := oneDay(anchor.AddDays(ahead))
	other := d.first.AddDays(-7)
	if ahead == 0 || v.coming {
		other = d.first.AddDays(7)
	}
	if !end {
		d.alternatives = [][2]civil.Date{{other, other.AddDays(1)}}
	}
	return d
}

// dayOfMonth resolves a day with or without its month and year.
func (p *parser) dayOfMonth(v value, anchor civil.Date) (dates, bool) {
	if v.any(fMonth) && v.month > 12 {
		return dates{invalid: true}, true
	}
	if v.dom < 1 || v.any(fMonth) && !isMonth(v.month) || v.any(fYear) && (v.year < 1 || v.year > 9998) {
		return dates{}, false
	}
	if v.any(fMonth) && v.dom > longest(v.month) || v.dom > 31 {
		return dates{invalid: true}, v.any(fMonth)
	}
	switch {
	case v.any(fYear) && v.any(fMonth):
		if v.dom > daysIn(v.year, v.month) {
			return dates{invalid: true}, true
		}
		d := oneDay(civil.Date{Year: v.year, Month: time.Month(v.month), Day: v.dom})
		d.past = d.first.Before(p.today)
		return p.stretch(d, v), true
	case v.any(fMonth):
		return p.stretch(p.nearestDate(v, anchor), v), true
	}
	return p.stretch(nearestDom(v, anchor), v), true
}

// stretch makes a holiday of several days as long as it is, and compares the date with the weekday said beside it.
func (p *parser) stretch(d dates, v value) dates {
	if v.any(fWeekday) {
		d.conflict = int(d.first.Weekday()) != v.weekday
	}
	if v.span == 0 {
		return d
	}
	d.until = d.first.AddDays(v.span)
	for i := range d.alternatives {
		d.alternatives[i][1] = d.alternatives[i][0].AddDays(v.span)
	}
	if v.any(fYear) {
		return d
	}
	if before := (civil.Date{Year: d.first.Year - 1, Month: d.first.Month, Day: d.first.Day}); p.today.Before(before.AddDays(v.span)) {
		d.first, d.until = before, before.AddDays(v.span) // we are in it
	}
	return d
}

// nearestDate is the first year from anchor on that has the date (and, if one was said, that weekday soon).
func (p *parser) nearestDate(v value, anchor civil.Date) dates {
	var d dates
	for year := anchor.Year; year <= anchor.Year+8; year++ {
		day := civil.Date{Year: year, Month: time.Month(v.month), Day: v.dom}
		if v.dom > daysIn(year, v.month) || day.Before(anchor) {
			continue
		}
		d = oneDay(day)
		break
	}
	d.assumed = true
	for year := d.first.Year - 1; year >= d.first.Year-8; year-- {
		if v.dom <= daysIn(year, v.month) {
			before := civil.Date{Year: year, Month: time.Month(v.month), Day: v.dom}
			d.alternatives = [][2]civil.Date{{before, before.AddDays(1)}}
			break
		}
	}
	return d
}

// nearestDom is the first month from anchor on that has the day, and that weekday if one was said.
func nearestDom(v value, anchor civil.Date) dates {
	first := civil.Date{Year: anchor.Year, Month: anchor.Month, Day: 1}
	var d dates
	for i := range 14 {
		month := first.AddMonths(i)
		day := civil.Date{Year: month.Year, Month: month.Month, Day: v.dom}
		if v.dom > daysIn(month.Year, int(month.Month)) || day.Before(anchor) {
			continue
		}
		if d.first.IsZero() {
			d = oneDay(day)
		}
		if !v.any(fWeekday) || int(day.Weekday()) == v.weekday {
			d = oneDay(day)
			break
		}
	}
	if this := (civil.Date{Year: anchor.Year, Month: anchor.Month, Day: v.dom}); v.any(fWeekday) && v.dom <= daysIn(anchor.Year, int(anchor.Month)) &&
		this.Before(anchor) && int(this.Weekday()) == v.weekday && d.first.Sub(anchor) > 31 {
		d = oneDay(this) // the weekday says that it was this month
	}
	d.assumed = true
	for i := 1; i <= 3; i++ {
		month := (civil.Date{Year: d.first.Year, Month: d.first.Month, Day: 1}).AddMonths(-i)
		if v.dom <= daysIn(month.Year, int(month.Month)) {
			before := civil.Date{Year: month.Year, Month: month.Month, Day: v.dom}
			d.alternatives = [][2]civil.Date{{before, before.AddDays(1)}}
			break
		}
	}
	return d
}

// wholeMonth resolves a month, or the start, middle or end of it.
func (p *parser) wholeMonth(v value, anchor civil.Date) (dates, bool) {
	if !isMonth(v.month) {
		return dates{}, false
	}
	first := civil.Date{Year: v.year, Month: time.Month(v.month), Day: 1}
	d := dates{}
	if !v.any(fYear) {
		first.Year = anchor.Year
		if v.month < int(anchor.Month) {
			first.Year++
		}
		d.assumed = true
		before := civil.Date{Year: first.Year - 1, Month: first.Month, Day: 1}
		d.alternatives = [][2]civil.Date{{before, before.AddMonths(1)}}
	}
	d.first, d.until = first, first.AddMonths(1)
	if v.any(fSegment) {
		d.alternatives = nil
		switch v.segment {
		case segmentStart:
			d.until = first.AddDays(10)
		case segmentMiddle:
			d.first, d.until = first.AddDays(10), first.AddDays(20)
		case segmentFirst:
			d.until = first.AddDays(15)
		case segmentLater:
			d.first = first.AddDays(15)
		default:
			d.first = first.AddDays(20)
		}
	}
	d.past = !p.today.Before(d.until)
	return d, first.Year >= 1 && first.Year <= 9998
}

func longest(month int) int {
	if month == 2 {
		return 29
	}
	return daysIn(2001, month)
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
