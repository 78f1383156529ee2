package venue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// floorName is "1", "2F", "B1" and "B1F".
var floorName = regexp.MustCompile(`^B?[1-9][0-9]?$`)

// checkParts fills in the defaults of the parts and what is derived, and adds what is wrong.
func (c *checker) checkParts(v *Venue) {
	ids := map[string]bool{}
	for i := range v.Parts {
		p, key := &v.Parts[i], fmt.Sprintf("parts[%d]", i)
		if p.Name.IsZero() {
			c.add(key+".name", "is missing; give it as ja, en or both")
		}
		if p.ID == "" {
			p.ID = p.Name.In("en")
		}
		if ids[p.ID] && p.ID != "" {
			c.add(key, "%q is another part too; give each a name or id of its own", p.ID)
		}
		ids[p.ID] = true
		c.checkPart(v, key, p)
	}
}

func (c *checker) checkPart(v *Venue, key string, p *Part) {
	c.checkAliases(key+".aliases.ja", p.Name.JA, p.Aliases.JA)
	c.checkAliases(key+".aliases.en", p.Name.EN, p.Aliases.EN)
	if floor := strings.TrimSuffix(strings.ToUpper(p.Floor), "F"); p.Floor != "" {
		if !floorName.MatchString(floor) {
			c.add(key+".floor", "%q is not like 1, 2 or B1", p.Floor)
		}
		p.Floor = floor
	}
	if p.Seats.IsZero() && p.Seats.text != "" {
		c.add(key+".seats", "%q is not like 8 or \"8-10\"", p.Seats.text)
	}
	c.checkPartHours(v, key+".hours", p)
	c.checkPrices(v, key+".prices", p)
	c.checkBooking(key+".booking", &p.Booking)
	c.checkAges(key+".for", p.For.Ages)
	c.checkTexts(key+".allows", p.Allows)
	c.checkTexts(key+".forbids", p.Forbids)
}

func (c *checker) checkAliases(key, name string, aliases []string) {
	for i, a := range aliases {
		if a == "" || a == name || slices.Contains(aliases[:i], a) {
			c.add(fmt.Sprintf("%s[%d]", key, i), "%q is empty or given twice", a)
		}
	}
}

func (c *checker) checkPartHours(v *Venue, key string, p *Part) {
	if p.Hours.Holidays != "" {
		c.add(key+".holidays", "belongs to the venue's hours; a part has the same holidays")
	}
	p.Hours.Holidays = v.Hours.Holidays
	closesWith := v.Hours.schedule
	if p.Hours.OwnClosedDays {
		closesWith = nil
	}
	p.Hours.schedule = c.schedule(key, &p.Hours, v.Location, closesWith)
}

func (c *checker) checkPrices(v *Venue, key string, p *Part) {
	byHoliday := slices.ContainsFunc(p.Prices, func(row Price) bool { return slices.Contains(row.Days, onHolidays) })
	for i := range p.Prices {
		row, at := &p.Prices[i], fmt.Sprintf("%s[%d]", key, i)
		if err := row.Amount.check(); err != nil {
			c.add(at+".amount", "%v", err)
		}
		if row.From != "" || row.Until != "" {
			clock, ok := parseRange(row.From + "-" + row.Until)
			if !ok {
				c.add(at, "from %q until %q is not like from 9:00 until 12:00", row.From, row.Until)
			}
			row.clock = &clock
		}
		for j, day := range row.Days {
			if day != onHolidays && !slices.Contains(weekdays, day) {
				c.add(fmt.Sprintf("%s.days[%d]", at, j), "%q is not one of %s, holiday", day, weekdayNames)
			}
		}
		if byHoliday {
			row.holiday = c.holidays(key, v.Hours.Holidays)
			if v.Hours.Holidays == "" && slices.Contains(row.Days, onHolidays) {
				c.add(at+".days", "needs hours.holidays, to say whose holidays")
			}
		}
		c.checkAges(at, row.Ages)
	}
}

func (c *checker) checkBooking(key string, b *Booking) {
	switch b.Needed {
	case "true":
		b.Needed = BookingNeeded
	case "false":
		b.Needed = BookingNone
	case "", BookingNeeded, BookingNone, BookingPossible:
	default:
		c.add(key+".needed", "%q is not yes, no or possible", b.Needed)
	}
}

func (c *checker) checkAges(key string, a Ages) {
	switch {
	case a.MinAge < 0:
		c.add(key+".minAge", "%d is no age", a.MinAge)
	case a.MaxAge != nil && *a.MaxAge < a.MinAge:
		c.add(key+".maxAge", "%d is below minAge, or no age", *a.MaxAge)
	}
}

func (c *checker) checkTexts(key string, texts []Text) {
	for i, t := range texts {
		if t.IsZero() {
			c.add(fmt.Sprintf("%s[%d]", key, i), "is empty")
		}
	}
}
