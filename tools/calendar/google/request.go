package google

import (
	"context"
	"errors"
	"time"

	"golang.org/x/oauth2"

	"annai/tools/calendar"
)

// A request sends itself once.
type request func(ctx context.Context, token string) error

// repeat sends a request that may be sent twice until it is done, it is clear that it will not be, or nobody pays for another try. What is
// true of any of the tries is true of the trouble: see [trouble].
func (a *Account) repeat(ctx context.Context, send request) *trouble {
	var all trouble
	for n := 1; ; n++ {
		t := a.try(ctx, send)
		if t == nil {
			return nil
		}
		t.maybe, t.unheard = t.maybe || all.maybe, t.unheard || all.unheard
		all = *t
		if !a.pause(ctx, n, t) {
			return t
		}
	}
}

// try sends the request. One whose access token Google does not take is sent again with another one.
func (a *Account) try(ctx context.Context, send request) *trouble {
	token, t := a.token(ctx, "")
	if t != nil {
		return t
	}
	a.budget.earn()
	if t = a.once(ctx, token, send); t == nil || t.status != statusUnauthorized {
		return t
	}
	another, failed := a.token(ctx, token)
	if failed != nil || another == token {
		return t
	}
	return a.once(ctx, another, send)
}

func (a *Account) once(ctx context.Context, token string, send request) *trouble {
	if t := a.limits.wait(ctx); t != nil {
		return t
	}
	ctx, cancel := context.WithTimeout(ctx, a.opts.Timeout)
	defer cancel()
	err := send(ctx, token)
	if err == nil {
		return nil
	}
	t := classify(ctx, err, a.opts.Now())
	a.limits.heed(t.failure)
	return t
}

// token returns an access token, another than the refused one if there is one.
func (a *Account) token(ctx context.Context, refused string) (string, *trouble) {
	token, err := a.tokens.Token(ctx, refused)
	if err == nil {
		return token, nil
	}
	if ctx.Err() != nil {
		return "", unsent(ctx.Err())
	}
	f := &calendar.Failure{Kind: calendar.Unavailable, Err: errors.New("no access token")}
	var said *calendar.Failure
	var dead *oauth2.RetrieveError
	switch {
	case errors.As(err, &said):
		f = said
	case errors.As(err, &dead) && dead.ErrorCode == "invalid_grant":
		f.Kind = calendar.Auth
	}
	return "", &trouble{failure: f, again: f.Kind == calendar.Unavailable}
}

const (
	firstPause = 500 * time.Millisecond
	lastPause  = 16 * time.Second
)

// pause waits before try n+1. False says that there is to be none.
func (a *Account) pause(ctx context.Context, n int, t *trouble) bool {
	if !t.again || n >= a.opts.Tries {
		return false
	}
	d := min(lastPause, firstPause<<(n-1))
	d = max(d/2+time.Duration(a.opts.Random()*float64(d/2)), t.failure.RetryAfter)
	if !inTime(ctx, d, a.opts.Now()) || !a.budget.spend() {
		return false
	}
	return a.opts.Sleep(ctx, d) == nil
}
