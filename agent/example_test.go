package agent_test

import (
	"context"
	"fmt"

	"annai/agent"
	"annai/graph"
	"annai/llm"
	"annai/storage/mem"
)

type Room struct {
	Name string `json:"name" jsonschema:"Which room."`
	Hour int    `json:"hour" min:"8" max:"20"`
}

// An agent with a tool that a person has to approve. The model is a script; any [llm.Model] will do.
func Example() {
	ctx := context.Background()
	book := agent.NewTool("book", "Books a room.", func(_ context.Context, r Room) (string, error) {
		return fmt.Sprintf("Room %s is booked at %d.", r.Name, r.Hour), nil
	})
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(llm.ToolCall{Name: "book", Arguments: []byte(`{"name":"A","hour":9}`)}),
		llm.Say("Done: room A", " is yours at 10."),
	)}
	g := must(agent.React(model, []agent.Tool{book}, agent.Options{
		SystemPrompt: "You book rooms.", InterruptOn: map[string]agent.Review{"book": {}},
	}))
	compiled := must(g.Compile(graph.Options{Checkpointer: mem.New()})) // or sqlite.Open, postgres.Open

	thread := graph.RunOptions{ThreadID: "1"}
	result := must(compiled.Invoke(ctx, agent.Input(agent.HumanMessage("Room A at nine")), thread))
	question := result.Interrupts[0]
	fmt.Printf("%s\n", must(agent.ReviewOf(question)).ActionRequests[0].Args)

	later := agent.Action{Args: []byte(`{"name":"A","hour":10}`)}
	decision := agent.Decision{Type: agent.Edit, EditedAction: &later}
	result = must(compiled.Invoke(ctx, agent.Resume(map[string]agent.Decision{question.ID: decision}), thread))
	fmt.Println(result.State.Text())
	// Output:
	// {"name":"A","hour":9}
	// Done: room A is yours at 10.
}

// must ends an example at an error.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
