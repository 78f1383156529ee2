package graph_test

import (
	"context"
	"errors"
	"testing"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

// TestInside reads how graphs inside stand: while they ask, and after they ended.
func TestInside(t *testing.T) {
	opts := graph.RunOptions{ThreadID: "t"}
	g := around(t, graph.Options{Checkpointer: mem.New()}, false)
	result, err := g.Invoke(t.Context(), graph.Input[asked]{Update: graph.Update[asked]{}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	at, err := g.State(t.Context(), "t", 0)
	if err != nil || len(at.Namespaces) != 2 || at.Namespaces[0] == at.Namespaces[1] {
		t.Fatalf("State = %+v, %v; want two namespaces", at, err)
	}
	answers := map[string]any{}
	for i, namespace := range at.Namespaces {
		c, err := g.Inside(t.Context(), "t", namespace)
		if err != nil || len(c.Next) != 1 || c.Next[0] != "ask" || len(c.Interrupts) != 1 {
			t.Fatalf("Inside %s = %+v, %v; want that it asks", namespace, c, err)
		}
		answers[result.Interrupts[i].ID] = approval{Approved: true}
	}
	if _, err := g.Invoke(t.Context(), graph.Input[asked]{Resume: answers}, opts); err != nil {
		t.Fatal(err)
	}
	c, err := g.Inside(t.Context(), "t", at.Namespaces[0])
	if s, ok := c.State.(asked); err != nil || !ok || !s.Allowed || len(c.Next) != 0 {
		t.Errorf("Inside = %+v, %v; want that it was allowed and ended", c, err)
	}
	for _, namespace := range []string{"left", "left:nothing", "nobody:1", "left:1|ask:2", "|"} {
		if _, err := g.Inside(t.Context(), "t", namespace); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Inside %q = %v, want not found", namespace, err)
		}
	}
	if _, err := g.Inside(t.Context(), "", at.Namespaces[0]); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Inside of no thread = %v", err)
	}
}

// TestTaskInput: the start of a task says what it is given.
func TestTaskInput(t *testing.T) {
	g := graph.New(talk)
	graph.AddInputNode(g, "each", func(_ context.Context, _ string) (graph.Command[Talk], error) {
		return graph.Command[Talk]{}, nil
	})
	g.AddRoute(graph.Start, func(context.Context, Talk) (graph.Next, error) {
		return graph.Fan(graph.Send{Node: "each", Input: "a"}, graph.Send{Node: "each", Input: "b"}), nil
	}, graph.Nodes("each"))
	g.AddNode("last", func(context.Context, Talk) (graph.Command[Talk], error) { return graph.Command[Talk]{}, nil })
	g.AddEdge("each", "last")
	g.AddEdge("last", graph.End)
	var got []any
	opts := graph.RunOptions{Modes: []graph.Mode{graph.ModeTasks}}
	in := graph.Input[Talk]{Update: graph.Update[Talk]{}}
	for e, err := range compile(t, g, graph.Options{}).Stream(t.Context(), in, opts) {
		if err != nil {
			t.Fatal(err)
		}
		if task, ok := e.(graph.TaskEvent); ok && !task.Ended {
			_, isState := task.Input.(Talk)
			if isState == task.Sent {
				t.Errorf("%s is given %v, sent: %t", task.Node, task.Input, task.Sent)
			}
			if task.Sent {
				got = append(got, task.Input)
			}
		}
	}
	want(t, "inputs", got, []any{"a", "b"})
}
