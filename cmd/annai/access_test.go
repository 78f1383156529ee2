package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"annai/hearing"
	"annai/internal/config"
	"annai/internal/secret"
	"annai/internal/setup"
	"annai/server"
	"annai/tools/media"
	"annai/voice"
)

var updateAccess = flag.Bool("update-access", false, "rewrite testdata/access.txt")

const accessFile = "testdata/access.txt"

// accessVenue has calendars of two owners, and one of everybody's.
const accessVenue = ownersVenue +
	"  - {id: hall, label: {ja: 催し, en: Events}, source: local, visibility: public, writable: true}\n"

// accessHead begins testdata/access.txt.
const accessHead = `# Who may do what: each route of each door, by everybody, asked of the server as it is served.
#
# "whose" is who made the thing that is asked for, a visitor or the owner hanako; "-": it is nobody's
# in particular, like a list of events, or names only what the caller has, like a session of /query.
#
# none     no key                      wrong  a key that nobody has
# visitor  the visitor's ask key       other  the ask key of another kiosk
# hanako   the key of the owner hanako taro   the key of another owner
# admin    an admin key
#
# ok is any answer below 400. 401 and 403 are refusals at the door; 404 is what isn't there for the
# caller. An error of the Model Context Protocol, of Agent2Agent or of LangGraph's commands, which say it
# within a 200, is "err". What was asked in vain by everybody (404) isn't kept or isn't there by design.
`

// An asking is a request to a route. Names in braces stand for things that are made for it.
type asking struct {
	// what tells requests to one route apart. Empty: there is one.
	what string
	// path is asked in place of the route's.
	path, body, form string
	session, device  string
	contentType      string // where it is not JSON
	socket           bool
}

const (
	probeRun = `{"assistant_id":"probe","input":{"mode":"echo","text":"x"}}`
	chatBody = `{"messages":[{"role":"user","content":"hello"}]}`
	mcpHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	mcpTools  = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	mcpDelete = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_event",` +
		`"arguments":{"event_id":"{event}"}}}`
	itemBody  = `{"namespace":["n"],"key":"k","value":{"a":1}}`
	soundForm = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\nsound\r\n--x--\r\n"
	cronBody  = `{"assistant_id":"probe","schedule":"0 0 1 1 *"}`
)

