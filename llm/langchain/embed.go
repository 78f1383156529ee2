package langchain

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/tmc/langchaingo/llms/openai"

	"annai/fault"
	"annai/internal/secret"
	"annai/llm"
	"annai/rag"
)

// EmbedderOptions are the settings of an [Embedder] that have a default.
type EmbedderOptions struct {
	// BaseURL is where the server's API begins. Empty means the provider's own.
	BaseURL string
	// Key is sent with each request. Empty sends none. A key only goes over https, or to this machine.
	Key Key
	// Timeout is how long one request may take. 0 means 10 s.
	Timeout time.Duration
	// Pause is the wait before a request is sent again, unless the server asks for another. 0 means 200 ms.
	Pause time.Duration
	// Client sends the requests. Nil means one without a proxy, cookies or redirects.
	Client *http.Client
}

const (
	ollamaBase     = "http://127.0.0.1:11434/v1"
	defaultTimeout = 10 * time.Second
	defaultPause   = 200 * time.Millisecond
	longestPause   = 2 * time.Second
	// embedTogether is how many texts are sent in a request. Google takes 100.
	embedTogether = 96
	// maxVectors is how much of an answer is read, in bytes: so many vectors of a few thousand numbers in decimal fit.
	maxVectors = 32 << 20
)

// Embedder is a [rag.Embedder] of a service that speaks OpenAI's protocol, which Ollama and Google AI do too. Make one with [OpenAIEmbedder],
// [OllamaEmbedder] or [GoogleEmbedder].
type Embedder struct {
	name, model, base string
	dimension         int
	opts              EmbedderOptions // without its key
	key               func() string   // for the reason of [Model]
}

// OpenAIEmbedder is a model of OpenAI, or of a server that speaks its embeddings. It is asked once, for the dimension. An address or a name
// that can't be right is [fault.ErrInvalid]; a service that does not answer as one fails with an [llm.Failure].
func OpenAIEmbedder(ctx context.Context, model string, opts EmbedderOptions) (*Embedder, error) {
	return newEmbedder(ctx, "openai", model, openAIBase, opts)
}

// OllamaEmbedder is a model of Ollama, on this machine unless an address is given. For the rest it is as [OpenAIEmbedder].
func OllamaEmbedder(ctx context.Context, model string, opts EmbedderOptions) (*Embedder, error) {
	return newEmbedder(ctx, "ollama", model, ollamaBase, opts)
}

// GoogleEmbedder is a model of Google AI, at its OpenAI-compatible address. For the rest it is as [OpenAIEmbedder].
func GoogleEmbedder(ctx context.Context, model string, opts EmbedderOptions) (*Embedder, error) {
	return newEmbedder(ctx, "google", model, googleBase, opts)
}

func newEmbedder(ctx context.Context, provider, model, base string, opts EmbedderOptions) (*Embedder, error) {
	m, err := newModel(provider, model, base, Options{BaseURL: opts.BaseURL, Key: opts.Key, Client: opts.Client}, openAI{})
	if err != nil {
		return nil, err
	}
	opts.Timeout, opts.Pause = cmp.Or(opts.Timeout, defaultTimeout), cmp.Or(opts.Pause, defaultPause)
	opts.Key, opts.Client = "", m.opts.Client
	e := &Embedder{name: m.name, model: m.model, base: m.base, opts: opts, key: m.key}
	probe, err := e.Embed(ctx, []string{"Wi-Fi"})
	if err != nil {
		return nil, err
	}
	e.dimension = len(probe[0])
	return e, nil
}

// version changes with what is done to a vector here.
const version = 1

// Fingerprint implements [rag.Embedder]: the service and the model, the dimension and our version. A service that has another model under the
// same name can't be told from this one.
func (e *Embedder) Fingerprint() string { return fmt.Sprintf("%s/%d/%d", e.name, e.dimension, version) }

// Embed implements [rag.Embedder], with as many requests as it needs, one after the other. A request that is refused for now is sent once more.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	for i, text := range texts {
		if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			return nil, fmt.Errorf("embed text %d: no letter or number in it: %w", i, fault.ErrInvalid)
		}
	}
	vectors := make([]rag.Vector, 0, len(texts))
	for some := range slices.Chunk(texts, embedTogether) {
		more, err := e.patiently(ctx, some)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, more...)
	}
	return vectors, nil
}

// patiently asks, and where that may help asks once more.
func (e *Embedder) patiently(ctx context.Context, texts []string) ([]rag.Vector, error) {
	vectors, failure := e.ask(ctx, texts)
	if failure != nil && again(failure.Kind) && failure.RetryAfter <= longestPause {
		pause := time.NewTimer(cmp.Or(failure.RetryAfter, e.opts.Pause))
		defer pause.Stop()
		select {
		case <-ctx.Done():
		case <-pause.C:
			vectors, failure = e.ask(ctx, texts)
		}
	}
	if failure != nil {
		return nil, e.own(failure)
	}
	return vectors, nil
}

func again(k llm.Kind) bool {
	switch k {
	case llm.RateLimited, llm.Unavailable, llm.CutOff:
		return true
	case llm.Auth, llm.NoModel, llm.TooLong, llm.Unfit, llm.Late, llm.Refused, llm.Malformed:
		return false
	}
	return false
}

