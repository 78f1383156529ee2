package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/fault"
	"annai/server/door"
	"annai/server/door/doortest"
	"annai/tools"
	"annai/venue"
)

var noon = time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)

// fakeConcierge answers with ask.
type fakeConcierge struct {
	language string // of all questions
	mu       sync.Mutex
	turns    []dialog.Turn
	ask      func(turn dialog.Turn) (api.QueryResponse, error)
}

func (f *fakeConcierge) Ask(_ context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	f.mu.Lock()
	f.turns = append(f.turns, turn)
	f.mu.Unlock()
	return func(yield func(dialog.Event, error) bool) {
		answer, err := f.ask(turn)
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(dialog.Started{RunStarted: api.RunStarted{Language: f.language}}, nil) {
			return
		}
		if !yield(dialog.Progress{NodeProgress: api.NodeProgress{Node: "event", LabelEN: "looking", LabelJA: "確認中"}}, nil) {
			return
		}
		yield(dialog.Final{QueryResponse: answer}, nil)
	}
}

// note is what the tools of these tests have to do with.
type note struct {
	Text string `json:"text"`
}

// fixture is a server with two tools, a fake concierge and some knowledge.
type fixture struct {
	*Server

	concierge *fakeConcierge
	written   []string
	passages  []Passage
}

func newFixture(t *testing.T, opts Options) *fixture {
	t.Helper()
	v, err := venue.Demo()
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{concierge: &fakeConcierge{}, passages: []Passage{
		{ID: "docs/hours.md#0", Title: "Hours", Text: "Open from 9:00.", Lang: "en", Category: "hours", Source: "Front desk"},
		{ID: "docs/old.md#0", Title: "Old", Text: "Long ago.", Lang: "en", ValidUntil: civil.Date{Year: 2025, Month: time.December, Day: 31}},
		{ID: "料金.md#1", Title: "料金", Text: "500円です。", Lang: "ja", Category: "price", UpdatedAt: civil.Date{Year: 2026, Month: time.January, Day: 1}},
	}}
	f.concierge.ask = func(turn dialog.Turn) (api.QueryResponse, error) {
		return api.QueryResponse{Text: "[happy]You said " + turn.Query + ".", SessionID: "s1"}, nil
	}
	registry := tools.New(func() time.Time { return noon }, tools.Options{})
	both := map[string]string{"ja": "メモ", "en": "a note"}
	everybody := []tools.Role{tools.Visitor, tools.Owner}
	must(t, tools.Add(registry, tools.Tool[note, note]{
		Spec: tools.Spec{Name: "look", Description: both, Class: tools.Read, Roles: everybody, Timeout: time.Minute},
		Do: func(_ context.Context, _ tools.Caller, in note) (note, error) {
			if in.Text == "lost" {
				return note{}, &tools.Refusal{Kind: fault.ErrNotFound, JA: "見つかりません。", EN: "There is no such note."}
			}
			return in, nil
		},
	}))
	must(t, tools.Add(registry, tools.Tool[note, note]{
		Spec: tools.Spec{Name: "write", Description: both, Class: tools.UnkeyedWrite, Roles: []tools.Role{tools.Owner}, Timeout: time.Minute},
		Do: func(_ context.Context, _ tools.Caller, in note) (note, error) {
			f.written = append(f.written, in.Text)
			return in, nil
		},
	}))
	f.Server, err = New(Parts{
		Venue: v, Concierge: f.concierge, Tools: registry, Passages: func() []Passage { return f.passages }, Now: func() time.Time { return noon },
	}, opts)
	must(t, err)
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// start serves the door as the server would, and returns its address. The caller's role is that of the header X-Role.
func (f *fixture) start(t *testing.T) string {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	d := f.Door()
	for _, r := range d.Routes {
		engine.Handle(r.Method, r.Path, func(c *gin.Context) {
			role := door.Role(c.GetHeader("X-Role"))
			door.SetCaller(c, door.Caller{Role: role, Key: string(role)})
			if err := r.Handle(c); err != nil {
				d.Fail(c, door.Explain(err, "en"))
			}
		})
	}
	server := httptest.NewServer(engine)
	t.Cleanup(server.Close)
	return server.URL + "/mcp"
}

// withRole sends every request with a role and a language.
type withRole struct {
	role     door.Role
	language string
}

func (w withRole) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Role", string(w.role))
	r.Header.Set("Accept-Language", w.language)
	return http.DefaultTransport.RoundTrip(r)
}

