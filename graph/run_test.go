package graph_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/graph"
	"annai/graph/graphtest"
	"annai/storage/mem"
	"annai/storage/sqlite"
)

// stores are the ways to remember that whole runs are tried with.
func stores(t *testing.T, check func(t *testing.T, opts graph.Options)) {
	t.Helper()
	for _, durability := range []graph.Durability{graph.DurabilitySync, graph.DurabilityAsync, graph.DurabilityExit} {
		t.Run("mem "+string(durability), func(t *testing.T) {
			check(t, graph.Options{Checkpointer: mem.New(), Durability: durability})
		})
		t.Run("sqlite "+string(durability), func(t *testing.T) {
			s, err := sqlite.Open(t.Context(), t.TempDir()+"/t.db", sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			check(t, graph.Options{Checkpointer: s, Durability: durability})
		})
	}
}

// side adds nodes that are all ready at once, and lead to the end.
func side(g *graph.StateGraph[Talk], nodes map[string]graph.Node[Talk]) {
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		g.AddNode(name, nodes[name])
		g.AddEdge(graph.Start, name)
		g.AddEdge(name, graph.End)
	}
}

func with(opts graph.Options, change func(*graph.Options)) graph.Options {
	change(&opts)
	return opts
}

func compile(t *testing.T, g *graph.StateGraph[Talk], opts graph.Options) *graph.Graph[Talk] {
	t.Helper()
	compiled, err := g.Compile(opts)
	if err != nil {
		t.Fatalf("Compile() = %v", err)
	}
	return compiled
}

// sayUnless is a node that fails, or adds a word.
func sayUnless(fails func() bool, word string) graph.Node[Talk] {
	return func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		if fails() {
			return graph.Command[Talk]{}, fault.ErrUnavailable
		}
		return say(word)(ctx, s)
	}
}

func invoke(t *testing.T, g *graph.Graph[Talk], in graph.Input[Talk], opts graph.RunOptions) graph.Result[Talk] {
	t.Helper()
	result, err := g.Invoke(t.Context(), in, opts)
	if err != nil {
		t.Fatalf("Invoke(%v) = %v", in, err)
	}
	return result
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestReducerLaws(t *testing.T) {
	letters := func(r *rand.Rand) []string {
		out := make([]string, r.IntN(5))
		for i := range out {
			out[i] = string(rune('a' + r.IntN(5)))
		}
		return out
	}
	type item struct{ ID, Text string }
	reducer := graph.MergeReducer(func(i item) string { return i.ID })
	items := func(r *rand.Rand) (out []item) {
		for _, id := range letters(r) {
			out = append(out, item{ID: id, Text: fmt.Sprint(r.IntN(100))})
		}
		return out
	}
	// A channel never holds an id twice: a value is what the reducer made of something.
	list := func(r *rand.Rand) []item { return reducer.Reduce(nil, graph.Merge[item]{Put: items(r)}) }
	t.Run("set", func(t *testing.T) { graphtest.CheckReducer(t, graph.SetReducer[string](), letters, letters) })
	t.Run("merge", func(t *testing.T) {
		graphtest.CheckReducer(t, reducer, list, func(r *rand.Rand) graph.Merge[item] {
			return graph.Merge[item]{Overwrite: r.IntN(8) == 0, Remove: letters(r), Put: items(r)}
		})
	})
}

func TestTwoWritersOfLast(t *testing.T) {
	write := func(context.Context, Talk) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Update: graph.Update[Talk]{question.Write("mine")}}, nil
	}
	g := graph.New(talk)
	side(g, map[string]graph.Node[Talk]{"a": write, "b": write})
	_, err := compile(t, g, graph.Options{}).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{})
	if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "question") {
		t.Errorf("Invoke() = %v, want ErrInvalid that names the channel", err)
	}
}

