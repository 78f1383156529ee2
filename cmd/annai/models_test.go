package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
	"annai/internal/config"
	"annai/llm"
	"annai/llm/llmtest"
)

// withModel are settings with a model of a server that speaks OpenAI's protocol.
func withModel(url string, deadline time.Duration) config.Config {
	now, _ := time.Parse(time.RFC3339, thursday)
	return config.Config{
		Now: now, SessionIdle: time.Minute, Deadline: deadline, SourceDeadline: deadline,
		Model: config.Model{
			Provider: "openai", Name: "small", URL: url, Temperature: true, Deadline: deadline, FirstWord: deadline, Concurrent: 1,
		},
		FallbackModel: config.Model{Provider: "none"},
	}
}

// visited is a turn as a front end hears it.
type visited struct {
	spoken []api.Sentence
	final  api.QueryResponse
	took   time.Duration
}

func visit(t *testing.T, a *assembly, query string) visited {
	t.Helper()
	var v visited
	began := time.Now()
	for event, err := range a.concierge.Ask(t.Context(), dialog.Turn{Query: query}) {
		if err != nil {
			t.Fatalf("Ask(%s) = %v", query, err)
		}
		switch e := event.(type) {
		case dialog.Sentence:
			v.spoken = append(v.spoken, api.Sentence{Text: e.Text, Emotion: e.Emotion})
		case dialog.Final:
			v.final = e.QueryResponse
		case dialog.Started, dialog.Progress, dialog.Cards, dialog.Suggestions, dialog.Confirm:
		}
	}
	v.took = time.Since(began)
	if diff := cmp.Diff(v.final.Speech, v.spoken); diff != "" {
		t.Errorf("%s: the speech of the answer is not what was spoken (-speech +spoken):\n%s", query, diff)
	}
	return v
}

func opened(t *testing.T, c config.Config) *assembly {
	t.Helper()
	a, err := assemble(t.Context(), c, wants{forgetful: true}, discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// TestSmallModel takes a question the whole way, with a real model that is too small to be of use: it streams, what it says is held against the
// evidence sentence by sentence, and what is left is the template's answer, in time.
func TestSmallModel(t *testing.T) {
	t.Parallel()
	const deadline = 5 * time.Minute // far more than it needs, even on a busy machine
	c := withModel(llmtest.Small(t, 4096), deadline)
	without := c
	without.Model = config.Model{Provider: "none"}
	a, plain := opened(t, c), opened(t, without)
	awake(t, c.Model)
	const query = "Can I bring my dog?" // a second one would take the machine another minute
	v, want := visit(t, a, query), visit(t, plain, query)
	use, template := v.final.Metadata.ProcessingInfo.Model, want.final.Text
	if use == nil { // it was asked to read the utterance, and had no time left to word the answer
		if v.final.Text != template {
			t.Errorf("the model was not heard, and the answer is %q, want %q", v.final.Text, template)
		}
		return
	}
	if use.Fallback != "" && use.Kept+use.Replaced == 0 && v.final.Text != template {
		t.Errorf("nothing of the model's was said, and the answer is %q, want %q", v.final.Text, template)
	}
	if v.took > 3*deadline || v.final.Emotion != want.final.Emotion || len(v.spoken) == 0 {
		t.Errorf("took %s, %q; want an answer in time with the face of the template's", v.took, v.final.Text)
	}
	if heard := len(use.Sentences); heard > 0 && use.Replaced+use.Dropped == 0 {
		t.Errorf("%d sentences were heard and none refused, want some of each: the model talks nonsense", heard)
	}
	t.Logf("%q after %s, %+v", v.final.Text, v.took.Round(time.Millisecond), *use)
}

// TestSmallContext: evidence that the model can't hold is the template's to word.
func TestSmallContext(t *testing.T) {
	t.Parallel()
	c := withModel(llmtest.Small(t, 256), 5*time.Minute)
	a := opened(t, c)
	awake(t, c.Model)
	v := visit(t, a, "Wi-Fiのパスワードはどこで分かりますか？")
	if use := v.final.Metadata.ProcessingInfo.Model; use == nil || use.Fallback != string(llm.TooLong) || !strings.Contains(v.final.Text, "受付カード") {
		t.Errorf("%q, %+v; want the template's answer because the evidence is too long", v.final.Text, use)
	}
}

// awake waits until the model has been loaded.
func awake(t *testing.T, m config.Model) {
	t.Helper()
	made, err := bareModel(m)
	if err != nil {
		t.Fatal(err)
	}
	patient := llm.Retry(made, llm.RetryOptions{Times: 3000, Backoff: 100 * time.Millisecond, MaxWait: 100 * time.Millisecond})
	if _, err := llm.Collect(patient.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}, MaxTokens: 1})); err != nil {
		t.Fatal(err)
	}
}

