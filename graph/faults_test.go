package graph_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

// The tests of this file are named after what went wrong in other engines. Those that need a store to show it run with every store and durability.

func TestMaxConcurrencyOneRanNothing(t *testing.T) {
	for _, limit := range []int{1, 2, 100} {
		var running, most atomic.Int64
		g := graph.New(talk)
		nodes := map[string]graph.Node[Talk]{}
		for i := range 8 {
			nodes[fmt.Sprint("n", i)] = func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
				now := running.Add(1)
				defer running.Add(-1)
				for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
				}
				runtime.Gosched()
				return say(fmt.Sprint(i))(ctx, s)
			}
		}
		side(g, nodes)
		result := invoke(t, compile(t, g, graph.Options{MaxConcurrency: limit}), graph.Input[Talk]{}, graph.RunOptions{})
		want(t, fmt.Sprintf("words with at most %d tasks at a time", limit), strings.Join(result.State.Words, ""), "01234567")
		if most.Load() > int64(limit) {
			t.Errorf("%d tasks ran at the same time, want at most %d", most.Load(), limit)
		}
	}
}

func TestStateWasLostBetweenNodesSideBySide(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		g := graph.New(talk)
		g.AddNode("first", say("first"))
		g.AddEdge(graph.Start, "first")
		for _, name := range []string{"a", "b"} {
			g.AddNode(name, func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
				return say(strings.Join(s.Words, "+")+"+"+name)(ctx, s)
			})
			g.AddEdge("first", name)
		}
		g.AddJoin([]string{"a", "b"}, "last")
		g.AddNode("last", say("last"))
		g.AddEdge("last", graph.End)
		result := invoke(t, compile(t, g, options), graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
		want(t, "words", result.State.Words, []string{"first", "first+a", "first+b", "last"})
	})
}

func TestCheckpointingGraphRefusedRoutes(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		g := graph.New(talk)
		g.AddNode("a", say("a"))
		g.AddEdge(graph.Start, "a")
		g.AddRoute("a", func(_ context.Context, s Talk) (graph.Next, error) {
			if s.Count < 3 {
				return graph.To("again"), nil
			}
			return graph.To("enough"), nil
		}, graph.Targets{"again": "a", "enough": graph.End})
		result := invoke(t, compile(t, g, options), graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
		want(t, "words", result.State.Words, []string{"a", "a", "a"})
	})
}

func TestNothingWasWrittenUnlessInterrupted(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		compiled := single(t, say("a"), options)
		invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
		c, err := single(t, say("a"), options).State(t.Context(), "t", 0)
		if err != nil {
			t.Fatalf("State() after a run without interrupts = %v", err)
		}
		want(t, "words", c.State.Words, []string{"a"})
	})
}

// single is a graph of one node.
func single(t *testing.T, node graph.Node[Talk], options graph.Options) *graph.Graph[Talk] {
	t.Helper()
	g := graph.New(talk)
	side(g, map[string]graph.Node[Talk]{"a": node})
	return compile(t, g, options)
}

// askers are nodes side by side that each ask and then say what they heard.
func askers(t *testing.T, options graph.Options, names ...string) *graph.Graph[Talk] {
	t.Helper()
	g := graph.New(talk)
	nodes := map[string]graph.Node[Talk]{}
	for _, name := range names {
		nodes[name] = func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			var heard string
			if ok, err := graph.Answer(ctx, 0, &heard); err != nil || !ok {
				return graph.Command[Talk]{Interrupt: &graph.Interrupt{Question: name + "?"}}, err
			}
			return say(name+" "+heard)(ctx, s)
		}
	}
	side(g, nodes)
	return compile(t, g, options)
}

func TestTwoInterruptsGotTheSameID(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		result := invoke(t, askers(t, options, "a", "b"), graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
		if len(result.Interrupts) != 2 || result.Interrupts[0].ID == result.Interrupts[1].ID {
			t.Errorf("interrupts = %v, want two with ids of their own", result.Interrupts)
		}
	})
}