// askings are what is asked at routes where it is more than an empty object.
var askings = map[string][]asking{
	"POST /query":                {{body: `{"query":"hello","sessionId":"s"}`}},
	"POST /capture":              {{body: `{"text":"Meeting on November 20 at 14:00"}`}},
	"DELETE /admin/visitors":     {{path: "/admin/visitors?session=nobodys"}},
	"GET /admin/visitors/export": {{path: "/admin/visitors/export?session=nobodys"}},
	"GET /media/:name":           {{path: "{file}"}, {what: "without its signature", path: "{unsigned}"}},
	"GET /phone/:id": {
		{what: "of an answer", path: "/phone/{page}"}, {what: "that is made up", path: "/phone/nothing"},
	},
	"GET /pictures/:name":     {{path: "/pictures/nothing.jpg"}},
	"GET /venue/avatar/:name": {{path: "/venue/avatar/nothing.vrm"}},
	"GET /venue/crest/:name":  {{path: "/venue/crest/nothing.svg"}},
	"POST /feedback":          {{body: `{"runId":"r","route":"info","helpful":true}`}},
	"POST /heartbeat":         {{body: `{"version":"v"}`, device: "lobby"}},
	"POST /staff-calls":       {{body: `{"id":"call-0001"}`}},
	"POST /handovers":         {{body: `{"sessionId":"s","runId":"{answer}"}`}},
	"POST /corner": {
		{what: "with the code", body: `{"code":"246802"}`}, {what: "with another", body: `{"code":"000000"}`},
	},
	"GET /speech/:name": {
		{path: "/speech/{spoken}.wav"}, {what: "that was not said", path: "/speech/nothing.wav"},
	},
	"POST /v1/audio/speech":           {{body: `{"input":"Hello."}`}},
	"POST /v1/audio/transcriptions":   {{body: soundForm, contentType: "multipart/form-data; boundary=x"}},
	"POST /auth/google/start":         {{form: "key={key}"}},
	"GET /kiosk/*path":                {{path: "/kiosk/"}},
	"POST /v1/chat/completions":       {{body: chatBody}},
	"POST /v1/avatar/completions":     {{body: chatBody}},
	"GET /v1/models/:id":              {{path: "/v1/models/annai"}},
	"POST /v1/responses":              {{body: `{"input":"hello"}`}},
	"POST /v1/chat-messages":          {{body: `{"query":"hello","user":"u"}`}},
	"POST /v1/chat-messages/:id/stop": {{path: "/v1/chat-messages/nothing/stop", body: `{"user":"u"}`}},
	"DELETE /v1/conversations/:id":    {{path: "/v1/conversations/c", body: `{"user":"u"}`}},
	"POST /v1/text-to-audio":          {{body: `{"text":"Hello.","user":"u"}`}},
	"GET /ws":                         {{socket: true}},
	"POST /invocations":               {{body: `{"prompt":"hello"}`}},
	"POST /api/qa":                    {{body: `{"action":"ask_question","question":"hello"}`}},
	"GET /api/qa":                     {{path: "/api/qa?action=health"}},
	"POST /api/chat":                  {{body: `{"query":"hello"}`}},
	"POST /connect/heard":             {{path: "/connect/heard?client=tonari"}},
	"POST /a2a": {
		{what: "SendMessage", body: `{"jsonrpc":"2.0","id":2,"method":"SendMessage","params":{"message":` +
			`{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hello"}]}}}`},
		{what: "GetTask", body: `{"jsonrpc":"2.0","id":2,"method":"GetTask","params":{"id":"{run}"}}`},
		{
			what: "in a context", body: `{"jsonrpc":"2.0","id":2,"method":"message/send","params":{"message":` +
				`{"messageId":"m","contextId":"{thread}","role":"user",` +
				`"parts":[{"kind":"data","data":{"mode":"echo"}}]}}}`,
			path: "/a2a/probe",
		},
	},
	"POST /a2a/:id": {{path: "/a2a/probe", body: `{"jsonrpc":"2.0","id":2,"method":"CancelTask",` +
		`"params":{"id":"{waiting}","metadata":{"thread":"{thread}"}}}`}},
	"POST /agui":     {{body: `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"hello"}]}`}},
	"POST /agui/:id": {{path: "/agui/probe", body: `{"threadId":"{thread}","runId":"r","messages":[]}`}},
	"POST /tools/:name": {
		{what: "get_current_datetime", path: "/tools/get_current_datetime"},
		{what: "list_events", path: "/tools/list_events", body: `{"date":"2026-11-20"}`},
		{what: "tasks_list", path: "/tools/tasks_list"},
		{what: "update_event", path: "/tools/update_event", body: `{"event_id":"{event}","title":"x"}`},
		{what: "delete_event", path: "/tools/delete_event", body: `{"event_id":"{event}"}`},
		{what: "tasks_complete", path: "/tools/tasks_complete", body: `{"taskId":"{task}"}`},
		{what: "tasks_delete", path: "/tools/tasks_delete", body: `{"taskId":"{task}"}`},
	},
	"POST /tools/calendar": {{body: `{"event_id":"{event}","title":"x"}`}},
	"POST /tools/date":     {{body: `{}`}},
	"POST /mcp": {
		{what: "initialize", body: mcpHello},
		{what: "in a session", body: mcpTools, session: "{session}"},
		{what: "delete_event", body: mcpDelete, session: "{own session}"},
	},
	"GET /mcp":    {{session: "{session}"}},
	"DELETE /mcp": {{session: "{session}"}},

	"POST /assistants":                         {{body: `{"graph_id":"probe"}`}},
	"PATCH /assistants/:id":                    {{body: `{"name":"x"}`}},
	"POST /assistants/:id/latest":              {{body: `{"version":1}`}},
	"POST /threads/prune":                      {{body: `{"thread_ids":["{thread}"]}`}},
	"PATCH /threads/:id":                       {{body: `{"metadata":{"a":1}}`}},
	"POST /threads/:id/state/checkpoint":       {{body: `{"checkpoint":"{checkpoint}"}`}},
	"POST /threads/:id/state":                  {{body: `{"values":{"text":"x"},"as_node":"echo"}`}},
	"PATCH /threads/:id/state":                 {{body: `{"metadata":{"a":1}}`}},
	"POST /threads/:id/commands":               {{body: `{"id":1,"method":"state.get"}`}},
	"POST /threads/:id/stream/events":          {{body: `{"channels":["values"]}`}},
	"POST /threads/:id/stream":                 {{body: `{"channels":["values"]}`}},
	"GET /threads/:id/stream/events":           {{socket: true}},
	"POST /threads/:id/runs":                   {{body: probeRun}},
	"POST /threads/:id/runs/wait":              {{body: probeRun}},
	"POST /threads/:id/runs/stream":            {{body: probeRun}},
	"POST /threads/:id/runs/crons":             {{body: cronBody}},
	"POST /runs":                               {{body: probeRun}},
	"POST /runs/wait":                          {{body: probeRun}},
	"POST /runs/stream":                        {{body: probeRun}},
	"POST /runs/batch":                         {{body: "[" + probeRun + "]"}},
	"POST /runs/cancel":                        {{body: `{"thread_id":"{thread}","run_ids":["{waiting}"]}`}},
	"POST /runs/crons":                         {{body: cronBody}},
	"GET /assistants/:id/subgraphs/:namespace": {{path: "/assistants/{assistant}/subgraphs/subgraph"}},
	"PUT /store/items":                         {{body: itemBody}},
	"GET /store/items":                         {{path: "/store/items?namespace={item}&key=k"}},
	"DELETE /store/items":                      {{body: `{"namespace":["{item}"],"key":"k"}`}},
	"POST /store/items/search":                 {{body: `{"namespace_prefix":["{item}"]}`}},
	"DELETE /v1/responses/:id":                 {{path: "/v1/responses/resp_x.y"}},
	"GET /v1/responses/:id":                    {{path: "/v1/responses/resp_x.y"}},
	"GET /v1/responses/:id/input_items":        {{path: "/v1/responses/resp_x.y/input_items"}},
	"POST /v1/responses/:id/cancel":            {{path: "/v1/responses/resp_x.y/cancel"}},
}

