package graph_test

import (
	"context"
	"errors"
	"fmt"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

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
	})
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

// A thread remembers: every superstep leaves a checkpoint, a run can start from any of them, and the state can be updated from outside.
func ExampleGraph_History() {
	ctx := context.Background()
	g := graph.New(talk)
	g.AddNode("hello", say("hello"))
	g.AddNode("world", say("world"))
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

// Several questions may be open at once. Each is answered by its id, in any order; a node runs again once it has its answer, and what had
// finished beside it does not.
func ExampleAnswer() {
	ctx := context.Background()
	g := graph.New(talk)
	for _, what := range []string{"day", "room"} {
		g.AddNode(what, func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
			var reply string
			if answered, err := graph.Answer(ctx, 0, &reply); err != nil || !answered {
				return graph.Command[Talk]{Interrupt: &graph.Interrupt{Question: "Which " + what + "?"}}, err
			}
			return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{what + " " + reply})}}, nil
		})
		g.AddEdge(graph.Start, what)
		g.AddEdge(what, graph.End)
	}
	compiled := must(g.Compile(graph.Options{Checkpointer: mem.New()}))
	opts := graph.RunOptions{ThreadID: "t"}

	open := must(compiled.Invoke(ctx, graph.Input[Talk]{}, opts)).Interrupts
	fmt.Println(open[0].Question, open[1].Question)
	result := must(compiled.Invoke(ctx, graph.Input[Talk]{Resume: map[string]any{open[1].ID: "A"}}, opts))
	fmt.Println(result.State.Words, "still open:", result.Interrupts[0].Question)
	result = must(compiled.Invoke(ctx, graph.Input[Talk]{Resume: map[string]any{open[0].ID: "Friday"}}, opts))
	fmt.Println(result.State.Words)
	// Output:
	// Which day? Which room?
	// [] still open: Which day?
	// [day Friday room A]
}

// hello is a graph that says hello, then world.
func hello(opts graph.Options) *graph.Graph[Talk] {
	g := graph.New(talk)
	g.AddNode("hello", say("hello"))
	g.AddNode("world", say("world"))
	g.AddEdge(graph.Start, "hello")
	g.AddEdge("hello", "world")
	g.AddEdge("world", graph.End)
	return must(g.Compile(opts))
}

// A run can pause before or after named nodes, for whoever wants to look. An empty input goes on.
func ExampleOptions_pause() {
	ctx := context.Background()
	g := hello(graph.Options{Checkpointer: mem.New(), InterruptBefore: []string{"world"}})
	opts := graph.RunOptions{ThreadID: "t"}

	result := must(g.Invoke(ctx, graph.Input[Talk]{}, opts))
	fmt.Println(result.State.Words, "next", result.Next)
	result = must(g.Invoke(ctx, graph.Input[Talk]{}, opts))
	fmt.Println(result.State.Words, "next", result.Next)
	// Output:
	// [hello] next [world]
	// [hello world] next []
}

