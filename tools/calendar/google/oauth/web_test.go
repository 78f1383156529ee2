package oauth_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
)

// console is a server with the two pages.
type console struct {
	*testing.T
	google *oauthtest.Google
	saved  []oauth.Grant
	err    error // of saving
	log    bytes.Buffer
	url    string
}

func newConsole(t *testing.T) *console {
	c := &console{T: t, google: oauthtest.NewGoogle()}
	google := httptest.NewServer(c.google)
	t.Cleanup(google.Close)
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	c.url = server.URL
	web := oauth.Web{
		Flow: oauth.NewFlow(c.google.Client(google.URL), oauth.Options{Now: time.Now}), Redirect: server.URL + "/auth/google/callback", Scopes: oauth.OwnerScopes(),
		Log: slog.New(slog.NewTextHandler(&c.log, nil)),
		Save: func(_ context.Context, g oauth.Grant) error {
			c.saved = append(c.saved, g)
			return c.err
		},
	}
	mux.HandleFunc("GET /auth/google/start", web.Start)
	mux.HandleFunc("GET /auth/google/callback", web.Callback)
	return c
}

// browser keeps cookies, and may stop where it is sent.
func browser(t *testing.T, follow bool) *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &http.Client{Jar: jar}
	if !follow {
		b.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return b
}

// visit returns the status, where the browser is sent, and the page.
func (c *console) visit(b *http.Client, address string) (int, http.Header, string) {
	c.Helper()
	response, err := b.Get(address)
	if err != nil {
		c.Fatal(err)
	}
	defer response.Body.Close()
	var page bytes.Buffer
	if _, err := page.ReadFrom(response.Body); err != nil {
		c.Fatal(err)
	}
	return response.StatusCode, response.Header, page.String()
}

func TestWeb(t *testing.T) {
	c := newConsole(t)
	status, headers, page := c.visit(browser(t, true), c.url+"/auth/google/start")
	if status != http.StatusOK || !strings.Contains(page, "接続しました") || len(c.saved) != 1 || !c.google.Lives(c.saved[0].Token.RefreshToken) {
		t.Errorf("the whole way = %d %s, saved %d, want a token saved", status, page, len(c.saved))
	}
	for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"} {
		if got := headers.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if csp := headers.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") {
		t.Errorf("Content-Security-Policy = %q, want default-src 'none'", csp)
	}
	for _, secret := range c.google.Secrets() {
		if strings.Contains(page+c.log.String(), secret) {
			t.Errorf("a secret is on the page or in the log")
		}
	}
}

// TestWebIsTiedToItsBrowser: an address that somebody else began must not connect this server to somebody else's calendar.
func TestWebIsTiedToItsBrowser(t *testing.T) {
	c := newConsole(t)
	attacker, operator := browser(t, false), browser(t, false)
	_, start, _ := c.visit(attacker, c.url+"/auth/google/start")
	_, back, _ := c.visit(attacker, start.Get("Location"))
	c.visit(operator, c.url+"/auth/google/start") // has a cookie too, of its own attempt
	status, _, _ := c.visit(operator, back.Get("Location"))
	if status != http.StatusBadRequest || len(c.saved) > 0 {
		t.Errorf("callback in another browser = %d, saved %d, want 400 and nothing saved", status, len(c.saved))
	}
	if status, _, _ := c.visit(attacker, back.Get("Location")); status != http.StatusOK || len(c.saved) != 1 {
		t.Errorf("callback in the right browser = %d, saved %d, want 200 and a token", status, len(c.saved))
	}
	if status, _, _ := c.visit(attacker, back.Get("Location")); status != http.StatusBadRequest || len(c.saved) != 1 {
		t.Errorf("callback once more = %d, saved %d, want 400", status, len(c.saved))
	}
}

func TestWebCookie(t *testing.T) {
	for redirect, secure := range map[string]bool{"https://a.example/cb": true, "http://127.0.0.1:1/cb": false} {
		web := oauth.Web{Flow: oauth.NewFlow(oauth.Client{ID: "x"}, oauth.Options{Now: time.Now}), Redirect: redirect, Scopes: oauth.ReadScopes()}
		recorder := httptest.NewRecorder()
		web.Start(recorder, httptest.NewRequest(http.MethodGet, "/auth/google/start", http.NoBody))
		cookies := recorder.Result().Cookies()
		if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].Secure != secure || cookies[0].SameSite != http.SameSiteLaxMode || cookies[0].MaxAge != 600 {
			t.Errorf("Start with %s sets %v, want one, HttpOnly, Lax, for 10 minutes, secure %t", redirect, cookies, secure)
		}
		location := recorder.Header().Get("Location")
		if state := location[strings.Index(location, "state=")+6:]; strings.Contains(state, cookies[0].Value) {
			t.Errorf("the cookie is the state")
		}
	}
}

func TestWebFailures(t *testing.T) {
	c := newConsole(t)
	c.google.Deny = true
	if status, _, page := c.visit(browser(t, true), c.url+"/auth/google/start"); status != http.StatusBadRequest || !strings.Contains(page, "not allowed") || len(c.saved) > 0 {
		t.Errorf("refused by the owner = %d %s, want 400 that says so", status, page)
	}
	c.google.Set(func(g *oauthtest.Google) { g.Deny = false })
	c.err = errors.Join(errors.New("disk full at /secret/place"), fault.ErrUnavailable)
	status, _, page := c.visit(browser(t, true), c.url+"/auth/google/start")
	if status != http.StatusBadRequest || strings.Contains(page, "/secret/place") || !strings.Contains(c.log.String(), "disk full") {
		t.Errorf("not saved = %d %s, want 400, the reason only in the log:\n%s", status, page, &c.log)
	}
	web := oauth.Web{Flow: oauth.NewFlow(oauth.Client{}, oauth.Options{Now: time.Now})}
	recorder := httptest.NewRecorder()
	web.Start(recorder, httptest.NewRequest(http.MethodGet, "/auth/google/start", http.NoBody))
	if recorder.Code != http.StatusBadRequest {
		t.Errorf("Start without a client = %d, want 400", recorder.Code)
	}
}
