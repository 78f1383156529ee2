package oauth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"annai/fault"
	"annai/internal/secret"
)

// Options are the settings of a [Flow]. All but Now have a default.
type Options struct {
	// Now is the clock. Required.
	Now func() time.Time
	// Transport carries the requests to Google. Nil is one of our own, without a proxy.
	Transport http.RoundTripper
	// Deadline is how long Google may take to answer. 0 is 20 seconds.
	Deadline time.Duration
	// Lifetime is how long an owner has from [Flow.Begin] to [Flow.Finish]. 0 is 10 minutes.
	Lifetime time.Duration
}

// maxPending is how many attempts may be open at once. The oldest makes room.
const maxPending = 32

// A Flow is the dialogue in which an owner agrees: authorisation code, PKCE with S256, a random state. [Flow.Begin] and [Flow.Finish] are all of
// it; [Flow.Loopback], a terminal and [Web] are ways between the two. It is safe for concurrent use.
type Flow struct {
	client Client
	opts   Options

	mu      sync.Mutex
	pending []attempt // oldest first
}

// attempt is an authorisation that was begun. One that was used is kept until its time is over, so that its second use can be told.
type attempt struct {
	state, verifier string
	redirect        string
	scopes          []string
	ends            time.Time
	used            bool
}

// NewFlow returns a flow for a client.
func NewFlow(client Client, opts Options) *Flow {
	if opts.Deadline == 0 {
		opts.Deadline = 20 * time.Second
	}
	if opts.Transport == nil {
		opts.Transport = ownTransport()
	}
	if opts.Lifetime == 0 {
		opts.Lifetime = 10 * time.Minute
	}
	return &Flow{client: client, opts: opts}
}

// Begin returns the address of the page where the owner agrees to scopes, and the state by which the answer is known. Google then sends the
// owner's browser to redirect. A client without an id is [fault.ErrInvalid].
func (f *Flow) Begin(redirect string, scopes []string) (page, state string, err error) {
	if f.client.ID == "" {
		return "", "", fmt.Errorf("no OAuth client is set: set google-client-id and google-client-secret: %w", fault.ErrInvalid)
	}
	a := attempt{
		state: rand.Text(), verifier: oauth2.GenerateVerifier(), redirect: redirect, scopes: scopes,
		ends: f.opts.Now().Add(f.opts.Lifetime),
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.pending) >= maxPending {
		f.pending = f.pending[1:]
	}
	f.pending = append(f.pending, a)
	return f.client.config(redirect, scopes).AuthCodeURL(a.state,
		oauth2.AccessTypeOffline, oauth2.ApprovalForce, oauth2.S256ChallengeOption(a.verifier)), a.state, nil
}

// A Grant is what an owner agreed to.
type Grant struct {
	Token Token
	// Missing are scopes that were asked for and not granted: what needs them is switched off.
	Missing []string
}

// Granted says what the grant may be used for.
func (g Grant) Granted() Granted { return Granted{Scopes: g.Token.Scopes} }

// Finish takes the address to which Google sent the browser, as a browser or a person gives it, and gets the token. An address works once. The
// error is a [Problem]; it is [ScopeMissing] where nothing that was asked for was granted.
func (f *Flow) Finish(ctx context.Context, redirected string) (Grant, error) {
	answer, err := parseRedirect(redirected)
	if err != nil {
		return Grant{}, err
	}
	a, err := f.take(answer.Get("state"))
	if err != nil {
		return Grant{}, err
	}
	if reason := answer.Get("error"); reason != "" {
		return Grant{}, &Problem{Code: codeOf(reason), Detail: clean(reason + " " + answer.Get("error_description"))}
	}
	if answer.Get("code") == "" {
		return Grant{}, &Problem{Code: Refused, Detail: "neither a code nor a reason came"}
	}
	return f.exchange(ctx, a, answer.Get("code"))
}

// AskAgain says of an error of [Flow.Finish] that the attempt is still open: what came was not its answer.
func AskAgain(err error) bool { return isCode(err, NotAnAddress) || isCode(err, StateMismatch) }

// parseRedirect returns what an address says. People paste it with spaces, in quotes, and broken into lines by a terminal.
func parseRedirect(text string) (url.Values, error) {
	text = strings.Trim(strings.Join(strings.Fields(text), ""), `"'<>`)
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, &Problem{Code: NotAnAddress}
	}
	answer, err := url.ParseQuery(u.RawQuery)
	if err != nil || answer.Get("state") == "" {
		return nil, &Problem{Code: NotAnAddress, Detail: "there is no state in it"}
	}
	return answer, nil
}

// take finds the attempt with a state and marks it as used. It takes the same time wherever two states differ.
func (f *Flow) take(state string) (attempt, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := -1
	for i := range f.pending {
		if subtle.ConstantTimeCompare([]byte(f.pending[i].state), []byte(state)) == 1 {
			found = i
		}
	}
	switch {
	case found < 0:
		return attempt{}, &Problem{Code: StateMismatch}
	case f.pending[found].used:
		return attempt{}, &Problem{Code: Replay}
	case f.opts.Now().After(f.pending[found].ends):
		return attempt{}, &Problem{Code: Expired}
	}
	a := f.pending[found]
	f.pending[found].used, f.pending[found].verifier = true, ""
	return a, nil
}

// exchange gets a token for a code.
func (f *Flow) exchange(ctx context.Context, a attempt, code string) (Grant, error) {
	ctx, cancel := context.WithTimeout(ctx, f.opts.Deadline)
	defer cancel()
	got, err := f.client.config(a.redirect, a.scopes).Exchange(
		context.WithValue(ctx, oauth2.HTTPClient, httpClient(f.opts.Transport)), code, oauth2.VerifierOption(a.verifier))
	if err != nil {
		p := problemOf(err, f.client.Secret, secret.Text(a.verifier), secret.Text(code))
		if p.Code == InvalidGrant { // here it is the code that is not valid, not a permission
			p.Code = InvalidCode
		}
		return Grant{}, p
	}
	t := Token{
		RefreshToken: secret.Text(got.RefreshToken), Scopes: scopesOf(got), ClientID: f.client.ID, Granted: f.opts.Now().UTC().Truncate(time.Second),
	}
	if len(t.Scopes) == 0 { // RFC 6749, 5.1: left out where it is what was asked for
		t.Scopes = a.scopes
	}
	if t.RefreshToken == "" {
		return Grant{}, &Problem{Code: NoRefreshToken}
	}
	missing := Granted{Scopes: t.Scopes}.Missing(a.scopes)
	if len(missing) > 0 && len(missing) == len(a.scopes) {
		return Grant{}, &Problem{Code: ScopeMissing}
	}
	return Grant{Token: t, Missing: missing}, nil
}

// scopesOf returns the scopes that an answer names; nil where it names none.
func scopesOf(t *oauth2.Token) []string {
	text, _ := t.Extra("scope").(string)
	return strings.Fields(text)
}
