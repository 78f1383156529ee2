// Package langchain is the [llm.Model] over langchaingo, and that library's only home: OpenAI and whatever speaks its protocol (Ollama,
// llama.cpp, vLLM, Google AI), and Anthropic.
//
// The one idea: langchaingo writes the requests and runs the stream, and between it and the network stands a call of ours ([call]), which
// adds what the library can't say and mends what it would read wrong. Seen in v0.1.14: pieces of tool calls reach the streaming function as
// if they were text, and are joined by guess; errors within a stream are passed over, as is a stream that breaks off cleanly; statuses
// come as text only; a schema is one for all requests, and loses what its own type does not know; of an earlier turn that called several
// tools only the first reaches Anthropic. The library never sees a key: the call puts it on the request itself.
//
// Google AI is reached at its OpenAI-compatible address, because langchaingo's own client for it would add more to the binary than all else
// here: see docs/add-a-model.md.
//
// The package knows no environment, no prompts and no policy: deadlines and retries are llm's.
package langchain

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/secret"
	"annai/internal/traceparent"
	"annai/llm"
)

// Options are the settings of a [Model] that have a default.
type Options struct {
	// BaseURL is where the server's API begins, such as http://127.0.0.1:11434/v1 for Ollama. Empty means the provider's own.
	BaseURL string
	// Key is sent with each request. Empty sends none. A key only goes over https, or to this machine.
	Key Key
	// NoTemperature says that the model takes no temperature, so none is sent.
	NoTemperature bool
	// MaxAnswer is the longest answer, in bytes of text and of tool calls together. A longer one fails as [llm.Malformed]. 0 means 256 KiB.
	MaxAnswer int
	// Client sends the requests. Nil means one without a proxy, cookies or redirects, whose time is that of the request's context.
	Client *http.Client
}

// Model is an [llm.Model]. Make one with [OpenAI], [Google] or [Anthropic].
type Model struct {
	name    string
	model   string
	base    string
	opts    Options // without its key
	dialect dialect
	// key returns the key. A function, because what is printed of a struct shows the text in its hidden fields, of whatever type.
	key func() string
}

// A dialect is what tells providers apart.
type dialect interface {
	// generate has langchaingo make and send the request through the call, and give out the text as it comes.
	generate(ctx context.Context, m *Model, r llm.Request, c *call, text func(context.Context, []byte) error) error
	// amend changes the body that langchaingo wrote.
	amend(m *Model, r llm.Request, body fields) error
	// authorize puts the key on a request.
	authorize(header http.Header, key string)
	// reader reads the answer.
	reader(r llm.Request) reader
}

const (
	openAIBase    = "https://api.openai.com/v1"
	anthropicBase = "https://api.anthropic.com/v1"
	googleBase    = "https://generativelanguage.googleapis.com/v1beta/openai"
)

// OpenAI is a model of OpenAI, or of a server that speaks its chat completions. An address or a model that can't be right is [fault.ErrInvalid].
func OpenAI(model string, opts Options) (*Model, error) {
	return newModel("openai", model, openAIBase, opts, openAI{})
}

// Google is a model of Google AI.
func Google(model string, opts Options) (*Model, error) {
	return newModel("google", model, googleBase, opts, openAI{google: true})
}

// Anthropic is a model of Anthropic. It takes no seed, and no temperature above 1.
func Anthropic(model string, opts Options) (*Model, error) {
	return newModel("anthropic", model, anthropicBase, opts, anthropicAPI{})
}

const (
	defaultMaxAnswer = 256 << 10
	dialTimeout      = 5 * time.Second
)

func newModel(provider, model, base string, opts Options, d dialect) (*Model, error) {
	if model == "" || strings.ContainsFunc(model, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return nil, fmt.Errorf("%s: %q is no name of a model: %w", provider, model, fault.ErrInvalid)
	}
	name := provider + "/" + model
	if opts.BaseURL != "" {
		u, err := address(opts.BaseURL, opts.Key != "")
		if err != nil {
			return nil, fmt.Errorf("%s: the address %w", provider, err)
		}
		base = strings.TrimRight(opts.BaseURL, "/")
		name = u.Host + "/" + model
	}
	if opts.MaxAnswer == 0 {
		opts.MaxAnswer = defaultMaxAnswer
	}
	if opts.Client == nil {
		opts.Client = client()
	}
	key := string(opts.Key)
	opts.Key = ""
	return &Model{name: name, model: model, base: base, opts: opts, dialect: d, key: func() string { return key }}, nil
}

// address reads an address that a key, if there is one, may be sent to. What is wrong with one is not quoted: it may hold a password.
func address(text string, key bool) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("does not begin with https:// or http:// and a host: %w", fault.ErrInvalid)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("has a user, a query or a fragment: %w", fault.ErrInvalid)
	case key && u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, fmt.Errorf("is on another machine and not https, so no key can go there: %w", fault.ErrInvalid)
	}
	return u, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func client() *http.Client {
	return &http.Client{
		Transport: traceparent.Transport(&http.Transport{
			DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
			TLSHandshakeTimeout: dialTimeout,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 4,
			IdleConnTimeout:     time.Minute,
		}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Name implements [llm.Model].
func (m *Model) Name() string { return m.name }

// Stream implements [llm.Model].
func (m *Model) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		if err := r.Check(); err != nil {
			yield(llm.Delta{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		c := &call{model: m, request: r, reader: m.dialect.reader(r)}
		c.reader.answer().wantsPieces = r.Pieces
		deltas := make(chan llm.Delta)
		var err error
		go func() { // langchaingo calls back, sometimes from goroutines of its own, where nobody may yield
			defer close(deltas)
			err = m.dialect.generate(ctx, m, r, c, func(ctx context.Context, text []byte) error {
				return send(ctx, deltas, unwrap(r, string(text)))
			})
		}()
		defer func() {
			cancel()
			for range deltas { // until it is closed
			}
		}()
		if m.say(deltas, yield) {
			m.finish(ctx, c, err, yield)
		}
	}
}

// send passes on what langchaingo read, if somebody still listens.
func send(ctx context.Context, deltas chan<- llm.Delta, d llm.Delta) error {
	select {
	case deltas <- d:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// say gives out the text and the pieces of calls, and reports whether more is wanted.
func (m *Model) say(deltas <-chan llm.Delta, yield func(llm.Delta, error) bool) bool {
	for d := range deltas {
		if d != (llm.Delta{}) && !yield(d, nil) {
			return false
		}
	}
	return true
}

// finish gives out what comes behind the text.
func (m *Model) finish(ctx context.Context, c *call, err error, yield func(llm.Delta, error) bool) {
	calls, end, failure := c.outcome(ctx, err)
	if failure != nil {
		yield(llm.Delta{}, m.own(failure))
		return
	}
	for _, c := range calls {
		if !yield(llm.Delta{Call: &c}, nil) {
			return
		}
	}
	end.Model = m.name
	yield(llm.Delta{End: &end}, nil)
}

// own is a failure in the model's name. A server that quotes the key does not get it into a log.
func (m *Model) own(f *llm.Failure) *llm.Failure {
	f.Model = m.name
	if key := m.key(); key != "" && f.Err != nil && strings.Contains(f.Err.Error(), key) {
		f.Err = errors.New(secret.Hide(f.Err.Error(), secret.Text(key)))
	}
	return f
}

// errEmpty is an answer of nothing.
var errEmpty = errors.New("the answer is empty")
