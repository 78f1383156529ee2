package emulator

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	redirect = "http://127.0.0.1:7777/callback"
	verifier = "a-verifier-that-is-long-enough-to-be-one-0123456789"
	events   = scopePrefix + "calendar.events"
	lists    = scopePrefix + "calendar.calendarlist.readonly"
)

// consentQuery is what a program asks for; changes are pairs of a name and its value.
func consentQuery(changes ...string) url.Values {
	sum := sha256.Sum256([]byte(verifier))
	q := url.Values{
		"client_id": {"emulator-client"}, "redirect_uri": {redirect}, "response_type": {"code"}, "scope": {events + " " + lists}, "state": {"s1"},
		"access_type": {"offline"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}
	for i := 0; i+1 < len(changes); i += 2 {
		q.Set(changes[i], changes[i+1])
	}
	return q
}

// plain makes a request to the OAuth half and returns the status, where it leads, and the body.
func (a *account) plain(verb, path string, q, form url.Values) (int, *url.URL, string) {
	a.t.Helper()
	r, err := http.NewRequestWithContext(a.t.Context(), verb, a.url+path+"?"+q.Encode(), strings.NewReader(form.Encode()))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := a.http.Do(r)
	if err != nil {
		a.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	where, err := url.Parse(response.Header.Get("Location"))
	if err != nil {
		a.t.Fatal(err)
	}
	return response.StatusCode, where, string(text)
}

// code goes through the consent and returns the code.
func (a *account) code(changes ...string) string {
	a.t.Helper()
	_, where, text := a.plain("POST", AuthPath, consentQuery(changes...), nil)
	code := where.Query().Get("code")
	if code == "" {
		a.t.Fatalf("consent = %s %s, want a code", where, text)
	}
	return code
}

// token asks for tokens; changes are pairs of a name and its value.
func (a *account) tokens(changes ...string) (int, map[string]any) {
	a.t.Helper()
	form := url.Values{"client_id": {"emulator-client"}, "client_secret": {"emulator-secret"}}
	for i := 0; i+1 < len(changes); i += 2 {
		form.Set(changes[i], changes[i+1])
	}
	status, _, text := a.plain("POST", TokenPath, nil, form)
	var body map[string]any
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		a.t.Fatalf("token = %d %s, want JSON", status, text)
	}
	return status, body
}

func (a *account) redeem(code string, changes ...string) (int, map[string]any) {
	a.t.Helper()
	return a.tokens(append([]string{"grant_type", "authorization_code", "code", code, "redirect_uri", redirect, "code_verifier", verifier}, changes...)...)
}

func (a *account) renew(token any) (int, map[string]any) {
	a.t.Helper()
	return a.tokens("grant_type", "refresh_token", "refresh_token", fmt.Sprint(token))
}

func TestConsent(t *testing.T) {
	a := open(t, Options{OAuth: OAuth{AccessLife: time.Hour}})
	status, _, page := a.plain("GET", AuthPath, consentQuery(), nil)
	if status != 200 || !strings.Contains(page, events) || strings.Count(page, "<button>") != 1 {
		t.Errorf("GET %s = %d %s, want a page with the scopes and one button", AuthPath, status, page)
	}
	_, where, _ := a.plain("POST", AuthPath, consentQuery(), nil)
	q := where.Query()
	if where.Host != "127.0.0.1:7777" || q.Get("state") != "s1" || q.Get("scope") != events+" "+lists {
		t.Fatalf("the button leads to %s, want the redirect with state and scope", where)
	}
	status, body := a.redeem(q.Get("code"))
	want := map[string]any{
		"access_token": body["access_token"], "refresh_token": body["refresh_token"], "expires_in": 3600.0, "scope": events + " " + lists, "token_type": "Bearer",
	}
	if diff := cmp.Diff(want, body); status != 200 || diff != "" || body["refresh_token"] == nil {
		t.Fatalf("token = %d (-want +got):\n%s", status, diff)
	}
	if status, body := a.redeem(q.Get("code")); status != 400 || body["error"] != "invalid_grant" {
		t.Errorf("the same code again = %d %v, want invalid_grant", status, body)
	}
	b := a.with(fmt.Sprint(body["access_token"]))
	b.must("GET calendars/primary/events", "")
	if got := b.refused("GET calendars/primary", ""); !strings.HasPrefix(got, "403 insufficientPermissions") {
		t.Errorf("calendars.get with %s = %s, want 403", body["scope"], got)
	}
	a.clock.add(time.Hour)
	status, renewed := a.renew(body["refresh_token"])
	if status != 200 || renewed["refresh_token"] != nil || renewed["access_token"] == body["access_token"] {
		t.Errorf("refresh = %d %v, want another access token alone", status, renewed)
	}
	a.with(fmt.Sprint(renewed["access_token"])).must("GET calendars/primary/events", "")
}

func TestConsentRefuses(t *testing.T) {
	a := open(t, Options{OAuth: OAuth{RedirectURIs: []string{"https://annai.example/auth"}}})
	for _, test := range []struct{ name, value, want string }{
		{"client_id", "other", "invalid_client"},
		{"redirect_uri", "https://evil.example/", "redirect_uri_mismatch"},
		{"redirect_uri", "https://127.0.0.1.evil.example/", "redirect_uri_mismatch"},
		{"redirect_uri", "://", "redirect_uri_mismatch"},
		{"response_type", "token", "invalid_request"},
		{"scope", " ", "invalid_request"},
		{"code_challenge_method", "plain", "invalid_request"},
	} {
		for _, verb := range []string{"GET", "POST"} {
			if status, where, text := a.plain(verb, AuthPath, consentQuery(test.name, test.value), nil); status != 400 || where.String() != "" || !strings.Contains(text, test.want) {
				t.Errorf("%s consent with %s %q = %d %s %s, want 400 %s and no redirect", verb, test.name, test.value, status, where, text, test.want)
			}
		}
	}
	a.code("redirect_uri", "https://annai.example/auth")
	a.code("redirect_uri", "http://localhost:1/x")
	a.code("redirect_uri", "http://[::1]:1/x")
}

func TestOwnerSaysNoOrLess(t *testing.T) {
	a := open(t, Options{OAuth: OAuth{Deny: true}})
	if _, where, _ := a.plain("GET", AuthPath, consentQuery(), nil); where.Query().Get("error") != "access_denied" || where.Query().Get("state") != "s1" {
		t.Errorf("an owner who says no leads to %s, want access_denied with the state", where)
	}
	a = open(t, Options{OAuth: OAuth{AutoApprove: true, Grant: []string{lists}}})
	_, where, _ := a.plain("GET", AuthPath, consentQuery(), nil)
	if _, body := a.redeem(where.Query().Get("code")); body["scope"] != lists {
		t.Errorf("scope = %v, want only %s", body["scope"], lists)
	}
}

func TestTokenRefuses(t *testing.T) {
	a := open(t, Options{})
	for _, test := range []struct {
		name, value, want string
		status            int
	}{
		{"code_verifier", "another", "invalid_grant", 400},
		{"code_verifier", "", "invalid_grant", 400},
		{"redirect_uri", "http://127.0.0.1:1/other", "redirect_uri_mismatch", 400},
		{"client_id", "other", "invalid_client", 401},
		{"client_secret", "wrong", "invalid_client", 401},
		{"client_secret", "", "invalid_request", 400},
		{"grant_type", "password", "unsupported_grant_type", 400},
		{"code", "nosuch", "invalid_grant", 400},
	} {
		if status, body := a.redeem(a.code(), test.name, test.value); status != test.status || body["error"] != test.want {
			t.Errorf("token with %s %q = %d %v, want %d %s", test.name, test.value, status, body, test.status, test.want)
		}
	}
	code := a.code()
	a.clock.add(11 * time.Minute)
	if status, body := a.redeem(code); status != 400 || body["error"] != "invalid_grant" {
		t.Errorf("an old code = %d %v, want invalid_grant", status, body)
	}
	if status, body := a.renew("nosuch"); status != 400 || body["error"] != "invalid_grant" {
		t.Errorf("an unknown refresh token = %d %v, want invalid_grant", status, body)
	}
	a.e.Fail(Rule{Method: "oauth.token", Fault: InvalidGrant, Times: 1})
	token := a.e.RefreshToken()
	if status, body := a.renew(token); status != 400 || body["error"] != "invalid_grant" {
		t.Errorf("refresh with InvalidGrant = %d %v, want invalid_grant", status, body)
	}
	if status, _ := a.renew(token); status != 200 {
		t.Errorf("refresh after it = %d, want 200", status)
	}
}

// TestRefreshTokenOnlyAtTheFirstConsent: as at Google, who has consented before gets none, unless asked by prompt=consent.
func TestRefreshTokenOnlyAtTheFirstConsent(t *testing.T) {
	a := open(t, Options{})
	for _, test := range []struct {
		changes []string
		want    bool
	}{{[]string{"access_type", "online"}, false}, {nil, false}, {[]string{"prompt", "consent"}, true}} {
		if _, body := a.redeem(a.code(test.changes...)); (body["refresh_token"] != nil) != test.want {
			t.Errorf("consent with %v: refresh token %v, want one: %v", test.changes, body["refresh_token"], test.want)
		}
	}
}

func TestRotation(t *testing.T) {
	a := open(t, Options{OAuth: OAuth{Rotate: true}})
	first := a.e.RefreshToken(events)
	_, body := a.renew(first)
	if body["refresh_token"] == nil || body["refresh_token"] == first {
		t.Fatalf("refresh = %v, want a new refresh token", body)
	}
	if status, body := a.renew(first); status != 400 || body["error"] != "invalid_grant" {
		t.Errorf("the old refresh token = %d %v, want invalid_grant", status, body)
	}
	if status, _ := a.renew(body["refresh_token"]); status != 200 {
		t.Errorf("the new refresh token = %d, want 200", status)
	}
}

func TestRevoke(t *testing.T) {
	a := open(t, Options{OAuth: OAuth{RefreshLife: 7 * 24 * time.Hour}})
	_, body := a.redeem(a.code())
	access, refresh := fmt.Sprint(body["access_token"]), fmt.Sprint(body["refresh_token"])
	if status, _, text := a.plain("GET", TokenInfoPath, url.Values{"access_token": {access}}, nil); status != 200 || !strings.Contains(text, events) {
		t.Errorf("tokeninfo = %d %s, want the scopes", status, text)
	}
	if status, _, text := a.plain("POST", RevokePath, nil, url.Values{"token": {refresh}}); status != 200 {
		t.Errorf("revoke = %d %s, want 200", status, text)
	}
	if status, _, _ := a.plain("POST", RevokePath, url.Values{"token": {refresh}}, nil); status != 400 {
		t.Errorf("revoke again = %d, want 400", status)
	}
	if status, _, text := a.plain("GET", TokenInfoPath, url.Values{"access_token": {access}}, nil); status != 400 || !strings.Contains(text, "invalid_token") {
		t.Errorf("tokeninfo of a revoked token = %d %s, want invalid_token", status, text)
	}
	if got := a.with(access).refused("GET calendars/primary/events", ""); !strings.HasPrefix(got, "401") {
		t.Errorf("list with a revoked token = %s, want 401", got)
	}
	second := a.e.RefreshToken()
	a.e.RevokeAll()
	third := a.e.RefreshToken()
	a.clock.add(7 * 24 * time.Hour)
	for _, token := range []string{refresh, second, third} { // revoked, revoked by the owner, too old
		if status, body := a.renew(token); status != 400 || body["error"] != "invalid_grant" {
			t.Errorf("refresh with %s = %d %v, want invalid_grant", token, status, body)
		}
	}
}
