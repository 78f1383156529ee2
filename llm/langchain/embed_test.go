package langchain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"annai/fault"
	"annai/llm"
	"annai/llm/langchain"
	"annai/rag"
	"annai/rag/ragtest"
)

// An embedding service is a fake of one on loopback, which speaks its wire.
type embeddingService struct {
	name    string
	connect func(context.Context, string, langchain.EmbedderOptions) (*langchain.Embedder, error)
	// say writes the answer with these vectors.
	say func(vectors []rag.Vector) string
	// refuses is the status, and wrongKey the body, with which the service refuses a key.
	refuses  int
	wrongKey string
}

func embeddingServices() []embeddingService {
	return []embeddingService{
		{name: "openai", connect: langchain.OpenAIEmbedder, say: sayBackwards, refuses: 401, wrongKey: `{"error":{"message":"Incorrect API key provided: ` + key + `.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`},
		{name: "ollama", connect: langchain.OllamaEmbedder, say: sayInOrder, refuses: 401, wrongKey: `{"error":{"message":"unauthorized","type":"api_error","param":null,"code":null}}`},
		{name: "google", connect: langchain.GoogleEmbedder, say: sayUnnumbered, refuses: 400, wrongKey: `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`},
	}
}

// sayBackwards numbers the vectors, and gives the last first.
func sayBackwards(vectors []rag.Vector) string {
	var data []string
	for i, v := range slices.Backward(vectors) {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, numbers(v)))
	}
	return `{"object":"list","data":[` + strings.Join(data, ",") + `],"model":"model-1","usage":{"prompt_tokens":8,"total_tokens":8}}`
}

func sayInOrder(vectors []rag.Vector) string {
	var data []string
	for i, v := range vectors {
		data = append(data, fmt.Sprintf(`{"object":"embedding","embedding":%s,"index":%d}`, numbers(v), i))
	}
	return `{"object":"list","data":[` + strings.Join(data, ",") + `],"model":"model-1","usage":{"prompt_tokens":8,"total_tokens":8}}` + "\n"
}

func sayUnnumbered(vectors []rag.Vector) string {
	var data []string
	for _, v := range vectors {
		data = append(data, fmt.Sprintf(`{"object":"embedding","embedding":%s}`, numbers(v)))
	}
	return `{"object":"list","data":[` + strings.Join(data, ",") + `],"model":"model-1"}`
}

// numbers are a vector in JSON, three times as long as a unit.
func numbers(v rag.Vector) string {
	longer := make([]float64, len(v))
	for i, x := range v {
		longer[i] = 3 * float64(x)
	}
	data, err := json.Marshal(longer)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// answer embeds what a request asks for.
func (s embeddingService) answer(t *testing.T) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Model string
			Input []string
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Model != "model-1" || r.URL.Path != "/base/embeddings" || r.Method != http.MethodPost {
			t.Errorf("%s was asked %s %s for %q (%v), want POST /base/embeddings for model-1", s.name, r.Method, r.URL.Path, asked.Model, err)
		}
		if got := r.Header.Get("Authorization"); got != "Bearer "+key {
			t.Errorf("%s was sent %q, want the key", s.name, got)
		}
		if len(asked.Input) > 100 {
			t.Errorf("%s was sent %d texts at once, want at most the 100 that Google takes", s.name, len(asked.Input))
		}
		vectors, err := ragtest.Hashed{}.Embed(r.Context(), asked.Input)
		if err != nil {
			t.Errorf("%s was sent %q: %v", s.name, asked.Input, err)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, s.say(vectors))
	}
}

// serve starts the service and connects to it.
func (s embeddingService) serve(t *testing.T, handler http.HandlerFunc, opts langchain.EmbedderOptions) (*langchain.Embedder, error) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	opts.BaseURL, opts.Key, opts.Pause = server.URL+"/base", key, time.Millisecond
	return s.connect(t.Context(), "model-1", opts)
}

