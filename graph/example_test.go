package graph_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

// A state is a struct, and a channel is declared once for each of its fields.
type Talk struct {
	Question string
	Words    []string
	Count    int
}

var (
	talk     = graph.NewSchema[Talk]()
	question = graph.Last(talk, "question", func(s *Talk) *string { return &s.Question })
	words    = graph.Append(talk, "words", func(s *Talk) *[]string { return &s.Words })
	count    = graph.Sum(talk, "count", func(s *Talk) *int { return &s.Count })
)

// say is a node that adds a word.
func say(word string) graph.Node[Talk] {
	return func(context.Context, Talk) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{word}), count.Write(1)}}, nil
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A chain of nodes: each reads the state and returns an update, which the channels' reducers take in.
func Example() {
	g := graph.New(talk)
	g.AddNode("hello", say("hello"))
	g.AddNode("world", say("world"))
	g.AddEdge(graph.Start, "hello")
	g.AddEdge("hello", "world")
	g.AddEdge("world", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	input := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write("who?")}}
	result := must(compiled.Invoke(context.Background(), input, graph.RunOptions{}))
	fmt.Println(result.State.Question, result.State.Words, result.State.Count, result.Steps)
	// Output: who? [hello world] 2 2
}

// A route computes the next step from the state.
func ExampleStateGraph_AddRoute() {
	g := graph.New(talk)
	g.AddNode("again", say("."))
	g.AddEdge(graph.Start, "again")
	g.AddRoute("again", func(_ context.Context, s Talk) (graph.Next, error) {
		if s.Count < 5 {
			return graph.To("more"), nil
		}
		return graph.To("enough"), nil
	}, graph.Targets{"more": "again", "enough": graph.End})
	compiled := must(g.Compile(graph.Options{}))

	result := must(compiled.Invoke(context.Background(), graph.Input[Talk]{}, graph.RunOptions{}))
	fmt.Println(strings.Join(result.State.Words, ""))
	// Output: .....
}

// Nodes that are ready together run side by side, and their updates apply in the order in which they were added. A join waits for all
// of its sources.
func ExampleStateGraph_AddJoin() {
	g := graph.New(talk)
	for _, name := range []string{"left", "right", "far", "end"} {
		g.AddNode(name, say(name))
	}
	g.AddEdge(graph.Start, "left")
	g.AddEdge(graph.Start, "right")
	g.AddEdge("right", "far")
	g.AddJoin([]string{"left", "far"}, "end")
	g.AddEdge("end", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	result := must(compiled.Invoke(context.Background(), graph.Input[Talk]{}, graph.RunOptions{}))
	fmt.Println(result.State.Words)
	// Output: [left right far end]
}

// A send is a task with an input of its own, so that the data decide how wide a fan-out is.
func ExampleFan() {
	g := graph.New(talk)
	g.AddNode("plan", say("plan"))
	graph.AddInputNode(g, "work", func(_ context.Context, n int) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{fmt.Sprint(n * n)})}}, nil
	})
	g.AddNode("join", say("join"))
	g.AddEdge(graph.Start, "plan")
	g.AddRoute("plan", func(context.Context, Talk) (graph.Next, error) {
		var sends []graph.Send
		for n := range 4 {
			sends = append(sends, graph.Send{Node: "work", Input: n})
		}
		return graph.Fan(sends...), nil
	}, graph.Nodes("work"))
	g.AddEdge("work", "join")
	g.AddEdge("join", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	result := must(compiled.Invoke(context.Background(), graph.Input[Talk]{}, graph.RunOptions{}))
	fmt.Println(result.State.Words)
	// Output: [plan 0 1 4 9 join]
}

// A command can say itself where to go; the destinations are declared for the checks and the drawing.
func ExampleCommand() {
	g := graph.New(talk)
	g.AddNode("choose", func(_ context.Context, s Talk) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Goto: s.Question}, nil
	}, graph.NodeOptions{Destinations: []string{"tea", "coffee"}})
	g.AddNode("tea", say("green tea"))
	g.AddNode("coffee", say("espresso"))
	g.AddEdge(graph.Start, "choose")
	g.AddEdge("tea", graph.End)
	g.AddEdge("coffee", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	input := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write("tea")}}
	result := must(compiled.Invoke(context.Background(), input, graph.RunOptions{}))
	fmt.Println(result.State.Words)
	// Output: [green tea]
}

