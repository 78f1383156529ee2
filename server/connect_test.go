package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"annai/server/keys"
)

// fakeSignIn is a service that agrees to everything but what comes back with an error.
type fakeSignIn struct{ fails bool }

func (f fakeSignIn) Begin(w http.ResponseWriter) (string, error) {
	if f.fails {
		return "", errors.New("no client is set")
	}
	http.SetCookie(w, &http.Cookie{Name: "attempt", Value: "1"})
	return "https://service.example/agree?state=1", nil
}

func (fakeSignIn) Callback(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if problem := r.URL.Query().Get("error"); problem != "" {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = fmt.Fprint(w, "<p>done</p>")
}

func TestConnect(t *testing.T) {
	f := setup{options: Options{AllowedOrigins: []string{"https://kiosk.example"}}, keys: keys.Settings{Owner: ownerKey}}.fixture(t)
	if w := f.do(t, "GET", "/auth/google", ""); w.Code != http.StatusNotFound {
		t.Errorf("GET /auth/google without a service = %d, want 404", w.Code)
	}
	f.parts.SignIn = fakeSignIn{}
	page := f.do(t, "GET", "/auth/google", "")
	if page.Code != http.StatusOK || !strings.Contains(page.Body.String(), `type="password" name="key"`) {
		t.Errorf("GET /auth/google = %d %s, want a form that asks for the key", page.Code, page.Body)
	}
	form := func(key string, headers ...string) (int, string) {
		w := f.do(t, "POST", "/auth/google/start", url.Values{"key": {key}}.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
		return w.Code, w.Header().Get("Location")
	}
	if code, location := form(ownerKey); code != http.StatusSeeOther || location != "https://service.example/agree?state=1" {
		t.Errorf("POST /auth/google/start with the key = %d to %q, want 303 to the service", code, location)
	}
	if code, location := form(ownerKey, "Origin", "https://kiosk.example"); code != http.StatusForbidden || location != "" {
		t.Errorf("POST /auth/google/start from another origin = %d to %q, want 403", code, location)
	}
	if code, _ := form(strings.Repeat("k", 2*maxForm)); code != http.StatusRequestEntityTooLarge {
		t.Errorf("POST /auth/google/start with a huge key = %d, want 413", code)
	}
	for _, key := range []string{"", ownerKey + "x"} {
		if code, location := form(key); code != http.StatusUnauthorized || location != "" {
			t.Errorf("POST /auth/google/start with key %.30q = %d to %q, want 401", key, code, location)
		}
	}
	f.parts.SignIn = fakeSignIn{fails: true}
	if code, _ := form(ownerKey); code != http.StatusInternalServerError {
		t.Errorf("POST /auth/google/start without a client = %d, want 500", code)
	}
}
