package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// an a2aTask is a task of the Agent2Agent protocol, as far as a test looks.
type a2aTask struct {
	ID, ContextID string
	Status        struct {
		State   string
		Message struct{ Parts []struct{ Text string } }
	}
	Artifacts []struct{ Parts []struct{ Text string } }
}

// said is the text of the first artifact.
func (t a2aTask) said() string {
	if len(t.Artifacts) == 0 || len(t.Artifacts[0].Parts) == 0 {
		return ""
	}
	return t.Artifacts[0].Parts[0].Text
}

// TestAgents lets another agent ask the concierge, which asks back, by both versions of the protocol.
func TestAgents(t *testing.T) {
	t.Parallel()
	s := start(t)
	var card struct {
		URL    string
		Skills []any
	}
	s.call(t, http.MethodGet, "/.well-known/agent-card.json", nil, &card)
	if card.URL != s.url+"/a2a" || len(card.Skills) == 0 {
		t.Errorf("agent card %+v, want the address of this server, and skills", card)
	}
	ask := func(words, task string) a2aTask {
		t.Helper()
		var answer struct{ Result struct{ Task a2aTask } }
		s.call(t, http.MethodPost, "/a2a", map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": map[string]any{"message": map[string]any{
				"messageId": words, "taskId": task, "role": "ROLE_USER", "parts": []any{map[string]any{"text": words}},
			}},
		}, &answer)
		return answer.Result.Task
	}
	asked := ask("カフェは何時まで開いていますか？", "")
	if asked.Status.State != "TASK_STATE_INPUT_REQUIRED" ||
		!strings.Contains(asked.Status.Message.Parts[0].Text, "エンジニアカフェのことですか") {
		t.Fatalf("task %+v, want which café is meant as a question", asked)
	}
	answered := ask("エンジニアカフェ", asked.ID)
	if answered.ID != asked.ID || answered.ContextID != asked.ContextID ||
		answered.Status.State != "TASK_STATE_COMPLETED" || !strings.Contains(answered.said(), "22:00") {
		t.Errorf("answered task %+v, want when it closes", answered)
	}
}

// TestInterfaces lets a page that speaks AG-UI ask the concierge, which asks back.
func TestInterfaces(t *testing.T) {
	t.Parallel()
	s := start(t)
	type event struct {
		Type    string
		Delta   json.RawMessage
		Outcome struct {
			Type       string
			Interrupts []struct{ ID, Reason, Message string }
		}
	}
	run := func(input string) (said string, last event) {
		t.Helper()
		request, err := http.NewRequestWithContext(
			t.Context(), http.MethodPost, s.url+"/agui", strings.NewReader(input))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			last = event{}
			if err := json.Unmarshal([]byte(data), &last); err != nil {
				t.Fatalf("%v: %s", err, data)
			}
			var text string
			if json.Unmarshal(last.Delta, &text) == nil {
				said += text
			}
		}
		return said, last
	}
	said, last := run(`{"threadId":"t","runId":"1","messages":[
		{"id":"m","role":"user","content":"カフェは何時まで開いていますか？"}]}`)
	if last.Outcome.Type != "interrupt" || len(last.Outcome.Interrupts) != 1 ||
		last.Outcome.Interrupts[0].Reason != "clarify" || !strings.Contains(said, "エンジニアカフェのことですか") {
		t.Fatalf("%q, then %+v, want which café is meant as a question", said, last)
	}
	said, last = run(`{"threadId":"t","runId":"2","messages":[],"resume":[
		{"interruptId":"` + last.Outcome.Interrupts[0].ID + `","status":"resolved","payload":"エンジニアカフェ"}]}`)
	if last.Outcome.Type != "success" || !strings.Contains(said, "22:00") {
		t.Errorf("%q, then %+v, want when it closes", said, last)
	}
}
