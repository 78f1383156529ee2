package owner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/date"
)

// A repeat is how an entry recurs. The zero repeat does not.
type repeat struct {
	// Unit is DAILY, WEEKLY, MONTHLY or YEARLY, Every how many of them lie between two.
	Unit  string `json:"unit,omitempty"`
	Every int    `json:"every,omitempty"`
	// Weekdays are the days of the week, in the order of the week; Nth, with one of them, which one
	// of the month (-1 the last).
	Weekdays []time.Weekday `json:"weekdays,omitempty"`
	Nth      int            `json:"nth,omitempty"`
	// From is the first day that counts. Until is the last, zero for none; Count how many there
	// are, 0 for no number.
	From  civil.Date `json:"from,omitzero"`
	Until civil.Date `json:"until,omitzero"`
	Count int        `json:"count,omitempty"`
}

func (r repeat) isZero() bool { return r.Unit == "" }

// units are the units in which things recur, with the words for each.
var units = []struct {
	unit  string
	words words.Phrases
}{{daily, words.Daily}, {monthly, words.Monthly}, {yearly, words.Yearly}, {weekly, words.Weekly}}

// The units of [repeat], as RFC 5545 has them.
const (
	daily   = "DAILY"
	weekly  = "WEEKLY"
	monthly = "MONTHLY"
	yearly  = "YEARLY"
)

// workweek are the days from Monday to Friday.
var workweek = date.WorkingDays.List()

// repeatOf reads how something recurs (毎週水曜10時, "every other Friday at noon"), and the time of day
// in it. ok is false for what has no rule that is understood.
func repeatOf(frequency, said string, times timesSaid, now time.Time) (r repeat, e Edit, ok bool) {
	r = repeat{Every: 1, From: times.from, Until: times.until}
	for _, u := range units {
		if r.Unit == "" && u.words.In(frequency) {
			r.Unit = u.unit
		}
	}
	var within civil.TimeRange // 3月の毎週水曜
	r.Weekdays, within = weekdaysNamed(frequency, now)
	switch {
	case words.Workdays.In(frequency):
		r.Unit, r.Weekdays = weekly, workweek
	case len(r.Weekdays) > 0 && (r.Unit == "" || r.Unit == daily):
		r.Unit = weekly
	}
	if words.EveryOther.In(frequency) {
		r.Every = 2
	}
	if n, _, end := words.EveryNth.Number(frequency); end > 0 {
		r.Every = max(1, n)
	}
	n, _, _ := words.HowMany.Number(said)
	r.Count = min(n, maxCount)
	if r.Unit == monthly && len(r.Weekdays) > 0 {
		r.Nth = words.NthOfMonth.Which(frequency)
	}
	if r.Unit == "" {
		return repeat{}, Edit{}, false
	}
	if r.Until.IsZero() && r.Count == 0 && !within.Start.IsZero() {
		r.From, r.Until = civil.DateOf(within.Start), civil.DateOf(within.End).AddDays(-1)
	}
	if today := civil.DateOf(now); r.From.Before(today) {
		r.From = today
	}
	e = clockIn(frequency, now)
	if e.Day.IsZero() || len(r.Weekdays) > 0 || r.Unit == daily {
		e.Day = r.From
	}
	e.Guessed = false
	return r, e, true
}

// maxCount is how often something recurs at most, where it is said how often.
const maxCount = 999

// weekdaysNamed are the days of the week that words for how often name, Monday first, and the days
// within which they are meant.
func weekdaysNamed(frequency string, now time.Time) (days []time.Weekday, within civil.TimeRange) {
	var found date.Weekdays
	for _, e := range datetime.Parse(frequency, now) {
		found |= date.Of(e.Weekdays)
		if !e.Within.Start.IsZero() {
			within = e.Within
		}
	}
	return found.List(), within
}

// clockIn reads the time of day, and the day of the month, in words that say how often.
func clockIn(frequency string, now time.Time) Edit {
	return readTimes(datetime.Parse(words.HowOften.Replace(frequency), now), now).edit
}

// first is the first day on or after From that the rule has, if the day is the one given otherwise.
func (r repeat) first(day civil.Date) civil.Date {
	if day.Before(r.From) {
		day = r.From
	}
	for range 62 { // a month of weekdays is in there
		if r.has(day) {
			return day
		}
		day = day.AddDays(1)
	}
	return day
}

// has reports whether the rule may begin on that day.
func (r repeat) has(d civil.Date) bool {
	if len(r.Weekdays) == 0 {
		return true
	}
	if !slices.Contains(r.Weekdays, d.Weekday()) {
		return false
	}
	switch {
	case r.Nth > 0:
		return (d.Day-1)/7+1 == r.Nth
	case r.Nth < 0:
		return d.AddDays(7).Month != d.Month
	}
	return true
}

// lines are those of RFC 5545 for an entry that begins the series.
func (r repeat) lines(e calendar.Event, loc *time.Location) []string {
	rule := "RRULE:FREQ=" + r.Unit
	if r.Every > 1 {
		rule += fmt.Sprintf(";INTERVAL=%d", r.Every)
	}
	if len(r.Weekdays) > 0 {
		var days []string
		for _, d := range r.Weekdays {
			day := strings.ToUpper(d.String()[:2])
			if r.Nth != 0 {
				day = strconv.Itoa(r.Nth) + day
			}
			days = append(days, day)
		}
		rule += ";BYDAY=" + strings.Join(days, ",")
	}
	switch {
	case r.Count > 0:
		rule += fmt.Sprintf(";COUNT=%d", r.Count)
	case !r.Until.IsZero() && e.AllDay:
		rule += ";UNTIL=" + strings.ReplaceAll(r.Until.String(), "-", "")
	case !r.Until.IsZero():
		last := r.Until.AddDays(1).In(loc).Add(-time.Second)
		rule += ";UNTIL=" + last.UTC().Format("20060102T150405Z")
	}
	return []string{rule}
}

// words say how often: 毎週水曜日, 隔週金曜日; every Wednesday, every other Friday.
func (r repeat) words(first civil.Date, lang nlu.Language) string {
	p := prompts.CalendarOften{
		Unit: r.Unit, Every: r.Every, Workdays: slices.Equal(r.Weekdays, workweek),
		Nth: r.Nth, NthWords: text.Ordinal(r.Nth),
		Day: first.Day, DayWords: text.Ordinal(first.Day), Month: int(first.Month), MonthName: first.Month.String(),
	}
	var days []string
	for _, d := range r.Weekdays {
		days = append(days, date.WeekdayName(d, string(lang)))
	}
	if len(days) == 0 {
		days = []string{date.WeekdayName(first.Weekday(), string(lang))}
	}
	if p.Days = days; lang == nlu.English {
		p.Days = []string{text.Enumerate(days)}
	}
	return p.In(string(lang))
}
