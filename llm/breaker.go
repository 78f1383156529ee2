package llm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"
)

// BreakerOptions are the settings of [Breaker] that have a default.
type BreakerOptions struct {
	// Failures is how many failures, with no answer between them, open the breaker. 0 means 5.
	Failures int
	// Rest is how long the model is left alone then. 0 means 30 s.
	Rest time.Duration
	// Changed is told when the breaker opens (true) and closes (false). Nil tells nobody.
	Changed func(model string, open bool)
}

// Breaker is the model that is left alone for a while after several failures in a row, so that nobody waits for what will not come. While it
// is left alone requests fail at once, as [Unavailable]; after that one request is let through, and what becomes of it decides for all.
//
// Failures that are the request's ([TooLong], [Unfit], [Refused]) do not count, nor does a caller who leaves. Now is the clock.
func Breaker(m Model, now func() time.Time, opts BreakerOptions) Model {
	if opts.Failures == 0 {
		opts.Failures = 5
	}
	if opts.Rest == 0 {
		opts.Rest = 30 * time.Second
	}
	if opts.Changed == nil {
		opts.Changed = func(string, bool) {}
	}
	return &breaker{Model: m, now: now, opts: opts}
}

type breaker struct {
	Model
	now  func() time.Time
	opts BreakerOptions

	mu       sync.Mutex
	failures int       // since the last answer
	until    time.Time // when the rest ends; zero when closed
	probing  bool      // a request was let through after the rest
}

// A verdict is what a request says about the model.
type verdict int

const (
	nothing verdict = iota
	good
	bad
)

func (b *breaker) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		probe, err := b.enter()
		if err != nil {
			yield(Delta{}, err)
			return
		}
		said := nothing
		leave := sync.OnceFunc(func() { b.leave(probe, said) })
		defer leave()
		for d, err := range b.Model.Stream(ctx, r) {
			said = judge(ctx, err)
			if err != nil || d.End != nil {
				leave() // not only when its reader is through with it
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// enter lets a request through, or not.
func (b *breaker) enter() (probe bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return false, nil
	}
	if rest := b.until.Sub(b.now()); rest > 0 || b.probing {
		return false, &Failure{Kind: Unavailable, Model: b.Name(), RetryAfter: max(rest, 0), Err: fmt.Errorf("left alone after %d failures", b.failures)}
	}
	b.probing = true
	return true, nil
}

// leave takes the verdict of a request that was let through.
func (b *breaker) leave(probe bool, v verdict) {
	b.mu.Lock()
	was := !b.until.IsZero()
	if probe {
		b.probing = false
	}
	switch {
	case v == good && (probe || !was):
		b.failures, b.until = 0, time.Time{}
	case v == bad:
		b.failures++
		if probe || !was && b.failures >= b.opts.Failures {
			b.until = b.now().Add(b.opts.Rest)
		}
	}
	is := !b.until.IsZero()
	b.mu.Unlock()
	if was != is {
		b.opts.Changed(b.Name(), is)
	}
}

// judge says what a delta or an error tells about the model.
func judge(ctx context.Context, err error) verdict {
	var f *Failure
	switch {
	case err == nil:
		return good
	case errors.Is(ctx.Err(), context.Canceled) || !errors.As(err, &f):
		return nothing
	}
	switch f.Kind {
	case TooLong, Unfit, Refused:
		return nothing
	case Auth, NoModel, RateLimited, Unavailable, Late, Malformed, CutOff:
		return bad
	}
	return bad
}
