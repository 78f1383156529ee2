// Command support serves an agent that answers customers, and asks a person before it gives money back.
package main

import (
	"context"
	"fmt"
	"log"

	"annai/agent"
	"annai/llm"
	"annai/serve"
)

// Order is the argument of the tools.
type Order struct {
	Order string `json:"order" jsonschema:"The number of the order."`
}

// model is a script. A real one is in llm/langchain, with llm.Guard around it.
var model llm.Model = &llm.Script{Answer: func(_ int, r llm.Request) []llm.Step {
	call := func(name string) []llm.Step {
		return llm.Ask(llm.ToolCall{Name: name, Arguments: []byte(`{"order":"A-7"}`)})
	}
	switch said := r.Messages[len(r.Messages)-1]; {
	case said.Role == llm.User:
		return call("find_order")
	case said.Text == "A-7: broken on arrival":
		return call("refund")
	default:
		return llm.Say("Here is what happened: ", said.Text)
	}
}}

func main() {
	find := agent.NewTool("find_order", "Finds an order.", func(_ context.Context, o Order) (string, error) {
		return o.Order + ": broken on arrival", nil
	})
	refund := agent.NewTool("refund", "Pays an order back.", func(_ context.Context, o Order) (string, error) {
		return fmt.Sprintf("%s was paid back.", o.Order), nil
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