func TestUpdateOrderIsTaskOrder(t *testing.T) {
	for _, concurrency := range []int{1, 2, 16} {
		synctest.Test(t, func(t *testing.T) {
			g := graph.New(talk)
			nodes := map[string]graph.Node[Talk]{}
			for i, name := range []string{"a", "b", "c", "d"} {
				nodes[name] = func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
					time.Sleep(time.Duration(10-i) * time.Second) // the first finishes last
					return say(name)(ctx, s)
				}
			}
			side(g, nodes)
			result := invoke(t, compile(t, g, graph.Options{MaxConcurrency: concurrency}), graph.Input[Talk]{}, graph.RunOptions{})
			want(t, fmt.Sprint("words with concurrency ", concurrency), result.State.Words, []string{"a", "b", "c", "d"})
		})
	}
}

func TestFailureKeepsFinishedSiblings(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		var ran [2]atomic.Int32
		broken := true
		g := graph.New(talk)
		side(g, map[string]graph.Node[Talk]{
			"good": func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
				ran[0].Add(1)
				return say("good")(ctx, s)
			},
			"weak": func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
				ran[1].Add(1)
				if broken {
					return graph.Command[Talk]{}, fmt.Errorf("no luck: %w", fault.ErrUnavailable)
				}
				return say("weak")(ctx, s)
			},
		})
		compiled := compile(t, g, with(options, func(o *graph.Options) { o.MaxConcurrency = 1 }))
		opts := graph.RunOptions{ThreadID: "t"}
		_, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, opts)
		if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), "node weak") {
			t.Fatalf("Invoke() = %v, want ErrUnavailable of node weak", err)
		}
		broken = false
		result := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "words", result.State.Words, []string{"good", "weak"})
		want(t, "runs of good and weak", []int32{ran[0].Load(), ran[1].Load()}, []int32{1, 2})
	})
}

// asks is a node that asks for what it says.
func asks(name string, questions int, ran *atomic.Int32) graph.Node[Talk] {
	return func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
		ran.Add(1)
		said := []string{}
		for n := range questions {
			var reply string
			if ok, err := graph.Answer(ctx, n, &reply); err != nil || !ok {
				return graph.Command[Talk]{Interrupt: &graph.Interrupt{Question: fmt.Sprint(name, n, "?")}}, err
			}
			said = append(said, name+reply)
		}
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write(said)}}, nil
	}
}

func TestInterruptsOfSiblings(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		var ran [3]atomic.Int32
		g := graph.New(talk)
		side(g, map[string]graph.Node[Talk]{
			"a": asks("a", 2, &ran[0]), "b": asks("b", 1, &ran[1]), "c": asks("c", 0, &ran[2]),
		})
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t"}
		open := func(r graph.Result[Talk]) (questions []any) {
			for _, i := range r.Interrupts {
				questions = append(questions, i.Question)
			}
			return questions
		}
		first := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "open", open(first), []any{"a0?", "b0?"})
		again := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "the same interrupts when nothing was answered", again.Interrupts, first.Interrupts)

		if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{Resume: map[string]any{"": 1}}, opts); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Resume without id of two = %v, want ErrInvalid", err)
		}
		if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{Resume: map[string]any{"x": 1}}, opts); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Resume of x = %v, want ErrNotFound", err)
		}
		second := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{first.Interrupts[1].ID: "!"}}, opts)
		want(t, "open after b", open(second), []any{"a0?"})
		third := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{"": "1"}}, opts)
		want(t, "open after a0", open(third), []any{"a1?"})
		if third.Interrupts[0].ID == first.Interrupts[0].ID {
			t.Errorf("two questions of one task have the same id %s", third.Interrupts[0].ID)
		}
		last := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{"": "2"}}, opts)
		want(t, "words", last.State.Words, []string{"a1", "a2", "b!"})
		want(t, "open at the end", len(last.Interrupts)+len(last.Next), 0)
		want(t, "runs of a, b, c", []int32{ran[0].Load(), ran[1].Load(), ran[2].Load()}, []int32{3, 2, 1})
	})
}

