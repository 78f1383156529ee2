package venue

import (
	"slices"
	"time"

	"annai/civil"
)

// A Price is one row of a part's prices.
type Price struct {
	// What is what is paid for. Absent means the part itself.
	What Text `yaml:"what"`
	// Amount is in yen: 800, "460+" for at least that, "650-700", or free.
	Amount Amount `yaml:"amount"`
	// Per is what one pays it for: an hour, a person, a gram. Absent means once.
	Per Text `yaml:"per"`
	// From and Until are the time of day for which it is the price. Absent means any.
	From  string `yaml:"from"`
	Until string `yaml:"until"`
	// Days are the weekdays on which it holds, "mon" to "sun". Absent means all. Where a row of the
	// part has "holiday", public holidays are no weekdays.
	Days []string `yaml:"days"`
	// Ages and For are who pays it.
	Ages `yaml:",inline"`
	For  Text `yaml:"for"`

	clock   *ClockRange             // From and Until, understood; nil for any
	holiday func(civil.Date) string // nil where no row of the part tells holidays from weekdays
}

// Clock returns the time of day for which it is the price, if it has one.
func (p Price) Clock() (ClockRange, bool) {
	if p.clock == nil {
		return ClockRange{}, false
	}
	return *p.clock, true
}

// An Amount is what something costs, in yen. The zero Amount is not known.
type Amount struct {
	Free bool
	// Least and Most are the same for a fixed price. Most is zero for "from Least".
	Least, Most int

	text string // as the file has it
}

// IsZero reports whether the amount is not known.
func (a Amount) IsZero() bool { return !a.Free && a.Least == 0 }

// Fixed returns the amount where it is one number; 0 for free.
func (a Amount) Fixed() (yen int, ok bool) {
	return a.Least, a.Free || a.Least > 0 && a.Least == a.Most
}

// A PriceQuery is for what a price is wanted. Its zero value is for anything.
type PriceQuery struct {
	// From and Until are when it is to be used; without Until, at From. Their location is the
	// venue's.
	From, Until time.Time
	// Age is that of who pays; nil if that is not known.
	Age *int
}

// PricesAt returns the rows that hold for q, those for the shortest time of day first and then in
// the file's order. A row for a time of day holds where all of the time of q is in it.
func (p *Part) PricesAt(q PriceQuery) []Price {
	var rows []Price
	for _, row := range p.Prices {
		if row.holds(q) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b Price) int { return a.length() - b.length() })
	return rows
}

// length is for how many minutes of a day the row holds; for any time is the longest.
func (p Price) length() int {
	if p.clock == nil {
		return int(2 * dayEnd)
	}
	return int(p.clock.Until - p.clock.From)
}

func (p Price) holds(q PriceQuery) bool {
	if q.Age != nil && !p.Hold(*q.Age) {
		return false
	}
	return q.From.IsZero() || p.OnDay(civil.DateOf(q.From)) && p.inClock(q)
}

// OnDay reports whether the row holds on d, at some time of the day.
func (p Price) OnDay(d civil.Date) bool {
	day := weekdays[d.Weekday()]
	if p.holiday != nil && p.holiday(d) != "" {
		day = onHolidays
	}
	return len(p.Days) == 0 || slices.Contains(p.Days, day)
}

func (p Price) inClock(q PriceQuery) bool {
	if p.clock == nil {
		return true
	}
	day := civil.DateOf(q.From)
	clock := func(t time.Time) Clock {
		return Clock(civil.DateOf(t).Sub(day))*dayEnd + Clock(t.Hour()*60+t.Minute())
	}
	from, until := clock(q.From), clock(q.From)+1
	if q.Until.After(q.From) {
		until = clock(q.Until)
	}
	return p.clock.From <= from && until <= p.clock.Until
}
