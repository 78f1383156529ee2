package graph_test

import (
	"context"
	"fmt"
	"strings"

	"annai/graph"
	"annai/storage/mem"
)

// A callback hears of everything that a run does, from the outside to the inside. A node tells what it calls.
func ExampleCallback() {
	depth := 0
	trace := func(ctx context.Context, s graph.Span) (context.Context, func(graph.Outcome)) {
		fmt.Println(strings.Repeat("  ", depth) + strings.TrimSpace(string(s.Kind)+" "+s.Name))
		depth++
		return ctx, func(o graph.Outcome) {
			depth--
			if o.Err != nil {
				fmt.Println(s.Kind, "failed:", o.Err)
			}
		}
	}
	g := graph.New(talk)
	g.AddNode("look", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		ctx, ended := graph.Observe(ctx, graph.Span{Kind: graph.SpanTool, Name: "calendar"})
		command, err := say("found")(ctx, s)
		ended(graph.Outcome{Err: err})
		return command, err
	})
	g.AddEdge(graph.Start, "look")
	g.AddEdge("look", graph.End)
	compiled := must(g.Compile(graph.Options{Name: "talk", Callbacks: graph.Callbacks{trace}}))
	must(compiled.Invoke(context.Background(), graph.Input[Talk]{}, graph.RunOptions{}))
	// Output:
	// run talk
	//   superstep
	//     task look
	//       tool calendar
}

// What one thread learns another knows: nodes keep items in a store.
func ExampleStore() {
	g := graph.New(talk)
	g.AddNode("remember", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		visitor := []string{"visitors", "ann"}
		store := graph.RuntimeOf(ctx).Store
		if s.Question != "" {
			return graph.Command[Talk]{}, store.Put(ctx, visitor, "last", map[string]string{"question": s.Question})
		}
		item, err := store.Get(ctx, visitor, "last")
		if err != nil {
			return graph.Command[Talk]{}, err
		}
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{string(item.Value)})}}, nil
	})
	g.AddEdge(graph.Start, "remember")
	g.AddEdge("remember", graph.End)
	compiled := must(g.Compile(graph.Options{Checkpointer: mem.New(), Store: mem.NewItems(nil)}))
	ctx := context.Background()
	asked := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write("Is it open?")}}
	must(compiled.Invoke(ctx, asked, graph.RunOptions{ThreadID: "monday"}))
	fmt.Println(must(compiled.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "tuesday"})).State.Words)
	// Output:
	// [{"question":"Is it open?"}]
}
