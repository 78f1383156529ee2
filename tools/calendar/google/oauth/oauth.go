// Package oauth gets, keeps and renews the right to use an owner's calendar at Google: the dialogue in which the owner agrees ([Flow]), where
// what came of it is kept ([TokenStore]), and the one place per account and process that makes access tokens of it ([Source]).
//
// The idea to hold: what Google gives for long is one refresh token, and everything else is made of it. It is changed only by
// compare-and-swap, because several processes may hold it; and it can die at any time, which is said to the operator once and then asked of
// Google no more until another one is stored.
//
// The package knows no calendar and no configuration, and it writes no token into an error or a log.
package oauth

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/endpoints"

	"annai/fault"
	"annai/internal/secret"
)

// A Token is the right to use an account: what is kept.
type Token struct {
	// RefreshToken is what access tokens are made of.
	RefreshToken secret.Text
	// Scopes are those that were granted. Empty means that nobody knows yet; Google says it with every access token.
	Scopes []string
	// ClientID is the client to which it was given and which alone can use it. Empty means that nobody knows.
	ClientID string
	// Granted is when the owner agreed. Zero means that nobody knows.
	Granted time.Time
}

// A Client is this program as Google knows it. The addresses are Google's where they are empty.
type Client struct {
	ID     string
	Secret secret.Text
	// AuthURL is the page where an owner agrees, and TokenURL the address that gives tokens. The one that revokes them is beside it:
	// …/token and …/revoke.
	AuthURL, TokenURL string
}

func (c Client) authURL() string {
	if c.AuthURL == "" {
		return "https://accounts.google.com/o/oauth2/v2/auth"
	}
	return c.AuthURL
}

func (c Client) tokenURL() string {
	if c.TokenURL == "" {
		return endpoints.Google.TokenURL
	}
	return c.TokenURL
}

func (c Client) revokeURL() (string, error) {
	u, err := url.Parse(c.tokenURL())
	if err != nil {
		return "", fmt.Errorf("address of tokens: %w", fault.ErrInvalid)
	}
	u.Path = path.Join("/", path.Dir(u.Path), "revoke")
	return u.String(), nil
}

// config is c in the words of the library. Google takes a client's secret in the body only.
func (c Client) config(redirect string, scopes []string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: c.ID, ClientSecret: string(c.Secret), RedirectURL: redirect, Scopes: scopes,
		Endpoint: oauth2.Endpoint{AuthURL: c.authURL(), TokenURL: c.tokenURL(), AuthStyle: oauth2.AuthStyleInParams},
	}
}

// ownTransport is what carries requests with secrets where nothing else is given: no proxy sees them.
func ownTransport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	return &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second, ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute,
	}
}

// httpClient returns a client for requests that carry secrets: it follows no redirect, which would carry them elsewhere.
func httpClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// DefaultAccount is the name of the account where there is only one.
const DefaultAccount = "default"

var accountName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// CheckAccount returns [fault.ErrInvalid] for what can't be the name of an account. A name is ours, not Google's: 1 to 64 small letters,
// digits, "-" and "_", the first a letter or digit.
func CheckAccount(name string) error {
	if accountName.MatchString(name) {
		return nil
	}
	return fmt.Errorf("%.70q is no name of an account: 1 to 64 small letters, digits, - and _ are: %w", name, fault.ErrInvalid)
}
