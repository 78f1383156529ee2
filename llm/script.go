package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Step is something that a [Script] does: it waits, then gives out the delta, or fails. A step with neither is only a wait, as a server's
// first piece without any words is one.
type Step struct {
	Wait  time.Duration
	Delta Delta
	// Fail is given out in the script's name.
	Fail *Failure
}

// Say is an answer in words, a piece each, that ends well.
func Say(pieces ...string) []Step {
	return append(said(pieces), Step{Delta: Delta{End: &End{Stop: Finished, Usage: Usage{Prompt: 1, Answer: len(pieces)}}}})
}

// Cut is an answer in words whose connection breaks.
func Cut(pieces ...string) []Step {
	return said(pieces)
}

func said(pieces []string) []Step {
	steps := make([]Step, 0, len(pieces)+1)
	for _, p := range pieces {
		steps = append(steps, Step{Delta: Delta{Text: p}})
	}
	return steps
}

// Ask is an answer that asks for tools. Calls without an id get one.
func Ask(calls ...ToolCall) []Step {
	var steps []Step
	for i, c := range calls {
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d", i+1)
		}
		if c.Arguments == nil {
			c.Arguments = json.RawMessage("{}")
		}
		steps = append(steps, Step{Delta: Delta{Call: &c}})
	}
	return append(steps, Step{Delta: Delta{End: &End{Stop: Calls, Usage: Usage{Prompt: 1, Answer: len(calls)}}}})
}

// AskInPieces is [Ask] for one call whose arguments come in pieces before it is whole.
func AskInPieces(call ToolCall, arguments ...string) []Step {
	call.Arguments = json.RawMessage(strings.Join(arguments, ""))
	whole := Ask(call)
	first := CallPiece{ID: whole[0].Delta.Call.ID, Name: call.Name}
	steps := []Step{{Delta: Delta{Piece: &first}}}
	for _, a := range arguments {
		steps = append(steps, Step{Delta: Delta{Piece: &CallPiece{Arguments: a}}})
	}
	return append(steps, whole...)
}

// Fail is no answer, for a reason.
func Fail(kind Kind) []Step {
	return []Step{{Fail: &Failure{Kind: kind}}}
}

// Slow puts a wait before the first step and one before each of the others.
func Slow(first, others time.Duration, steps []Step) []Step {
	steps = slices.Clone(steps)
	for i := range steps {
		steps[i].Wait = others
	}
	if len(steps) > 0 {
		steps[0].Wait = first
	}
	return steps
}

// Turns is a [Script.Answer] that gives one answer to each request, in order. Further requests fail as [Unavailable].
func Turns(answers ...[]Step) func(int, Request) []Step {
	return func(n int, _ Request) []Step {
		if n >= len(answers) {
			return []Step{{Fail: &Failure{Kind: Unavailable, Err: fmt.Errorf("the script has %d answers and was asked %d times", len(answers), n+1)}}}
		}
		return answers[n]
	}
}

// A Script is the [Model] of tests: it does what it is told, and remembers what it was asked. It keeps the contract whatever the script:
// steps that stop without an end are [CutOff], and nothing comes after an end or an error.
type Script struct {
	// As is its name. Empty means "script".
	As string
	// Answer says what to do with a request, the n-th from 0. It must not be nil, and may be called by several goroutines.
	Answer func(n int, r Request) []Step
	// Sleep waits, or returns ctx.Err() once ctx ends. Nil waits on the real clock, which in a bubble of testing/synctest takes no time.
	Sleep func(ctx context.Context, d time.Duration) error

	mu    sync.Mutex
	asked []Request
}

// Name implements [Model].
func (s *Script) Name() string {
	if s.As == "" {
		return "script"
	}
	return s.As
}

// Asked returns the requests so far, oldest first.
func (s *Script) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Stream implements [Model].
func (s *Script) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		if err := r.Check(); err != nil {
			yield(Delta{}, err)
			return
		}
		something := false
		for _, step := range s.next(r) {
			if err := s.sleep(ctx, step.Wait); err != nil {
				yield(Delta{}, &Failure{Kind: Late, Model: s.Name(), Err: err})
				return
			}
			d, err := s.give(step, something)
			if err != nil || d.End != nil {
				yield(d, err)
				return
			}
			if d == (Delta{}) || d.Piece != nil && !r.Pieces {
				continue
			}
			something = true
			if !yield(d, nil) {
				return
			}
		}
		yield(Delta{}, &Failure{Kind: CutOff, Model: s.Name()})
	}
}

// next remembers the request and returns what to do.
func (s *Script) next(r Request) []Step {
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	return s.Answer(n, r)
}

// give returns what a step gives out, as a model named like the script would. Something says that the answer is not empty so far.
func (s *Script) give(step Step, something bool) (Delta, error) {
	d := step.Delta
	switch {
	case step.Fail != nil:
		f := *step.Fail
		f.Model = s.Name()
		return Delta{}, &f
	case d.End != nil && !something:
		return Delta{}, &Failure{Kind: Malformed, Model: s.Name(), Err: errEmpty}
	case d.Call != nil && !isObject(d.Call.Arguments):
		return Delta{}, &Failure{Kind: Malformed, Model: s.Name(), Err: fmt.Errorf("arguments of the tool %.64q are no JSON object", d.Call.Name)}
	case d.End != nil:
		end := *d.End
		end.Model = s.Name()
		return Delta{End: &end}, nil
	default:
		return d, nil
	}
}

func (s *Script) sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	if s.Sleep != nil {
		return s.Sleep(ctx, d)
	}
	return wait(ctx, d)
}

// wait returns after d, or with ctx.Err() once ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
