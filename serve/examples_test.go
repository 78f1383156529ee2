package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"annai/runs"
)

const (
	// maxLines is how many lines of Go an example program has, maxSize how many bytes its binary.
	maxLines = 60
	maxSize  = 35_000_000
)

// TestExamples builds the programs in examples and talks to them as LangGraph's clients do.
func TestExamples(t *testing.T) {
	bin := t.TempDir()
	goCommand(t, "..", "build", "-ldflags=-s -w", "-o", bin+"/", "./examples/...")
	for name, try := range map[string]func(t *testing.T, s *program){
		"support": trySupport, "summarise": trySummarise,
	} {
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join("..", "examples", name, "main.go"))
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(source, []byte("\n")); n > maxLines {
				t.Errorf("it has %d lines, want at most %d", n, maxLines)
			}
			info, err := os.Stat(filepath.Join(bin, name))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%.1f MB", float64(info.Size())/1e6)
			if info.Size() > maxSize {
				t.Errorf("its binary has %d bytes, want at most %d", info.Size(), maxSize)
			}
			try(t, begin(t, filepath.Join(bin, name), t.TempDir()))
		})
	}
}

// TestDependencies: a program that serves its own graphs has nothing of the concierge in it.
func TestDependencies(t *testing.T) {
	foreign := regexp.MustCompile(`^annai/((nlu|rag|grounding|nodes|venue|prompts|evals|web)(/|$)|tools/` +
		`|server$|server/gate|server/langgraph/assistant)`)
	for dep := range strings.Lines(goCommand(t, "..", "list", "-deps", "./examples/...")) {
		dep = strings.TrimSpace(dep)
		if foreign.MatchString(dep) {
			t.Errorf("it links %s", dep)
		}
	}
}

// A program is one that runs.
type program struct {
	path, data string
	url        string
	stop, kill func() error
}

// begin starts a program with a data folder, until the test ends at the latest.
func begin(t *testing.T, path, data string) *program {
	t.Helper()
	ctx, kill := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := exec.CommandContext(ctx, path, "--listen", "127.0.0.1:0", "--data", data)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &program{path: path, data: data, kill: func() error {
		kill()
		return cmd.Wait()
	}, stop: func() error {
		late := time.AfterFunc(20*time.Second, kill)
		defer late.Stop()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			return err
		}
		return cmd.Wait()
	}}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			kill()
			_ = cmd.Wait()
		}
		if t.Failed() {
			t.Logf("log: %s", &log)
		}
	})
	lines := bufio.NewScanner(out)
	for p.url == "" && lines.Scan() {
		p.url = regexp.MustCompile(`http://[0-9.:]+`).FindString(lines.Text())
	}
	if p.url == "" {
		t.Fatalf("it did not say where it is: %s", &log)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return p
}

// ask sends JSON, with headers by name and value, and reads JSON into answer.
func (p *program) ask(t *testing.T, path, body string, answer any, headers ...string) {
	t.Helper()
	status, data := p.send(t, path, body, headers...)
	if status != http.StatusOK {
		t.Fatalf("%s = %d %s", path, status, data)
	}
	if text, ok := answer.(*string); ok {
		*text = string(data)
		return
	}
	if err := json.Unmarshal(data, answer); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
}

// send posts a body, or gets where there is none, and returns the status and what is answered.
func (p *program) send(t *testing.T, path, body string, headers ...string) (int, []byte) {
	t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return response.StatusCode, data
}

// trySupport has orders paid back by everybody who reaches the agent.
func trySupport(t *testing.T, p *program) {
	p = useSupport(t, p)
	tryDoors(t, p)
	tryA2A(t, p)
	tryAGUI(t, p)
	usePage(t, p, "support", map[string]any{
		"nodes": []any{"start", "model", "tools", "end"}, "waits": "waits", "ran": "ran",
		"questions": []any{`refund({"order":"A-7"})`, `refund({"order":"A-8"})`},
		"last": "Here is what happened: A person changed the arguments of this call to {\"order\":\"A-9\"}.\n" +
			"A-9 was paid back. A person refused this call.",
	})
	if err := p.stop(); err != nil {
		t.Errorf("it ended with %v, want nothing", err)
	}
}

