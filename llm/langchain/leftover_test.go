package langchain_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"annai/llm"
	"annai/llm/langchain"
	"annai/llm/llmtest"
)

// silent answers with a beginning, and then with nothing until the body is closed or the context ends.
type silent string

func (s silent) RoundTrip(r *http.Request) (*http.Response, error) {
	read, write := io.Pipe()
	context.AfterFunc(r.Context(), func() { _ = write.CloseWithError(r.Context().Err()) })
	go func() { _, _ = io.WriteString(write, string(s)) }()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: read, Request: r}, nil
}

// However a stream ends, no goroutine of it stays: the bubble would not end.
func TestNothingIsLeftBehind(t *testing.T) {
	for name, begin := range map[string]string{
		"openai":    hello + hello + hello,
		"anthropic": greets + greets,
		"failure":   hello + `data: {"error":{"message":"oops"}}` + "\n\n" + hello,
		"overload":  greets + `data: {"type":"error","error":{"type":"overloaded_error","message":"x"}}` + "\n\n" + ended,
		"nonsense":  hello + "data: {\n\n" + hello,
		"too much":  hello + hello + hello + hello + hello,
	} {
		newModel := langchain.OpenAI
		if name == "anthropic" || name == "overload" {
			newModel = langchain.Anthropic
		}
		synctest.Test(t, func(t *testing.T) {
			m, err := newModel("m", langchain.Options{Client: &http.Client{Transport: silent(begin)}, MaxAnswer: 28})
			if err != nil {
				t.Fatal(err)
			}
			for range m.Stream(t.Context(), llmtest.Ask()) {
				break
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := llm.Collect(m.Stream(ctx, llmtest.Ask())); err == nil {
				t.Errorf("%s: Stream = nil, want a failure", name)
			}
		})
	}
}
