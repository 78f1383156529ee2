package media

import (
	"context"
	"time"
)

// Sooner returns a context that ends by so much before ctx does, if that has a deadline: so long a service is waited
// for where what it does not make is to be made here.
func Sooner(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-by))
}
