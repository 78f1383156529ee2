package llm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
)

// Fallback is the first of the models that answers: when one fails before its first delta was given out, whatever the reason, the next is
// asked. If none answers, the failure is that of the last, and tells those of the others. There must be at least one model.
//
// Each is asked only when the one before it has failed, so give the first a [Deadline] that leaves time for the next.
func Fallback(models ...Model) Model {
	return fallback(models)
}

type fallback []Model

// Name is that of the first, which answers when all is well.
func (m fallback) Name() string { return m[0].Name() }

func (m fallback) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		var before []string
		for i, model := range m {
			err := try(model.Stream(ctx, r), yield)
			if err == nil {
				return
			}
			if i == len(m)-1 || ctx.Err() != nil {
				yield(Delta{}, after(before, err))
				return
			}
			before = append(before, err.Error())
		}
	}
}

// after returns err with the failures before it.
func after(before []string, err error) error {
	var f *Failure
	if len(before) == 0 || !errors.As(err, &f) {
		return err
	}
	all := *f
	all.Err = fmt.Errorf("after %s", strings.Join(before, "; "))
	if f.Err != nil {
		all.Err = fmt.Errorf("%w, after %s", f.Err, strings.Join(before, "; "))
	}
	return &all
}
