package llm

import (
	"context"
	"iter"
)

// Observed is the model with somebody who is told of each request. Begin returns the context of the request and is
// told, by the function that it returns, what came of it: the answer as far as it came, and the error, or
// context.Canceled where nobody wanted the rest.
func Observed(m Model, begin func(context.Context, Request) (context.Context, func(Answer, error))) Model {
	return observed{m, begin}
}

type observed struct {
	Model
	begin func(context.Context, Request) (context.Context, func(Answer, error))
}

// Stream implements [Model].
func (m observed) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		ctx, ended := m.begin(ctx, r)
		stopped := false
		answer, err := Collect(func(take func(Delta, error) bool) {
			for d, err := range m.Model.Stream(ctx, r) {
				more := take(d, err)
				stopped = !yield(d, err)
				if stopped || !more {
					return
				}
			}
		})
		if stopped && err == nil && answer.End == (End{}) {
			err = context.Canceled
		}
		ended(answer, err)
	}
}
