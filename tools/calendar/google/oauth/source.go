package oauth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"annai/internal/secret"
	"annai/tools/calendar"
)

// SourceOptions are the settings of a [Source]. All but Now have a default.
type SourceOptions struct {
	// Now is the clock. Required.
	Now func() time.Time
	// Transport carries the requests for tokens. Nil is one of our own, without a proxy.
	Transport http.RoundTripper
	// Log receives what the operator must know: that the account does not work any more, once, and that it works again. Nil discards it.
	Log *slog.Logger
	// Deadline is how long one refresh may take, whoever waits for it. 0 is 10 seconds.
	Deadline time.Duration
	// Early is how long before its end an access token is replaced. 0 is 5 minutes. It is never more than a quarter of the token's life.
	Early time.Duration
	// Lifetime is how long an access token is used that does not say how long it lives. 0 is 30 minutes.
	Lifetime time.Duration
	// Recheck is how often a store is read while its token does not work. 0 is 15 seconds.
	Recheck time.Duration
}

func (o SourceOptions) withDefaults() SourceOptions {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Transport == nil {
		o.Transport = ownTransport()
	}
	for _, d := range []struct {
		field *time.Duration
		def   time.Duration
	}{{&o.Deadline, 10 * time.Second}, {&o.Early, 5 * time.Minute}, {&o.Lifetime, 30 * time.Minute}, {&o.Recheck, 15 * time.Second}} {
		if *d.field == 0 {
			*d.field = d.def
		}
	}
	return o
}

// Access is the right to use an account for a while.
type Access struct {
	Token secret.Text
	// Expiry is when it ends; where Google does not say it, when we replace it.
	Expiry time.Time
}

// A Source makes the access tokens of one account. There is one per account and process, and it lives as long as the process.
//
// It replaces an access token before it ends, by one request however many wait, which has a deadline of its own and which none of them can
// cancel. While Google can't be reached, an access token that still lives is used. A refusal by Google is logged once, and Google is asked no
// more until another token is stored: by the operator, or by another process that was given a new one. It is safe for concurrent use.
//
// Errors are a [calendar.Failure], of kind Auth with a [Problem] in it, or Unavailable.
type Source struct {
	store   TokenStore
	account string
	client  Client
	opts    SourceOptions

	mu      sync.Mutex
	access  current
	granted []string
	call    *call // the refresh under way; nil for none
	trouble trouble
	closed  bool

	held held // of the refresh under way, and so of one goroutine at a time
}

// current is the access token in use.
type current struct {
	Access
	refreshAt, endsAt time.Time
	refused           bool      // Google answered 401 to it
	forcedAt          time.Time // when it replaced one that was refused; zero if it did not
}

func (c current) usable(now time.Time) bool {
	return c.Token != "" && !c.refused && now.Before(c.endsAt)
}

// call is a refresh that callers wait for.
type call struct {
	done   chan struct{} // closed at its end, when the rest is set
	cancel context.CancelFunc
	access current
	err    error
}

// trouble is why there is no new access token, and when to try next.
type trouble struct {
	problem   *Problem // nil for none
	notBefore time.Time
	failures  int     // in a row, of reaching Google
	logged    Problem // the last that was logged
}

// NewSource returns the source of an account. It reads and asks nothing yet.
func NewSource(store TokenStore, account string, client Client, opts SourceOptions) *Source {
	return &Source{store: store, account: account, client: client, opts: opts.withDefaults()}
}

// Close ends what is under way and waits for it. After it there are no more access tokens.
func (s *Source) Close() error {
	s.mu.Lock()
	s.closed = true
	c := s.call
	s.mu.Unlock()
	if c != nil {
		c.cancel()
		<-c.done
	}
	return nil
}

// Token returns an access token that lives. If refused is not empty, it is one to which Google answered 401: it is replaced, once. What came in
// its place is not replaced by force for a minute, so that the answer may be the same again.
func (s *Source) Token(ctx context.Context, refused string) (string, error) {
	if refused != "" {
		s.refuse(secret.Text(refused))
	}
	a, err := s.Access(ctx)
	return string(a.Token), err
}

