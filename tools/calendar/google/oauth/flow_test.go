package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
)

var noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

// world is a Google without a network, and a flow of its client.
type world struct {
	*testing.T
	google *oauthtest.Google
	flow   *oauth.Flow
	now    time.Time
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, google: oauthtest.NewGoogle(), now: noon}
	w.google.Echo = true
	w.flow = oauth.NewFlow(w.google.Client("http://google.test"), oauth.Options{
		Now: func() time.Time { return w.now }, Transport: oauthtest.InProcess{Handler: w.google},
	})
	return w
}

const redirectTo = "http://127.0.0.1:1/"

// begin begins an attempt, and returns where the browser ends.
func (w *world) begin(scopes []string) string {
	w.Helper()
	page, _, err := w.flow.Begin(redirectTo, scopes)
	if err != nil {
		w.Fatalf("Begin = %v", err)
	}
	recorder := httptest.NewRecorder()
	w.google.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, page, http.NoBody))
	if recorder.Code != http.StatusFound {
		w.Fatalf("GET %s = %d %s, want to be sent back", page, recorder.Code, recorder.Body)
	}
	return recorder.Header().Get("Location")
}

// fails finishes with an address, and wants a problem.
func (w *world) fails(redirected string, code oauth.Code, kind error) {
	w.Helper()
	grant, err := w.flow.Finish(w.Context(), redirected)
	for _, secret := range w.google.Secrets() {
		if strings.Contains(fmt.Sprintf("%v %#v", err, err), secret) {
			w.Errorf("Finish = %v, which has a secret in it", err)
		}
	}
	var p *oauth.Problem
	if !errors.As(err, &p) || p.Code != code || !errors.Is(err, kind) || grant.Token.RefreshToken != "" {
		w.Errorf("Finish = %v, want the problem %s, %v", err, code, kind)
		return
	}
	if p.Words("ja") == "" || p.Words("en") == "" || p.Words("ja") == p.Words("en") {
		w.Errorf("Words of %s = %q, %q, want both languages", code, p.Words("ja"), p.Words("en"))
	}
}

func TestFlow(t *testing.T) {
	w := newWorld(t)
	for name, scopes := range map[string][]string{"owner": oauth.OwnerScopes(), "kiosk": oauth.ReadScopes()} {
		grant, err := w.flow.Finish(t.Context(), w.begin(scopes))
		if err != nil {
			t.Fatalf("Finish(%s) = %v", name, err)
		}
		want := oauth.Token{RefreshToken: grant.Token.RefreshToken, Scopes: scopes, ClientID: "client", Granted: noon}
		if diff := cmp.Diff(want, grant.Token); diff != "" || len(grant.Missing) > 0 || !w.google.Lives(grant.Token.RefreshToken) {
			t.Errorf("Finish(%s): missing %q (-want +got):\n%s", name, grant.Missing, diff)
		}
	}
}

func TestThePageIsAskedRight(t *testing.T) {
	w := newWorld(t)
	page, state, err := w.flow.Begin(redirectTo, oauth.OwnerScopes())
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	got := u.Query()
	if len(got.Get("code_challenge")) != 43 || len(state) < 26 || got.Get("state") != state {
		t.Errorf("Begin = %s, want a challenge of 43 characters and a state of 26 at least", page)
	}
	got.Del("code_challenge")
	want := url.Values{
		"client_id": {"client"}, "redirect_uri": {redirectTo}, "response_type": {"code"}, "access_type": {"offline"}, "prompt": {"consent"},
		"code_challenge_method": {"S256"}, "state": {state}, "scope": {strings.Join(oauth.OwnerScopes(), " ")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Begin (-want +got):\n%s", diff)
	}
	_, other, _ := w.flow.Begin(redirectTo, oauth.OwnerScopes())
	if state == other {
		t.Errorf("Begin twice has the same state")
	}
	google := oauth.NewFlow(oauth.Client{ID: "x"}, oauth.Options{Now: time.Now})
	if page, _, err := google.Begin(redirectTo, nil); err != nil || !strings.HasPrefix(page, "https://accounts.google.com/o/oauth2/v2/auth?") {
		t.Errorf("Begin without addresses = %s, %v, want Google's", page, err)
	}
	if _, _, err := oauth.NewFlow(oauth.Client{}, oauth.Options{Now: time.Now}).Begin(redirectTo, nil); !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "google-client-id") {
		t.Errorf("Begin without a client = %v, want ErrInvalid that names the setting", err)
	}
}

