package venue

import (
	"time"

	"annai/civil"
)

// searchDays is how far [Hours.NextOpening] and [Hours.NextClosed] look: over a whole year of
// closing rules.
const searchDays = 400

// A Day says whether and when something is open on one day.
type Day struct {
	Date civil.Date
	// Known is false where the venue file gives no hours: then Open says nothing.
	Known bool
	Open  bool
	// Spans are when it is open, in order: two or more with a break between them. Empty when
	// closed.
	Spans []Span
	// From is when it first opens and Until when it last closes, possibly on the next day. Zero
	// when closed.
	From, Until time.Time
	// Reason is that of the rule that closes the day or gives it other hours; it may be empty. See
	// [ClosedRule].
	Reason Text
	// Rule is what closes the day as the file has it: "weekly sun", "last mon", "12-29/01-03",
	// "2026-05-01"; or what gives it other hours: "weekly holiday", or a [SpecialRule]. Empty for
	// the hours of the weekday.
	Rule string
	// MovedFrom is the public holiday from which the closing day was moved to this one. Zero
	// otherwise.
	MovedFrom civil.Date
	// WithVenue says of a part that it is closed, or open for a shorter time, because the venue is.
	WithVenue bool
}

// A Span is a time without a break in which something is open: From is in, Until out, in the
// location of the venue.
type Span struct {
	// Date is the day whose hours these are; Until may be on the next.
	Date        civil.Date
	From, Until time.Time
	// LastOrder and LastEntry are zero where there is none.
	LastOrder, LastEntry time.Time
}

// Contains reports whether it is open at t.
func (s Span) Contains(t time.Time) bool { return !t.Before(s.From) && t.Before(s.Until) }

// Day returns what the rules say of d. Of several rules that close it, the weekly one comes first,
// then the file's order.
func (h Hours) Day(d civil.Date) Day {
	if h.schedule == nil {
		return Day{Date: d}
	}
	return h.schedule.day(d)
}

// OpenAt reports whether it is open at t. It is not where the hours are not known.
func (h Hours) OpenAt(t time.Time) bool {
	_, ok := h.Opening(t)
	return ok
}

// Opening returns the opening hours that contain t: today's, or yesterday's where they go past
// midnight.
func (h Hours) Opening(t time.Time) (Span, bool) {
	if h.schedule == nil {
		return Span{}, false
	}
	today := civil.DateOf(t.In(h.schedule.loc))
	for _, d := range []civil.Date{today, today.AddDays(-1)} {
		for _, s := range h.Day(d).Spans {
			if s.Contains(t) {
				return s, true
			}
		}
	}
	return Span{}, false
}

// NextOpening returns the first opening hours that begin after t, be it after a break. There are
// none where the hours are not known, or where the rules close every day of the year to come.
func (h Hours) NextOpening(t time.Time) (Span, bool) {
	if h.schedule == nil {
		return Span{}, false
	}
	today := civil.DateOf(t.In(h.schedule.loc))
	for i := range searchDays {
		for _, s := range h.Day(today.AddDays(i)).Spans {
			if s.From.After(t) {
				return s, true
			}
		}
	}
	return Span{}, false
}

// NextClosed returns the first closed day from d on. There is none where the hours are not known,
// or within a year.
func (h Hours) NextClosed(d civil.Date) (Day, bool) {
	if h.schedule == nil {
		return Day{}, false
	}
	for i := range searchDays {
		if day := h.Day(d.AddDays(i)); !day.Open {
			return day, true
		}
	}
	return Day{}, false
}

// ClosedDays returns the closed days of that month, in order; none where the hours are not known.
func (h Hours) ClosedDays(year int, month time.Month) []Day {
	if h.schedule == nil {
		return nil
	}
	var closed []Day
	for d := (civil.Date{Year: year, Month: month, Day: 1}); d.Month == month; d = d.AddDays(1) {
		if day := h.Day(d); !day.Open {
			closed = append(closed, day)
		}
	}
	return closed
}

// On returns the hours of a weekday as such, none where it is closed or the hours are not known.
func (h Hours) On(weekday time.Weekday) []ClockRange {
	if h.schedule == nil {
		return nil
	}
	return h.schedule.weekly[weekday]
}

// OnHolidays returns the hours of a public holiday, and whether they differ from those of its
// weekday.
func (h Hours) OnHolidays() ([]ClockRange, bool) {
	if h.schedule == nil {
		return nil, false
	}
	return h.schedule.onHoliday, h.schedule.hasHoliday
}

// Day is [Hours.Day] of the venue.
func (v *Venue) Day(d civil.Date) Day { return v.Hours.Day(d) }

// OpenAt is [Hours.OpenAt] of the venue.
func (v *Venue) OpenAt(t time.Time) bool { return v.Hours.OpenAt(t) }

// Opening is [Hours.Opening] of the venue.
func (v *Venue) Opening(t time.Time) (Span, bool) { return v.Hours.Opening(t) }

// NextOpening is [Hours.NextOpening] of the venue.
func (v *Venue) NextOpening(t time.Time) (Span, bool) { return v.Hours.NextOpening(t) }

// ClosedDays is [Hours.ClosedDays] of the venue.
func (v *Venue) ClosedDays(year int, month time.Month) []Day { return v.Hours.ClosedDays(year, month) }
