package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"annai/venue"
)

// aboutVenue says what was understood of the venue's hours and of each of its parts, and what may
// be a slip.
func (d *doctor) aboutVenue(v *venue.Venue) {
	d.say(true, "hours", "%s", hoursInWords(v.Hours))
	for i := range v.Parts {
		d.say(true, "part", "%s", partInWords(&v.Parts[i]))
	}
	for _, n := range v.Notes() {
		d.note("venue", "%v", n)
	}
}

// partInWords is all that was understood of a part, in a line.
func partInWords(p *venue.Part) string {
	words := []string{}
	add := func(given bool, format string, args ...any) {
		if given {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	aliases := len(p.Names("")) - len(slices.Compact([]string{p.Name.JA, p.Name.EN}))
	add(aliases > 0, "other names: %d", aliases)
	add(p.Floor != "", "floor %s", p.Floor)
	add(!p.Seats.IsZero() && p.Seats.Least == p.Seats.Most, "%d seats", p.Seats.Least)
	add(p.Seats.Least != p.Seats.Most, "%d to %d seats", p.Seats.Least, p.Seats.Most)
	add(len(p.Hours.Weekly) > 0, "%s", hoursInWords(p.Hours))
	add(len(p.Prices) > 0, "%s", pricesInWords(p.Prices))
	add(p.Booking.Needed != "", "booking: %s", p.Booking.Needed)
	add(!p.For.IsZero(), "for: %s", audienceInWords(p.For))
	add(len(p.Allows) > 0, "allows %s", textsInWords(p.Allows))
	add(len(p.Forbids) > 0, "forbids %s", textsInWords(p.Forbids))
	if len(words) == 0 {
		words = []string{"only its name"}
	}
	return p.Name.In("ja") + " / " + p.Name.In("en") + ": " + strings.Join(words, "; ")
}

func textsInWords(texts []venue.Text) string {
	var words []string
	for _, t := range texts {
		words = append(words, t.In("en"))
	}
	return strings.Join(words, ", ")
}

func pricesInWords(prices []venue.Price) string {
	var amounts []string
	for _, row := range prices {
		amounts = append(amounts, row.Amount.String())
	}
	if len(prices) == 1 {
		return "price: " + amounts[0]
	}
	return fmt.Sprintf("%d prices: %s", len(prices), strings.Join(slices.Compact(amounts), ", "))
}

func audienceInWords(a venue.Audience) string {
	var words []string
	if a.MinAge > 0 {
		words = append(words, fmt.Sprintf("from the age of %d", a.MinAge))
	}
	if a.MaxAge != nil {
		words = append(words, fmt.Sprintf("up to the age of %d", *a.MaxAge))
	}
	if a.Members {
		words = append(words, "members")
	}
	if !a.Who.IsZero() {
		words = append(words, a.Who.In("en"))
	}
	return strings.Join(words, ", ")
}

// hoursInWords are hours by weekday, those with the same in a row together, and the rules that
// change them.
func hoursInWords(h venue.Hours) string {
	if len(h.Weekly) == 0 {
		return "not given"
	}
	var words []string
	for first := 0; first < 7; {
		last := first
		for last < 6 && slices.Equal(h.On(weekday(last+1)), h.On(weekday(first))) {
			last++
		}
		days := weekday(first).String()[:3]
		if last > first {
			days += "-" + weekday(last).String()[:3]
		}
		words = append(words, days+" "+clocks(h.On(weekday(first))))
		first = last + 1
	}
	if holidays, differ := h.OnHolidays(); differ {
		words = append(words, "public holidays "+clocks(holidays))
	}
	switch {
	case h.MoveIfHoliday:
		words = append(words, "a closed weekday moves if it is a public holiday")
	case h.OpenIfHoliday:
		words = append(words, "a closed weekday opens if it is a public holiday")
	}
	if n := len(h.Closed); n > 0 {
		words = append(words, fmt.Sprintf("rules that close: %d", n))
	}
	if n := len(h.Special); n > 0 {
		words = append(words, fmt.Sprintf("rules of other hours: %d", n))
	}
	return strings.Join(words, ", ")
}

// weekday is the nth of a week that begins on Monday.
func weekday(n int) time.Weekday { return time.Weekday((n + 1) % 7) }

func clocks(hours []venue.ClockRange) string {
	if len(hours) == 0 {
		return "closed"
	}
	var words []string
	for _, r := range hours {
		words = append(words, r.String())
	}
	return strings.Join(words, " and ")
}
