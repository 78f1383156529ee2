package langgraph

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/fault"
	"annai/graph"
	"annai/nodes"
	"annai/server/langgraph/assistant"
	"annai/storage/mem"
)

// scripted answers a turn with what it heard, and asks back where a question has "which".
type scripted struct{ turns []nodes.Turn }

func (s *scripted) Answer(context.Context, nodes.Turn) (api.QueryResponse, error) {
	return api.QueryResponse{}, fault.ErrUnavailable
}

func (s *scripted) EndSession(context.Context, nodes.Session) error { return nil }

func (s *scripted) Ask(_ context.Context, t nodes.Turn) iter.Seq2[nodes.Event, error] {
	s.turns = append(s.turns, t)
	return func(yield func(nodes.Event, error) bool) {
		heard := t.Query
		if t.Resume != nil {
			heard = string(t.Resume.Value)
		}
		if strings.Contains(heard, "broken") {
			yield(nil, fmt.Errorf("secret address: %w", fault.ErrUnavailable))
			return
		}
		r := api.QueryResponse{Text: "[happy]heard " + heard, Emotion: "excited", Language: "en", Speech: []api.Sentence{}}
		if strings.Contains(heard, "which") {
			r.Interrupt = &api.Interrupt{ID: "i1", Kind: "clarify", Question: "This or that?", Options: []string{"this", "that"}}
		}
		if yield(nodes.Progress{NodeProgress: api.NodeProgress{Node: "router"}}, nil) {
			yield(nodes.Final{QueryResponse: r}, nil)
		}
	}
}

