// Package holiday knows the public holidays of Japan, by rule, from 1950 to 2099.
//
// Its one idea: a day is a holiday by name (the table of national holidays, with the years each rule was in force), or
// because of its neighbours (a holiday on a Sunday, a day between two holidays). Equinoxes of years to come are
// computed; the government announces them a year ahead. The package knows no calendar, no clock and no opening hours.
package holiday

import (
	"time"

	"annai/civil"
)

// The first and last year that are known.
const (
	firstYear = 1950
	lastYear  = 2099
)

// The names of days that are holidays because of their neighbours.
const (
	substitute = "振替休日"
	sandwiched = "国民の休日"
)

// The days on which the rules about neighbours came into force or changed.
var (
	substituteSince = civil.Date{Year: 1973, Month: time.April, Day: 12}
	sandwichedSince = civil.Date{Year: 1985, Month: time.December, Day: 27}
	// chainedSince is when a substitute began to skip over further holidays to the next day that is none.
	chainedSince = civil.Date{Year: 2007, Month: time.January, Day: 1}
)

// Japan returns the Japanese name of the public holiday on d, or "" if d is none or outside 1950 to 2099.
// A substitute is 振替休日, a day between two holidays is 国民の休日.
func Japan(d civil.Date) string {
	if d.Year < firstYear || d.Year > lastYear {
		return ""
	}
	if name := national(d); name != "" {
		return name
	}
	if name := ceremonies[d]; name != "" {
		return name
	}
	switch {
	case isSubstitute(d):
		return substitute
	case isSandwiched(d):
		return sandwiched
	}
	return ""
}

// Day returns the day of the national holiday called name in a year. It is not ok where the year had none of that name, or is
// outside 1950 to 2099.
func Day(name string, year int) (d civil.Date, ok bool) {
	for day, n := range moved {
		if n == name && day.Year == year {
			return day, true
		}
	}
	for month, rules := range byMonth {
		for _, r := range rules {
			if r.name == name && r.from <= year && year <= r.until && !displaced[yearName{year, name}] {
				return civil.Date{Year: year, Month: month, Day: r.day(year)}, true
			}
		}
	}
	return civil.Date{}, false
}

// English returns the English name of the holiday that [Japan] calls name, or "" for another name.
func English(name string) string { return english[name] }

// national returns the name of the national holiday (国民の祝日) on d, which the rules about neighbours count by.
func national(d civil.Date) string {
	if name, ok := moved[d]; ok {
		return name
	}
	for _, r := range byMonth[d.Month] {
		if r.from <= d.Year && d.Year <= r.until && r.day(d.Year) == d.Day && !displaced[yearName{d.Year, r.name}] {
			return r.name
		}
	}
	return ""
}

// isSubstitute reports whether d stands in for a national holiday on a Sunday.
func isSubstitute(d civil.Date) bool {
	if d.Before(substituteSince) {
		return false
	}
	if d.Before(chainedSince) {
		return d.Weekday() == time.Monday && national(d.AddDays(-1)) != ""
	}
	for before := d.AddDays(-1); national(before) != ""; before = before.AddDays(-1) {
		if before.Weekday() == time.Sunday {
			return true
		}
	}
	return false
}

// isSandwiched reports whether both neighbours of d are national holidays.
func isSandwiched(d civil.Date) bool {
	if d.Before(sandwichedSince) || d.Before(chainedSince) && d.Weekday() == time.Sunday {
		return false
	}
	return national(d.AddDays(-1)) != "" && national(d.AddDays(1)) != ""
}
