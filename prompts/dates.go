package prompts

import "annai/civil"

// DateNow says what time it is here; Date may be empty. Elsewhere says that it was asked for another place.
type DateNow struct {
	Time, Date string
	Elsewhere  bool
}

// In returns the words in a language.
func (p DateNow) In(lang string) string { return fill("date_now", lang, p) }

// DateElsewhere says what time it is in another place, now or when it is the time Here. Date is the day there, Difference between the clocks: "8 hours", empty for none; Ahead says
// that theirs is ahead.
type DateElsewhere struct {
	Place, Here, Time, Date, Difference string
	Ahead                               bool
}

// In returns the words in a language.
func (p DateElsewhere) In(lang string) string { return fill("date_elsewhere", lang, p) }

// DateIs says which day the words mean. Words and Holiday may be empty. Reckoned words count from today ("in 10 days", "5 days ago"); Past says that
// the day is over, Named that the words are the name of a public holiday.
type DateIs struct {
	Words, Date, Holiday  string
	Reckoned, Past, Named bool
}

// In returns the words in a language.
func (p DateIs) In(lang string) string { return fill("date_is", lang, p) }

// DateRange says from when to when a range is, both days included.
type DateRange struct {
	Words, First, Last string
}

// In returns the words in a language.
func (p DateRange) In(lang string) string { return fill("date_range", lang, p) }

// DateUntil says how far a day is. Ago is -Days.
type DateUntil struct {
	Date      string
	Days, Ago int
}

// In returns the words in a language.
func (p DateUntil) In(lang string) string { return fill("date_until", lang, p) }

// DateBetween says how many days it is from one day to another; Both counts the two themselves too.
type DateBetween struct {
	First, Last string
	Days, Both  int
}

// In returns the words in a language.
func (p DateBetween) In(lang string) string { return fill("date_between", lang, p) }

// DateLength says how many days a range has.
type DateLength struct {
	Range string
	Days  int
}

// In returns the words in a language.
func (p DateLength) In(lang string) string { return fill("date_length", lang, p) }

// DateList lists the days of a kind in a range.
type DateList struct {
	Range, What, Dates string
	Count              int
}

// In returns the words in a language.
func (p DateList) In(lang string) string { return fill("date_list", lang, p) }

// DateCount counts the days of a kind in a range.
type DateCount struct {
	Range, What string
	Count       int
}

// In returns the words in a language.
func (p DateCount) In(lang string) string { return fill("date_count", lang, p) }

// DateWeek names the ISO week of a day.
type DateWeek struct {
	Date       string
	Year, Week int
}

// In returns the words in a language.
func (p DateWeek) In(lang string) string { return fill("date_week", lang, p) }

// DateHoliday says whether a day is a public holiday. Holiday may be empty.
type DateHoliday struct {
	Date, Holiday string
}

// In returns the words in a language.
func (p DateHoliday) In(lang string) string { return fill("date_holiday", lang, p) }

// DateNextHoliday names the next public holiday.
type DateNextHoliday struct {
	Date, Holiday string
}

// In returns the words in a language.
func (p DateNextHoliday) In(lang string) string { return fill("date_next_holiday", lang, p) }

// DateHolidays lists the public holidays of a range.
type DateHolidays struct {
	Range, Days string
	Count       int
}

// In returns the words in a language.
func (p DateHolidays) In(lang string) string { return fill("date_holidays", lang, p) }

// DateLeft says how many days of a range remain, today not counted, and which is the last.
type DateLeft struct {
	Range, Last string
	Days        int
}

// In returns the words in a language.
func (p DateLeft) In(lang string) string { return fill("date_left", lang, p) }

// DateLeap says whether a year is a leap year, and which is the next one. Year and Last, the one before, may be 0. Past says that the year is over,
// Then that the next one comes after Year.
type DateLeap struct {
	Year, Last, Next int
	Leap, Past, Then bool
}

// In returns the words in a language.
func (p DateLeap) In(lang string) string { return fill("date_leap", lang, p) }

// DateEra names a year, or if Date is there that day, in the Japanese calendar; Later is what the rest of the year From a day is called. Without an Era
// it is before those that we know.
type DateEra struct {
	Year                   int
	Date, Era, Later, From string
}

// In returns the words in a language.
func (p DateEra) In(lang string) string { return fill("date_era", lang, p) }

// DateEraOf names the year of the Western calendar that the Words, a year of an era, mean; Instead is what it is called if the era was over by then.
// It says on which day the era of that Name began and ended, if First is there; one without Last goes on. Year may be 0.
type DateEraOf struct {
	Words, Instead    string
	Year              int
	Name, First, Last string
}

// In returns the words in a language.
func (p DateEraOf) In(lang string) string { return fill("date_era_of", lang, p) }

// DateHour says that it is not clear what was meant whose time was asked for.
type DateHour struct{}

// In returns the words in a language.
func (p DateHour) In(lang string) string { return fill("date_hour", lang, p) }

// DateInvalid says that there is no such date.
type DateInvalid struct {
	Words string
}

// In returns the words in a language.
func (p DateInvalid) In(lang string) string { return fill("date_invalid", lang, p) }

// DateUnclear says that it is not clear which date is meant.
type DateUnclear struct{}

// In returns the words in a language.
func (p DateUnclear) In(lang string) string { return fill("date_unclear", lang, p) }

// DaysNamed names the days from First to Last, in words that mean the same whenever they are read.
type DaysNamed struct{ First, Last civil.Date }

// In returns the words in a language.
func (p DaysNamed) In(lang string) string { return fill("days_named", lang, p) }