// talk has the concierge on a site.
func talk(t *testing.T) (site, *scripted) {
	t.Helper()
	concierge := &scripted{}
	g, err := assistant.New(assistant.Parts{
		Concierge: concierge, Checkpointer: mem.New(), Now: wallClock, NewID: newIDs(),
		Drawing: func() graph.Drawing {
			return graph.Drawing{Name: "concierge", Nodes: []graph.DrawnNode{{Name: "router"}}}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return site{t, serve(t, g)}, concierge
}

// newIDs makes ids m1, m2 and so on.
func newIDs() func() string {
	n := 0
	return func() string { n++; return fmt.Sprint("m", n) }
}

type heard struct {
	Messages []struct {
		Type, Content string
		Kwargs        map[string]any `json:"additional_kwargs"`
	}
	Interrupt []struct {
		ID    string
		Value struct {
			Question string
			Options  []string
		}
	} `json:"__interrupt__"`
	Error *struct{ Message string } `json:"__error__"`
}

func (h heard) said() (list []string) {
	for _, m := range h.Messages {
		list = append(list, m.Type+": "+m.Content)
	}
	return list
}

// say sends a body and returns what came of it.
func (s site) say(thread, body string) (h heard) {
	s.Helper()
	got := s.do("POST", "/threads/"+thread+"/runs/wait", body)
	if err := json.Unmarshal(got.body, &h); err != nil {
		s.Fatalf("%d %s: %v", got.status, got.body, err)
	}
	return h
}

func TestAssistantTalks(t *testing.T) {
	s, concierge := talk(t)
	thread := s.thread()
	h := s.say(thread, `{"assistant_id":"annai","input":{"messages":[{"role":"user","content":"hello"}]},"config":{"configurable":{"language":"ja","timezone":"UTC"}}}`)
	if d := cmp.Diff([]string{"human: hello", "ai: heard hello"}, h.said()); d != "" {
		t.Errorf("messages (-want +got):\n%s", d)
	}
	if h.Messages[1].Kwargs["emotion"] != "excited" {
		t.Errorf("additional_kwargs = %v, want the emotion", h.Messages[1].Kwargs)
	}
	turn := concierge.turns[0]
	if turn.SessionID != "thread-"+thread || turn.Language != "ja" || turn.Location.String() != "UTC" || !turn.Owner ||
		!turn.Repeatable || turn.RunID == "" {
		t.Errorf("turn = %+v, want the thread's session, in Japanese, in UTC, the owner's, repeatable", turn)
	}
}

func TestAssistantAsks(t *testing.T) {
	s, concierge := talk(t)
	thread := s.thread()
	h := s.say(thread, `{"assistant_id":"annai","input":{"messages":[{"type":"human","content":"which cafe"}]}}`)
	if len(h.Interrupt) != 1 || h.Interrupt[0].Value.Question != "This or that?" || len(h.Interrupt[0].Value.Options) != 2 {
		t.Fatalf("interrupt = %+v, want the question with its options", h.Interrupt)
	}
	h = s.say(thread, `{"assistant_id":"annai","command":{"resume":"that"}}`)
	want := []string{"human: which cafe", "ai: heard which cafe", "human: that", `ai: heard "that"`}
	if d := cmp.Diff(want, h.said()); d != "" {
		t.Errorf("messages (-want +got):\n%s", d)
	}
	last := concierge.turns[len(concierge.turns)-1]
	if last.Resume == nil || last.Resume.InterruptID != "i1" || string(last.Resume.Value) != `"that"` {
		t.Errorf("turn = %+v, want the answer to i1", last)
	}
	// Who does not answer but says something else is heard too.
	s.say(thread, `{"assistant_id":"annai","input":{"messages":[{"type":"human","content":"which one"}]}}`)
	s.say(thread, `{"assistant_id":"annai","input":{"messages":[{"type":"human","content":"never mind"}]}}`)
	last = concierge.turns[len(concierge.turns)-1]
	if last.Resume != nil || last.Query != "never mind" {
		t.Errorf("turn = %+v, want the new words", last)
	}
	// An answer that could not be heard is not given to the next question.
	s.say(thread, `{"assistant_id":"annai","input":{"messages":[{"type":"human","content":"which now"}]}}`)
	s.say(thread, `{"assistant_id":"annai","command":{"resume":"broken"}}`)
	s.say(thread, `{"assistant_id":"annai","input":{"messages":[{"type":"human","content":"again"}]}}`)
	last = concierge.turns[len(concierge.turns)-1]
	if last.Resume != nil || last.Query != "again" {
		t.Errorf("turn = %+v, want the newest words", last)
	}
}

// Pages for chats send what is said to a question as an input with messages, and show it by its id.
func TestAssistantIsAnsweredByAChat(t *testing.T) {
	s, concierge := talk(t)
	thread := s.thread()
	s.say(thread, `{"assistant_id":"annai","input":{"messages":[{"type":"human","content":"which cafe"}]}}`)
	started := s.do("POST", "/threads/"+thread+"/commands",
		`{"id":1,"method":"run.start","params":{"assistant_id":"annai","input":{"messages":[{"role":"user","id":"m7","content":"that"}]}}}`)
	var r struct {
		Result struct {
			ID string `json:"run_id"`
		}
	}
	if err := json.Unmarshal(started.body, &r); err != nil || r.Result.ID == "" {
		t.Fatalf("run.start = %s", started.body)
	}
	s.do("GET", "/threads/"+thread+"/runs/"+r.Result.ID+"/join", "")
	var h heard
	state := s.do("GET", "/threads/"+thread+"/state", "")
	var values struct{ Values json.RawMessage }
	if err := json.Unmarshal(state.body, &values); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(values.Values, &h); err != nil {
		t.Fatal(err)
	}
	want := []string{"human: which cafe", "ai: heard which cafe", "human: that", `ai: heard "that"`}
	if d := cmp.Diff(want, h.said()); d != "" {
		t.Errorf("messages (-want +got):\n%s", d)
	}
	if !strings.Contains(string(values.Values), `"id":"m7"`) {
		t.Errorf("values = %s, want the message with its id", values.Values)
	}
	if last := concierge.turns[len(concierge.turns)-1]; last.Resume == nil || string(last.Resume.Value) != `"that"` {
		t.Errorf("turn = %+v, want the answer to the question", last)
	}
}

func TestAssistantFails(t *testing.T) {
	s, _ := talk(t)
	for body, want := range map[string]string{
		`{"assistant_id":"annai","input":{"messages":"broken"}}`:                                          "could not be reached",
		`{"assistant_id":"annai","input":{}}`:                                                             "1 to 2000 characters",
		`{"assistant_id":"annai","input":{"query":"x"},"config":{"configurable":{"timezone":"Nowhere"}}}`: `timezone "Nowhere"`,
	} {
		h := s.say(s.thread(), body)
		if h.Error == nil || !strings.Contains(h.Error.Message, want) || strings.Contains(h.Error.Message, "secret") {
			t.Errorf("%s: error = %+v, want %q and no secret", body, h.Error, want)
		}
	}
}

func TestAssistantDrawing(t *testing.T) {
	s, _ := talk(t)
	if got := s.do("GET", "/assistants/annai/graph", ""); !strings.Contains(string(got.body), `"name":"router"`) {
		t.Errorf("GET /assistants/annai/graph = %s, want the concierge's own graph", got.body)
	}
}
