package graph_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/graph"
	"annai/internal/budget"
	"annai/storage/mem"
)

// The state and the nodes of the engine's workloads: each node appends its name, counts, and says that it was last.
type work struct {
	Messages []string
	Count    int
	Last     string
}

var (
	workSchema   = graph.NewSchema[work]()
	workMessages = graph.Append(workSchema, "messages", func(s *work) *[]string { return &s.Messages })
	workCount    = graph.Last(workSchema, "count", func(s *work) *int { return &s.Count })
	workLast     = graph.Last(workSchema, "last", func(s *work) *string { return &s.Last })
)

func chain(b testing.TB, n int, opts graph.Options) *graph.Graph[work] {
	b.Helper()
	g := graph.New(workSchema)
	before := graph.Start
	for i := range n {
		name := fmt.Sprint("n", i)
		g.AddNode(name, func(_ context.Context, s work) (graph.Command[work], error) {
			return graph.Command[work]{Update: graph.Update[work]{
				workMessages.Write([]string{name}), workCount.Write(s.Count + 1), workLast.Write(name),
			}}, nil
		})
		g.AddEdge(before, name)
		before = name
	}
	g.AddEdge(before, graph.End)
	opts.RecursionLimit = n + 20
	compiled, err := g.Compile(opts)
	if err != nil {
		b.Fatal(err)
	}
	return compiled
}

// partial is the update that a node of the hand-written loop returns.
type partial struct {
	messages []string
	count    int
	last     string
}

// byHand returns the nodes of chain as functions of Go, for the loop that does what the engine does: it calls each with the state and puts its update
// into the state.
func byHand(names []string) (nodes []func(context.Context, work) (partial, error)) {
	for _, name := range names {
		nodes = append(nodes, func(_ context.Context, s work) (partial, error) {
			return partial{messages: []string{name}, count: s.Count + 1, last: name}, nil
		})
	}
	return nodes
}

func runByHand(b testing.TB, nodes []func(context.Context, work) (partial, error)) work {
	ctx := context.Background()
	var s work
	for _, node := range nodes {
		update, err := node(ctx, s)
		if err != nil {
			b.Fatal(err)
		}
		s.Messages = append(s.Messages, update.messages...)
		s.Count, s.Last = update.count, update.last
	}
	return s
}

// bare is less than the engine is asked to do: no nodes, no updates, only what becomes of the state.
func bare(names []string) work {
	var s work
	for _, name := range names {
		s.Messages = append(s.Messages, name)
		s.Count++
		s.Last = name
	}
	return s
}

func names(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprint("n", i))
	}
	return out
}

func checkChain(b testing.TB, s work, n int) {
	if len(s.Messages) != n || s.Count != n || s.Last != s.Messages[n-1] {
		b.Fatalf("state = %v, want %d messages", s, n)
	}
}

// chained measures a chain of n nodes beside the loop by hand. Beside the bare statements it is a raw figure.
func chained(b *testing.B, row string, n, rounds int, limit float64) {
	compiled, list := chain(b, n, graph.Options{}), names(n)
	nodes := byHand(list)
	ours := func() { checkChain(b, run(b, compiled, graph.RunOptions{}), n) }
	b.ReportAllocs()
	for b.Loop() {
		ours()
	}
	b.StopTimer()
	b.ReportMetric(budget.Ratio(rounds, ours, func() { checkChain(b, bare(list), n) }), "x-bare")
	hand := func() { checkChain(b, runByHand(b, nodes), n) }
	budget.AtMost(os.Stdout, row, budget.Ratio(rounds, ours, hand), "x", limit)
}

func run(b testing.TB, g *graph.Graph[work], opts graph.RunOptions) work {
	result, err := g.Invoke(context.Background(), graph.Input[work]{}, opts)
	if err != nil {
		b.Fatal(err)
	}
	return result.State
}

// BenchmarkW1 is three trivial nodes without a checkpointer, beside the loop by hand.
func BenchmarkW1(b *testing.B) { chained(b, "W1", 3, 400, 6) }

// BenchmarkW2 is the same with a hundred nodes.
func BenchmarkW2(b *testing.B) { chained(b, "W2", 100, 20, 5) }

