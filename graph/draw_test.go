package graph_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"annai/graph"
)

// house has all that can be drawn: a subgraph, a join, a route with labels, a command with destinations, and names that are words elsewhere.
func house(t *testing.T) *graph.Graph[Talk] {
	t.Helper()
	inner := graph.New(talk)
	inner.AddNode("a", say("a"))
	inner.AddEdge(graph.Start, "a")
	inner.AddEdge("a", graph.End)
	g := graph.New(talk)
	graph.AddSubgraph(g, "in", compile(t, inner, graph.Options{Name: "inner"}), func(Talk) graph.Update[Talk] { return nil },
		func(Talk, Talk) graph.Update[Talk] { return nil })
	g.AddNode("end", say("end"))
	g.AddNode("案内", say("案内"), graph.NodeOptions{Destinations: []string{"end"}})
	g.AddEdge(graph.Start, "in")
	g.AddEdge(graph.Start, "案内")
	g.AddJoin([]string{"in", "案内"}, "end")
	g.AddRoute("end", func(context.Context, Talk) (graph.Next, error) { return graph.To("ok"), nil }, graph.Targets{"ok": graph.End, "in": "in"})
	return compile(t, g, graph.Options{Name: "house"})
}

func TestDrawing(t *testing.T) {
	drawing := house(t).Drawing()
	want(t, "Mermaid()", drawing.Mermaid(), `flowchart TD
  n_start([start])
  subgraph n_in ["in"]
    n_in_n_start([start])
    n_in_n_a["a"]
    n_in_n_end([end])
    n_in_n_start --> n_in_n_a
    n_in_n_a --> n_in_n_end
  end
  x_656e64["end"]
  x_e6a188e58685["案内"]
  n_end([end])
  n_start --> n_in
  n_start --> x_e6a188e58685
  x_656e64 -.-> n_in
  x_656e64 -.->|"ok"| n_end
  x_e6a188e58685 -.-> x_656e64
  n_in --> x_656e64
  x_e6a188e58685 --> x_656e64
`)
	want(t, "DOT()", drawing.DOT(), `digraph "house" {
  "__start__" [label="start", shape=oval];
  "in" [label="in", shape=component];
  subgraph "cluster_in" {
    label="in";
    "in/__start__" [label="start", shape=oval];
    "in/a" [label="a", shape=box];
    "in/__end__" [label="end", shape=oval];
    "in/__start__" -> "in/a" [];
    "in/a" -> "in/__end__" [];
  }
  "end" [label="end", shape=box];
  "案内" [label="案内", shape=box];
  "__end__" [label="end", shape=oval];
  "__start__" -> "in" [];
  "__start__" -> "案内" [];
  "end" -> "in" [style=dashed];
  "end" -> "__end__" [style=dashed, label="ok"];
  "案内" -> "end" [style=dashed];
  "in" -> "end" [];
  "案内" -> "end" [];
}
`)
	data, err := json.Marshal(drawing)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`{"name":"house","nodes":[{"name":"__start__"},{"name":"in","subgraph":{"name":"inner","nodes":[{"name":"__start__"},{"name":"a"}`,
		`{"from":"end","to":"__end__","conditional":true,"label":"ok"}`, `{"from":"in","to":"end","joined":true}`,
	} {
		if !strings.Contains(string(data), part) {
			t.Errorf("as JSON = %s, want it to have %s", data, part)
		}
	}
}
