package prompts

// CalendarPersonal says that somebody's own calendar is for its owner only.
type CalendarPersonal struct{}

// In returns the words in a language.
func (p CalendarPersonal) In(lang string) string { return fill("calendar_personal", lang, p) }

// CalendarWrite says that only the owner can change the calendar.
type CalendarWrite struct {
	Staff string
}

// In returns the words in a language.
func (p CalendarWrite) In(lang string) string { return fill("calendar_write", lang, p) }

// CalendarMissing says why the owner's calendar can't be used. Why is "none" (there is no calendar), "readonly" (none can be written to) or
// "memory" (there is no way to ask for a yes).
type CalendarMissing struct {
	Why string
}

// In returns the words in a language.
func (p CalendarMissing) In(lang string) string { return fillKind("calendar_missing", lang, p.Why, p) }

// CalendarList introduces the entries of a range.
type CalendarList struct {
	Range string
	Count int
}

// In returns the words in a language.
func (p CalendarList) In(lang string) string { return fill("calendar_list", lang, p) }

// CalendarEmpty says that nothing is planned.
type CalendarEmpty struct {
	Range string
}

// In returns the words in a language.
func (p CalendarEmpty) In(lang string) string { return fill("calendar_empty", lang, p) }

// CalendarItem is one entry of a written list. Number is 0 where the list is not numbered; Place and Calendar may be empty.
type CalendarItem struct {
	Number                   int
	Title, When              string
	Place, Calendar          string
	Repeats, Cancelled, Over bool
	Tentative, Ongoing       bool
	Note                     string
}

// In returns the words in a language.
func (p CalendarItem) In(lang string) string { return fill("calendar_item", lang, p) }

// CalendarWhen says when one entry is that was looked for. Place may be empty; Past says that it is over, Next that it is what comes next.
type CalendarWhen struct {
	Title, When, Place string
	Past, Next         bool
}

// In returns the words in a language.
func (p CalendarWhen) In(lang string) string { return fill("calendar_when", lang, p) }

// CalendarNote says what is written beside an entry, or that nothing is.
type CalendarNote struct{ Title, Note string }

// In returns the words in a language.
func (p CalendarNote) In(lang string) string { return fill("calendar_note", lang, p) }

// CalendarPlace says where an entry is, or that it is not written down.
type CalendarPlace struct {
	Title, Place string
}

// In returns the words in a language.
func (p CalendarPlace) In(lang string) string { return fill("calendar_place", lang, p) }

// CalendarFound introduces several entries that match what was looked for.
type CalendarFound struct {
	Wanted string
	Count  int
}

// In returns the words in a language.
func (p CalendarFound) In(lang string) string { return fill("calendar_found", lang, p) }

// CalendarAsIs says that an entry is already when somebody wants it to be.
type CalendarAsIs struct{ Title, When string }

// In returns the words in a language.
func (p CalendarAsIs) In(lang string) string { return fill("calendar_as_is", lang, p) }

// CalendarNotFound says that nothing matches. Range may be empty.
type CalendarNotFound struct {
	Wanted, Range string
}

// In returns the words in a language.
func (p CalendarNotFound) In(lang string) string { return fill("calendar_not_found", lang, p) }

// CalendarNoMore says that nothing comes after what was told.
type CalendarNoMore struct{}

// In returns the words in a language.
func (p CalendarNoMore) In(lang string) string { return fill("calendar_no_more", lang, p) }

// CalendarNoItem says that the entry asked for is not in the list.
type CalendarNoItem struct {
	Count int
}

// In returns the words in a language.
func (p CalendarNoItem) In(lang string) string { return fill("calendar_no_item", lang, p) }

// CalendarFree says that a time is free. In English Range is an adverb.
type CalendarFree struct {
	Range string
}

// In returns the words in a language.
func (p CalendarFree) In(lang string) string { return fill("calendar_free", lang, p) }

// CalendarBusy introduces what is in the way. In English Range is an adverb.
type CalendarBusy struct {
	Range string
	Count int
}

// In returns the words in a language.
func (p CalendarBusy) In(lang string) string { return fill("calendar_busy", lang, p) }

// CalendarRest says what of a time is free beside what is planned. Times may be empty: then nothing is.
type CalendarRest struct {
	Times string
}

// In returns the words in a language.
func (p CalendarRest) In(lang string) string { return fill("calendar_rest", lang, p) }

// CalendarFreeDays names the days of a range on which nothing is planned.
type CalendarFreeDays struct {
	Range, Days string
	Count       int
	All         bool
}

// In returns the words in a language.
func (p CalendarFreeDays) In(lang string) string { return fill("calendar_free_days", lang, p) }

// CalendarSuggest introduces times that are free for something. In English Range is an adverb.
type CalendarSuggest struct {
	Range, Length string
	Count         int
}

// In returns the words in a language.
func (p CalendarSuggest) In(lang string) string { return fill("calendar_suggest", lang, p) }

// CalendarLength is a length of time.
type CalendarLength struct {
	Hours, Minutes int
}

// In returns the words in a language.
func (p CalendarLength) In(lang string) string { return fill("calendar_length", lang, p) }

// CalendarUnread says that the calendar could not be looked at, so that nobody knows. Wanted is what was looked for, else Range says when. Why
// is a sentence; may be empty.
type CalendarUnread struct {
	Wanted, Range, Why string
	// Kind is why, for what to do about it.
	Kind string
}

// In returns the words in a language.
func (p CalendarUnread) In(lang string) string { return fill("calendar_unread", lang, p) }

// NoteOwnPartial says that one of the owner's calendars could not be read.
type NoteOwnPartial struct{}

// In returns the words in a language.
func (p NoteOwnPartial) In(lang string) string { return fill("note_own_partial", lang, p) }

// NoteAsOf says of when the answer is.
type NoteAsOf struct {
	At string
}

// In returns the words in a language.
func (p NoteAsOf) In(lang string) string { return fill("note_as_of", lang, p) }

// CalendarMoreDays says how many further days there are.
type CalendarMoreDays struct {
	Count int
}

// In returns the words in a language.
func (p CalendarMoreDays) In(lang string) string { return fill("calendar_more_days", lang, p) }

// CalendarSlot is one of several times, by its number.
type CalendarSlot struct {
	Number int
	When   string
}

// In returns the words in a language.
func (p CalendarSlot) In(lang string) string { return fill("calendar_slot", lang, p) }

// CalendarSlotSpoken is one of several times or entries as it is said. Number is 0 where it has none; Title may be empty.
type CalendarSlotSpoken struct {
	Number      int
	When, Title string
}

// In returns the words in a language.
func (p CalendarSlotSpoken) In(lang string) string { return fill("calendar_slot_spoken", lang, p) }

// CalendarPick is what one says who picks one of several.
type CalendarPick struct {
	Number int
}

// In returns the words in a language.
func (p CalendarPick) In(lang string) string { return fill("calendar_pick", lang, p) }

// CalendarPickOne asks which of several times is wanted.
type CalendarPickOne struct{}

// In returns the words in a language.
func (p CalendarPickOne) In(lang string) string { return fill("calendar_pick_one", lang, p) }

// CalendarSeriesDay says that a series can't be moved to other days.
type CalendarSeriesDay struct {
	Title string
}

// In returns the words in a language.
func (p CalendarSeriesDay) In(lang string) string { return fill("calendar_series_day", lang, p) }
