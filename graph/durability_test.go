package graph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

// records counts the records that a store has of a thread.
func records(t *testing.T, store graph.Checkpointer, thread string) int {
	t.Helper()
	list, err := store.List(t.Context(), thread, "", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func TestExitWritesOnce(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		compiled := loop(t, 6, options)
		wanted := map[graph.Durability]int{graph.DurabilitySync: 7, graph.DurabilityAsync: 7, graph.DurabilityExit: 1}[options.Durability]
		invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
		want(t, "records after a run", records(t, options.Checkpointer, "t"), wanted)

		// A run that fails leaves where it came to, and goes on from there.
		broken := true
		g := graph.New(talk)
		g.AddNode("first", say("first"))
		g.AddNode("weak", sayUnless(func() bool { return broken }, "weak"))
		g.AddEdge(graph.Start, "first")
		g.AddEdge("first", "weak")
		g.AddEdge("weak", graph.End)
		weak := compile(t, g, options)
		if _, err := weak.Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{ThreadID: "u"}); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Invoke() = %v, want ErrUnavailable", err)
		}
		broken = false
		result := invoke(t, weak, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "u"})
		want(t, "words", result.State.Words, []string{"first", "weak"})
	})
}

// counting counts the loads of a store.
type counting struct {
	graph.Checkpointer

	loads atomic.Int32
}

func (c *counting) Load(ctx context.Context, thread, namespace string, id int64) ([]graph.Record, int64, error) {
	c.loads.Add(1)
	return c.Checkpointer.Load(ctx, thread, namespace, id)
}

func TestLiveThreadsAreNotLoaded(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		store := &counting{Checkpointer: options.Checkpointer}
		options.Checkpointer, options.LiveThreads = store, 1
		here, elsewhere := loop(t, 2, options), loop(t, 2, options)
		turn := func(g *graph.Graph[Talk], thread string, n int) {
			t.Helper()
			in := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write("again")}}
			result, err := g.Invoke(t.Context(), in, graph.RunOptions{ThreadID: thread})
			if err != nil {
				t.Fatalf("turn of %s = %v", thread, err)
			}
			want(t, "words of "+thread, len(result.State.Words), n)
		}
		turn(here, "t", 2)
		want(t, "loads of a new thread", store.loads.Load(), int32(1))
		turn(here, "t", 4)
		turn(here, "t", 6)
		want(t, "loads of a live thread", store.loads.Load(), int32(1))
		turn(elsewhere, "t", 8) // another process goes on with it
		turn(here, "t", 10)
		turn(here, "u", 2) // there is room for one
		turn(here, "t", 12)
		if err := here.Delete(t.Context(), "t"); err != nil {
			t.Fatal(err)
		}
		turn(here, "t", 2)
		turn(elsewhere, "t", 4) // what it kept of the thread was deleted
	})
}

func TestEphemeralIsNotKept(t *testing.T) {
	type Turn struct {
		Said  string
		Count int
	}
	schema := graph.NewSchema[Turn]()
	said := graph.Ephemeral(schema, "said", func(s *Turn) *string { return &s.Said })
	turns := graph.Sum(schema, "count", func(s *Turn) *int { return &s.Count })
	stores(t, func(t *testing.T, options graph.Options) {
		g := graph.New(schema)
		g.AddNode("ask", func(ctx context.Context, s Turn) (graph.Command[Turn], error) {
			var reply string
			if ok, err := graph.Answer(ctx, 0, &reply); s.Said == "ask me" && (err != nil || !ok) {
				return graph.Command[Turn]{Interrupt: &graph.Interrupt{Question: "?"}}, err
			}
			return graph.Command[Turn]{Update: graph.Update[Turn]{turns.Write(len(s.Said))}}, nil
		})
		g.AddEdge(graph.Start, "ask")
		g.AddEdge("ask", graph.End)
		options.LiveThreads = 1
		compiled, err := g.Compile(options)
		if err != nil {
			t.Fatal(err)
		}
		turn := func(in graph.Input[Turn], wanted Turn) {
			t.Helper()
			result, err := compiled.Invoke(t.Context(), in, graph.RunOptions{ThreadID: "t"})
			if err != nil {
				t.Fatal(err)
			}
			want(t, "state of the result", result.State, wanted)
		}
		say := func(words string) graph.Input[Turn] {
			return graph.Input[Turn]{Update: graph.Update[Turn]{said.Write(words)}}
		}
		turn(say("hello"), Turn{"hello", 5})
		c, err := compiled.State(t.Context(), "t", 0)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "kept state", c.State, Turn{"", 5})
		turn(graph.Input[Turn]{Update: graph.Update[Turn]{}}, Turn{"", 5})
		turn(say("ask me"), Turn{"ask me", 5}) // waits, and knows what was said
		turn(graph.Input[Turn]{Resume: map[string]any{"": "so"}}, Turn{"ask me", 11})
	})
}

