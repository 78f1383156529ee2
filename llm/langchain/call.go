package langchain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"sync"

	"annai/llm"
)

// A call is one request under way. It is the HTTP client that langchaingo sends it with.
type call struct {
	model   *Model
	request llm.Request

	mu      sync.Mutex
	reader  reader
	failure *llm.Failure // what went wrong below langchaingo, which may tell it otherwise
}

// fields are a body of JSON, by name.
type fields map[string]json.RawMessage

// set writes a value of ours, which always is JSON.
func (f fields) set(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	f[name] = data
	return nil
}

// maxRefusal is how much of an answer that is no stream is read, in bytes.
const maxRefusal = 64 << 10

// Do sends the request, amended, and returns a stream that langchaingo reads right, or an error.
func (c *call) Do(req *http.Request) (*http.Response, error) {
	if err := c.prepare(req); err != nil {
		return nil, c.fail(&llm.Failure{Kind: llm.Unfit, Err: err})
	}
	response, err := c.model.opts.Client.Do(req)
	if err != nil {
		return nil, c.fail(unreached(req.Context(), err))
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if response.StatusCode != http.StatusOK || kind == "application/json" {
		defer response.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal)) // as much as came says what it says
		return nil, c.fail(refusal(response, body))
	}
	response.Body = &stream{call: c, body: response.Body, events: newEvents(response.Body), expired: req.Context().Err}
	return response, nil
}

// prepare amends the body, and puts the key where langchaingo put another.
func (c *call) prepare(req *http.Request) error {
	data, err := io.ReadAll(req.Body)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	body := fields{}
	if err := json.Unmarshal(data, &body); err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	if c.model.opts.NoTemperature {
		delete(body, "temperature")
	}
	if err := c.model.dialect.amend(c.model, c.request, body); err != nil {
		return err
	}
	data, err = json.Marshal(body)
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	req.Header.Del("Authorization")
	req.Header.Del("X-Api-Key")
	req.Header.Set("Accept", "text/event-stream")
	// Asking twice does no harm: so the client may ask again when the server has just closed the connection that it took. Nothing of this is sent.
	req.Header["Idempotency-Key"] = []string{}
	if key := c.model.key(); key != "" {
		c.model.dialect.authorize(req.Header, key)
	}
	return nil
}

// fail remembers a failure, and returns an error that goes through langchaingo.
func (c *call) fail(f *llm.Failure) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		c.failure = f
	}
	return errors.New("see the failure of the call")
}

// outcome returns what came behind the text, once langchaingo returned err.
func (c *call) outcome(ctx context.Context, err error) ([]llm.ToolCall, llm.End, *llm.Failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.reader.answer()
	switch {
	case ctx.Err() != nil: // langchaingo may have dropped the last words, and not say so
		return nil, llm.End{}, &llm.Failure{Kind: llm.Late, Err: ctx.Err()}
	case c.failure != nil:
		return nil, llm.End{}, c.failure
	case err != nil:
		return nil, llm.End{}, &llm.Failure{Kind: llm.Malformed, Err: errors.New("the library could not use the answer")}
	case !a.done:
		return nil, llm.End{}, &llm.Failure{Kind: llm.CutOff}
	}
	calls, f := a.calls()
	return calls, a.end(), f
}

// unreached is the failure of a request that got no answer. The address is left out: it is in the settings.
func unreached(ctx context.Context, err error) *llm.Failure {
	if ctx.Err() != nil {
		return &llm.Failure{Kind: llm.Late, Err: ctx.Err()}
	}
	var where *url.Error
	if errors.As(err, &where) {
		err = where.Err
	}
	return &llm.Failure{Kind: llm.Unavailable, Err: errors.New(plain(err.Error()))}
}