func TestResumingOneAnsweredBoth(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		opts := graph.RunOptions{ThreadID: "t"}
		compiled := askers(t, options, "a", "b")
		open := invoke(t, compiled, graph.Input[Talk]{}, opts).Interrupts
		one := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{open[1].ID: "yes"}}, opts)
		if len(one.Interrupts) != 1 || one.Interrupts[0].ID != open[0].ID || len(one.State.Words) != 0 {
			t.Fatalf("after one of two answers: %+v, want the other question open and nothing said", one)
		}
		both := invoke(t, askers(t, options, "a", "b"), graph.Input[Talk]{Resume: map[string]any{open[0].ID: "no"}}, opts)
		want(t, "words", both.State.Words, []string{"a no", "b yes"})
	})
}

func TestKeepLatestBrokeAPendingInterrupt(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		opts := graph.RunOptions{ThreadID: "t"}
		compiled := outerAsker(t, options)
		open := invoke(t, compiled, graph.Input[Talk]{}, opts).Interrupts
		if len(open) != 2 {
			t.Fatalf("interrupts = %v, want those of two nodes of the subgraph", open)
		}
		half := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{open[0].ID: "one"}}, opts)
		if err := compiled.KeepLatest(t.Context(), "t"); err != nil {
			t.Fatalf("KeepLatest() = %v", err)
		}
		n := 0
		for c, err := range compiled.History(t.Context(), "t", graph.HistoryOptions{}) {
			if n++; err != nil || c.Parent != 0 {
				t.Fatalf("History() after KeepLatest = %+v, %v", c, err)
			}
		}
		want(t, "checkpoints kept", n, 1)
		compiled = outerAsker(t, options)
		c, err := compiled.State(t.Context(), "t", 0)
		if err != nil {
			t.Fatalf("State() = %v", err)
		}
		want(t, "open interrupts", c.Interrupts, half.Interrupts)
		result := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{open[1].ID: "two"}}, opts)
		want(t, "words", result.State.Words, []string{"before", "a one", "b two"})
	})
}

func TestUpdateStateLeftOpenQuestionsOfSubgraphsBehind(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		opts := graph.RunOptions{ThreadID: "t"}
		compiled := outerAsker(t, options)
		open := invoke(t, compiled, graph.Input[Talk]{}, opts).Interrupts
		half := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{open[0].ID: "one"}}, opts)
		for i := range 2 {
			if _, err := compiled.UpdateState(t.Context(), "t", 0, graph.Update[Talk]{words.Write([]string{"from outside"})}, ""); err != nil {
				t.Fatalf("UpdateState() = %v", err)
			}
			if err := compiled.KeepLatest(t.Context(), "t"); i == 0 && err != nil {
				t.Fatalf("KeepLatest() = %v", err)
			}
			if result := invoke(t, compiled, graph.Input[Talk]{}, opts); !cmp.Equal(result.Interrupts, half.Interrupts) {
				t.Fatalf("after an update from outside these questions are open: %v, want %v", result.Interrupts, half.Interrupts)
			}
		}
		result := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{open[1].ID: "two"}}, opts)
		want(t, "words", result.State.Words, []string{"before", "from outside", "from outside", "a one", "b two"})
	})
}

func TestSubgraphBeganAnewAfterAFailure(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		ran := map[string]int{}
		fail := true
		inner := graph.New(talk)
		inner.AddNode("one", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			ran["one"]++
			return say("one")(ctx, s)
		})
		inner.AddNode("two", sayUnless(func() bool { ran["two"]++; return fail }, "two"))
		inner.AddEdge(graph.Start, "one")
		inner.AddEdge("one", "two")
		inner.AddEdge("two", graph.End)
		g := graph.New(talk)
		graph.AddSubgraph(g, "inner", compile(t, inner, graph.Options{}),
			func(Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write([]string{"input"})} },
			func(_, s Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write(s.Words)} })
		g.AddEdge(graph.Start, "inner")
		g.AddEdge("inner", graph.End)
		compiled, opts := compile(t, g, options), graph.RunOptions{ThreadID: "t"}
		if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, opts); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Invoke() = %v, want ErrUnavailable", err)
		}
		fail = false
		result := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "words", result.State.Words, []string{"input", "one", "two"})
		want(t, "runs of the nodes", ran, map[string]int{"one": 1, "two": 2})
	})
}

