package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/fault"
	"annai/server/door"
	"annai/server/keys"
)

// example returns a path that the route answers.
func example(r door.Route) string {
	return strings.NewReplacer(":id", "some-id", ":name", "some-tool", "*path", "akari.svg").Replace(r.Path)
}

// TestRoutesByRole walks the table: who may ask for what, from where.
func TestRoutesByRole(t *testing.T) {
	const friend, stranger = "https://kiosk.example", "https://evil.example"
	options := Options{AllowedOrigins: []string{friend + "/"}}
	f := setup{options: options, keys: keys.Settings{Owner: ownerKey}}.fixture(t)
	for _, r := range all(f) {
		for _, test := range []struct {
			origin  string
			allowed bool
			cors    string
		}{
			{"", true, ""},
			{"http://localhost:8080", true, ""},
			{"https://localhost:8080", true, ""},
			{friend, r.Role != door.Operator, friend},
			{stranger, r.Role == door.Anyone, ""},
			{"null", r.Role == door.Anyone, ""},
			{"http://localhost:9999", r.Role == door.Anyone, ""},
		} {
			body := ""
			if r.Path == "/query" {
				body = goodBody
			}
			headers := []string{}
			if test.origin != "" {
				headers = []string{"Origin", test.origin}
			}
			if r.Role == door.Owner {
				headers = append(headers, "Authorization", "Bearer "+ownerKey)
			}
			w := f.do(t, r.Method, example(r), body, headers...)
			if allowed := w.Code != http.StatusForbidden; allowed != test.allowed {
				t.Errorf("%s %s for %s from origin %q: status = %d, want allowed %v", r.Method, r.Path, r.Role, test.origin, w.Code, test.allowed)
			}
			if got := w.Header().Get("Access-Control-Allow-Origin"); got != test.cors {
				t.Errorf("%s %s from origin %q: Access-Control-Allow-Origin = %q, want %q", r.Method, r.Path, test.origin, got, test.cors)
			}
			if !test.allowed {
				checkEnvelope(t, w, http.StatusForbidden, api.CodeDenied)
			}
		}
	}
}

// TestRoutesByMethod walks the table: HEAD and OPTIONS answer, other methods are refused with what is allowed.
func TestRoutesByMethod(t *testing.T) {
	f := newFixture(t, Options{})
	for _, r := range all(f) {
		want := r.Method
		if r.Method == http.MethodGet {
			want = "GET, HEAD"
			get, head := f.do(t, "GET", example(r), ""), f.do(t, "HEAD", example(r), "")
			if get.Code != head.Code || get.Header().Get("Content-Type") != head.Header().Get("Content-Type") {
				t.Errorf("HEAD %s = %d %v, want what GET has: %d %v", r.Path, head.Code, head.Header(), get.Code, get.Header())
			}
		}
		w := f.do(t, "OPTIONS", example(r), "")
		if got := w.Header().Get("Allow"); w.Code != http.StatusNoContent || got != want+", OPTIONS" {
			t.Errorf("OPTIONS %s = %d, Allow %q, want 204 and %q", r.Path, w.Code, got, want+", OPTIONS")
		}
		w = f.do(t, "PATCH", example(r), "")
		checkEnvelope(t, w, http.StatusMethodNotAllowed, api.CodeMethodNotAllowed)
		if got := w.Header().Get("Allow"); got != want+", OPTIONS" {
			t.Errorf("PATCH %s: Allow = %q, want %q", r.Path, got, want+", OPTIONS")
		}
	}
	for _, path := range []string{"/nothing", "/query/", "/kiosk/nothing.js", "/sessions/", "/kioskx", "//", "/../etc/passwd"} {
		checkEnvelope(t, f.do(t, "GET", path, ""), http.StatusNotFound, api.CodeNotFound)
	}
	checkEnvelope(t, f.do(t, "GET", "/query", ""), http.StatusMethodNotAllowed, api.CodeMethodNotAllowed)
}

// TestRoutesAreInDocument compares the table, roles too, with the OpenAPI document.
func TestRoutesAreInDocument(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]struct {
			Role string `json:"x-role"`
		} `json:"paths"`
	}
	if err := json.Unmarshal([]byte(api.Document()), &doc); err != nil {
		t.Fatal(err)
	}
	var documented, served []string
	for path, methods := range doc.Paths {
		for method, operation := range methods {
			documented = append(documented, strings.ToUpper(method)+" "+path+" "+operation.Role)
		}
	}
	for _, r := range all(newFixture(t, Options{})) {
		role := string(r.Role)
		if r.Role == door.Anyone {
			role = ""
		}
		served = append(served, r.Method+" "+strings.NewReplacer(":id", "{id}", ":name", "{name}", "*path", "{path}").Replace(r.Path)+" "+role)
	}
	slices.Sort(documented)
	slices.Sort(served)
	if diff := cmp.Diff(documented, served); diff != "" {
		t.Errorf("routes (-document +server):\n%s", diff)
	}
}