// Access returns an access token that lives.
func (s *Source) Access(ctx context.Context) (Access, error) {
	a, c, err := s.now(ctx)
	if c == nil {
		return a, err
	}
	select {
	case <-c.done:
		return c.access.Access, c.err
	case <-ctx.Done():
		return Access{}, &calendar.Failure{Kind: calendar.Unavailable, Err: fmt.Errorf("wait for an access token: %w", ctx.Err())}
	}
}

// now returns what there is: an access token, an error, or a refresh to wait for. It begins the refresh where one is due.
func (s *Source) now(ctx context.Context) (Access, *call, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.opts.Now()
	usable := s.access.usable(now)
	switch {
	case s.closed:
		return Access{}, nil, failure(&Problem{Code: Unreachable, Detail: "closed"})
	case usable && now.Before(s.access.refreshAt):
		return s.access.Access, nil, nil
	case s.call == nil && !now.Before(s.trouble.notBefore):
		s.begin(ctx)
	}
	switch {
	case usable:
		return s.access.Access, nil, nil
	case s.call != nil:
		return Access{}, s.call, nil
	default:
		return Access{}, nil, failure(s.trouble.problem)
	}
}

// begin starts a refresh. It outlives whoever needed it first, until its own deadline or [Source.Close]. The lock is held.
func (s *Source) begin(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.Deadline)
	c := &call{done: make(chan struct{}), cancel: cancel}
	s.call = c
	go func() {
		defer cancel()
		got, granted, problem := s.refresh(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.end(c, got, granted, problem)
		s.call = nil
		close(c.done)
	}()
}

// end takes over what a refresh came to. The lock is held.
func (s *Source) end(c *call, got Access, granted []string, p *Problem) {
	now := s.opts.Now()
	if p != nil {
		s.troubled(p, now)
		c.err = failure(p)
		return
	}
	if s.trouble.problem != nil {
		s.opts.Log.Info("google calendar works again", "account", s.account)
	}
	s.trouble = trouble{}
	life := got.Expiry.Sub(now)
	next := current{Access: got, refreshAt: got.Expiry.Add(-min(s.opts.Early, life/4)), endsAt: got.Expiry.Add(-min(10*time.Second, life/8))}
	if s.access.refused {
		next.forcedAt = now
	}
	s.access, s.granted = next, granted
	c.access = next
}

// troubled remembers a failure and logs it, unless it is the same as before. The lock is held.
func (s *Source) troubled(p *Problem, now time.Time) {
	s.trouble.problem = p
	if p.Code == Unreachable {
		s.trouble.failures++
		const first, most, doublings = 500 * time.Millisecond, 15 * time.Second, 5
		wait := min(first<<min(s.trouble.failures-1, doublings), most)
		s.trouble.notBefore = now.Add(max(wait, p.retryAfter))
		if s.trouble.failures == 1 {
			s.opts.Log.Warn("google gives no access token", "account", s.account, "err", p)
		}
		return
	}
	s.trouble.failures = 0
	s.trouble.notBefore = now.Add(s.opts.Recheck)
	if s.trouble.logged != *p {
		s.trouble.logged = *p
		s.opts.Log.Error("google calendar is disconnected", "account", s.account, "err", p, "ja", p.Words("ja"))
	}
}

// failure is a problem as callers get it.
func failure(p *Problem) error {
	if p.Code == Unreachable {
		return &calendar.Failure{Kind: calendar.Unavailable, RetryAfter: p.retryAfter, Err: p}
	}
	return &calendar.Failure{Kind: calendar.Auth, Err: p}
}

// againAfter is how long an access token that was made by force is not replaced by force: what Google refuses for another reason than the
// token's age must not become a request for a token each time.
const againAfter = time.Minute

func (s *Source) refuse(token secret.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.access.Token != token || !s.access.forcedAt.IsZero() && s.opts.Now().Before(s.access.forcedAt.Add(againAfter)) {
		return
	}
	s.access.refused = true
}

// Granted returns what the account may be used for, by asking Google if need be.
func (s *Source) Granted(ctx context.Context) (Granted, error) {
	if _, err := s.Access(ctx); err != nil {
		return Granted{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Granted{Scopes: s.granted}, nil
}

// isCode says whether err is a [Problem] with a code.
func isCode(err error, code Code) bool {
	var p *Problem
	return errors.As(err, &p) && p.Code == code
}
