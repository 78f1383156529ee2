package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"annai/agent"
	"annai/graph"
	"annai/llm"
)

// TestToolCallsInPieces: a tool call is streamed while the model says it, and once as a whole where the model has no
// pieces.
func TestToolCallsInPieces(t *testing.T) {
	type in struct{ N int }
	book := agent.NewTool("book", "Books.", func(_ context.Context, a in) (int, error) { return a.N, nil })
	call := llm.ToolCall{ID: "c", Name: "book"}
	whole := llm.ToolCall{ID: "c", Name: "book", Arguments: []byte(`{"N":1}`)}
	for _, test := range []struct {
		steps []llm.Step
		want  string
	}{
		{llm.AskInPieces(call, `{"N"`, `:1}`), `c book |  {"N"|  :1}`},
		{llm.Ask(whole), `c book {"N":1}`},
	} {
		model := &llm.Script{Answer: llm.Turns(test.steps, llm.Say("Done."))}
		g, err := agent.React(model, []agent.Tool{book}, agent.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := g.Compile(graph.Options{Name: "a"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for e, err := range c.Stream(t.Context(), agent.Input(agent.HumanMessage("hello")), graph.RunOptions{
			Modes: []graph.Mode{graph.ModeMessages},
		}) {
			if err != nil {
				t.Fatal(err)
			}
			m, _ := e.Data().(agent.Message)
			var chunks []struct{ ID, Name, Args string }
			if data := m.Extra["tool_call_chunks"]; data != nil {
				if err := json.Unmarshal(data, &chunks); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range chunks {
				got = append(got, c.ID+" "+c.Name+" "+c.Args)
			}
		}
		if s := strings.Join(got, "|"); s != test.want {
			t.Errorf("pieces %q, want %q", s, test.want)
		}
	}
}