// connect connects a client. answer is what a person replies to questions; nil: the client can't ask.
func connect(t *testing.T, url string, who withRole, answer func(*sdk.ElicitParams) *sdk.ElicitResult, progress func(string)) *sdk.ClientSession {
	t.Helper()
	opts := &sdk.ClientOptions{}
	if answer != nil {
		opts.ElicitationHandler = func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) { return answer(r.Params), nil }
	}
	if progress != nil {
		opts.ProgressNotificationHandler = func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { progress(r.Params.Message) }
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, opts)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: who}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatalf("connect as %s: %v", who.role, err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func call(t *testing.T, s *sdk.ClientSession, tool string, arguments any) *sdk.CallToolResult {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("CallTool(%s): %v", tool, err)
	}
	return r
}

// textOf is the text of a result, after "error: " if it is one.
func textOf(r *sdk.CallToolResult) string {
	var b strings.Builder
	if r.IsError {
		b.WriteString("error: ")
	}
	for _, c := range r.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

func TestToolsAreThoseOfTheRole(t *testing.T) {
	f := newFixture(t, Options{})
	url := f.start(t)
	for role, want := range map[door.Role][]string{
		door.Visitor: {"ask", "look"},
		door.Owner:   {"ask", "look", "write"},
	} {
		list, err := connect(t, url, withRole{role, "ja"}, nil, nil).ListTools(t.Context(), nil)
		must(t, err)
		var got []string
		for _, tool := range list.Tools {
			got = append(got, tool.Name)
			if tool.Name == "write" && (tool.Annotations.ReadOnlyHint || tool.Description != "メモ") {
				t.Errorf("write = %+v, %q, want one that writes, described in Japanese", tool.Annotations, tool.Description)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("tools of %s = %q, want %q", role, got, want)
		}
	}
	if _, err := connect(t, url, withRole{door.Visitor, "en"}, nil, nil).CallTool(t.Context(), &sdk.CallToolParams{Name: "write", Arguments: note{"x"}}); err == nil {
		t.Error("a visitor called write")
	}
	if len(f.written) > 0 {
		t.Errorf("written = %q by a visitor", f.written)
	}
}

func TestToolAnswers(t *testing.T) {
	f := newFixture(t, Options{})
	s := connect(t, f.start(t), withRole{door.Visitor, "en"}, nil, nil)
	r := call(t, s, "look", note{"hello"})
	if got := textOf(r); got != `{"text":"hello"}` {
		t.Errorf("look = %s", got)
	}
	structured, err := json.Marshal(r.StructuredContent)
	if err != nil || string(structured) != `{"text":"hello"}` {
		t.Errorf("structured look = %s, %v", structured, err)
	}
	if got := textOf(call(t, s, "look", note{"lost"})); got != "error: There is no such note." {
		t.Errorf("look for what is not there = %s", got)
	}
	if got := textOf(call(t, s, "look", map[string]any{"test": 1})); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, "text") {
		t.Errorf("look with a wrong input = %s, want an error that names the field", got)
	}
}

// A dot in a tool's name stands for an underscore.
func TestDottedName(t *testing.T) {
	f := newFixture(t, Options{})
	must(t, tools.Add(f.parts.Tools, tools.Tool[note, note]{
		Spec: tools.Spec{
			Name: "note_edit", Description: map[string]string{"ja": "メモ", "en": "a note"}, Class: tools.Read,
			Roles: []tools.Role{tools.Visitor}, Timeout: time.Minute,
		},
		Do: func(_ context.Context, _ tools.Caller, in note) (note, error) { return in, nil },
	}))
	s := connect(t, f.start(t), withRole{door.Visitor, "en"}, nil, nil)
	if got := textOf(call(t, s, "note.edit", note{"hello"})); got != `{"text":"hello"}` {
		t.Errorf("note.edit = %s, want the answer of note_edit", got)
	}
}

func TestWritesAreConfirmed(t *testing.T) {
	accept := func(*sdk.ElicitParams) *sdk.ElicitResult {
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{}}
	}
	var asked string
	for name, test := range map[string]struct {
		opts   Options
		answer func(*sdk.ElicitParams) *sdk.ElicitResult
		want   string
		writes int
	}{
		"yes": {answer: func(p *sdk.ElicitParams) *sdk.ElicitResult { asked = p.Message; return accept(p) }, want: `{"text":"buy milk"}`, writes: 1},
		"no": {
			answer: func(*sdk.ElicitParams) *sdk.ElicitResult { return &sdk.ElicitResult{Action: "decline"} },
			want:   "error: The person said no. Nothing was changed.",
		},
		"closed":           {answer: func(*sdk.ElicitParams) *sdk.ElicitResult { return &sdk.ElicitResult{Action: "cancel"} }, want: "error: The person said no. Nothing was changed."},
		"nobody to ask":    {want: "error: Nothing was changed: a change must be confirmed"},
		"the client's own": {opts: Options{ClientConfirms: true}, want: `{"text":"buy milk"}`, writes: 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, test.opts)
			s := connect(t, f.start(t), withRole{door.Owner, "en"}, test.answer, nil)
			if got := textOf(call(t, s, "write", note{"buy milk"})); !strings.HasPrefix(got, test.want) {
				t.Errorf("write = %q, want %q", got, test.want)
			}
			if len(f.written) != test.writes {
				t.Errorf("written = %q, want %d", f.written, test.writes)
			}
		})
	}
	if !strings.Contains(asked, "text: buy milk") {
		t.Errorf("question = %q, want what is written", asked)
	}
}

