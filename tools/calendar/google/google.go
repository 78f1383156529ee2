// Package google is the calendars of a Google account: [Account] is the account, [Calendar] one of its calendars, read and written by the
// contract of package calendar, and the feed of package mirror.
//
// The idea to hold: Google may have done what it did not answer. So every request is either one that may be sent twice (a read, a change or
// a deletion under If-Match, a creation under an id of our own) or is not sent twice, and where an answer was lost we look at what is there
// before we say anything. All calendars of an account share one limit of requests and one budget of retries.
//
// The package knows no configuration and does not know how access tokens come about. None of the types of Google's library leaves it, and no
// error has a token or an address in it.
package google

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"

	gcal "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"annai/fault"
	"annai/internal/traceparent"
)

// source is what [calendar.Event.Source] says of events of this package.
const source = "google"

// Tokens gives access tokens of one account. It is safe for concurrent use.
type Tokens interface {
	// Token returns an access token. If refused is not empty, it is one that Google does not take, although it may look good: the answer is
	// another one, or the same where there is no other. Errors are a [*calendar.Failure], of kind [calendar.Auth] where the owner has to sign
	// in again, and have no token in them.
	Token(ctx context.Context, refused string) (string, error)
}

// Granted is what the owner of an account agreed to. Where it is not known all are true: then Google refuses what it must.
type Granted interface {
	CanRead() bool
	CanWrite() bool
	CanFreeBusy() bool
	CanList() bool
}

// Options are the settings of an [Account]. All but Now have a default.
type Options struct {
	// Now is the clock, for AsOf and for limits. Required.
	Now func() time.Time
	// Client sends the requests. It must not add credentials, and redirects are not followed whatever it says. Nil is one of our own without
	// proxy and cookies.
	Client *http.Client
	// BaseURL is where Calendar v3 is. Empty is Google.
	BaseURL string
	// Granted is what the owner agreed to: what is not in it fails with kind [calendar.Scope] and Google is not asked. Nil is all.
	Granted Granted
	// Guests says whether events may have attendees. They may not by default.
	Guests Guests
	// Links gives events without an address of their own that of their page at Google. It names the calendar, whose id may be a mail address:
	// not for visitors.
	Links bool
	// PerSecond and Burst bound the requests of the account; 0 is 8 a second, 16 at once.
	PerSecond float64
	Burst     int
	// Tries is how often a request is sent at most; 0 is 4.
	Tries int
	// Timeout bounds one request from connecting to the last byte; 0 is 10 seconds. A look at whether a write was done, which is taken even
	// if the caller does not wait any more, has half of it.
	Timeout time.Duration
	// MaxEvents is the most that a read returns; 0 is 10,000. The rest is a problem.
	MaxEvents int
	// Sleep waits between two tries, until ctx is done; nil does. Random is in [0,1), to spread them; nil is random. NewID makes ids of
	// events (see [calendar.CheckKey]) whose creator has none; nil makes random ones. All are safe for concurrent use.
	Sleep  func(ctx context.Context, d time.Duration) error
	Random func() float64
	NewID  func() string
}

// complete fills in the defaults.
func (o Options) complete() (Options, error) {
	if o.Now == nil {
		return Options{}, fmt.Errorf("google account: no clock: %w", fault.ErrInvalid)
	}
	if err := o.Guests.check(); err != nil {
		return Options{}, err
	}
	o.PerSecond = orDefault(o.PerSecond, 8)
	o.Burst = orDefault(o.Burst, 16)
	o.Tries = orDefault(o.Tries, 4)
	o.Timeout = orDefault(o.Timeout, 10*time.Second)
	o.MaxEvents = orDefault(o.MaxEvents, 10_000)
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Random == nil {
		o.Random = mathrand.Float64
	}
	if o.NewID == nil {
		o.NewID = newID
	}
	return o, nil
}

func orDefault[T int | float64 | time.Duration](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// newID returns 26 random letters and digits.
func newID() string {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(random))
}

// An Account is a Google account: what its calendars share. It is safe for concurrent use.
type Account struct {
	tokens  Tokens
	opts    Options
	service *gcal.Service
	limits  *limits
	budget  *budget
	zones   *zones
}

// NewAccount returns the account whose access tokens these are. No clock is [fault.ErrInvalid]. Nothing is asked yet.
func NewAccount(tokens Tokens, opts Options) (*Account, error) {
	opts, err := opts.complete()
	if err != nil {
		return nil, err
	}
	service, err := gcal.NewService(context.Background(), option.WithHTTPClient(client(opts)))
	if err != nil {
		return nil, fmt.Errorf("google account: %s: %w", err.Error(), fault.ErrInvalid)
	}
	if opts.BaseURL != "" {
		service.BasePath = strings.TrimSuffix(opts.BaseURL, "/") + "/"
	}
	return &Account{
		tokens: tokens, opts: opts, service: service,
		limits: newLimits(opts), budget: newBudget(), zones: &zones{},
	}, nil
}

// client returns the client for requests that carry an access token: a redirect would carry it elsewhere.
func client(opts Options) *http.Client {
	c := &http.Client{}
	if opts.Client != nil {
		*c = *opts.Client
	} else {
		dialer := &net.Dialer{Timeout: opts.Timeout}
		c.Transport = traceparent.Transport(&http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: opts.Timeout, ForceAttemptHTTP2: true,
			MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute,
		})
	}
	c.Jar = nil
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// authorize puts the access token on a request.
func authorize(h http.Header, token string) { h.Set("Authorization", "Bearer "+token) }
