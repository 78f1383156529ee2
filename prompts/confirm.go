package prompts

// ConfirmAdd asks whether an entry shall be made. Zone, Place, Note and Calendar may be empty.
// Offered says that nobody asked for it.
type ConfirmAdd struct {
	Title, When, Zone     string
	Place, Note, Calendar string
	Offered               bool
}

// In returns the words in a language.
func (p ConfirmAdd) In(lang string) string { return fill("confirm_add", lang, p) }

// ConfirmAddSpoken is the beginning of [ConfirmAdd] as it is said.
type ConfirmAddSpoken struct {
	Title, When, Place string
}

// In returns the words in a language.
func (p ConfirmAddSpoken) In(lang string) string { return fill("confirm_add_spoken", lang, p) }

// ConfirmRepeat asks whether an entry that recurs shall be made. Dates are its first dates, or all,
// Count how many there are in all, 0 for no end. Often may be empty: then the dates follow no rule.
// Zone, Place and Calendar may be empty.
type ConfirmRepeat struct {
	Title, Often, Time    string
	Dates, Last           string
	Count, Rest           int
	Zone, Place, Calendar string
}

// In returns the words in a language.
func (p ConfirmRepeat) In(lang string) string { return fill("confirm_repeat", lang, p) }

// ConfirmRepeatSpoken is the beginning of [ConfirmRepeat] as it is said.
type ConfirmRepeatSpoken struct {
	Title, Often, Time, First, Last string
	Count                           int
}

// In returns the words in a language.
func (p ConfirmRepeatSpoken) In(lang string) string { return fill("confirm_repeat_spoken", lang, p) }

// ConfirmChange asks whether an entry shall be changed. Each of the pairs is empty where nothing
// changes.
type ConfirmChange struct {
	Title, When, Zone           string
	NewTitle, NewWhen           string
	OldPlace, NewPlace, NewNote string
	Calendar                    string
	Series, Stale               bool
}

// In returns the words in a language.
func (p ConfirmChange) In(lang string) string { return fill("confirm_change", lang, p) }

// ConfirmChangeSpoken is the beginning of [ConfirmChange] as it is said.
type ConfirmChangeSpoken struct {
	Title, When                 string
	NewTitle, NewWhen, NewPlace string
	Series, Stale, Remind       bool
}

// In returns the words in a language.
func (p ConfirmChangeSpoken) In(lang string) string { return fill("confirm_change_spoken", lang, p) }

// ConfirmRemove introduces what shall be deleted.
type ConfirmRemove struct {
	Count         int
	Series, Stale bool
}

// In returns the words in a language.
func (p ConfirmRemove) In(lang string) string { return fill("confirm_remove", lang, p) }

// ConfirmAsk is the question itself. Do is "add", "offer" for what nobody asked for, "change" or
// "remove". Series says that all of a series is meant, Many that there are several entries.
type ConfirmAsk struct {
	Do           string
	Series, Many bool
}

// In returns the words in a language.
func (p ConfirmAsk) In(lang string) string { return fill("confirm_ask", lang, p) }

// WarnOverlap says what else is at that time. More is how many further entries are.
type WarnOverlap struct {
	Title, When string
	More        int
}

// In returns the words in a language.
func (p WarnOverlap) In(lang string) string { return fill("warn_overlap", lang, p) }

// WarnRemind says when its owner is reminded of an entry: Lead before it, where that was Set; else
// as the calendar is set to and not Lead before, which may be empty, or, by a Silent calendar, never.
type WarnRemind struct {
	Lead        string
	Set, Silent bool
}

// In returns the words in a language.
func (p WarnRemind) In(lang string) string { return fill("warn_remind", lang, p) }

// WarnOthers says which other days the words may mean.
type WarnOthers struct{ Days string }

// In returns the words in a language.
func (p WarnOthers) In(lang string) string { return fill("warn_others", lang, p) }

// WarnDuplicate says that there may be the same entry already.
type WarnDuplicate struct {
	Title, When string
}

// In returns the words in a language.
func (p WarnDuplicate) In(lang string) string { return fill("warn_duplicate", lang, p) }

// Warn is one of the remarks that vary in nothing: "past", "afternoon", "weekday", "unchecked",
// "readonly", "except", "more", "mailed" or "nobody".
type Warn struct {
	Kind string
}

// In returns the words in a language.
func (p Warn) In(lang string) string { return fillKind("warn", lang, p.Kind, p) }

