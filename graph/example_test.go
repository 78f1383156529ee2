package graph_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"annai/graph"
	"annai/internal/fault"
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
	g.AddNode("hello", say("hello"), graph.NodeOptions{})
	g.AddNode("world", say("world"), graph.NodeOptions{})
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
	g.AddNode("again", say("."), graph.NodeOptions{})
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
		g.AddNode(name, say(name), graph.NodeOptions{})
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
	g.AddNode("plan", say("plan"), graph.NodeOptions{})
	graph.AddInputNode(g, "work", func(_ context.Context, n int) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{fmt.Sprint(n * n)})}}, nil
	}, graph.NodeOptions{})
	g.AddNode("join", say("join"), graph.NodeOptions{})
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
	g.AddNode("tea", say("green tea"), graph.NodeOptions{})
	g.AddNode("coffee", say("espresso"), graph.NodeOptions{})
	g.AddEdge(graph.Start, "choose")
	g.AddEdge("tea", graph.End)
	g.AddEdge("coffee", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	input := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write("tea")}}
	result := must(compiled.Invoke(context.Background(), input, graph.RunOptions{}))
	fmt.Println(result.State.Words)
	// Output: [green tea]
}

// asking returns a graph that books a room once a person has said when.
func asking(checkpointer graph.Checkpointer) *graph.Graph[Talk] {
	g := graph.New(talk)
	g.AddNode("ask", func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
		var reply string
		answered, err := graph.Answer(ctx, 0, &reply)
		if err != nil {
			return graph.Command[Talk]{}, err
		}
		if !answered {
			return graph.Command[Talk]{Interrupt: &graph.Interrupt{Question: "What time?"}}, nil
		}
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{"booked at " + reply})}}, nil
	}, graph.NodeOptions{})
	g.AddEdge(graph.Start, "ask")
	g.AddEdge("ask", graph.End)
	return must(g.Compile(graph.Options{Checkpointer: checkpointer}))
}

// An interrupt is a question to a person. The run ends, the thread waits, and goes on when the answer comes.
func ExampleInterrupt() {
	ctx := context.Background()
	g := asking(mem.New())
	opts := graph.RunOptions{ThreadID: "room A"}

	result := must(g.Invoke(ctx, graph.Input[Talk]{}, opts))
	interrupt := result.Interrupts[0]
	fmt.Println(interrupt.Node, "asks:", interrupt.Question)

	resume := graph.Input[Talk]{Resume: map[string]any{interrupt.ID: "15:00"}}
	result = must(g.Invoke(ctx, resume, opts))
	fmt.Println(result.State.Words, len(result.Interrupts))
	// Output:
	// ask asks: What time?
	// [booked at 15:00] 0
}

// A graph can be a node of another, with a state of its own.
func ExampleAddSubgraph() {
	type Letter struct{ Text string }
	letter := graph.NewSchema[Letter]()
	text := graph.Last(letter, "text", func(s *Letter) *string { return &s.Text })
	inner := graph.New(letter)
	inner.AddNode("shout", func(_ context.Context, s Letter) (graph.Command[Letter], error) {
		return graph.Command[Letter]{Update: graph.Update[Letter]{text.Write(strings.ToUpper(s.Text))}}, nil
	}, graph.NodeOptions{})
	inner.AddEdge(graph.Start, "shout")
	inner.AddEdge("shout", graph.End)

	g := graph.New(talk)
	graph.AddSubgraph(g, "write", must(inner.Compile(graph.Options{Name: "letter"})),
		func(s Talk) graph.Update[Letter] { return graph.Update[Letter]{text.Write(s.Question)} },
		func(_ Talk, l Letter) graph.Update[Talk] { return graph.Update[Talk]{words.Write([]string{l.Text})} },
		graph.NodeOptions{})
	g.AddEdge(graph.Start, "write")
	g.AddEdge("write", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	input := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write("who?")}}
	result := must(compiled.Invoke(context.Background(), input, graph.RunOptions{}))
	fmt.Println(result.State.Words)
	// Output: [WHO?]
}

