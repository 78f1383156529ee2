package discovery

import (
	"bytes"
	"io"
	"net/http"
	"testing"
)

// Check returns a transport that passes everything on to next (nil is [http.DefaultTransport]) and fails the test with what is wrong with
// a request to Calendar v3, or with its answer. It may be used until the test ends.
func Check(t testing.TB, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	return newTransport(t, Calendar, next, true)
}

// CheckTasks is [Check] for Google Tasks v1.
func CheckTasks(t testing.TB, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	return newTransport(t, Tasks, next, true)
}

// CheckAnswers is [Check] for tests that ask for what cannot be: only what is wrong with an answer fails them.
func CheckAnswers(t testing.TB, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	return newTransport(t, Calendar, next, false)
}

func newTransport(
	t testing.TB, of func() (*Document, error), next http.RoundTripper, requests bool,
) *transport {
	t.Helper()
	d, err := of()
	if err != nil {
		t.Fatal(err)
	}
	if next == nil {
		next = http.DefaultTransport
	}
	return &transport{t: t, d: d, next: next, requests: requests}
}

type transport struct {
	t        testing.TB
	d        *Document
	next     http.RoundTripper
	requests bool
}

// RoundTrip passes the request on.
func (c *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	r, sent, err := read(r)
	if err != nil {
		return nil, err
	}
	if c.requests {
		c.report(r, "request", c.d.Request(r.Method, r.URL, r.Header, sent), sent)
	}
	answer, err := c.next.RoundTrip(r)
	if err != nil {
		return answer, err // nobody answered: there is nothing to check
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	answer.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c.report(r, "answer", c.d.Answer(r.Method, r.URL, answer.StatusCode, answer.Header, body), body)
	return answer, nil
}

// read returns a request whose body can be read again, and the body.
func read(r *http.Request) (*http.Request, []byte, error) {
	if r.Body == nil {
		return r, nil, nil
	}
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if err != nil {
		return nil, nil, err
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r, body, nil
}

func (c *transport) report(r *http.Request, what string, problems []string, body []byte) {
	for _, problem := range problems {
		c.t.Errorf("%s %s: %s: %s\n%.500s", r.Method, r.URL, what, problem, body)
	}
}

// Handler returns a handler that passes everything on to next and fails the test like [Check], for clients that have no transport to put
// something into.
func Handler(t testing.TB, next http.Handler) http.Handler {
	t.Helper()
	c := newTransport(t, Calendar, nil, true)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, sent, err := read(r)
		if err != nil {
			return
		}
		c.report(r, "request", c.d.Request(r.Method, r.URL, r.Header, sent), sent)
		answer := &tee{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(answer, r) // a panic that drops the connection passes by what follows
		c.report(r, "answer", c.d.Answer(r.Method, r.URL, answer.status, w.Header(), answer.body.Bytes()), answer.body.Bytes())
	})
}

// tee keeps what is answered.
type tee struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader keeps the status.
func (k *tee) WriteHeader(status int) {
	k.status = status
	k.ResponseWriter.WriteHeader(status)
}

func (k *tee) Write(p []byte) (int, error) {
	k.body.Write(p)
	return k.ResponseWriter.Write(p)
}
