package prompts

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
// the day is over.
type DateIs struct {
	Words, Date, Holiday string
	Reckoned, Past       bool
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

// DateEra names a year in the Japanese calendar.
type DateEra struct {
	Year int
	Era  string
}

// In returns the words in a language.
func (p DateEra) In(lang string) string { return fill("date_era", lang, p) }

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
