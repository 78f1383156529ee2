package gemini_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/tools/calendar/google/discovery"
	"annai/tools/media/gemini"
	"annai/tools/media/h264"
	"annai/tools/media/mp4"
)

// key is what the fake asks for.
const key = "key-of-the-test"

// fake speaks the Gemini API as far as the client does: generateContent,
// predictLongRunning, operations and files. What it answers is set by test.
type fake struct {
	t   *testing.T
	url string

	mu sync.Mutex
	// answers are by method: "generateContent", "predictLongRunning", "operation",
	// "file".
	answers map[string]http.HandlerFunc
	// polls is how often an operation is to be asked for until it is done.
	polls int
	// seen are the requests, as "METHOD path", and bodies what was sent last by method.
	seen   []string
	bodies map[string]map[string]any
}

// newFake returns a fake where all goes well, and a client of it.
func newFake(t *testing.T, opts gemini.Options) (*fake, *gemini.Client) {
	t.Helper()
	f := &fake{t: t, polls: 2, bodies: map[string]map[string]any{}}
	f.answers = map[string]http.HandlerFunc{
		"generateContent": says(map[string]any{"candidates": []any{map[string]any{
			"content": map[string]any{"role": "model", "parts": []any{
				map[string]any{"text": "Here it is."},
				map[string]any{"inlineData": map[string]any{"mimeType": "image/png", "data": picture(t, 8, 6)}},
			}},
			"finishReason": "STOP",
		}}}),
		"predictLongRunning": says(map[string]any{"name": "models/veo-3.0-generate-001/operations/op1"}),
		"operation":          f.operation,
		"look":               says(map[string]any{"name": "models/veo-3.0-generate-001"}),
		"file": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("alt") != "media" {
				t.Errorf("GET %s, want alt=media", r.URL)
			}
			_, _ = w.Write(film(t))
		},
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.url = server.URL
	opts.URL = server.URL + "/v1beta/"
	opts.Poll = time.Millisecond
	client, err := gemini.New(key, opts)
	if err != nil {
		t.Fatal(err)
	}
	return f, client
}

func (f *fake) set(method string, answer http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[method] = answer
}

// check holds a message of a method against Google's own description.
func (f *fake) check(what, method string, body []byte) {
	d, err := discovery.Models()
	if err != nil {
		f.t.Error(err)
		return
	}
	forms := map[string]string{
		"generateContent": "GenerateContentRequest", "predictLongRunning": "PredictLongRunningRequest",
		"answer of generateContent": "GenerateContentResponse",
	}
	for _, problem := range d.Message("GoogleCloudAiplatformV1"+forms[method], body) {
		f.t.Errorf("%s: %s", what, problem)
	}
}

// TestFake holds that the fake answers as Google does.
func TestFake(t *testing.T) {
	f, _ := newFake(t, gemini.Options{})
	w := httptest.NewRecorder()
	f.answers["generateContent"](w, nil)
	f.check("the answer", "answer of generateContent", w.Body.Bytes())
}

// sent returns a copy of what was asked for.
func (f *fake) sent() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.seen...)
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Goog-Api-Key") != key || strings.Contains(r.URL.String(), key) {
		f.t.Errorf("%s %s has the key %q in its header", r.Method, r.URL, r.Header.Get("X-Goog-Api-Key"))
	}
	method := ""
	switch {
	case strings.HasPrefix(r.URL.Path, "/v1beta/files/"):
		method = "file"
	case strings.HasPrefix(r.URL.Path, "/v1beta/models/") && strings.Contains(r.URL.Path, "/operations/"):
		method = "operation"
	case strings.HasPrefix(r.URL.Path, "/v1beta/models/") && !strings.Contains(r.URL.Path, ":"):
		method = "look"
	case strings.HasPrefix(r.URL.Path, "/v1beta/models/"):
		_, method, _ = strings.Cut(r.URL.Path, ":")
	}
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	f.seen = append(f.seen, r.Method+" "+r.URL.Path)
	if len(body) > 0 {
		fields := map[string]any{}
		if err := json.Unmarshal(body, &fields); err != nil {
			f.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		}
		f.bodies[method] = fields
		f.check("the request", method, body)
	}
	answer := f.answers[method]
	f.mu.Unlock()
	if answer == nil {
		http.NotFound(w, r)
		return
	}
	answer(w, r)
}

// operation is not done at first.
func (f *fake) operation(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.polls--
	done := f.polls < 0
	f.mu.Unlock()
	name := strings.TrimPrefix(r.URL.Path, "/v1beta/")
	if !done {
		says(map[string]any{"name": name})(w, r)
		return
	}
	says(map[string]any{"name": name, "done": true, "response": map[string]any{
		"@type": "type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse",
		"generateVideoResponse": map[string]any{"generatedSamples": []any{
			map[string]any{"video": map[string]any{"uri": f.url + "/v1beta/files/f1:download?alt=media"}},
		}},
	}})(w, r)
}

// says answers with JSON.
func says(v any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		_ = json.NewEncoder(w).Encode(v)
	}
}

// refuses answers with an error as Google writes it, which repeats what was asked.
func refuses(code int, status string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(code)
		says(map[string]any{"error": map[string]any{
			"code": code, "status": status, "message": "Sorry about the birthday of Hanako.",
		}})(w, r)
	}
}

// text answers with what is no JSON of its kind.
func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

// breaks answers with less than it says.
func breaks(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = fmt.Fprint(w, `{"candidates": [`)
}

// goes redirects.
func goes(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

// again redirects to where it was asked.
func again(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }

func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// film returns an MP4 of 8 seconds.
func film(t *testing.T) []byte {
	t.Helper()
	encoder, err := h264.New(16, 16, 1)
	if err != nil {
		t.Fatal(err)
	}
	v := mp4.Video{Width: 16, Height: 16, Rate: 1}
	v.Sequence, v.Picture = encoder.Parameters()
	first := encoder.Key(image.NewYCbCr(image.Rect(0, 0, 16, 16), image.YCbCrSubsampleRatio420), 30)
	v.Samples = []mp4.Sample{{Unit: first, Key: true}}
	for range 7 {
		v.Samples = append(v.Samples, mp4.Sample{Unit: encoder.Repeat()})
	}
	file, err := v.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return file
}
