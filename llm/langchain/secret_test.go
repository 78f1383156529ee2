package langchain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"annai/llm"
	"annai/llm/langchain"
	"annai/llm/llmtest"
)

// The key reaches the server, and nothing else: not an error, however a server quotes it, not a log, not what is printed of a model.
func TestKeys(t *testing.T) {
	quoted := map[string]http.HandlerFunc{
		"as JSON": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"bad key `+key+`","type":"`+key+`","code":"`+key+`"}}`)
		},
		"as text":       func(w http.ResponseWriter, _ *http.Request) { http.Error(w, key, http.StatusInternalServerError) },
		"as a redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/?k="+key, http.StatusFound) },
		"as a wrong key": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"message":"no such key: `+key[:8]+`***`+key[len(key)-4:]+`"}}`)
		},
		"in a stream": raw(`data: {"error":{"message":"key ` + key + `","code":500}}` + "\n\n"),
		"as a stream": raw("data: " + key + "\n\n"),
		"as a tool":   raw(tool(`"index":0,`, "a", key, `"[]"`) + done),
		"as no HTTP": func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(c, key+"\r\n\r\n")
				_ = c.Close()
			}
		},
	}
	for _, p := range []provider{named(t, "openai"), named(t, "google"), named(t, "anthropic")} {
		for name, handler := range quoted {
			got := ""
			m := p.serve(t, func(w http.ResponseWriter, r *http.Request) {
				got = r.Header.Get("Authorization") + r.Header.Get("X-Api-Key")
				body, _ := io.ReadAll(r.Body)
				if bytes.Contains(body, []byte(key)) || strings.Contains(r.URL.String(), key) {
					t.Errorf("%s: the key is in the body or the address", p.name)
				}
				handler(w, r)
			}, langchain.Options{Key: key})
			_, err := llm.Collect(m.Stream(t.Context(), llmtest.Ask()))
			if err == nil || strings.TrimPrefix(got, "Bearer ") != key {
				t.Errorf("%s, key %s: Stream = %v, and the server got %q; want a failure and the key", p.name, name, err, got)
			}
			var log bytes.Buffer
			slog.New(slog.NewJSONHandler(&log, nil)).Error("asked", slog.Any("err", err), slog.Any("model", m))
			for _, text := range []string{fmt.Sprint(err), fmt.Sprintf("%+v %#v", err, err), log.String(), m.Name()} {
				if leaks(text) {
					t.Errorf("%s, key %s: %s", p.name, name, text)
				}
			}
		}
	}
}

// leaks finds the key, or enough of it to know whose it is.
func leaks(text string) bool {
	return strings.Contains(text, key[:8]) || strings.Contains(text, key[len(key)-4:])
}

func TestSecretsPrintAsAsterisks(t *testing.T) {
	opts := langchain.Options{Key: key}
	m, err := langchain.OpenAI("x", opts)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(map[string]langchain.Key{"key": opts.Key})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("settings", slog.Any("opts", opts), slog.Any("key", opts.Key))
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s %q %x %d", opts, opts, opts, opts.Key, opts.Key, opts.Key, opts.Key), string(encoded), log.String()} {
		if leaks(text) || !strings.Contains(text, "***") {
			t.Errorf("printed %s, want asterisks", text)
		}
	}
	if text := fmt.Sprintf("%v %+v %#v", *m, *m, *m); leaks(text) {
		t.Errorf("printed %s, want no key", text)
	}
}

// Without a key none is sent: not the library's placeholder, and not what it finds in the environment.
func TestNoKey(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_ORGANIZATION", "OPENAI_BASE_URL", "OPENAI_MODEL", "ANTHROPIC_API_KEY"} {
		t.Setenv(name, "https://from-the-environment.invalid")
	}
	for _, p := range providers() {
		m := p.serve(t, func(w http.ResponseWriter, r *http.Request) {
			if h := r.Header; h.Get("Authorization") != "" || h.Get("X-Api-Key") != "" || h.Get("OpenAI-Organization") != "" {
				t.Errorf("%s was sent %v, want no key", p.name, h)
			}
			p.reply(t, llmtest.Reply{Pieces: []string{"a"}, Stop: llm.Finished})(w, r)
		}, langchain.Options{})
		if _, err := llm.Collect(m.Stream(t.Context(), llmtest.Ask())); err != nil {
			t.Error(err)
		}
	}
}
