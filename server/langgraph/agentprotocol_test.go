package langgraph

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestAgentProtocol walks the operations of the open Agent Protocol, version 0.1.6, in its words.
func TestAgentProtocol(t *testing.T) {
	s := site{t, serve(t)}
	walked := 0
	walk := func(method, path, body string, status int, has string) map[string]any {
		t.Helper()
		walked++
		got := s.do(method, path, body)
		if got.status != status || !strings.Contains(string(got.body), has) {
			t.Errorf("%s %s %s = %d %s, want %d and %s", method, path, body, got.status, got.body, status, has)
		}
		var o map[string]any
		_ = json.Unmarshal(got.body, &o) // some answer with a list, or nothing
		return o
	}
	text := func(o map[string]any, name string) string {
		value, _ := o[name].(string)
		return value
	}
	const said = `"messages":[{"role":"user","content":"hello"}]`

	walk("POST", "/agents/search", `{"name":"agent"}`, 200, `"ap.io.messages":true`)
	id := text(walk("GET", "/agents/agent", "", 200, `"capabilities"`), "agent_id")
	walk("GET", "/agents/"+id+"/schemas", "", 200, `"input_schema"`)
	thread := text(walk("POST", "/threads", `{"metadata":{"a":1}}`, 200, `"idle"`), "thread_id")
	walk("POST", "/threads/search", `{"metadata":{"a":1}}`, 200, thread)
	walk("GET", "/threads/"+thread, "", 200, thread)
	walk("POST", "/runs/wait", `{"agent_id":"agent","thread_id":"`+thread+`",`+said+`}`, 200, `"values":{`)
	walk("POST", "/runs/stream", `{"agent_id":"agent","stream_mode":"values",`+said+`}`, 200, "event: values")
	on := `{"agent_id":"agent","thread_id":"` + thread + `",` + said + `}`
	run := text(walk("POST", "/runs", on, 200, `"agent_id"`), "run_id")
	walk("GET", "/runs/"+run+"/wait", "", 200, `"messages":[{`)
	walk("GET", "/runs/"+run, "", 200, run)
	walk("GET", "/runs/"+run+"/stream", "", 200, "")
	walk("POST", "/runs/"+run+"/cancel?wait=true", "", 204, "")
	walk("POST", "/runs/search", `{"thread_id":"`+thread+`","agent_id":"`+id+`","status":"success"}`, 200, run)
	more := `{"metadata":{"b":2},"messages":[{"role":"user","content":"more"}]}`
	walk("PATCH", "/threads/"+thread, more, 200, `"b":2`)
	walk("GET", "/threads/"+thread+"/history?limit=1", "", 200, `"more"`)
	walk("POST", "/threads/"+thread+"/copy", "", 200, `"thread_id"`)
	walk("POST", "/threads/"+thread+"/commands", `{"id":1,"method":"state.get"}`, 200, `"success"`)
	walk("DELETE", "/runs/"+run, "", 204, "")
	walk("PUT", "/store/items", `{"namespace":["a"],"key":"k","value":{"n":1}}`, 204, "")
	walk("GET", "/store/items?namespace=a&key=k", "", 200, `"n":1`)
	walk("POST", "/store/items/search", `{"namespace_prefix":["a"]}`, 200, `"items":[{`)
	walk("POST", "/store/namespaces", `{}`, 200, `["a"]`)
	walk("DELETE", "/store/items", `{"namespace":["a"],"key":"k"}`, 204, "")
	walk("DELETE", "/threads/"+thread, "", 204, "")

	// The streams of a thread have no end of their own.
	walked += 2
	l := s.dial(thread)
	l.send(`{"id":1,"method":"subscription.subscribe","params":{"channels":["values"]}}`)
	routes := map[string]bool{}
	for _, r := range New(newService(t), Options{CancelRuns: true}).Routes {
		routes[r.Method+" "+r.Path] = true
	}
	if !routes[http.MethodPost+" /threads/:id/stream"] || !routes[http.MethodGet+" /threads/:id/stream"] {
		t.Error("the streams of a thread have no route")
	}
	if walked != 27 {
		t.Errorf("%d operations were walked, the protocol has 27", walked)
	}

	walk("POST", "/runs/wait", `{`+said+`,"thread_id":""}`, 422, "agent_id is required")
	walk("POST", "/runs/wait", `{"agent_id":"agent","input":[],`+said+`}`, 422, "an object")
	walk("GET", "/runs/nonsense", "", 404, "")
}