func TestInterruptsOfSubgraph(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		var ran [2]atomic.Int32
		inner := graph.New(talk)
		side(inner, map[string]graph.Node[Talk]{"a": asks("a", 1, &ran[0]), "b": asks("b", 1, &ran[1])})
		g := graph.New(talk)
		graph.AddSubgraph(g, "inner", compile(t, inner, graph.Options{}),
			func(Talk) graph.Update[Talk] { return nil },
			func(_, s Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write(s.Words)} })
		g.AddEdge(graph.Start, "inner")
		g.AddEdge("inner", graph.End)
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t"}

		first := invoke(t, compiled, graph.Input[Talk]{}, opts)
		if len(first.Interrupts) != 2 || first.Interrupts[0].Node != "a" {
			t.Fatalf("interrupts = %v, want those of a and b", first.Interrupts)
		}
		half := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{first.Interrupts[1].ID: "2"}}, opts)
		want(t, "open after one answer", half.Interrupts, first.Interrupts[:1])
		last := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{first.Interrupts[0].ID: "1"}}, opts)
		want(t, "words", last.State.Words, []string{"a1", "b2"})
		want(t, "runs of a and b", []int32{ran[0].Load(), ran[1].Load()}, []int32{2, 2})
	})
}

func TestNewInputDropsOpenInterrupts(t *testing.T) {
	compiled := asking(mem.New())
	opts := graph.RunOptions{ThreadID: "t"}
	old := invoke(t, compiled, graph.Input[Talk]{}, opts).Interrupts[0]
	fresh := invoke(t, compiled, graph.Input[Talk]{Update: graph.Update[Talk]{question.Write("again")}}, opts).Interrupts[0]
	if old.ID == fresh.ID {
		t.Errorf("a new run asks under the old id %s", old.ID)
	}
	if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{Resume: map[string]any{old.ID: "x"}}, opts); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Resume of the dropped interrupt = %v, want ErrNotFound", err)
	}
}

func TestJoinAcrossRuns(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		var ran atomic.Int32
		g := graph.New(talk)
		g.AddNode("quick", say("quick"))
		g.AddNode("slow", say("slow"))
		g.AddNode("person", asks("person", 1, &ran))
		g.AddNode("end", say("end"))
		g.AddEdge(graph.Start, "quick")
		g.AddEdge(graph.Start, "slow")
		g.AddEdge("slow", "person")
		g.AddJoin([]string{"quick", "person"}, "end")
		g.AddEdge("end", graph.End)
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t"}
		first := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "next", first.Next, []string{"person"})
		last := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{"": "!"}}, opts)
		want(t, "words", last.State.Words, []string{"quick", "slow", "person!", "end"})
	})
}

func TestSendsSurviveCheckpoints(t *testing.T) {
	type job struct{ N int }
	stores(t, func(t *testing.T, options graph.Options) {
		g := graph.New(talk)
		g.AddNode("plan", func(context.Context, Talk) (graph.Command[Talk], error) {
			return graph.Command[Talk]{Sends: []graph.Send{{Node: "work", Input: job{1}}, {Node: "work", Input: job{2}}}}, nil
		}, graph.NodeOptions{Destinations: []string{"work"}})
		broken := true
		graph.AddInputNode(g, "work", func(_ context.Context, j job) (graph.Command[Talk], error) {
			if j.N == 2 && broken {
				return graph.Command[Talk]{}, fault.ErrUnavailable
			}
			return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{fmt.Sprint("work ", j.N)})}}, nil
		})
		g.AddEdge(graph.Start, "plan")
		g.AddEdge("work", graph.End)
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t"}
		if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, opts); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Invoke() = %v, want ErrUnavailable", err)
		}
		broken = false
		want(t, "words", invoke(t, compiled, graph.Input[Talk]{}, opts).State.Words, []string{"work 1", "work 2"})
	})
}

