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
	case v.any(fSet):
		return Expression{Kind: KindSet, Name: Range}, true
	case v.any(fInstant) && !v.any(fTo):
		return p.instant(v), true
	case v.any(fTo):
		return p.resolveRange(v)
	case v.any(fLength) && !v.any(fClock):
		return Expression{Kind: KindDuration, Name: Range, Seconds: v.length.total()}, v.length != (length{})
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
	return p.open(e, v), true
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
	case v.any(fNth):
		return p.nthWeekday(v, anchor)
	case v.any(fWeek):
		return p.week(v), true
	case v.any(fDom | fEquinox):
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

func yearSegment(v value) (first, until civil.Date) {
	from, to := [...]int{segmentStart: 1, segmentMiddle: 5, segmentEnd: 9}[v.segment], [...]int{segmentStart: 4, segmentMiddle: 9, segmentEnd: 13}[v.segment]
	year := civil.Date{Year: v.year, Month: 1, Day: 1}
	return year.AddMonths(from - 1), year.AddMonths(to - 1)
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
		case segmentStart:
			d.until = v.monday.AddDays(3)
		case segmentMiddle:
			d.first, d.until = v.monday.AddDays(2), v.monday.AddDays(5)
		default:
			d.first = v.monday.AddDays(4)
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

// nthWeekday is the second Tuesday of the month said, or of the nearest month where it is not past.
func (p *parser) nthWeekday(v value, anchor civil.Date) (dates, bool) {
	if v.weekday == wholeWeek && !v.any(fMonth) && (v.any(fYear) || v.nth > 5) {
		return p.weekOfYear(v), true
	}
	first, step := civil.Date{Year: anchor.Year, Month: anchor.Month, Day: 1}, 1
	if v.any(fMonth) {
		first.Month, step = time.Month(v.month), 12
	}
	if v.any(fYear) {
		first.Year = v.year
	}
	fixed := v.any(fMonth) && v.any(fYear)
	for range 13 {
		d, ok := nthOf(first, v.nth, v.weekday)
		if ok && (fixed || anchor.Before(d.until)) {
			d.assumed, d.past = !fixed, !p.today.Before(d.until)
			return d, true
		}
		if fixed {
			break
		}
		first = first.AddMonths(step)
	}
	return dates{}, false
}

// nthOf is the nth (or, for -1, the last) weekday or week of the month that starts with first.
func nthOf(first civil.Date, nth, weekday int) (dates, bool) {
	week := weekday == wholeWeek
	if week {
		weekday = int(time.Thursday)
	}
	day := first.AddDays((weekday-int(first.Weekday())+7)%7 + 7*(nth-1))
	if nth < 0 {
		last := first.AddMonths(1).AddDays(-1)
		day = last.AddDays(-((int(last.Weekday()) - weekday + 7) % 7))
	}
	if week {
		return dates{first: day.AddDays(-3), until: day.AddDays(4)}, day.Month == first.Month
	}
	return oneDay(day), day.Month == first.Month
}

// weekOfYear is an ISO week by its number.
func (p *parser) weekOfYear(v value) dates {
	year := p.today.Year
	if v.any(fYear) {
		year = v.year
	}
	monday := (civil.Date{Year: year, Month: time.January, Day: 4}).Monday().AddDays(7 * (v.nth - 1))
	return dates{first: monday, until: monday.AddDays(7), assumed: !v.any(fYear), past: monday.AddDays(7).Before(p.today)}
}

// dayOfMonth resolves a day with or without its month and year.
func (p *parser) dayOfMonth(v value, anchor civil.Date) (dates, bool) {
	if v.any(fEquinox) {
		return p.equinox(v, anchor), true
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
		default:
			d.first = first.AddDays(20)
		}
	}
	d.past = !p.today.Before(d.until)
	return d, first.Year >= 1 && first.Year <= 9998
}

// equinox is the day of the spring or autumn equinox in Japan, by the formula that holds from 1980 to 2099.
func (p *parser) equinox(v value, anchor civil.Date) dates {
	year := anchor.Year
	if v.any(fYear) {
		year = v.year
	}
	for {
		n := year - 1980
		base := 20.8431
		if v.month == 9 {
			base = 23.2488
		}
		day := civil.Date{Year: year, Month: time.Month(v.month), Day: int(base+0.242194*float64(n)) - n/4}
		if v.any(fYear) || !day.Before(anchor) {
			d := oneDay(day)
			d.assumed = !v.any(fYear)
			return d
		}
		year++
	}
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
