// Package restjson asks a service of a fixed address and reads JSON from it: bounded, without redirects and
// cookies, and with failures of the kinds of package fault that have neither addresses nor keys in them.
//
// It is for services that the program or its operator names. Addresses that others name are not for it.
package restjson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"annai/fault"
	"annai/internal/traceparent"
)

// MaxAnswer is how many bytes of an answer are read.
const MaxAnswer = 1 << 20

// NewClient returns a client that follows no redirect, keeps no cookies and reads at most [MaxAnswer] bytes of an
// answer. Its requests are bounded in time by their contexts.
func NewClient() *http.Client {
	return &http.Client{
		Transport:     bounded{traceparent.Transport(http.DefaultTransport)},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bounded bounds the bodies of answers.
type bounded struct{ next http.RoundTripper }

// RoundTrip sends the request.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.next.RoundTrip(r)
	if err == nil {
		answer.Body = body{io.LimitReader(answer.Body, MaxAnswer), answer.Body}
	}
	return answer, err
}

type body struct {
	io.Reader
	io.Closer
}

// Do sends a request and reads the JSON of its answer into out. An answer of 400 or more is an [*Refusal]; no
// answer, and one that is no JSON, is [fault.ErrUnavailable].
func Do(client *http.Client, request *http.Request, out any) (err error) {
	answer, err := client.Do(request)
	if err != nil {
		return Unsent(request.Context(), err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, MaxAnswer))
	if err != nil {
		return Unsent(request.Context(), err)
	}
	if answer.StatusCode != http.StatusOK {
		return &Refusal{Status: answer.StatusCode, Body: text}
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("the service's answer is not the JSON that was expected: %w", fault.ErrUnavailable)
	}
	return nil
}

// Unsent is the failure of a request that had no answer, without its address.
func Unsent(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ctx.Err(), fault.ErrUnavailable)
	}
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return fmt.Errorf("%v: %w", err, fault.ErrUnavailable) //nolint:errorlint // its types stay here
}

// A Refusal is an answer that is no success. It wraps the kind that its status means.
type Refusal struct {
	Status int
	// Body is what was answered; it may repeat what was asked.
	Body []byte
}

// Error is for logs.
func (r *Refusal) Error() string { return fmt.Sprintf("the service answered %d", r.Status) }

// Unwrap returns the kind.
func (r *Refusal) Unwrap() error { return Kind(r.Status) }

// Kind is what a status means for whoever asked: that the service knows no such thing, does not take the key, or
// cannot be reached just now. A request that it does not take is no fault of the caller's.
func Kind(status int) error {
	switch {
	case status == http.StatusNotFound:
		return fault.ErrNotFound
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500:
		return fault.ErrUnavailable
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusBadRequest:
		return fault.ErrDenied
	}
	return fault.ErrUnavailable
}
