package serve_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/agent"
	"annai/graph"
	"annai/internal/telemetry/telemetrytest"
	"annai/llm"
	"annai/serve"
)

// researched is a graph with an agent in it as a subgraph, which calls a model and a tool.
func researched(t *testing.T) serve.Source {
	t.Helper()
	model := &llm.Script{Answer: func(_ int, r llm.Request) []llm.Step {
		if said := r.Messages[len(r.Messages)-1]; said.Role == llm.Result {
			return llm.Say("It is " + said.Text)
		}
		return llm.Ask(llm.ToolCall{Name: "look", Arguments: json.RawMessage(`{"thing":"a secret"}`)})
	}}
	look := agent.NewTool("look", "Looks.", func(_ context.Context, in struct {
		Thing string `json:"thing"`
	},
	) (string, error) {
		return "found " + in.Thing, nil
	})
	react, err := agent.React(model, []agent.Tool{look}, agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sub, err := react.Compile(graph.Options{Name: "researcher"})
	if err != nil {
		t.Fatal(err)
	}
	type state struct {
		Question string `json:"question"`
		Answer   string `json:"answer"`
	}
	schema := graph.NewSchema[state]()
	graph.Last(schema, "question", func(s *state) *string { return &s.Question })
	answer := graph.Last(schema, "answer", func(s *state) *string { return &s.Answer })
	g := graph.New(schema)
	graph.AddSubgraph(g, "research", sub, func(s state) graph.Update[agent.State] {
		return graph.Update[agent.State]{agent.StateMessages.Write([]agent.Message{agent.HumanMessage(s.Question)})}
	}, func(_ state, ended agent.State) graph.Update[state] {
		return graph.Update[state]{answer.Write(ended.Messages[len(ended.Messages)-1].Text)}
	})
	g.AddEdge(graph.Start, "research")
	g.AddEdge("research", graph.End)
	return serve.Graph("desk", g)
}

// traced serves the graph, has it run once as a part of the caller's trace, and returns what was sent to a collector,
// and the figures.
func traced(t *testing.T, args ...string) (*telemetrytest.Collector, string) {
	t.Helper()
	collector := telemetrytest.New(t)
	var figures string
	t.Run("serve", func(t *testing.T) { // it ends, and has sent everything
		p := start(t, []serve.Source{researched(t)}, append(args, "--otlp-endpoint", collector.URL)...)
		var got struct{ Answer string }
		const ask = `{"assistant_id":"desk","input":{"question":"my question"}}`
		p.ask(t, "/runs/wait", ask, &got, "Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
		if got.Answer != "It is found a secret" {
			t.Errorf("answer %q", got.Answer)
		}
		p.ask(t, "/metrics", "", &figures)
	})
	return collector, figures
}

// TestTraces: a run is told as a trace, with its supersteps, tasks, subgraph, model and tool, as a part of the
// caller's, and without a word of what was said.
func TestTraces(t *testing.T) {
	collector, figures := traced(t)
	const in = "invoke_workflow desk / superstep / task research / invoke_workflow researcher / superstep"
	want := []string{
		"invoke_workflow desk",
		"invoke_workflow desk / superstep",
		"invoke_workflow desk / superstep / task research",
		"invoke_workflow desk / superstep / task research / invoke_workflow researcher",
		in,
		in + " / task model",
		in + " / task model / chat script",
		in + " / task tools",
		in + " / task tools / execute_tool look",
	}
	if diff := cmp.Diff(want, collector.Tree()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	run := collector.Find(t, "invoke_workflow desk")
	if run.Trace != "4bf92f3577b34da6a3ce929d0e0e4736" || run.Parent != "00f067aa0ba902b7" {
		t.Errorf("the run is part of %s of %s, want the caller's", run.Parent, run.Trace)
	}
	if collector.Service() != "greeter" {
		t.Errorf("the service is %q, want the program", collector.Service())
	}
	for _, s := range collector.Spans() {
		if s.Attributes["gen_ai.conversation.id"] == "" || s.Attributes["annai.graph"] != "desk" {
			t.Errorf("%s has %v, want thread and graph", s.Name, s.Attributes)
		}
		for name, value := range s.Attributes {
			if strings.Contains(value, "secret") || strings.Contains(value, "question") {
				t.Errorf("%s of %s says what was said: %s", name, s.Name, value)
			}
		}
	}
	call := collector.Find(t, "execute_tool look").Attributes
	if call["gen_ai.operation.name"] != "execute_tool" || call["gen_ai.tool.name"] != "look" ||
		call["gen_ai.tool.call.id"] == "" {
		t.Errorf("the tool's call has %v", call)
	}
	chat := collector.Find(t, "chat script").Attributes
	if chat["gen_ai.operation.name"] != "chat" || chat["gen_ai.request.model"] != "script" {
		t.Errorf("the model's call has %v", chat)
	}
	for _, want := range []string{
		`annai_graph_runs_total{graph="desk",outcome="done"} 1`,
		`annai_node_tasks_total{graph="desk",node="research/tools",outcome="done"} 1`,
		`annai_node_task_duration_seconds_count{graph="desk",node="research"} 1`,
		`annai_graph_run_duration_seconds_count{graph="desk"} 1`,
		`annai_model_calls_total{failure="",model="script"} 2`,
	} {
		if !strings.Contains(figures, want+"\n") {
			t.Errorf("/metrics has no %s", want)
		}
	}
}

// TestTracedWords: with the setting, what was said to models and tools is told.
func TestTracedWords(t *testing.T) {
	collector, _ := traced(t, "--traces-words")
	call := collector.Find(t, "execute_tool look").Attributes
	if call["gen_ai.tool.call.arguments"] != `{"thing":"a secret"}` ||
		call["gen_ai.tool.call.result"] != "found a secret" {
		t.Errorf("the tool's call has %v", call)
	}
	chat := collector.Find(t, "chat script").Attributes
	const want = `[{"role":"user","parts":[{"type":"text","content":"my question"}]}]`
	if got := chat["gen_ai.input.messages"]; got != want {
		t.Errorf("the model was asked %s, want %s", got, want)
	}
	if !strings.Contains(chat["gen_ai.output.messages"], `"type":"tool_call"`) {
		t.Errorf("the model said %s", chat["gen_ai.output.messages"])
	}
}

// TestForgedTraces: a visitor decides neither what is traced nor where it belongs.
func TestForgedTraces(t *testing.T) {
	collector := telemetrytest.New(t)
	data := t.TempDir()
	out, err := command(t, nil, "keys", "add", "--role", "ask", "--name", "kiosk", "--data", data)
	if err != nil {
		t.Fatal(err)
	}
	key := out[strings.Index(out, "annai_"):][:49]
	t.Run("serve", func(t *testing.T) {
		p := start(t, []serve.Source{researched(t)}, "--data", data, "--otlp-endpoint", collector.URL)
		p.ask(t, "/runs/wait", `{"assistant_id":"desk","input":{}}`, new(json.RawMessage),
			"Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", "Authorization", "Bearer "+key)
	})
	run := collector.Find(t, "invoke_workflow desk")
	if run.Parent != "" || run.Trace == "4bf92f3577b34da6a3ce929d0e0e4736" {
		t.Errorf("the run is part of %s of %s, want a trace of its own", run.Parent, run.Trace)
	}
}

// TestNoCollector: a collector that refuses everything stops nothing.
func TestNoCollector(t *testing.T) {
	collector := telemetrytest.New(t)
	collector.Refuse = func() int { return http.StatusNotFound }
	p := start(t, []serve.Source{researched(t)}, "--otlp-endpoint", collector.URL)
	if got := p.status(t, "/runs/wait", `{"assistant_id":"desk","input":{"question":"?"}}`, ""); got != http.StatusOK {
		t.Errorf("/runs/wait = %d, want 200", got)
	}
}
