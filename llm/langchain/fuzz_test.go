package langchain_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"annai/llm"
	"annai/llm/langchain"
	"annai/llm/llmtest"
)

// fixed answers every request with a body, without a network.
type fixed string

func (f fixed) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: r,
		Body: io.NopCloser(strings.NewReader(string(f))),
	}, nil
}

// Whatever comes, the stream ends in one way, its text is text, and its calls are objects with names.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		hello + stop + done, greets + ended, tool("", "a", "f", `"{}"`) + done, "data: [DONE]\n\n", "data:\n\n", "\r\n\r\n", "data: null\n\n",
		`data: {"error":"x"}` + "\n\n", `data: {"type":"error"}` + "\n\n", `data: {"choices":[{"delta":{"content":"\ud800"}}]}` + "\n\n" + stop,
		`data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"a","name":"f"}}` + "\n\n" + ended,
		"data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}\n\n" + done,
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, body string, anthropic bool) {
		newModel := langchain.OpenAI
		if anthropic {
			newModel = langchain.Anthropic
		}
		m, err := newModel("m", langchain.Options{Client: &http.Client{Transport: fixed(body)}, MaxAnswer: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		over := 0
		for d, err := range m.Stream(t.Context(), llmtest.Ask()) {
			if err != nil || d.End != nil {
				over++
			}
			if err != nil && llm.KindOf(err) == "" {
				t.Errorf("%v is no failure", err)
			}
			if !utf8.ValidString(d.Text) {
				t.Errorf("%q is no text", d.Text)
			}
			if c := d.Call; c != nil && (c.ID == "" || c.Name == "" || !strings.HasPrefix(strings.TrimSpace(string(c.Arguments)), "{")) {
				t.Errorf("%+v is no call", c)
			}
		}
		if over != 1 {
			t.Errorf("the stream ended %d times", over)
		}
	})
}