// A graph can be a node of another, with a state of its own.
func ExampleAddSubgraph() {
	type Letter struct{ Text string }
	letter := graph.NewSchema[Letter]()
	text := graph.Last(letter, "text", func(s *Letter) *string { return &s.Text })
	inner := graph.New(letter)
	inner.AddNode("shout", func(_ context.Context, s Letter) (graph.Command[Letter], error) {
		return graph.Command[Letter]{Update: graph.Update[Letter]{text.Write(strings.ToUpper(s.Text))}}, nil
	})
	inner.AddEdge(graph.Start, "shout")
	inner.AddEdge("shout", graph.End)

	g := graph.New(talk)
	graph.AddSubgraph(g, "write", must(inner.Compile(graph.Options{Name: "letter"})),
		func(s Talk) graph.Update[Letter] { return graph.Update[Letter]{text.Write(s.Question)} },
		func(_ Talk, l Letter) graph.Update[Talk] { return graph.Update[Talk]{words.Write([]string{l.Text})} })
	g.AddEdge(graph.Start, "write")
	g.AddEdge("write", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	input := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write("who?")}}
	result := must(compiled.Invoke(context.Background(), input, graph.RunOptions{}))
	fmt.Println(result.State.Words)
	// Output: [WHO?]
}

// A stream yields what happens, in the modes that were asked for.
func ExampleGraph_Stream() {
	g := graph.New(talk)
	g.AddNode("hello", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		graph.WriteCustom(ctx, "thinking")
		graph.WriteMessage(ctx, "hel")
		graph.WriteMessage(ctx, "lo")
		return say("hello")(ctx, s)
	})
	g.AddEdge(graph.Start, "hello")
	g.AddEdge("hello", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	modes := []graph.Mode{graph.ModeValues, graph.ModeUpdates, graph.ModeMessages, graph.ModeCustom, graph.ModeTasks}
	for event, err := range compiled.Stream(context.Background(), graph.Input[Talk]{}, graph.RunOptions{Modes: modes}) {
		if err != nil {
			panic(err)
		}
		switch e := event.(type) {
		case graph.StateEvent[Talk]:
			fmt.Println("state", e.State.Words)
		case graph.UpdateEvent[Talk]:
			fmt.Println("update", e.Node, string(must(e.Update.MarshalJSON())))
		case graph.MessageEvent:
			fmt.Println("message", e.Node, e.Message)
		case graph.CustomEvent:
			fmt.Println("custom", e.Node, e.Value)
		case graph.TaskEvent:
			fmt.Println("task", e.Node, "ended:", e.Ended)
		case graph.ResultEvent[Talk]:
			fmt.Println("result", e.Result.State.Words)
		}
	}
	// Output:
	// state []
	// task hello ended: false
	// custom hello thinking
	// message hello hel
	// message hello lo
	// task hello ended: true
	// update hello {"count":1,"words":["hello"]}
	// state [hello]
	// result [hello]
}

// Compile reports everything that is wrong with a graph at once.
func ExampleStateGraph_Compile() {
	g := graph.New(talk)
	g.AddNode("a", say("a"))
	g.AddNode("a", say("a"))
	g.AddNode("island", say("island"))
	g.AddEdge(graph.Start, "b")
	_, err := g.Compile(graph.Options{})
	fmt.Println(errors.Is(err, fault.ErrInvalid))
	fmt.Println(err)
	// Output:
	// true
	// compile graph: invalid:
	// node "a" is added twice
	// __start__ leads to "b", which is no node
	// node "a" can't be reached from __start__
	// node "a" leads nowhere: add an edge to another node or to __end__
	// node "island" can't be reached from __start__
	// node "island" leads nowhere: add an edge to another node or to __end__
}

// A graph draws itself; dashed edges are decided while it runs.
func ExampleDrawing_Mermaid() {
	fmt.Print(asking(mem.New()).Drawing().Mermaid())
	// Output:
	// flowchart TD
	//   n_start([start])
	//   n_ask["ask"]
	//   n_end([end])
	//   n_start --> n_ask
	//   n_ask --> n_end
}

// The same for Graphviz.
func ExampleDrawing_DOT() {
	fmt.Print(asking(mem.New()).Drawing().DOT())
	// Output:
	// digraph "graph" {
	//   "__start__" [label="start", shape=oval];
	//   "ask" [label="ask", shape=box];
	//   "__end__" [label="end", shape=oval];
	//   "__start__" -> "ask" [];
	//   "ask" -> "__end__" [];
	// }
}

// A channel with a reducer of its own: the largest value wins.
func ExampleReduce() {
	type Game struct{ Best int }
	schema := graph.NewSchema[Game]()
	larger := func(a, b int) int { return max(a, b) }
	best := graph.Reduce(schema, "best", func(s *Game) *int { return &s.Best }, graph.Reducer[int, int]{Reduce: larger, Combine: larger})
	g := graph.New(schema)
	for _, score := range []int{3, 9, 5} {
		name := fmt.Sprint("player", score)
		g.AddNode(name, func(context.Context, Game) (graph.Command[Game], error) {
			return graph.Command[Game]{Update: graph.Update[Game]{best.Write(score)}}, nil
		})
		g.AddEdge(graph.Start, name)
		g.AddEdge(name, graph.End)
	}
	result := must(must(g.Compile(graph.Options{})).Invoke(context.Background(), graph.Input[Game]{}, graph.RunOptions{}))
	fmt.Println(result.State.Best)
	// Output: 9
}