func TestWrongWishes(t *testing.T) {
	for name, c := range map[string]graph.Command[Talk]{
		"nowhere":               {Goto: "nowhere"},
		"input without send":    {Goto: "work"},
		"send nowhere":          {Sends: []graph.Send{{Node: "nowhere"}}},
		"send of another type":  {Sends: []graph.Send{{Node: "work", Input: "text"}}},
		"send without an input": {Sends: []graph.Send{{Node: "work"}}},
		"send to a state node":  {Sends: []graph.Send{{Node: "ask", Input: 1}}},
		"interrupt and more":    {Interrupt: &graph.Interrupt{}, Goto: "ask"},
		"no checkpointer":       {Interrupt: &graph.Interrupt{}},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph.New(talk)
			g.AddNode("ask", func(context.Context, Talk) (graph.Command[Talk], error) { return c, nil },
				graph.NodeOptions{Destinations: []string{"work"}})
			graph.AddInputNode(g, "work", func(context.Context, int) (graph.Command[Talk], error) {
				return graph.Command[Talk]{}, nil
			})
			g.AddEdge(graph.Start, "ask")
			g.AddEdge("work", graph.End)
			_, err := compile(t, g, graph.Options{}).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{})
			if !errors.Is(err, fault.ErrInvalid) {
				t.Errorf("Invoke() = %v, want ErrInvalid", err)
			}
		})
	}
}

// loop goes round until it said n words.
func loop(t *testing.T, n int, opts graph.Options) *graph.Graph[Talk] {
	t.Helper()
	g := graph.New(talk)
	g.AddNode("ping", say("ping"))
	g.AddNode("pong", say("pong"))
	g.AddEdge(graph.Start, "ping")
	g.AddEdge("ping", "pong")
	g.AddRoute("pong", func(_ context.Context, s Talk) (graph.Next, error) {
		if len(s.Words) >= n {
			return graph.To(graph.End), nil
		}
		return graph.To("ping"), nil
	}, graph.Nodes("ping", graph.End))
	return compile(t, g, opts)
}

func TestRecursionLimit(t *testing.T) {
	_, err := loop(t, 1000, graph.Options{}).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{})
	if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "25 supersteps") || !strings.Contains(err.Error(), "ping, pong") {
		t.Errorf("Invoke() = %v, want ErrInvalid that names the limit, ping and pong", err)
	}
	result := invoke(t, loop(t, 1000, graph.Options{}), graph.Input[Talk]{}, graph.RunOptions{RecursionLimit: 1000})
	want(t, "steps", result.Steps, 1000)
}

func TestPauses(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		compiled := loop(t, 4, with(options, func(o *graph.Options) {
			o.InterruptBefore, o.InterruptAfter = []string{"pong"}, []string{"ping"}
		}))
		opts := graph.RunOptions{ThreadID: "t"}
		var got []string
		for range 6 {
			r := invoke(t, compiled, graph.Input[Talk]{}, opts)
			got = append(got, fmt.Sprint(len(r.State.Words), r.Next))
			if len(r.Next) == 0 {
				break
			}
		}
		want(t, "words and next at each pause", got, []string{"1 [pong]", "3 [pong]", "4 []"})

		opts = graph.RunOptions{ThreadID: "u", InterruptBefore: []string{}, InterruptAfter: []string{"pong"}}
		r := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "words where the run says itself where it pauses", len(r.State.Words), 2)
		opts.InterruptBefore = []string{"nobody"}
		if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, opts); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Invoke that pauses at no node = %v, want ErrInvalid", err)
		}
	})
}

// A graph with another checkpointer has threads of its own.
func TestWithCheckpointer(t *testing.T) {
	options := graph.Options{Checkpointer: mem.New()}
	one := loop(t, 2, options)
	other := one.WithCheckpointer(mem.New())
	opts := graph.RunOptions{ThreadID: "t"}
	for range 2 {
		invoke(t, one, graph.Input[Talk]{Update: graph.Update[Talk]{}}, opts)
	}
	if _, err := other.State(t.Context(), "t", 0); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("State() in another place = %v, want ErrNotFound", err)
	}
	r := invoke(t, other, graph.Input[Talk]{Update: graph.Update[Talk]{}}, opts)
	want(t, "checkpoint of the first run there", r.Checkpoint, int64(3))
	r = invoke(t, one, graph.Input[Talk]{Update: graph.Update[Talk]{}}, opts)
	want(t, "checkpoint of the third run here", r.Checkpoint, int64(9))
	want(t, "records here", records(t, options.Checkpointer, "t") > 3, true)
}

