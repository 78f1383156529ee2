package httpd

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"annai/server/door"
)

var noon = time.Date(2026, 9, 14, 12, 0, 0, 0, time.UTC)

func wallClock() time.Time { return time.Now() }

func TestLimiter(t *testing.T) {
	l := NewLimiter[string](door.Rate{Count: 3, Per: time.Minute})
	at := noon
	take := func(name string, ok bool, wait time.Duration) {
		t.Helper()
		err := l.Take(name, at, 1)
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
	l := NewLimiter[string](door.Rate{Count: 1, Per: time.Hour})
	for i := range 2 * maxRemembered {
		if err := l.Take("busy", noon, 1); (err == nil) != (i == 0) {
			t.Fatalf("take %d of one that asks all the time = %v, want it remembered", i, err)
		}
		if err := l.Take(strconv.Itoa(i), noon, 1); err != nil {
			t.Fatalf("take %d = %v", i, err)
		}
	}
	if len(l.buckets) != maxRemembered || l.order.Len() != maxRemembered {
		t.Errorf("%d and %d are remembered, want %d", len(l.buckets), l.order.Len(), maxRemembered)
	}
}

func TestClientOf(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	f := New(Parts{Doors: []door.Door{{Name: "none"}}, Now: wallClock}, Options{TrustedProxies: proxies})
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

func BenchmarkAdmit(b *testing.B) {
	rate := door.Rate{Count: 1e6, Per: time.Second}
	l := newLimits(Options{AddressRate: rate, KeyRate: rate})
	caller := door.Caller{Role: door.Visitor, Key: "kiosk-1", Network: "192.0.2.1/32"}
	b.ReportAllocs()
	for b.Loop() {
		_ = l.ask(caller, noon, 1)
	}
}
