package agentcore_test

import (
	"context"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/server/agentcore"
	"annai/server/door/doortest"
	"annai/server/gate"
	"annai/server/render/readers"
)

// fake says what it is told, and keeps the sessions.
type fake struct {
	gate.Concierge

	sessions []string
}

func (f *fake) Ask(_ context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	f.sessions = append(f.sessions, turn.SessionID)
	return func(yield func(dialog.Event, error) bool) {
		_ = yield(dialog.Started{RunStarted: api.RunStarted{Language: "en"}}, nil) &&
			yield(dialog.Progress{NodeProgress: api.NodeProgress{Node: "event", LabelEN: "Looking"}}, nil) &&
			yield(dialog.Sentence{SpokenSentence: api.SpokenSentence{Text: turn.Query, Emotion: "happy"}}, nil) &&
			yield(dialog.Final{}, nil)
	}
}

// TestInvocations answers as a stream where that is read, else at once, in the session that the
// client names.
func TestInvocations(t *testing.T) {
	f := &fake{}
	d, err := agentcore.New(agentcore.Parts{
		Gate: gate.New(f, gate.Options{}), Now: time.Now, NewID: func() string { return time.Now().String() },
	})
	if err != nil {
		t.Fatal(err)
	}
	handler := doortest.Handler(d, doortest.ByKey, doortest.Free)
	do := func(method, path, body string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	const stream, session = "text/event-stream", "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id"
	const first = `{"prompt":"[2026/11/28(土) 9:05] Hello","session_id":"s","actor_id":"a"}`
	w := do("POST", "/invocations", first, "Accept", stream)
	heard, err := readers.Tonari(w.Body)
	if err != nil || heard.Shown != "[happy]Hello.\n" || len(heard.Status) != 1 || heard.Status[0] != "Looking" {
		t.Errorf("heard %+v, %v, want the words and what was done", heard, err)
	}
	w = do("POST", "/invocations", `{"prompt":"Hello"}`, session, "s")
	if !strings.Contains(w.Body.String(), `"response":"[happy]Hello.\n"`) {
		t.Errorf("without a stream: %s", w.Body)
	}
	do("POST", "/invocations", `{"prompt":"Hello","session_id":"s","actor_id":"b"}`)
	do("POST", "/invocations", `{"prompt":"Hello","session_id":"s","actor_id":"a"}`)
	s := f.sessions
	if len(s) != 4 || s[0] != s[3] || s[0] == s[1] || s[1] == s[2] || s[0] == s[2] {
		t.Errorf("sessions %q, want the first and the last to be one", s)
	}
	if w := do("POST", "/invocations", `{"prompt":" "}`); w.Code != http.StatusBadRequest {
		t.Errorf("nothing said = %d %s, want 400", w.Code, w.Body)
	}
	if w := do("GET", "/ping", ""); !strings.Contains(w.Body.String(), `"status":"Healthy"`) {
		t.Errorf("GET /ping = %s", w.Body)
	}
}
