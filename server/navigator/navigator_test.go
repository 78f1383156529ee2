package navigator_test

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
	"annai/fault"
	"annai/server/door"
	"annai/server/door/doortest"
	"annai/server/gate"
	"annai/server/navigator"
	"annai/server/render/readers"
)

// fake says what it is told, surprised, and keeps the turns. Told to fail, it does.
type fake struct {
	gate.Concierge

	turns []dialog.Turn
}

func (f *fake) Ask(_ context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	f.turns = append(f.turns, turn)
	return func(yield func(dialog.Event, error) bool) {
		if !yield(dialog.Started{RunStarted: api.RunStarted{Language: "en"}}, nil) {
			return
		}
		if strings.Contains(turn.Query, "fail") {
			yield(nil, fault.ErrUnavailable)
			return
		}
		said := api.SpokenSentence{Text: turn.Query + ".", Emotion: "surprised"}
		_ = yield(dialog.Sentence{SpokenSentence: said}, nil) && yield(dialog.Final{QueryResponse: api.QueryResponse{
			Text: "[surprised]" + turn.Query, Emotion: "surprised", Language: "en", AgentName: "EventAgent",
			SessionID: turn.SessionID,
		}}, nil)
	}
}

func newDoor(t *testing.T) (*fake, func(method, path, body string) *httptest.ResponseRecorder) {
	t.Helper()
	f := &fake{}
	d, err := navigator.New(
		navigator.Parts{Concierge: f, Now: time.Now, NewID: func() string { return "new" }},
		navigator.Options{
			Suggestions: func(language string) []string { return []string{language + "?"} },
			CallStaff: func(_ context.Context, _ door.Caller, device, language string) (string, bool) {
				return language + " at " + device, device == "hall"
			},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	handler := doortest.Handler(d, doortest.ByKey, doortest.Free)
	return f, func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if strings.Contains(body, "hall") {
			r.Header.Set("X-Device", "hall")
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
}

// TestQA answers without a tag, with one of the front end's faces, in its session and language.
func TestQA(t *testing.T) {
	f, do := newDoor(t)
	w := do("POST", "/api/qa", `{"action":"ask_question","question":"カフェ","sessionId":"s","language":"en"}`)
	heard, err := readers.Navigator(strings.NewReader(w.Body.String()))
	silent := strings.Contains(w.Body.String(), `"audioResponse":null`)
	if err != nil || heard.Shown != "カフェ" || heard.Spoken[0].Face != "curious" || !silent {
		t.Errorf("heard %+v, %v of %s", heard, err, w.Body)
	}
	if turn := f.turns[0]; turn.SessionID != "s" || turn.Language != "en" {
		t.Errorf("turn %+v, want the session and the language", turn)
	}
	for body, want := range map[string]string{
		`{"action":"get_fallback_response","language":"en"}`:                  `"success":true`,
		`{"action":"ask_question"}`:                                           `"success":false`,
		`{"action":"ask_question","question":"a","language":"fr"}`:            `language must be ja or en`,
		`{"action":"escalate_to_staff","language":"ja","x":"hall"}`:           `"response":"ja at hall","success":true`,
		`{"action":"escalate_to_staff","language":"en"}`:                      `"success":false`,
		`{"action":"translate_question","text":"a"}`:                          `nothing that can be done here`,
		`{"action":"sing"}`:                                                   `action must be`,
		`{"action":"ask_question","question":"fail","sessionId":"s"}`:         `"code":"unavailable"`,
		`{"action":"ask_question","question":"` + long + `","sessionId":"s"}`: `2000 characters`,
	} {
		if w := do("POST", "/api/qa", body); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%.60s = %d %s, want %s", body, w.Code, w.Body, want)
		}
	}
	for query, want := range map[string]string{
		"sample_questions&language=en": `"questions":["en?"]`, "health": `"status":"healthy"`, "": `action must be`,
	} {
		if w := do("GET", "/api/qa?action="+query, ""); !strings.Contains(w.Body.String(), want) {
			t.Errorf("GET %s = %s, want %s", query, w.Body, want)
		}
	}
}

var long = strings.Repeat("x", 2001)

// TestChat answers a question at once, and messages with a stream: written for a page with parts,
// spoken for others.
func TestChat(t *testing.T) {
	f, do := newDoor(t)
	w := do("POST", "/api/chat", `{"query":"Hi","session_id":"s","language":"en","context":{}}`)
	if got := w.Body.String(); !strings.HasPrefix(got, `{"answer":"Hi","emotion":"surprised","metadata":{`) {
		t.Errorf("a question is answered with %s", got)
	}
	const parts = `{"id":"c","messages":[{"role":"user","parts":[{"type":"text","text":"old"}]},` +
		`{"role":"assistant","parts":[]},{"role":"user","parts":[{"type":"text","text":"%"}]}]}`
	w = do("POST", "/api/chat", strings.Replace(parts, "%", "Hi", 1))
	heard, err := readers.AISDK(w.Body)
	if err != nil || heard.Shown != "Hi" || w.Header().Get("X-Vercel-Ai-Ui-Message-Stream") != "v1" {
		t.Errorf("a page shows %+v, %v, want the words", heard, err)
	}
	w = do("POST", "/api/chat", strings.Replace(parts, "%", "fail", 1))
	if !strings.Contains(w.Body.String(), `"type":"error"`) {
		t.Errorf("a page is told %s, want an error", w.Body)
	}
	w = do("POST", "/api/chat", `{"threadId":"t","messages":[`+
		`{"role":"user","content":"[2026-11-28T10:00:00.000Z] Hi"}]}`)
	heard, err = readers.AITuberKitPage(w.Body)
	if err != nil || len(heard.Spoken) != 1 || heard.Spoken[0] != (readers.Spoken{Face: "surprised", Text: "Hi."}) {
		t.Errorf("AITuberKit speaks %+v, %v", heard, err)
	}
	if f.turns[1].SessionID != "c" || f.turns[3].SessionID != "t" || w.Code != http.StatusOK {
		t.Errorf("turns %+v, want the sessions of chat and thread", f.turns)
	}
}