// things are the parameters of paths, by what is made for them.
var things = strings.NewReplacer(
	"/threads/:id", "/threads/{thread}", "/runs/:run", "/runs/{run}", ":checkpoint", "{checkpoint}",
	"/runs/:id", "/runs/{run}", "/assistants/:id", "/assistants/{assistant}", ":cron", "{cron}",
	"/agents/:id", "/agents/{assistant}",
	"/sessions/:id", "/sessions/s",
)

// failed is in an answer of the Model Context Protocol, or to a command of LangGraph's, that is an error.
var failed = regexp.MustCompile(`"type":"error"|"isError":true|"jsonrpc":"2.0","id":2,"error":|^{"error":{"code":-32`)

// callersOf are the columns of the table, in their order.
var callersOf = []string{"none", "wrong", "visitor", "other", "hanako", "taro", "admin"}

// secretOf is what a maker says, which no other but an operator may hear.
func secretOf(maker string) string { return "WORDS-OF-" + strings.ToUpper(maker) }

// mute speaks without a sound.
type mute struct{}

// attentive hears the same in every sound.
type attentive struct{}

func (attentive) Hear(context.Context, hearing.Speech) (string, error) { return "Hello.", nil }

func (mute) Speak(context.Context, string, string) (voice.Speech, error) {
	return voice.Speech{}, nil
}

// access is the server, and everybody's keys.
type access struct {
	*testing.T

	url    string
	routes []string
	keys   map[string]string
	files  *media.Files
	voice  *voice.Cache
	asked  int
}

