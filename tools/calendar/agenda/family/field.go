package family

import (
	"fmt"

	"annai/tools/calendar"
)

// A shape is how a field of an input must be, with the name of the field before it.
type shape struct{ ja, en string }

// The shapes of times.
var (
	asDay    = shape{"2026-03-01 のようにご指定ください。", "Please give it like 2026-03-01."}
	asMoment = shape{"2026-03-01T14:00（終日なら 2026-03-01）のようにご指定ください。", "Please give it like 2026-03-01T14:00, or 2026-03-01 for a whole day."}
	asClock  = shape{"09:30 のようにご指定ください。", "Please give it like 09:30."}
	asZone   = shape{"Asia/Tokyo のような名前でご指定ください。", "Please give a name like Asia/Tokyo."}
	alone    = shape{"期間（date_from, date_to）と一緒には指定できません。", "It can't stand beside date_from and date_to."}
)

// after is the shape of what must be later than another field, notBefore of what may be the same, and
// like of what must be a day or a time as it is.
func after(field string) shape {
	return shape{"「" + field + "」より後にしてください。", fmt.Sprintf("It must be after %q.", field)}
}

func notBefore(field string) shape {
	return shape{"「" + field + "」以降にしてください。", fmt.Sprintf("It must not be before %q.", field)}
}

func like(field string) shape {
	return shape{"「" + field + "」と同じく、日付か日時のどちらかに揃えてください。", fmt.Sprintf("It must be a date or a time, as %q is.", field)}
}

// A fieldError is a date or time that can't be right, with the field that it is in.
type fieldError struct {
	field string
	shape shape
	err   error
}

// wrong says which field an error is in and how it must be; nil stays nil.
func wrong(field string, s shape, err error) error {
	if err == nil {
		return nil
	}
	return &fieldError{field, s, err}
}

// Error is for logs. What to say is [fieldError.Message].
func (e *fieldError) Error() string { return e.field + ": " + e.err.Error() }

// Unwrap returns what is wrong.
func (e *fieldError) Unwrap() error { return e.err }

// Message says in lang what is wrong, and how it would be right.
func (e *fieldError) Message(lang string) string {
	said := calendar.Invalid.Message(lang)
	return said + pick(lang, "「"+e.field+"」は、"+e.shape.ja, fmt.Sprintf(" The field is %q. %s", e.field, e.shape.en))
}