// TestConfirmationIsForWhatWasAsked answers a question that was about something else.
func TestConfirmationIsForWhatWasAsked(t *testing.T) {
	f := newFixture(t, Options{})
	req := &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{
		Name: "write", Arguments: json.RawMessage(`{"text":"everything"}`), RequestState: digest("write", json.RawMessage(`{"text":"nothing"}`)),
		InputResponses: sdk.InputResponseMap{confirmID: &sdk.ElicitResult{Action: "accept"}},
		Meta:           sdk.Meta{sdk.MetaKeyClientCapabilities: map[string]any{"elicitation": map[string]any{}}},
	}}
	if got := f.confirm(req, identity{role: tools.Owner, language: "en"}, "write"); got == nil || got.InputRequests == nil {
		t.Errorf("confirm = %+v, want the question again", got)
	}
}

func TestQuestionShowsEachFieldOnOneLine(t *testing.T) {
	got := fields(json.RawMessage(`{"title":"a\nstart: tomorrow\u202e","start":{"dateTime": "2026-01-14T12:00:00Z"},"n":3}`))
	want := []string{"n: 3", `start: {"dateTime":"2026-01-14T12:00:00Z"}`, "title: a start: tomorrow"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

func TestAsk(t *testing.T) {
	f := newFixture(t, Options{})
	progress := make(chan string, 10)
	s := connect(t, f.start(t), withRole{door.Visitor, "en"}, nil, func(m string) { progress <- m })
	r := call(t, s, "ask", map[string]any{"query": " hello ", "language": "en", "timezone": "Europe/London"})
	if got := textOf(r); got != "You said hello." {
		t.Errorf("ask = %q, want the text without its tag", got)
	}
	if got := r.StructuredContent.(map[string]any)["sessionId"]; got != "s1" {
		t.Errorf("sessionId = %v", got)
	}
	turn := f.concierge.turns[0]
	if turn.Location.String() != "Europe/London" || turn.Language != "en" || turn.Owner {
		t.Errorf("turn = %+v", turn)
	}
	for name, in := range map[string]map[string]any{
		"query":     {"query": " "},
		"language":  {"query": "hello", "language": "fr"},
		"timezone":  {"query": "hello", "timezone": "Mars"},
		"sessionId": {"query": "hello", "sessionId": strings.Repeat("s", 129)},
	} {
		if got := textOf(call(t, s, "ask", in)); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, name) {
			t.Errorf("ask with a wrong %s = %q", name, got)
		}
	}
	for language, want := range map[string]string{"en": "looking", "ja": "確認中"} { // that of the question, which need not name it
		f.concierge.language = language
		params := &sdk.CallToolParams{Name: "ask", Arguments: map[string]any{"query": "hello"}}
		params.SetProgressToken("p" + language)
		if _, err := s.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-progress:
			if got != want {
				t.Errorf("progress = %q, want what the concierge is doing, %q", got, want)
			}
		case <-time.After(time.Minute):
			t.Error("no progress was told")
		}
	}
}

func TestAskFails(t *testing.T) {
	f := newFixture(t, Options{})
	f.concierge.ask = func(dialog.Turn) (api.QueryResponse, error) {
		return api.QueryResponse{}, fmt.Errorf("secret address: %w", fault.ErrUnavailable)
	}
	got := textOf(call(t, connect(t, f.start(t), withRole{door.Visitor, "en"}, nil, nil), "ask", map[string]any{"query": "hello"}))
	if !strings.HasPrefix(got, "error: ") || strings.Contains(got, "secret") {
		t.Errorf("ask = %q, want a failure in general words", got)
	}
}

