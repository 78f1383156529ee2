package tools

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"annai/fault"
)

// A Refusal is a failure with words for people.
type Refusal struct {
	// Kind is one of package fault.
	Kind   error
	JA, EN string
}

// Error is for logs. What to say is [Refusal.Message].
func (r *Refusal) Error() string { return strings.TrimSuffix(r.EN, ".") + ": " + r.Kind.Error() }

// Unwrap returns the kind.
func (r *Refusal) Unwrap() error { return r.Kind }

// Message says in lang ("ja" or "en") why not.
func (r *Refusal) Message(lang string) string { return pick(lang, r.JA, r.EN) }

var noSuchTool = &Refusal{Kind: fault.ErrNotFound, JA: "その機能はありません。", EN: "There is no such tool."}

func notForYou(roles []Role) error {
	if slices.Equal(roles, []Role{Owner}) {
		return &Refusal{
			Kind: fault.ErrDenied, JA: "申し訳ありませんが、この操作はカレンダーの持ち主だけができます。",
			EN: "I am sorry, but only the owner of the calendar can do this.",
		}
	}
	return &Refusal{Kind: fault.ErrDenied, JA: "この操作は許可されていません。", EN: "You may not do this."}
}

// Message says in lang ("ja" or "en") what went wrong: in the words of the first error in err that has a method Message, else in general ones
// for its kind.
func Message(err error, lang string) string {
	var worded interface{ Message(lang string) string }
	if errors.As(err, &worded) {
		return worded.Message(lang)
	}
	switch kindOf(err) {
	case "invalid":
		return pick(lang, "ご指定の内容が正しくありません。", "That is not a valid request.")
	case "not_found":
		return pick(lang, "指定されたものが見つかりません。", "I cannot find that.")
	case "conflict":
		return pick(lang, "ほかの操作と重なりました。もう一度お試しください。", "Something else happened at the same time. Please try again.")
	case "denied":
		return pick(lang, "この操作は許可されていません。", "You may not do this.")
	case "unavailable":
		return pick(lang, "今は接続できません。しばらくしてからお試しください。", "It cannot be reached at the moment. Please try again later.")
	default:
		return pick(lang, "申し訳ありません。うまくいきませんでした。", "I am sorry, something went wrong.")
	}
}

// ProblemKind is what is wrong with a field. It is a closed set.
type ProblemKind string

// The values of [ProblemKind].
const (
	NotJSON      ProblemKind = "not_json"
	UnknownField ProblemKind = "unknown_field"
	Missing      ProblemKind = "missing"
	WrongType    ProblemKind = "wrong_type"
	NotOneOf     ProblemKind = "not_one_of"
	OutOfRange   ProblemKind = "out_of_range"
)

// A Problem is something that does not fit the schema.
type Problem struct {
	Kind ProblemKind
	// Field is its path: "event.start.dateTime", "attendees.0"; empty for the input itself.
	Field string
	// Want is what it should be: a type of JSON, the words it may be, or the bounds ("1..1440").
	Want string
}

// Message says in lang ("ja" or "en") what is wrong.
func (p Problem) Message(lang string) string {
	field := clean(p.Field)
	if field == "" {
		field = pick(lang, "入力", "input")
	}
	switch p.Kind {
	case NotJSON:
		return pick(lang, "入力を JSON として読めません。", "The input is not valid JSON.")
	case UnknownField:
		return pick(lang, fmt.Sprintf("「%s」という項目はありません。", field), fmt.Sprintf("There is no field %q.", field))
	case Missing:
		return pick(lang, fmt.Sprintf("「%s」が必要です。", field), fmt.Sprintf("The field %q is required.", field))
	case WrongType:
		t := types[p.Want]
		return pick(lang, fmt.Sprintf("「%s」は%sで指定してください。", field, t.ja), fmt.Sprintf("%q must be %s.", field, t.en))
	case NotOneOf:
		return pick(lang, fmt.Sprintf("「%s」は %s のどれかで指定してください。", field, p.Want), fmt.Sprintf("%q must be one of %s.", field, p.Want))
	case OutOfRange:
		from, to, _ := strings.Cut(p.Want, "..")
		return pick(lang, fmt.Sprintf("「%s」は %s から %s までの数で指定してください。", field, from, to),
			fmt.Sprintf("%q must be from %s to %s.", field, from, to))
	}
	return pick(lang, "ご指定の内容が正しくありません。", "That is not a valid request.")
}

// types are the names of the types of JSON for people.
var types = map[string]struct{ ja, en string }{
	"string": {"文字列", "a string"}, "integer": {"整数", "a whole number"}, "number": {"数", "a number"},
	"boolean": {" true か false ", "true or false"}, "array": {"配列", "an array"}, "object": {"オブジェクト", "an object"},
}

// An InputError is an input that does not fit a tool's schema. It wraps [fault.ErrInvalid].
type InputError struct {
	// Problems has at least one, in the order of the fields' names, and no more than a few.
	Problems []Problem
}

// Error is for logs. What to say is [InputError.Message].
func (e *InputError) Error() string {
	return fmt.Sprintf("input: %s: %v", strings.TrimSuffix(e.Message("en"), "."), fault.ErrInvalid)
}

// Unwrap returns [fault.ErrInvalid].
func (e *InputError) Unwrap() error { return fault.ErrInvalid }

// Message says in lang ("ja" or "en") what is wrong.
func (e *InputError) Message(lang string) string {
	said := make([]string, 0, len(e.Problems))
	for _, p := range e.Problems {
		said = append(said, p.Message(lang))
	}
	return strings.Join(said, pick(lang, "", " "))
}

// clean returns a name that a caller made up, fit to be shown: short, and of letters that can be seen.
func clean(name string) string {
	seen := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != '[' && r != ']' { // brackets are tags of what is spoken
			return r
		}
		return -1
	}, strings.ToValidUTF8(name, ""))
	if letters := []rune(seen); len(letters) > 80 {
		return string(letters[:80]) + "…"
	}
	return seen
}

func pick(lang, ja, en string) string {
	if speak(lang) == "en" {
		return en
	}
	return ja
}
