// Command summarise serves a graph that summarises texts side by side, and then their summaries.
package main

import (
	"context"
	"strings"

	"annai/graph"
	"annai/llm"
	"annai/serve"
)

// State is what a thread remembers.
type State struct {
	Texts     []string `json:"texts"`
	Summaries []string `json:"summaries"`
	Summary   string   `json:"summary"`
}

var (
	schema    = graph.NewSchema[State]()
	_         = graph.Last(schema, "texts", func(s *State) *[]string { return &s.Texts })
	summaries = graph.Append(schema, "summaries", func(s *State) *[]string { return &s.Summaries })
	summary   = graph.Last(schema, "summary", func(s *State) *string { return &s.Summary })
)

// model says the first words of what it is given. A real one is in llm/langchain.
var model llm.Model = &llm.Script{Answer: func(_ int, r llm.Request) []llm.Step {
	words := strings.Fields(r.Messages[len(r.Messages)-1].Text)
	return llm.Say(strings.Join(words[:min(4, len(words))], " "))
}}

func summarise(ctx context.Context, text string) (string, error) {
	a, err := llm.Collect(model.Stream(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}))
	return a.Text, err
}

func main() {
	g := graph.New(schema)
	graph.AddInputNode(g, "map", func(ctx context.Context, text string) (graph.Command[State], error) {
		s, err := summarise(ctx, text)
		return graph.Command[State]{Update: graph.Update[State]{summaries.Write([]string{s})}}, err
	}, graph.NodeOptions{Retry: &graph.Retry{Attempts: 3}})
	g.AddNode("reduce", func(ctx context.Context, s State) (graph.Command[State], error) {
		all, err := summarise(ctx, strings.Join(s.Summaries, "; "))
		return graph.Command[State]{Update: graph.Update[State]{summary.Write(all)}}, err
	})
	g.AddRoute(graph.Start, func(_ context.Context, s State) (graph.Next, error) {
		var sends []graph.Send
		for _, text := range s.Texts {
			sends = append(sends, graph.Send{Node: "map", Input: text})
		}
		return graph.Fan(sends...), nil
	}, graph.Nodes("map"))
	g.AddEdge("map", "reduce")
	g.AddEdge("reduce", graph.End)
	serve.Main(serve.Graph("summarise", g))
}
