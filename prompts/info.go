package prompts

// InfoOtherLanguage says that what follows is in the other language.
type InfoOtherLanguage struct{}

// In returns the words in a language.
func (p InfoOtherLanguage) In(lang string) string { return fill("info_other_language", lang, p) }

// HoursOfVenue says of opening hours that they are those of the venue, and that what was asked about is not known.
type HoursOfVenue struct {
	Asked, Venue string
}

// In returns the words in a language.
func (p HoursOfVenue) In(lang string) string { return fill("hours_of_venue", lang, p) }

// InfoOnScreen says, in speech, that the rest is written.
type InfoOnScreen struct{}

// In returns the words in a language.
func (p InfoOnScreen) In(lang string) string { return fill("info_on_screen", lang, p) }

// InfoUnknown says that nothing is known: of About, if that is one of two things asked for.
type InfoUnknown struct {
	Staff, About string
}

// In returns the words in a language.
func (p InfoUnknown) In(lang string) string { return fill("info_unknown", lang, p) }

// InfoFailed says that the knowledge could not be read.
type InfoFailed struct {
	Staff string
}

// In returns the words in a language.
func (p InfoFailed) In(lang string) string { return fill("info_failed", lang, p) }
