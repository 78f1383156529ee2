package graph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"annai/fault"
	"annai/graph"
)

// flaky fails with err until its n-th attempt, and notes when each began.
func flaky(n int, err error, began *[]time.Duration) graph.Node[Talk] {
	start := time.Time{}
	return func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		if start.IsZero() {
			start = time.Now()
		}
		*began = append(*began, time.Since(start))
		if attempt := graph.RuntimeOf(ctx).Attempt; attempt != len(*began) {
			return graph.Command[Talk]{}, fmt.Errorf("attempt %d says that it is %d", len(*began), attempt)
		}
		if len(*began) < n {
			return graph.Command[Talk]{}, err
		}
		return say("done")(ctx, s)
	}
}

// alone is a graph of one node, and of an error handler that says what failed.
func alone(t *testing.T, node graph.Node[Talk], nodeOpts graph.NodeOptions, opts graph.Options) *graph.Graph[Talk] {
	t.Helper()
	g := graph.New(talk)
	g.AddNode("work", node, nodeOpts)
	g.AddNode("after", say("after"))
	if nodeOpts.OnError != "" || opts.OnError != "" {
		graph.AddInputNode(g, "mend", func(_ context.Context, f graph.Failure) (graph.Command[Talk], error) {
			return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{f.Node + " failed"})}}, nil
		})
		g.AddEdge("mend", graph.End)
	}
	g.AddEdge(graph.Start, "work")
	g.AddEdge("work", "after")
	g.AddEdge("after", graph.End)
	return compile(t, g, opts)
}

func TestRetry(t *testing.T) {
	down := fmt.Errorf("down: %w", fault.ErrUnavailable)
	for name, c := range map[string]struct {
		policy graph.Retry
		err    error
		n      int
		want   []int // seconds
		fails  bool
	}{
		"waits grow":                {graph.Retry{Attempts: 4, Wait: time.Second}, down, 4, []int{0, 1, 3, 7}, false},
		"up to a limit":             {graph.Retry{Attempts: 4, Wait: time.Second, MaxWait: time.Second}, down, 4, []int{0, 1, 2, 3}, false},
		"only so often":             {graph.Retry{Attempts: 2, Wait: time.Second}, down, 4, []int{0, 1}, true},
		"not what stays wrong":      {graph.Retry{Attempts: 4}, fault.ErrInvalid, 4, []int{0}, true},
		"unless it is said to":      {graph.Retry{Attempts: 2, Wait: time.Second, If: func(error) bool { return true }}, fault.ErrInvalid, 2, []int{0, 1}, false},
		"one attempt is no retry":   {graph.Retry{Attempts: 1}, down, 2, []int{0}, true},
		"no policy is no retry":     {graph.Retry{}, down, 2, []int{0}, true},
		"a task that does not fail": {graph.Retry{Attempts: 4}, down, 1, []int{0}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, asDefault := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					var began []time.Duration
					opts, nodeOpts := graph.Options{}, graph.NodeOptions{Retry: &c.policy}
					if asDefault {
						opts.Retry, nodeOpts.Retry = &c.policy, nil
					}
					_, err := alone(t, flaky(c.n, c.err, &began), nodeOpts, opts).Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{})
					if (err != nil) != c.fails || c.fails && !errors.Is(err, c.err) {
						t.Errorf("Invoke() = %v, want a failure: %v", err, c.fails)
					}
					var seconds []int
					for _, d := range began {
						seconds = append(seconds, int(d.Seconds()))
					}
					want(t, "attempts began after", seconds, c.want)
				})
			}
		})
	}
}

func TestRetryEndsWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began []time.Duration
		policy := graph.Retry{Attempts: 100, Wait: time.Hour, MaxWait: time.Hour}
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Minute)
		defer cancel()
		compiled := alone(t, flaky(100, fault.ErrUnavailable, &began), graph.NodeOptions{Retry: &policy, OnError: "mend"}, graph.Options{})
		_, err := compiled.Invoke(ctx, graph.Input[Talk]{}, graph.RunOptions{})
		if !errors.Is(err, fault.ErrUnavailable) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Invoke() = %v, want the failure or the deadline", err)
		}
		want(t, "attempts", len(began), 2)
	})
}

// TestPoliciesTogether tries a node that hangs at first, then fails, with a timeout for each attempt, retries and a handler.
func TestPoliciesTogether(t *testing.T) {
	for _, c := range []struct {
		attempts int
		want     []string
	}{{3, []string{"done", "after"}}, {2, []string{"work failed"}}} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			node := func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
				switch n++; n {
				case 1:
					<-ctx.Done()
					return graph.Command[Talk]{}, ctx.Err()
				case 2:
					return graph.Command[Talk]{}, fault.ErrUnavailable
				}
				return say("done")(ctx, s)
			}
			compiled := alone(t, node, graph.NodeOptions{}, graph.Options{
				Timeout: time.Second, Retry: &graph.Retry{Attempts: c.attempts, Jitter: 1}, OnError: "mend",
			})
			want(t, "words", invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{}).State.Words, c.want)
		})
	}
}

func TestHandlerTakesOverFromAPanic(t *testing.T) {
	node := func(context.Context, Talk) (graph.Command[Talk], error) { panic("oh") }
	compiled := alone(t, node, graph.NodeOptions{OnError: "mend", Retry: &graph.Retry{Attempts: 9}}, graph.Options{})
	want(t, "words", invoke(t, compiled, graph.Input[Talk]{}, graph.RunOptions{}).State.Words, []string{"work failed"})
}

