package openai_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/server/openai"
)

// TestChores answers what chat pages ask on the side, in the form that is asked for, without asking the concierge.
func TestChores(t *testing.T) {
	f := newFixture(t, &fake{}, settings{door: openai.Options{Suggestions: func(language string) []string {
		if language == "en" {
			return []string{"What's on today?"}
		}
		return []string{"今日のイベントは？", "Wi-Fiは？"}
	}}})
	const talk = "\n### Chat History:\n<chat_history>\nUSER: 今日のイベントは？\nASSISTANT: [happy]\"title\": 二件です。\nUSER: 明日は？\n</chat_history>"
	for _, test := range []struct{ name, model, prompt, want string }{
		{"a title", "annai", "### Task:\nName the talk.\n### Output:\nJSON: { \"title\": \"...\" }" + talk, `{"title":"今日のイベントは"}`},
		{"tags", "annai-utility", "### Task:\nTags.\nJSON: { \"tags\": [\"a\"] }" + talk, `{"tags":["General"]}`},
		{"what to ask next", "annai:chat", "### Task:\nQuestions.\nJSON: { \"follow_ups\": [] }" + talk, `{"follow_ups":["Wi-Fiは？"]}`},
		{"what to search for", "annai", "### Task:\nQueries.\nJSON: { \"queries\": [\"a\"] }" + talk, `{"queries":[]}`},
		{"how a sentence goes on", "annai", "### Task:\nComplete.\nJSON: { \"text\": \"a\" }" + talk, `{"text":""}`},
		{"tools", "annai-utility", "Answer { \"tool_calls\": [] } for: Query: x", `{"tool_calls":[]}`},
		{"a title in words", "annai-utility", "Write a title in five words.\n||>User:\n\"What events are there in the main hall on Saturday?\"\n||>Response:\n\"Two.\"\n||>Title:", "What events are there in the…"},
		{"a title of another kind", "annai-utility", "Provide a concise title.\n\nUser: Wi-Fiは？\nAI: あります。", "Wi-Fiは"},
		{"nothing to name", "annai-utility", "hello", "annai"},
	} {
		for _, stream := range []string{"false", "true"} {
			body, err := json.Marshal(map[string]any{
				"model": test.model, "stream": stream == "true", "response_format": map[string]string{"type": "json_object"},
				"messages": []map[string]string{{"role": "user", "content": test.prompt}},
			})
			if err != nil {
				t.Fatal(err)
			}
			w := f.post(t, "/v1/chat/completions", string(body), "X-OpenWebUI-Chat-Id", "c")
			got := ""
			if stream == "true" {
				texts, _ := contents(t, frames(t, w))
				got = strings.Join(texts, "")
			} else {
				var c struct {
					Choices []struct{ Message struct{ Content string } }
				}
				if err := json.Unmarshal([]byte(text(t, w)), &c); err != nil || w.StatusCode != http.StatusOK {
					t.Fatalf("%s: %s, %v", test.name, w.Status, err)
				}
				got = c.Choices[0].Message.Content
			}
			if got != test.want {
				t.Errorf("%s, stream %s: %q, want %q", test.name, stream, got, test.want)
			}
		}
	}
	if n := len(f.asked.sessions()); n != 0 {
		t.Errorf("the concierge was asked %d times, want never", n)
	}
}

// TestResponses holds a response, and the events of one, against those that are written down.
func TestResponses(t *testing.T) {
	f := newFixture(t, &fake{}, settings{})
	var first struct {
		ID     string `json:"id"`
		Output []struct {
			Content []struct{ Text string }
		}
	}
	plain := text(t, f.post(t, "/v1/responses", `{"model":"annai","input":"今日は？","instructions":"Say yes.","store":true,"user":"u"}`))
	if err := json.Unmarshal([]byte(plain), &first); err != nil || first.Output[0].Content[0].Text != "今日は？。" {
		t.Fatalf("response %s, %v", plain, err)
	}
	golden(t, "response.json", plain+"\n")
	session := f.asked.last(t).SessionID
	stream := f.post(t, "/v1/responses", `{"model":"annai:avatar","stream":true,"previous_response_id":"`+first.ID+`","input":[{"role":"user","content":[{"type":"input_text","text":"明日は？"},{"type":"input_image","image_url":"data:x"}]},{"type":"function_call_output","output":"x"}]}`)
	golden(t, "response_stream.txt", text(t, stream))
	if got := f.asked.last(t); got.SessionID != session || got.Query != "明日は？" {
		t.Errorf("the next turn is %+v, want session %s", got, session)
	}
	var fresh struct{ ID string }
	if err := json.Unmarshal([]byte(text(t, f.post(t, "/v1/responses", `{"input":"今日は？"}`))), &fresh); err != nil {
		t.Fatal(err)
	}
	begun := f.asked.last(t).SessionID
	f.post(t, "/v1/responses", `{"input":"明日は？","previous_response_id":"`+fresh.ID+`"}`)
	if went := f.asked.last(t).SessionID; went != begun || begun == session {
		t.Errorf("a talk without a name goes from session %q to %q, want one of its own", begun, went)
	}
	f.post(t, "/v1/responses", `{"input":"今日は？"}`)
	if another := f.asked.last(t).SessionID; another == begun {
		t.Errorf("two talks that begin in the same words have the session %q, want one each", another)
	}
	chore := text(t, f.post(t, "/v1/responses", `{"model":"annai-utility","stream":true,"input":"User: hi there"}`))
	if !strings.Contains(chore, `"text":"hi there"`) || !strings.Contains(chore, "event: response.completed\n") {
		t.Errorf("a chore is answered %s", chore)
	}
}

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares the text with the file in testdata.
func golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil { //nolint:gosec // for everyone to read
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
