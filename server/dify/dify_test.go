package dify_test

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/server/dify"
	"annai/server/door/doortest"
	"annai/server/gate"
)

// fake says what it is told. Told to wait, it does so behind the first sentence until it is
// cancelled; told to fail, it fails there.
type fake struct {
	gate.Concierge

	mu    sync.Mutex
	turns []dialog.Turn
	ended []dialog.Session
}

func (f *fake) Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	f.mu.Lock()
	f.turns = append(f.turns, turn)
	f.mu.Unlock()
	return func(yield func(dialog.Event, error) bool) {
		said := api.SpokenSentence{Text: turn.Query + "。", Emotion: "happy"}
		if !yield(dialog.Started{RunStarted: api.RunStarted{RunID: turn.RunID, Language: "ja"}}, nil) ||
			!yield(dialog.Sentence{SpokenSentence: said}, nil) {
			return
		}
		switch turn.Query {
		case "wait":
			<-ctx.Done()
			yield(nil, context.Cause(ctx))
		case "fail":
			yield(nil, fault.ErrUnavailable)
		case "slow":
			time.Sleep(25 * time.Second)
			fallthrough
		default:
			yield(dialog.Final{QueryResponse: api.QueryResponse{
				Text: "[happy]- " + turn.Query, Emotion: "excited", Language: "ja", RunID: turn.RunID,
				Metadata: api.Metadata{
					Passages: []api.Passage{{ID: "p1", Title: "案内", Source: "guide.md", Score: 0.5}},
				},
				Suggestions: []string{"明日は？"},
			}}, nil)
		}
	}
}

func (f *fake) EndSession(_ context.Context, s dialog.Session) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = append(f.ended, s)
	return nil
}

// A fixture is the door over a fake.
type fixture struct {
	*fake

	handler http.Handler
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	f := &fake{}
	n := 0
	var mu sync.Mutex
	d, err := dify.New(dify.Parts{Gate: gate.New(f, gate.Options{}), Now: time.Now, Name: "カフェ", NewID: func() string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return "id-" + string(rune('a'+n))
	}}, dify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fixture{f, doortest.Handler(d, doortest.ByKey, doortest.Free)}
}

func (f fixture) do(t *testing.T, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r)
	return w
}

// frames are the events of a stream.
func frames(t *testing.T, body string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(body) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var frame map[string]any
		if err := json.Unmarshal([]byte(data), &frame); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		all = append(all, frame)
	}
	return all
}

// body asks in a conversation of a user.
func body(inputs, query, mode, conversation, user string) string {
	return `{"inputs":{` + inputs + `},"query":"` + query + `","response_mode":"` + mode +
		`","conversation_id":"` + conversation + `","user":"` + user + `"}`
}

// TestStream has the events that clients read, with all that each has.
func TestStream(t *testing.T) {
	f := newFixture(t)
	w := f.do(t, "POST", "/v1/chat-messages", body("", "はい", "streaming", "", "u"))
	all := frames(t, w.Body.String())
	if len(all) != 2 || all[0]["event"] != "message" || all[1]["event"] != "message_end" ||
		all[0]["answer"] != "[happy]はい。\n" {
		t.Fatalf("stream %s, want a message and its end", w.Body)
	}
	for _, frame := range all {
		for _, field := range []string{"task_id", "message_id", "conversation_id", "id", "created_at"} {
			if frame[field] == nil || frame[field] == "" || frame[field] != all[0][field] {
				t.Errorf("%s of %v, want one for all", field, frame)
			}
		}
	}
	more, _ := all[1]["metadata"].(map[string]any)
	found, _ := more["retriever_resources"].([]any)
	if more["usage"] == nil || len(found) != 1 || !strings.Contains(w.Body.String(), `"document_name":"案内"`) {
		t.Errorf("metadata %v, want usage and the passage", more)
	}
	if f.turns[0].RunID != all[0]["task_id"] {
		t.Errorf("run %s, want the task %v", f.turns[0].RunID, all[0]["task_id"])
	}
}

// TestWhole answers at once, in the form that the inputs choose.
func TestWhole(t *testing.T) {
	f := newFixture(t)
	for inputs, want := range map[string]string{
		``: "[happy]はい。\n", `"profile":"chat"`: "- はい", `"profile":7`: "[happy]はい。\n",
		`"faces":"[face:Joy] [face:Sorrow] [face:Fun]"`: "[face:Joy]はい。\n",
	} {
		w := f.do(t, "POST", "/v1/chat-messages", body(inputs, "はい", "blocking", "c", "u"))
		var answer map[string]any
		err := json.Unmarshal(w.Body.Bytes(), &answer)
		if err != nil || answer["answer"] != want || answer["mode"] != "chat" || answer["event"] != "message" ||
			answer["conversation_id"] != "c" {
			t.Errorf("inputs %s: %s, want the answer %q", inputs, w.Body, want)
		}
	}
}

