package llm

import (
	"context"
	"fmt"
	"iter"
)

// Limit is the model with at most n answers under way at once, at least one. The others wait for their turn, until their context ends, which
// is [Late].
func Limit(m Model, n int) Model {
	return limited{m, make(chan struct{}, max(n, 1))}
}

type limited struct {
	Model
	slots chan struct{}
}

func (m limited) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		select {
		case m.slots <- struct{}{}:
		case <-ctx.Done():
			yield(Delta{}, &Failure{Kind: Late, Model: m.Name(), Err: fmt.Errorf("wait for one of %d turns: %w", cap(m.slots), ctx.Err())})
			return
		}
		defer func() { <-m.slots }()
		for d, err := range m.Model.Stream(ctx, r) {
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}
