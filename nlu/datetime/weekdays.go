package datetime

import (
	"time"

	"annai/civil"
)

// week is a set of days of the week.
type week uint8

const (
	workdays week = 1<<time.Monday | 1<<time.Tuesday | 1<<time.Wednesday | 1<<time.Thursday | 1<<time.Friday
	weekend  week = 1<<time.Saturday | 1<<time.Sunday
)

// afterMonday is how many days after Monday a day of the week is.
func afterMonday(weekday int) int { return (weekday + 6) % 7 }

// list is the set as it stands in an [Expression].
func (w week) list() []time.Weekday {
	var out []time.Weekday
	for i := 1; i <= 7; i++ {
		if d := time.Weekday(i % 7); w&(1<<d) != 0 {
			out = append(out, d)
		}
	}
	return out
}

// weekWith is the set of the days of a list.
func weekWith(list []time.Weekday) week {
	var w week
	for _, d := range list {
		w |= 1 << d
	}
	return w
}

// days is the set from one day of the week up to another.
func days(first, last int) week {
	w := week(1) << last
	for d := first; d != last; d = (d + 1) % 7 {
		w |= 1 << d
	}
	return w
}

// weekOf is the day of the week, or the kind of days, that the token at i names.
func (p *parser) weekOf(i int) week {
	if t := p.tok(i); t.class == cWeekday {
		return 1 << t.a
	}
	return workdays
}

// kindOfDays is the kind of days that some tokens name: weekdays, every weekend.
func (p *parser) kindOfDays(from, to int) week {
	for _, t := range p.tokens[from:to] {
		switch {
		case t.class == cUnit && t.a == unitWorkday, t.class == cWeekdays:
			return workdays
		case t.class == cSet && t.a == unitWeekend, t.class == cPeriodRel && t.n == anyOfKind:
			return weekend
		}
	}
	return 0
}

// named are the days of the week that some tokens name.
func (p *parser) named(from, to int) week {
	var w week
	for i, t := range p.tokens[from:to] {
		switch {
		case t.class == cWeekday:
			w |= 1 << t.a
		case t.class == cWeekdays, t.class == cUnit && t.a == unitWorkday && !p.is(from+i-1, cNum):
			w |= workdays
		case t.class == cPeriodRel && t.b == unitWeekend, (t.class == cSet || t.class == cUnit) && t.a == unitWeekend:
			w |= weekend
		}
	}
	return w
}

// weekdays are the days of the week that the tokens from..to say, where they are all that they say
// of which day.
func (p *parser) weekdays(v value, kind Kind, from, to int) week {
	switch {
	case kind == KindSet, kind == KindDays && to == from+1:
		return p.kindOfDays(from, to)
	case v.has&^timeFeatures == fWeekday && !v.coming && !v.named && v.weekday >= 0:
		return 1 << v.weekday
	}
	return 0
}

// resolveSet makes the expression of what recurs.
func (p *parser) resolveSet(v value) Expression {
	e := Expression{Kind: KindSet, Name: Range}
	if v.any(fWeekday) && v.weekday >= 0 {
		v.each |= 1 << v.weekday
	}
	if v.any(fWeekend) {
		v.each |= weekend
	}
	e.Weekdays = v.each.list()
	if v.any(fDom|fNth|fWeekend|fWorkdays) || !v.any(fYear|fMonth|fWeek) {
		return e
	}
	v.has &= fYear | fMonth | fWeek | fSegment
	if d, ok := p.daysOf(v, p.today, false); ok && !d.invalid {
		e.Within = civil.Days(d.first, d.until, p.ref.Location())
	}
	return e
}