func TestSnapshotsBoundWhatIsReplayed(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		options.Durability = graph.DurabilitySync // which writes a record for each of many steps
		g := graph.New(talk)
		long := strings.Repeat("長", 2000)
		g.AddNode("talk", say(long))
		g.AddEdge(graph.Start, "talk")
		g.AddRoute("talk", func(_ context.Context, s Talk) (graph.Next, error) {
			if s.Count >= 100 {
				return graph.To(graph.End), nil
			}
			return graph.To("talk"), nil
		}, graph.Nodes("talk", graph.End))
		compiled := compile(t, g, with(options, func(o *graph.Options) { o.RecursionLimit = 200 }))
		invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
		chain, _, err := options.Checkpointer.Load(t.Context(), "t", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		if oldest := chain[len(chain)-1]; !oldest.Snapshot || len(chain) > 60 {
			t.Errorf("the chain of 101 records has %d, from a snapshot: %v; want a snapshot and at most 60", len(chain), oldest.Snapshot)
		}
		for _, at := range []int64{0, 1, 11, 50} {
			c, err := compiled.State(t.Context(), "t", at)
			if err != nil {
				t.Fatal(err)
			}
			if at == 0 {
				at = 101
			}
			want(t, fmt.Sprint("words at ", at), len(c.State.Words), int(at-1))
		}
	})
}

func TestConcurrentRunsOfAThread(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		options.Durability = graph.DurabilitySync // which shows that the slow run has begun
		hold := make(chan struct{})
		g := graph.New(talk)
		g.AddNode("wait", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			if s.Question == "slow" {
				<-hold
			}
			return say(s.Question)(ctx, s)
		})
		g.AddEdge(graph.Start, "wait")
		g.AddEdge("wait", graph.End)
		compiled := compile(t, g, options)
		run := func(q string) error {
			in := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write(q)}}
			_, err := compiled.Invoke(context.Background(), in, graph.RunOptions{ThreadID: "t"})
			return err
		}
		slow := make(chan error)
		started := make(chan struct{})
		go func() {
			close(started)
			slow <- run("slow")
		}()
		<-started
		for {
			if c, err := compiled.State(t.Context(), "t", 0); err == nil && len(c.Next) > 0 {
				break
			}
		}
		if err := run("quick"); err != nil {
			t.Fatalf("the quick run = %v", err)
		}
		close(hold)
		if err := <-slow; !errors.Is(err, fault.ErrConflict) {
			t.Errorf("the slow run = %v, want ErrConflict", err)
		}
		c, err := compiled.State(t.Context(), "t", 0)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "words", c.State.Words, []string{"quick"})
	})
}

func TestPanicIsAnError(t *testing.T) {
	for _, siblings := range []int{0, 1} {
		g := graph.New(talk)
		nodes := map[string]graph.Node[Talk]{"bad": func(context.Context, Talk) (graph.Command[Talk], error) { panic("oh") }}
		for n := range siblings {
			nodes[fmt.Sprint("good", n)] = say("good")
		}
		side(g, nodes)
		_, err := compile(t, g, graph.Options{}).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{})
		var p *graph.PanicError
		if !errors.As(err, &p) || p.Node != "bad" || p.Value != "oh" || !strings.Contains(string(p.Stack), "run_test.go") {
			t.Errorf("Invoke() with %d siblings = %v, want the panic of node bad with its stack", siblings, err)
		}
	}
}

