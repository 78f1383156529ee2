package prompts

// HoursNow says whether the venue is open now, until when, or when it opens. Opens may be empty. Shut says that it was asked whether it is closed, When
// that it was asked when.
type HoursNow struct {
	Open         bool
	Shut, When   bool
	Until, Opens string
}

// In returns the words in a language.
func (p HoursNow) In(lang string) string { return fill("hours_now", lang, p) }

// HoursDay says when the venue is open on a day, or that it is closed, and why. Hours and Reason may be empty; Over says that it has closed since,
// Past that the day is over.
type HoursDay struct {
	Day, Hours, Reason string
	Over, Past         bool
}

// In returns the words in a language.
func (p HoursDay) In(lang string) string { return fill("hours_day", lang, p) }

// HoursWeekly says when the venue is open as a rule.
type HoursWeekly struct {
	Hours string
}

// In returns the words in a language.
func (p HoursWeekly) In(lang string) string { return fill("hours_weekly", lang, p) }

// HoursRules says on which days the venue is closed as a rule.
type HoursRules struct {
	Rules string
}

// In returns the words in a language.
func (p HoursRules) In(lang string) string { return fill("hours_rules", lang, p) }

// HoursClosedDays lists the closed days of a range.
type HoursClosedDays struct {
	Range, Days string
	Count       int
}

// In returns the words in a language.
func (p HoursClosedDays) In(lang string) string { return fill("hours_closed_days", lang, p) }

// HoursExcept names a rule by which the venue is closed on some of the days that were spoken of, and the next such day. Next may be empty.
type HoursExcept struct {
	Rule, Next string
}

// In returns the words in a language.
func (p HoursExcept) In(lang string) string { return fill("hours_except", lang, p) }

// HoursNotThen says that the venue is closed at the time of day that was asked about.
type HoursNotThen struct{}

// In returns the words in a language.
func (p HoursNotThen) In(lang string) string { return fill("hours_not_then", lang, p) }
