package date

import (
	"fmt"
	"strings"
	"unicode"

	"annai/fault"
)

// Kind is what is wrong with an input.
type Kind string

// The values of [Kind].
const (
	NoDate         Kind = "no_date"
	UnknownWeekday Kind = "unknown_weekday"
	RangeReversed  Kind = "range_reversed"
	RangeTooLong   Kind = "range_too_long"
	OffsetTooFar   Kind = "offset_too_far"
)

// An InputError is an input that can't be answered. It wraps [fault.ErrInvalid] and can be said in both languages.
type InputError struct {
	Kind Kind
	// Field is the name of the input that is no date.
	Field string
	// Value is what was given, where one value is wrong.
	Value string
}

// Error is for logs. What to say is [InputError.Message].
func (e *InputError) Error() string {
	switch e.Kind {
	case NoDate:
		return fmt.Sprintf("%s %q is not of the form 2006-01-02: %v", e.Field, e.Value, fault.ErrInvalid)
	case UnknownWeekday:
		return fmt.Sprintf("weekday %q is unknown: %v", e.Value, fault.ErrInvalid)
	case RangeReversed, RangeTooLong, OffsetTooFar:
		return fmt.Sprintf("%s: %v", e.Kind, fault.ErrInvalid)
	}
	return fault.ErrInvalid.Error()
}

// Unwrap returns [fault.ErrInvalid].
func (e *InputError) Unwrap() error { return fault.ErrInvalid }

// Message says to people in lang ("ja" or "en") what is wrong.
func (e *InputError) Message(lang string) string {
	value := shown(e.Value)
	switch e.Kind {
	case NoDate:
		return pick(lang, fmt.Sprintf("「%s」という日付が分かりません。2026-03-01 のようにご指定ください。", value),
			fmt.Sprintf("I do not understand the date %q. Please write it like 2026-03-01.", value))
	case UnknownWeekday:
		return pick(lang, fmt.Sprintf("「%s」という曜日が分かりません。火曜日、平日、週末のようにご指定ください。", value),
			fmt.Sprintf("I do not know the weekday %q. Please say, for example, Tuesday, weekday or weekend.", value))
	case RangeReversed:
		return pick(lang, "終わりの日が始まりの日より前になっています。", "The last day is before the first day.")
	case RangeTooLong:
		return pick(lang, fmt.Sprintf("一度に調べられる期間は%d日までです。", MaxDays),
			fmt.Sprintf("I can look at no more than %d days at once.", MaxDays))
	case OffsetTooFar:
		return pick(lang, fmt.Sprintf("計算できるのは前後%d年までです。", MaxYears),
			fmt.Sprintf("I can count up to %d years back or ahead.", MaxYears))
	}
	return pick(lang, "ご指定の内容が正しくありません。", "That is not something I can calculate.")
}

// maxShown is how many letters of a value are repeated to whoever gave it.
const maxShown = 40

// shown returns a value as it can be repeated: short, and of letters that can be seen and are no markup.
func shown(value string) string {
	seen := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == '[' || r == ']' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(value, ""))
	if letters := []rune(seen); len(letters) > maxShown {
		return string(letters[:maxShown]) + "…"
	}
	return seen
}