// openAccess serves all doors with all roles.
func openAccess(t *testing.T) *access {
	t.Helper()
	folder := t.TempDir()
	venue, data := filepath.Join(folder, "venue.yaml"), filepath.Join(folder, "data")
	if err := os.WriteFile(venue, []byte(accessVenue), 0o600); err != nil {
		t.Fatal(err)
	}
	who := map[string]string{"wrong": "annai_of-nobody-at-all-but-long-enough-to-be-one"}
	for name, args := range map[string][]string{
		"visitor": {"--role", "ask"}, "other": {"--role", "ask"}, "admin": {"--role", "admin"},
		"hanako": {"--role", "owner", "--owner", "hanako"}, "taro": {"--role", "owner", "--owner", "taro"},
	} {
		who[name] = newKey(t, append(args, "--name", name, "--data", data)...)
	}
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	config.Bind(flags)
	config.BindServer(flags)
	err := flags.Parse([]string{
		"--venue", venue, "--now", thursday, "--trusted-proxies", "127.0.0.1",
		"--google-client-id", "id", "--mcp-confirm", "client",
		"--google-redirect", "http://127.0.0.1:8080" + callbackPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(flags)
	if err != nil {
		t.Fatal(err)
	}
	c.Google.ClientSecret = "secret"
	c.Kiosk.Code, c.Kiosk.StaffWebhook = "246802", secret.Text(staffOf(t))
	c.Kiosk.PublicURL = "http://127.0.0.1:8080"
	// How often may be asked is tested elsewhere.
	c.Access.AddressRate, c.Access.KeyRate = config.Rate{}, config.Rate{}
	kept := c // keys and tokens are in files, all else is in memory
	kept.Data = data
	ring, store, err := setup.Keys(t.Context(), kept)
	if err != nil {
		t.Fatal(err)
	}
	a, err := assemble(t.Context(), c, wants{owner: true}, discard)
	if err != nil {
		t.Fatal(err)
	}
	signIn, err := googleSignIn(t.Context(), kept, true, a.now, discard)
	if err != nil {
		t.Fatal(err)
	}
	speaks := speaking{cache: voice.NewCache(mute{}, voice.CacheOptions{Now: a.now})}
	f := front{
		ring: ring, kept: store, signIn: signIn, figures: server.NewFigures(), speaks: speaks, hears: attentive{},
		tryOut: true,
	}
	s, _, stop, err := newServer(t.Context(), c, a, f, discard)
	if err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		served.CloseClientConnections()
		served.Close()
		for _, end := range []func() error{stop, a.close, store.Close} {
			if err := end(); err != nil {
				t.Error(err)
			}
		}
	})
	return &access{T: t, routes: s.Routes(), url: served.URL, keys: who, files: a.files, voice: speaks.cache}
}

// staffOf is the address of staff who hear that they are called.
func staffOf(t *testing.T) string {
	t.Helper()
	staff := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(staff.Close)
	return staff.URL
}

// answered is what came back. What is said in a stream or over a socket isn't read.
type answered struct {
	status int
	header http.Header
	said   string
}

// ask asks as somebody, each time from an address of its own, for wrong keys are bounded.
func (a *access) ask(who, method, path, body string, header ...string) answered {
	a.Helper()
	request, err := http.NewRequestWithContext(a.Context(), method, a.url+path, strings.NewReader(body))
	if err != nil {
		a.Fatal(err)
	}
	a.asked++
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("10.0.%d.%d", a.asked/250, a.asked%250+1))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Accept-Language", "en")
	if key := a.keys[who]; key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(request) // which follows nowhere
	if err != nil {
		a.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // a stream is left there
	got := answered{status: response.StatusCode, header: response.Header}
	stream := strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream")
	if stream && path != "/mcp" || stream && method == http.MethodGet || got.status == http.StatusSwitchingProtocols {
		return got
	}
	said, err := io.ReadAll(response.Body)
	if err != nil {
		a.Fatalf("%s %s: %v", method, path, err)
	}
	got.said = string(said)
	return got
}

// made asks as somebody for something to be made, and reads the answer.
func (a *access) made(who, method, path, body string, into any) http.Header {
	a.Helper()
	got := a.ask(who, method, path, body)
	if got.status >= http.StatusBadRequest {
		a.Fatalf("%s %s as %s = %d %s", method, path, who, got.status, got.said)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(got.said), into); err != nil {
			a.Fatalf("%s %s as %s: %v in %s", method, path, who, err, got.said)
		}
	}
	return got.header
}