// TestDocs: each route is in the reference, with what it does.
func TestDocs(t *testing.T) {
	s := site{t, serve(t)}
	html, document := s.do("GET", "/docs", ""), s.do("GET", "/docs/openapi.json", "")
	var read struct {
		Paths map[string]map[string]struct{ Summary string } `json:"paths"`
	}
	if err := json.Unmarshal(document.body, &read); err != nil || html.status != 200 {
		t.Fatalf("the reference: %d, %v", html.status, err)
	}
	for _, r := range New(newService(t), Options{CancelRuns: true}).Routes {
		path := parameter.ReplaceAllString(r.Path, "{$1}")
		if read.Paths[path][strings.ToLower(r.Method)].Summary == "" ||
			!strings.Contains(string(html.body), "<td>"+path+"<td>") {
			t.Errorf("%s %s is not in the reference, or not what it does", r.Method, r.Path)
		}
	}
	if len(summaries) != len(New(newService(t), Options{CancelRuns: true}).Routes) {
		t.Error("the reference tells of routes that there are not")
	}
}

// TestStorage: what is kept of a thread is counted.
func TestStorage(t *testing.T) {
	s := site{t, serve(t)}
	thread := s.thread()
	if got := s.do("GET", "/threads/"+thread+"/storage", ""); !strings.Contains(string(got.body), `"total_bytes":0`) {
		t.Errorf("storage of a new thread = %s", got.body)
	}
	long := strings.Repeat("x", 5000)
	s.do("POST", "/threads/"+thread+"/runs/wait", `{"assistant_id":"probe","input":{"mode":"echo","text":"`+long+`"}}`)
	var kept struct {
		Total  int `json:"total_bytes"`
		Values struct {
			Channels map[string]struct{ Bytes int } `json:"by_channel"`
		} `json:"channel_values"`
	}
	got := s.do("GET", "/threads/"+thread+"/storage", "")
	err := json.Unmarshal(got.body, &kept)
	if err != nil || kept.Total < len(long) || kept.Values.Channels["text"].Bytes < len(long) {
		t.Errorf("storage = %s, %v", got.body, err)
	}
}

// TestStateInside: how a graph inside stands is read by its namespace, from the API and by the newer protocol.
func TestStateInside(t *testing.T) {
	s := site{t, serve(t)}
	thread := s.thread()
	s.do("POST", "/threads/"+thread+"/runs/wait", `{"assistant_id":"probe","input":{"mode":"subgraph","text":"x"}}`)
	var states []threadState
	if got := s.do("GET", "/threads/"+thread+"/history?limit=100", ""); json.Unmarshal(got.body, &states) != nil {
		t.Fatalf("history = %s", got.body)
	}
	namespace := ""
	for _, state := range states {
		for _, task := range state.Tasks {
			if task.Checkpoint != nil {
				namespace = task.Checkpoint.Namespace
			}
		}
	}
	got := s.do("POST", "/threads/"+thread+"/state/checkpoint", `{"checkpoint":{"checkpoint_ns":"`+namespace+`"}}`)
	if namespace == "" || got.status != 200 || !strings.Contains(string(got.body), `"text":"`) ||
		!strings.Contains(string(got.body), `"checkpoint_ns":"`+namespace+`"`) {
		t.Errorf("state of %q = %d %s", namespace, got.status, got.body)
	}
	get := `{"id":1,"method":"state.get","params":{"namespace":["` + namespace + `"]}}`
	if got := s.do("POST", "/threads/"+thread+"/commands", get); !strings.Contains(string(got.body), `"success"`) {
		t.Errorf("state.get = %s", got.body)
	}
	get = strings.Replace(get, namespace, "nobody:1", 1)
	got = s.do("POST", "/threads/"+thread+"/commands", get)
	if !strings.Contains(string(got.body), "no_such_namespace") {
		t.Errorf("state.get of nobody = %s", got.body)
	}
	got = s.do("POST", "/threads/"+thread+"/state/checkpoint", `{"checkpoint":{"checkpoint_ns":"nobody:1"}}`)
	if got.status != 404 {
		t.Errorf("state of nobody = %d %s", got.status, got.body)
	}
	waits := s.thread()
	s.do("POST", "/threads/"+waits+"/runs/wait",
		`{"assistant_id":"probe","input":{"mode":"subgraph","text":"x"},"interrupt_before":["subgraph"]}`)
	got = s.do("GET", "/threads/"+waits+"/state?subgraphs=true", "")
	if !strings.Contains(string(got.body), `"checkpoint_ns":"subgraph:`) {
		t.Errorf("state with a graph inside that has not begun = %s", got.body)
	}
}
