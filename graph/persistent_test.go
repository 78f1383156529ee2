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

// A desk remembers what its clerk was told.
type desk struct {
	Said  string
	Clerk Talk
}

var (
	deskSchema = graph.NewSchema[desk]()
	deskSaid   = graph.Last(deskSchema, "said", func(s *desk) *string { return &s.Said })
	deskClerk  = graph.Last(deskSchema, "clerk", func(s *desk) *Talk { return &s.Clerk })
)

// newDesk has a clerk, a graph inside, that notes what it was told and asks whether it may, if ask says so.
func newDesk(t testing.TB, ask func() bool, options graph.Options) *graph.Graph[desk] {
	t.Helper()
	clerk := graph.New(talk)
	clerk.AddNode("note", func(_ context.Context, s Talk) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{s.Question})}}, nil
	})
	clerk.AddNode("sign", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		var name string
		if !ask() {
			return graph.Command[Talk]{}, nil
		}
		if answered, err := graph.Answer(ctx, 0, &name); err != nil || !answered {
			return graph.Command[Talk]{Interrupt: &graph.Interrupt{Question: strings.Join(s.Words, " ")}}, err
		}
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{"by", name})}}, nil
	})
	clerk.AddEdge(graph.Start, "note")
	clerk.AddEdge("note", "sign")
	clerk.AddEdge("sign", graph.End)
	inside, err := clerk.Compile(graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := graph.New(deskSchema)
	graph.AddPersistentSubgraph(g, "clerk", inside, deskClerk,
		func(s desk) graph.Update[Talk] { return graph.Update[Talk]{question.Write(s.Said)} },
		func(_ desk, ended Talk) graph.Update[desk] { return nil })
	g.AddEdge(graph.Start, "clerk")
	g.AddEdge("clerk", graph.End)
	compiled, err := g.Compile(options)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// A subgraph that remembers goes on, on its thread and branch, with the state with which it ended.
func ExampleAddPersistentSubgraph() {
	counter := graph.New(talk)
	counter.AddNode("note", func(_ context.Context, s Talk) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{s.Question})}}, nil
	})
	counter.AddEdge(graph.Start, "note")
	counter.AddEdge("note", graph.End)
	g := graph.New(deskSchema)
	graph.AddPersistentSubgraph(g, "clerk", must(counter.Compile(graph.Options{})), deskClerk,
		func(s desk) graph.Update[Talk] { return graph.Update[Talk]{question.Write(s.Said)} },
		func(desk, Talk) graph.Update[desk] { return nil })
	g.AddEdge(graph.Start, "clerk")
	g.AddEdge("clerk", graph.End)
	compiled := must(g.Compile(graph.Options{Checkpointer: mem.New()}))

	for _, said := range []string{"tea", "cake"} {
		input := graph.Input[desk]{Update: graph.Update[desk]{deskSaid.Write(said)}}
		result := must(compiled.Invoke(context.Background(), input, graph.RunOptions{ThreadID: "visitor-1"}))
		fmt.Println(result.State.Clerk.Words)
	}
	// Output:
	// [tea]
	// [tea cake]
}

func TestPersistentSubgraph(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		asks := false
		build := func() *graph.Graph[desk] { return newDesk(t, func() bool { return asks }, options) }
		tell := func(said string, from int64, wanted ...string) graph.Result[desk] {
			t.Helper()
			in := graph.Input[desk]{Update: graph.Update[desk]{deskSaid.Write(said)}}
			result, err := build().Invoke(t.Context(), in, graph.RunOptions{ThreadID: "t", Checkpoint: from})
			if err != nil {
				t.Fatal(err)
			}
			want(t, "what the clerk knows after "+said, result.State.Clerk.Words, wanted)
			return result
		}
		first := tell("a", 0, "a")
		tell("b", 0, "a", "b")
		tell("c", first.Checkpoint, "a", "c") // a fork knows nothing of b
		asks = true
		asked := tell("d", 0, "a", "c")
		want(t, "question", asked.Interrupts[0].Question, any("a c d"))
		at, err := build().State(t.Context(), "t", 0)
		if err != nil {
			t.Fatal(err)
		}
		inside, err := build().Inside(t.Context(), "t", at.Namespaces[0])
		if err != nil {
			t.Fatal(err)
		}
		want(t, "the state inside", inside.State.(Talk).Words, []string{"a", "c", "d"})
		in := graph.Input[desk]{Resume: map[string]any{"": "me"}}
		result, err := build().Invoke(t.Context(), in, graph.RunOptions{ThreadID: "t"})
		if err != nil {
			t.Fatal(err)
		}
		want(t, "what the clerk knows at last", result.State.Clerk.Words, []string{"a", "c", "d", "by", "me"})
	})
}

// A subgraph remembers in a field of a struct.
func TestPersistentSubgraphRefused(t *testing.T) {
	g := graph.New(deskSchema)
	inner := graph.New(talk)
	inner.AddNode("n", say("n"))
	inner.AddEdge(graph.Start, "n")
	inner.AddEdge("n", graph.End)
	graph.AddPersistentSubgraph(g, "clerk", compile(t, inner, graph.Options{}), graph.Channel[desk, Talk]{},
		func(desk) graph.Update[Talk] { return nil }, func(desk, Talk) graph.Update[desk] { return nil })
	g.AddEdge(graph.Start, "clerk")
	g.AddEdge("clerk", graph.End)
	_, err := g.Compile(graph.Options{})
	if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "clerk") {
		t.Errorf("Compile = %v, want ErrInvalid that names the node", err)
	}
}