// fill makes what the names in braces stand for. Threads, runs and sessions are of the maker.
func (a *access) fill(maker, caller string, r asking) asking {
	a.Helper()
	all := strings.Join([]string{r.path, r.body, r.form, r.session}, " ")
	has := func(name string) bool { return strings.Contains(all, "{"+name+"}") }
	values := []string{"{key}", a.keys[caller]}
	put := func(name, value string) { values = append(values, "{"+name+"}", value) }
	if has("thread") || has("run") {
		thread, run := a.thread(maker)
		put("thread", thread)
		put("run", run)
		if has("checkpoint") {
			put("checkpoint", a.checkpoint(maker, thread))
		}
		if has("waiting") {
			var later struct {
				Run string `json:"run_id"`
			}
			body := strings.Replace(probeRun, "{", `{"after_seconds":600,`, 1)
			a.made(maker, "POST", "/threads/"+thread+"/runs", body, &later)
			put("waiting", later.Run)
		}
	}
	switch {
	case has("answer"):
		put("answer", a.answer(maker))
	case has("page"):
		put("page", a.page(maker))
	case has("event"):
		put("event", a.event(maker))
	case has("task"):
		put("task", a.task(maker))
	case has("assistant"):
		var made struct {
			ID string `json:"assistant_id"`
		}
		a.made("admin", "POST", "/assistants", `{"graph_id":"probe"}`, &made)
		put("assistant", made.ID)
	case has("cron"):
		var made struct {
			ID string `json:"cron_id"`
		}
		a.made("admin", "POST", "/runs/crons", cronBody, &made)
		put("cron", made.ID)
	case has("item"):
		name := strings.ToLower(rand.Text())
		a.made("admin", "PUT", "/store/items", strings.Replace(itemBody, `"n"`, `"`+name+`"`, 1), nil)
		put("item", name)
	case has("spoken"):
		spoken, _ := a.voice.Add("Hello.", "en")
		put("spoken", spoken)
	case has("file"), has("unsigned"):
		address, err := a.files.Put([]byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), media.SVG)
		if err != nil {
			a.Fatal(err)
		}
		put("file", address.URL)
		unsigned, _, _ := strings.Cut(address.URL, "&signature")
		put("unsigned", unsigned)
	}
	if has("session") {
		put("session", a.made(maker, "POST", "/mcp", mcpHello, nil).Get("Mcp-Session-Id"))
	}
	if has("own session") && caller != "none" && caller != "wrong" {
		put("own session", a.made(caller, "POST", "/mcp", mcpHello, nil).Get("Mcp-Session-Id"))
	}
	fill := strings.NewReplacer(values...).Replace
	r.path, r.body, r.form, r.session = fill(r.path), fill(r.body), fill(r.form), fill(r.session)
	return r
}

// thread makes a thread with a run that has ended, in which the maker's secret was said.
func (a *access) thread(maker string) (thread, run string) {
	a.Helper()
	var made struct {
		ID string `json:"thread_id"`
	}
	a.made(maker, "POST", "/threads", `{}`, &made)
	body := strings.Replace(probeRun, `"x"`, `"`+secretOf(maker)+`"`, 1)
	location := a.made(maker, "POST", "/threads/"+made.ID+"/runs/wait", body, nil).Get("Content-Location")
	_, run, _ = strings.Cut(location, "/runs/")
	return made.ID, run
}

// answer asks the concierge something in the maker's session s, and returns the run's id.
func (a *access) answer(maker string) string {
	a.Helper()
	got := a.ask(maker, "POST", "/query", `{"query":"hello","sessionId":"s"}`, "Accept", "application/json")
	var answer struct{ RunID string }
	if err := json.Unmarshal([]byte(got.said), &answer); err != nil || answer.RunID == "" {
		a.Fatalf("an answer for %s = %d %s", maker, got.status, got.said)
	}
	return answer.RunID
}

// page makes the page of an answer, and returns its name.
func (a *access) page(maker string) string {
	a.Helper()
	var made struct{ URL string }
	a.made(maker, "POST", "/handovers", `{"sessionId":"s","runId":"`+a.answer(maker)+`"}`, &made)
	_, page, _ := strings.Cut(made.URL, "/phone/")
	return page
}

func (a *access) checkpoint(maker, thread string) string {
	a.Helper()
	var state struct {
		Checkpoint struct {
			ID string `json:"checkpoint_id"`
		}
	}
	a.made(maker, "GET", "/threads/"+thread+"/state", "", &state)
	return state.Checkpoint.ID
}

func (a *access) event(maker string) string {
	a.Helper()
	var made struct {
		Event struct {
			ID string `json:"event_id"`
		}
	}
	title := fmt.Sprintf("%s %d", secretOf(maker), a.asked)
	a.made(maker, "POST", "/tools/create_event", `{"title":"`+title+`","start":"2026-11-20T14:00"}`, &made)
	return made.Event.ID
}

