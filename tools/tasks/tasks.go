// Package tasks is what an owner has to do: a list of tasks, each with a title, notes and perhaps a
// day by which it is due, and the tools that write, list, tick off and delete them. Back ends of
// the list are its children: local, google.
//
// The idea to hold: a task is due on a day, not at a time, since that is all that Google Tasks
// keeps. A task is created once for a key, however often it is tried.
package tasks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/civil"
	"annai/fault"
)

// A Task is something to do.
type Task struct {
	// ID is unique in its list, and the same at every read.
	ID string
	// Title has [MaxTitle] characters at most, Notes [MaxNotes].
	Title, Notes string
	// Due is the day by which it is to be done, as its owner's calendar on the wall has it; zero:
	// no day.
	Due civil.Date
	// Completed is when it was ticked off; zero: it is open.
	Completed time.Time
	// Updated is when it was last changed.
	Updated time.Time
}

// Done reports whether the task was ticked off.
func (t Task) Done() bool { return !t.Completed.IsZero() }

// The longest texts that a task may have, in characters: those of Google Tasks.
const (
	MaxTitle = 1024
	MaxNotes = 8192
)

// MaxTasks is how many tasks a list holds, those that are done included.
const MaxTasks = 1000

// A List is an owner's tasks. It is safe for concurrent use. Its errors wrap a kind of
// package fault and can be said in both languages, as [*Failure].
type List interface {
	// Tasks returns all tasks, sorted by [Sort]. Those that were done long ago may be missing.
	Tasks(ctx context.Context) ([]Task, error)
	// Create adds an open task with the title, notes and day of t, and returns it. key makes sure
	// that it is added once: the same key again returns what is there, and is kind
	// [fault.ErrConflict] where that was deleted since or says something else. A back end that
	// cannot keep keys takes an open task that says the same for the one that is meant. A task that
	// does not pass [Task.Check], and one too many for the list ([Full]), are [fault.ErrInvalid].
	Create(ctx context.Context, key string, t Task) (Task, error)
	// Complete ticks the task off, or with done false makes it open again, and returns it. One that
	// is so already stays as it is. No such task: [fault.ErrNotFound].
	Complete(ctx context.Context, id string, done bool) (Task, error)
	// Delete removes the task. No such task, and one that is deleted already: [fault.ErrNotFound].
	Delete(ctx context.Context, id string) error
}

// Sort puts open tasks first, by the day that they are due, those without a day behind; then those
// that are done, the last first. What is alike is sorted by title.
func Sort(all []Task) {
	slices.SortFunc(all, func(a, b Task) int {
		return cmp.Or(
			compare(a.Done(), b.Done()), b.Completed.Compare(a.Completed),
			compare(a.Due.IsZero(), b.Due.IsZero()), a.Due.Compare(b.Due),
			strings.Compare(a.Title, b.Title), strings.Compare(a.ID, b.ID),
		)
	})
}

// compare puts false before true.
func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// Check returns a [*Failure] of kind [fault.ErrInvalid] for a task without a title, with a text
// that is too long or has control characters (in notes, but for tabs and new lines), or due in a
// year that has not four digits.
func (t Task) Check() error {
	why := ""
	switch {
	case strings.TrimSpace(t.Title) == "":
		why = "no title"
	case !writable(t.Title, MaxTitle, ""), !writable(t.Notes, MaxNotes, "\t\n\r"):
		why = "a text that is too long or has control characters"
	case !t.Due.IsZero() && (t.Due.Year < 1 || t.Due.Year > 9999):
		why = "a day outside the years 1 to 9999"
	default:
		return nil
	}
	return &Failure{Kind: fault.ErrInvalid, Err: fmt.Errorf("task has %s", why)}
}

func writable(text string, limit int, allowed string) bool {
	odd := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(allowed, r) }
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= limit && !strings.ContainsFunc(text, odd)
}

// Same reports whether two tasks say the same: title, notes, day.
func (t Task) Same(o Task) bool { return t.Title == o.Title && t.Notes == o.Notes && t.Due == o.Due }

// DueWithin reports whether the task is due on one of the days from first to last; a day that is
// zero is no bound. Where there is a bound, a task without a day is not.
func (t Task) DueWithin(first, last civil.Date) bool {
	if first.IsZero() && last.IsZero() {
		return true
	}
	return !t.Due.IsZero() && (first.IsZero() || !t.Due.Before(first)) && (last.IsZero() || !t.Due.After(last))
}