// TestConversations keeps apart what two users, two keys or two conversations say, and goes on in
// one of them.
func TestConversations(t *testing.T) {
	f := newFixture(t)
	for _, from := range [][3]string{
		{"c", "u", "k"},
		{"c", "u", "k"},
		{"c", "v", "k"},
		{"d", "u", "k"},
		{"c", "u", "other"},
		{"", "u", "k"},
		{"", "u", "k"},
	} {
		f.do(t, "POST", "/v1/chat-messages", body("", "はい", "blocking", from[0], from[1]), "X-Api-Key", from[2])
	}
	sessions := map[dialog.Session]bool{}
	for _, turn := range f.turns {
		sessions[turn.Session()] = true
	}
	if len(sessions) != 6 || f.turns[0].Session() != f.turns[1].Session() {
		t.Errorf("%d sessions %v, want six: the first two turns share one", len(sessions), sessions)
	}
	if w := f.do(t, "DELETE", "/v1/conversations/c", `{"user":"u"}`, "X-Api-Key", "k"); w.Code != http.StatusNoContent {
		t.Errorf("DELETE = %d %s, want 204", w.Code, w.Body)
	}
	if diff := cmp.Diff([]dialog.Session{f.turns[0].Session()}, f.ended); diff != "" {
		t.Errorf("ended (-want +got):\n%s", diff)
	}
}

// TestStop silences an answer, of the caller's own.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		var heard *httptest.ResponseRecorder
		var asking sync.WaitGroup
		asking.Go(func() {
			heard = f.do(t, "POST", "/v1/chat-messages", body("", "wait", "streaming", "", "u"), "X-Api-Key", "k")
		})
		synctest.Wait()
		for _, key := range []string{"other", "k"} {
			w := f.do(t, "POST", "/v1/chat-messages/"+f.turns[0].RunID+"/stop", `{"user":"u"}`, "X-Api-Key", key)
			if w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != `{"result":"success"}` {
				t.Errorf("stop by %s = %d %s", key, w.Code, w.Body)
			}
		}
		asking.Wait()
		if all := frames(t, heard.Body.String()); len(all) != 2 || all[1]["event"] != "message_end" {
			t.Errorf("stopped stream %s, want one sentence and the end", heard.Body)
		}
	})
}

// TestFailures says a failure to the visitor where that is spoken, and else in Dify's shape.
func TestFailures(t *testing.T) {
	f := newFixture(t)
	for _, test := range []struct{ body, want string }{
		{body("", "fail", "streaming", "", "u"), `"answer":"[sad]`},
		{body(`"profile":"chat"`, "fail", "streaming", "", "u"), `{"code":"completion_request_error"`},
		{body("", "fail", "blocking", "", "u"), `{"code":"completion_request_error"`},
		{body("", " ", "streaming", "", "u"), `聞き取れませんでした`},
		{body("", "はい", "sideways", "", "u"), `{"code":"invalid_param"`},
		{body("", "はい", "blocking", "", ""), `"user must not be absent"`},
		{body(`"profile":"loud"`, "はい", "blocking", "", "u"), `inputs.profile`},
		{`{"query":`, `{"code":"invalid_param"`},
	} {
		if w := f.do(t, "POST", "/v1/chat-messages", test.body); !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s = %d %s, want %s", test.body, w.Code, w.Body, test.want)
		}
	}
}

// TestPing says that a stream lives, as Dify does: without data.
func TestPing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFixture(t).do(t, "POST", "/v1/chat-messages", body("", "slow", "streaming", "", "u"))
		if n := strings.Count(w.Body.String(), "event: ping\n\n"); n != 2 || len(frames(t, w.Body.String())) != 2 {
			t.Errorf("%s, want two pings", w.Body)
		}
	})
}

func TestApp(t *testing.T) {
	f := newFixture(t)
	for path, want := range map[string]string{
		"/v1/info": `"name":"カフェ"`, "/v1/parameters": `"suggested_questions":[]`, "/v1/meta": `{"tool_icons":{}}`,
	} {
		if w := f.do(t, "GET", path, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("GET %s = %d %s, want %s", path, w.Code, w.Body, want)
		}
	}
	if w := f.do(t, "POST", "/v1/text-to-audio", `{"text":"はい","user":"u"}`); w.Code != http.StatusNotFound {
		t.Errorf("POST /v1/text-to-audio without a voice = %d, want 404", w.Code)
	}
}