func TestPastedAddresses(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(string) string{
		"as it is":           func(s string) string { return s },
		"with spaces":        func(s string) string { return "  " + s + "\n" },
		"in quotes":          func(s string) string { return `"` + s + `"` },
		"in angles":          func(s string) string { return "<" + s + ">" },
		"broken into lines":  func(s string) string { return s[:30] + "\n  " + s[30:] },
		"with a fragment":    func(s string) string { return s + "#_=_" },
		"with localhost":     func(s string) string { return strings.Replace(s, "127.0.0.1", "localhost", 1) },
		"with more in it":    func(s string) string { return s + "&authuser=0&hd=example.com" },
		"with another order": func(s string) string { u, q, _ := strings.Cut(s, "?"); return u + "?authuser=0&" + q },
	} {
		if _, err := w.flow.Finish(t.Context(), change(w.begin(oauth.ReadScopes()))); err != nil {
			t.Errorf("Finish(%s) = %v, want a grant", name, err)
		}
	}
	for _, text := range []string{"", "4/0Acode", "http://127.0.0.1:1/", "127.0.0.1/?state=x&code=y", "http://127.0.0.1:1/?code=4/x", "javascript:alert(1)?state=x", "http://[::1"} {
		_, err := w.flow.Finish(t.Context(), text)
		if !oauth.AskAgain(err) || !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Finish(%q) = %v, want ErrInvalid, to be asked again", text, err)
		}
	}
}

func TestFlowFailures(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*oauthtest.Google)
		code   oauth.Code
		kind   error
	}{
		"the owner refuses":        {func(g *oauthtest.Google) { g.Deny = true }, oauth.AccessDenied, fault.ErrDenied},
		"no refresh token":         {func(g *oauthtest.Google) { g.NoRefresh = true }, oauth.NoRefreshToken, fault.ErrDenied},
		"nothing granted":          {func(g *oauthtest.Google) { g.Scopes = []string{"openid"} }, oauth.ScopeMissing, fault.ErrDenied},
		"a wrong secret":           {func(g *oauthtest.Google) { g.ClientSecret = "other" }, oauth.InvalidClient, fault.ErrDenied},
		"down":                     {func(g *oauthtest.Google) { g.Down = 503 }, oauth.Unreachable, fault.ErrUnavailable},
		"something in between":     {func(g *oauthtest.Google) { g.Down = 403 }, oauth.Unreachable, fault.ErrUnavailable},
		"it sends us away":         {func(g *oauthtest.Google) { g.Down = 307 }, oauth.Unreachable, fault.ErrUnavailable},
		"the secret comes back":    {func(g *oauthtest.Google) { g.Down = 400 }, oauth.Unreachable, fault.ErrUnavailable},
		"too many of us all today": {func(g *oauthtest.Google) { g.Down = 429 }, oauth.Unreachable, fault.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if test.code == oauth.Unreachable || test.code == oauth.InvalidClient {
				redirected := w.begin(oauth.OwnerScopes())
				test.change(w.google)
				w.fails(redirected, test.code, test.kind)
				return
			}
			test.change(w.google)
			w.fails(w.begin(oauth.OwnerScopes()), test.code, test.kind)
		})
	}
}

