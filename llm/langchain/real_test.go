package langchain_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"annai/llm"
	"annai/llm/langchain"
	"annai/llm/llmtest"
)

// TestRealModel asks a real server with a real, if very small, model: what it says is noise, so only the form of it is looked at.
func TestRealModel(t *testing.T) {
	m, err := langchain.OpenAI("small", langchain.Options{BaseURL: llmtest.Small(t, 512)})
	if err != nil {
		t.Fatal(err)
	}
	hello := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Say hello."}}, MaxTokens: 6}
	t.Run("stream and usage", func(t *testing.T) {
		pieces := 0
		a, err := llm.Collect(func(yield func(llm.Delta, error) bool) {
			for d, err := range llm.Retry(m, llm.RetryOptions{Times: 3000, Backoff: 100 * time.Millisecond, MaxWait: 100 * time.Millisecond}).Stream(t.Context(), hello) {
				if d.Text != "" {
					pieces++
				}
				if !yield(d, err) {
					return
				}
			}
		})
		if err != nil || pieces < 2 || a.Text == "" {
			t.Fatalf("Stream = %q in %d pieces, %v; want several", a.Text, pieces, err)
		}
		if a.End.Usage.Prompt < 5 || a.End.Usage.Answer < 1 || a.End.Usage.Answer > 6 || a.End.Model != m.Name() {
			t.Errorf("the end = %+v, want the usage and the name", a.End)
		}
	})
	t.Run("schema", func(t *testing.T) {
		r := hello
		r.MaxTokens = 40
		r.Schema = json.RawMessage(`{"type":"object","properties":{"route":{"type":"string","enum":["event","info"]}},"required":["route"],"additionalProperties":false}`)
		a, err := llm.Collect(m.Stream(t.Context(), r))
		var got struct {
			Route string `json:"route"`
		}
		if err == nil {
			err = a.Decode(&got)
		}
		if err != nil || got.Route != "event" && got.Route != "info" {
			t.Errorf("Stream with a schema = %q, %v; want a route", a.Text, err)
		}
		r.Schema = json.RawMessage(`{"type":"nonsense"}`)
		if a, err := llm.Collect(m.Stream(t.Context(), r)); llm.KindOf(err) != llm.Unfit {
			t.Errorf("Stream with a schema that is none = %q, %v; want unfit", a.Text, err)
		}
	})
	t.Run("tools", func(t *testing.T) {
		r := hello
		r.Tools = []llm.Tool{{Name: "today", Description: "Says which day it is.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)}}
		if a, err := llm.Collect(m.Stream(t.Context(), r)); err != nil && llm.KindOf(err) != llm.Malformed && llm.KindOf(err) != llm.Unavailable {
			t.Errorf("Stream with a tool = %+v, %v; want words, calls, or to be told that it can't", a, err)
		}
	})
	t.Run("too long", func(t *testing.T) {
		r := hello
		r.Messages = []llm.Message{{Role: llm.User, Text: strings.Repeat("hello world ", 600)}}
		if a, err := llm.Collect(m.Stream(t.Context(), r)); llm.KindOf(err) != llm.TooLong {
			t.Errorf("Stream of what does not fit = %q, %v; want too_long", a.Text, err)
		}
	})
	t.Run("a caller who leaves", func(t *testing.T) {
		r := hello
		r.MaxTokens = 400
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last error
		for _, err := range m.Stream(ctx, r) {
			cancel()
			last = err
		}
		if llm.KindOf(last) != llm.Late || !errors.Is(last, context.Canceled) {
			t.Errorf("Stream = %v, want late", last)
		}
		if a, err := llm.Collect(m.Stream(t.Context(), hello)); err != nil || a.Text == "" {
			t.Errorf("Stream after that = %+v, %v; want the server to be free again", a, err)
		}
	})
}
