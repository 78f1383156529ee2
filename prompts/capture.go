package prompts

// CaptureRead says what was read of a picture, a link or a text (From), before it is asked for the rest.
// Title, When and Place may be empty, but not all of them.
type CaptureRead struct {
	From, Title, When, Place string
}

// In returns the words in a language.
func (p CaptureRead) In(lang string) string { return fill("capture_read", lang, p) }

// CaptureMissing says what was not found in a picture, a link or a text. Kind is "title", "time" (the
// day) or "clock" (the time of day).
type CaptureMissing struct{ Kind string }

// In returns the words in a language.
func (p CaptureMissing) In(lang string) string { return fillKind("capture_missing", lang, p.Kind, p) }

// CaptureCheck is a remark to a plan that was read of a picture, a link or a text. Kind is "picture",
// "place", "end", "zone" (with When and Zone), "way" (with Minutes, and Walking or not; Estimate), "apply", "pay",
// "submit" (with When), "cancelled", "postponed", "rescheduled" or "moved_online".
type CaptureCheck struct {
	Kind, When, Zone  string
	Minutes           int
	Walking, Estimate bool
}

// In returns the words in a language.
func (p CaptureCheck) In(lang string) string { return fill("capture_check", lang, p) }

// CaptureNote is what is noted beside an entry that was read: when the doors open, the hours of each of
// several days, and the link. Each may be empty.
type CaptureNote struct {
	Doors, Hours, Link string
}

// In returns the words in a language.
func (p CaptureNote) In(lang string) string { return fill("capture_note", lang, p) }

// CaptureTodo is the title of a task that belongs to an entry. Kind is "apply", "pay", "submit" or "bring"
// (with What).
type CaptureTodo struct {
	Kind, Title, What string
}

// In returns the words in a language.
func (p CaptureTodo) In(lang string) string { return fill("capture_todo", lang, p) }

// CaptureFailed says why nothing could be read. Kind is "no_reader", "no_picture", "too_large", "no_text",
// "nothing", "slow", "unread" or "link" (with Why, which may be empty).
type CaptureFailed struct {
	Kind, Why string
}

// In returns the words in a language.
func (p CaptureFailed) In(lang string) string { return fill("capture_failed", lang, p) }

// CaptureSaid is what somebody says who gives something to be added, and says nothing.
type CaptureSaid struct{}

// In returns the words in a language.
func (p CaptureSaid) In(lang string) string { return fillKind("capture_said", lang, "", p) }