// A thread remembers: every superstep leaves a checkpoint, a run can start from any of them, and the state can be updated from outside.
func ExampleGraph_History() {
	ctx := context.Background()
	g := graph.New(talk)
	g.AddNode("hello", say("hello"), graph.NodeOptions{})
	g.AddNode("world", say("world"), graph.NodeOptions{})
	g.AddEdge(graph.Start, "hello")
	g.AddEdge("hello", "world")
	g.AddEdge("world", graph.End)
	compiled := must(g.Compile(graph.Options{Checkpointer: mem.New()}))
	opts := graph.RunOptions{ThreadID: "t"}
	must(compiled.Invoke(ctx, graph.Input[Talk]{}, opts))

	// A fork: from the checkpoint after "hello", with another word in between.
	forked := must(compiled.UpdateState(ctx, "t", 2, graph.Update[Talk]{words.Write([]string{"brave", "new"})}, "hello"))
	opts.Checkpoint = forked
	must(compiled.Invoke(ctx, graph.Input[Talk]{}, opts))

	for c, err := range compiled.History(ctx, "t", graph.HistoryOptions{}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(c.ID, "after", c.Parent, c.Source, c.State.Words, "next", c.Next)
	}
	// Output:
	// 5 after 4 loop [hello brave new world] next []
	// 4 after 2 update [hello brave new] next [world]
	// 3 after 2 loop [hello world] next []
	// 2 after 1 loop [hello] next [world]
	// 1 after 0 input [] next [hello]
}

// A stream yields what happens, in the modes that were asked for.
func ExampleGraph_Stream() {
	g := graph.New(talk)
	g.AddNode("hello", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		graph.WriteCustom(ctx, "thinking")
		graph.WriteMessage(ctx, "hel")
		graph.WriteMessage(ctx, "lo")
		return say("hello")(ctx, s)
	}, graph.NodeOptions{})
	g.AddEdge(graph.Start, "hello")
	g.AddEdge("hello", graph.End)
	compiled := must(g.Compile(graph.Options{}))

	modes := []graph.Mode{graph.ModeValues, graph.ModeUpdates, graph.ModeMessages, graph.ModeCustom, graph.ModeTasks}
	for event, err := range compiled.Stream(context.Background(), graph.Input[Talk]{}, graph.RunOptions{Modes: modes}) {
		if err != nil {
			panic(err)
		}
		switch v := event.Value.(type) {
		case Talk:
			fmt.Println(event.Mode, v.Words)
		case graph.Update[Talk]:
			fmt.Println(event.Mode, event.Node, string(must(v.MarshalJSON())))
		case graph.TaskEvent:
			fmt.Println(event.Mode, v.Node, "ended:", v.Ended)
		case graph.Result[Talk]:
			fmt.Println(event.Mode, v.State.Words)
		default:
			fmt.Println(event.Mode, event.Node, v)
		}
	}
	// Output:
	// values []
	// tasks hello ended: false
	// custom hello thinking
	// messages hello hel
	// messages hello lo
	// tasks hello ended: true
	// updates hello {"count":1,"words":["hello"]}
	// values [hello]
	// result [hello]
}

// Compile reports everything that is wrong with a graph at once.
func ExampleStateGraph_Compile() {
	g := graph.New(talk)
	g.AddNode("a", say("a"), graph.NodeOptions{})
	g.AddNode("a", say("a"), graph.NodeOptions{})
	g.AddNode("island", say("island"), graph.NodeOptions{})
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
		}, graph.NodeOptions{})
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
	}, graph.NodeOptions{})
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
	}, graph.NodeOptions{})
	g.AddEdge(graph.Start, "tag")
	g.AddEdge("tag", graph.End)
	result := must(must(g.Compile(graph.Options{})).Invoke(context.Background(), graph.Input[Tags]{}, graph.RunOptions{}))
	fmt.Println(result.State.Names)
	// Output: [go ai web]
}

// The state of a thread can be looked at, and the thread forgotten.
func ExampleGraph_State() {
	ctx := context.Background()
	g := asking(mem.New())
	must(g.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"}))
	checkpoint := must(g.State(ctx, "t", 0))
	fmt.Println(checkpoint.Next, checkpoint.Interrupts[0].Question)

	fmt.Println(g.Delete(ctx, "t"))
	_, err := g.State(ctx, "t", 0)
	fmt.Println(errors.Is(err, fault.ErrNotFound))
	// Output:
	// [ask] What time?
	// <nil>
	// true
}
