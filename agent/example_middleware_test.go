package agent_test

import (
	"context"
	"fmt"

	"annai/agent"
	"annai/graph"
	"annai/llm"
)

// An agent from which personal data are kept, whose conversation is kept short, and which may search twice in a run.
func Example_middleware() {
	search := agent.NewTool("search", "Searches.", func(context.Context, struct{}) (string, error) {
		return "nothing", nil
	})
	again := llm.Ask(llm.ToolCall{Name: "search"})
	model := &llm.Script{Answer: llm.Turns(again, again, again, llm.Say("I found nothing."))}
	small := &llm.Script{Answer: llm.Turns()}
	g := must(agent.React(model, []agent.Tool{search}, agent.Options{Middleware: []agent.Middleware{
		agent.PII(agent.PIIOptions{}, agent.Email, agent.Phone, agent.CreditCard),
		agent.Summarization(small, agent.SummarizationOptions{TriggerTokens: 4000}),
		agent.ToolCallLimit("search", agent.CallLimits{Run: 2}),
		agent.ModelFallback(small),
	}}))
	compiled := must(g.Compile(graph.Options{}))
	said := agent.HumanMessage("Who is ann@example.com?")
	result := must(compiled.Invoke(context.Background(), agent.Input(said), graph.RunOptions{}))
	for _, m := range result.State.Messages {
		fmt.Printf("%s: %q\n", m.Type, m.Text)
	}
	// Output:
	// human: "Who is [REDACTED_EMAIL]?"
	// ai: ""
	// tool: "nothing"
	// ai: ""
	// tool: "nothing"
	// ai: ""
	// tool: "The limit of 2 calls of search in one run was reached. Do not make such a call again."
	// ai: "I found nothing."
}

// Two middlewares: one asks the model again where an answer is too long, one ends the run at night.
func Example_ownMiddleware() {
	concise := agent.Middleware{
		Name: "concise",
		WrapModelCall: func(ctx context.Context, r agent.ModelRequest, next agent.ModelHandler) (agent.Message, error) {
			r.Silent = true // nothing is streamed before we know
			m, err := next(ctx, r)
			if err != nil || len(m.Text) <= 20 {
				return m, err
			}
			r.SystemPrompt += " Answer in three words."
			return next(ctx, r)
		},
	}
	closed := agent.Middleware{
		Name: "closed", CanJumpTo: []string{agent.JumpEnd},
		BeforeAgent: func(_ context.Context, s agent.State) (graph.Command[agent.State], error) {
			if s.Text() != "Is it night?" {
				return graph.Command[agent.State]{}, nil
			}
			m := agent.AIMessage("We are closed.")
			m.ID = "closed"
			return graph.Command[agent.State]{
				Update: graph.Update[agent.State]{agent.StateMessages.Write([]agent.Message{m})}, Goto: agent.JumpEnd,
			}, nil
		},
	}
	model := &llm.Script{Answer: llm.Turns(llm.Say("Well, let me see, that depends."), llm.Say("It does depend."))}
	g := must(agent.React(model, nil, agent.Options{Middleware: []agent.Middleware{closed, concise}}))
	compiled := must(g.Compile(graph.Options{}))
	for _, text := range []string{"Is it far?", "Is it night?"} {
		said := agent.Input(agent.HumanMessage(text))
		fmt.Println(must(compiled.Invoke(context.Background(), said, graph.RunOptions{})).State.Text())
	}
	// Output:
	// It does depend.
	// We are closed.
}
