// Command support serves an agent that answers customers, and asks a person before it gives money back.
package main

import (
	"context"
	"log"
	"regexp"

	"annai/agent"
	"annai/llm"
	"annai/serve"
)

// Order is the argument of the tools.
type Order struct {
	Order string `json:"order" jsonschema:"The number of the order."`
}

var number = regexp.MustCompile(`A-\d+`)

// model is a script: it finds the orders that are named, pays them back, and says what happened. A real one is in
// llm/langchain, with llm.Guard around it.
var model llm.Model = &llm.Script{Answer: func(_ int, r llm.Request) []llm.Step {
	next := map[string]string{"": "find_order", "find_order": "refund"}[r.Messages[len(r.Messages)-1].Tool]
	said, calls := "", []llm.ToolCall(nil)
	for _, m := range r.Messages {
		if m.Tool == "refund" {
			said += " " + m.Text
		} else if m.Role == llm.User {
			said, calls = "Which order? Its number begins with A-.", nil
			for _, n := range number.FindAllString(m.Text, -1) {
				call := llm.ToolCall{ID: next + n, Name: next, Arguments: []byte(`{"order":"` + n + `"}`)}
				said, calls = "Here is what happened:", append(calls, call)
			}
		}
	}
	if next == "" || calls == nil {
		return llm.Say(said)
	}
	return llm.Ask(calls...)
}}

func main() {
	find := agent.NewTool("find_order", "Finds an order.", func(_ context.Context, o Order) (string, error) {
		return o.Order + ": broken on arrival", nil
	})
	refund := agent.NewTool("refund", "Pays an order back.", func(_ context.Context, o Order) (string, error) {
		return o.Order + " was paid back.", nil
	})
	g, err := agent.React(model, []agent.Tool{find, refund}, agent.Options{
		SystemPrompt: "You help customers.", InterruptOn: map[string]agent.Review{"refund": {}},
	})
	if err != nil {
		log.Fatal(err)
	}
	support := serve.Graph("support", g)
	support.Description = "Answers questions about orders, and pays them back."
	serve.Main(support)
}
