package serve_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"annai/agent"
	"annai/graph"
	"annai/llm"
	"annai/serve"
)

// greeter is a graph with a channel that nobody outside is to write.
func greeter() serve.Source {
	type state struct {
		Name   string `json:"name"`
		Hidden string `json:"-"`
		Words  string `json:"words"`
	}
	schema := graph.NewSchema[state]()
	graph.Last(schema, "name", func(s *state) *string { return &s.Name })
	graph.Last(schema, "hidden", func(s *state) *string { return &s.Hidden })
	words := graph.Last(schema, "words", func(s *state) *string { return &s.Words })
	g := graph.New(schema)
	g.AddNode("greet", func(_ context.Context, s state) (graph.Command[state], error) {
		return graph.Command[state]{Update: graph.Update[state]{words.Write("Hello, " + s.Name + s.Hidden)}}, nil
	})
	g.AddEdge(graph.Start, "greet")
	g.AddEdge("greet", graph.End)
	return serve.Graph("greeter", g)
}

// command runs a command to its end.
func command(t *testing.T, graphs []serve.Source, args ...string) (out string, err error) {
	t.Helper()
	var written, log bytes.Buffer
	err = serve.Run(t.Context(), append([]string{"/usr/bin/greeter"}, args...), &written, &log, graphs...)
	return written.String(), err
}

// TestCommands: what is typed wrong is said in a sentence, and commands other than to serve end.
func TestCommands(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	bad, none := graph.New(graph.NewSchema[struct{}]()), serve.Graph[struct{}]("none", nil)
	for name, c := range map[string]struct {
		args   []string
		graphs []serve.Source
		out    string
		err    string
	}{
		"help":             {args: []string{"--help"}, out: "--postgres ADDRESS"},
		"a drawing":        {args: []string{"graph"}, out: "n_start --> n_greet"},
		"no such command":  {args: []string{"paint"}, err: `there is no command "paint"; see greeter --help`},
		"no such flag":     {args: []string{"--venue", "x"}, err: "unknown flag: --venue"},
		"no such graph":    {args: []string{"graph", "x"}, err: "graph takes the name of one of 1 graphs"},
		"a wrong setting":  {args: []string{"--grace", "soon"}, err: `--grace: "soon" is not a duration`},
		"no keys":          {args: []string{"--listen", "0.0.0.0:0"}, err: "can be reached by other machines"},
		"a taken address":  {args: []string{"--listen", taken.Addr().String()}, err: "is taken by another program"},
		"keys of nowhere":  {args: []string{"keys", "list"}, err: "the same as for greeter serve"},
		"a wrong graph":    {graphs: []serve.Source{serve.Graph("bad", bad)}, err: "graph bad: compile bad: invalid"},
		"no graph":         {graphs: []serve.Source{none}, err: "graph none: there is none"},
		"a name of spaces": {graphs: []serve.Source{serve.Graph("a b", bad)}, err: "graph a b: serve.Graph makes one"},
		"one name twice":   {graphs: []serve.Source{greeter(), greeter()}, err: `two graphs are called "greeter"`},
		"no graphs at all": {graphs: []serve.Source{}, err: "serve needs a graph"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.graphs == nil {
				c.graphs = []serve.Source{greeter()}
			}
			out, err := command(t, c.graphs, c.args...)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("it fails with %v, want %q", err, c.err)
			}
			if !strings.Contains(out, c.out) {
				t.Errorf("it writes %q, want %q", out, c.out)
			}
		})
	}
}

// start serves until the test ends.
func start(t *testing.T, graphs []serve.Source, args ...string) *program {
	t.Helper()
	return startRun(t, func(ctx context.Context, always []string, said writer, log *bytes.Buffer) error {
		return serve.Run(ctx, append(always, args...), said, log, graphs...)
	})
}

