package graph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

// A graph whose channels are known only at run time has Values as its state.
func ExampleValues() {
	schema := graph.NewSchema[graph.Values]()
	messages := graph.AppendValue(schema, "messages")
	last := graph.LastValue(schema, "last")
	g := graph.New(schema)
	g.AddNode("echo", func(_ context.Context, s graph.Values) (graph.Command[graph.Values], error) {
		said := fmt.Sprint(s["last"], "!")
		return graph.Command[graph.Values]{Update: graph.Update[graph.Values]{messages.Write(said), last.Write(said)}}, nil
	})
	g.AddEdge(graph.Start, "echo")
	g.AddEdge("echo", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	input := graph.Input[graph.Values]{Update: graph.Update[graph.Values]{last.Write("hello")}}
	result := must(compiled.Invoke(context.Background(), input, graph.RunOptions{}))
	fmt.Println(result.State)
	// Output: map[last:hello! messages:[hello!]]
}

func TestValuesOnAThread(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		schema := graph.NewSchema[graph.Values]()
		list := graph.AppendValue(schema, "list")
		largest := graph.ReduceValue(schema, "largest", func(value, update any) any {
			a, _ := value.(float64)
			b, _ := update.(float64)
			return max(a, b)
		})
		last := graph.LastValue(schema, "last")
		var seen []graph.Values
		g := graph.New(schema)
		g.AddNode("take", func(_ context.Context, s graph.Values) (graph.Command[graph.Values], error) {
			seen = append(seen, s)
			return graph.Command[graph.Values]{Update: graph.Update[graph.Values]{list.Write([]any{s["last"], "and"}), largest.Write(s["last"])}}, nil
		})
		g.AddEdge(graph.Start, "take")
		g.AddEdge("take", graph.End)
		options.LiveThreads = 1
		compiled, err := g.Compile(options)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []float64{3, 5, 4} {
			in := graph.Input[graph.Values]{Update: graph.Update[graph.Values]{last.Write(n)}}
			if _, err := compiled.Invoke(t.Context(), in, graph.RunOptions{ThreadID: "t"}); err != nil {
				t.Fatal(err)
			}
		}
		c, err := compiled.State(t.Context(), "t", 0)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "state", c.State, graph.Values{"last": 4.0, "largest": 5.0, "list": []any{3.0, "and", 5.0, "and", 4.0, "and"}})
		want(t, "what the first node saw", seen[0], graph.Values{"last": 3.0})
	})
}

// parentAndChild is a graph whose subgraph has two nodes side by side; the second gives a command to the parent.
func parentAndChild(t *testing.T, command graph.Command[Talk], fail *bool, options graph.Options) *graph.Graph[Talk] {
	t.Helper()
	child := graph.New(talk)
	side(child, map[string]graph.Node[Talk]{
		"a": say("a"),
		"b": func(context.Context, Talk) (graph.Command[Talk], error) {
			if *fail {
				return graph.Command[Talk]{}, fault.ErrUnavailable
			}
			return graph.Command[Talk]{Parent: graph.ToParent(command)}, nil
		},
	})
	g := graph.New(talk)
	graph.AddSubgraph(g, "child", compile(t, child, graph.Options{}),
		func(Talk) graph.Update[Talk] { return nil },
		func(_, s Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write(s.Words)} },
		graph.NodeOptions{Destinations: []string{"there"}})
	g.AddNode("here", say("here"))
	g.AddNode("there", say("there"))
	g.AddEdge(graph.Start, "child")
	g.AddEdge("child", "here")
	g.AddEdge("here", graph.End)
	g.AddEdge("there", graph.End)
	return compile(t, g, options)
}

func TestCommandToParent(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		fail := true
		command := graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{"from the child"})}, Goto: "there"}
		compiled := parentAndChild(t, command, &fail, options)
		opts := graph.RunOptions{ThreadID: "t"}
		if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, opts); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Invoke() = %v, want ErrUnavailable", err)
		}
		fail = false
		result := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "words", result.State.Words, []string{"from the child", "there"})
	})
}

