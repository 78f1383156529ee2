package graph_test

import (
	"context"
	"fmt"
	"testing"

	"annai/graph"
)

// interviews is a graph with one in it, deep levels down, that asks twice and says both answers.
func interviews(t *testing.T, deep int, options graph.Options) *graph.Graph[Talk] {
	t.Helper()
	inner := graph.New(talk)
	last := graph.Start
	for _, node := range []string{"one", "two"} {
		inner.AddNode(node, func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
			var answer string
			if answered, err := graph.Answer(ctx, 0, &answer); err != nil || !answered {
				return graph.Command[Talk]{Interrupt: &graph.Interrupt{Question: node}}, err
			}
			return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{answer})}}, nil
		})
		inner.AddEdge(last, node)
		last = node
	}
	inner.AddEdge(last, graph.End)
	for range deep {
		outer := graph.New(talk)
		graph.AddSubgraph(outer, "inside", compile(t, inner, graph.Options{}),
			func(Talk) graph.Update[Talk] { return nil },
			func(_, ended Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write(ended.Words)} })
		outer.AddEdge(graph.Start, "inside")
		outer.AddEdge("inside", graph.End)
		inner = outer
	}
	return compile(t, inner, options)
}

// Two branches of a thread answer the same question of a graph inside, each in its way and in turn, and neither hears
// of the other.
func TestBranchesShareNothing(t *testing.T) {
	for _, deep := range []int{1, 2} {
		stores(t, func(t *testing.T, options graph.Options) {
			g := interviews(t, deep, options)
			asks := func(what string, from int64, answer, question string) int64 {
				t.Helper()
				in := graph.Input[Talk]{Update: graph.Update[Talk]{}}
				if answer != "" {
					in = graph.Input[Talk]{Resume: map[string]any{"": answer}}
				}
				result := invoke(t, g, in, graph.RunOptions{ThreadID: "t", Checkpoint: from})
				got := fmt.Sprint(result.State.Words)
				if len(result.Interrupts) > 0 {
					got = result.Interrupts[0].Question.(string)
				}
				want(t, what, got, question)
				return result.Checkpoint
			}
			first := asks("the first run", 0, "", "one")
			second, err := g.UpdateState(t.Context(), "t", first, nil, graph.AsCopy)
			if err != nil {
				t.Fatal(err)
			}
			first = asks("the first branch", first, "a", "two")
			second = asks("the second branch", second, "b", "two")
			third, err := g.UpdateState(t.Context(), "t", second, nil, graph.AsCopy)
			if err != nil {
				t.Fatal(err)
			}
			asks("the end of the first branch", first, "A", "[a A]")
			asks("the end of the third branch", third, "C", "[b C]")
			asks("the end of the second branch", second, "B", "[b B]")
		})
	}
}

// With durability exit a checkpoint stays as it was, and each run from it is a branch.
func TestBranchesOfExit(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		options.Durability = graph.DurabilityExit
		g := interviews(t, 2, options)
		opts := graph.RunOptions{ThreadID: "t"}
		start := invoke(t, g, graph.Input[Talk]{Update: graph.Update[Talk]{}}, opts)
		var asked []int64
		for _, answer := range []string{"a", "b"} {
			opts.Checkpoint = start.Checkpoint
			result := invoke(t, g, graph.Input[Talk]{Resume: map[string]any{"": answer}}, opts)
			want(t, "question", result.Interrupts[0].Question, any("two"))
			asked = append(asked, result.Checkpoint)
		}
		for i, wanted := range []string{"[a again]", "[b again]"} {
			opts.Checkpoint = asked[i]
			result := invoke(t, g, graph.Input[Talk]{Resume: map[string]any{"": "again"}}, opts)
			want(t, "words", fmt.Sprint(result.State.Words), wanted)
		}
	})
}

// Who goes on from an older checkpoint runs what followed it once more: nodes and graphs inside.
func TestReplayRunsGraphsInside(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		ran := 0
		inner := graph.New(talk)
		inner.AddNode("count", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			ran++
			return say(fmt.Sprint(ran))(ctx, s)
		})
		inner.AddEdge(graph.Start, "count")
		inner.AddEdge("count", graph.End)
		g := graph.New(talk)
		g.AddNode("first", say("first"))
		graph.AddSubgraph(g, "inside", compile(t, inner, graph.Options{}), func(Talk) graph.Update[Talk] { return nil },
			func(_, ended Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write(ended.Words)} })
		g.AddEdge(graph.Start, "first")
		g.AddEdge("first", "inside")
		g.AddEdge("inside", graph.End)
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t", Durability: graph.DurabilitySync}
		invoke(t, compiled, graph.Input[Talk]{Update: graph.Update[Talk]{}}, opts)
		for run := 2; run <= 3; run++ {
			opts.Checkpoint = 2
			result := invoke(t, compiled, graph.Input[Talk]{}, opts)
			want(t, "words", result.State.Words, []string{"first", fmt.Sprint(run)})
		}
	})
}