// CalendarAsk asks for what a plan lacks. Kind is "title", "time", "clock" (with Day),
// "target_change", "target_remove" "edit", "edit_place" or "edit_title" (with Title).
type CalendarAsk struct {
	Kind, Day, Title string
}

// In returns the words in a language.
func (p CalendarAsk) In(lang string) string { return fill("calendar_ask", lang, p) }

// CalendarWhich asks which of several entries is meant. Do is "change" or "remove"; All says that
// all of them were named. Wanted may be empty.
type CalendarWhich struct {
	Do, Wanted  string
	Count, More int
	All         bool
}

// In returns the words in a language.
func (p CalendarWhich) In(lang string) string { return fill("calendar_which", lang, p) }

// CalendarPuzzled begins a question that is asked again.
type CalendarPuzzled struct{}

// In returns the words in a language.
func (p CalendarPuzzled) In(lang string) string { return fill("calendar_puzzled", lang, p) }

// CalendarDone says that it was written. Do is "add", "repeat" (with Count and Often), "several"
// (with Count), "change" or "remove".
type CalendarDone struct {
	Do, Title, When, Often string
	Place                  string
	Count                  int
	Series, Gone           bool
}

// In returns the words in a language.
func (p CalendarDone) In(lang string) string { return fill("calendar_done", lang, p) }

// CalendarAlready answers a second yes. Do is "add", "change" or "remove".
type CalendarAlready struct {
	Do, Title string
}

// In returns the words in a language.
func (p CalendarAlready) In(lang string) string { return fill("calendar_already", lang, p) }

// CalendarDropped says that a plan was left. Do is "add", "change" or "remove".
type CalendarDropped struct {
	Do string
}

// In returns the words in a language.
func (p CalendarDropped) In(lang string) string { return fillKind("calendar_dropped", lang, p.Do, p) }

// CalendarLapsed says that the question has been open for too long. Do is "add", "change" or
// "remove".
type CalendarLapsed struct {
	Do string
}

// In returns the words in a language.
func (p CalendarLapsed) In(lang string) string { return fillKind("calendar_lapsed", lang, p.Do, p) }

// NoteDropped says, after the answer to something else, that the plan was left. Do is "add",
// "change" or "remove".
type NoteDropped struct {
	Do string
}

// In returns the words in a language.
func (p NoteDropped) In(lang string) string { return fillKind("note_dropped", lang, p.Do, p) }

// CalendarWriteFailed says that nothing was written, or that nobody knows. Do is "add", "change" or
// "remove", Kind that of the failure, Why its sentence.
type CalendarWriteFailed struct {
	Do, Kind, Why, Title string
	// Again says that a yes finds out once more, where nobody knows.
	Again      bool
	Done, Left int
}

// In returns the words in a language.
func (p CalendarWriteFailed) In(lang string) string { return fill("calendar_write_failed", lang, p) }

// CalendarInstance says that one of a series can't be changed alone.
type CalendarInstance struct{}

// In returns the words in a language.
func (p CalendarInstance) In(lang string) string { return fill("calendar_instance", lang, p) }

// CalendarRule says that it is not clear how something shall recur.
type CalendarRule struct{}

// In returns the words in a language.
func (p CalendarRule) In(lang string) string { return fill("calendar_rule", lang, p) }

// CalendarOften says how an entry recurs. Unit is DAILY, WEEKLY, MONTHLY or YEARLY, Every how many
// of them lie between two. Days are the days of the week; Workdays says that they are those of a
// working week. Nth is which of them in the month it is, -1 the last; NthWords, DayWords and
// MonthName are numbers and a month in English.
type CalendarOften struct {
	Unit      string
	Every     int
	Days      []string
	Workdays  bool
	Nth       int
	NthWords  string
	Day       int
	DayWords  string
	Month     int
	MonthName string
}

// In returns the words in a language.
func (p CalendarOften) In(lang string) string { return fill("calendar_often", lang, p) }

// CalendarThis is an entry without a name.
type CalendarThis struct{}

// In returns the words in a language.
func (p CalendarThis) In(lang string) string { return fill("calendar_this", lang, p) }

// CalendarAhead is the time in which the next entry is looked for.
type CalendarAhead struct{}

// In returns the words in a language.
func (p CalendarAhead) In(lang string) string { return fill("calendar_ahead", lang, p) }
