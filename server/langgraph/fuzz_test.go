package langgraph

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzRoutes asks every route of the door's OpenAPI for things that make sense, half sense and none, several requests a
// seed on one server: each is answered, or refused as the asker's fault. The seeds below are five thousand requests.
func FuzzRoutes(f *testing.F) {
	const seeds, requests = 50, 100
	for seed := range uint64(seeds) {
		f.Add(seed)
	}
	a := newAsker(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		a.Rand = rand.New(rand.NewPCG(seed, 0))
		for range requests {
			a.ask(t)
		}
	})
}

// asker makes requests up.
type asker struct {
	*rand.Rand

	handler http.Handler
	// operations are a method and a path each.
	operations [][2]string
	// known are ids that were in answers, by the names of their fields; those of a run and its thread have the same place.
	known map[string][]string
}

func newAsker(t testing.TB) *asker {
	t.Helper()
	a := &asker{handler: mount(New(newService(t), Options{CancelRuns: true})), known: map[string][]string{}}
	answer := httptest.NewRecorder()
	a.handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, pathOpenAPI, nil))
	var spec struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &spec); err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(spec.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(spec.Paths[path])) {
			a.operations = append(a.operations, [2]string{strings.ToUpper(method), path})
		}
	}
	if len(a.operations) < 60 {
		t.Fatalf("%s has %d operations, want at least 60", pathOpenAPI, len(a.operations))
	}
	return a
}

// ask makes one request and looks at the answer. A stream, or a run that waits, is left after some milliseconds.
func (a *asker) ask(t *testing.T) {
	operation := pick(a, a.operations)
	if operation[0] == http.MethodDelete && a.IntN(3) > 0 { // something must be left
		operation = pick(a, a.operations)
	}
	method, path := operation[0], a.path(operation[1])
	body := ""
	if method != http.MethodGet {
		body = a.body(operation[1])
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	request := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	if a.IntN(8) == 0 {
		request.Header.Set("Last-Event-ID", pick(a, []string{"-1", "7", "x", strings.Repeat("9", 40)}))
	}
	answer := httptest.NewRecorder()
	a.handler.ServeHTTP(answer, request)
	if answer.Code >= http.StatusInternalServerError && ctx.Err() == nil {
		t.Errorf("%s %s\n%s\n= %d %s", method, path, body, answer.Code, answer.Body)
	}
	var made map[string]any
	if json.Unmarshal(answer.Body.Bytes(), &made) != nil {
		return
	}
	for _, name := range []string{"thread_id", "run_id", "assistant_id", "cron_id"} {
		if id, ok := made[name].(string); ok {
			a.known[name] = append(a.known[name], id)
			if name == "run_id" {
				a.known["run's thread"] = append(a.known["run's thread"], fmt.Sprint(made["thread_id"]))
			}
		}
	}
}

// parameters says ids of what may stand in a path after what.
var parameters = map[string]string{
	"threads": "thread_id", "runs": "run_id", "assistants": "assistant_id", "agents": "assistant_id", "crons": "cron_id",
}

func (a *asker) path(template string) string {
	parts := strings.Split(template, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = url.PathEscape(a.id(parameters[parts[i-1]]))
		}
	}
	if n := len(a.known["run_id"]); strings.HasPrefix(template, "/threads/{id}/runs/{") && n > 0 && a.IntN(6) > 0 {
		of := n - 1 - a.IntN(min(n, recent))
		parts[2], parts[4] = a.known["run's thread"][of], a.known["run_id"][of]
	}
	query := url.Values{}
	for range a.IntN(3) {
		query.Set(pick(a, queries), pick(a, []string{"true", "1", "-1", "", "values", "x", "\x00", "99999999999999999999", "%", "a.b"}))
	}
	return strings.Join(parts, "/") + "?" + query.Encode()
}

var queries = []string{
	"limit", "offset", "stream_mode", "subgraphs", "recurse", "xray", "wait", "action", "status", "select", "before",
	"namespace", "key", "cancel_on_disconnect", "delete_threads", "last_event_id", "metadata",
}

// recent is how many ids are remembered: older ones may be deleted.
const recent = 8

