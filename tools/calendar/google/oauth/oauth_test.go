package oauth_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/secret"
	"annai/tools/calendar/google/discovery"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
)

// TestScopesAreGoogles compares what a scope is good for with Google's own description of its interface.
func TestScopesAreGoogles(t *testing.T) {
	document, err := discovery.Calendar()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, id := range []string{"events.list", "events.insert", "freebusy.query", "calendarList.list", "settings.list", "acl.list"} {
		method, ok := document.Method("calendar." + id)
		if !ok {
			t.Fatalf("Method(%s) is not there", id)
		}
		all = append(all, method.Scopes...)
	}
	for id, can := range map[string]func(oauth.Granted) bool{
		"events.list": oauth.Granted.CanRead, "events.get": oauth.Granted.CanRead,
		"events.insert": oauth.Granted.CanWrite, "events.patch": oauth.Granted.CanWrite, "events.delete": oauth.Granted.CanWrite,
		"freebusy.query": oauth.Granted.CanFreeBusy, "calendarList.list": oauth.Granted.CanList,
	} {
		method, _ := document.Method("calendar." + id)
		for _, scope := range all {
			want := slices.Contains(method.Scopes, scope)
			if strings.HasSuffix(scope, "/calendar.events.freebusy") && strings.HasPrefix(id, "events.") {
				want = false // it lists events without what they are
			}
			if got := can(oauth.Granted{Scopes: []string{scope}}); got != want {
				t.Errorf("%s with %s = %t, want %t", id, scope, got, want)
			}
		}
	}
}

func TestGrantedScopes(t *testing.T) {
	all := "https://www.googleapis.com/auth/calendar"
	for _, test := range []struct {
		granted                    []string
		read, write, freeBusy, see bool
		missing                    int // of an owner's
	}{
		{nil, true, true, true, true, 0},
		{[]string{"openid"}, false, false, false, false, 3},
		{oauth.OwnerScopes(), true, true, true, true, 0},
		{oauth.ReadScopes(), true, false, true, true, 1},
		{[]string{all}, true, true, true, true, 0},
		{[]string{all + ".readonly"}, true, false, true, true, 1},
		{[]string{"http://evil.example/auth/calendar"}, false, false, false, false, 3},
	} {
		g := oauth.Granted{Scopes: test.granted}
		got := []bool{g.CanRead(), g.CanWrite(), g.CanFreeBusy(), g.CanList()}
		if want := []bool{test.read, test.write, test.freeBusy, test.see}; !slices.Equal(got, want) {
			t.Errorf("Granted(%q): read, write, free/busy, list = %t, want %t", test.granted, got, want)
		}
		if missing := g.Missing(oauth.OwnerScopes()); len(missing) != test.missing {
			t.Errorf("Granted(%q).Missing(owner's) = %q, want %d", test.granted, missing, test.missing)
		}
	}
}

func TestRevoke(t *testing.T) {
	google := oauthtest.NewGoogle()
	server := httptest.NewServer(google)
	defer server.Close()
	client := google.Client(server.URL)
	token := oauth.Token{RefreshToken: google.Issue(oauth.OwnerScopes()...)}
	for _, when := range []string{"once", "twice"} { // the second time it is revoked already
		if err := oauth.Revoke(t.Context(), client, token, nil); err != nil || google.Lives(token.RefreshToken) {
			t.Errorf("Revoke %s = %v, it lives: %t", when, err, google.Lives(token.RefreshToken))
		}
	}
	for _, status := range []int{500, 503, 400, 403, 302} {
		google.Down = status
		err := oauth.Revoke(t.Context(), client, token, nil)
		if !errors.Is(err, fault.ErrUnavailable) || strings.Contains(fmt.Sprintf("%v %#v", err, err), string(token.RefreshToken)) {
			t.Errorf("Revoke with status %d = %v, want ErrUnavailable without the token", status, err)
		}
	}
	server.Close()
	if err := oauth.Revoke(t.Context(), client, token, nil); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Revoke of nobody = %v, want ErrUnavailable", err)
	}
	client.TokenURL = "http://[::1"
	if err := oauth.Revoke(t.Context(), client, token, nil); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Revoke at no address = %v, want ErrInvalid", err)
	}
}

// TestNoSecretIsSent to another address than Google's: not even where that says so.
func TestNoSecretGoesElsewhere(t *testing.T) {
	var reached bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer elsewhere.Close()
	google := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer google.Close()
	client := oauthtest.NewGoogle().Client(google.URL)
	store := new(oauthtest.MemStore)
	if _, err := store.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//x"}, ""); err != nil {
		t.Fatal(err)
	}
	source := oauth.NewSource(store, "default", client, oauth.SourceOptions{Now: time.Now})
	defer source.Close()
	if _, err := source.Access(t.Context()); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Access with a redirect = %v, want ErrUnavailable", err)
	}
	if err := oauth.Revoke(t.Context(), client, oauth.Token{RefreshToken: "1//x"}, nil); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Revoke with a redirect = %v, want ErrUnavailable", err)
	}
	if reached {
		t.Errorf("a redirect was followed, with what was in the request")
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	const hidden = "hunter2hunter2"
	var out strings.Builder
	token := oauth.Token{RefreshToken: hidden, ClientID: "c"}
	values := []any{token, &token, oauth.Client{ID: "c", Secret: hidden}, oauth.Grant{Token: token}, oauth.Access{Token: hidden}, secret.Text(hidden), oauth.EnvStore{RefreshToken: hidden}}
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
		for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(handler).Info("value", "it", v)
		}
		if err := json.NewEncoder(&out).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{hidden, fmt.Sprintf("%x", hidden)} {
		if strings.Contains(out.String(), text) {
			t.Errorf("%q is shown in:\n%s", text, &out)
		}
	}
}

// TestEveryProblemHasWords in both languages, and a kind.
func TestEveryProblemHasWords(t *testing.T) {
	for _, code := range []oauth.Code{
		oauth.AccessDenied, oauth.InvalidGrant, oauth.InvalidClient, oauth.RedirectMismatch, oauth.PolicyEnforced, oauth.InvalidScope, oauth.Refused,
		oauth.InvalidCode, oauth.NoRefreshToken, oauth.ScopeMissing, oauth.NotConnected, oauth.OtherClient, oauth.Unreadable,
		oauth.NotAnAddress, oauth.StateMismatch, oauth.Replay, oauth.Expired, oauth.Unreachable,
	} {
		p := &oauth.Problem{Code: code, Detail: "detail"}
		ja, en := p.Words("ja"), p.Words("en")
		if !strings.HasSuffix(ja, "。") || !strings.HasSuffix(en, ".") || !strings.Contains(p.Error(), en) || !strings.Contains(p.Error(), "detail") {
			t.Errorf("%s = %q, %q, %q, want sentences in both languages", code, ja, en, p)
		}
		if !errors.Is(p, fault.ErrDenied) && !errors.Is(p, fault.ErrInvalid) && !errors.Is(p, fault.ErrUnavailable) {
			t.Errorf("%s has no kind", code)
		}
	}
}