// broken is what a customer says.
const broken = "A-7 came broken."

// trySummarise has texts summarised side by side by everybody who reaches the graph. It has no messages, so it is no
// model of OpenAI's API.
func trySummarise(t *testing.T, p *program) {
	useSummarise(t, p)
	usePage(t, p, "summarise", map[string]any{
		"nodes": []any{"start", "map", "reduce", "end"}, "ran": "ran", "fresh": "", "state": "a b c d;",
		"sample": map[string]any{"texts": []any{}, "summaries": []any{}, "summary": ""},
	})
	var schemas struct {
		Input struct {
			Properties map[string]any
		} `json:"input_schema"`
	}
	p.ask(t, "/assistants/summarise/schemas", "", &schemas)
	if len(schemas.Input.Properties) != 3 {
		t.Errorf("schemas %+v, want the three channels", schemas)
	}
	const texts = `{"texts":["a b c d e","f g h i j"]}`
	for path, body := range map[string]string{
		"/mcp": `{"jsonrpc":"2.0","id":1,"method":"tools/call",` +
			`"params":{"name":"summarise","arguments":` + texts + `}}`,
		"/a2a": `{"jsonrpc":"2.0","id":1,"method":"SendMessage",` +
			`"params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":` + texts + `}]}}}`,
		"/agui": `{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[],"state":` + texts + `}`,
	} {
		var said string
		p.ask(t, path, body, &said, "Accept", "application/json, text/event-stream", "A2A-Version", "1.0")
		if !strings.Contains(said, "a b c d;") {
			t.Errorf("%s says %s, want the summary", path, said)
		}
	}
	if err := p.stop(); err != nil {
		t.Errorf("it ended with %v, want nothing", err)
	}
}