// id is one that there is, most of the time.
func (a *asker) id(name string) string {
	if ids := a.known[name]; len(ids) > 0 && a.IntN(6) > 0 {
		return pick(a, ids[max(0, len(ids)-recent):])
	}
	return pick(a, []string{
		"probe", "agent", "00000000-0000-4000-8000-000000000000", "nobody", "\x00", "..", "a/b", "日本", "%00", strings.Repeat("x", 300),
	})
}

func (a *asker) body(template string) string {
	if a.IntN(12) == 0 {
		return pick(a, []string{"", "{", "null", "[]", `[{}]`, `"x"`, `{"a":1}{}`, strings.Repeat("[", 20_000), "\xff", `{"input":`})
	}
	fields := map[string]string{}
	for part, names := range usual {
		for _, name := range names {
			if strings.Contains(template, part) && a.IntN(6) > 0 {
				fields[name] = a.value(name)
			}
		}
	}
	for range a.IntN(4) {
		name := pick(a, slices.Sorted(maps.Keys(sensible)))
		fields[name] = a.value(name)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fmt.Fprintf(&b, ",%q:%s", name, fields[name])
	}
	object := "{" + strings.TrimPrefix(b.String(), ",") + "}"
	if strings.HasSuffix(template, "batch") {
		return "[" + object + "," + object + "]"
	}
	return object
}

// usual are fields that most requests to such paths have.
var usual = map[string][]string{
	"/runs": {"assistant_id", "input"}, "crons": {"schedule"}, "/assistants": {"graph_id"}, "/items": {"namespace", "key", "value"},
	"commands": {"id", "method", "params"}, "/state": {"values"}, "prune": {"thread_ids", "strategy"},
}

func (a *asker) value(name string) string {
	if list := sensible[name]; len(list) > 0 && a.IntN(4) > 0 {
		return pick(a, list)
	}
	switch name {
	case "assistant_id", "thread_id", "run_id", "agent_id":
		id, _ := json.Marshal(a.id(name))
		return string(id)
	}
	return pick(a, odd)
}

var odd = []string{
	`null`, `true`, `-1`, `0`, `1e308`, `1e999`, `9223372036854775808`, `""`, `"\u0000"`, `"\ud800"`, `"日本語"`, `[]`, `[null]`, `[[]]`, `{}`,
	`{"":null}`, `{"a":{"b":[1,"x",{}]}}`, `"` + strings.Repeat("x", 5000) + `"`, strings.Repeat("[", 500) + strings.Repeat("]", 500),
}