// TestDoctorTriesTheModel: each way to go wrong is said in plain words, in both languages, without the key.
func TestDoctorTriesTheModel(t *testing.T) {
	fail := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"error": %s}`, body)
		}
	}
	words := func(wait time.Duration) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(wait):
			case <-r.Context().Done():
			}
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Free Wi-Fi.\"}}]}\n\n"+
				"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		}
	}
	venue := smallVenue(t)
	for name, c := range map[string]struct {
		server http.HandlerFunc
		says   []string
	}{
		"well":              {words(0), []string{"ok    model", "began to answer after"}},
		"too slow":          {words(150 * time.Millisecond), []string{"FAIL  model", "too slow", "遅すぎる"}},
		"refused key":       {fail(401, `{"message": "Incorrect API key provided: sk-doctor-secret", "code": "invalid_api_key"}`), []string{"FAIL  model", "key was not accepted", "キーが受け付けられませんでした"}},
		"unknown model":     {fail(404, `{"message": "model \"small\" not found"}`), []string{"FAIL  model", "no model of that name", "その名前のモデルは"}},
		"quota":             {fail(429, `{"message": "quota exceeded", "type": "insufficient_quota"}`), []string{"FAIL  model", "no credit left", "利用枠"}},
		"loading":           {fail(503, `{"message": "Loading model", "type": "unavailable_error"}`), []string{"FAIL  model", "still loading", "読み込み中"}},
		"a context too big": {fail(400, `{"message": "the request exceeds the available context size", "type": "exceed_context_size_error"}`), []string{"FAIL  model", "longer than the model can hold", "文脈長"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c.server)
			defer server.Close()
			t.Setenv("ANNAI_MODEL_PROVIDER", "openai")
			t.Setenv("ANNAI_MODEL", "small")
			t.Setenv("ANNAI_MODEL_KEY", "sk-doctor-secret")
			if name == "too slow" {
				t.Setenv("ANNAI_MODEL_FIRST_WORD", "50ms")
			} else { // the machine may be busy
				t.Setenv("ANNAI_MODEL_FIRST_WORD", longDeadline)
				t.Setenv("ANNAI_MODEL_DEADLINE", longDeadline)
			}
			code, out, errs := command(t, "", "doctor", "--venue", venue, "--model-url", server.URL+"/v1")
			for _, words := range c.says {
				if !strings.Contains(out, words) {
					t.Errorf("annai doctor = %d, %s%s, want %q", code, out, errs, words)
				}
			}
			if well := name == "well"; well != (code == exitOK) || strings.Contains(out+errs, "doctor-secret") {
				t.Errorf("annai doctor = %d, %s%s, want it to fail only where something is wrong, and no key", code, out, errs)
			}
		})
	}
	t.Run("unreachable", func(t *testing.T) {
		t.Setenv("ANNAI_MODEL_PROVIDER", "ollama")
		t.Setenv("ANNAI_MODEL", "small")
		code, out, _ := command(t, "", "doctor", "--venue", venue, "--model-url", "http://127.0.0.1:1/v1")
		if code != exitFailed || !strings.Contains(out, "FAIL  model") || !strings.Contains(out, "could not be reached") {
			t.Errorf("annai doctor = %d, %s; want it to say that the server could not be reached", code, out)
		}
	})
}

// TestModelSettingsThatCannotBe stop the program with a sentence, and the doctor says it too.
func TestModelSettingsThatCannotBe(t *testing.T) {
	t.Setenv("ANNAI_MODEL_PROVIDER", "openai")
	t.Setenv("ANNAI_MODEL", "x")
	venue := smallVenue(t)
	if code, _, errs := command(t, "", "ask", "--venue", venue, "x"); code != exitFailed || !strings.Contains(errs, "needs a key") {
		t.Errorf("annai ask = %d, %q, want to be told that a key is needed", code, errs)
	}
	if code, out, _ := command(t, "", "doctor", "--venue", venue); code != exitFailed || !strings.Contains(out, "needs a key") {
		t.Errorf("annai doctor = %d, %q, want to be told that a key is needed", code, out)
	}
}

// TestChain: the second model is asked where the first fails.
func TestChain(t *testing.T) {
	c := withModel("http://127.0.0.1:1/v1", time.Minute)
	c.FallbackModel = c.Model
	c.FallbackModel.URL = "http://127.0.0.1:2/v1"
	m, err := openModel(c, time.Now, wants{}.observedModel, discard)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	_, err = llm.Collect(m.Stream(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}))
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1/small") || !strings.Contains(err.Error(), "127.0.0.1:2/small") {
		t.Errorf("Stream = %v, want to hear of both", err)
	}
}