func TestCommandToNoParent(t *testing.T) {
	type other struct{ N int }
	fail := false
	for name, g := range map[string]*graph.Graph[Talk]{
		"has none": alone(t, func(context.Context, Talk) (graph.Command[Talk], error) {
			return graph.Command[Talk]{Parent: graph.ToParent(graph.Command[Talk]{})}, nil
		}, graph.NodeOptions{}, graph.Options{}),
		"is no node": parentAndChild(t, graph.Command[Talk]{Goto: "nowhere"}, &fail, graph.Options{}),
	} {
		_, err := g.Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{})
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), name) {
			t.Errorf("Invoke() = %v, want ErrInvalid that says %q", err, name)
		}
	}
	child := graph.New(talk)
	side(child, map[string]graph.Node[Talk]{"a": func(context.Context, Talk) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Parent: graph.ToParent(graph.Command[other]{})}, nil
	}})
	g := graph.New(talk)
	graph.AddSubgraph(g, "child", compile(t, child, graph.Options{}), func(Talk) graph.Update[Talk] { return nil },
		func(_, _ Talk) graph.Update[Talk] { return nil })
	g.AddEdge(graph.Start, "child")
	g.AddEdge("child", graph.End)
	_, err := compile(t, g, graph.Options{}).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{})
	if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "other") {
		t.Errorf("Invoke() with a command of another state = %v, want ErrInvalid that names it", err)
	}
}

// A command to the parent is the only thing that a superstep may want.
func TestCommandToParentAndMore(t *testing.T) {
	up := graph.ToParent(graph.Command[Talk]{})
	for says, commands := range map[string][]graph.Command[Talk]{
		"wants something else too":             {{Parent: up, Update: graph.Update[Talk]{count.Write(1)}}},
		"in the same superstep as another nod": {{Parent: up}, {Parent: up}},
	} {
		nodes := map[string]graph.Node[Talk]{}
		for i, c := range commands {
			nodes[fmt.Sprint("n", i)] = func(context.Context, Talk) (graph.Command[Talk], error) { return c, nil }
		}
		child := graph.New(talk)
		side(child, nodes)
		g := graph.New(talk)
		graph.AddSubgraph(g, "child", compile(t, child, graph.Options{}), func(Talk) graph.Update[Talk] { return nil },
			func(_, _ Talk) graph.Update[Talk] { return nil })
		g.AddEdge(graph.Start, "child")
		g.AddEdge("child", graph.End)
		_, err := compile(t, g, graph.Options{}).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{})
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("Invoke() = %v, want ErrInvalid that says %q", err, says)
		}
	}
}

// Values are found again from a snapshot, those that were never written as not there, and KeepLatest makes one.
func TestValuesFromASnapshot(t *testing.T) {
	schema := graph.NewSchema[graph.Values]()
	last, list := graph.LastValue(schema, "last"), graph.AppendValue(schema, "list")
	graph.ReduceValue(schema, "never", func(_, update any) any { return update })
	g := graph.New(schema)
	g.AddNode("n", func(context.Context, graph.Values) (graph.Command[graph.Values], error) {
		return graph.Command[graph.Values]{Update: graph.Update[graph.Values]{last.Write(nil), list.Write([]any{"a", "b"}), list.Write(1)}}, nil
	})
	g.AddEdge(graph.Start, "n")
	g.AddEdge("n", graph.End)
	compiled, err := g.Compile(graph.Options{Checkpointer: mem.New()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compiled.Invoke(t.Context(), graph.Input[graph.Values]{}, graph.RunOptions{ThreadID: "t"}); err != nil {
		t.Fatal(err)
	}
	expected := graph.Values{"last": nil, "list": []any{"a", "b", 1.0}}
	for _, when := range []string{"before", "after"} {
		state, err := compiled.State(t.Context(), "t", 0)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "state "+when+" KeepLatest", state.State, expected)
		if err := compiled.KeepLatest(t.Context(), "t"); err != nil {
			t.Fatal(err)
		}
	}
}