// startRun runs a server until the test ends.
func startRun(
	t *testing.T, run func(ctx context.Context, args []string, said writer, log *bytes.Buffer) error,
) *program {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var log bytes.Buffer
	said := make(chan string, 1)
	ended := make(chan error, 1)
	go func() {
		args := []string{"greeter", "--listen", "127.0.0.1:0"}
		ended <- run(ctx, args, func(p []byte) { said <- string(p) }, &log)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v: %s", err, &log)
		}
	})
	select {
	case text := <-said:
		return &program{url: regexp.MustCompile(`http://[0-9.:]+`).FindString(text)}
	case err := <-ended:
		ended <- err
		t.Fatalf("Run = %v: %s", err, &log)
		return nil
	}
}

// put sends what is to be kept.
func (p *program) put(t *testing.T, path, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _ = response.Body.Close(); response.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("PUT %s = %s", path, response.Status)
	}
}

// A writer is told what is written.
type writer func(p []byte)

func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }

// TestKeys: with a key in the data folder everybody needs one, and may do what its role may.
func TestKeys(t *testing.T) {
	data := t.TempDir()
	keys := map[string]string{}
	for _, role := range []string{"ask", "admin"} {
		out, err := command(t, nil, "keys", "add", "--role", role, "--name", role, "--data", data)
		if err != nil {
			t.Fatal(err)
		}
		keys[role] = regexp.MustCompile(`annai_[A-Za-z0-9_-]{43}`).FindString(out)
	}
	p := start(t, []serve.Source{greeter()}, "--data", data)
	for _, c := range []struct {
		key, path, body string
		want            int
	}{
		{"", "/", "", http.StatusOK},
		{"", "/graphs/greeter", "", http.StatusUnauthorized},
		{"ask", "/graphs/greeter", "", http.StatusOK},
		{"ask", "/threads", "{}", http.StatusOK},
		{"ask", "/threads/search", "{}", http.StatusForbidden},
		{"admin", "/threads/search", "{}", http.StatusOK},
		{"", "/mcp", "{}", http.StatusUnauthorized},
		{"ask", "/metrics", "", http.StatusForbidden},
		{"admin", "/metrics", "", http.StatusOK},
		{"ask", "/v1/models", "", http.StatusNotFound}, // its state has no messages
	} {
		if got := p.status(t, c.path, c.body, keys[c.key]); got != c.want {
			t.Errorf("%s with the key %q = %d, want %d", c.path, c.key, got, c.want)
		}
	}
}

// status is that of a request.
func (p *program) status(t *testing.T, path, body, key string) int {
	t.Helper()
	var headers []string
	if key != "" {
		headers = []string{"Authorization", "Bearer " + key}
	}
	status, _ := p.send(t, path, body, headers...)
	return status
}

// TestHidden: nobody outside writes what JSON does not show of a state.
func TestHidden(t *testing.T) {
	p := start(t, []serve.Source{greeter()})
	var got struct{ Words string }
	p.ask(t, "/runs/wait", `{"assistant_id":"greeter","input":{"name":"Ada","hidden":"!","Hidden":"?"}}`, &got)
	if got.Words != "Hello, Ada" {
		t.Errorf("it says %q, want what was not hidden", got.Words)
	}
}

// TestFailed: a graph that fails says so in English at each door.
func TestFailed(t *testing.T) {
	model := &llm.Script{Answer: llm.Turns(llm.Fail(llm.Auth), llm.Fail(llm.Auth), llm.Fail(llm.Auth))}
	g, err := agent.React(model, nil, agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, []serve.Source{serve.Graph("broken", g)})
	const hello = `{"model":"broken","messages":[{"role":"user","content":"Hello"}]`
	if got := p.status(t, "/v1/chat/completions", hello+"}", ""); got != http.StatusServiceUnavailable {
		t.Errorf("/v1/chat/completions = %d, want 503", got)
	}
	var said string
	p.ask(t, "/v1/chat/completions", hello+`,"stream":true}`, &said)
	if !strings.Contains(said, `"error":{`) || !strings.Contains(said, "the run failed: ") {
		t.Errorf("the stream is %s", said)
	}
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"broken","arguments":{}}}`
	p.ask(t, "/mcp", call, &said, "Accept", "application/json, text/event-stream")
	if !strings.Contains(said, `"isError":true`) || !strings.Contains(said, "the run failed: ") {
		t.Errorf("the tool answers %s", said)
	}
}
