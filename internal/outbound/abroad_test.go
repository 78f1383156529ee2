package outbound

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A redirect from the internet leads nowhere inside, though a request might go there. 127.0.0.2
// plays the internet.
func TestFromTheInternetInside(t *testing.T) {
	hits := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	defer inside.Close()
	internet := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inside.URL, http.StatusTemporaryRedirect)
	}))
	_ = internet.Listener.Close()
	var listen net.ListenConfig
	var err error
	if internet.Listener, err = listen.Listen(t.Context(), "tcp", "127.0.0.2:0"); err != nil {
		t.Fatal(err)
	}
	internet.Start()
	defer internet.Close()
	for _, opts := range []Options{{OwnPort: true, Loopback: true}, {
		OwnPort:  true,
		Networks: prefixes("127.0.0.1/32"),
	}} {
		c, err := New(opts)
		if err != nil {
			t.Fatal(err)
		}
		c.public = guardian(prefixes("127.0.0.2/32"))
		for address, want := range map[string]error{inside.URL: nil, internet.URL: ErrRefused} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("x"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Send(req, Limits{Bytes: 10}); !errors.Is(err, want) {
				t.Errorf("POST %s = %v, want %v", address, err, want)
			}
		}
	}
	if hits != 2 {
		t.Errorf("what is inside was asked %d times, want twice, by those who named it", hits)
	}
}
