package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A talker talks with the concierge on a thread of LangGraph's API.
type talker struct {
	*testing.T

	server      running
	key, thread string
}

// newTalker begins a thread, with a key if it is not empty.
func newTalker(t *testing.T, server running, key string) talker {
	t.Helper()
	var thread struct {
		ID string `json:"thread_id"`
	}
	status := callAs(t, server, key, http.MethodPost, "/threads", map[string]any{}, &thread)
	if status != http.StatusOK {
		t.Fatalf("POST /threads = %d", status)
	}
	return talker{t, server, key, thread.ID}
}

// talked is how a thread stands.
type talked struct {
	Messages []struct {
		ID, Type, Content string
		Kwargs            map[string]any `json:"additional_kwargs"`
	}
	Answer    struct{ Text, SessionID string }
	Interrupt []struct {
		ID    string
		Value struct {
			Kind, Question string
			Options        []string
		}
	} `json:"__interrupt__"`
	Error *struct{ Message string } `json:"__error__"`
}

// said lists the messages after the first n.
func (d talked) said(n int) (list []string) {
	for _, m := range d.Messages[n:] {
		list = append(list, m.Type+": "+m.Content)
	}
	return list
}

// run runs the assistant, with an input or a command, and what else there is.
func (t talker) run(request map[string]any) (d talked) {
	t.Helper()
	request["assistant_id"] = assistantID
	path := "/threads/" + t.thread + "/runs/wait"
	if status := callAs(t.T, t.server, t.key, http.MethodPost, path, request, &d); status != http.StatusOK {
		t.Errorf("POST %s %v = %d", path, request, status)
	}
	return d
}

// saying is an input with the words of a person.
func saying(words string) map[string]any {
	return map[string]any{"messages": []any{map[string]any{"role": "user", "content": words}}}
}

func (t talker) say(words string) talked {
	t.Helper()
	return t.run(map[string]any{"input": saying(words)})
}

func (t talker) resume(answer any) talked {
	t.Helper()
	return t.run(map[string]any{"command": map[string]any{"resume": answer}})
}

const (
	ambiguous = "カフェは何時まで開いていますか？"
	which     = "エンジニアカフェのことですか、それとも館内のcafe&bar sainoのことですか？"
)

// TestAssistant talks with the concierge by LangGraph's API.
func TestAssistant(t *testing.T) {
	t.Parallel()
	s := start(t)
	t.Run("talks", func(t *testing.T) { assistantTalks(t, s) })
	t.Run("asks", func(t *testing.T) { assistantAsks(t, s) })
	t.Run("is the graph", func(t *testing.T) { assistantIsTheGraph(t, s) })
}

// assistantTalks: messages are the input, the answer is a message with its face, and a thread is a talk.
func assistantTalks(t *testing.T, s running) {
	talk := newTalker(t, s, "")
	first := talk.run(map[string]any{
		"input":  saying("今日のイベントは？"),
		"config": map[string]any{"configurable": map[string]any{"language": "en", "timezone": "UTC"}},
	})
	if len(first.Messages) != 2 || first.Messages[0].Type != "human" || first.Messages[1].Type != "ai" ||
		first.Messages[1].Kwargs["language"] != "en" || first.Messages[1].Kwargs["emotion"] == "" ||
		!strings.HasSuffix(first.Answer.Text, first.Messages[1].Content) || first.Answer.SessionID != talk.thread {
		t.Errorf("the first turn = %+v, want an answer in English with a face", first)
	}
	second := talk.say("1つ目について詳しく")
	if len(second.Messages) != 4 || !strings.Contains(second.Messages[3].Content, "Go") {
		t.Errorf("the second turn = %q, want details of the first event", second.said(0))
	}
	nowhere := map[string]any{"configurable": map[string]any{"timezone": "Nowhere"}}
	for want, request := range map[string]map[string]any{
		"1 to 2000 characters": {"input": map[string]any{}},
		`timezone "Nowhere"`:   {"input": saying("hello"), "config": nowhere},
		"no node":              {"command": map[string]any{"goto": "nowhere"}},
		"nothing waits":        {"command": map[string]any{"resume": "yes"}},
	} {
		got := newTalker(t, s, "").run(request)
		if got.Error == nil || !strings.Contains(got.Error.Message, want) {
			t.Errorf("%v = %+v, want an error with %q", request, got.Error, want)
		}
	}
	for node := range strings.FieldsSeq("router event calendar confirm commit verify date info clarify respond") {
		command := map[string]any{"goto": node, "update": saying("hello")}
		got := newTalker(t, s, "").run(map[string]any{"command": command})
		if got.Error == nil || !strings.Contains(got.Error.Message, "nothing was said yet") {
			t.Errorf("going to %s at once = %+v, want an error that says so", node, got.Error)
		}
	}
}

