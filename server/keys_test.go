package server

import (
	"net/http"
	"testing"

	"annai/api"
)

func TestOwnerKey(t *testing.T) {
	const key = "a-key-that-nobody-guesses"
	for name, c := range map[string]struct {
		key, header string
		status      int
		owner       bool
	}{
		"no key":         {key, "", http.StatusOK, false},
		"the key":        {key, "Bearer " + key, http.StatusOK, true},
		"another case":   {key, "bearer " + key, http.StatusOK, true},
		"another key":    {key, "Bearer " + key + "x", http.StatusUnauthorized, false},
		"an empty key":   {key, "Bearer ", http.StatusUnauthorized, false},
		"another scheme": {key, "Basic " + key, http.StatusUnauthorized, false},
		"no owner":       {"", "Bearer " + key, http.StatusUnauthorized, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, Options{OwnerKey: c.key})
			w := f.do(t, "POST", "/query", goodBody, authorization(c.header)...)
			if w.Code != c.status {
				t.Fatalf("POST /query with %q = %d, want %d; body %s", c.header, w.Code, c.status, w.Body)
			}
			if c.status != http.StatusOK {
				checkEnvelope(t, w, http.StatusUnauthorized, api.CodeUnauthorized)
				if w.Header().Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("WWW-Authenticate = %q, want Bearer", w.Header().Get("WWW-Authenticate"))
				}
				return
			}
			if got := f.concierge.last(t).Owner; got != c.owner {
				t.Errorf("turn's Owner = %v, want %v", got, c.owner)
			}
		})
	}
}

func authorization(header string) []string {
	if header == "" {
		return nil
	}
	return []string{"Authorization", header}
}