// TestReasonsInTheAddress: Google says some reasons by sending the browser back.
func TestReasonsInTheAddress(t *testing.T) {
	for reason, code := range map[string]oauth.Code{
		"access_denied": oauth.AccessDenied, "admin_policy_enforced": oauth.PolicyEnforced, "org_internal": oauth.PolicyEnforced,
		"redirect_uri_mismatch": oauth.RedirectMismatch, "invalid_scope": oauth.InvalidScope, "server_error": oauth.Unreachable,
		"deleted_client": oauth.InvalidClient, "something new\x1b[31m": oauth.Refused, "": oauth.Refused,
	} {
		w := newWorld(t)
		_, state, err := w.flow.Begin(redirectTo, oauth.OwnerScopes())
		if err != nil {
			t.Fatal(err)
		}
		address := redirectTo + "?" + url.Values{"state": {state}, "error": {reason}}.Encode()
		kind := fault.ErrDenied
		if code == oauth.Unreachable {
			kind = fault.ErrUnavailable
		}
		w.fails(address, code, kind)
		if _, err := w.flow.Finish(t.Context(), address); strings.ContainsAny(fmt.Sprint(err), "\x1b\n") {
			t.Errorf("Finish with the reason %q = %q, want no control characters", reason, err)
		}
	}
}

func TestRedirectMismatch(t *testing.T) {
	w := newWorld(t)
	address := w.begin(oauth.OwnerScopes())
	w.google.Set(func(g *oauthtest.Google) { g.ForgetRedirects() })
	w.fails(address, oauth.RedirectMismatch, fault.ErrDenied)
}

func TestPartialGrant(t *testing.T) {
	w := newWorld(t)
	w.google.Scopes = []string{oauth.ScopeFreeBusy, oauth.ScopeCalendarListReadonly}
	grant, err := w.flow.Finish(t.Context(), w.begin(oauth.OwnerScopes()))
	if err != nil || !slices.Equal(grant.Missing, []string{oauth.ScopeEvents}) {
		t.Fatalf("Finish = missing %q, %v, want calendar.events missing", grant.Missing, err)
	}
	if g := grant.Granted(); g.CanWrite() || g.CanRead() || !g.CanFreeBusy() || !g.CanList() {
		t.Errorf("Granted = %+v, want only to see free and busy, and to list", g)
	}
}

func TestStateIsForOneUse(t *testing.T) {
	w := newWorld(t)
	first := w.begin(oauth.OwnerScopes())
	second := w.begin(oauth.OwnerScopes())
	stranger := newWorld(t).begin(oauth.OwnerScopes())
	w.fails(stranger, oauth.StateMismatch, fault.ErrInvalid)
	if _, err := w.flow.Finish(t.Context(), first); err != nil {
		t.Errorf("Finish(first, after a stranger's) = %v, want a grant", err)
	}
	w.fails(first, oauth.Replay, fault.ErrInvalid)
	if _, err := w.flow.Finish(t.Context(), second); err != nil {
		t.Errorf("Finish(second, after the first) = %v, want a grant", err)
	}
}

func TestStateExpires(t *testing.T) {
	w := newWorld(t)
	late, inTime := w.begin(oauth.OwnerScopes()), w.begin(oauth.OwnerScopes())
	w.now = noon.Add(10 * time.Minute)
	if _, err := w.flow.Finish(t.Context(), inTime); err != nil {
		t.Errorf("Finish after 10 minutes = %v, want a grant", err)
	}
	w.now = noon.Add(10*time.Minute + time.Second)
	w.fails(late, oauth.Expired, fault.ErrInvalid)
	if w.google.Requests() != 1 {
		t.Errorf("Google was asked %d times, want once", w.google.Requests())
	}
}

func TestOldAttemptsMakeRoom(t *testing.T) {
	w := newWorld(t)
	first := w.begin(oauth.OwnerScopes())
	var last string
	for range 32 {
		last = w.begin(oauth.OwnerScopes())
	}
	w.fails(first, oauth.StateMismatch, fault.ErrInvalid)
	if _, err := w.flow.Finish(t.Context(), last); err != nil {
		t.Errorf("Finish(last) = %v, want a grant", err)
	}
}

