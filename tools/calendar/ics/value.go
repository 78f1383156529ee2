package ics

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/emersion/go-ical"

	"annai/tools/calendar/recur"
)

// moment reads a property of type DATE or DATE-TIME. A date that is written with a time all the same is the date.
func (z *zones) moment(prop *ical.Prop) (recur.Moment, error) {
	value := strings.TrimSpace(prop.Value)
	if strings.EqualFold(prop.Params.Get("VALUE"), "DATE") && len(value) > len("20060102") {
		value = value[:len("20060102")]
	}
	m, err := recur.ParseMoment(value, prop.Params.Get("TZID"), z.lookup)
	if err != nil {
		return recur.Moment{}, fmt.Errorf("%s: %w", prop.Name, err)
	}
	return m, nil
}

// recurrence returns the lines that make an event recur.
func recurrence(c *ical.Component) []string {
	var lines []string
	for _, name := range []string{"RRULE", "EXRULE", "RDATE", "EXDATE"} {
		for _, prop := range c.Props.Values(name) {
			head := name
			if tzid := prop.Params.Get("TZID"); tzid != "" {
				head += `;TZID="` + tzid + `"`
			}
			lines = append(lines, head+":"+prop.Value)
		}
	}
	return lines
}

// text returns a TEXT property without its escapes. It forgives commas that were not escaped, and unknown escapes.
func text(c *ical.Component, name string) string {
	prop := c.Props.Get(name)
	if prop == nil {
		return ""
	}
	return strings.TrimSpace(unescape.Replace(prop.Value))
}

// otherSummary is the title in the other language: X-ANNAI-SUMMARY;LANGUAGE=en:Morning Yoga. RFC 5545 allows an event one SUMMARY, and properties
// of anybody's own.
const otherSummary = "X-ANNAI-SUMMARY"

// title is the title of an event. One in two languages is 朝ヨガ / Morning Yoga, however the file has it.
func title(c *ical.Component) string {
	summary, other := text(c, "SUMMARY"), text(c, otherSummary)
	if summary == "" || other == "" || strings.Contains(summary, other) {
		return cmp.Or(summary, other)
	}
	return summary + " / " + other
}

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";")

// number returns an INTEGER property, or 0.
func number(c *ical.Component, name string) int {
	prop := c.Props.Get(name)
	if prop == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(prop.Value))
	if err != nil {
		return 0
	}
	return n
}
