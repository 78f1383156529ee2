package recipes_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"annai/server/door/doortest"
	"annai/server/recipes"
)

func get(t *testing.T, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	doortest.Handler(recipes.Door(), doortest.ByKey, doortest.Free).ServeHTTP(w, r)
	return w
}

func TestPage(t *testing.T) {
	for path, want := range map[string]string{
		"/connect": "Connect a front end", "/connect/page.js": "attempt", "/connect/page.css": "main",
		"/connect/clients": `"id":"tonari"`,
	} {
		w := get(t, http.MethodGet, path, "")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("GET %s = %d %.100s, want %s", path, w.Code, w.Body, want)
		}
		if strings.Contains(w.Body.String(), "style=") || strings.Contains(w.Body.String(), "onclick=") {
			t.Errorf("GET %s has what the page's rules forbid", path)
		}
	}
}

// TestHeard reads what came back with the ears of the front end that is named.
func TestHeard(t *testing.T) {
	const stream = `data: {"choices":[{"delta":{"content":"[happy]はい。\n"}}]}` + "\n\ndata: [DONE]\n\n"
	for client, want := range map[string]string{
		"aituberkit": `"spoken":[{"face":"happy","text":"はい。"}]`, "chatvrm": `"face":"happy"`,
		"open-webui": `"shown":"[happy]はい。\n"`,
		"ai-sdk":     `"problem":"`, "navigator": `"problem":"`, "tonari": `"spoken":[]`,
	} {
		w := get(t, http.MethodPost, "/connect/heard?client="+client, stream)
		if !json.Valid(w.Body.Bytes()) || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s hears %s, want %s", client, w.Body, want)
		}
	}
	if w := get(t, http.MethodPost, "/connect/heard?client=nobody", stream); w.Code != http.StatusNotFound {
		t.Errorf("nobody hears %d %s, want 404", w.Code, w.Body)
	}
}
