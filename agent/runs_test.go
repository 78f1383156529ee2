package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/agent"
	"annai/fault"
	"annai/graph"
	"annai/llm"
	"annai/runs"
	"annai/storage/mem"
)

// TestServed: what LangGraph's API takes in and shows of an agent has LangChain's forms.
func TestServed(t *testing.T) {
	newID := counter()
	book := agent.NewTool("book", "Books.", func(_ context.Context, n numbers) (int, error) { return n.A, nil })
	model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("c", "book", `{"a":1}`)), llm.Say("Done", "."))}
	react, err := agent.React(model, []agent.Tool{book}, agent.Options{
		InterruptOn: map[string]agent.Review{"book": {}}, NewID: newID,
	})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := react.Compile(graph.Options{Name: "booker", Checkpointer: mem.New(), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	g, err := runs.Typed(runs.Definition[agent.State]{
		Graph: compiled,
		Fields: []runs.Field[agent.State]{{
			Name: agent.StateMessages.Name(),
			Read: func(data json.RawMessage) (graph.Write[agent.State], error) {
				list, err := agent.ReadMessages(data, newID)
				return agent.StateMessages.Write(list), err
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var streamed []string
	run := func(kwargs runs.Kwargs) runs.Outcome {
		t.Helper()
		want := runs.Want{Kinds: map[runs.Kind]bool{runs.KindMessage: true}}
		in := runs.Input{ThreadID: "t", RunID: "r", Kwargs: kwargs}
		outcome, err := g.Run(t.Context(), in, want, func(e runs.Event) {
			var piece struct{ Type, ID, Content string }
			if err := json.Unmarshal(e.Data, &piece); err != nil {
				t.Error(err)
			}
			streamed = append(streamed, piece.Type+" "+piece.ID+" "+piece.Content)
		})
		if err != nil {
			t.Fatal(err)
		}
		return outcome
	}

	outcome := run(runs.Kwargs{Input: json.RawMessage(`{"messages":[{"role":"user","content":"book"}]}`)})
	open := outcome.Interrupts()
	if len(open) != 1 {
		t.Fatalf("outcome %+v, want an interrupt", outcome)
	}
	const schema = `{"oneOf":[` +
		`{"properties":{"type":{"const":"approve"}},"required":["type"],"type":"object"},` +
		`{"properties":{"edited_action":{"properties":{"args":{"type":"object","properties":{"a":{"type":"integer",` +
		`"description":"The first."},"b":{"type":"integer","maximum":10}},"required":["a"],` +
		`"additionalProperties":false},"name":{"const":"book"}},"required":["args"],"type":"object"},` +
		`"type":{"const":"edit"}},"required":["type","edited_action"],"type":"object"},` +
		`{"properties":{"message":{"type":"string"},"type":{"const":"reject"}},"required":["type"],"type":"object"},` +
		`{"properties":{"message":{"type":"string"},"type":{"const":"respond"}},` +
		`"required":["type","message"],"type":"object"}]}`
	if d := cmp.Diff(schema, string(open[0].ResponseSchema)); d != "" {
		t.Errorf("schema of the answers (-want +got):\n%s", d)
	}
	want := `{"action_requests":[{"name":"book","args":{"a":1},"description":"Books."}],` +
		`"review_configs":[{"action_name":"book","allowed_decisions":["approve","edit","reject","respond"]}]}`
	if d := cmp.Diff(want, string(open[0].Value)); d != "" {
		t.Errorf("question (-want +got):\n%s", d)
	}
	wrong := runs.Kwargs{Command: &runs.Command{Resume: json.RawMessage(`{"type":"perhaps"}`)}}
	in := runs.Input{ThreadID: "t", RunID: "w", Kwargs: wrong}
	outcome, err = g.Run(t.Context(), in, runs.Want{}, func(runs.Event) {})
	if !errors.Is(err, fault.ErrInvalid) || len(outcome.Interrupts()) != 1 {
		t.Errorf("a wrong answer: %+v, %v; want ErrInvalid and the question", outcome, err)
	}
	outcome = run(runs.Kwargs{Command: &runs.Command{Resume: json.RawMessage(`{"decisions":[{"type":"approve"}]}`)}})
	want = `{"messages":[` +
		`{"additional_kwargs":{},"content":"book","id":"1","response_metadata":{},"type":"human"},` +
		`{"additional_kwargs":{},"content":"","id":"2","invalid_tool_calls":[],` +
		`"response_metadata":{"finish_reason":"tool_calls","model_name":"script"},` +
		`"tool_calls":[{"name":"book","args":{"a":1},"id":"c","type":"tool_call"}],"type":"ai",` +
		`"usage_metadata":{"input_tokens":1,"output_tokens":1,"total_tokens":2}},` +
		`{"additional_kwargs":{},"content":"1","id":"3","name":"book","response_metadata":{},"status":"success",` +
		`"tool_call_id":"c","type":"tool"},` +
		`{"additional_kwargs":{},"content":"Done.","id":"4","invalid_tool_calls":[],` +
		`"response_metadata":{"finish_reason":"stop","model_name":"script"},"tool_calls":[],"type":"ai",` +
		`"usage_metadata":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}]}`
	if d := cmp.Diff(want, string(outcome.Values)); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	if _, err := g.Update(t.Context(), "t", "", json.RawMessage("null"), graph.AsCopy); err != nil {
		t.Errorf("a copy of the checkpoint: %v", err)
	}
	if d := cmp.Diff([]string{"ai 2 ", "ai 4 Done", "ai 4 ."}, streamed); d != "" {
		t.Errorf("streamed (-want +got):\n%s", d)
	}
}
