package llm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// Deadline is the model with a limit to each answer: whole is for all of it, first for the time to its first delta. Zero is no limit. An
// answer that is not there by then fails as [Late]; what had come stays said.
func Deadline(m Model, whole, first time.Duration) Model {
	return deadline{m, whole, first}
}

type deadline struct {
	Model
	whole, first time.Duration
}

// errLate tells our limits apart from the caller's.
var errLate = errors.New("not in time")

func (m deadline) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		limited, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer limit(cancel, m.whole, "all of an answer")()
		begun := limit(cancel, m.first, "the first word")
		defer begun()
		for d, err := range m.Model.Stream(limited, r) {
			begun()
			if cause := context.Cause(limited); err != nil && errors.Is(cause, errLate) {
				err = &Failure{Kind: Late, Model: m.Name(), Err: cause}
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// limit cancels after d, unless the function that it returns is called before.
func limit(cancel context.CancelCauseFunc, d time.Duration, what string) func() {
	if d <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(d, func() { cancel(fmt.Errorf("%s within %s: %w", what, d, errLate)) })
	return func() { timer.Stop() }
}
