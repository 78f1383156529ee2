// Package outboundtest tries whether something that asks addresses of others can be made to reach
// one inside.
//
// It knows none of what it tries, and reaches it only by a function.
package outboundtest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"annai/fault"
	"annai/internal/outbound"
)

// A Try asks the address with the client, as what is tried does it, and returns what came of it.
type Try func(t *testing.T, client *outbound.Client, address string) error

// Run checks that what asks by try is refused everything inside, without a connection: however an
// address is written, whatever a name resolves to, and wherever a redirect leads.
func Run(t *testing.T, try Try) {
	inside := listen(t, "127.0.0.1:0")
	t.Run("forms", func(t *testing.T) { forms(t, try, inside) })
	t.Run("redirects", func(t *testing.T) { redirects(t, try, inside) })
	t.Run("rebinding", func(t *testing.T) { rebinding(t, try, inside) })
	if n := inside.Load(); n > 0 {
		t.Errorf("connections to an address inside = %d, want none", n)
	}
}

// A listener is a port inside that counts who comes.
type listener struct {
	atomic.Int64
	port string
}

func listen(t *testing.T, address string) *listener {
	t.Helper()
	var config net.ListenConfig
	open, err := config.Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{}
	if _, l.port, err = net.SplitHostPort(open.Addr().String()); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := open.Accept()
			if err != nil {
				return
			}
			l.Add(1)
			_, _ = io.WriteString(conn,
				"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nsecret")
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = open.Close()
		<-done
	})
	return l
}

// client is one that may ask any port, and resolves names as the test says.
func client(t *testing.T, names Names, networks ...netip.Prefix) *outbound.Client {
	t.Helper()
	c, err := outbound.New(outbound.Options{OwnPort: true, Networks: networks, Resolver: names.Resolver()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// inward is every name that is not in a map: a resolver of C takes 2130706433 and 0x7f.1 for
// 127.0.0.1, and so does ours.
var inward = netip.MustParseAddr("127.0.0.1")

func forms(t *testing.T, try Try, inside *listener) {
	names := Names{
		"": {inward}, "metadata.google.internal": {netip.MustParseAddr("169.254.169.254")},
		"six.example": {netip.IPv6Loopback()},
		"ten.example": {netip.MustParseAddr("10.1.2.3")}, "many.example": {
			netip.MustParseAddr("192.168.0.1"),
			inward,
		},
	}
	c := client(t, names)
	for _, form := range Forms() {
		address := strings.ReplaceAll(form, "PORT", inside.port)
		if err := try(t, c, address); !errors.Is(err, outbound.ErrRefused) && !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%q: %v, want it refused", address, err)
		}
	}
}

// Forms are addresses of which each leads inside or nowhere, PORT being one that listens on
// 127.0.0.1.
func Forms() []string {
	all := []string{
		"http:///", "http://", "http://[::1", "//127.0.0.1:PORT/", "127.0.0.1:PORT",
		"http://127.0.0.1:PORT:80/", "http://127.0.0.1:99999/",
		"file:///etc/passwd", "ftp://127.0.0.1:PORT/", "gopher://127.0.0.1:PORT/_x", "javascript:alert(1)",
		"data:text/html,x", "unix:///run/x",
		"http://127.0.0.1:PORT\\@public.example/", "http://127.0.0.1:PORT/\r\nHost: public.example",
		"http://public.example@127.0.0.1:PORT/",
		"http://user:word@127.0.0.1:PORT/", "http://@127.0.0.1:PORT/", "http://127.0.0.1 :PORT/",
		"http://127.0.0.1:PORT/\x00",
	}
	for _, host := range []string{
		// this machine, as people, C and browsers write it
		"127.0.0.1", "127.1", "127.0.1", "127.0.0.1.", "127.255.255.254", "2130706433", "0x7f000001",
		"0x7f.0x0.0x0.0x1", "0x7f.1",
		"017700000001", "0177.0.0.1", "0177.0.0.01", "127.0.0.1.nip.example", "localhost", "localhost.",
		"LOCALHOST", "a.localhost", "0", "0.0.0.0",
		// digits and dots of other scripts, which are mapped to ours; letters by their numbers
		"①②⑦.⓪.⓪.①", "127。0。0。1", "１２７.０.０.１", "%31%32%37.0.0.1", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
		// the same in IPv6, and in what is tunnelled through it
		"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
		"[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]",
		"[2002:7f00:1::]", "[2002:a00:1::1]", "[2001:0:7f00:1::]", "[2001:db8::1]", "[fe80::1]",
		"[fe80::1%25lo]", "[::1%25lo]", "[fc00::1]", "[fd00:ec2::254]",
		"[fec0::1]", "[ff02::1]", "[100::1]",
		// other networks that are no one's business
		"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254", "169.254.0.1",
		"100.64.0.1", "100.100.100.200", "192.0.0.192",
		"192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "240.0.0.1",
		"255.255.255.255", "0.1.2.3",
		"2852039166", "0xa9fea9fe", "[::ffff:a9fe:a9fe]", "[::ffff:10.0.0.1]",
		// names
		"metadata.google.internal", "six.example", "ten.example", "many.example",
	} {
		all = append(all, "http://"+host+":PORT/", "https://"+host+":PORT/x?y=z#w")
	}
	return all
}

// redirects has a server that may be asked answer with one to an address that may not.
func redirects(t *testing.T, try Try, inside *listener) {
	var to atomic.Value
	var code atomic.Int64
	server := serve(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Location", to.Load().(string))
		w.WriteHeader(int(code.Load()))
	})
	c := client(t, Names{"": {inward}}, netip.MustParsePrefix("127.0.0.2/32"))
	for _, status := range []int{300, 301, 302, 303, 304, 305, 307, 308} {
		for _, location := range []string{
			"http://127.0.0.1:PORT/", "//127.0.0.1:PORT/", "http://localhost:PORT/", "http://2130706433:PORT/",
			"http://[::ffff:127.0.0.1]:PORT/",
			"http://user@127.0.0.1:PORT/", "file:///etc/passwd", "http://169.254.169.254/latest", "http://[::1",
			"gopher://127.0.0.1:PORT/", server,
		} {
			to.Store(strings.ReplaceAll(location, "PORT", inside.port))
			code.Store(int64(status))
			if err := try(t, c, server); err == nil {
				t.Errorf("a redirect with %d to %s was followed, want an error", status, location)
			}
		}
	}
}

// serve returns the address of a server on another address of this machine.
func serve(t *testing.T, at string, h http.HandlerFunc) string {
	t.Helper()
	var config net.ListenConfig
	open, err := config.Listen(t.Context(), "tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	_ = s.Listener.Close()
	s.Listener = open
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// rebinding has a name lead to a server that may be asked, and then inside.
func rebinding(t *testing.T, try Try, inside *listener) {
	names := Names{"rebind.example": {netip.MustParseAddr("127.0.0.2")}}
	c := client(t, names, netip.MustParsePrefix("127.0.0.2/32"))
	teapot := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }
	server := serve(t, "127.0.0.2:"+inside.port, teapot)
	address := strings.Replace(server, "127.0.0.2", "rebind.example", 1)
	if err := try(t, c, address); errors.Is(err, outbound.ErrRefused) {
		t.Errorf("%s while it is elsewhere: %v, want it asked", address, err)
	}
	names["rebind.example"] = []netip.Addr{inward}
	if err := try(t, c, address); !errors.Is(err, outbound.ErrRefused) {
		t.Errorf("%s once it is inside: %v, want it refused", address, fmt.Sprint(err))
	}
}
