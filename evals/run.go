package evals

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"annai/api"
	"annai/dialog"
)

// Options are the settings of [Run] that have a default.
type Options struct {
	// Clock measures how long answers take. Nil: they are not measured.
	Clock func() time.Time
}

// A Result is how a case went.
type Result struct {
	Case Case
	// Turns are those that were asked: after one that failed the rest is not.
	Turns []TurnResult
	// Err is why there was no concierge to ask.
	Err error
}

// A TurnResult is how a turn went. Failures is empty if it passed.
type TurnResult struct {
	Turn     Turn
	Answer   api.QueryResponse
	Failures []string
	Took     time.Duration
}

// Passed reports whether every turn was answered as wanted.
func (r Result) Passed() bool {
	return r.Err == nil && len(r.Turns) == len(r.Case.Turns) && (len(r.Turns) == 0 || len(r.Turns[len(r.Turns)-1].Failures) == 0)
}

// Run asks the cases one after the other, each of a concierge of its own, and stops when ctx is done.
func Run(ctx context.Context, cases []Case, newAsker NewAsker, opts Options) Report {
	report := Report{measured: opts.Clock != nil}
	if opts.Clock == nil {
		opts.Clock = func() time.Time { return time.Time{} }
	}
	for _, c := range cases {
		if ctx.Err() != nil {
			break
		}
		report.Results = append(report.Results, runCase(ctx, c, newAsker, opts))
	}
	return report
}

func runCase(ctx context.Context, c Case, newAsker NewAsker, opts Options) Result {
	result := Result{Case: c}
	var now time.Time
	setup := c.Setup
	setup.Now = func() time.Time { return now }
	if len(c.Turns) > 0 {
		now = c.Turns[0].Now
	}
	asker, err := newAsker(ctx, setup)
	if err != nil {
		result.Err = fmt.Errorf("set up: %w", err)
		return result
	}
	open := map[string]string{} // the open interrupt of each session
	for i, t := range c.Turns {
		now = t.Now
		turn := dialog.Turn{
			Query: t.Say, Language: string(t.Language), SessionID: "session-" + t.Session, Location: t.Location, SpecFormat: t.SpecFormat,
			RunID: "run-" + strconv.Itoa(i+1), RequestID: "request-" + strconv.Itoa(i+1),
		}
		if t.Pick != nil {
			turn.Resume = &dialog.Resume{InterruptID: open[t.Session], Value: t.Pick}
		}
		began := opts.Clock()
		answer, err := asker.Answer(ctx, turn)
		took := opts.Clock().Sub(began)
		open[t.Session] = ""
		if answer.Interrupt != nil {
			open[t.Session] = answer.Interrupt.ID
		}
		failed := t.Want.check(answer, err)
		if err == nil {
			failed = append(failed, always(answer)...)
		}
		result.Turns = append(result.Turns, TurnResult{Turn: t, Answer: answer, Failures: failed, Took: took})
		if len(failed) > 0 || errors.Is(err, context.Canceled) {
			break
		}
	}
	return result
}
