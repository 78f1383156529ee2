package tasks

import (
	"errors"
	"fmt"
	"time"

	"annai/fault"
	"annai/tools"
)

// A Failure is why a list did not do what was asked, as people must know it. It can be said in both
// languages.
type Failure struct {
	// Kind is one of package fault.
	Kind error
	// RetryAfter is how long the list asks to be left alone; 0 where it did not say.
	RetryAfter time.Duration
	// Err is what happened, for the log. May be nil.
	Err error
}

// Error is for logs. What to say is [Failure.Message].
func (f *Failure) Error() string {
	if f.Err == nil {
		return "tasks: " + f.Kind.Error()
	}
	return fmt.Sprintf("tasks: %v: %v", f.Err, f.Kind)
}

// Unwrap returns the kind, and Err.
func (f *Failure) Unwrap() []error {
	if f.Err == nil {
		return []error{f.Kind}
	}
	return []error{f.Kind, f.Err}
}

// Message says in lang ("ja" or "en") what went wrong.
func (f *Failure) Message(lang string) string {
	for _, w := range words {
		if errors.Is(f.Kind, w.kind) {
			return pick(lang, w.ja, w.en)
		}
	}
	return pick(lang, "申し訳ありません。うまくいきませんでした。", "I am sorry, something went wrong.")
}

var words = []struct {
	kind   error
	ja, en string
}{
	{
		fault.ErrInvalid,
		"タスクの名前やメモが空か、長すぎるか、使えない文字を含んでいます。",
		"A task's title or notes are missing, too long, or have characters that cannot be used.",
	},
	{fault.ErrNotFound, "指定されたタスクが見つかりません。", "I cannot find that task."},
	{
		fault.ErrConflict, "このタスクは、すでに変更または削除されています。",
		"This task was changed or deleted meanwhile.",
	},
	{
		fault.ErrDenied, "タスクのリストにアクセスできません。管理者に連絡してください。",
		"I cannot reach the task list; please tell the staff.",
	},
	{
		fault.ErrUnavailable, "タスクのリストに接続できません。しばらくしてからお試しください。",
		"The task list is unavailable. Please try again later.",
	},
}

// Full returns the failure, of kind [fault.ErrInvalid], of a list that holds [MaxTasks].
func Full() error {
	return &tools.Refusal{
		Kind: fault.ErrInvalid, JA: "タスクのリストがいっぱいです。済んだタスクを削除してください。",
		EN: "The task list is full. Please delete tasks that are done.",
	}
}

// retry says which failures may be over soon.
func retry(err error) (time.Duration, bool) {
	var f *Failure
	if errors.As(err, &f) {
		return f.RetryAfter, errors.Is(f.Kind, fault.ErrUnavailable)
	}
	return 0, errors.Is(err, fault.ErrUnavailable)
}

func pick(lang, ja, en string) string {
	if lang == "en" {
		return en
	}
	return ja
}
