package outbound_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"annai/fault"
	"annai/internal/outbound"
	"annai/internal/outbound/outboundtest"
)

func newClient(t *testing.T, opts outbound.Options) *outbound.Client {
	t.Helper()
	c, err := outbound.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// here lets a client reach the servers of a test.
var here = outbound.Options{OwnPort: true, Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

func send(t *testing.T, c *outbound.Client, method, address string, take outbound.Limits) (outbound.Response, error) {
	t.Helper()
	u, err := outbound.Parse(address)
	if err != nil {
		return outbound.Response{}, err
	}
	req, err := http.NewRequestWithContext(t.Context(), method, u.String(), strings.NewReader("body"))
	if err != nil {
		return outbound.Response{}, errors.Join(err, fault.ErrInvalid)
	}
	req.Header.Set("X-Api-Key", "secret")
	return c.Send(req, take)
}

var all = outbound.Limits{Bytes: 1 << 10}

func TestForbiddenAddresses(t *testing.T) {
	outboundtest.Run(t, func(t *testing.T, c *outbound.Client, address string) error {
		res, err := send(t, c, http.MethodGet, address, all)
		if err == nil && res.Status != http.StatusOK {
			err = errors.New(http.StatusText(res.Status))
		}
		return err
	})
	if n := len(outboundtest.Forms()); n < 33 {
		t.Errorf("Forms() has %d, want 33 at least", n)
	}
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func TestAnswersAreBounded(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		_, _ = w.Write(make([]byte, 2000))
	})
	c := newClient(t, here)
	for _, tt := range []struct {
		name string
		take outbound.Limits
		want error
		size int
	}{
		{"large enough", outbound.Limits{Bytes: 2000}, nil, 2000},
		{"too small", outbound.Limits{Bytes: 1999}, outbound.ErrSize, 0},
		{"cut", outbound.Limits{Bytes: 1999, Cut: true}, nil, 1999},
		{"of the type", outbound.Limits{Bytes: 2000, Types: []string{"text/html"}}, nil, 2000},
		{"of another type", outbound.Limits{Bytes: 2000, Types: []string{"application/json"}}, outbound.ErrType, 0},
	} {
		res, err := send(t, c, http.MethodGet, server+"?type=text/html%3B+charset%3Dx", tt.take)
		if !errors.Is(err, tt.want) || len(res.Body) != tt.size || res.Cut != tt.take.Cut {
			t.Errorf("%s: %d bytes (cut %v), %v, want %d, %v", tt.name, len(res.Body), res.Cut, err, tt.size, tt.want)
		}
	}
}

// A redirect goes on with the same method or not at all, and leaves keys behind at another site.
func TestRedirects(t *testing.T) {
	var seen http.Header
	var server string
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/here" || r.Host != server {
			seen = r.Header.Clone()
			return
		}
		code := map[string]int{"/301": 301, "/302": 302, "/303": 303, "/307": 307, "/308": 308}[r.URL.Path]
		http.Redirect(w, r, r.URL.Query().Get("to"), code)
	})
	server = strings.TrimPrefix(address, "http://")
	names := outboundtest.Names{"other.example": {netip.MustParseAddr("127.0.0.1")}}
	c := newClient(t, outbound.Options{OwnPort: true, Networks: here.Networks, Resolver: names.Resolver()})
	other := strings.Replace(address, "127.0.0.1", "other.example", 1)
	for _, tt := range []struct {
		method, path string
		want         int
		key          string
	}{
		{"GET", "/302?to=/here", 200, "secret"},
		{"GET", "/301?to=" + other, 200, ""},
		{"POST", "/308?to=/here", 200, "secret"},
		{"POST", "/307?to=" + other, 200, ""},
		{"POST", "/302?to=" + other, 302, "none"},
		{"POST", "/303?to=/here", 303, "none"},
	} {
		seen = http.Header{"X-Api-Key": {"none"}}
		res, err := send(t, c, tt.method, address+tt.path, all)
		if err != nil || res.Status != tt.want || seen.Get("X-Api-Key") != tt.key {
			t.Errorf("%s %s = %d with key %q, %v, want %d with %q", tt.method, tt.path, res.Status,
				seen.Get("X-Api-Key"), err, tt.want, tt.key)
		}
		if seen.Get("Referer") != "" {
			t.Errorf("%s %s told where it came from, %q", tt.method, tt.path, seen.Get("Referer"))
		}
	}
}