// outerAsker is a graph with a node and a subgraph of askers.
func outerAsker(t *testing.T, options graph.Options) *graph.Graph[Talk] {
	t.Helper()
	g := graph.New(talk)
	g.AddNode("before", say("before"))
	graph.AddSubgraph(g, "inner", askers(t, graph.Options{}, "a", "b"), func(Talk) graph.Update[Talk] { return nil },
		func(_, s Talk) graph.Update[Talk] { return graph.Update[Talk]{words.Write(s.Words)} })
	g.AddEdge(graph.Start, "before")
	g.AddEdge("before", "inner")
	g.AddEdge("inner", graph.End)
	return compile(t, g, options)
}

func TestCopiesOfAThreadGoTheirOwnWay(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		compiled := outerAsker(t, options)
		open := invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"}).Interrupts
		if err := compiled.Copy(t.Context(), "t", "copy"); err != nil {
			t.Fatalf("Copy() = %v", err)
		}
		for thread, word := range map[string]string{"t": "here", "copy": "there"} {
			answers := map[string]any{open[0].ID: word, open[1].ID: word}
			result := invoke(t, compiled, graph.Input[Talk]{Resume: answers}, graph.RunOptions{ThreadID: thread})
			want(t, "words of "+thread, result.State.Words, []string{"before", "a " + word, "b " + word})
		}
		if err := compiled.Copy(t.Context(), "t", "copy"); !errors.Is(err, fault.ErrConflict) {
			t.Errorf("Copy() to a thread that exists = %v, want ErrConflict", err)
		}
		if err := compiled.Copy(t.Context(), "nowhere", "other"); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Copy() of no thread = %v, want ErrNotFound", err)
		}
	})
}

func TestKeepLatestOfAThreadThatGoesOn(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		compiled, opts := single(t, say("a"), options), graph.RunOptions{ThreadID: "t"}
		for turn := range 5 {
			in := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write(fmt.Sprint(turn))}}
			result := invoke(t, compiled, in, opts)
			want(t, "words", len(result.State.Words), turn+1)
			if err := compiled.KeepLatest(t.Context(), "t"); err != nil {
				t.Fatalf("KeepLatest() = %v", err)
			}
		}
		c, err := compiled.State(t.Context(), "t", 0)
		if err != nil || c.State.Question != "4" || len(c.State.Words) != 5 {
			t.Errorf("State() = %+v, %v, want five words and question 4", c, err)
		}
		if err := compiled.KeepLatest(t.Context(), "nowhere"); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("KeepLatest() of no thread = %v, want ErrNotFound", err)
		}
	})
}

func TestSaverKeptTheCallersSlice(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		list := []string{"as it was"}
		g := graph.New(talk)
		g.AddNode("a", func(context.Context, Talk) (graph.Command[Talk], error) {
			return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write(list)}}, nil
		})
		g.AddEdge(graph.Start, "a")
		g.AddEdge("a", graph.End)
		compiled := compile(t, g, options)
		invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
		list[0] = "changed"
		c, err := compiled.State(t.Context(), "t", 0)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "words", c.State.Words, []string{"as it was"})
	})
}

func TestEmptyFanOutHungAJoin(t *testing.T) {
	g := graph.New(talk)
	g.AddNode("plan", say("plan"))
	graph.AddInputNode(g, "work", func(context.Context, int) (graph.Command[Talk], error) { return graph.Command[Talk]{}, nil })
	g.AddNode("last", say("last"), graph.NodeOptions{Defer: true})
	g.AddEdge(graph.Start, "plan")
	g.AddRoute("plan", func(context.Context, Talk) (graph.Next, error) { return graph.Fan(), nil }, graph.Nodes("work"))
	g.AddEdge("plan", "last")
	g.AddEdge("work", "last")
	g.AddEdge("last", graph.End)
	result := invoke(t, compile(t, g, graph.Options{}), graph.Input[Talk]{}, graph.RunOptions{})
	want(t, "words", result.State.Words, []string{"plan", "last"})
}