func TestFailedRouteIsTakenAgain(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		broken := true
		g := graph.New(talk)
		long := strings.Repeat("x", 100<<10) // more than what makes a snapshot
		g.AddNode("talk", say(long))
		g.AddEdge(graph.Start, "talk")
		g.AddRoute("talk", func(context.Context, Talk) (graph.Next, error) {
			if broken {
				return graph.Next{}, fault.ErrUnavailable
			}
			return graph.To(graph.End), nil
		}, graph.Nodes(graph.End))
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t"}
		start := graph.Input[Talk]{Update: graph.Update[Talk]{words.Write([]string{long})}}
		if _, err := compiled.Invoke(t.Context(), start, opts); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Invoke() = %v, want ErrUnavailable", err)
		}
		broken = false
		result := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "words and count", []int{len(result.State.Words), result.State.Count}, []int{2, 1})
	})
}

func TestResumeOfWhatAnotherProcessAsked(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		var ran atomic.Int32
		build := func() *graph.Graph[Talk] {
			g := graph.New(talk)
			g.AddNode("ask", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
				if s.Question != "ask me" {
					return graph.Command[Talk]{}, nil
				}
				return asks("ask", 1, &ran)(ctx, s)
			})
			g.AddEdge(graph.Start, "ask")
			g.AddEdge("ask", graph.End)
			return compile(t, g, options)
		}
		say := func(words string) graph.Input[Talk] {
			return graph.Input[Talk]{Update: graph.Update[Talk]{question.Write(words)}}
		}
		here, elsewhere := build(), build()
		opts := graph.RunOptions{ThreadID: "t"}
		invoke(t, here, say("hello"), opts)
		invoke(t, elsewhere, say("ask me"), opts)
		result := invoke(t, here, graph.Input[Talk]{Resume: map[string]any{"": "!"}}, opts)
		want(t, "words", result.State.Words, []string{"ask!"})
	})
}

// slowStore holds back every record but the first until it is let go, and fails where it is told to.
type slowStore struct {
	graph.Checkpointer

	let  chan struct{}
	fail int64
}

func (s *slowStore) Put(ctx context.Context, thread string, r graph.Record) error {
	if r.ID > 1 {
		<-s.let
	}
	if r.ID == s.fail {
		return fmt.Errorf("disk full: %w", fault.ErrUnavailable)
	}
	return s.Checkpointer.Put(ctx, thread, r)
}

func TestAsyncIsOneStepBehind(t *testing.T) {
	store := &slowStore{Checkpointer: mem.New(), let: make(chan struct{}, 10)}
	ran := 0
	g := graph.New(talk)
	g.AddNode("step", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		switch ran++; ran {
		case 2: // the record of step 1 is still being written
			if n := records(t, store, "t"); n != 1 {
				t.Errorf("%d records when step 2 runs, want 1", n)
			}
			store.let <- struct{}{}
		case 3: // that of step 2 was not begun before that of step 1 was there
			if n := records(t, store, "t"); n != 2 {
				t.Errorf("%d records when step 3 runs, want 2", n)
			}
			close(store.let)
		}
		return say("x")(ctx, s)
	})
	g.AddEdge(graph.Start, "step")
	g.AddRoute("step", func(_ context.Context, s Talk) (graph.Next, error) {
		if s.Count < 4 {
			return graph.To("step"), nil
		}
		return graph.To(graph.End), nil
	}, graph.Nodes("step", graph.End))
	compiled := compile(t, g, graph.Options{Checkpointer: store, Durability: graph.DurabilityAsync})
	invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
	want(t, "records at the end", records(t, store, "t"), 5)
}

