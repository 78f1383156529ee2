package oauthtest

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/oauth2"

	"annai/internal/secret"
	"annai/tools/calendar/google/oauth"
)

// Google is the half of Google that gives tokens, as far as we use it, and with the errors in its words. It is an [http.Handler] with the paths
// /auth, /token and /revoke. Its fields may be changed with [Google.Set].
type Google struct {
	ClientID, ClientSecret string
	// Scopes are granted whatever is asked for; nil grants what is asked for.
	Scopes []string
	// Lifetime is expires_in of access tokens, in seconds; 0 leaves it out.
	Lifetime int
	// Deny makes the owner refuse.
	Deny bool
	// NoRefresh leaves out the refresh token, as Google does when an owner had agreed before.
	NoRefresh bool
	// Rotate gives a new refresh token with each access token, and ends the old one.
	Rotate bool
	// Echo repeats in the description of a refusal what was sent.
	Echo bool
	// Down answers each request with this status and no JSON; 0 is up.
	Down int
	// RetryAfter is sent while it is down.
	RetryAfter string
	// OnToken, if not nil, is called for each request for a token, before it is answered.
	OnToken func()

	mu       sync.Mutex
	codes    map[string]url.Values // what the page was asked, by code
	refresh  map[string]string     // scopes of refresh tokens that live
	requests int
	secrets  []string
}

// NewGoogle returns one that knows the client "client".
func NewGoogle() *Google {
	return &Google{
		ClientID: "client", ClientSecret: "client-secret-not-to-be-seen", Lifetime: 3599,
		codes: map[string]url.Values{}, refresh: map[string]string{},
	}
}

// Set changes fields while requests may be under way.
func (g *Google) Set(change func(*Google)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change(g)
}

// Client is the client that it knows, at an address such as that of an [httptest.Server].
func (g *Google) Client(address string) oauth.Client {
	return oauth.Client{ID: g.ClientID, Secret: secret.Text(g.ClientSecret), AuthURL: address + "/auth", TokenURL: address + "/token"}
}

// ForgetRedirects makes it take no redirect address any more, as if they were removed from the client. It is for [Google.Set].
func (g *Google) ForgetRedirects() {
	for _, asked := range g.codes {
		asked.Set("redirect_uri", "none")
	}
}

// Issue returns a refresh token that lives, as if an owner had agreed.
func (g *Google) Issue(scopes ...string) secret.Text {
	g.mu.Lock()
	defer g.mu.Unlock()
	return secret.Text(g.issue(strings.Join(scopes, " ")))
}

func (g *Google) issue(scope string) string {
	token := g.secret("1//refresh-")
	g.refresh[token] = scope
	return token
}

// secret makes a secret and remembers it.
func (g *Google) secret(prefix string) string {
	s := prefix + rand.Text()
	g.secrets = append(g.secrets, s)
	return s
}

// End makes a refresh token dead.
func (g *Google) End(token secret.Text) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.refresh, string(token))
}

// Lives says whether a refresh token lives.
func (g *Google) Lives(token secret.Text) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, lives := g.refresh[string(token)]
	return lives
}

// Requests is how many requests for tokens came.
func (g *Google) Requests() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.requests
}

// Secrets are all codes and tokens that it gave, and the client's secret.
func (g *Google) Secrets() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string{g.ClientSecret}, g.secrets...)
}

// ServeHTTP implements [http.Handler].
func (g *Google) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "bad form", http.StatusBadRequest)
		return
	}
	g.mu.Lock()
	hook := g.OnToken
	if r.URL.Path == "/token" {
		g.requests++
	}
	g.mu.Unlock()
	if hook != nil && r.URL.Path == "/token" {
		hook()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.Down != 0:
		if g.RetryAfter != "" {
			w.Header().Set("Retry-After", g.RetryAfter)
		}
		http.Error(w, "<html>"+r.PostForm.Encode(), g.Down) // what stands between may repeat what it was sent
	case r.URL.Path == "/auth" && r.Method == http.MethodGet:
		g.page(w, r)
	case r.URL.Path == "/token" && r.Method == http.MethodPost:
		g.token(w, r.PostForm)
	case r.URL.Path == "/revoke" && r.Method == http.MethodPost:
		if _, lives := g.refresh[r.PostForm.Get("token")]; !lives {
			refuse(w, http.StatusBadRequest, "invalid_token", "Token expired or revoked")
			return
		}
		delete(g.refresh, r.PostForm.Get("token"))
		answer(w, http.StatusOK, map[string]any{})
	default:
		http.NotFound(w, r)
	}
}