func TestLoopback(t *testing.T) {
	google := oauthtest.NewGoogle()
	server := httptest.NewServer(google)
	defer server.Close()
	flow := oauth.NewFlow(google.Client(server.URL), oauth.Options{Now: time.Now})
	listener := listen(t)
	address := "http://" + listener.Addr().String()
	pages := make(chan string, 1)
	grant, err := flow.Loopback(t.Context(), listener, oauth.OwnerScopes(), func(page string) error {
		go func() {
			for _, strange := range []string{"/favicon.ico", "/?state=guessed&code=4/x", "/", "/?error=access_denied&state=x"} {
				get(t, address+strange, "")
			}
			back := locationOf(t, page)
			if got := get(t, back, "evil.example"); !strings.Contains(got, "not here") {
				t.Errorf("GET under another name = %q, want to be sent off", got)
			}
			pages <- get(t, back, "")
		}()
		return nil
	})
	if err != nil || !google.Lives(grant.Token.RefreshToken) {
		t.Fatalf("Loopback = %v, want a token", err)
	}
	if page := <-pages; !strings.Contains(page, "接続しました") || !strings.Contains(page, "is connected") {
		t.Errorf("the page = %q, want it in both languages", page)
	}
	if _, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		t.Errorf("%s still listens after Loopback", address)
	}
}

func TestLoopbackRefused(t *testing.T) {
	google := oauthtest.NewGoogle()
	google.Deny = true
	server := httptest.NewServer(google)
	defer server.Close()
	flow := oauth.NewFlow(google.Client(server.URL), oauth.Options{Now: time.Now})
	pages := make(chan string, 1)
	_, err := flow.Loopback(t.Context(), listen(t), oauth.OwnerScopes(), func(address string) error {
		go func() { pages <- get(t, address, "") }()
		return nil
	})
	page := <-pages
	if !errors.Is(err, fault.ErrDenied) || !strings.Contains(page, "許可されませんでした") || !strings.Contains(page, "not allowed") {
		t.Errorf("Loopback = %v and the page %q, want ErrDenied, said in both languages", err, page)
	}
}

func TestLoopbackEnds(t *testing.T) {
	flow := oauth.NewFlow(oauth.Client{ID: "x"}, oauth.Options{Now: time.Now})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := flow.Loopback(ctx, listen(t), nil, func(string) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Loopback, interrupted = %v, want context.Canceled", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	var p *oauth.Problem
	if _, err := flow.Loopback(ctx, listen(t), nil, func(string) error { return nil }); !errors.As(err, &p) || p.Code != oauth.Expired {
		t.Errorf("Loopback past its deadline = %v, want the problem expired", err)
	}
	full := errors.New("disk full")
	if _, err := flow.Loopback(t.Context(), listen(t), nil, func(string) error { return full }); !errors.Is(err, full) {
		t.Errorf("Loopback that can't be shown = %v, want that error", err)
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// locationOf returns where a page sends the browser.
func locationOf(t *testing.T, page string) string {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page, http.NoBody)
	if err != nil {
		t.Error(err)
		return ""
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer response.Body.Close()
	return response.Header.Get("Location")
}

// get returns the page at an address, after redirects, as a host may call it.
func get(t *testing.T, address, host string) string {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Error(err)
		return ""
	}
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Errorf("GET %s = %v", address, err)
		return ""
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return string(body)
}

func FuzzFinish(f *testing.F) {
	f.Add("http://127.0.0.1:1/?state=x&code=y")
	f.Add("<http://127.0.0.1:1/?state=%zz&code=\n>")
	flow := oauth.NewFlow(oauth.Client{ID: "x"}, oauth.Options{Now: time.Now})
	f.Fuzz(func(t *testing.T, address string) {
		if _, err := flow.Finish(t.Context(), address); !oauth.AskAgain(err) {
			t.Errorf("Finish(%q) = %v, want to be asked again: no attempt is open", address, err)
		}
	})
}
