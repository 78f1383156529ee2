package prompts

// HoursNow says whether the venue is open now, until when, or when it opens. Opens may be empty.
type HoursNow struct {
	Open         bool
	Until, Opens string
}

// In returns the words in a language.
func (p HoursNow) In(lang string) string { return fill("hours_now", lang, p) }

// HoursDay says when the venue is open on a day, or why it is closed. Hours and Reason may be empty; Over says that it has closed since.
type HoursDay struct {
	Day, Hours, Reason string
	Over               bool
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

// InfoOtherLanguage says that what follows is in the other language.
type InfoOtherLanguage struct{}

// In returns the words in a language.
func (p InfoOtherLanguage) In(lang string) string { return fill("info_other_language", lang, p) }

// InfoOnScreen says, in speech, that the rest is written.
type InfoOnScreen struct{}

// In returns the words in a language.
func (p InfoOnScreen) In(lang string) string { return fill("info_on_screen", lang, p) }

// InfoUnknown says that nothing is known.
type InfoUnknown struct {
	Staff string
}

// In returns the words in a language.
func (p InfoUnknown) In(lang string) string { return fill("info_unknown", lang, p) }

// InfoNoMore says that nothing more is known.
type InfoNoMore struct {
	Staff string
}

// In returns the words in a language.
func (p InfoNoMore) In(lang string) string { return fill("info_no_more", lang, p) }

// InfoFailed says that the knowledge could not be read.
type InfoFailed struct {
	Staff string
}

// In returns the words in a language.
func (p InfoFailed) In(lang string) string { return fill("info_failed", lang, p) }
