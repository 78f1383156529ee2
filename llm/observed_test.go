package llm_test

import (
	"context"
	"errors"
	"testing"

	"annai/llm"
)

// TestObserved: who is told of requests is told what came of each: all of it, an error, or that nobody wanted the rest.
func TestObserved(t *testing.T) {
	for name, c := range map[string]struct {
		steps []llm.Step
		stop  bool
		text  string
		err   error
	}{
		"an answer": {llm.Say("a", "b"), false, "ab", nil},
		"left":      {llm.Say("a", "b"), true, "a", context.Canceled},
		"a failure": {llm.Fail(llm.Auth), false, "", &llm.Failure{}},
	} {
		t.Run(name, func(t *testing.T) {
			var got llm.Answer
			var failed error
			told := 0
			m := llm.Observed(&llm.Script{Answer: llm.Turns(c.steps)}, func(
				ctx context.Context, r llm.Request,
			) (context.Context, func(llm.Answer, error)) {
				if len(r.Messages) != 1 {
					t.Errorf("told of %v", r)
				}
				return ctx, func(a llm.Answer, err error) { got, failed, told = a, err, told+1 }
			})
			request := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "?"}}}
			for range m.Stream(t.Context(), request) {
				if c.stop {
					break
				}
			}
			var failure *llm.Failure
			same := errors.Is(failed, c.err) || errors.As(c.err, &failure) && errors.As(failed, &failure)
			if told != 1 || got.Text != c.text || !same {
				t.Errorf("told %d times of %q, %v, want once of %q, %v", told, got.Text, failed, c.text, c.err)
			}
		})
	}
}