// Durability says how much a crash may cost: with sync and async there is a checkpoint of the input and of every superstep, with exit one of all of it.
func ExampleDurability() {
	ctx := context.Background()
	for _, durability := range []graph.Durability{graph.DurabilitySync, graph.DurabilityAsync, graph.DurabilityExit} {
		g := hello(graph.Options{Checkpointer: mem.New(), Durability: durability})
		must(g.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"}))
		checkpoints := 0
		for _, err := range g.History(ctx, "t", graph.HistoryOptions{}) {
			if err != nil {
				panic(err)
			}
			checkpoints++
		}
		fmt.Println(durability, checkpoints)
	}
	// Output:
	// sync 3
	// async 3
	// exit 1
}

// What only one run is about need not be remembered: an ephemeral channel is in the run's result, and empty when the next one begins.
func ExampleEphemeral() {
	type Desk struct {
		Utterance string
		Heard     int
	}
	schema := graph.NewSchema[Desk]()
	utterance := graph.Ephemeral(schema, "utterance", func(s *Desk) *string { return &s.Utterance })
	heard := graph.Sum(schema, "heard", func(s *Desk) *int { return &s.Heard })
	g := graph.New(schema)
	g.AddNode("listen", func(context.Context, Desk) (graph.Command[Desk], error) {
		return graph.Command[Desk]{Update: graph.Update[Desk]{heard.Write(1)}}, nil
	})
	g.AddEdge(graph.Start, "listen")
	g.AddEdge("listen", graph.End)
	compiled := must(g.Compile(graph.Options{Checkpointer: mem.New()}))

	ctx := context.Background()
	input := graph.Input[Desk]{Update: graph.Update[Desk]{utterance.Write("Where is room A?")}}
	fmt.Printf("%+v\n", must(compiled.Invoke(ctx, input, graph.RunOptions{ThreadID: "t"})).State)
	fmt.Printf("%+v\n", must(compiled.State(ctx, "t", 0)).State)
	// Output:
	// {Utterance:Where is room A? Heard:1}
	// {Utterance: Heard:1}
}

// An update from outside, as if a node had made it, decides what runs next. Made to an older checkpoint it is a fork: both ways stay in the history.
func ExampleGraph_UpdateState() {
	ctx := context.Background()
	g := hello(graph.Options{Checkpointer: mem.New()})
	must(g.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"}))

	forked := must(g.UpdateState(ctx, "t", 1, graph.Update[Talk]{words.Write([]string{"goodbye"})}, "hello"))
	result := must(g.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t", Checkpoint: forked}))
	fmt.Println(result.State.Words)
	fmt.Println(must(g.State(ctx, "t", 3)).State.Words)
	// Output:
	// [goodbye world]
	// [hello world]
}

// A copy of a thread has its checkpoints and its open questions; from then on each goes its own way.
func ExampleGraph_Copy() {
	ctx := context.Background()
	g := asking(mem.New())
	interrupt := must(g.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})).Interrupts[0]
	if err := g.Copy(ctx, "t", "what if"); err != nil {
		panic(err)
	}
	for thread, reply := range map[string]string{"t": "15:00", "what if": "16:00"} {
		must(g.Invoke(ctx, graph.Input[Talk]{Resume: map[string]any{interrupt.ID: reply}}, graph.RunOptions{ThreadID: thread}))
	}
	fmt.Println(must(g.State(ctx, "t", 0)).State.Words, must(g.State(ctx, "what if", 0)).State.Words)
	// Output: [booked at 15:00] [booked at 16:00]
}

// A thread that goes on for long can forget how it came to where it is. What is open stays open.
func ExampleGraph_KeepLatest() {
	ctx := context.Background()
	g := asking(mem.New())
	opts := graph.RunOptions{ThreadID: "t"}
	for _, turn := range []string{"first", "second"} {
		must(g.Invoke(ctx, graph.Input[Talk]{Update: graph.Update[Talk]{question.Write(turn)}}, opts))
	}
	if err := g.KeepLatest(ctx, "t"); err != nil {
		panic(err)
	}
	for c, err := range g.History(ctx, "t", graph.HistoryOptions{}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(c.ID, c.State.Question, "waits for:", c.Interrupts[0].Question)
	}
	fmt.Println(must(g.Invoke(ctx, graph.Input[Talk]{Resume: map[string]any{"": "15:00"}}, opts)).State.Words)
	// Output:
	// 2 second waits for: What time?
	// [booked at 15:00]
}

// A graph that would misread what an older one wrote has a higher version, and makes the older records its own: here a channel had another name.
func ExampleOptions_migrate() {
	ctx := context.Background()
	store := mem.New()
	opts := graph.RunOptions{ThreadID: "t"}

	type Old struct{ Text []string }
	old := graph.NewSchema[Old]()
	texts := graph.Append(old, "texts", func(s *Old) *[]string { return &s.Text })
	g := graph.New(old)
	g.AddNode("write", func(context.Context, Old) (graph.Command[Old], error) {
		return graph.Command[Old]{Update: graph.Update[Old]{texts.Write([]string{"long ago"})}}, nil
	})
	g.AddEdge(graph.Start, "write")
	g.AddEdge("write", graph.End)
	must(must(g.Compile(graph.Options{Checkpointer: store})).Invoke(ctx, graph.Input[Old]{}, opts))

	_, err := hello(graph.Options{Checkpointer: store, Version: 2}).State(ctx, "t", 0)
	fmt.Println(err)
	migrate := func(r graph.Record) (graph.Record, error) {
		for i := range r.Writes {
			if r.Writes[i].Channel == "texts" {
				r.Writes[i].Channel = "words"
			}
		}
		return r, nil
	}
	compiled := hello(graph.Options{Checkpointer: store, Version: 2, Migrate: migrate})
	fmt.Println(must(compiled.State(ctx, "t", 0)).State.Words)
	// Output:
	// state: checkpoint 2 was written by graph; this is graph@2, and no migration is registered: invalid
	// [long ago]
}