// sensible are values that fields may have.
var sensible = map[string][]string{
	"assistant_id": {`"probe"`, `"agent"`}, "graph_id": {`"probe"`, `"agent"`, `"nobody"`}, "thread_id": {}, "run_id": {}, "agent_id": {},
	"input": {
		`{"mode":"echo","text":"x"}`, `{"mode":"interrupt","text":"x"}`, `{"mode":"interrupt2"}`, `{"mode":"fail"}`, `{"mode":"fanout","n":5}`,
		`{"mode":"loop","n":30}`, `{"mode":"subgraph","text":"x"}`, `{"mode":"config"}`, `{"messages":[{"role":"user","content":"hi"}]}`,
		`{"messages":"hi"}`, `{"messages":[{"type":"remove","id":"x"}]}`, `{"messages":[{"type":"ai","content":[{"type":"text"}]}]}`, `{"nothing":1}`,
	},
	"command":            {`{"resume":"yes"}`, `{"resume":{"x":1}}`, `{"goto":"echo"}`, `{"goto":{"node":"worker","input":{"i":2}}}`, `{"goto":"nowhere"}`, `{"update":{"text":"y"}}`},
	"stream_mode":        {`"values"`, `["values","messages","events"]`, `["debug","tasks","checkpoints"]`, `["nothing"]`},
	"config":             {`{"recursion_limit":2}`, `{"configurable":{"tag":"x"}}`, `{"recursion_limit":-1}`, `{"tags":["a"]}`},
	"context":            {`{"tag":"x"}`},
	"metadata":           {`{"a":"b"}`, `{"a":{"b":[1]}}`},
	"multitask_strategy": {`"reject"`, `"enqueue"`, `"interrupt"`, `"rollback"`, `"other"`},
	"durability":         {`"sync"`, `"async"`, `"exit"`, `"never"`},
	"interrupt_before":   {`"*"`, `["echo"]`, `["nowhere"]`},
	"interrupt_after":    {`"*"`, `["echo"]`},
	"if_not_exists":      {`"create"`, `"reject"`},
	"if_exists":          {`"raise"`, `"do_nothing"`},
	"checkpoint":         {`{"checkpoint_id":"x"}`, `{"checkpoint_ns":"a|b","checkpoint_id":"1"}`},
	"checkpoint_id":      {`"x"`, `"00000000-0000-4000-8000-000000000001"`},
	"values":             {`{"text":"z"}`, `{"results":[1]}`, `{"messages":[]}`, `[{"text":"z"}]`},
	"as_node":            {`"echo"`, `"__end__"`, `"__copy__"`, `"__start__"`, `"nowhere"`},
	"supersteps":         {`[{"updates":[{"values":{"text":"x"},"as_node":"echo"}]}]`, `[{}]`},
	"ttl":                {`{"ttl":1}`, `{"strategy":"delete","ttl":0.5}`, `5`},
	"after_seconds":      {`0`, `0.01`}, "webhook": {`"http://127.0.0.1:1/x"`, `"file:///x"`}, "on_completion": {`"delete"`, `"keep"`},
	"on_disconnect": {`"cancel"`, `"continue"`}, "stream_subgraphs": {`true`}, "stream_resumable": {`true`}, "feedback_keys": {`["a"]`},
	"schedule": {`"* * * * *"`, `"0 0 1 1 *"`, `"@hourly"`, `"61 * * * *"`, `"never"`}, "timezone": {`"Asia/Tokyo"`, `"Nowhere/Land"`},
	"end_time": {`"2030-01-01T00:00:00Z"`, `"soon"`}, "enabled": {`true`, `false`},
	"namespace": {`["a","b"]`, `["a.b"]`, `[""]`, `"a.b"`}, "key": {`"k"`, `""`}, "value": {`{"n":1}`, `{"text":"x"}`}, "index": {`false`, `["n"]`, `true`},
	"namespace_prefix": {`["a"]`, `[]`}, "prefix": {`["a"]`}, "suffix": {`["b"]`, `["*"]`}, "max_depth": {`1`, `-3`}, "query": {`"x"`},
	"filter": {`{"n":1}`, `{"n":{"$gt":0}}`, `{"n":{"$no":0}}`}, "limit": {`1`, `100`, `-1`, `1e9`}, "offset": {`0`, `3`, `-1`, `1e9`},
	"sort_by": {`"created_at"`, `"nothing"`}, "sort_order": {`"asc"`, `"up"`}, "select": {`["thread_id"]`, `["values"]`, `["nothing"]`},
	"extract": {`{"a":"values.messages[-1].content"}`, `{"a":"values.["}`, `{"":""}`}, "ids": {`["x"]`}, "status": {`"idle"`, `"busy"`, `"pending"`, `"all"`},
	"before": {`"x"`, `{"checkpoint_id":"1"}`}, "thread_ids": {`["x"]`, `[]`}, "run_ids": {`["x"]`}, "strategy": {`"keep_latest"`, `"delete"`, `"other"`},
	"version": {`1`, `0`, `99`}, "name": {`"n"`}, "description": {`"d"`}, "keys": {`["a"]`},
	"id": {`1`, `"1"`}, "method": {`"run.start"`, `"run.input"`, `"input.respond"`, `"state.get"`, `"agent.getTree"`, `"subscription.subscribe"`, `"no"`},
	"params": {
		`{"assistant_id":"probe","input":{"mode":"echo","text":"x"}}`, `{"interrupt_id":"x","response":1}`, `{"channels":["values"]}`, `{"namespace":[]}`,
	},
	"channels": {`["values","messages","lifecycle"]`, `["nothing"]`, `"values"`}, "namespaces": {`[[]]`, `[["a"]]`}, "depth": {`1`, `-1`}, "since": {`0`, `-5`, `1e9`},
}

func pick[T any](a *asker, list []T) T {
	return list[a.IntN(len(list))]
}