func TestListenersOfTheEndLeaked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g := graph.New(talk)
	side(g, map[string]graph.Node[Talk]{"a": say("a"), "b": say("b")})
	compiled := compile(t, g, graph.Options{})
	run := func(n int) {
		for range n {
			if _, err := compiled.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{}); err != nil {
				t.Fatal(err)
			}
			for _, err := range compiled.Stream(ctx, graph.Input[Talk]{}, graph.RunOptions{Modes: []graph.Mode{graph.ModeCustom}}) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	run(10)
	before := heap()
	run(2000)
	if grown := int64(heap()) - int64(before); grown > 2000*64 {
		t.Errorf("2,000 runs under one context left %d bytes and %d goroutines", grown, runtime.NumGoroutine())
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestHundredNodesCostNSquared(t *testing.T) {
	// What a step costs is seen in what it allocates: machines are noisy, counts are not.
	perNode := func(n int) float64 {
		compiled := chain(t, n, graph.Options{})
		return testing.AllocsPerRun(20, func() { checkChain(t, run(t, compiled, graph.RunOptions{}), n) }) / float64(n)
	}
	if few, many := perNode(50), perNode(1000); many > 1.2*few {
		t.Errorf("a node of 1,000 makes %.1f objects, one of 50 %.1f", many, few)
	}
}

// talker is a node that says n things to those who listen.
func talker(n int) graph.Node[Talk] {
	return func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		for i := range n {
			graph.WriteCustom(ctx, i)
		}
		return say("done")(ctx, s)
	}
}

func TestSlowReaderStalledTheRun(t *testing.T) {
	for name, modes := range map[string][]graph.Mode{"while nodes run": {graph.ModeCustom}, "between supersteps": {graph.ModeValues}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := mem.New()
				g := graph.New(talk)
				g.AddNode("talk", talker(10))
				g.AddEdge(graph.Start, "talk")
				g.AddRoute("talk", func(_ context.Context, s Talk) (graph.Next, error) {
					if s.Count < 400 {
						return graph.To("talk"), nil
					}
					return graph.To(graph.End), nil
				}, graph.Nodes("talk", graph.End))
				compiled := compile(t, g, graph.Options{Checkpointer: store, RecursionLimit: 1000})
				opts := graph.RunOptions{ThreadID: "t", Modes: modes, ReaderTimeout: time.Minute}
				events := 0
				var end error
				for _, err := range compiled.Stream(t.Context(), graph.Input[Talk]{}, opts) {
					if events++; events == 1 {
						time.Sleep(time.Hour)
						c, err := compiled.State(t.Context(), "t", 0)
						if err != nil || c.State.Count != 400 || len(c.Next) != 0 {
							t.Errorf("after an hour without a reader the run is at %d of 400, %v", c.State.Count, err)
						}
					}
					end = err
				}
				if !errors.Is(end, graph.ErrSlowReader) || events < 100 || events > 1000 {
					t.Errorf("the stream ended with %v after %d events, want ErrSlowReader after what was waiting", end, events)
				}
			})
		})
	}
}

func TestReaderThatComesBackInTimeLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		compiled := single(t, talker(2000), graph.Options{})
		opts := graph.RunOptions{Modes: []graph.Mode{graph.ModeCustom}, ReaderTimeout: time.Minute}
		var heard []int
		for e, err := range compiled.Stream(t.Context(), graph.Input[Talk]{}, opts) {
			if err != nil {
				t.Fatalf("Stream() = %v", err)
			}
			if e.Mode == graph.ModeCustom {
				heard = append(heard, e.Value.(int))
			}
			if len(heard)%500 == 1 {
				time.Sleep(30 * time.Second)
			}
		}
		if len(heard) != 2000 || !slices.IsSorted(heard) {
			t.Errorf("heard %d of 2,000 events, in order: %v", len(heard), slices.IsSorted(heard))
		}
	})
}

func TestCancelledRunDoesNotWaitForItsReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		cause := errors.New("the visitor left")
		compiled := single(t, func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			for i := range 1000 {
				graph.WriteCustom(ctx, i)
			}
			return graph.Command[Talk]{}, context.Cause(ctx)
		}, graph.Options{})
		began := time.Now()
		var end error
		first := true
		for _, err := range compiled.Stream(ctx, graph.Input[Talk]{}, graph.RunOptions{Modes: []graph.Mode{graph.ModeCustom}, ReaderTimeout: time.Hour}) {
			if end = err; first {
				first = false
				synctest.Wait()
				cancel(cause)
				time.Sleep(time.Minute)
			}
		}
		if took := time.Since(began); !errors.Is(end, cause) || took > 2*time.Minute {
			t.Errorf("the stream ended with %v after %v, want the cause of the cancellation at once", end, took)
		}
	})
}

func TestReaderThatLeavesInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		g := graph.New(talk)
		g.AddNode("talk", func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
			for i := range 10_000 {
				graph.WriteCustom(ctx, i)
			}
			<-ctx.Done()
			time.Sleep(time.Second) // whoever leaves waits for the tasks
			ended = true
			return graph.Command[Talk]{}, context.Cause(ctx)
		})
		g.AddEdge(graph.Start, "talk")
		g.AddEdge("talk", graph.End)
		for range compile(t, g, graph.Options{}).Stream(t.Context(), graph.Input[Talk]{}, graph.RunOptions{Modes: []graph.Mode{graph.ModeCustom}}) {
			break
		}
		if !ended {
			t.Error("the loop ended before the run's task did")
		}
	})
}

func TestNodeThatDoesNotHeedItsTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var attempts atomic.Int64
		g := graph.New(talk)
		g.AddNode("deaf", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			if attempts.Add(1) == 1 {
				<-release
				graph.WriteCustom(ctx, "too late")
				return say("too late")(ctx, s)
			}
			return say("second")(ctx, s)
		}, graph.NodeOptions{Timeout: time.Second, Retry: &graph.Retry{Attempts: 2}})
		g.AddNode("after", say("after"))
		g.AddEdge(graph.Start, "deaf")
		g.AddEdge("deaf", "after")
		g.AddEdge("after", graph.End)
		compiled := compile(t, g, graph.Options{})
		var heard []any
		for e, err := range compiled.Stream(t.Context(), graph.Input[Talk]{}, graph.RunOptions{Modes: []graph.Mode{graph.ModeCustom, graph.ModeUpdates}}) {
			if err != nil {
				t.Fatalf("Stream() = %v", err)
			}
			if e.Mode == graph.ModeUpdates && e.Node == "deaf" {
				close(release) // what was left behind goes on beside the rest of the run
				synctest.Wait()
			}
			if e.Mode == graph.ModeCustom {
				heard = append(heard, e.Value)
			}
			if e.Mode == graph.ModeResult {
				want(t, "words", e.Value.(graph.Result[Talk]).State.Words, []string{"second", "after"})
			}
		}
		if len(heard) != 0 {
			t.Errorf("heard %v of a node that was left behind", heard)
		}
	})
}

func TestFinishedNodeRanAgainBecauseTheCallerLeft(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		ran := 0
		ctx, cancel := context.WithCancel(t.Context())
		g := graph.New(talk)
		g.AddNode("pay", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			ran++
			cancel()
			return say("paid")(ctx, s)
		})
		g.AddNode("thank", say("thanks"))
		g.AddEdge(graph.Start, "pay")
		g.AddEdge("pay", "thank")
		g.AddEdge("thank", graph.End)
		compiled, opts := compile(t, g, options), graph.RunOptions{ThreadID: "t"}
		if _, err := compiled.Invoke(ctx, graph.Input[Talk]{}, opts); !errors.Is(err, context.Canceled) {
			t.Fatalf("Invoke() = %v, want that it was cancelled", err)
		}
		result := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "words", result.State.Words, []string{"paid", "thanks"})
		want(t, "payments", ran, 1)
	})
}

func TestSiblingThatWasToldToEndHidTheReason(t *testing.T) {
	began := make(chan struct{})
	reason := errors.New("the reason")
	g := graph.New(talk)
	side(g, map[string]graph.Node[Talk]{
		"a": func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
			close(began)
			<-ctx.Done()
			return graph.Command[Talk]{}, ctx.Err()
		},
		"b": func(context.Context, Talk) (graph.Command[Talk], error) {
			<-began
			return graph.Command[Talk]{}, reason
		},
	})
	if _, err := compile(t, g, graph.Options{}).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{}); !errors.Is(err, reason) {
		t.Errorf("Invoke() = %v, want %v", err, reason)
	}
}