// TestHandledFailureSurvives has a sibling of a handled failure fail, so that the run goes on from what was kept.
func TestHandledFailureSurvives(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		broken := true
		g := graph.New(talk)
		g.AddNode("bad", func(context.Context, Talk) (graph.Command[Talk], error) {
			return graph.Command[Talk]{}, fault.ErrInvalid
		}, graph.NodeOptions{OnError: "mend"})
		g.AddNode("weak", sayUnless(func() bool { return broken }, "weak"))
		g.AddNode("never", say("never"))
		graph.AddInputNode(g, "mend", func(_ context.Context, f graph.Failure) (graph.Command[Talk], error) {
			return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{f.Node + ": " + f.Message})}}, nil
		})
		g.AddEdge(graph.Start, "bad")
		g.AddEdge(graph.Start, "weak")
		g.AddEdge("bad", "never")
		for _, name := range []string{"weak", "never", "mend"} {
			g.AddEdge(name, graph.End)
		}
		options.MaxConcurrency = 1
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t"}
		if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, opts); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Invoke() = %v, want ErrUnavailable", err)
		}
		broken = false
		result := invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "words", result.State.Words, []string{"weak", "bad: node bad: invalid"})
	})
}

func TestCache(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ran := 0
	node := func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
		ran++
		if s.Question == "bad" {
			return graph.Command[Talk]{}, fault.ErrInvalid
		}
		return say("hello "+s.Question)(ctx, s)
	}
	key := func(input any) string { return input.(Talk).Question }
	clock := func() time.Time { return now }
	for _, compiled := range []*graph.Graph[Talk]{
		single(t, node, graph.Options{Now: clock, Cache: &graph.Cache{Key: key, TTL: time.Minute, Size: 2}}), // the graph's, for all nodes
		alone(t, node, graph.NodeOptions{Cache: &graph.Cache{Key: key, TTL: time.Minute, Size: 2}}, graph.Options{Now: clock}),
	} {
		ran = 0
		tryCache(t, compiled, &ran, &now)
	}
}

func tryCache(t *testing.T, compiled *graph.Graph[Talk], ran *int, now *time.Time) {
	t.Helper()
	ask := func(q string, runs int) {
		t.Helper()
		in := graph.Input[Talk]{Update: graph.Update[Talk]{question.Write(q)}}
		result, err := compiled.Invoke(t.Context(), in, graph.RunOptions{})
		if q != "bad" && (err != nil || result.State.Words[0] != "hello "+q) {
			t.Errorf("Invoke(%s) = %v, %v", q, result.State.Words, err)
		}
		want(t, "runs of the node after "+q, *ran, runs)
	}
	ask("a", 1)
	ask("a", 1)
	ask("b", 2)
	*now = now.Add(time.Minute)
	ask("a", 3) // too old
	ask("c", 4) // a third: the oldest goes
	ask("c", 4)
	ask("a", 5)
	ask("", 6) // no key
	ask("", 7)
	ask("bad", 8)
	ask("bad", 9)
}

func TestDefer(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		g := graph.New(talk)
		for _, name := range []string{"short", "long", "longer", "person", "late"} {
			g.AddNode(name, say(name), graph.NodeOptions{Defer: name == "late"})
		}
		var asked int
		g.AddNode("ask", func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
			asked++
			var reply string
			if ok, err := graph.Answer(ctx, 0, &reply); err != nil || !ok {
				return graph.Command[Talk]{Interrupt: &graph.Interrupt{Question: "?"}}, err
			}
			return say(reply)(ctx, Talk{})
		})
		for _, edge := range [][2]string{
			{graph.Start, "short"},
			{graph.Start, "long"},
			{"short", "late"},
			{"long", "longer"},
			{"longer", "ask"},
			{"ask", "person"},
			{"person", "late"},
			{"late", graph.End},
		} {
			g.AddEdge(edge[0], edge[1])
		}
		compiled := compile(t, g, options)
		opts := graph.RunOptions{ThreadID: "t"}
		want(t, "next", invoke(t, compiled, graph.Input[Talk]{}, opts).Next, []string{"ask"})
		result := invoke(t, compiled, graph.Input[Talk]{Resume: map[string]any{"": "so"}}, opts)
		want(t, "words", result.State.Words, []string{"short", "long", "longer", "so", "person", "late"})
	})
}

func TestPolicyProblems(t *testing.T) {
	g := graph.New(talk)
	g.AddNode("a", say("a"), graph.NodeOptions{OnError: "nobody", Cache: &graph.Cache{}})
	g.AddNode("b", say("b"), graph.NodeOptions{OnError: "a"})
	g.AddEdge(graph.Start, "a")
	g.AddEdge("a", "b")
	g.AddEdge("b", graph.End)
	_, err := g.Compile(graph.Options{Durability: "often"})
	for _, problem := range []string{`"nobody" of node "a"`, `"a" of node "b"`, `cache of node "a"`, `"often"`} {
		if err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("Compile() = %v, want %s in it", err, problem)
		}
	}
}

// An error handler takes over from a node that failed for good.
func ExampleFailure() {
	g := graph.New(talk)
	g.AddNode("work", func(context.Context, Talk) (graph.Command[Talk], error) {
		return graph.Command[Talk]{}, errors.New("the printer is out of paper")
	}, graph.NodeOptions{OnError: "mend", Retry: &graph.Retry{Attempts: 3}})
	graph.AddInputNode(g, "mend", func(_ context.Context, f graph.Failure) (graph.Command[Talk], error) {
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{f.Message})}}, nil
	})
	g.AddEdge(graph.Start, "work")
	g.AddEdge("work", graph.End)
	g.AddEdge("mend", graph.End)
	compiled := must(g.Compile(graph.Options{}))
	fmt.Println(must(compiled.Invoke(context.Background(), graph.Input[Talk]{}, graph.RunOptions{})).State.Words)
	// Output: [node work: the printer is out of paper]
}
