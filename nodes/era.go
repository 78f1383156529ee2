package nodes

import (
	"strings"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/prompts"
)

// An era is one of the Japanese calendar, with its first and its last day; the one that goes on has
// no last day. Its name is that of a phrase. Where one era ends and the next begins on the same day,
// the day is the next one's.
type era struct {
	name        string
	first, last civil.Date
}

// eras are those since 1868, the newest first.
var eras = []era{
	{"reiwa", civil.Date{Year: 2019, Month: time.May, Day: 1}, civil.Date{}},
	{"heisei", civil.Date{Year: 1989, Month: time.January, Day: 8}, civil.Date{Year: 2019, Month: time.April, Day: 30}},
	{"showa", civil.Date{Year: 1926, Month: time.December, Day: 25}, civil.Date{Year: 1989, Month: time.January, Day: 7}},
	{"taisho", civil.Date{Year: 1912, Month: time.July, Day: 30}, civil.Date{Year: 1926, Month: time.December, Day: 25}},
	{"meiji", civil.Date{Year: 1868, Month: time.October, Day: 23}, civil.Date{Year: 1912, Month: time.July, Day: 30}},
}

// eraOn is the era of a day. The years of the oldest were counted from the first day of 1868.
func eraOn(d civil.Date) (era, bool) {
	for _, e := range eras {
		if !d.Before(e.first) {
			return e, true
		}
	}
	oldest := eras[len(eras)-1]
	return oldest, d.Year == oldest.first.Year
}

// year is a year of the Western calendar as a year of the era: 令和8年, 平成元年; Reiwa 8.
func (e era) year(western int, lang nlu.Language) string {
	name := display.Phrase(lang, e.name)
	if n := western - e.first.Year + 1; n > 1 {
		return display.Phrase(lang, "era_year", name, n)
	}
	return display.Phrase(lang, "era_first_year", name)
}

// day is a day as it is written with the years of the era: 令和8年3月1日; March 1, Reiwa 8.
func (e era) day(d civil.Date, lang nlu.Language) string {
	var month any = int(d.Month)
	if lang == nlu.English {
		month = d.Month
	}
	return display.Phrase(lang, "era_day", e.year(d.Year, lang), month, d.Day)
}

// eraCalled is the era of that name.
func eraCalled(name string) (era, bool) {
	for _, e := range eras {
		if e.name == name {
			return e, true
		}
	}
	return era{}, false
}

// asksEra reports whether an era is asked about, or the year of one. A day that is only written
// with the year of an era is not.
func asksEra(said string, w dateWish) bool {
	said = words.NoEra.Replace(said)
	_, written := datetime.EraIn(w.Words)
	counts := words.CountsDays.In(said) && !words.CountsYears.In(said)
	if written && !w.Range.IsZero() && !w.Range.OneDay().IsZero() || counts || words.AsksWeekday.In(said) {
		return false
	}
	_, named := datetime.EraIn(said)
	return words.Calendars.In(said) || named && words.AsksYear.In(said)
}

// eraAsked is the era that is asked about, and the year of it if one is named; "" where the year of
// the range is asked for in whatever era it has.
func eraAsked(said string, w dateWish) (name string, year int) {
	said = words.NoEra.Replace(said)
	named, ok := datetime.EraIn(said)
	ofRange := named.Year == 0 && !w.Range.IsZero() && !w.Range.Clock
	if !ok || ofRange || asksItsYear(said[:named.Start], said[named.End:]) {
		return "", 0
	}
	for _, e := range eras {
		if e.first.Year == named.First {
			return e.name, named.Year
		}
	}
	return "", 0
}

// asksItsYear reports whether what stands before and behind the name of an era asks for one of its
// years: 令和何年, what year of Reiwa.
func asksItsYear(before, behind string) bool {
	if _, of := words.WhatYearOf.End(strings.TrimSpace(before)); of {
		return true
	}
	rest, ok := words.WhatYear.Begin(behind)
	_, many := words.SomeYears.Begin(rest)
	return ok && !many
}

// withinEra is the year of an era without the days before it began and after it ended.
func withinEra(s display.Span, name string, year int) display.Span {
	e, ok := eraCalled(name)
	if !ok || year == 0 || s.IsZero() {
		return s
	}
	loc := s.Start.Location()
	if first := e.first.In(loc); first.After(s.Start) && first.Before(s.End) {
		s.Start = first
	}
	if after := e.last.AddDays(1).In(loc); !e.last.IsZero() && after.After(s.Start) && after.Before(s.End) {
		s.End = after
	}
	return s
}

// ofEra says which year an era's is, when the era was, or both.
func (r reckoning) ofEra(e era) prompts.Prompt {
	p := prompts.DateEraOf{Name: display.Phrase(r.lang, e.name), First: r.written(e.first)}
	if !e.last.IsZero() {
		p.Last = r.written(e.last)
	}
	if r.wish.EraYear == 0 {
		return p
	}
	p.Year = e.first.Year + r.wish.EraYear - 1
	p.Words = e.year(p.Year, r.lang)
	switch {
	case !e.last.IsZero() && p.Year > e.last.Year:
		now, _ := eraOn(civil.Date{Year: p.Year, Month: time.December, Day: 31})
		p.Instead = now.year(p.Year, r.lang)
	case p.Year != e.first.Year && p.Year != e.last.Year: // the whole year is of that era
		p.Name, p.First, p.Last = "", "", ""
	}
	return p
}

const daysOfYear = 365

// inEra says what a day, or a year, is in the Japanese calendar.
func (r reckoning) inEra(day civil.Date) prompts.Prompt {
	p := prompts.DateEra{Year: day.Year}
	if one := r.wish.Range.OneDay(); !r.wish.Range.IsZero() && !one.IsZero() {
		if e, ok := eraOn(one); ok {
			p.Date, p.Era = r.written(one), e.day(one, r.lang)
		}
		return p
	}
	first, last := civil.Date{Year: day.Year, Month: time.January, Day: 1}, civil.Date{Year: day.Year, Month: time.December, Day: 31}
	if s := r.wish.Range; isStretch(s) {
		if first, last = civil.DateOf(s.Start), s.LastDate(); last.Sub(first) < daysOfYear-1 {
			p.Date = display.Capital(s.Words(r.now, r.lang), r.lang)
		}
	}
	e, ok := eraOn(first)
	if !ok {
		return p
	}
	p.Era = e.year(first.Year, r.lang)
	if later, _ := eraOn(last); later != e && last.Year == first.Year {
		p.Later, p.From = later.year(last.Year, r.lang), r.written(later.first)
	}
	return p
}
