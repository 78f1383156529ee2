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

// Guard puts everything that keeps a model bearable around it, in the order in which the parts work together: the breaker sees what the
// deadlines make of an answer, the deadlines include the retries, and nobody has a turn while waiting to be tried again.
func Guard(m Model, now func() time.Time, opts GuardOptions) Model {
	if opts.AtOnce == 0 {
		opts.AtOnce = 4
	}
	return Breaker(Deadline(Retry(Limit(m, opts.AtOnce), opts.Retry), opts.Whole, opts.First), now, opts.Breaker)
}
