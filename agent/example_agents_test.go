package agent_test

import (
	"context"
	"fmt"
	"strings"

	"annai/agent"
	"annai/graph"
	"annai/llm"
	"annai/storage/mem"
)

// A supervisor: an agent whose tools are agents.
func ExampleAsTool() {
	poet := must(must(agent.React(&llm.Script{Answer: llm.Turns(llm.Say("Old pond."))}, nil,
		agent.Options{SystemPrompt: "You write poems."})).Compile(graph.Options{}))
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(llm.ToolCall{Name: "poet", Arguments: []byte(`{"request":"A poem about frogs."}`)}),
		llm.Say("Here it is: Old pond."),
	)}
	g := must(agent.React(model, []agent.Tool{agent.AsTool("poet", "Writes poems.", poet)},
		agent.Options{SystemPrompt: "You give work to others."}))
	supervisor := must(g.Compile(graph.Options{Checkpointer: mem.New()}))
	said := agent.Input(agent.HumanMessage("Frogs, please"))
	result := must(supervisor.Invoke(context.Background(), said, graph.RunOptions{ThreadID: "1"}))
	fmt.Println(result.State.Text())
	// Output: Here it is: Old pond.
}

// Two agents that hand the conversation to each other.
func ExampleSwarm() {
	front := &llm.Script{Answer: llm.Turns(llm.Ask(llm.ToolCall{Name: "transfer_to_rooms"}))}
	rooms := &llm.Script{Answer: llm.Turns(llm.Say("Which room?"), llm.Say("Room A it is."))}
	member := func(name string, model llm.Model, tools ...agent.Tool) agent.Member {
		return agent.Member{
			Name:  name,
			Agent: must(must(agent.React(model, tools, agent.Options{})).Compile(graph.Options{})),
		}
	}
	g := must(agent.Swarm(
		member("front", front, agent.Handoff("rooms", "Hands over to the one who books rooms.")),
		member("rooms", rooms, agent.Handoff("front", "Hands back to the front desk.")),
	))
	swarm := must(g.Compile(graph.Options{Checkpointer: mem.New()}))
	for _, text := range []string{"I need a room", "A"} {
		said := agent.Input(agent.HumanMessage(text))
		fmt.Println(must(swarm.Invoke(context.Background(), said, graph.RunOptions{ThreadID: "1"})).State.Text())
	}
	// Output:
	// Which room?
	// Room A it is.
}

// order is a field of the state that a tool writes.
var order = agent.NewField[[]string]("order")

// A tool that reads the state, writes to it, and remembers something about the user across threads.
func ExampleNewStateTool() {
	type Item struct {
		Name string `json:"name"`
	}
	add := agent.NewStateTool("add", "Adds an item to the order.",
		func(ctx context.Context, s agent.State, in Item) (agent.Reply[agent.State], error) {
			items, err := order.Of(s)
			if err != nil {
				return agent.Reply[agent.State]{}, err
			}
			items = append(items[:len(items):len(items)], in.Name)
			store, last := graph.RuntimeOf(ctx).Store, map[string]any{"items": items}
			err = store.Put(ctx, []string{"users", "ann"}, "last order", last)
			return agent.Reply[agent.State]{
				Text:    fmt.Sprintf("There are %d items now.", len(items)),
				Command: graph.Command[agent.State]{Update: graph.Update[agent.State]{order.Write(items)}},
			}, err
		})
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(llm.ToolCall{Name: "add", Arguments: []byte(`{"name":"tea"}`)}), llm.Say("Tea is on the list."),
	)}
	store := mem.NewItems(nil) // a server gives its own
	g := must(agent.React(model, []agent.Tool{add}, agent.Options{}))
	compiled := must(g.Compile(graph.Options{Store: store}))
	ctx := context.Background()
	result := must(compiled.Invoke(ctx, agent.Input(agent.HumanMessage("Tea")), graph.RunOptions{}))
	fmt.Println(must(order.Of(result.State)))
	fmt.Printf("%s\n", must(store.Get(ctx, []string{"users", "ann"}, "last order")).Value)
	// Output:
	// [tea]
	// {"items":["tea"]}
}

// summary is the state of a graph that summarises documents.
type summary struct {
	Documents, Parts []string
	Whole            string
}

var (
	summaries = graph.NewSchema[summary]()
	documents = graph.Last(summaries, "documents", func(s *summary) *[]string { return &s.Documents })
	parts     = graph.Append(summaries, "parts", func(s *summary) *[]string { return &s.Parts })
	whole     = graph.Last(summaries, "whole", func(s *summary) *string { return &s.Whole })
)

