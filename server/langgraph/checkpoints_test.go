package langgraph

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// command gives a command, and decodes the result; or returns the code of what is wrong.
func (s site) command(thread, method, params string, result any) string {
	s.Helper()
	var r struct {
		Type, Error string
		Result      json.RawMessage
	}
	s.read("POST", "/threads/"+thread+"/commands", fmt.Sprintf(`{"id":1,"method":%q,"params":%s}`, method, params), &r)
	if r.Type == "error" {
		return r.Error
	}
	if err := json.Unmarshal(r.Result, result); err != nil {
		s.Fatalf("%s = %s: %v", method, r.Result, err)
	}
	return ""
}

type listed struct {
	Checkpoints []struct {
		ID, Timestamp string
		Step          int
		Node          string         `json:"node_name"`
		Metadata      map[string]any `json:"metadata"`
	}
}

// lines are step, source and node of each.
func (l listed) lines() (lines []string) {
	for _, c := range l.Checkpoints {
		lines = append(lines, fmt.Sprint(c.Step, " ", c.Metadata["source"], " ", c.Node))
	}
	return lines
}

func TestListAndFork(t *testing.T) {
	s := site{t, serve(t)}
	thread := s.thread()
	var none any
	for method, params := range map[string]string{"state.listCheckpoints": `{}`, "state.fork": `{"checkpoint_id":"x"}`, "state.get": `{}`} {
		if code := s.command(thread, method, params, &none); code != "no_such_run" {
			t.Errorf("%s before a run = %q, want no_such_run", method, code)
		}
	}
	s.read("POST", "/threads/"+thread+"/runs/wait", `{"assistant_id":"probe","input":{"mode":"loop","n":2}}`, &none)
	var all, page listed
	if code := s.command(thread, "state.listCheckpoints", `{"namespace":[]}`, &all); code != "" {
		t.Fatalf("state.listCheckpoints = %s", code)
	}
	want := []string{"2 loop loop", "1 loop loop", "0 loop __start__", "-1 input "}
	if diff := cmp.Diff(want, all.lines()); diff != "" {
		t.Errorf("state.listCheckpoints (-want +got):\n%s", diff)
	}
	s.command(thread, "state.listCheckpoints", fmt.Sprintf(`{"limit":2,"before":%q}`, all.Checkpoints[0].ID), &page)
	if diff := cmp.Diff(want[1:3], page.lines()); diff != "" {
		t.Errorf("state.listCheckpoints of a page (-want +got):\n%s", diff)
	}
	for params, want := range map[string]string{
		`{"limit":-1}`: "invalid_argument", `{"before":"x"}`: "no_such_checkpoint", `{"namespace":["loop:1"]}`: "no_such_namespace",
	} {
		if code := s.command(thread, "state.listCheckpoints", params, &none); code != want {
			t.Errorf("state.listCheckpoints %s = %q, want %s", params, code, want)
		}
	}
	for params, want := range map[string]string{`{}`: "invalid_argument", `{"checkpoint_id":"x"}`: "no_such_checkpoint"} {
		if code := s.command(thread, "state.fork", params, &none); code != want {
			t.Errorf("state.fork %s = %q, want %s", params, code, want)
		}
	}
	for input, want := range map[string]string{`null`: `"count":2`, `{"n":4}`: `"count":4`} { // at a count of 1, which runs on
		var made struct {
			Run    string `json:"run_id"`
			Thread string `json:"thread_id"`
		}
		params := fmt.Sprintf(`{"checkpoint_id":%q,"input":%s,"config":{"configurable":{"tag":"x"}}}`, all.Checkpoints[1].ID, input)
		if code := s.command(thread, "state.fork", params, &made); code != "" || made.Thread != thread {
			t.Fatalf("state.fork %s = %q, %+v, want a run on thread %s", params, code, made, thread)
		}
		if got := s.do("GET", "/threads/"+thread+"/runs/"+made.Run+"/join", ""); !strings.Contains(string(got.body), want) {
			t.Errorf("fork with the input %s ends with %s, want %s", input, got.body, want)
		}
		if got := s.do("GET", "/threads/"+thread+"/runs/"+made.Run, ""); !strings.Contains(string(got.body), `"tag":"x"`) {
			t.Errorf("the run of the fork is %s, want its configuration", got.body)
		}
	}
	var kept listed
	s.command(thread, "state.listCheckpoints", `{"limit":100}`, &kept)
	if n := len(kept.Checkpoints); n <= 4 || kept.Checkpoints[n-1].ID != all.Checkpoints[3].ID || kept.Checkpoints[n-4].ID != all.Checkpoints[0].ID {
		t.Errorf("after two forks the checkpoints are %v, want what was before and more", kept.lines())
	}
}

// States and histories tell what tasks wrote and what they ask.
func TestTasksOfStates(t *testing.T) {
	s := site{t, serve(t)}
	thread := s.thread()
	var none any
	s.read("POST", "/threads/"+thread+"/runs/wait", `{"assistant_id":"probe","input":{"mode":"loop","n":1}}`, &none)
	s.read("POST", "/threads/"+thread+"/runs/wait", `{"assistant_id":"probe","input":{"mode":"interrupt","text":"a"}}`, &none)
	type state struct {
		Checkpoint struct {
			ID string `json:"checkpoint_id"`
		}
		Tasks []struct {
			Name       string
			Result     map[string]any
			Interrupts []struct{ Value map[string]any }
		}
	}
	var now state
	var history []state
	s.read("GET", "/threads/"+thread+"/state?subgraphs=true", "", &now)
	s.read("POST", "/threads/"+thread+"/history", `{}`, &history)
	if len(history) != 5 || !cmp.Equal(now, history[0]) || len(now.Tasks) != 1 || now.Tasks[0].Result != nil || len(now.Tasks[0].Interrupts) != 1 {
		t.Fatalf("state is %+v, history %+v, want the same question in both", now, history)
	}
	if got := history[1].Tasks[0]; got.Name != "__start__" || got.Result["text"] != "a" {
		t.Errorf("the input's task is %+v, want the text a as its result", got)
	}
	if got := history[3].Tasks[0]; got.Name != "loop" || !cmp.Equal(got.Result, map[string]any{"count": 1.0}) {
		t.Errorf("task of the first run is %+v, want a count of 1", got)
	}
	var then state
	s.read("POST", "/threads/"+thread+"/state/checkpoint", `{"checkpoint":{"checkpoint_id":"`+history[3].Checkpoint.ID+`"}}`, &then)
	if !cmp.Equal(then, history[3]) {
		t.Errorf("state at a checkpoint = %+v, want as in the history %+v", then, history[3])
	}
}
