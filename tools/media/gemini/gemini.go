// Package gemini has pictures and films made by Google's models, over the REST interface of the
// Gemini API (https://ai.google.dev/api, v1beta): Gemini cleans, draws and reads pictures, Veo films.
//
// The idea to hold: what comes from there is untrusted and may be slow, huge, refused or gone, so
// each answer has a limit, is looked at before it is used, and every failure is of a kind of
// package fault, with which the caller does without. The package knows no tools: each is told what
// to make.
package gemini

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/secret"
	"annai/internal/traceparent"
)

// Address is where the Gemini API begins.
const Address = "https://generativelanguage.googleapis.com/v1beta"

// Options are the settings of a [Client] that have a default.
type Options struct {
	// URL is where the API begins. Empty: [Address].
	URL string
	// ImageModel, VideoModel and ReadModel are names at Google. Empty: gemini-2.5-flash-image,
	// veo-3.0-generate-001 and gemini-2.5-flash.
	ImageModel, VideoModel, ReadModel string
	// Poll is how long it waits before it asks again whether a film is done. 0: 5 s.
	Poll time.Duration
	// MaxAnswer is the largest answer that is read, in bytes. 0: 32 MiB.
	MaxAnswer int64
}

// A Client calls the Gemini API. It is safe for concurrent use.
type Client struct {
	key  secret.Text
	base *url.URL
	opts Options
	http *http.Client
}

// New returns a client with an API key. An address that is none is [fault.ErrInvalid].
func New(key secret.Text, opts Options) (*Client, error) {
	opts.URL = strings.TrimSuffix(cmp.Or(opts.URL, Address), "/")
	opts.ImageModel = cmp.Or(opts.ImageModel, "gemini-2.5-flash-image")
	opts.VideoModel = cmp.Or(opts.VideoModel, "veo-3.0-generate-001")
	opts.ReadModel = cmp.Or(opts.ReadModel, "gemini-2.5-flash")
	opts.Poll = cmp.Or(opts.Poll, 5*time.Second)
	opts.MaxAnswer = cmp.Or(opts.MaxAnswer, 32<<20)
	base, err := url.Parse(opts.URL)
	if err != nil || base.Host == "" || base.User != nil {
		return nil, fmt.Errorf("address of the Gemini API: %w", fault.ErrInvalid)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	c := &Client{key: key, base: base, opts: opts}
	c.http = &http.Client{Transport: traceparent.Transport(transport), CheckRedirect: c.redirect}
	return c, nil
}

// redirect follows to where Google keeps files, without the key where that is another host.
func (c *Client) redirect(to *http.Request, via []*http.Request) error {
	if len(via) > 3 {
		return errors.New("too many redirects")
	}
	if to.URL.Scheme == c.base.Scheme && to.URL.Host == c.base.Host {
		return nil
	}
	to.Header.Del(keyHeader)
	host := to.URL.Hostname()
	google := strings.HasSuffix(host, ".googleapis.com") || strings.HasSuffix(host, ".googleusercontent.com")
	if to.URL.Scheme != "https" || to.URL.Port() != "" || !google {
		return errors.New("redirect away from Google")
	}
	return nil
}

const keyHeader = "X-Goog-Api-Key"

// post sends a request to a method of a model, "models/NAME:METHOD", and reads the answer.
func (c *Client) post(ctx context.Context, model, method string, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("encode a request: %w", err)
	}
	return c.call(ctx, http.MethodPost, c.opts.URL+"/models/"+url.PathEscape(model)+":"+method, body, answer)
}

// call sends a request and reads an answer in JSON.
func (c *Client) call(ctx context.Context, method, address string, body []byte, answer any) error {
	data, err := c.read(ctx, method, address, body)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("answer of Google is no JSON of its kind: %w", fault.ErrUnavailable)
	}
	return nil
}

// read sends a request and reads its answer, up to the limit. The key goes in a header, since
// addresses are logged on their way.
func (c *Client) read(ctx context.Context, method, address string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("request to Google: %w", fault.ErrUnavailable)
	}
	request.Header.Set(keyHeader, string(c.key))
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("wait for Google: %w: %w", fault.ErrUnavailable, ctx.Err())
		}
		return nil, fmt.Errorf("reach Google: %w", fault.ErrUnavailable)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, refused(response)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, c.opts.MaxAnswer+1))
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("wait for Google: %w: %w", fault.ErrUnavailable, ctx.Err())
	case err != nil:
		return nil, fmt.Errorf("answer of Google broke off: %w", fault.ErrUnavailable)
	case int64(len(data)) > c.opts.MaxAnswer:
		return nil, fmt.Errorf("answer of Google has more than %d bytes: %w", c.opts.MaxAnswer, fault.ErrUnavailable)
	}
	return data, nil
}

// Look says whether a model is there for this key. It makes nothing and costs nothing.
func (c *Client) Look(ctx context.Context, model string) error {
	var answer struct {
		Name string `json:"name"`
	}
	err := c.call(ctx, http.MethodGet, c.opts.URL+"/models/"+url.PathEscape(model), nil, &answer)
	if err == nil && answer.Name == "" {
		return fmt.Errorf("answer of Google is no model: %w", fault.ErrUnavailable)
	}
	return err
}
