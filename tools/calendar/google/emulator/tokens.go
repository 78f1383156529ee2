package emulator

import (
	"net/http"
	"net/url"
	"time"
)

// OAuth are the settings of the OAuth half.
type OAuth struct {
	// ClientID and ClientSecret are of the one program that is known. Empty is emulator-client and emulator-secret.
	ClientID, ClientSecret string
	// RedirectURIs may be told codes, besides every address of this machine.
	RedirectURIs []string
	// AutoApprove sends the browser back at once, without a page.
	AutoApprove bool
	// Deny makes the owner say no.
	Deny bool
	// Grant are the only scopes that the owner gives; nil is whatever is asked.
	Grant []string
	// Rotate gives a new refresh token with every access token, and the one before it is dead.
	Rotate bool
	// AccessLife is how long an access token lives; zero is 3599 seconds, as at Google.
	AccessLife time.Duration
	// RefreshLife is how long a refresh token is good after the consent; zero is for ever, and seven days is a consent screen in "Testing".
	RefreshLife time.Duration
}

func (o *OAuth) complete() {
	if o.ClientID == "" {
		o.ClientID = "emulator-client"
	}
	if o.ClientSecret == "" {
		o.ClientSecret = "emulator-secret"
	}
	if o.AccessLife == 0 {
		o.AccessLife = 3599 * time.Second
	}
}

// Client returns the id and the secret of the one program that is known.
func (e *Emulator) Client() (id, secret string) {
	return e.opts.OAuth.ClientID, e.opts.OAuth.ClientSecret
}

// A consent is what the owner said yes to. All tokens that came of it die with it.
type consent struct {
	scopes  []string
	since   time.Time
	revoked bool
}

// A code is to be redeemed once, by whoever has the verifier of the challenge.
type code struct {
	*consent
	challenge, redirect string
	offline             bool
	expires             time.Time
}

type access struct {
	*consent
	expires time.Time
}

func (a access) good(now time.Time) bool { return !a.revoked && now.Before(a.expires) }

// codeLife is how long a code is good.
const codeLife = 10 * time.Minute

// newCode makes a code. Of consents after the first only those that ask for it by prompt=consent bring a refresh token, as at Google.
func (e *Emulator) newCode(q url.Values, scopes []string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.opts.Now()
	c := &code{
		consent: &consent{scopes: scopes, since: now}, challenge: q.Get("code_challenge"), redirect: q.Get("redirect_uri"), expires: now.Add(codeLife),
	}
	c.offline = q.Get("access_type") == "offline" && (!e.consented || q.Get("prompt") == "consent")
	e.consented = true
	name := e.fresh("4/code")
	e.codes[name] = c
	return name
}

func (e *Emulator) newRefresh(c *consent) string {
	token := e.fresh("1//refresh")
	e.refresh[token] = c
	return token
}

func (e *Emulator) newAccess(c *consent) string {
	token := e.fresh("ya29.access")
	e.access[token] = &access{c, e.opts.Now().Add(e.opts.OAuth.AccessLife)}
	return token
}

// granted returns the scopes of a request's access token.
func (e *Emulator) granted(r *http.Request) ([]string, error) {
	token := bearer(r)
	if token == "" {
		return nil, errNoCredentials
	}
	a := e.access[token]
	if a == nil || !a.good(e.opts.Now()) {
		return nil, errCredentials
	}
	return a.scopes, nil
}

// AccessToken returns a new access token for the scopes ("https://www.googleapis.com/auth/calendar.events"); without any it is good for
// everything.
func (e *Emulator) AccessToken(scopes ...string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.newAccess(e.newConsent(scopes))
}

// RefreshToken returns a new refresh token, likewise.
func (e *Emulator) RefreshToken(scopes ...string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.newRefresh(e.newConsent(scopes))
}

func (e *Emulator) newConsent(scopes []string) *consent {
	if len(scopes) == 0 {
		scopes = []string{scopePrefix + "calendar"}
	}
	return &consent{scopes: scopes, since: e.opts.Now()}
}

// ExpireAccessTokens makes every access token that was given so far expire; refresh tokens stay good.
func (e *Emulator) ExpireAccessTokens() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.access)
}

// RevokeAll takes every consent back, as the owner can in the settings of the account: refresh tokens are invalid_grant.
func (e *Emulator) RevokeAll() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range e.refresh {
		c.revoked = true
	}
	for _, a := range e.access {
		a.revoked = true
	}
	clear(e.codes)
	e.consented = false
}
