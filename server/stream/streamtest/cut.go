package streamtest

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"annai/server/door"
)

// Cut posts a body to a stream of the door, ends it as a server that stops does once it has begun, and returns what was
// sent after its first line.
func Cut(t testing.TB, d door.Door, path, body string) string {
	t.Helper()
	base, stop := context.WithCancelCause(t.Context())
	inner := Handler(d)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		defer context.AfterFunc(base, func() { cancel(context.Cause(base)) })()
		inner.ServeHTTP(w, r.WithContext(ctx)) //nolint:contextcheck // it is made of the request's, see above
	}))
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	said := bufio.NewReader(response.Body)
	if _, err := said.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	stop(door.ErrStopping)
	rest, err := io.ReadAll(said)
	if err != nil {
		t.Fatal(err)
	}
	return string(rest)
}
