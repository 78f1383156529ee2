package llm

import "time"

// GuardOptions are the settings of [Guard] that have a default.
type GuardOptions struct {
	// Whole limits all of an answer, retries included, and First the time to its first delta. 0 is no limit.
	Whole, First time.Duration
	// AtOnce is how many answers may be under way. 0 means 4.
	AtOnce int

	Retry   RetryOptions
	Breaker BreakerOptions
}

// Guard puts a [Breaker], a [Deadline], [Retry] and [Limit] around a model, in the order in which they work together:
// the breaker counts answers that came too late as failures, the deadlines include the retries, and a request that
// waits to be tried again does not count against the limit.
func Guard(m Model, now func() time.Time, opts GuardOptions) Model {
	if opts.AtOnce == 0 {
		opts.AtOnce = 4
	}
	return Breaker(Deadline(Retry(Limit(m, opts.AtOnce), opts.Retry), opts.Whole, opts.First), now, opts.Breaker)
}
