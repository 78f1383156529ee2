package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/server/door"
	"annai/server/keys"
)

// TestCrossSite tries what a page of another site can have a browser do to a server on the same machine that needs no key: nothing of it may come in.
func TestCrossSite(t *testing.T) {
	const friend = "https://kiosk.example"
	f := setup{options: Options{AllowedOrigins: []string{friend}}, doors: []door.Door{rolesDoor()}}.fixture(t)
	for name, attack := range map[string]struct {
		headers []string
		body    string
	}{
		"a form":                           {[]string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site", "Content-Type", "text/plain"}, goodBody},
		"a form of an older browser":       {[]string{"Origin", "https://evil.example", "Content-Type", "text/plain"}, goodBody},
		"a form in a sandbox":              {[]string{"Origin", "null", "Content-Type", "application/x-www-form-urlencoded"}, "query=a"},
		"a script that can't read":         {[]string{"Origin", "https://evil.example", "Sec-Fetch-Mode", "no-cors", "Content-Type", "text/plain;charset=UTF-8"}, goodBody},
		"a beacon":                         {[]string{"Origin", "https://evil.example", "Sec-Fetch-Dest", "empty", "Content-Type", "application/json"}, goodBody},
		"an image":                         {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, ""},
		"an image of another local server": {[]string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, ""},
		"a link":                           {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, ""},
		"a page of another local server":   {[]string{"Origin", "http://localhost:3000", "Sec-Fetch-Site", "same-site"}, goodBody},
		"a socket":                         {[]string{"Origin", "https://evil.example", "Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13"}, ""},
		"a name that is pointed here":      {[]string{"Host", "evil.example:8080", "Origin", "http://evil.example:8080", "Sec-Fetch-Site", "same-origin"}, goodBody},
		"a name that looks like ours":      {[]string{"Host", "localhost.evil.example", "Sec-Fetch-Site", "same-origin"}, ""},
	} {
		for _, r := range append(f.routes(), f.parts.Doors[0].Routes...) {
			if r.Role == door.Anyone && !strings.Contains(name, "a name") {
				continue
			}
			w := f.do(t, r.Method, example(r), attack.body, attack.headers...)
			if w.Code != http.StatusForbidden && r.Role != door.Owner { // who has no key can't be an owner anyway
				t.Errorf("%s: %s %s = %d, want 403", name, r.Method, r.Path, w.Code)
			}
			if allowed := w.Header().Get("Access-Control-Allow-Origin"); allowed != "" {
				t.Errorf("%s: %s %s lets %q read the answer", name, r.Method, r.Path, allowed)
			}
		}
	}
	if len(f.concierge.turns) > 0 {
		t.Errorf("%d turns were asked", len(f.concierge.turns))
	}
	for name, headers := range map[string][]string{
		"an allowed page":       {"Origin", friend, "Sec-Fetch-Site", "cross-site"},
		"our own page":          {"Origin", "http://localhost:8080", "Sec-Fetch-Site", "same-origin"},
		"our own page, reading": {"Sec-Fetch-Site", "same-origin"},
		"somebody who types":    {"Sec-Fetch-Site", "none"},
		"no browser":            nil,
	} {
		if w := f.do(t, "GET", "/events", "", headers...); w.Code != http.StatusOK {
			t.Errorf("%s: GET /events = %d, want 200", name, w.Code)
		}
	}
}

// TestAllowedPageOperates checks that a page of an allowed origin needs a key for what operators do, even where nobody else does.
func TestAllowedPageOperates(t *testing.T) {
	const friend = "https://console.example"
	options := Options{AllowedOrigins: []string{friend, "http://localhost:3000"}}
	open := newFixture(t, options)
	if w := open.do(t, "GET", "/metrics", "", "Origin", "http://localhost:3000"); w.Code != http.StatusOK {
		t.Errorf("GET /metrics by an allowed page of this machine = %d, want 200", w.Code)
	}
	checkEnvelope(t, open.do(t, "GET", "/metrics", "", "Origin", friend), http.StatusForbidden, api.CodeDenied)
	f := setup{options: options, keys: keys.Settings{Ask: askKey, Admin: adminKey}}.fixture(t)
	checkEnvelope(t, f.do(t, "GET", "/metrics", "", "Origin", friend, "X-Api-Key", askKey), http.StatusForbidden, api.CodeDenied)
	w := f.do(t, "GET", "/metrics", "", "Origin", friend, "X-Api-Key", adminKey)
	if got := w.Header().Get("Access-Control-Allow-Origin"); w.Code != http.StatusOK || got != friend {
		t.Errorf("GET /metrics by an allowed page with the admin's key = %d for %q, want 200 for %q", w.Code, got, friend)
	}
}

// TestCORSOfClients checks what clients that run in browsers send and need to read.
func TestCORSOfClients(t *testing.T) {
	const page = "http://localhost:3000"
	f := setup{options: Options{AllowedOrigins: []string{page}}, doors: []door.Door{fakeDoor(door.Route{
		Method: "POST", Path: "/fake/chat", Role: door.Visitor, Handle: func(c *gin.Context) error {
			c.Header("Content-Location", "/threads/1/runs/2")
			c.String(http.StatusOK, "ok")
			return nil
		},
	})}}.fixture(t)
	ask := func(headers ...string) *httptest.ResponseRecorder {
		return f.do(t, "OPTIONS", "/fake/chat", "", append([]string{"Origin", page, "Access-Control-Request-Method", "POST"}, headers...)...)
	}
	for name, headers := range map[string]string{
		"Amica": "authorization,content-type,http-referer,x-title", "LangGraph": "content-type,x-api-key,last-event-id", "MCP": "content-type,mcp-protocol-version,mcp-session-id",
	} {
		w := ask("Access-Control-Request-Headers", headers)
		if got := w.Header().Get("Access-Control-Allow-Headers"); w.Code != http.StatusNoContent || got != headers {
			t.Errorf("%s's pre-flight = %d, allows %q, want 204 and %q", name, w.Code, got, headers)
		}
	}
	w := f.do(t, "POST", "/fake/chat", "{}", "Origin", page)
	readable := strings.ToLower(w.Header().Get("Access-Control-Expose-Headers"))
	for _, header := range []string{"content-location", "location", "x-pagination-total", "x-pagination-next", "mcp-session-id", "retry-after", "x-request-id"} {
		if !strings.Contains(readable+",", header+",") {
			t.Errorf("%s can't be read by pages: %s", header, readable)
		}
	}
	if got := w.Header().Get("Access-Control-Allow-Credentials"); got != "" {
		t.Errorf("Access-Control-Allow-Credentials = %q, want none: there are no cookies to send", got)
	}
	if got := f.do(t, "GET", "/fake/nothing", "", "Origin", page).Header().Get("Access-Control-Allow-Origin"); got != page {
		t.Errorf("a path at which there is nothing: allows %q, want %q, so that the page can tell", got, page)
	}
	refused := f.do(t, "POST", "/fake/chat", strings.Repeat("a", 1<<20), "Origin", page)
	if got := refused.Header().Get("Access-Control-Allow-Origin"); refused.Code != http.StatusRequestEntityTooLarge || got != page {
		t.Errorf("a body that is too large = %d for %q, want 413 that the page can read", refused.Code, got)
	}
}

// TestLocalOrigins lets pages of this machine ask, where clients are to be tried out, and nobody else's.
func TestLocalOrigins(t *testing.T) {
	f := newFixture(t, Options{LocalOrigins: true})
	for origin, want := range map[string]int{
		"http://localhost:5173": http.StatusOK, "http://127.0.0.1:3000": http.StatusOK, "http://[::1]:3000": http.StatusOK,
		"https://evil.example": http.StatusForbidden, "http://localhost.evil.example": http.StatusForbidden, "null": http.StatusForbidden, "file://localhost": http.StatusForbidden,
	} {
		w := f.do(t, "GET", "/events", "", "Origin", origin)
		if read := w.Header().Get("Access-Control-Allow-Origin"); w.Code != want || (read == origin) != (want == http.StatusOK) {
			t.Errorf("GET /events from %s = %d, which %q may read, want %d", origin, w.Code, read, want)
		}
	}
}
