package graph_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"annai/fault"
	"annai/graph"
)

// Everything that is wrong is said at once, each in a line.
func TestCompileSaysAllProblems(t *testing.T) {
	schema := graph.NewSchema[Talk]()
	graph.Last(schema, "", func(s *Talk) *string { return &s.Question })
	graph.Last(schema, "count", func(s *Talk) *int { return &s.Count })
	graph.Sum(schema, "count", func(s *Talk) *int { return &s.Count })
	g := graph.New(schema)
	node := func(context.Context, Talk) (graph.Command[Talk], error) { return graph.Command[Talk]{}, nil }
	route := func(context.Context, Talk) (graph.Next, error) { return graph.Next{}, nil }
	for _, name := range []string{"a", "a", "", graph.Start, "b", "alone"} {
		g.AddNode(name, node, graph.NodeOptions{Writes: []string{"nothing"}, Destinations: []string{"nobody"}, OnError: "nobody"})
	}
	graph.AddInputNode(g, "work", func(context.Context, int) (graph.Command[Talk], error) { return graph.Command[Talk]{}, nil })
	g.AddEdge(graph.Start, "a")
	g.AddEdge("a", "b")
	g.AddEdge("a", "b")
	g.AddEdge("a", "work")
	g.AddEdge("nobody", "a")
	g.AddRoute("b", route, nil)
	g.AddRoute("nobody", route, graph.Nodes("a"))
	g.AddRoute("b", route, graph.Targets{"x": "nobody"})
	g.AddJoin([]string{"a"}, "b")
	g.AddJoin([]string{"a", "a"}, "b")
	g.AddJoin([]string{"a", "nobody"}, "no")
	_, err := g.Compile(graph.Options{Name: "wrong", Durability: "perhaps", InterruptBefore: []string{"nobody"}, Cache: &graph.Cache{}})
	if !errors.Is(err, fault.ErrInvalid) {
		t.Fatalf("Compile() = %v, want ErrInvalid", err)
	}
	for _, problem := range []string{
		"a channel has no name", `channel "count" is declared twice`, `a node can't be named ""`, `a node can't be named "__start__"`,
		`node "a" is added twice`, `edge a -> b is added twice`, `an edge starts at "nobody"`, `the route from "b" has no targets`,
		`a route starts at "nobody"`, `the join into "b" has fewer than two sources`, `the join into "b" has a source twice`,
		`"nothing", which is no channel`, `a join waits for "nobody"`, `a join leads to "no"`, `perhaps`, `"work"`,
		`to pause at "nobody" needs a checkpointer`, "needs a Key", `node "alone" can't be reached`, `node "alone"`,
	} {
		if !strings.Contains(err.Error(), problem) {
			t.Errorf("Compile() does not say %s:\n%v", problem, err)
		}
	}
}