// own is a failure in the embedder's name, without the key. What a service does not take is no fault of a text, which is what
// [fault.ErrInvalid] would say.
func (e *Embedder) own(f *llm.Failure) *llm.Failure {
	switch f.Kind {
	case llm.TooLong, llm.Unfit:
		f.Kind = llm.Malformed
	case llm.Auth, llm.NoModel, llm.RateLimited, llm.Unavailable, llm.CutOff, llm.Late, llm.Refused, llm.Malformed:
	}
	f.Model = e.name
	if key := e.key(); key != "" && f.Err != nil && strings.Contains(f.Err.Error(), key) {
		f.Err = errors.New(secret.Hide(f.Err.Error(), secret.Text(key)))
	}
	return f
}

// ask sends one request.
func (e *Embedder) ask(ctx context.Context, texts []string) ([]rag.Vector, *llm.Failure) {
	limited, cancel := context.WithTimeout(ctx, e.opts.Timeout)
	defer cancel()
	c := &embedCall{embedder: e, texts: len(texts)}
	library, err := openai.New(
		openai.WithToken(placeholder), openai.WithEmbeddingModel(e.model), openai.WithBaseURL(e.base), openai.WithOrganization(""), openai.WithHTTPClient(c),
	)
	if err != nil {
		return nil, malformed("make a client: %v", err)
	}
	numbers, err := library.CreateEmbedding(limited, texts)
	switch failure := c.failed(); {
	case limited.Err() != nil:
		return nil, &llm.Failure{Kind: llm.Late, Err: limited.Err()}
	case failure != nil:
		return nil, failure
	case err != nil || len(numbers) != len(texts):
		return nil, malformed("%d vectors came for %d texts", len(numbers), len(texts))
	}
	return e.vectors(numbers)
}

func malformed(format string, args ...any) *llm.Failure {
	return &llm.Failure{Kind: llm.Malformed, Err: fmt.Errorf(format, args...)}
}

// vectors are lists of numbers, made of unit length.
func (e *Embedder) vectors(numbers [][]float32) ([]rag.Vector, *llm.Failure) {
	dimension := cmp.Or(e.dimension, len(numbers[0]))
	vectors := make([]rag.Vector, len(numbers))
	for i, v := range numbers {
		if len(v) != dimension {
			return nil, malformed("vector %d has %d numbers, others have %d", i, len(v), dimension)
		}
		var squares float64
		for _, x := range v {
			squares += float64(x) * float64(x)
		}
		for j := range v {
			v[j] = float32(float64(v[j]) / math.Sqrt(squares))
		}
		if vectors[i] = v; !vectors[i].IsUnit() { // for NaN, infinity, zero and none at all
			return nil, malformed("vector %d has no direction", i)
		}
	}
	return vectors, nil
}

// An embedCall is one request under way. It is the HTTP client that langchaingo sends it with, as [call] is for models: langchaingo v0.1.14 tells
// statuses as text only, and takes vectors in the order in which they come, whatever number they say they have.
type embedCall struct {
	embedder *Embedder
	texts    int

	mu      sync.Mutex
	failure *llm.Failure
}

// Do sends the request with the key, and returns an answer that langchaingo reads right, or an error.
func (c *embedCall) Do(req *http.Request) (*http.Response, error) {
	req.Header.Del("Authorization")
	req.Header["Idempotency-Key"] = []string{} // for the reason that call gives
	if key := c.embedder.key(); key != "" {
		openAI{}.authorize(req.Header, key)
	}
	response, err := c.embedder.opts.Client.Do(req)
	if err != nil {
		return nil, c.fail(unreached(req.Context(), err))
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxVectors))
	switch {
	case err != nil:
		return nil, c.fail(&llm.Failure{Kind: llm.CutOff})
	case response.StatusCode != http.StatusOK:
		return nil, c.fail(refusal(response, body[:min(len(body), maxRefusal)]))
	}
	sorted, failure := inOrder(body, c.texts)
	if failure != nil {
		return nil, c.fail(failure)
	}
	response.Body = io.NopCloser(bytes.NewReader(sorted))
	return response, nil
}

func (c *embedCall) fail(f *llm.Failure) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failure = f
	return errors.New("see the failure of the call")
}

func (c *embedCall) failed() *llm.Failure {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// inOrder puts the vectors of an answer in the order of their texts: that of their numbers, if they have any.
func inOrder(body []byte, texts int) ([]byte, *llm.Failure) {
	var answer struct {
		Data []struct {
			Index     *int            `json:"index"`
			Embedding json.RawMessage `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		if t, ok := readTrouble(body); ok {
			return nil, inStream(t)
		}
		return nil, malformed("what came is no list of vectors")
	}
	if len(answer.Data) == 0 {
		if t, ok := readTrouble(body); ok {
			return nil, inStream(t)
		}
	}
	if len(answer.Data) != texts {
		return nil, malformed("%d vectors came for %d texts", len(answer.Data), texts)
	}
	data := make([]map[string]json.RawMessage, texts)
	for i, d := range answer.Data {
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= texts || data[i] != nil {
			return nil, malformed("two vectors came for one text, or one for none")
		}
		data[i] = map[string]json.RawMessage{"embedding": d.Embedding}
	}
	sorted, err := json.Marshal(map[string]any{"data": data})
	if err != nil {
		return nil, malformed("write the vectors: %v", err)
	}
	return sorted, nil
}
