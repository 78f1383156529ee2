package google

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"annai/tools/calendar"
)

// maxPause is the longest that anybody is made to wait. What takes longer fails, and says how long.
const maxPause = 30 * time.Second

// longestPause is the longest that we believe Google where it asks for a pause.
const longestPause = 10 * time.Minute

// limits are how fast an account may be asked: our own limit, and a pause that Google asked for.
type limits struct {
	opts Options
	own  *rate.Limiter

	mu    sync.Mutex
	until time.Time
}

func newLimits(opts Options) *limits {
	return &limits{opts: opts, own: rate.NewLimiter(rate.Limit(opts.PerSecond), opts.Burst)}
}

// wait returns when the next request may be sent, or why it may not: it would be too late for the caller.
func (l *limits) wait(ctx context.Context) *trouble {
	now := l.opts.Now()
	place := l.own.ReserveN(now, 1)
	d := max(place.DelayFrom(now), l.paused(now))
	if !inTime(ctx, d, now) {
		place.CancelAt(now)
		return &trouble{failure: &calendar.Failure{Kind: calendar.RateLimited, RetryAfter: d, Err: errors.New("too many requests of this account")}}
	}
	if d > 0 {
		if err := l.opts.Sleep(ctx, d); err != nil {
			place.CancelAt(l.opts.Now())
			return unsent(err)
		}
	}
	if err := ctx.Err(); err != nil {
		return unsent(err)
	}
	return nil
}

func (l *limits) paused(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.until.Sub(now)
}

// heed makes all wait where Google asked for it.
func (l *limits) heed(f *calendar.Failure) {
	if f.Kind != calendar.RateLimited || f.RetryAfter <= 0 {
		return
	}
	until := l.opts.Now().Add(min(f.RetryAfter, longestPause))
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.until) {
		l.until = until
	}
}

// inTime reports whether somebody who waits for d from now on is not too late.
func inTime(ctx context.Context, d time.Duration, now time.Time) bool {
	if d <= 0 {
		return true
	}
	deadline, ok := ctx.Deadline()
	return d <= maxPause && (!ok || now.Add(d).Before(deadline))
}
