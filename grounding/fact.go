package grounding

import (
	"math/bits"
	"time"

	"annai/civil"
)

// kind says what sort of fact it is.
type kind uint8

const (
	clock   kind = iota + 1 // a time of day, in minutes from midnight
	day                     // a day, or where nothing says which month or year, what is known of it
	month                   // a month of any year
	weekday                 // days of the week
	money                   // in hundredths of a yen
	number                  // so many of something, in hundredths
	literal                 // an address of the web, a phone number, an account: letter by letter
	name                    // a proper name
)

// role says which end a value is: of a range of times, or whether a number is the least or the most
// that is meant.
type role uint8

const (
	at role = iota
	from
	until
)

// What a name is of, as the value of its fact. Other names are headings, rooms, and what the
// settings of a venue name.
const (
	ofEvent = 1
	ofPlace = 2
)

// A fact is a value or a name that a text states.
type fact struct {
	kind kind
	// n is the value: minutes, yyyymmdd with zeros for what is not said, a set of weekdays,
	// hundredths.
	n int
	// unit is that of a number or a sum, text the literal or the name in the form in which it is
	// compared.
	unit, text string
	role       role
	// loose says that 12 hours more or less are meant as well: no half of the day was said.
	loose bool
	// derived says that it follows from other facts of the evidence: how long an event is.
	derived    bool
	start, end int
}

// ofDay is a day as it is compared.
func ofDay(d civil.Date) int { return d.Year*10000 + int(d.Month)*100 + d.Day }

// date is the date of a fact that says a month and a day. Where it says no year it is the next such
// day, or a recent one.
func (f *fact) date(now time.Time) (civil.Date, bool) {
	d := civil.Date{Year: f.n / 10000, Month: time.Month(f.n / 100 % 100), Day: f.n % 100}
	if f.kind != day || d.Month == 0 || d.Day == 0 {
		return civil.Date{}, false
	}
	if d.Year == 0 {
		d.Year = now.Year()
		const recent = 120 // days
		if civil.DateOf(now).AddDays(-recent).After(d) {
			d.Year++
		}
	}
	return d, true
}

// sameDay reports whether two days may be one, as far as both say.
func sameDay(a, b int) bool {
	for _, part := range [...]int{100, 100, 10000} {
		if x, y := a%part, b%part; x != y && x != 0 && y != 0 {
			return false
		}
		a, b = a/part, b/part
	}
	return true
}

// weekend is Saturday and Sunday, of which one is enough.
const weekend = 1<<time.Saturday | 1<<time.Sunday

const half = 12 * 60

// equal reports whether a fact of a sentence is one of the evidence, whichever end it is.
func (f *fact) equal(g *fact) bool {
	if f.kind != g.kind {
		return f.partOf(g)
	}
	switch f.kind {
	case clock:
		loose := f.loose || g.loose
		return f.n%(2*half) == g.n%(2*half) || loose && f.n%half == g.n%half
	case day:
		return sameDay(f.n, g.n)
	case weekday:
		return sameWeekdays(f.n, g.n)
	case money:
		return f.n == g.n && f.unit == g.unit
	case number:
		return f.n == g.n && sameUnit(f.unit, g.unit)
	case month:
		return f.n == g.n
	case literal, name:
		return f.text == g.text
	}
	return false
}

// partOf reports whether a fact is a part of one of another kind: the 14th without its month, the month
// or the year of a day.
func (f *fact) partOf(g *fact) bool {
	const lengthOfDay = secondsOfDay * 100
	switch {
	case f.kind == day && g.kind == number:
		return g.unit == perLength && f.n < 100 && g.n == f.n*lengthOfDay
	case g.kind != day:
		return false
	case f.kind == month:
		return f.n == g.n/100%100
	case f.kind == number && f.unit == perLength:
		return f.n == g.n%100*lengthOfDay
	}
	return f.kind == number && f.unit == "" && g.n > 10000 && f.n == g.n/10000*100
}

// sameWeekdays reports whether days of the week are among others. A range of them is the same range.
func sameWeekdays(f, g int) bool {
	const several = 3
	switch {
	case f == g:
		return true
	case f == weekend:
		return f&g != 0
	case f&^g != 0:
		return false
	}
	return bits.OnesCount(uint(f)) < several || g == everyDay
}

// sameEnd reports whether a fact of the evidence is the end that a sentence says: no start for an
// end, no least for a most. A number as such (8 seats) is the most as well.
func (f *fact) sameEnd(g *fact) bool {
	switch {
	case f.role == at || f.role == g.role:
		return true
	case f.kind == money:
		return g.role == at
	case f.kind == number:
		return g.role == at && (f.role == until || f.unit == perLength)
	}
	return g.role == at
}

// alike reports whether two facts are of one kind: both events, if they are names, or neither.
func (f *fact) alike(g *fact) bool { return f.kind == g.kind && (f.kind != name || f.n == g.n) }

// rivals reports whether a fact of the evidence could stand in the place of one of a sentence.
func (f *fact) rivals(g *fact) bool {
	if !f.alike(g) || f.kind == literal || f.kind == number && f.unit != g.unit {
		return false
	}
	return f.kind != clock || f.role == at || g.role == at || f.role == g.role
}

// Units of numbers.
const (
	perPerson    = "person"
	perFloor     = "floor"
	perLength    = "length" // of time, in seconds
	perPercent   = "percent"
	perAge       = "age"
	perEach      = "each" // things, whatever they are
	perOrder     = "nth"
	secondsOfDay = 86400
)

// sameUnit reports whether numbers of two units can be the same: one without a unit may be of
// people or of any things.
func sameUnit(a, b string) bool {
	vague := func(u string) bool {
		return u == "" || u == perPerson || u == perEach || u == perAge || u == "place" || u == "grade"
	}
	return a == b || vague(a) && vague(b)
}