func (a *access) task(maker string) string {
	a.Helper()
	var made struct{ TaskIDs []string }
	title := fmt.Sprintf("%s %d", secretOf(maker), a.asked)
	a.made(maker, "POST", "/tools/tasks_write", `{"todos":[{"title":"`+title+`"}]}`, &made)
	if len(made.TaskIDs) != 1 {
		a.Fatalf("tasks_write made %q", made.TaskIDs)
	}
	return made.TaskIDs[0]
}

// makersOf are whose things a request may be about; "-" if it is about nobody's.
func makersOf(r asking) []string {
	about := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return strings.Contains(r.path+r.body+r.session, "{"+name+"}")
		})
	}
	switch {
	case about("event", "task"):
		return []string{"hanako"}
	case about("page"): // there are none of what an owner was told
		return []string{"visitor"}
	case about("thread", "run", "session", "answer"):
		return []string{"visitor", "hanako"}
	}
	return []string{"-"}
}

// cell asks for what the maker made, as the caller.
func (a *access) cell(method, maker, caller string, r asking) string {
	a.Helper()
	r = a.fill(maker, caller, r)
	header := []string{"X-Request-Id", "of-the-table"}
	if r.session != "" {
		header = append(header, "Mcp-Session-Id", r.session)
	}
	if r.device != "" {
		header = append(header, "X-Device", r.device)
	}
	if r.socket {
		header = append(header, "Connection", "Upgrade", "Upgrade", "websocket",
			"Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==")
	}
	body := r.body
	if r.form != "" {
		body, r.contentType = r.form, "application/x-www-form-urlencoded"
	} else if body == "" && method != http.MethodGet {
		body = "{}"
	}
	if r.contentType != "" {
		header = append(header, "Content-Type", r.contentType)
	}
	got := a.ask(caller, method, r.path, body, header...)
	for _, of := range []string{"visitor", "hanako"} {
		if caller != of && caller != "admin" && strings.Contains(got.said, secretOf(of)) {
			a.Errorf("%s %s tells %s the words of %s: %s", method, r.path, caller, of, got.said)
		}
	}
	switch {
	case got.status >= http.StatusInternalServerError:
		a.Errorf("%s %s as %s = %d %s", method, r.path, caller, got.status, got.said)
	case got.status < http.StatusBadRequest && failed.MatchString(got.said):
		return "err"
	case got.status < http.StatusBadRequest:
		return "ok"
	}
	return fmt.Sprint(got.status)
}

// TestAccess is the one table of who may do what: every route by every role, for what everybody made,
// through the server as annai serve makes it. It is kept in testdata/access.txt, so that a route that
// is new, and a cell that changes, is seen there. What else is to be held about callers who have no
// key is in server (TestRoutesByKey) and server/langgraph (TestRoutesByMaker).
func TestAccess(t *testing.T) {
	t.Parallel()
	a := openAccess(t)
	byPath := func(route string) string { method, path, _ := strings.Cut(route, " "); return path + " " + method }
	slices.SortFunc(a.routes, func(x, y string) int { return strings.Compare(byPath(x), byPath(y)) })
	var table strings.Builder
	table.WriteString(accessHead + "\n")
	line := func(route, whose string, cells []string) {
		text := fmt.Sprintf("%-60s %-8s", route, whose)
		for _, cell := range cells {
			text += fmt.Sprintf("%-8s", cell)
		}
		table.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	line("route", "whose", callersOf)
	for _, route := range a.routes {
		method, path, _ := strings.Cut(route, " ")
		requests := askings[route]
		if requests == nil {
			requests = []asking{{}}
		}
		for _, request := range requests {
			request.path = cmp.Or(request.path, things.Replace(path))
			if strings.ContainsAny(request.path, ":*") {
				t.Errorf("%s has parameters that the table has nothing for", route)
				continue
			}
			for _, maker := range makersOf(request) {
				var cells []string
				for _, caller := range callersOf {
					cells = append(cells, a.cell(method, maker, caller, request))
				}
				line(strings.TrimSpace(fmt.Sprintf("%-6s %s %s", method, path, request.what)), maker, cells)
			}
		}
	}
	checkAccess(t, table.String())
}

func checkAccess(t *testing.T, table string) {
	t.Helper()
	if *updateAccess {
		if err := os.WriteFile(accessFile, []byte(table), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(accessFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), table); diff != "" {
		t.Errorf("who may do what is not as in %s; see that nobody may more than they should, then run "+
			"go test ./cmd/annai -run TestAccess -update-access (-file +server):\n%s", accessFile, diff)
	}
}