// tryDoors has the same done by clients of OpenAI's API and of the Model Context Protocol.
func tryDoors(t *testing.T, p *program) {
	t.Helper()
	const approve = `{"decisions":[{"type":"approve"}]}`
	const edit = `{"type":"edit","edited_action":{"args":{"order":7}}}`
	var completion struct {
		ID         string           `json:"thread_id"`
		Interrupts []runs.Interrupt `json:"interrupts"`
	}
	p.ask(t, "/v1/chat/completions", `{"model":"support","messages":[{"role":"user","content":"`+broken+`"}]}`,
		&completion)
	if len(completion.Interrupts) != 1 {
		t.Errorf("a client of OpenAI's API is told %+v, want a question", completion)
	}
	answer := func(content string, streamed bool) (int, []byte) {
		body, err := json.Marshal(map[string]any{
			"model": "support", "stream": streamed,
			"messages": []any{map[string]any{"role": "user", "content": content}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return p.send(t, "/v1/chat/completions", string(body), "X-Thread-Id", completion.ID)
	}
	status, said := answer(edit, false)
	if status != http.StatusBadRequest || bytes.Contains(said, []byte("invalid: invalid")) {
		t.Errorf("edited arguments that do not fit give %d %s, want 400", status, said)
	}
	_, said = answer(approve, true)
	stream := string(said)
	if !strings.Contains(stream, "A-7 was paid back.") || !strings.HasSuffix(stream, "data: [DONE]\n\n") {
		t.Errorf("the answer to the question gives %s", stream)
	}
	call := func(arguments string) (result struct {
		StructuredContent struct {
			ID         string           `json:"thread_id"`
			Interrupts []runs.Interrupt `json:"interrupts"`
		}
		Content []struct{ Text string }
	},
	) {
		var answer struct{ Result json.RawMessage }
		p.ask(t, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"support","arguments":`+
			arguments+`}}`, &answer, "Accept", "application/json, text/event-stream")
		if err := json.Unmarshal(answer.Result, &result); err != nil || len(result.Content) != 1 {
			t.Fatalf("the tool answers %s: %v", answer.Result, err)
		}
		return result
	}
	asked := call(`{"messages":[{"role":"user","content":"` + broken + `"}]}`)
	if len(asked.StructuredContent.Interrupts) != 1 {
		t.Errorf("a client of MCP is told %+v, want a question", asked)
	}
	wrong := call(`{"thread_id":"` + asked.StructuredContent.ID + `","resume":` + edit + `}`)
	if !strings.Contains(wrong.Content[0].Text, `"order" must be a string: `) {
		t.Errorf("edited arguments that do not fit give %+v", wrong)
	}
	done := call(`{"thread_id":"` + asked.StructuredContent.ID + `","resume":` + approve + `}`)
	if !strings.Contains(done.Content[0].Text, "A-7 was paid back.") {
		t.Errorf("the answer to the question gives %+v", done)
	}
	if wrong = call(`{"messages":5}`); !strings.Contains(wrong.Content[0].Text, "a message is a text or an object") {
		t.Errorf("what is no message gives %+v", wrong)
	}
}

// tryA2A has the same done by another agent.
func tryA2A(t *testing.T, p *program) {
	t.Helper()
	type task struct {
		ID     string
		Status struct {
			State   string
			Message struct{ Parts []struct{ Text string } }
		}
		Artifacts []struct{ Parts []struct{ Text string } }
	}
	send := func(method, message string) task {
		var answer struct{ Result struct{ Task task } }
		p.ask(t, "/a2a/support", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"message":{"messageId":"m",`+
			`"role":"ROLE_USER",`+message+`}}}`, &answer, "A2A-Version", "1.0")
		return answer.Result.Task
	}
	asked := send("SendMessage", `"parts":[{"text":"`+broken+`"}]`)
	if asked.Status.State != "TASK_STATE_INPUT_REQUIRED" {
		t.Errorf("the task is %+v, want a question", asked)
	}
	done := send("SendMessage", `"taskId":"`+asked.ID+`","parts":[{"data":{"decisions":[{"type":"approve"}]}}]`)
	if done.Status.State != "TASK_STATE_COMPLETED" || len(done.Artifacts) != 1 ||
		!strings.Contains(done.Artifacts[0].Parts[0].Text, "A-7 was paid back.") {
		t.Errorf("the task is %+v, want that it was paid back", done)
	}
	var card struct {
		Name, Description string
		Skills            []struct{ Description string }
	}
	p.ask(t, "/.well-known/agent-card.json", "", &card)
	const says = "Answers questions about orders, and pays them back."
	if card.Name != "support" || card.Description != says || len(card.Skills) != 1 {
		t.Errorf("the card is %+v", card)
	}
}

// tryAGUI has the same done by a page that speaks AG-UI, at the address of the first graph.
func tryAGUI(t *testing.T, p *program) {
	t.Helper()
	run := func(more string) (stream string) {
		p.ask(t, "/agui", `{"threadId":"talk","runId":"r","tools":[],"context":[],"state":null,`+more+`}`, &stream)
		return stream
	}
	asked := run(`"messages":[{"id":"1","role":"user","content":"` + broken + `"}]`)
	question := regexp.MustCompile(`"interrupts":\[\{"id":"([^"]+)"`).FindStringSubmatch(asked)
	if question == nil {
		t.Fatalf("the stream has no question:\n%s", asked)
	}
	done := run(`"messages":[],"resume":[{"interruptId":"` + question[1] +
		`","status":"resolved","payload":{"type":"approve"}}]`)
	if !strings.Contains(done, "A-7 was paid back.") || !strings.Contains(done, `"outcome":{"type":"success"}`) {
		t.Errorf("the answer to the question gives:\n%s", done)
	}
}
