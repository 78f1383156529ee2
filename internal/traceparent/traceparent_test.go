package traceparent_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"annai/internal/traceparent"
)

const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// TestWithParent: what is no trace context of the W3C is nobody's parent.
func TestWithParent(t *testing.T) {
	for _, text := range []string{
		"", "x", good + "-00", "01" + good[2:], strings.ToUpper(good), good[:54], good + "0",
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01",
		"00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
		strings.Repeat("-", 1000),
	} {
		if got := traceparent.Parent(traceparent.WithParent(t.Context(), text)); got != "" {
			t.Errorf("%.60q is taken as a parent: %q", text, got)
		}
	}
	if got := traceparent.Parent(traceparent.WithParent(t.Context(), good)); got != good {
		t.Errorf("Parent = %q, want %q", got, good)
	}
}

// TestTransport: a request says of which span it is a part, and none that came from outside.
func TestTransport(t *testing.T) {
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Traceparent"))
	}))
	defer s.Close()
	client := &http.Client{Transport: traceparent.Transport(http.DefaultTransport)}
	outside := traceparent.WithParent(t.Context(), good)
	for _, ctx := range []context.Context{outside, traceparent.WithSpan(outside, good[:53]+"00")} {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	if len(got) != 2 || got[0] != "" || got[1] != good[:53]+"00" {
		t.Errorf("the headers are %q, want none and the span's", got)
	}
}