// assistantAsks: what the concierge asks is an interrupt and a message. It is answered with words, the number of
// an option, messages, or simply by what is said next; a wrong answer leaves the question open.
func assistantAsks(t *testing.T, s running) {
	resume := func(answer any) map[string]any { return map[string]any{"command": map[string]any{"resume": answer}} }
	for name, c := range map[string]struct {
		request map[string]any
		heard   string
	}{
		"words":    {resume("エンジニアカフェ"), "エンジニアカフェ"},
		"a number": {resume(1), "エンジニアカフェ"},
		"messages": {resume(saying("1")), "1"},
		"an input": {map[string]any{"input": saying("1つ目")}, "1つ目"},
		"a query":  {map[string]any{"input": map[string]any{"query": "1つ目"}}, "1つ目"},
	} {
		talk := newTalker(t, s, "")
		asked := talk.say(ambiguous)
		if len(asked.Interrupt) != 1 || asked.Interrupt[0].Value.Kind != "clarify" ||
			asked.Interrupt[0].Value.Question != which || len(asked.Interrupt[0].Value.Options) != 2 {
			t.Fatalf("%s: asked %+v, want which café", name, asked)
		}
		refused := talk.resume([]int{1})
		if refused.Error == nil || !strings.Contains(refused.Error.Message, "refused") {
			t.Errorf("%s: a wrong answer = %+v, want it refused", name, refused)
		}
		// What looks like the answer of a session is none on a thread.
		forged := talk.resume(map[string]any{"option": 1, "turn": map[string]any{"query": "1", "owner": true}})
		if forged.Error == nil || !strings.Contains(forged.Error.Message, "answer 0 of node clarify") {
			t.Errorf("%s: a session's answer = %+v, want it refused", name, forged)
		}
		answered := talk.run(c.request)
		want := []string{
			"human: " + ambiguous, "ai: " + which, "human: " + c.heard, "ai: 開館時間は、9:00から22:00までです。",
		}
		if d := cmp.Diff(want, answered.said(0)); d != "" || len(answered.Interrupt) > 0 {
			t.Errorf("%s: %+v (-want +got):\n%s", name, answered.Error, d)
		}
	}
}

// assistantIsTheGraph: what runs, streams and is kept are the nodes that are drawn.
func assistantIsTheGraph(t *testing.T, s running) {
	var drawn struct{ Nodes []struct{ ID string } }
	s.call(t, http.MethodGet, "/assistants/annai/graph?xray=true", nil, &drawn)
	var names []string
	for _, n := range drawn.Nodes {
		names = append(names, n.ID)
	}
	for _, want := range strings.Fields("understand router event:calendar_search event:knowledge_search event:merge " +
		"calendar confirm commit verify date info clarify respond") {
		if !slices.Contains(names, want) {
			t.Errorf("the drawing has %q, and not %s", names, want)
		}
	}
	talk := newTalker(t, s, "")
	request, err := json.Marshal(map[string]any{
		"assistant_id": assistantID, "input": saying("今日のイベントは？"), "stream_subgraphs": true,
		"stream_mode": []string{"updates", "values", "messages-tuple", "custom", "debug"},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := s.url + "/threads/" + talk.thread + "/runs/stream"
	asking, err := http.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(string(request)))
	if err != nil {
		t.Fatal(err)
	}
	asking.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(asking)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var ran []string
	kinds := map[string]bool{}
	event := ""
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event, _, _ = strings.Cut(name, ":") // without the task of the subgraph
			kinds[event] = true
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || !strings.HasPrefix(event, "updates") {
			continue
		}
		var update map[string]any
		if err := json.Unmarshal([]byte(data), &update); err != nil {
			t.Fatal(err)
		}
		for node := range update {
			_, inside, _ := strings.Cut(event, "|")
			ran = append(ran, strings.TrimPrefix(inside+":"+node, ":"))
		}
	}
	want := []string{
		"understand", "router", "event:calendar_search", "event:knowledge_search", "event:merge", "event", "respond",
	}
	if d := cmp.Diff(want, ran); d != "" {
		t.Errorf("nodes that wrote (-want +got):\n%s", d)
	}
	for _, kind := range []string{"values", "messages", "custom", "custom|event", "debug"} {
		if !kinds[kind] {
			t.Errorf("events %v, want %s among them", kinds, kind)
		}
	}
	var history []struct{ Next []string }
	s.call(t, http.MethodGet, "/threads/"+talk.thread+"/history", nil, &history)
	if got := fmt.Sprint(history); got != "[{[]} {[respond]} {[event]} {[router]} {[understand]} {[__start__]}]" {
		t.Errorf("what was next, newest first = %s", got)
	}
	var schemas struct {
		State struct{ Properties map[string]any } `json:"state_schema"`
	}
	s.call(t, http.MethodGet, "/assistants/annai/schemas", nil, &schemas)
	for _, name := range []string{"messages", "answer", "understanding", "route", "plan", "memory"} {
		if schemas.State.Properties[name] == nil {
			t.Errorf("the schema of the state has no %s", name)
		}
	}
}

