package venue

import (
	"time"

	"annai/internal/civil"
)

// searchDays is how far [Venue.NextOpening] looks: over a whole year of closing rules.
const searchDays = 400

// A Day says whether and when the venue is open on one day.
type Day struct {
	Date civil.Date
	// Known is false where the venue file gives no hours: then Open says nothing.
	Known bool
	Open  bool
	// From and Until are instants in the venue's location, Until excluded and possibly on the next day. Zero when closed.
	From, Until time.Time
	// Reason is that of the rule that closes the day; it may be empty. See [ClosedRule].
	Reason Text
	// Rule is what closes the day as the file has it: "weekly sun", "last mon", "12-29/01-03", "2026-05-01". Empty when open.
	Rule string
	// MovedFrom is the public holiday from which the closing day was moved to this one. Zero otherwise.
	MovedFrom civil.Date
}

// Day returns what the rules say of d. Of several rules that close it, the weekly one comes first, then the file's order.
func (v *Venue) Day(d civil.Date) Day {
	if v.schedule == nil {
		return Day{Date: d}
	}
	day := Day{Date: d, Known: true}
	hours := v.schedule.weekly[d.Weekday()]
	if hours == (span{}) {
		day.Rule = "weekly " + weekdays[d.Weekday()]
		return day
	}
	for _, c := range v.schedule.closed {
		if from, ok := c.closes(d); ok {
			day.Rule, day.Reason, day.MovedFrom = c.rule, c.reason, from
			return day
		}
	}
	day.Open = true
	day.From, day.Until = v.at(d, hours.from), v.at(d, hours.until)
	return day
}

// at returns the instant at which clocks show that many minutes after the midnight of d.
func (v *Venue) at(d civil.Date, minutes int) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, minutes, 0, 0, v.Location)
}

// OpenAt reports whether the venue is open at t. It is not where the hours are not known.
func (v *Venue) OpenAt(t time.Time) bool {
	_, ok := v.Opening(t)
	return ok
}

// Opening returns the day whose opening hours contain t: today's, or yesterday's where they go past midnight.
func (v *Venue) Opening(t time.Time) (Day, bool) {
	if v.schedule == nil {
		return Day{}, false
	}
	today := civil.DateOf(t.In(v.Location))
	for _, d := range []civil.Date{today, today.AddDays(-1)} {
		if day := v.Day(d); day.Open && !t.Before(day.From) && t.Before(day.Until) {
			return day, true
		}
	}
	return Day{}, false
}

// NextOpening returns the first day that opens after t. There is none where the hours are not known, or where the rules
// close every day of the year to come.
func (v *Venue) NextOpening(t time.Time) (Day, bool) {
	if v.schedule == nil {
		return Day{}, false
	}
	today := civil.DateOf(t.In(v.Location))
	for i := range searchDays {
		if day := v.Day(today.AddDays(i)); day.Open && day.From.After(t) {
			return day, true
		}
	}
	return Day{}, false
}

// ClosedDays returns the days of that month on which the venue is closed, in order; none where the hours are not known.
func (v *Venue) ClosedDays(year int, month time.Month) []Day {
	if v.schedule == nil {
		return nil
	}
	var closed []Day
	for d := (civil.Date{Year: year, Month: month, Day: 1}); d.Month == month; d = d.AddDays(1) {
		if day := v.Day(d); !day.Open {
			closed = append(closed, day)
		}
	}
	return closed
}