func TestCancellation(t *testing.T) {
	cause := errors.New("the visitor left")
	g := graph.New(talk)
	side(g, map[string]graph.Node[Talk]{
		"wait": func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
			<-ctx.Done()
			return graph.Command[Talk]{}, context.Cause(ctx)
		},
		"cancel": say("done"),
	})
	compiled := compile(t, g, graph.Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	go cancel(cause)
	if _, err := compiled.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{}); !errors.Is(err, cause) {
		t.Errorf("Invoke() = %v, want the cause of the cancellation", err)
	}
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := graph.New(talk)
		g.AddNode("wait", func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
			<-ctx.Done()
			return graph.Command[Talk]{}, ctx.Err()
		}, graph.NodeOptions{Timeout: time.Second})
		g.AddEdge(graph.Start, "wait")
		g.AddEdge("wait", graph.End)
		_, err := compile(t, g, graph.Options{}).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Invoke() = %v, want DeadlineExceeded", err)
		}
	})
}

func TestStreamOfSubgraphAndBreak(t *testing.T) {
	inner := graph.New(talk)
	side(inner, map[string]graph.Node[Talk]{
		"a": func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			graph.WriteCustom(ctx, "from a")
			return say("a")(ctx, s)
		},
		"b": say("b"),
	})
	g := graph.New(talk)
	graph.AddSubgraph(g, "inner", compile(t, inner, graph.Options{}),
		func(Talk) graph.Update[Talk] { return nil },
		func(_, s Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write(s.Words)} })
	g.AddNode("after", say("after"))
	g.AddEdge(graph.Start, "inner")
	g.AddEdge("inner", "after")
	g.AddEdge("after", graph.End)
	compiled := compile(t, g, graph.Options{})
	all := []graph.Mode{graph.ModeValues, graph.ModeUpdates, graph.ModeMessages, graph.ModeCustom, graph.ModeTasks}
	for _, modes := range [][]graph.Mode{{graph.ModeUpdates}, {graph.ModeUpdates, graph.ModeCustom}, all} {
		for _, subgraphs := range []bool{false, true} {
			var got []string
			opts := graph.RunOptions{Modes: modes, Subgraphs: subgraphs}
			for e, err := range compiled.Stream(t.Context(), graph.Input[Talk]{}, opts) {
				if err != nil {
					t.Fatal(err)
				}
				if e, ok := e.(graph.UpdateEvent[Talk]); ok {
					got = append(got, fmt.Sprint(e.Namespace != "", " ", e.Node))
				}
			}
			wanted := []string{"false inner", "false after"}
			if subgraphs {
				wanted = []string{"true a", "true b", "false inner", "false after"}
			}
			want(t, fmt.Sprint("updates, subgraphs ", subgraphs), got, wanted)

			n := 0
			for range compiled.Stream(t.Context(), graph.Input[Talk]{}, opts) {
				n++
				break
			}
			want(t, "events before breaking off", n, 1)
		}
	}
}

func TestOlderStatesStayAsTheyWere(t *testing.T) {
	var states []Talk
	g := graph.New(talk)
	g.AddNode("talk", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		states = append(states, s)
		s.Words = append(s.Words, "local") // a node may append to its own copy
		return say(fmt.Sprint(s.Count))(ctx, s)
	})
	g.AddEdge(graph.Start, "talk")
	g.AddRoute("talk", func(_ context.Context, s Talk) (graph.Next, error) {
		if s.Count < 6 {
			return graph.To("talk"), nil
		}
		return graph.Next{}, nil
	}, graph.Nodes("talk"))
	last := invoke(t, compile(t, g, graph.Options{}), graph.Input[Talk]{}, graph.RunOptions{})
	for i, s := range states {
		want(t, fmt.Sprint("words of state ", i), len(s.Words), i)
		want(t, fmt.Sprint("words of state ", i), strings.Join(s.Words, ""), "012345"[:i])
	}
	want(t, "last", last.State.Words, []string{"0", "1", "2", "3", "4", "5"})
}