// frozen is a store that does not answer once it is frozen.
type frozen struct {
	*mem.Store

	is atomic.Bool
}

func (f *frozen) Put(ctx context.Context, thread string, r graph.Record) error {
	if f.is.Load() {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return f.Store.Put(ctx, thread, r)
}

func TestStoreThatDoesNotAnswerHeldTheRunForEver(t *testing.T) {
	for _, durability := range []graph.Durability{graph.DurabilitySync, graph.DurabilityAsync, graph.DurabilityExit} {
		synctest.Test(t, func(t *testing.T) {
			store := &frozen{Store: mem.New()}
			compiled := single(t, func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
				store.is.Store(true)
				return say("a")(ctx, s)
			}, graph.Options{Checkpointer: store, Durability: durability})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began := time.Now()
			_, err := compiled.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
			if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took > 10*time.Second {
				t.Errorf("%s: Invoke() = %v after %v, want that the time was over, some seconds later at most", durability, err, took)
			}
		})
	}
}

func TestPanicsOutsideOfNodesAreErrors(t *testing.T) {
	route := func(g *graph.StateGraph[Talk]) {
		g.AddRoute("a", func(context.Context, Talk) (graph.Next, error) { panic("oh") }, graph.Nodes(graph.End))
	}
	key := graph.NodeOptions{Cache: &graph.Cache{Key: func(any) string { panic("oh") }}}
	for name, opts := range map[string]graph.NodeOptions{"route": {}, "key": key} {
		for _, beside := range []bool{false, true} {
			stores(t, func(t *testing.T, options graph.Options) {
				g := graph.New(talk)
				g.AddNode("a", say("a"), opts)
				g.AddEdge(graph.Start, "a")
				if beside {
					g.AddNode("b", say("b"), opts)
					g.AddEdge(graph.Start, "b")
					g.AddEdge("b", graph.End)
				}
				route(g)
				compiled := compile(t, g, options)
				for range 3 { // a run that panicked spoils nothing for the next
					var p *graph.PanicError
					if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{ThreadID: name}); !errors.As(err, &p) || p.Value != "oh" {
						t.Errorf("Invoke() with a %s that panics = %v, want a PanicError", name, err)
					}
				}
			})
		}
	}
}

func TestDeclaredWrites(t *testing.T) {
	two := func(writes ...string) (*graph.Graph[Talk], error) {
		g := graph.New(talk)
		for _, name := range []string{"a", "b"} {
			g.AddNode(name, say(name), graph.NodeOptions{Writes: writes})
			g.AddEdge(graph.Start, name)
			g.AddEdge(name, graph.End)
		}
		return g.Compile(graph.Options{})
	}
	for _, c := range []struct {
		writes []string
		says   string
	}{
		{[]string{"question"}, `nodes "a" and "b" run in the same superstep and both write "question"`},
		{[]string{"quest"}, `writes "quest", which is no channel`},
		{[]string{"words", "count"}, ""},
	} {
		_, err := two(c.writes...)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("Compile() with writes %v = %v, want %q", c.writes, err, c.says)
		}
	}
	compiled, err := two("words")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{}); !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "count") {
		t.Errorf("Invoke() of a node that writes what it did not declare = %v, want ErrInvalid that names count", err)
	}
}

// A node whose failure would have been handled, had a sibling not ended the run, is not why the run ended.
func TestFailureThatWasToBeHandledHidTheReason(t *testing.T) {
	g := graph.New(talk)
	g.AddNode("first", func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
		<-ctx.Done()
		return graph.Command[Talk]{}, errors.New("broken today")
	}, graph.NodeOptions{OnError: "mend"})
	g.AddNode("second", func(context.Context, Talk) (graph.Command[Talk], error) {
		return graph.Command[Talk]{}, fault.ErrUnavailable
	})
	graph.AddInputNode(g, "mend", func(context.Context, graph.Failure) (graph.Command[Talk], error) {
		return graph.Command[Talk]{}, nil
	})
	for _, name := range []string{"first", "second"} {
		g.AddEdge(graph.Start, name)
		g.AddEdge(name, graph.End)
	}
	g.AddEdge("mend", graph.End)
	compiled, err := g.Compile(graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{}); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Invoke() = %v, want the failure of second", err)
	}
}