// TestQuestionsOfTheConcierge lets the concierge ask back, in a client that can put the question to a person and in one that can't.
func TestQuestionsOfTheConcierge(t *testing.T) {
	open := &api.Interrupt{ID: "i1", Kind: "clarify", Question: "Which one?", Options: []string{"the space", "the café"}}
	ask := func(turn dialog.Turn) (api.QueryResponse, error) {
		if turn.Resume == nil {
			return api.QueryResponse{Text: "[surprised]Which one?", SessionID: "s9", Interrupt: open}, nil
		}
		if turn.SessionID != "s9" || turn.Resume.InterruptID != "i1" {
			return api.QueryResponse{}, fault.ErrNotFound
		}
		return api.QueryResponse{Text: "[happy]So " + string(turn.Resume.Value) + "."}, nil
	}
	var asked *sdk.ElicitParams
	for name, test := range map[string]struct {
		answer func(*sdk.ElicitParams) *sdk.ElicitResult
		want   string
	}{
		"chosen": {
			answer: func(p *sdk.ElicitParams) *sdk.ElicitResult {
				asked = p
				return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"answer": "the café"}}
			},
			want: `So "the café".`,
		},
		"declined":      {answer: func(*sdk.ElicitParams) *sdk.ElicitResult { return &sdk.ElicitResult{Action: "decline"} }, want: `So "no".`},
		"nobody to ask": {want: "Which one?"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, Options{})
			f.concierge.ask = ask
			s := connect(t, f.start(t), withRole{door.Visitor, "en"}, test.answer, nil)
			if got := textOf(call(t, s, "ask", map[string]any{"query": "the cafe"})); got != test.want {
				t.Errorf("ask = %q, want %q", got, test.want)
			}
		})
	}
	if asked == nil || asked.Message != "Which one?" {
		t.Errorf("question = %+v", asked)
	}
}

func TestKnowledge(t *testing.T) {
	f := newFixture(t, Options{})
	s := connect(t, f.start(t), withRole{door.Visitor, "en"}, nil, nil)
	list, err := s.ListResources(t.Context(), nil)
	must(t, err)
	if len(list.Resources) != 2 {
		t.Fatalf("ListResources = %d, want the two that hold today", len(list.Resources))
	}
	for i, want := range []string{"Hours\n\nOpen from 9:00.", "料金\n\n500円です。"} {
		r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: list.Resources[i].URI})
		must(t, err)
		if got := r.Contents[0].Text; got != want {
			t.Errorf("ReadResource(%s) = %q, want %q", list.Resources[i].URI, got, want)
		}
	}
	for _, uri := range []string{"annai://knowledge/nothing", "annai://knowledge/%zz", "file:///etc/passwd"} {
		if r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("ReadResource(%s) = %+v, want an error", uri, r.Contents[0])
		}
	}
}

// TestKnowledgePageByPage reads a list that changes while it is read.
func TestKnowledgePageByPage(t *testing.T) {
	f := newFixture(t, Options{})
	f.passages = nil
	for i := range 2*page + 1 {
		f.passages = append(f.passages, Passage{ID: fmt.Sprintf("p%06d", i), Lang: "en"})
	}
	s := connect(t, f.start(t), withRole{door.Visitor, "en"}, nil, nil)
	seen := map[string]int{}
	for r, err := range s.Resources(t.Context(), nil) {
		must(t, err)
		seen[r.Name]++
		if len(seen) == page { // the first goes away: nothing that is still there is left out or comes twice
			f.passages = slices.Clone(f.passages[1:])
		}
	}
	if len(seen) != 2*page+1 || seen["p000000"] != 1 || seen["p001000"] != 1 {
		t.Errorf("saw %d passages, want %d, each once", len(seen), 2*page+1)
	}
	if _, err := s.ListResources(t.Context(), &sdk.ListResourcesParams{Cursor: "%%%"}); err == nil {
		t.Error("a broken cursor was taken")
	}
}

