package outbound

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"annai/fault"
)

// ErrRefused is a request that would have led to an address or port that must not be reached.
// Nothing was sent there. It comes with [fault.ErrUnavailable].
var ErrRefused = errors.New("the address is private or special, or its port is not allowed")

// ErrType is an answer that is of none of the [Limits.Types]. It comes with [fault.ErrUnavailable].
var ErrType = errors.New("the answer is of another type")

// ErrSize is an answer that is larger than [Limits.Bytes]. It comes with [fault.ErrUnavailable].
var ErrSize = errors.New("the answer is too large")

var errRefused = fmt.Errorf("%w: %w", ErrRefused, fault.ErrUnavailable)

// Limits say what of an answer is read.
type Limits struct {
	// Bytes is the largest body, unpacked. Required.
	Bytes int64
	// Cut takes the beginning of a larger body; else that is [ErrSize].
	Cut bool
	// Types are the media types that are read: "text/html". Nil: all, and also an answer that names
	// none.
	Types []string
	// Redirect may refuse where a redirect leads. Nil refuses nothing more than a [Client] does.
	Redirect func(ctx context.Context, to *url.URL) error
}

// A Response is an answer, read whole.
type Response struct {
	Status int
	Header http.Header
	// URL is where it came from, after redirects.
	URL *url.URL
	// Body is empty where Status is not 200.
	Body []byte
	// Cut says that there was more.
	Cut bool
}

// Send sends the request and reads the answer. Redirects are followed unless they change the
// method: that answer is returned as it is. To another site go no headers but Accept,
// Accept-Language, Content-Type and User-Agent.
//
// What [Parse] refuses is [fault.ErrInvalid]. All other errors are [fault.ErrUnavailable], with
// [ErrRefused], [ErrType] or [ErrSize] where it was that. They say nothing of
// the address.
func (c *Client) Send(req *http.Request, take Limits) (Response, error) {
	if err := checkURL(req.URL); err != nil {
		return Response{}, err
	}
	ctx := context.WithValue(req.Context(), journeyKey{}, &journey{port: portOf(req.URL), redirect: take.Redirect})
	req = req.WithContext(ctx)
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", c.opts.UserAgent)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return Response{}, failure(err)
	}
	defer res.Body.Close()
	out := Response{Status: res.StatusCode, Header: res.Header, URL: res.Request.URL}
	if res.StatusCode != http.StatusOK {
		return out, nil
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); take.Types != nil &&
		!slices.Contains(take.Types, kind) {
		return Response{}, fmt.Errorf("%w, %.40q: %w", ErrType, kind, fault.ErrUnavailable)
	}
	if out.Body, out.Cut, err = read(res.Body, take); err != nil {
		return Response{}, err
	}
	return out, nil
}

// read reads what may be taken of a body.
func read(body io.Reader, take Limits) (data []byte, cut bool, err error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(body, take.Bytes+1))
	switch {
	case n > take.Bytes && take.Cut:
		return b.Bytes()[:take.Bytes], true, nil
	case n > take.Bytes:
		return nil, false, fmt.Errorf("%w, larger than %d bytes: %w", ErrSize, take.Bytes, fault.ErrUnavailable)
	case err != nil:
		return nil, false, failure(err)
	}
	return b.Bytes(), false, nil
}

// alongRedirects are the headers that another site may have; a key for a feed, or a signature, is
// not among them.
var alongRedirects = []string{"Accept", "Accept-Language", "Content-Type", "User-Agent"}

// checkRedirect holds every hop to the rules of the first address, and does not leave https.
func checkRedirect(req *http.Request, via []*http.Request) error {
	if err := checkURL(req.URL); err != nil {
		return fmt.Errorf("a redirect: %w", err)
	}
	first := via[0]
	req.Header.Del("Referer") // the address that we were given
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("more than %d redirects: %w", maxRedirects, fault.ErrUnavailable)
	case first.URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("a redirect from https to http: %w", fault.ErrUnavailable)
	case req.Method != first.Method:
		return http.ErrUseLastResponse
	}
	if j, _ := req.Context().Value(journeyKey{}).(*journey); j != nil && j.redirect != nil {
		if err := j.redirect(req.Context(), req.URL); err != nil {
			return err
		}
	}
	if Site(req.URL) == Site(first.URL) {
		return nil
	}
	for name := range req.Header {
		if !slices.Contains(alongRedirects, name) {
			req.Header.Del(name)
		}
	}
	return nil
}

// failure says why a request failed, without the address that the standard library puts in front.
func failure(err error) error {
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var unknown *net.DNSError
	var stuck net.Error
	var network *net.OpError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, ErrRefused):
		return errRefused
	case errors.Is(err, fault.ErrUnavailable):
		return err
	case errors.Is(err, fault.ErrInvalid): // a redirect's, and not of the one who asked
		return fmt.Errorf("%s: %w", strings.TrimSuffix(err.Error(), ": "+fault.ErrInvalid.Error()),
			fault.ErrUnavailable)
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return fmt.Errorf("there is no host of that name: %w", fault.ErrUnavailable)
	case errors.As(err, &stuck) && stuck.Timeout():
		return fmt.Errorf("no answer in time: %w", fault.ErrUnavailable)
	case unknown != nil:
		return fmt.Errorf("the name of the host could not be looked up: %w", fault.ErrUnavailable)
	case errors.As(err, &certificate):
		return fmt.Errorf("its certificate is not valid: %w", fault.ErrUnavailable)
	case errors.As(err, &network):
		return fmt.Errorf("%s: %w", network.Err.Error(), fault.ErrUnavailable)
	case strings.Contains(err.Error(), "Location header"): // the text goes on with what is in it
		return fmt.Errorf("a redirect leads to no address: %w", fault.ErrUnavailable)
	}
	return fmt.Errorf("%s: %w", err.Error(), fault.ErrUnavailable)
}