func TestHosts(t *testing.T) {
	f := newFixture(t, Options{Hosts: []string{"Annai.Example"}})
	for host, allowed := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST.:1": true, "kiosk.localhost": true, "127.0.0.1:8080": true, "127.8.9.1": true,
		"[::1]:8080": true, "[::ffff:127.0.0.1]": true, "annai.example:443": true, "": true,
		"evil.example": false, "localhost.evil.example": false, "notlocalhost": false, "10.0.0.1": false, "[::2]:80": false, "0.0.0.0": false,
		"annai.example.evil": false, "localhost@evil.example": false,
	} {
		w := f.do(t, "POST", "/query", goodBody, "Host", host)
		if got := w.Code == http.StatusOK; got != allowed {
			t.Errorf("Host %q: status = %d, want allowed %v", host, w.Code, allowed)
		}
		if !allowed {
			checkEnvelope(t, w, http.StatusForbidden, api.CodeDenied)
		}
	}
	if w := newFixture(t, Options{Hosts: []string{"*"}}).do(t, "GET", "/healthz", "", "Host", "any.example"); w.Code != http.StatusOK {
		t.Errorf("with hosts *: status = %d, want 200", w.Code)
	}
}

func TestPreflight(t *testing.T) {
	f := newFixture(t, Options{AllowedOrigins: []string{"https://kiosk.example"}})
	ask := func(origin, method, path string) *httptest.ResponseRecorder {
		return f.do(t, "OPTIONS", path, "", "Origin", origin, "Access-Control-Request-Method", method,
			"Access-Control-Request-Headers", "content-type,x-title", "Access-Control-Request-Private-Network", "true")
	}
	w := ask("https://kiosk.example", "POST", "/query")
	want := map[string]string{
		"Access-Control-Allow-Origin": "https://kiosk.example", "Access-Control-Allow-Methods": "POST, OPTIONS",
		"Access-Control-Allow-Headers": "content-type,x-title", "Access-Control-Allow-Private-Network": "true",
		"Access-Control-Max-Age": preflightAge, "Vary": "Origin",
	}
	for name, value := range want {
		if got := w.Header().Get(name); got != value {
			t.Errorf("pre-flight: %s = %q, want %q", name, got, value)
		}
	}
	if w.Code != http.StatusNoContent {
		t.Errorf("pre-flight: status = %d, want 204", w.Code)
	}
	w = ask("https://evil.example", "POST", "/query")
	checkEnvelope(t, w, http.StatusForbidden, api.CodeDenied)
	for name := range w.Header() {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("pre-flight of a stranger: header %s: %q, want none", name, w.Header().Get(name))
		}
	}
	checkEnvelope(t, ask("https://kiosk.example", "POST", "/nothing"), http.StatusNotFound, api.CodeNotFound)
}

func TestSafeHeaders(t *testing.T) {
	f := newFixture(t, Options{})
	for _, r := range all(f) {
		w := f.do(t, r.Method, example(r), "")
		for _, name := range []string{"X-Content-Type-Options", "Referrer-Policy", "Content-Security-Policy", "Cache-Control", "X-Request-Id"} {
			if w.Header().Get(name) == "" {
				t.Errorf("%s %s has no %s", r.Method, r.Path, name)
			}
		}
	}
}

// TestRoutesAreExplained checks that docs/http.md has every route.
func TestRoutesAreExplained(t *testing.T) {
	text, err := os.ReadFile("../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all(newFixture(t, Options{})) {
		heading := "\n### " + r.Method + " " + strings.NewReplacer(":id", "{id}", ":name", "{name}", "*path", "{path}").Replace(r.Path) + "\n"
		if !strings.Contains(string(text), heading) {
			t.Errorf("docs/http.md has no heading %q", strings.TrimSpace(heading))
		}
	}
	for _, err := range []error{
		errors.New("anything else"), context.DeadlineExceeded, door.ErrCancelled, door.ErrOverloaded, door.ErrNoRoute, door.ErrMethod, door.ErrKey, door.ErrMediaType, door.ErrTooLarge,
		door.ErrTooSlow, fault.ErrInvalid, fault.ErrDenied, fault.ErrConflict, fault.ErrUnavailable,
	} {
		if f := door.Explain(err, ""); !strings.Contains(string(text), "`"+f.Code+"`") {
			t.Errorf("docs/http.md does not explain the code %s", f.Code)
		}
	}
}

// all are the routes of our own door, and those that every server has.
func all(f *fixture) []door.Route { return append(f.routes(), f.http.Common()...) }
