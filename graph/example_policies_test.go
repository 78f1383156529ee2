package graph_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"annai/fault"
	"annai/graph"
)

// Policies of the graph hold for every node that has none of its own: here each attempt has a tenth of a second, what may pass is tried again, and
// what failed for good is taken over by a handler, in place of what follows it.
func ExampleRetry() {
	g := graph.New(talk)
	g.AddNode("call", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		switch graph.RuntimeOf(ctx).Attempt {
		case 1: // too slow
			<-ctx.Done()
			return graph.Command[Talk]{}, context.Cause(ctx)
		case 2: // nobody there, for now
			return graph.Command[Talk]{}, fault.ErrUnavailable
		}
		return say("called")(ctx, s)
	})
	g.AddNode("print", func(context.Context, Talk) (graph.Command[Talk], error) {
		return graph.Command[Talk]{}, fmt.Errorf("no printer: %w", fault.ErrInvalid)
	})
	g.AddNode("sign", say("signed"))
	graph.AddInputNode(g, "apologise", func(_ context.Context, f graph.Failure) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{"sorry, " + f.Message})}}, nil
	})
	g.AddEdge(graph.Start, "call")
	g.AddEdge("call", "print")
	g.AddEdge("print", "sign")
	g.AddEdge("sign", graph.End)
	g.AddEdge("apologise", graph.End)
	compiled := must(g.Compile(graph.Options{
		Timeout: 100 * time.Millisecond,
		Retry:   &graph.Retry{Attempts: 5, Wait: time.Millisecond, Jitter: 0.5},
		OnError: "apologise",
	}))

	result := must(compiled.Invoke(context.Background(), graph.Input[Talk]{}, graph.RunOptions{}))
	for _, word := range result.State.Words {
		fmt.Println(word)
	}
	// Output:
	// called
	// sorry, node print: no printer: invalid
}

// What a node returned for an input can be kept, so that it does not run for the same input again, on whatever thread.
func ExampleCache() {
	ran := 0
	g := graph.New(talk)
	g.AddNode("look up", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		ran++
		return say("a page about "+s.Question)(ctx, s)
	}, graph.NodeOptions{Cache: &graph.Cache{Key: func(input any) string { return input.(Talk).Question }}})
	g.AddEdge(graph.Start, "look up")
	g.AddEdge("look up", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	for _, about := range []string{"tea", "coffee", "tea"} {
		input := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write(about)}}
		fmt.Println(must(compiled.Invoke(context.Background(), input, graph.RunOptions{})).State.Words)
	}
	fmt.Println("the node ran", ran, "times")
	// Output:
	// [a page about tea]
	// [a page about coffee]
	// [a page about tea]
	// the node ran 2 times
}

// A deferred node waits until nothing else is left to run: it comes last and once, however long the ways to it are.
func ExampleNodeOptions_defer() {
	g := graph.New(talk)
	g.AddNode("short", say("short"))
	g.AddNode("long", say("long"))
	g.AddNode("longer", say("longer"))
	g.AddNode("sum up", say("that was all"), graph.NodeOptions{Defer: true})
	g.AddEdge(graph.Start, "short")
	g.AddEdge(graph.Start, "long")
	g.AddEdge("long", "longer")
	g.AddEdge("short", "sum up")
	g.AddEdge("longer", "sum up")
	g.AddEdge("sum up", graph.End)
	compiled := must(g.Compile(graph.Options{}))
	fmt.Println(must(compiled.Invoke(context.Background(), graph.Input[Talk]{}, graph.RunOptions{})).State.Words)
	// Output: [short long longer that was all]
}

// Nodes that say what they write are checked against it, and two that would write the same value side by side are found before anything runs.
func ExampleNodeOptions_writes() {
	g := graph.New(talk)
	for _, name := range []string{"ask", "guess"} {
		g.AddNode(name, say(name), graph.NodeOptions{Writes: []string{"question"}})
		g.AddEdge(graph.Start, name)
		g.AddEdge(name, graph.End)
	}
	_, err := g.Compile(graph.Options{})
	fmt.Println(err)
	// Output:
	// compile graph: invalid:
	// nodes "ask" and "guess" run in the same superstep and both write "question", which keeps one value; declare a reducer
}

// A node can see the end of its run coming, and stop in time. One that does not is stopped, with an error that names the nodes that went round.
func ExampleRuntimeOf() {
	g := graph.New(talk)
	g.AddNode("try", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		command, err := say("try")(ctx, s)
		command.Goto = "try"
		if s.Question == "in time?" && graph.RuntimeOf(ctx).RemainingSteps == 0 {
			command.Goto = graph.End
		}
		return command, err
	}, graph.NodeOptions{Destinations: []string{"try", graph.End}})
	g.AddEdge(graph.Start, "try")
	compiled := must(g.Compile(graph.Options{RecursionLimit: 3}))

	for _, words := range []string{"in time?", "or too late?"} {
		input := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write(words)}}
		result, err := compiled.Invoke(context.Background(), input, graph.RunOptions{})
		fmt.Println(result.State.Words, err)
	}
	// Output:
	// [try try try] <nil>
	// [try try try] run graph: no end after 3 supersteps; these run over and over: try: invalid
}

// A run that is cancelled says why.
func ExampleGraph_Invoke_cancelled() {
	ctx, cancel := context.WithCancelCause(context.Background())
	g := graph.New(talk)
	g.AddNode("wait", func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
		go cancel(errors.New("the visitor left"))
		<-ctx.Done()
		return graph.Command[Talk]{}, context.Cause(ctx)
	})
	g.AddEdge(graph.Start, "wait")
	g.AddEdge("wait", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	_, err := compiled.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{})
	fmt.Println(err)
	// Output: run graph: node wait: the visitor left
}