// page agrees at once, where the real one asks.
func (g *Google) page(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	back, err := url.Parse(asked.Get("redirect_uri"))
	switch {
	case err != nil || asked.Get("client_id") != g.ClientID || asked.Get("response_type") != "code" || asked.Get("access_type") != "offline" ||
		asked.Get("prompt") != "consent" || asked.Get("code_challenge_method") != "S256" || asked.Get("scope") == "" || asked.Get("state") == "":
		http.Error(w, "Error 400: invalid_request", http.StatusBadRequest)
		return
	case g.Deny:
		back.RawQuery = url.Values{"error": {"access_denied"}, "state": asked["state"]}.Encode()
	default:
		code := g.secret("4/code-")
		g.codes[code] = asked
		back.RawQuery = url.Values{"code": {code}, "state": asked["state"], "scope": {g.grant(asked.Get("scope"))}}.Encode()
	}
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (g *Google) grant(asked string) string {
	if g.Scopes == nil {
		return asked
	}
	return strings.Join(g.Scopes, " ")
}

func (g *Google) token(w http.ResponseWriter, form url.Values) {
	refuse := func(w http.ResponseWriter, status int, code, description string) {
		if g.Echo {
			description += " " + fmt.Sprint(form)
		}
		refuse(w, status, code, description)
	}
	if form.Get("client_id") != g.ClientID || form.Get("client_secret") != g.ClientSecret {
		refuse(w, http.StatusUnauthorized, "invalid_client", "The provided client secret is invalid.")
		return
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		g.byCode(w, form, refuse)
	case "refresh_token":
		g.byRefreshToken(w, form.Get("refresh_token"), refuse)
	default:
		refuse(w, http.StatusBadRequest, "unsupported_grant_type", "Invalid grant_type: "+form.Get("grant_type"))
	}
}

func (g *Google) byCode(w http.ResponseWriter, form url.Values, refuse refusal) {
	asked, ok := g.codes[form.Get("code")]
	delete(g.codes, form.Get("code"))
	switch {
	case !ok:
		refuse(w, http.StatusBadRequest, "invalid_grant", "Malformed auth code.")
	case asked.Get("redirect_uri") != form.Get("redirect_uri"):
		refuse(w, http.StatusBadRequest, "redirect_uri_mismatch", "Bad Request")
	case asked.Get("code_challenge") != oauth2.S256ChallengeFromVerifier(form.Get("code_verifier")):
		refuse(w, http.StatusBadRequest, "invalid_grant", "Invalid code verifier.")
	default:
		scope := g.grant(asked.Get("scope"))
		refresh := ""
		if !g.NoRefresh {
			refresh = g.issue(scope)
		}
		g.give(w, scope, refresh)
	}
}

func (g *Google) byRefreshToken(w http.ResponseWriter, token string, refuse refusal) {
	scope, lives := g.refresh[token]
	if !lives {
		refuse(w, http.StatusBadRequest, "invalid_grant", "Token has been expired or revoked.")
		return
	}
	next := ""
	if g.Rotate {
		delete(g.refresh, token)
		next = g.issue(scope)
	}
	g.give(w, scope, next)
}

func (g *Google) give(w http.ResponseWriter, scope, refresh string) {
	said := map[string]any{"access_token": g.secret("ya29.access-"), "token_type": "Bearer", "scope": scope}
	if g.Lifetime != 0 {
		said["expires_in"] = g.Lifetime
	}
	if refresh != "" {
		said["refresh_token"] = refresh
	}
	answer(w, http.StatusOK, said)
}

// refusal is [refuse], or one that says more.
type refusal func(w http.ResponseWriter, status int, code, description string)

func refuse(w http.ResponseWriter, status int, code, description string) {
	answer(w, status, map[string]any{"error": code, "error_description": description})
}

func answer(w http.ResponseWriter, status int, said map[string]any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(said) // who asked is gone
}

// InProcess carries requests to a handler without a network, so that they fit under a synthetic clock.
type InProcess struct{ Handler http.Handler }

// RoundTrip implements [http.RoundTripper]. It ends with the request's context.
func (p InProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	done := make(chan *http.Response, 1)
	go func() {
		recorder := httptest.NewRecorder()
		p.Handler.ServeHTTP(recorder, r)
		done <- recorder.Result()
	}()
	select {
	case response := <-done:
		response.Request = r
		return response, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}