func TestEmbedders(t *testing.T) {
	for _, s := range embeddingServices() {
		t.Run(s.name, func(t *testing.T) {
			e, err := s.serve(t, s.answer(t), langchain.EmbedderOptions{})
			if err != nil {
				t.Fatal(err)
			}
			ragtest.Embedder(t, e)
			if f := e.Fingerprint(); !strings.HasSuffix(f, "/model-1/64/1") {
				t.Errorf("Fingerprint() = %q, want the model, 64 dimensions and version 1", f)
			}
			many := make([]string, 250)
			for i := range many {
				many[i] = fmt.Sprint("text ", i)
			}
			vectors, err := e.Embed(t.Context(), many)
			if err != nil || len(vectors) != len(many) {
				t.Fatalf("Embed(%d texts) = %d vectors, %v", len(many), len(vectors), err)
			}
			want, _ := ragtest.Hashed{}.Embed(t.Context(), many[249:])
			if c := rag.Cosine(vectors[249], want[0]); c < 0.999 {
				t.Errorf("Embed(%d texts): the last vector has the cosine %.3f with the right one, want 1", len(many), c)
			}
		})
	}
}

// TestEmbedderFailures says what each failure is, how often a request is sent for it, and that none of them quotes the key.
func TestEmbedderFailures(t *testing.T) {
	say := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	vector := func(text string) http.HandlerFunc {
		return say(http.StatusOK, `{"data":[{"index":0,"embedding":`+text+`}]}`)
	}
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		kind    llm.Kind
		fault   error
		asked   int64
	}{
		{"too many requests", say(429, `{"error":{"message":"slow down `+key+`","code":"rate_limit_exceeded"}}`), llm.RateLimited, fault.ErrUnavailable, 2},
		{"broken", say(503, `overloaded `+key), llm.Unavailable, fault.ErrUnavailable, 2},
		{"no such model", say(404, `{"error":{"message":"model \"model-1\" not found, try pulling it first","type":"api_error"}}`), llm.NoModel, fault.ErrNotFound, 1},
		{"too long", say(400, `{"error":{"message":"the input length exceeds the context length","type":"api_error"}}`), llm.Malformed, fault.ErrUnavailable, 1},
		{"refused", say(400, `{"error":{"message":"no `+key+`","type":"invalid_request_error"}}`), llm.Malformed, fault.ErrUnavailable, 1},
		{"an error that calls itself well", say(200, `{"error":{"message":"Loading model","code":503}}`), llm.Unavailable, fault.ErrUnavailable, 2},
		{"a page", say(200, "<!doctype html>"), llm.Malformed, fault.ErrUnavailable, 1},
		{"no vectors", say(200, `{"data":[]}`), llm.Malformed, fault.ErrUnavailable, 1},
		{"too many vectors", say(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]}`), llm.Malformed, fault.ErrUnavailable, 1},
		{"a vector of another text", say(200, `{"data":[{"index":7,"embedding":[1]}]}`), llm.Malformed, fault.ErrUnavailable, 1},
		{"an empty vector", vector(`[]`), llm.Malformed, fault.ErrUnavailable, 1},
		{"no vector", vector(`null`), llm.Malformed, fault.ErrUnavailable, 1},
		{"a zero vector", vector(`[0,0,0]`), llm.Malformed, fault.ErrUnavailable, 1},
		{"no numbers", vector(`["NaN"]`), llm.Malformed, fault.ErrUnavailable, 1},
		{"not a number", vector(`[NaN]`), llm.Malformed, fault.ErrUnavailable, 1},
		{"too large a number", vector(`[1e99,1]`), llm.Malformed, fault.ErrUnavailable, 1},
		{"infinite in sum", vector(`[3e38,3e38]`), "", nil, 1},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"data":`)
		}, llm.CutOff, fault.ErrUnavailable, 2},
	} {
		s := embeddingServices()[0]
		var asked atomic.Int64
		_, err := s.serve(t, func(w http.ResponseWriter, r *http.Request) { asked.Add(1); test.handler(w, r) }, langchain.EmbedderOptions{})
		if llm.KindOf(err) != test.kind || test.fault != nil && !errors.Is(err, test.fault) || asked.Load() != test.asked {
			t.Errorf("%s: connecting = %v after %d requests, want %q (%v) after %d", test.name, err, asked.Load(), test.kind, test.fault, test.asked)
		}
		if err != nil && (leaks(err.Error()) || errors.Is(err, fault.ErrInvalid)) {
			t.Errorf("%s: connecting = %v, which quotes the key or blames the text", test.name, err)
		}
	}
	for _, s := range embeddingServices() {
		_, err := s.serve(t, say(s.refuses, s.wrongKey), langchain.EmbedderOptions{})
		if llm.KindOf(err) != llm.Auth || !errors.Is(err, fault.ErrDenied) || leaks(err.Error()) {
			t.Errorf("%s with a wrong key = %v, want %q without the key", s.name, err, llm.Auth)
		}
	}
}

