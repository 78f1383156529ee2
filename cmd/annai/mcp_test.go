package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"annai/internal/peer"
	"annai/internal/telemetry/telemetrytest"
)

// conforming are the scenarios of the protocol's own suite that a server of any purpose can pass. The others call tools, read resources and
// get prompts that only the suite's reference server has.
var conforming = []string{
	"server-initialize", "ping", "logging-set-level", "tools-list", "resources-list", "prompts-list", "completion-complete",
	"server-sse-multiple-streams", "dns-rebinding-protection",
}

// judgeOfMCP has the programs of others that judge a server of the protocol.
const judgeOfMCP = "../../server/mcp/testdata/judge"

// nodeProgram runs one of them with the Node that is installed beside them, since they need a newer one than systems have.
func nodeProgram(t *testing.T, program string, arguments ...string) (string, error) {
	t.Helper()
	bin, err := filepath.Abs(filepath.Join(judgeOfMCP, "node_modules", "node", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "node"), append([]string{"node_modules/@modelcontextprotocol/" + program}, arguments...)...)
	cmd.Dir, cmd.Env = judgeOfMCP, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestMCPConformance lets the protocol's own conformance suite judge a running server.
func TestMCPConformance(t *testing.T) {
	t.Parallel()
	peer.NPM(t, judgeOfMCP, true)
	s := start(t)
	for _, scenario := range conforming {
		t.Run(scenario, func(t *testing.T) {
			out, err := nodeProgram(t, "conformance/dist/index.js", "server", "--url", s.url+"/mcp", "--scenario", scenario)
			if err != nil || !strings.Contains(out, " 0 failed") || strings.Contains(out, " 0 passed") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestMCPInspector uses a running server as an engineer does, with the protocol's own inspector.
func TestMCPInspector(t *testing.T) {
	peer.NPM(t, judgeOfMCP, true)
	s := start(t)
	for name, test := range map[string]struct {
		arguments []string
		want      string
	}{
		"tools":     {[]string{"--method", "tools/list"}, `"name": "calculate_date"`},
		"ask":       {[]string{"--method", "tools/call", "--tool-name", "ask", "--tool-arg", "query=今日のイベントは？"}, `"emotion": "excited"`},
		"a tool":    {[]string{"--method", "tools/call", "--tool-name", "get_current_datetime"}, "2026"},
		"resources": {[]string{"--method", "resources/list"}, `"uri": "annai://knowledge/`},
		"a prompt":  {[]string{"--method", "prompts/get", "--prompt-name", "whats_on", "--prompt-args", "when=明日", "language=ja"}, "明日どんなイベント"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := nodeProgram(t, "inspector/clients/launcher/build/index.js", append([]string{"--cli", s.url + "/mcp", "--transport", "http"}, test.arguments...)...)
			if err != nil || !strings.Contains(out, test.want) {
				t.Errorf("%v, want %s in\n%.2000s", err, test.want, out)
			}
		})
	}
}

// TestMCP talks to the command over its standard input and output, as a client that starts its servers itself.
func TestMCP(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	errs := &output{grew: make(chan struct{}, 1)}
	done := make(chan int, 1)
	collector := telemetrytest.New(t)
	args := []string{"mcp", "--owner", "--now", thursday, "--otlp-endpoint", collector.URL}
	go func() {
		done <- run(context.WithoutCancel(t.Context()), args, terminal{in: in, out: out, err: errs})
		_ = out.Close()
	}()
	said := bufio.NewReader(fromServer)
	var all strings.Builder
	for _, call := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","arguments":{"query":"What time do you open tomorrow?"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":4,"method":"resources/list"}`,
	} {
		if strings.Contains(call, `"id":2`) {
			call = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + call
		}
		if _, err := io.WriteString(toServer, call+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := said.ReadString('\n')
		if err != nil || !json.Valid([]byte(line)) {
			t.Fatalf("annai mcp answered %s with %q, %v", call, line, err)
		}
		all.WriteString(line)
	}
	if err := toServer.Close(); err != nil {
		t.Fatal(err)
	}
	if code := <-done; code != exitOK || errs.String() != "" {
		t.Errorf("annai mcp = %d at the end of its input, %s", code, errs)
	}
	understood(t, collector)
	for _, want := range []string{`9:00`, `"name":"create_event"`, `"uri":"annai://knowledge/`} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("annai mcp answered without %s:\n%s", want, all.String())
		}
	}
	if code, _, errs := command(t, "", "mcp", "--language", "fr"); code != exitUsage || !strings.Contains(errs, "ja or en") {
		t.Errorf("annai mcp --language fr = %d, %s", code, errs)
	}
}

// TestMCPIsGuarded asks as a page of another origin would.
func TestMCPIsGuarded(t *testing.T) {
	s := start(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Origin", "https://elsewhere.example")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusForbidden || response.Header.Get("Content-Type") != "application/json" {
		t.Errorf("a request of another origin = %d, %s", response.StatusCode, response.Header.Get("Content-Type"))
	}
}
