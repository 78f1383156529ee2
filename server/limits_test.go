package server

import (
	"net/http"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"annai/api"
	"annai/server/door"
	"annai/server/keys"
)

// TestThisMachine: whoever comes through a proxy on this machine is not on it, even if nobody said
// that there is one.
func TestThisMachine(t *testing.T) {
	f := newFixture(t, Options{KeyElsewhere: true})
	if w := f.do(t, "GET", "/metrics", ""); w.Code != http.StatusOK {
		t.Errorf("GET /metrics on this machine = %d, want 200", w.Code)
	}
	for _, header := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-Ip", "X-Forwarded-Proto"} {
		for _, value := range []string{"203.0.113.5", "127.0.0.1", "garbage", ""} {
			if w := f.do(t, "GET", "/metrics", "", header, value); w.Code != http.StatusUnauthorized {
				t.Errorf("GET /metrics with %s: %q = %d, want 401", header, value, w.Code)
			}
		}
	}
	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	f = newFixture(t, Options{KeyElsewhere: true, TrustedProxies: proxies})
	for _, forwarded := range []string{"", "garbage", "127.0.0.1", "203.0.113.5, 127.0.0.1"} {
		if w := f.do(t, "GET", "/metrics", "", "X-Forwarded-For", forwarded); w.Code != http.StatusUnauthorized {
			t.Errorf("GET /metrics by a trusted proxy for %q = %d, want 401", forwarded, w.Code)
		}
	}
	if w := f.do(t, "GET", "/metrics", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("GET /metrics by a trusted proxy that says nothing = %d, want 401", w.Code)
	}
}

// TestRates checks who is bounded, and by what.
func TestRates(t *testing.T) {
	opts := Options{AddressRate: door.Rate{Count: 2, Per: time.Minute}, KeyRate: door.Rate{Count: 3, Per: time.Minute}}
	const here, there, elsewhere = "127.0.0.1:1", "192.0.2.1:1", "[2001:db8::1]:1"
	all := keys.Settings{Ask: askKey, Owner: ownerKey, Admin: adminKey}
	for name, test := range map[string]struct {
		keys keys.Settings
		asks []string // from where, and with which key
		want []int
	}{
		"this machine":             {keys.Settings{}, []string{here, "", here, "", here, "", here, ""}, []int{200, 200, 200, 200}},
		"an address":               {keys.Settings{}, []string{there, "", there, "", there, "", elsewhere, ""}, []int{200, 200, 429, 200}},
		"a network of IPv6":        {keys.Settings{}, []string{elsewhere, "", "[2001:db8::2]:1", "", "[2001:db8::3]:1", "", "[2001:db8:0:1::1]:1", ""}, []int{200, 200, 429, 200}},
		"a key at one address":     {all, []string{here, askKey, here, askKey, here, askKey}, []int{200, 200, 429}},
		"a key at many addresses":  {all, []string{here, askKey, there, askKey, elsewhere, askKey, "192.0.2.2:1", askKey}, []int{200, 200, 200, 429}},
		"an owner and an operator": {all, []string{there, ownerKey, there, ownerKey, there, ownerKey, there, adminKey}, []int{200, 200, 200, 200}},
	} {
		f := setup{options: opts, keys: test.keys, doors: []door.Door{fakeDoor()}}.fixture(t)
		for i, want := range test.want {
			headers := []string{"from", test.asks[2*i], "Accept-Language", "en"}
			if key := test.asks[2*i+1]; key != "" {
				headers = append(headers, "Authorization", "Bearer "+key)
			}
			w := f.do(t, "POST", "/query", goodBody, headers...)
			if w.Code != want {
				t.Errorf("%s: request %d = %d, want %d", name, i+1, w.Code, want)
			}
			if want == http.StatusTooManyRequests {
				e := checkEnvelope(t, w, want, api.CodeRateLimited)
				if seconds, err := strconv.Atoi(w.Header().Get("Retry-After")); err != nil || seconds < 1 || seconds > 30 || e.Language != "en" {
					t.Errorf("%s: Retry-After = %q in %s, want 1 to 30 seconds in en", name, w.Header().Get("Retry-After"), e.Language)
				}
				if w := f.do(t, "GET", "/fake/hello", "", headers...); w.Code != want || w.Body.String() != "fake rate_limited en" {
					t.Errorf("%s: at another door = %d %q, want it to say so in its words", name, w.Code, w.Body)
				}
				if w := f.do(t, "GET", "/healthz", "", headers...); w.Code != http.StatusOK {
					t.Errorf("%s: GET /healthz = %d, want 200: it is for anyone", name, w.Code)
				}
			}
		}
	}
}

// TestGuesses tries wrong keys until that is enough; a right one is let in all the same.
func TestGuesses(t *testing.T) {
	f := setup{keys: keys.Settings{Ask: askKey, Owner: ownerKey}}.fixture(t)
	f.parts.SignIn = fakeSignIn{}
	for i := range guesses {
		if w := f.do(t, "POST", "/query", goodBody, "X-Api-Key", "guess-"+strconv.Itoa(i)); w.Code != http.StatusUnauthorized {
			t.Fatalf("guess %d = %d, want 401", i, w.Code)
		}
	}
	if w := f.do(t, "POST", "/query", goodBody, "X-Api-Key", "one more"); w.Code != http.StatusTooManyRequests {
		t.Errorf("one more guess = %d, want 429", w.Code)
	}
	if w := f.do(t, "POST", "/auth/google/start", "key=guess", "Content-Type", "application/x-www-form-urlencoded"); w.Code != http.StatusTooManyRequests {
		t.Errorf("a guess in the form = %d, want 429", w.Code)
	}
	if w := f.do(t, "POST", "/query", goodBody, "X-Api-Key", "one more", "from", "192.0.2.1:1"); w.Code != http.StatusUnauthorized {
		t.Errorf("a guess from another address = %d, want 401", w.Code)
	}
	if w := f.do(t, "POST", "/query", goodBody, "X-Api-Key", askKey); w.Code != http.StatusOK {
		t.Errorf("the right key after that = %d, want 200", w.Code)
	}
}
