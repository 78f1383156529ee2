package graph_test

import (
	"context"
	"fmt"

	"annai/graph"
	"annai/storage/mem"
)

// A Message is one turn of a conversation. Call is what a model wants to have done.
type Message struct{ Role, Text, Call string }

type Conversation struct{ Messages []Message }

var (
	conversation = graph.NewSchema[Conversation]()
	messages     = graph.Append(conversation, "messages", func(s *Conversation) *[]Message { return &s.Messages })
)

func add(m Message) graph.Command[Conversation] {
	return graph.Command[Conversation]{Update: graph.Update[Conversation]{messages.Write([]Message{m})}}
}

// answer stands in for a language model.
func answer(all []Message) Message {
	if last := all[len(all)-1]; last.Role == "tool" {
		return Message{Role: "model", Text: last.Text + "."}
	}
	return Message{Role: "model", Call: "book room A"}
}

func model(_ context.Context, s Conversation) (graph.Command[Conversation], error) {
	return add(answer(s.Messages)), nil
}

func tool(ctx context.Context, s Conversation) (graph.Command[Conversation], error) {
	var allowed bool
	if answered, err := graph.Answer(ctx, 0, &allowed); err != nil || !answered {
		call := s.Messages[len(s.Messages)-1].Call
		return graph.Command[Conversation]{Interrupt: &graph.Interrupt{Question: "May I " + call + "?"}}, err
	}
	if !allowed {
		return add(Message{Role: "tool", Text: "That was not allowed"}), nil
	}
	return add(Message{Role: "tool", Text: "Done"}), nil
}

func wanted(_ context.Context, s Conversation) (graph.Next, error) {
	if s.Messages[len(s.Messages)-1].Call != "" {
		return graph.To("tool"), nil
	}
	return graph.To(graph.End), nil
}

// An agent: a model that may ask for a tool, which asks a person first.
func Example_agent() {
	g := graph.New(conversation)
	g.AddNode("model", model)
	g.AddNode("tool", tool, graph.NodeOptions{CheckAnswer: graph.AnswerOf[bool]})
	g.AddEdge(graph.Start, "model")
	g.AddRoute("model", wanted, graph.Nodes("tool", graph.End))
	g.AddEdge("tool", "model")
	agent := must(g.Compile(graph.Options{Checkpointer: mem.New()}))

	ctx := context.Background()
	opts := graph.RunOptions{ThreadID: "visitor-1"}
	said := Message{Role: "user", Text: "Book room A"}
	result := must(agent.Invoke(ctx, graph.Input[Conversation]{Update: add(said).Update}, opts))
	fmt.Println(result.Interrupts[0].Question)
	result = must(agent.Invoke(ctx, graph.Input[Conversation]{Resume: map[string]any{"": true}}, opts))
	fmt.Println(result.State.Messages[len(result.State.Messages)-1].Text)
	// Output:
	// May I book room A?
	// Done.
}
