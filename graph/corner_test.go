package graph_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"annai/fault"
	"annai/graph"
)

func TestEphemeralOfAnOlderRunStaysForgotten(t *testing.T) {
	type Turn struct{ Said string }
	schema := graph.NewSchema[Turn]()
	said := graph.Ephemeral(schema, "said", func(s *Turn) *string { return &s.Said })
	stores(t, func(t *testing.T, options graph.Options) {
		g := graph.New(schema)
		g.AddNode("ask", func(context.Context, Turn) (graph.Command[Turn], error) {
			return graph.Command[Turn]{Interrupt: &graph.Interrupt{Question: "?"}}, nil
		})
		g.AddEdge(graph.Start, "ask")
		g.AddEdge("ask", graph.End)
		compiled := must(g.Compile(options))
		opts := graph.RunOptions{ThreadID: "t"}
		must(compiled.Invoke(t.Context(), graph.Input[Turn]{Update: graph.Update[Turn]{said.Write("old")}}, opts))
		fresh := must(compiled.Invoke(t.Context(), graph.Input[Turn]{Update: graph.Update[Turn]{}}, opts))
		want(t, "state of the new run", fresh.State, Turn{})
		want(t, "state of its checkpoint", must(compiled.State(t.Context(), "t", 0)).State, Turn{})
	})
}

func TestFailedRouteLeavesJoinsAsTheyWere(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		broken := true
		g := graph.New(talk)
		g.AddNode("first", say("first"))
		g.AddNode("second", say("second"))
		g.AddNode("joined", say("joined"))
		g.AddEdge(graph.Start, "first")
		g.AddEdge("first", "second")
		g.AddJoin([]string{"first", "second"}, "joined")
		g.AddRoute("second", func(context.Context, Talk) (graph.Next, error) {
			if broken {
				return graph.Next{}, fault.ErrUnavailable
			}
			return graph.To(graph.End), nil
		}, graph.Nodes(graph.End))
		g.AddEdge("joined", graph.End)
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t"}
		if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, opts); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Invoke() = %v, want ErrUnavailable", err)
		}
		broken = false
		want(t, "words", invoke(t, compiled, graph.Input[Talk]{}, opts).State.Words, []string{"first", "second", "joined"})
	})
}

func TestRefusedResumeChangesNothing(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		var ran [2]atomic.Int32
		g := graph.New(talk)
		side(g, map[string]graph.Node[Talk]{"a": asks("a", 1, &ran[0]), "b": asks("b", 1, &ran[1])})
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t"}
		open := invoke(t, compiled, graph.Input[Talk]{}, opts).Interrupts
		wrong := graph.Input[Talk]{Resume: map[string]any{open[0].ID: "1", "none": "x"}}
		if _, err := compiled.Invoke(t.Context(), wrong, opts); !errors.Is(err, fault.ErrNotFound) {
			t.Fatalf("Invoke(%v) = %v, want ErrNotFound", wrong, err)
		}
		want(t, "open after the refusal", must(compiled.State(t.Context(), "t", 0)).Interrupts, open)
	})
}

func TestWaysIntoInputNodesNeedASend(t *testing.T) {
	for name, lead := range map[string]func(g *graph.StateGraph[Talk]){
		"edge": func(g *graph.StateGraph[Talk]) { g.AddEdge("plan", "work") },
		"join": func(g *graph.StateGraph[Talk]) { g.AddJoin([]string{"plan", "other"}, "work") },
	} {
		g := graph.New(talk)
		g.AddNode("plan", say("plan"))
		g.AddNode("other", say("other"))
		graph.AddInputNode(g, "work", func(context.Context, int) (graph.Command[Talk], error) { return graph.Command[Talk]{}, nil })
		g.AddEdge(graph.Start, "plan")
		g.AddEdge(graph.Start, "other")
		g.AddEdge("other", graph.End)
		g.AddEdge("work", graph.End)
		lead(g)
		if _, err := g.Compile(graph.Options{}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Compile() with an %s into an input node = %v, want ErrInvalid", name, err)
		}
	}
	g := graph.New(talk)
	g.AddNode("plan", say("plan"))
	graph.AddInputNode(g, "work", func(context.Context, int) (graph.Command[Talk], error) { return graph.Command[Talk]{}, nil })
	g.AddEdge(graph.Start, "plan")
	g.AddRoute("plan", func(context.Context, Talk) (graph.Next, error) { return graph.To("work"), nil }, graph.Nodes("work"))
	g.AddEdge("work", graph.End)
	if _, err := compile(t, g, graph.Options{}).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Invoke() with a route that names an input node = %v, want ErrInvalid", err)
	}
}

func TestJoinWithASourceTwice(t *testing.T) {
	g := graph.New(talk)
	g.AddNode("a", say("a"))
	g.AddNode("b", say("b"))
	g.AddEdge(graph.Start, "a")
	g.AddJoin([]string{"a", "a"}, "b")
	g.AddEdge("b", graph.End)
	if _, err := g.Compile(graph.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Compile() with a source twice in a join = %v, want ErrInvalid", err)
	}
}

func TestRuntimeHasTheClock(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var got graph.Runtime
	node := func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
		got = graph.RuntimeOf(ctx)
		return graph.Command[Talk]{}, nil
	}
	invoke(t, single(t, node, graph.Options{Now: func() time.Time { return now }, RecursionLimit: 3}), graph.Input[Talk]{}, graph.RunOptions{RunID: "r", ThreadID: "t"})
	if got.Now == nil || !got.Now().Equal(now) || got.RemainingSteps != 2 || got.Step != 1 || got.RunID != "r" || got.Node != "a" || got.Attempt != 1 {
		t.Errorf("RuntimeOf() = %+v, want step 1 of run r with 2 more, in node a, at %v", got, now)
	}
	if outside := graph.RuntimeOf(t.Context()); outside.Now != nil || outside.Step != 0 {
		t.Errorf("RuntimeOf() outside of a run = %+v, want the zero Runtime", outside)
	}
}
