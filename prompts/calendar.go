package prompts

// CalendarPersonal says that personal calendars are not shown here.
type CalendarPersonal struct{}

// In returns the words in a language.
func (p CalendarPersonal) In(lang string) string { return fill("calendar_personal", lang, p) }

// CalendarWrite says that nothing can be written here.
type CalendarWrite struct {
	Staff string
}

// In returns the words in a language.
func (p CalendarWrite) In(lang string) string { return fill("calendar_write", lang, p) }
