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
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// FuzzRoutes asks every route of the door's OpenAPI for things that make sense, half sense and none, several requests a
// seed on one server: each is answered, or refused as the asker's fault. What is streamed is events of JSON, with
// nothing after an error. The seeds below are five thousand requests.
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
		a.asked += requests
	})
	if a.asked == seeds*requests && a.streams < seeds/2 {
		f.Errorf("of %d requests %d were streams with an event: they show too little", a.asked, a.streams)
	}
}

// asker makes requests up.
type asker struct {
	*rand.Rand

	handler http.Handler
	// operations are a method and a path each.
	operations [][2]string
	// known are ids that were in answers, by the names of their fields; a run and its thread have the same place.
	known map[string][]string
	// asked counts requests, streams those that were answered with events.
	asked, streams int
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
	a.look(t, method+" "+path+"\n"+body, answer, ctx.Err() != nil)
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

// look looks at what an answer is made of. One that was cut may lack its end. A run's stream ends with an error; that
// of a thread goes on with the next run.
func (a *asker) look(t *testing.T, request string, answer *httptest.ResponseRecorder, cut bool) {
	kind, _, _ := strings.Cut(answer.Header().Get("Content-Type"), ";")
	switch {
	case kind == "application/json" && !cut:
		if body := answer.Body.Bytes(); !json.Valid(body) {
			t.Errorf("%s\n= %d %s, want JSON", request, answer.Code, body)
		}
	case kind == "text/event-stream" && answer.Code == http.StatusOK:
		where, _, _ := strings.Cut(request, "\n")
		ofRun, last := strings.Contains(where, "/runs"), ""
		for event := range strings.SplitSeq(answer.Body.String(), "\n\n") {
			name, data := eventOf(event)
			if name == "" && data == "" { // a heartbeat, or the end
				continue
			}
			if name == "" || !json.Valid([]byte(data)) || ofRun && last == "error" {
				const want = "an event of JSON, and none after the error of a run"
				t.Errorf("%s\n= %q after %q, want %s", request, event, last, want)
			}
			last = name
		}
		if last != "" {
			a.streams++
		}
	}
}

// eventOf is the name and the data of a server-sent event.
func eventOf(event string) (name, data string) {
	for line := range strings.Lines(event) {
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "event":
			name = value
		case "data":
			data += value
		}
	}
	return name, data
}

// parameters says ids of what may stand in a path after what.
var parameters = map[string]string{
	"threads": "thread_id", "runs": "run_id", "crons": "cron_id",
	"assistants": "assistant_id", "agents": "assistant_id",
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
		query.Set(pick(a, queries), pick(a, queried))
	}
	return strings.Join(parts, "/") + "?" + query.Encode()
}

var queried = []string{"true", "1", "-1", "", "values", "x", "\x00", "99999999999999999999", "%", "a.b"}

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
		"probe", "agent", "00000000-0000-4000-8000-000000000000", "nobody", "\x00", "..", "a/b", "日本", "%00",
		strings.Repeat("x", 300),
	})
}

func (a *asker) body(template string) string {
	if a.IntN(12) == 0 {
		return pick(a, broken)
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
		name := pick(a, slices.Sorted(maps.Keys(sensible())))
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

// broken are bodies that are no objects.
var broken = []string{
	"", "{", "null", "[]", `[{}]`, `"x"`, `{"a":1}{}`, strings.Repeat("[", 20_000), "\xff", `{"input":`,
}

// usual are fields that most requests to such paths have.
var usual = map[string][]string{
	"/runs": {"assistant_id", "input"}, "crons": {"schedule"}, "/assistants": {"graph_id"},
	"/items": {"namespace", "key", "value"}, "commands": {"id", "method", "params"}, "/state": {"values"},
	"prune": {"thread_ids", "strategy"},
}

func (a *asker) value(name string) string {
	if list := sensible()[name]; len(list) > 0 && a.IntN(4) > 0 {
		return string(pick(a, list))
	}
	switch name {
	case "assistant_id", "thread_id", "run_id", "agent_id":
		id, _ := json.Marshal(a.id(name))
		return string(id)
	}
	return pick(a, odd)
}

// odd are values of any field.
var odd = []string{
	`null`, `true`, `-1`, `0`, `1e308`, `1e999`, `9223372036854775808`, `[]`, `[null]`, `[[]]`, `{}`, `{"":null}`,
	`""`, `"\u0000"`, `"\ud800"`, `"日本語"`, `{"a":{"b":[1,"x",{}]}}`, `"` + strings.Repeat("x", 5000) + `"`,
	strings.Repeat("[", 500) + strings.Repeat("]", 500),
}

// sensible are values that fields may have.
var sensible = sync.OnceValue(func() (fields map[string][]json.RawMessage) {
	data, err := os.ReadFile("testdata/fields.json")
	if err == nil {
		err = json.Unmarshal(data, &fields)
	}
	if err != nil {
		panic(err)
	}
	return fields
})

func pick[T any](a *asker, list []T) T {
	return list[a.IntN(len(list))]
}