// TestEmbedderRecovers says that a service that was busy is asked again, and one that answers with another dimension is not believed.
func TestEmbedderRecovers(t *testing.T) {
	s := embeddingServices()[0]
	var asked atomic.Int64
	e, err := s.serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch asked.Add(1) {
		case 1:
			w.Header().Set("Retry-After-Ms", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case 3:
			_, _ = io.WriteString(w, `{"data":[{"index":0,"embedding":[1,0]}]}`)
		case 4:
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			s.answer(t)(w, r)
		}
	}, langchain.EmbedderOptions{})
	if err != nil || asked.Load() != 2 {
		t.Fatalf("connecting to a busy service = %v after %d requests, want it to succeed after 2", err, asked.Load())
	}
	if _, err := e.Embed(t.Context(), []string{"text"}); llm.KindOf(err) != llm.Malformed {
		t.Errorf("Embed with another dimension = %v, want %q", err, llm.Malformed)
	}
	if _, err := e.Embed(t.Context(), []string{"text"}); llm.KindOf(err) != llm.RateLimited || asked.Load() != 4 {
		t.Errorf("Embed by a service that wants a minute = %v after %d requests, want %q after 4", err, asked.Load(), llm.RateLimited)
	}
	if _, err := e.Embed(t.Context(), []string{"text"}); err != nil {
		t.Errorf("Embed after that: %v", err)
	}
}

func TestEmbedderTimeout(t *testing.T) {
	s := embeddingServices()[0]
	release := make(chan struct{})
	defer close(release)
	_, err := s.serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}, langchain.EmbedderOptions{Timeout: 20 * time.Millisecond})
	if llm.KindOf(err) != llm.Late || !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("connecting to a service that does not answer = %v, want %q", err, llm.Late)
	}
}

func TestEmbedderAddresses(t *testing.T) {
	for _, opts := range []langchain.EmbedderOptions{
		{BaseURL: "ftp://models.example"}, {BaseURL: "https://user:word@models.example"}, {BaseURL: "http://models.example/v1", Key: key},
	} {
		if _, err := langchain.OpenAIEmbedder(t.Context(), "model-1", opts); !errors.Is(err, fault.ErrInvalid) || leaks(err.Error()) || strings.Contains(err.Error(), "word") {
			t.Errorf("OpenAIEmbedder at %s = %v, want ErrInvalid without quoting it", opts.BaseURL, err)
		}
	}
	if _, err := langchain.OpenAIEmbedder(t.Context(), "", langchain.EmbedderOptions{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("OpenAIEmbedder without a model = %v, want ErrInvalid", err)
	}
}

// A says is a transport by which every request is answered the same.
type says string

func (s says) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(s))), Request: r}, nil
}

// FuzzEmbedder says that whatever a service answers is a vector of unit length or a failure.
func FuzzEmbedder(f *testing.F) {
	f.Add(`{"data":[{"index":0,"embedding":[3,4]}]}`)
	f.Add(`{"data":[{"embedding":[1e39]}],"error":{"message":"x","code":429}}`)
	f.Add(`[{"error":"loading"}]`)
	f.Fuzz(func(t *testing.T, body string) {
		opts := langchain.EmbedderOptions{Client: &http.Client{Transport: says(body)}, Pause: time.Nanosecond}
		e, err := langchain.OpenAIEmbedder(t.Context(), "model-1", opts)
		if err != nil {
			if llm.KindOf(err) == "" {
				t.Errorf("connecting to a service that says %q = %v, want a failure of a kind", body, err)
			}
			return
		}
		vectors, err := e.Embed(t.Context(), []string{"text"})
		if err != nil || len(vectors) != 1 || !vectors[0].IsUnit() {
			t.Errorf("Embed by a service that says %q = %v, %v; want a vector of unit length", body, vectors, err)
		}
	})
}