// BenchmarkW3 is a thousand supersteps through a conditional edge, beside the inline loop.
func BenchmarkW3(b *testing.B) {
	g := graph.New(workSchema)
	g.AddNode("n", func(_ context.Context, s work) (graph.Command[work], error) {
		return graph.Command[work]{Update: graph.Update[work]{workCount.Write(s.Count + 1), workLast.Write("n")}}, nil
	})
	g.AddEdge(graph.Start, "n")
	g.AddRoute("n", func(_ context.Context, s work) (graph.Next, error) {
		if s.Count < 1000 {
			return graph.To("n"), nil
		}
		return graph.To(graph.End), nil
	}, graph.Nodes("n", graph.End))
	compiled, err := g.Compile(graph.Options{RecursionLimit: 1001})
	if err != nil {
		b.Fatal(err)
	}
	ours := func() {
		result, err := compiled.Invoke(b.Context(), graph.Input[work]{}, graph.RunOptions{})
		if err != nil || result.State.Count != 1000 {
			b.Fatal(result.State.Count, err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		ours()
	}
	b.StopTimer()
	rounds := make([]float64, 101)
	for i := range rounds {
		began := time.Now()
		ours()
		rounds[i] = float64(time.Since(began).Nanoseconds()) / 1000
	}
	b.ReportMetric(budget.Ratio(2, ours, loop1000), "x-bare")
	budget.AtMost(os.Stdout, "W3", budget.Median(rounds), "ns/step", 400)
}

// loop1000 is the hand-written loop of W3.
func loop1000() {
	var s work
	for s.Count < 1000 {
		s.Count++
		s.Last = "n"
	}
	if s.Count != 1000 || s.Last != "n" {
		panic(s)
	}
}

// fanState is the state of W4.
type fanState struct {
	Results []int
	Seen    int
}

// BenchmarkW4 sends a hundred tasks and joins their results, beside bare workers over a slice.
func BenchmarkW4(b *testing.B) {
	const width = 100
	schema := graph.NewSchema[fanState]()
	results := graph.Append(schema, "results", func(s *fanState) *[]int { return &s.Results })
	seen := graph.Last(schema, "seen", func(s *fanState) *int { return &s.Seen })
	g := graph.New(schema)
	g.AddNode("fan", func(context.Context, fanState) (graph.Command[fanState], error) {
		return graph.Command[fanState]{}, nil
	})
	graph.AddInputNode(g, "work", func(_ context.Context, i int) (graph.Command[fanState], error) {
		return graph.Command[fanState]{Update: graph.Update[fanState]{results.Write([]int{2 * i})}}, nil
	})
	g.AddNode("join", func(_ context.Context, s fanState) (graph.Command[fanState], error) {
		return graph.Command[fanState]{Update: graph.Update[fanState]{seen.Write(len(s.Results))}}, nil
	})
	g.AddEdge(graph.Start, "fan")
	g.AddRoute("fan", func(context.Context, fanState) (graph.Next, error) {
		sends := make([]graph.Send, width)
		for i := range sends {
			sends[i] = graph.Send{Node: "work", Input: i}
		}
		return graph.Fan(sends...), nil
	}, graph.Nodes("work"))
	g.AddEdge("work", "join")
	g.AddEdge("join", graph.End)
	compiled, err := g.Compile(graph.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ours := func() {
		result, err := compiled.Invoke(context.Background(), graph.Input[fanState]{}, graph.RunOptions{})
		if err != nil || result.State.Seen != width {
			b.Fatal(result.State.Seen, err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		ours()
	}
	b.StopTimer()
	budget.AtMost(os.Stdout, "W4", budget.Ratio(10, ours, func() { workers(b, width) }), "x", 3)
}

// workers is the limit of W4: as many goroutines as the engine uses, over a slice.
func workers(b *testing.B, width int) {
	results, queue := make([][]int, width), make(chan int, width)
	for i := range width {
		queue <- i
	}
	close(queue)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for i := range queue {
				results[i] = []int{2 * i}
			}
		})
	}
	wg.Wait()
	var s fanState
	for _, r := range results {
		s.Results = append(s.Results, r...)
	}
	if s.Seen = len(s.Results); s.Seen != width {
		b.Fatal(s.Seen)
	}
}

// threads names a new thread at every call.
func threads() func() graph.RunOptions {
	n := 0
	return func() graph.RunOptions {
		n++
		return graph.RunOptions{ThreadID: strconv.Itoa(n)}
	}
}

// BenchmarkW5 is W1 with checkpoints in memory, each run on a thread of its own, beside W1.
func BenchmarkW5(b *testing.B) {
	plain := chain(b, 3, graph.Options{})
	w1 := func() { checkChain(b, run(b, plain, graph.RunOptions{}), 3) }
	rounds := make([]float64, 101)
	for i := range rounds { // a new store for each, since threads pile up in it
		kept, next := chain(b, 3, graph.Options{Checkpointer: mem.New()}), threads()
		rounds[i] = budget.Once(300, func() { checkChain(b, run(b, kept, next()), 3) }, w1)
	}
	kept, next := chain(b, 3, graph.Options{Checkpointer: mem.New()}), threads()
	b.ReportAllocs()
	for b.Loop() {
		checkChain(b, run(b, kept, next()), 3)
	}
	b.StopTimer()
	budget.AtMost(os.Stdout, "W5", budget.Median(rounds), "x", 4)
}

// BenchmarkW7 is W1 streamed, values and updates, every event taken, beside W1.
func BenchmarkW7(b *testing.B) {
	compiled := chain(b, 3, graph.Options{})
	modes := []graph.Mode{graph.ModeValues, graph.ModeUpdates}
	streamed := func() {
		n := 0
		for e, err := range compiled.Stream(context.Background(), graph.Input[work]{}, graph.RunOptions{Modes: modes}) {
			if err != nil || e == nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 8 { // the input's values, values and updates of three steps, the result
			b.Fatal(n)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		streamed()
	}
	b.StopTimer()
	w1 := func() { checkChain(b, run(b, compiled, graph.RunOptions{}), 3) }
	budget.AtMost(os.Stdout, "W7", budget.Ratio(200, streamed, w1), "x", 3)
}

// BenchmarkW8 appends a hundred messages of 200 bytes to lists of none and of 4,000, with checkpoints in memory.
func BenchmarkW8(b *testing.B) {
	message := strings.Repeat("m", 200)
	g := graph.New(workSchema)
	g.AddNode("n", func(_ context.Context, s work) (graph.Command[work], error) {
		return graph.Command[work]{Update: graph.Update[work]{workMessages.Write([]string{message}), workCount.Write(s.Count + 1)}}, nil
	})
	g.AddEdge(graph.Start, "n")
	g.AddRoute("n", func(_ context.Context, s work) (graph.Next, error) {
		if s.Count < 100 {
			return graph.To("n"), nil
		}
		return graph.To(graph.End), nil
	}, graph.Nodes("n", graph.End))
	compiled, err := g.Compile(graph.Options{Checkpointer: mem.New(), RecursionLimit: 101})
	if err != nil {
		b.Fatal(err)
	}
	next := threads()
	step := func(opts graph.RunOptions, want int) {
		in := graph.Input[work]{Update: graph.Update[work]{workCount.Write(0)}}
		result, err := compiled.Invoke(context.Background(), in, opts)
		if err != nil || len(result.State.Messages) != want {
			b.Fatal(len(result.State.Messages), err)
		}
	}
	// prepared returns the run on threads that have n messages already, and were not run since.
	prepared := func(n, runs int) func() {
		list := slices.Repeat([]string{message}, n)
		ready := make(chan graph.RunOptions, runs)
		for range runs {
			opts := next()
			in := graph.Input[work]{Update: graph.Update[work]{workMessages.Write(list), workCount.Write(100)}}
			if _, err := compiled.Invoke(context.Background(), in, opts); err != nil {
				b.Fatal(err)
			}
			ready <- opts
		}
		return func() { step(<-ready, n+1+100) }
	}
	for b.Loop() {
		step(next(), 100)
	}
	b.StopTimer()
	const runs = 20
	rounds := make([]float64, budget.Rounds)
	for i := range rounds {
		rounds[i] = budget.Once(runs, prepared(4000, runs), prepared(0, runs))
	}
	budget.AtMost(os.Stdout, "W8", budget.Median(rounds), "x", 1.5)
}

// BenchmarkW9 keeps ten thousand threads of W5 alive.
func BenchmarkW9(b *testing.B) {
	const count = 10_000
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	var per float64
	for b.Loop() {
		kept, next := chain(b, 3, graph.Options{Checkpointer: mem.New()}), threads()
		before := heap()
		for range count {
			run(b, kept, next())
		}
		per = (heap() - before) / count
		runtime.KeepAlive(kept)
	}
	budget.AtMost(os.Stdout, "W9", per/1024, "KB/thread", 1.5)
}
