package llm

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"time"
)

// RetryOptions are the settings of [Retry] that have a default.
type RetryOptions struct {
	// Times is how often a request is sent again. 0 means 2, a negative number never.
	Times int
	// Backoff is the wait before the first time, doubled for each after it. 0 means 200 ms.
	Backoff time.Duration
	// MaxWait is the longest wait; a server that asks for a longer one is not asked again. 0 means 2 s.
	MaxWait time.Duration
	// Jitter returns a number in [0, 1) that makes waits differ: each is half of what it would be, and that share of the other half. Nil is random.
	Jitter func() float64
}

// Retry is the model that is asked again when it was [RateLimited], [Unavailable] or [CutOff] before its first delta was given out. What was
// given out can't be taken back, so later failures are left as they are.
func Retry(m Model, opts RetryOptions) Model {
	if opts.Times == 0 {
		opts.Times = 2
	}
	if opts.Backoff == 0 {
		opts.Backoff = 200 * time.Millisecond
	}
	if opts.MaxWait == 0 {
		opts.MaxWait = 2 * time.Second
	}
	if opts.Jitter == nil {
		opts.Jitter = rand.Float64
	}
	return retry{m, opts}
}

type retry struct {
	Model
	opts RetryOptions
}

func (m retry) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		backoff := min(m.opts.Backoff, m.opts.MaxWait)
		for again := m.opts.Times; ; again-- {
			err := try(m.Model.Stream(ctx, r), yield)
			if err == nil {
				return
			}
			pause, ok := m.pause(err, backoff)
			if again <= 0 || !ok || wait(ctx, pause) != nil {
				yield(Delta{}, err)
				return
			}
			backoff = min(2*backoff, m.opts.MaxWait)
		}
	}
}

// pause returns how long to wait before the request is sent again, and whether it may be.
func (m retry) pause(err error, backoff time.Duration) (time.Duration, bool) {
	var f *Failure
	if !errors.As(err, &f) {
		return 0, false
	}
	switch f.Kind {
	case RateLimited, Unavailable, CutOff:
		pause := max(f.RetryAfter, time.Duration(float64(backoff)*(0.5+m.opts.Jitter()/2)))
		return pause, pause <= m.opts.MaxWait
	case Auth, NoModel, TooLong, Unfit, Late, Refused, Malformed:
		return 0, false
	}
	return 0, false
}

// try gives out a stream. If it fails before its first delta nothing is given out, and the error is returned.
func try(stream iter.Seq2[Delta, error], yield func(Delta, error) bool) error {
	begun := false
	for d, err := range stream {
		if err != nil && !begun {
			return err
		}
		begun = true
		if !yield(d, err) || err != nil {
			return nil
		}
	}
	return nil
}
