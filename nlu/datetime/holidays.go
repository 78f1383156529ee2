package datetime

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/holiday"
)

// A namedDay is a day known by its names.
type namedDay struct {
	names string
	// in is the day in a year. It is not ok in years that have none.
	in func(year int) (civil.Date, bool)
	// month and dom are when it is, if that is the same each year.
	month, dom int
	days       int  // how many days it lasts
	into       bool // it leads into the year that is said with it in English: New Year 2027 begins in 2026
}

var holidays = newHolidays(holidayTable)

func newHolidays(table string) []namedDay {
	var out []namedDay
	for line := range strings.Lines(table) {
		if row := cells(line); row != nil {
			out = append(out, newHoliday(row[0], row[1], row[2]))
		}
	}
	return out
}

// newHoliday is a line of holidays.tsv, where its notation is described.
func newHoliday(when, days, names string) namedDay {
	var d namedDay
	d.names = names
	days, d.into = strings.CutSuffix(days, "+")
	d.days, _ = strconv.Atoi(days)
	kind, rest, _ := strings.Cut(when, " ")
	var n [4]float64
	for i, field := range strings.Fields(rest) {
		n[i], _ = strconv.ParseFloat(field, 64)
	}
	month, number := time.Month(n[0]), int(n[0])
	d.in = func(year int) (civil.Date, bool) {
		switch kind {
		case "japan":
			return holiday.Day(rest, year)
		case "easter":
			return easter(year).AddDays(number), true
		case "sun":
			return byTheSun(year, month, n[1], n[2], int(n[3])), true
		case "nth":
			days, ok := nthOf(monthStart(year, number), int(n[2]), int(n[1]))
			return days.first.AddDays(int(n[3])), ok
		}
		return civil.Date{Year: year, Month: month, Day: int(n[1])}, true
	}
	if kind == "on" {
		d.month, d.dom = number, int(n[1])
	}
	return d
}

// easter is Easter Sunday in the Gregorian calendar: the Sunday after the full moon on or after the
// equinox of the church.
func easter(year int) civil.Date {
	golden, century := year%19, year/100
	epact := (century - century/4 - (8*century+13)/25 + 19*golden + 15) % 30
	moon := epact - epact/28*(1-epact/28*(29/(epact+1))*((21-golden)/11))
	weekday := (year + year/4 + moon + 2 - century + century/4) % 7
	return civil.Date{Year: year, Month: time.March, Day: 28}.AddDays(moon - weekday)
}

// byTheSun is a day of the month that drifts a little later each year and goes back in leap years.
// A year had it at base.
func byTheSun(year int, month time.Month, base, drift float64, since int) civil.Date {
	years := year - since
	return civil.Date{Year: year, Month: month, Day: int(base+drift*float64(years)) - years/4}
}

// holiday reads a day known by name, with the year behind it.
func (p *parser) holiday(i int) (value, int) {
	index := p.tok(i).a
	h := &holidays[index]
	if h.into && !p.newYear(i) {
		return value{}, i
	}
	v := value{has: fRule, rule: index, holiday: true}
	if h.dom != 0 {
		v = value{has: fMonth | fDom, month: h.month, dom: h.dom, span: h.days, holiday: true}
	}
	v, j := p.yearAfter(v, i+1)
	if h.into && j > i+1 && p.tok(i).latin {
		v.year--
	}
	return v, j
}

// aboutNewYear are words behind which New Year is a time. Behind another one it is what is kept:
// "add New Year with the family".
var aboutNewYear = []string{"over", "around", "through", "throughout", "across", "and", "or", "open", "closed", "about"}

// newYear reports whether the name of the days around New Year at i is said as a time.
func (p *parser) newYear(i int) bool {
	t, before := p.tok(i), p.tok(i-1)
	if !t.latin || i == 0 || i == len(p.tokens)-1 || before.class != cWord && before.class != cArticle {
		return true
	}
	isLong := t.end-t.start > len("new year") // New Year holidays
	return isLong || before.a == functionWord || slices.Contains(aboutNewYear, p.word(before))
}

// relativeHoliday is the last or the next day of that name; j is where the name stands.
func (p *parser) relativeHoliday(n, j int) (value, int) {
	v, end := p.holiday(j)
	if v.any(fYear) {
		return v, end
	}
	v.has, v.year = v.has|fYear, p.today.Year
	day, _ := holidays[p.tok(j).a].in(v.year)
	switch {
	case n < 0 && !day.Before(p.today):
		v.year--
	case n >= 0 && day.Before(p.today):
		v.year++
	}
	return v, end
}