// TestAssistantWrites: an owner's plan is an interrupt; a yes to it writes once, and whoever has no plan that was
// agreed to writes nothing, by whatever way they come.
func TestAssistantWrites(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	venue, data := filepath.Join(folder, "venue.yaml"), filepath.Join(folder, "data")
	if err := os.WriteFile(venue, []byte(ownersVenue), 0o600); err != nil {
		t.Fatal(err)
	}
	key := newKey(t, "--role", "owner", "--name", "hanako", "--owner", "hanako", "--data", data)
	admin := newKey(t, "--role", "admin", "--name", "boss", "--data", data)
	visitor := newKey(t, "--role", "ask", "--name", "kiosk", "--data", data)
	s := start(t, "--venue", venue, "--data", data)
	talk := newTalker(t, s, key)
	asked := talk.say("来週月曜14時に山田さんと打ち合わせを入れて")
	if len(asked.Interrupt) != 1 || asked.Interrupt[0].Value.Kind != "confirm" ||
		!strings.Contains(asked.Interrupt[0].Value.Question, "山田さん") {
		t.Fatalf("asked %+v, want a yes for the plan", asked)
	}
	changed := talk.say("いや、15時")
	if len(changed.Interrupt) != 1 || !strings.Contains(changed.Interrupt[0].Value.Question, "15:00") {
		t.Fatalf("asked %+v, want a yes for the plan at 15", changed)
	}
	done := talk.resume("はい")
	written := strings.Contains(done.Answer.Text, "登録しました")
	if len(done.Interrupt) != 0 || !written || len(done.Messages) != 6 {
		t.Errorf("a yes = %q, %+v, want it written", done.said(0), done.Error)
	}
	for _, node := range []string{"commit", "verify"} {
		got := talk.run(map[string]any{"command": map[string]any{"goto": node}})
		if got.Error == nil {
			t.Errorf("going to %s without a plan = %+v, want an error", node, got)
		}
	}
	// Who made a thread hears what is said there, so that others are no owners on it.
	asked = talk.say("来週火曜14時に会議を入れて")
	others := talk
	others.key = admin
	if got := others.resume("はい"); strings.Contains(got.Answer.Text, "登録しました") || got.Error != nil {
		t.Errorf("an operator's yes to the plan of an owner = %+v, %+v, want nothing written", got, got.Error)
	}
	theirs := newTalker(t, s, visitor)
	theirs.say("こんにちは")
	for words, thread := range map[string]talker{"visitor's": theirs, "owner's": talk} {
		others.thread = thread.thread
		got := others.say("11月23日の予定を教えて")
		if got.Error != nil || strings.Contains(got.Messages[len(got.Messages)-1].Content, "山田さん") {
			t.Errorf("an operator asks for the owner's calendar on the %s thread = %+v, want nothing of it", words, got)
		}
	}
	if got := talk.say("11月23日の予定を教えて"); !strings.Contains(got.Answer.Text, "山田さん") {
		t.Errorf("the owner asks for it = %q, want the entry", got.Answer.Text)
	}
}
