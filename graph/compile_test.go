package graph_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

// A graph that pauses at a node is no subgraph: what comes after the pause would never run.
func TestSubgraphThatPauses(t *testing.T) {
	options := graph.Options{Checkpointer: mem.New()}
	for name, pauses := range map[string]graph.Options{
		"before": {InterruptBefore: []string{"ping"}}, "after": {InterruptAfter: []string{"ping"}}, "not": {},
	} {
		pauses.Checkpointer = options.Checkpointer
		g := graph.New(talk)
		graph.AddSubgraph(g, "inner", loop(t, 2, pauses),
			func(Talk) graph.Update[Talk] { return nil }, func(_, _ Talk) graph.Update[Talk] { return nil })
		g.AddEdge(graph.Start, "inner")
		g.AddEdge("inner", graph.End)
		if _, err := g.Compile(options); errors.Is(err, fault.ErrInvalid) != (name != "not") {
			t.Errorf("Compile() with a subgraph that pauses %s = %v", name, err)
		}
	}
}

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