// Loopback is for requests that name it themselves.
func TestLoopback(t *testing.T) {
	hits := 0
	server := serve(t, func(http.ResponseWriter, *http.Request) { hits++ })
	names := outboundtest.Names{
		"localhost":    {netip.MustParseAddr("127.0.0.1")},
		"evil.example": {netip.MustParseAddr("127.0.0.1")},
	}
	c := newClient(t, outbound.Options{OwnPort: true, Loopback: true, Resolver: names.Resolver()})
	for host, want := range map[string]error{
		"127.0.0.1": nil, "localhost": nil,
		"evil.example": outbound.ErrRefused,
	} {
		_, err := send(t, c, http.MethodPost, strings.Replace(server, "127.0.0.1", host, 1), all)
		if !errors.Is(err, want) {
			t.Errorf("POST to %s = %v, want %v", host, err, want)
		}
	}
	if hits != 2 {
		t.Errorf("the server was asked %d times, want twice", hits)
	}
}

func TestNetworks(t *testing.T) {
	for network, good := range map[string]bool{
		"192.168.1.0/24": true, "10.0.0.0/8": true, "fd12:3456::/32": true, "127.0.0.1/32": true,
		"100.64.0.0/10": true,
		"0.0.0.0/0":     false, "10.0.0.0/7": false, "169.254.0.0/16": false, "169.254.169.254/32": false,
		"fe80::/10": false, "::/0": false, "8.8.8.0/24": false,
	} {
		_, err := outbound.New(outbound.Options{Networks: []netip.Prefix{netip.MustParsePrefix(network)}})
		if good != (err == nil) || !good && !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("New with %s = %v, want it allowed: %v", network, err, good)
		}
	}
	if _, err := outbound.New(outbound.Options{Networks: make([]netip.Prefix, 1)}); !errors.Is(err,
		fault.ErrInvalid) {
		t.Errorf("New with no network = %v, want ErrInvalid", err)
	}
}

// What the address holds is a secret, and none of it is in errors.
func TestErrorsAreSilent(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	broken := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://[secret")
		w.WriteHeader(http.StatusFound)
	})
	nobody := outboundtest.Names{}.Resolver()
	refused := newClient(t, outbound.Options{OwnPort: true, Resolver: nobody})
	asked := newClient(t, outbound.Options{OwnPort: true, Networks: here.Networks, Resolver: nobody})
	for _, address := range []string{
		gone.URL + "/secret?key=secret", broken + "/secret",
		"http://user:secret@x/", "http://secret\x7f/", "secret://x", "http://secret.example/",
	} {
		for _, c := range []*outbound.Client{asked, refused} {
			if _, err := send(t, c, http.MethodGet, address, all); err == nil ||
				strings.Contains(strings.ReplaceAll(err.Error(), `scheme "secret"`, ""), "secret") {
				t.Errorf("GET %s = %v, want an error that does not repeat it", address, err)
			}
		}
	}
}

func TestSite(t *testing.T) {
	for address, want := range map[string]string{
		"https://Example.org/a":   "https://example.org:443",
		"http://example.org:8080": "http://example.org:8080", "http://[::1]/": "http://[::1]:80",
	} {
		u, err := outbound.Parse(address)
		if err != nil || outbound.Site(u) != want {
			t.Errorf("Site(%s) = %s, %v, want %s", address, outbound.Site(u), err, want)
		}
	}
}