// Map and reduce: one task for each document, side by side; the parts come in the order of the documents.
func Example_mapReduce() {
	model := &llm.Script{
		Answer: func(_ int, r llm.Request) []llm.Step { return llm.Say(strings.ToUpper(r.Messages[0].Text)) },
	}
	ask := func(ctx context.Context, text string) (string, error) {
		answer, err := llm.Collect(
			model.Stream(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}),
		)
		return answer.Text, err
	}
	g := graph.New(summaries)
	graph.AddInputNode(g, "map", func(ctx context.Context, document string) (graph.Command[summary], error) {
		part, err := ask(ctx, document)
		return graph.Command[summary]{Update: graph.Update[summary]{parts.Write([]string{part})}}, err
	})
	g.AddNode("reduce", func(ctx context.Context, s summary) (graph.Command[summary], error) {
		text, err := ask(ctx, strings.Join(s.Parts, ", "))
		return graph.Command[summary]{Update: graph.Update[summary]{whole.Write(text)}}, err
	})
	g.AddRoute(graph.Start, func(_ context.Context, s summary) (graph.Next, error) {
		sends := make([]graph.Send, len(s.Documents))
		for i, d := range s.Documents {
			sends[i] = graph.Send{Node: "map", Input: d}
		}
		return graph.Fan(sends...), nil
	}, graph.Nodes("map"))
	g.AddEdge("map", "reduce")
	g.AddEdge("reduce", graph.End)
	compiled := must(g.Compile(graph.Options{}))
	in := graph.Input[summary]{Update: graph.Update[summary]{documents.Write([]string{"one", "two", "three"})}}
	fmt.Println(must(compiled.Invoke(context.Background(), in, graph.RunOptions{})).State.Whole)
	// Output: ONE, TWO, THREE
}

// booking is a state with messages, and with more of its own.
type booking struct {
	Messages []agent.Message
	Room     string
}

var (
	bookings = graph.NewSchema[booking]()
	talk     = agent.Messages(bookings, func(b *booking) *[]agent.Message { return &b.Messages })
	room     = graph.Last(bookings, "room", func(b *booking) *string { return &b.Room })
)

// A graph with a node for the model, one for the tools, and a state of its own.
func ExampleAddToolNode() {
	type Room struct {
		Name string `json:"name"`
	}
	book := agent.NewStateTool("book", "Books a room.",
		func(_ context.Context, _ booking, r Room) (agent.Reply[booking], error) {
			update := graph.Update[booking]{room.Write(r.Name)}
			return agent.Reply[booking]{Text: "booked", Command: graph.Command[booking]{Update: update}}, nil
		})
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(llm.ToolCall{Name: "book", Arguments: []byte(`{"name":"A"}`)}), llm.Say("Room A is yours."),
	)}
	g := graph.New(bookings)
	g.AddNode("model", func(ctx context.Context, b booking) (graph.Command[booking], error) {
		offered := []llm.Tool{{Name: book.Name, Description: book.Description, Schema: book.Schema}}
		request := llm.Request{Messages: agent.ToModel(b.Messages), Tools: offered}
		answer, err := llm.Collect(model.Stream(ctx, request))
		said := []agent.Message{agent.FromModel(answer, fmt.Sprint(len(b.Messages)))}
		return graph.Command[booking]{Update: graph.Update[booking]{talk.Write(said)}}, err
	})
	if err := agent.AddToolNode(g, "tools", talk, []agent.Tool{book}, agent.ToolNodeOptions{}); err != nil {
		panic(err)
	}
	g.AddEdge(graph.Start, "model")
	g.AddRoute("model", func(_ context.Context, b booking) (graph.Next, error) {
		return agent.ToolsCondition(b.Messages, "tools", graph.End), nil
	}, graph.Nodes("tools", graph.End))
	g.AddEdge("tools", "model")
	compiled := must(g.Compile(graph.Options{}))
	in := graph.Input[booking]{Update: graph.Update[booking]{talk.Write([]agent.Message{agent.HumanMessage("Room A")})}}
	result := must(compiled.Invoke(context.Background(), in, graph.RunOptions{}))
	fmt.Println(result.State.Room, result.State.Messages[len(result.State.Messages)-1].Text)
	// Output: A Room A is yours.
}
