package calendar

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"annai/fault"
)

// Kind is why a calendar did not do what was asked. It is a closed set.
type Kind string

// The values of [Kind].
const (
	// Invalid is a date or time that can't be right, InvalidText a title or other text.
	Invalid     Kind = "invalid"
	InvalidText Kind = "invalid_text"
	// Auth is an account that can't be reached any more until its owner signs in again.
	Auth Kind = "auth"
	// Scope is an account that was not granted what this needs.
	Scope Kind = "scope"
	// Forbidden is an event or calendar that this account may not change.
	Forbidden Kind = "forbidden"
	// RateLimited is too much at once; Quota too much for today.
	RateLimited Kind = "rate_limited"
	Quota       Kind = "quota"
	// NotFound was never there; Gone was, and is deleted.
	NotFound Kind = "not_found"
	// NoCalendar is a calendar that is not there.
	NoCalendar Kind = "no_calendar"
	Gone       Kind = "gone"
	// Exists is another event under the same id.
	Exists Kind = "exists"
	// Stale is an event that somebody else changed meanwhile.
	Stale Kind = "stale"
	// Instance is one of a series, which can only be changed whole.
	Instance Kind = "instance"
	// Unavailable is a calendar that could not be reached. Nothing was written.
	Unavailable Kind = "unavailable"
	// Ambiguous is a write of which nobody knows whether it was done.
	Ambiguous Kind = "ambiguous"
)

// A Failure is why a calendar did not do what was asked, as people must know it. It wraps the kind of package fault that fits and can be
// said in both languages.
type Failure struct {
	Kind Kind
	// RetryAfter is how long the calendar asks to be left alone; 0 where it did not say.
	RetryAfter time.Duration
	// Err is what happened, for the log. It wraps no kind of package fault. May be nil.
	Err error
}

// KindOf returns the kind of the failure in err: that of the [Failure] it wraps, else the one that fits its fault, else [Unavailable].
func KindOf(err error) Kind {
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f.Kind
	case errors.Is(err, fault.ErrInvalid):
		return Invalid
	case errors.Is(err, fault.ErrNotFound):
		return NotFound
	case errors.Is(err, fault.ErrConflict):
		return Stale
	case errors.Is(err, fault.ErrDenied):
		return Forbidden
	default:
		return Unavailable
	}
}

// Error is for logs. What to say is [Failure.Message].
func (f *Failure) Error() string {
	if f.Err == nil {
		return "calendar: " + string(f.Kind)
	}
	return fmt.Sprintf("calendar: %s: %v", f.Kind, f.Err)
}

// Unwrap returns the kind of package fault, and Err.
func (f *Failure) Unwrap() []error {
	if f.Err == nil {
		return []error{f.fault()}
	}
	return []error{f.fault(), f.Err}
}

func (f *Failure) fault() error {
	switch f.Kind {
	case Invalid, InvalidText, Instance:
		return fault.ErrInvalid
	case Auth, Scope, Forbidden:
		return fault.ErrDenied
	case NotFound, NoCalendar, Gone:
		return fault.ErrNotFound
	case Exists, Stale:
		return fault.ErrConflict
	case RateLimited, Quota, Unavailable, Ambiguous:
		return fault.ErrUnavailable
	}
	return fault.ErrUnavailable
}

// Code is what programs are told of a kind that says more than its kind of package fault does, with how long they
// should wait before they ask the same again; empty for other kinds.
func (f *Failure) Code() (code string, wait time.Duration) {
	const soon = 5 * time.Second
	wait = cmp.Or(f.RetryAfter, soon)
	switch f.Kind {
	case Gone:
		return "gone", 0
	case RateLimited:
		return "rate_limited", wait
	case Quota:
		return "rate_limited", max(wait, time.Hour)
	case Ambiguous:
		return "ambiguous", soon
	case Invalid, InvalidText, Auth, Scope, Forbidden, NotFound, NoCalendar, Exists, Stale, Instance, Unavailable:
	}
	return "", 0
}

// Message says in lang ("ja" or "en") what went wrong. Where the specification has a sentence for it, it is that.
func (f *Failure) Message(lang string) string { return f.Kind.Message(lang) }

// Message says in lang ("ja" or "en") what went wrong.
func (k Kind) Message(lang string) string {
	said := words[k]
	if lang == "en" {
		return said.en
	}
	return said.ja
}

var words = map[Kind]struct{ ja, en string }{
	Invalid:     {"日付の形式が正しくありません。", "That date or time is not valid."},
	InvalidText: {"予定の名前などの文字が足りないか、長すぎるか、使えない文字を含んでいます。", "A title or another text is missing, too long, or has characters that cannot be used."},
	Auth:        {"カレンダーにアクセスできません。管理者に連絡してください。", "I cannot reach the calendar; please tell the staff."},
	RateLimited: {"カレンダーへのアクセスが一時的に制限されています。", "Too many requests; try again shortly."},
	Quota:       {"本日は予定を登録できません。", "New events cannot be added for now."},
	Forbidden:   {"この予定を変更する権限がありません。", "No right to change this event."},
	NotFound:    {"指定された予定が見つかりません。", "I cannot find that event."},
	NoCalendar:  {"指定されたカレンダーはありません。", "There is no such calendar."},
	Scope:       {"この操作は許可されていません。管理者にカレンダーの権限を確認してもらってください。", "This was not permitted; please ask the staff to check the calendar's permissions."},
	Gone:        {"すでに削除されています。", "Already deleted."},
	Exists:      {"同じ番号の別の予定がすでにあります。", "There is another event under this id already."},
	Stale:       {"他の人が変更しました。", "Someone changed it meanwhile."},
	Instance:    {"繰り返しの予定は、全体でのみ変更できます。", "A repeating event can only be changed as a whole."},
	Unavailable: {"カレンダーサービスに接続できません。", "The calendar service is unavailable."},
	Ambiguous:   {"登録できたか確認しています。", "Checking whether it was added."},
}
