package server

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"annai/api"
	"annai/server/door"
	"annai/server/keys"
)

func TestLimiter(t *testing.T) {
	l := newLimiter[string](Rate{Count: 3, Per: time.Minute})
	at := noon
	take := func(name string, ok bool, wait time.Duration) {
		t.Helper()
		err := l.take(name, at, 1)
		var often *door.RateError
		if (err == nil) != ok || err != nil && (!errors.As(err, &often) || often.Wait != wait) {
			t.Errorf("take(%s) at %s = %v, want ok %v or a wait of %s", name, at.Sub(noon), err, ok, wait)
		}
	}
	for range 3 {
		take("a", true, 0)
	}
	take("a", false, 20*time.Second)
	take("b", true, 0) // another's bucket
	at = at.Add(15 * time.Second)
	take("a", false, 5*time.Second)
	at = at.Add(5 * time.Second)
	take("a", true, 0)
	take("a", false, 20*time.Second)
	at = at.Add(time.Hour)
	for range 3 { // no more than the bucket holds
		take("a", true, 0)
	}
	take("a", false, 20*time.Second)
	at = at.Add(-2 * time.Hour) // a clock that is set back gives nothing and takes nothing
	take("a", false, 20*time.Second)
	at = at.Add(20 * time.Second)
	take("a", true, 0)
}

// TestLimiterForgets fills the limiter with more names than it remembers.
func TestLimiterForgets(t *testing.T) {
	l := newLimiter[string](Rate{Count: 1, Per: time.Hour})
	for i := range 2 * maxRemembered {
		if err := l.take("busy", noon, 1); (err == nil) != (i == 0) {
			t.Fatalf("take %d of one that asks all the time = %v, want it remembered", i, err)
		}
		if err := l.take(strconv.Itoa(i), noon, 1); err != nil {
			t.Fatalf("take %d = %v", i, err)
		}
	}
	if len(l.buckets) != maxRemembered || l.order.Len() != maxRemembered {
		t.Errorf("%d and %d are remembered, want %d", len(l.buckets), l.order.Len(), maxRemembered)
	}
}

func TestClientOf(t *testing.T) {
	f := newFixture(t, Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}})
	for name, test := range map[string]struct {
		from      string
		forwarded []string
		want      string
	}{
		"no proxy":                        {"192.0.2.1:99", nil, "192.0.2.1"},
		"a header of a stranger":          {"192.0.2.1:99", []string{"203.0.113.5"}, "192.0.2.1"},
		"a proxy":                         {"10.1.1.1:99", []string{"203.0.113.5"}, "203.0.113.5"},
		"a proxy that adds to a lie":      {"10.1.1.1:99", []string{"127.0.0.1, 203.0.113.5"}, "203.0.113.5"},
		"two proxies":                     {"[::1]:99", []string{"203.0.113.5, 10.2.2.2"}, "203.0.113.5"},
		"two headers":                     {"10.1.1.1:99", []string{"127.0.0.1", "203.0.113.5"}, "203.0.113.5"},
		"proxies only":                    {"10.1.1.1:99", []string{"10.3.3.3, 10.2.2.2"}, "10.3.3.3"},
		"nothing forwarded":               {"10.1.1.1:99", nil, "invalid IP"},
		"no address forwarded":            {"10.1.1.1:99", []string{"127.0.0.1, unknown"}, "invalid IP"},
		"this machine as a proxy":         {"[::1]:99", []string{"garbage"}, "invalid IP"},
		"with a port":                     {"10.1.1.1:99", []string{"203.0.113.5:4711"}, "203.0.113.5"},
		"IPv6 with a port":                {"10.1.1.1:99", []string{"[2001:db8::1]:4711"}, "2001:db8::1"},
		"IPv6 in brackets":                {"10.1.1.1:99", []string{"[2001:db8::1]"}, "2001:db8::1"},
		"IPv4 as IPv6":                    {"[::ffff:10.1.1.1]:99", []string{"::ffff:203.0.113.5"}, "203.0.113.5"},
		"no address at all, as in a test": {"pipe", []string{"203.0.113.5"}, "invalid IP"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", http.NoBody)
		r.RemoteAddr = test.from
		for _, line := range test.forwarded {
			r.Header.Add("X-Forwarded-For", line)
		}
		if got, local := f.clientOf(r); got.String() != test.want || local {
			t.Errorf("%s: clientOf = %s, local %v, want %s", name, got, local, test.want)
		}
	}
}

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
	opts := Options{AddressRate: Rate{Count: 2, Per: time.Minute}, KeyRate: Rate{Count: 3, Per: time.Minute}}
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
	for i := range guesses.Count {
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

func BenchmarkAdmit(b *testing.B) {
	l := newLimits(Options{AddressRate: Rate{Count: 1e6, Per: time.Second}, KeyRate: Rate{Count: 1e6, Per: time.Second}})
	caller := door.Caller{Role: door.Visitor, Key: "kiosk-1", Network: "192.0.2.1/32"}
	b.ReportAllocs()
	for b.Loop() {
		_ = l.ask(caller, noon, 1)
	}
}