func TestPrompts(t *testing.T) {
	f := newFixture(t, Options{})
	s := connect(t, f.start(t), withRole{door.Visitor, "ja"}, nil, nil)
	list, err := s.ListPrompts(t.Context(), nil)
	must(t, err)
	for _, p := range list.Prompts {
		r, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name, Arguments: map[string]string{"when": "next week\n# System", "language": "en"}})
		must(t, err)
		got := r.Messages[0].Content.(*sdk.TextContent).Text
		if !strings.Contains(got, "next week # System") || p.Description == "" {
			t.Errorf("prompt %s = %q, want the time on the line where it belongs", p.Name, got)
		}
	}
	done, err := s.Complete(t.Context(), &sdk.CompleteParams{
		Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "whats_on"}, Argument: sdk.CompleteParamsArgument{Name: "when", Value: "next w"},
	})
	must(t, err)
	if !slices.Equal(done.Completion.Values, []string{"next week"}) {
		t.Errorf("completions = %q", done.Completion.Values)
	}
}

// TestSessionsBelongToTheirKey takes over an owner's session as a visitor.
func TestSessionsBelongToTheirKey(t *testing.T) {
	f := newFixture(t, Options{MaxSessions: 1})
	url := f.start(t)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	status, session := post(t, url, "owner", "", hello)
	if status != http.StatusOK || session == "" {
		t.Fatalf("initialize = %d, session %q", status, session)
	}
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	if got, _ := post(t, url, "owner", session, list); got != http.StatusOK {
		t.Errorf("tools/list in the owner's session = %d", got)
	}
	if got, _ := post(t, url, "visitor", session, list); got != http.StatusNotFound {
		t.Errorf("tools/list in another's session = %d, want 404", got)
	}
	if got, _ := post(t, url, "owner", "", hello); got != http.StatusTooManyRequests {
		t.Errorf("a session more than there may be = %d, want 429", got)
	}
	if got, _ := post(t, url, "visitor", "", hello); got != http.StatusOK {
		t.Errorf("a visitor's session when there is no room for the owner's = %d, want 200", got)
	}
}

// TestSessionsOfVisitors: no visitor takes the sessions of others, nor those of owners.
func TestSessionsOfVisitors(t *testing.T) {
	f := newFixture(t, Options{MaxSessions: 5, MaxOwn: 2})
	url := f.start(t)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for i, test := range []struct {
		role string
		want int
	}{
		{"visitor", 200},
		{"visitor", 200},
		{"visitor", 429},
		{"visitor 2", 200},
		{"visitor 2", 200},
		{"visitor 2", 429},
		{"visitor 3", 200},
		{"visitor 4", 429},
		{"owner", 200},
		{"owner", 200},
		{"owner", 200},
	} {
		if got, _ := post(t, url, test.role, "", hello); got != test.want {
			t.Errorf("session %d, of %s = %d, want %d", i, test.role, got, test.want)
		}
	}
}

// TestChargedForEach: each message of a batch, and what a tool is of work, counts as if it were asked for by itself.
func TestChargedForEach(t *testing.T) {
	f := newFixture(t, Options{})
	both := map[string]string{"ja": "仕事", "en": "work"}
	must(t, tools.Add(f.parts.Tools, tools.Tool[note, note]{
		Spec: tools.Spec{
			Name: "work", Description: both, Class: tools.Read, Roles: []tools.Role{tools.Visitor},
			Timeout:  time.Minute,
			Requests: 4,
		},
		Do: func(_ context.Context, _ tools.Caller, in note) (note, error) { return in, nil },
	}))
	charged := 0
	server := httptest.NewServer(doortest.Handler(f.Door(), doortest.ByKey, func(n int) error {
		charged += n
		return &door.RateError{Wait: time.Second}
	}))
	defer server.Close()
	call := func(name string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":{}}}`
	}
	for body, want := range map[string]int{
		call("look"): 0,
		call("work"): 3,
		"[" + call("look") + "," + call("work") + "]":           4,
		" [" + call("ask") + ",5," + call("no_such_tool") + "]": 2,
	} {
		charged = 0
		status, _ := post(t, server.URL+"/mcp", "", "", body)
		if charged != want || want > 0 && status != http.StatusTooManyRequests {
			t.Errorf("%s = %d, charged %d besides itself, want 429 and %d", body, status, charged, want)
		}
	}
}

func post(t *testing.T, url, role, session, body string) (status int, newSession string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("X-Role", role)
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	w, err := http.DefaultClient.Do(r)
	must(t, err)
	must(t, w.Body.Close())
	return w.StatusCode, w.Header.Get("Mcp-Session-Id")
}

func TestPartsAreRequired(t *testing.T) {
	if _, err := New(Parts{}, Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("New(no parts) = %v, want ErrInvalid", err)
	}
}