// Items with ids are replaced, added and removed.
func ExampleMergeByID() {
	type Note struct{ ID, Text string }
	reducer := graph.MergeReducer(func(n Note) string { return n.ID })
	notes := reducer.Reduce(nil, graph.Merge[Note]{Put: []Note{{"a", "one"}, {"b", "two"}}})
	notes = reducer.Reduce(notes, graph.Merge[Note]{Put: []Note{{"a", "uno"}, {"c", "three"}}, Remove: []string{"b"}})
	fmt.Println(notes, slices.IsSortedFunc(notes, func(x, y Note) int { return strings.Compare(x.ID, y.ID) }))
	// Output: [{a uno} {c three}] true
}

// What a run is about but does not remember is its context, which nodes read with its type.
func ExampleRunContext() {
	type visitor struct{ Name string }
	g := graph.New(talk)
	g.AddNode("greet", func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
		who, _ := graph.RunContext[visitor](ctx)
		here := graph.RuntimeOf(ctx)
		said := fmt.Sprintf("hello %s, this is step %d of %s, %d more may follow", who.Name, here.Step, here.RunID, here.RemainingSteps)
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{said})}}, nil
	})
	g.AddEdge(graph.Start, "greet")
	g.AddEdge("greet", graph.End)
	compiled := must(g.Compile(graph.Options{RecursionLimit: 5}))

	opts := graph.RunOptions{RunID: "run-1", Context: visitor{Name: "you"}}
	fmt.Println(must(compiled.Invoke(context.Background(), graph.Input[Talk]{}, opts)).State.Words[0])
	// Output: hello you, this is step 1 of run-1, 4 more may follow
}

// A channel of which each value is kept once.
func ExampleSet() {
	type Tags struct{ Names []string }
	schema := graph.NewSchema[Tags]()
	names := graph.Set(schema, "names", func(s *Tags) *[]string { return &s.Names })
	g := graph.New(schema)
	g.AddNode("tag", func(context.Context, Tags) (graph.Command[Tags], error) {
		return graph.Command[Tags]{Update: graph.Update[Tags]{names.Write([]string{"go", "ai"}), names.Write([]string{"web", "go"})}}, nil
	})
	g.AddEdge(graph.Start, "tag")
	g.AddEdge("tag", graph.End)
	result := must(must(g.Compile(graph.Options{})).Invoke(context.Background(), graph.Input[Tags]{}, graph.RunOptions{}))
	fmt.Println(result.State.Names)
	// Output: [go ai web]
}

// A stream of a graph in a graph: the events of the inner one have a namespace, the path of the task that it runs in.
func ExampleRunOptions_subgraphs() {
	inner := graph.New(talk)
	inner.AddNode("think", say("thought"))
	inner.AddEdge(graph.Start, "think")
	inner.AddEdge("think", graph.End)
	g := graph.New(talk)
	graph.AddSubgraph(g, "research", must(inner.Compile(graph.Options{})),
		func(s Talk) graph.Update[Talk] { return graph.Update[Talk]{question.Write(s.Question)} },
		func(_, s Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write(s.Words)} })
	g.AddEdge(graph.Start, "research")
	g.AddEdge("research", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	opts := graph.RunOptions{Modes: []graph.Mode{graph.ModeUpdates}, Subgraphs: true}
	for event, err := range compiled.Stream(context.Background(), graph.Input[Talk]{}, opts) {
		if err != nil {
			panic(err)
		}
		at := event.From()
		inside, _, _ := strings.Cut(at.Namespace, ":") // an id follows, for the task may run more than once
		fmt.Printf("%q %s %s\n", inside, event.Mode(), at.Node)
	}
	// Output:
	// "research" updates think
	// "" updates research
	// "" result
}

// A node of a subgraph can give the graph around it a command, and so leave in the middle: what follows is what the command names.
func ExampleToParent() {
	inner := graph.New(talk)
	inner.AddNode("triage", func(context.Context, Talk) (graph.Command[Talk], error) {
		command := graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{"this is for a person"})}, Goto: "staff"}
		return graph.Command[Talk]{Parent: graph.ToParent(command)}, nil
	})
	inner.AddNode("answer", say("42"))
	inner.AddEdge(graph.Start, "triage")
	inner.AddEdge("triage", "answer")
	inner.AddEdge("answer", graph.End)

	g := graph.New(talk)
	graph.AddSubgraph(g, "assistant", must(inner.Compile(graph.Options{})),
		func(Talk) graph.Update[Talk] { return nil },
		func(_, s Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write(s.Words)} },
		graph.NodeOptions{Destinations: []string{"staff"}})
	g.AddNode("staff", say("staff is on the way"))
	g.AddEdge(graph.Start, "assistant")
	g.AddEdge("assistant", graph.End)
	g.AddEdge("staff", graph.End)
	compiled := must(g.Compile(graph.Options{}))
	for _, word := range must(compiled.Invoke(context.Background(), graph.Input[Talk]{}, graph.RunOptions{})).State.Words {
		fmt.Println(word)
	}
	// Output:
	// this is for a person
	// staff is on the way
}
