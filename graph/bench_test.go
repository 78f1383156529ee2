package graph_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"annai/graph"
	"annai/internal/budget"
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

func chain(b testing.TB, n int) *graph.Graph[work] {
	b.Helper()
	g := graph.New(workSchema)
	before := graph.Start
	for i := range n {
		name := fmt.Sprint("n", i)
		g.AddNode(name, func(_ context.Context, s work) (graph.Command[work], error) {
			return graph.Command[work]{Update: graph.Update[work]{
				workMessages.Write([]string{name}), workCount.Write(s.Count + 1), workLast.Write(name),
			}}, nil
		}, graph.NodeOptions{})
		g.AddEdge(before, name)
		before = name
	}
	g.AddEdge(before, graph.End)
	compiled, err := g.Compile(graph.Options{RecursionLimit: n + 20})
	if err != nil {
		b.Fatal(err)
	}
	return compiled
}

// inline is the hand-written loop that does the work of chain.
func inline(names []string) work {
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

// BenchmarkW1 is three trivial nodes without a checkpointer, beside the inline loop.
func BenchmarkW1(b *testing.B) {
	const n = 3
	compiled, list := chain(b, n), names(n)
	ours := func() {
		result, err := compiled.Invoke(b.Context(), graph.Input[work]{}, graph.RunOptions{})
		if err != nil {
			b.Fatal(err)
		}
		checkChain(b, result.State, n)
	}
	hand := func() { checkChain(b, inline(list), n) }
	b.ReportAllocs()
	for b.Loop() {
		ours()
	}
	b.StopTimer()
	budget.AtMost(os.Stdout, "W1", budget.Ratio(10_000, ours, hand), "x", 20)
}

// BenchmarkW3 is a thousand supersteps through a conditional edge, beside the inline loop.
func BenchmarkW3(b *testing.B) {
	g := graph.New(workSchema)
	g.AddNode("n", func(_ context.Context, s work) (graph.Command[work], error) {
		return graph.Command[work]{Update: graph.Update[work]{workCount.Write(s.Count + 1), workLast.Write("n")}}, nil
	}, graph.NodeOptions{})
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
	rounds := make([]float64, budget.Rounds)
	for i := range rounds {
		began := time.Now()
		for range 20 {
			ours()
		}
		rounds[i] = float64(time.Since(began).Nanoseconds()) / 20 / 1000
	}
	b.ReportMetric(budget.Ratio(20, ours, loop1000), "x-inline")
	budget.AtMost(os.Stdout, "W3", budget.Median(rounds), "ns/step", 300)
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