func TestAsyncFailureIsSaid(t *testing.T) {
	for fail := int64(1); fail <= 4; fail++ {
		store := &slowStore{Checkpointer: mem.New(), let: make(chan struct{}), fail: fail}
		close(store.let)
		compiled := loop(t, 3, graph.Options{Checkpointer: store, Durability: graph.DurabilityAsync})
		_, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
		if !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Invoke() with record %d failing = %v, want ErrUnavailable", fail, err)
		}
		want(t, fmt.Sprint("records before the failing ", fail), records(t, store, "t"), int(fail-1))
	}
}

func TestCheckpointAndDebugEvents(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		compiled := loop(t, 2, options)
		var got []string
		opts := graph.RunOptions{ThreadID: "t", Modes: []graph.Mode{graph.ModeCheckpoints, graph.ModeDebug}}
		for e, err := range compiled.Stream(t.Context(), graph.Input[Talk]{}, opts) {
			if err != nil {
				t.Fatal(err)
			}
			switch e := e.(type) {
			case graph.CheckpointEvent[Talk]:
				c := e.Checkpoint
				if exit := options.Durability == graph.DurabilityExit; exit != (c.ID == 0) {
					t.Errorf("checkpoint id = %d with durability %s", c.ID, options.Durability)
				}
				got = append(got, fmt.Sprint(c.Source, " ", len(c.State.Words), c.Next))
			case graph.TaskEvent:
				got = append(got, fmt.Sprint(e.Node, " ", e.Ended))
			}
		}
		want(t, "events", got, []string{
			"input 0 [ping]", "ping false", "ping true", "loop 1 [pong]", "pong false", "pong true", "loop 2 []",
		})
	})
}

func TestVersions(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		var ran atomic.Int32
		build := func(node string, version int, migrate func(graph.Record) (graph.Record, error)) *graph.Graph[Talk] {
			g := graph.New(talk)
			g.AddNode(node, asks(node, 1, &ran))
			g.AddEdge(graph.Start, node)
			g.AddEdge(node, graph.End)
			options.Version, options.Migrate = version, migrate
			return compile(t, g, options)
		}
		opts := graph.RunOptions{ThreadID: "t"}
		invoke(t, build("ask", 0, nil), graph.Input[Talk]{Update: graph.Update[Talk]{question.Write("when?")}}, opts)
		resume := graph.Input[Talk]{Resume: map[string]any{"": "!"}}

		_, err := build("inquire", 2, nil).Invoke(t.Context(), resume, opts)
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "graph@2") {
			t.Errorf("Invoke() of version 2 = %v, want ErrInvalid that names the versions", err)
		}
		renamed := build("inquire", 2, func(r graph.Record) (graph.Record, error) {
			if r.Graph != "graph" {
				return r, fault.ErrInvalid
			}
			for i := range r.Tasks {
				r.Tasks[i].Node = "inquire"
			}
			return r, nil
		})
		result := invoke(t, renamed, resume, opts)
		want(t, "state after a migration", fmt.Sprint(result.State.Question, result.State.Words), "when?[inquire!]")
	})
}

// A run may say itself when its checkpoints are written, in one of the three ways.
func TestDurabilityOfARun(t *testing.T) {
	options := graph.Options{Checkpointer: mem.New()}
	compiled := loop(t, 6, options)
	invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t", Durability: graph.DurabilityExit})
	want(t, "records of a run that writes at its end", records(t, options.Checkpointer, "t"), 1)
	invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "u"})
	want(t, "records of another of the same graph", records(t, options.Checkpointer, "u"), 7)
	_, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{Durability: "later"})
	if !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Invoke with a durability that there is not = %v, want ErrInvalid", err)
	}
}
