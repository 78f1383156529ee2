// Package traceparent carries the trace context of the W3C: from a request to the run that it asks for, and from
// what a run does to those whom it asks over HTTP.
//
// The idea to hold: a parent comes from outside and is believed only by who traces; what is sent on is the span of
// this process, and where nobody traces nothing is. The package knows no tracer.
package traceparent

import (
	"context"
	"net/http"
	"strings"
)

// Header is the name of the header.
const Header = "Traceparent"

type parentKey struct{}

// WithParent returns a context with the traceparent of whoever asked. One that is malformed is left out.
func WithParent(ctx context.Context, traceparent string) context.Context {
	if !valid(traceparent) {
		return ctx
	}
	return context.WithValue(ctx, parentKey{}, traceparent)
}

// Parent is what [WithParent] took; empty: nothing.
func Parent(ctx context.Context) string {
	text, _ := ctx.Value(parentKey{}).(string)
	return text
}

type spanKey struct{}

// WithSpan returns a context whose requests are sent on as parts of a span.
func WithSpan(ctx context.Context, traceparent string) context.Context {
	return context.WithValue(ctx, spanKey{}, traceparent)
}

// Transport sends requests with the span of their context, if it has one.
func Transport(next http.RoundTripper) http.RoundTripper { return transport{next} }

type transport struct{ next http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if span, _ := r.Context().Value(spanKey{}).(string); span != "" {
		r = r.Clone(r.Context())
		r.Header.Set(Header, span)
	}
	return t.next.RoundTrip(r)
}

// CloseIdleConnections is for [http.Client.CloseIdleConnections].
func (t transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// valid says whether a text is a traceparent of version 00: the version, a trace, a span and flags.
func valid(s string) bool {
	parts := strings.Split(s, "-")
	if len(parts) != 4 || parts[0] != "00" {
		return false
	}
	for i, size := range []int{2, 32, 16, 2} {
		if len(parts[i]) != size || strings.Trim(parts[i], "0123456789abcdef") != "" {
			return false
		}
	}
	return strings.Trim(parts[1], "0") != "" && strings.Trim(parts[2], "0") != ""
}
