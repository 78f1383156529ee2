package graph_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/graph"
	"annai/storage/mem"
)

// heard is what a callback heard: each span with how it ended, inside of the span that its context came from.
type heard struct {
	mu    sync.Mutex
	lines []string
}

func (h *heard) callback(ctx context.Context, s graph.Span) (context.Context, func(graph.Outcome)) {
	outer, _ := ctx.Value(h).(string)
	path := strings.TrimSpace(fmt.Sprintf("%s/%s %s", outer, s.Kind, s.Name))
	return context.WithValue(ctx, h, path), func(o graph.Outcome) {
		h.mu.Lock()
		defer h.mu.Unlock()
		inside, _, _ := strings.Cut(s.Namespace, ":")
		line := fmt.Sprintf("%s: %s %s %s %d %s%s", path, s.Graph, s.ThreadID, inside, s.Step, s.Node, said(o))
		h.lines = append(h.lines, line)
	}
}

func said(o graph.Outcome) string {
	text := ""
	if o.Err != nil {
		text += " failed"
	}
	if len(o.Interrupts) > 0 {
		text += " asks"
	}
	if o.Value != nil {
		text += fmt.Sprint(" = ", o.Value)
	}
	return text
}

// nestedWork is a graph with a subgraph that asks, beside a node that calls a model; what follows them fails.
func nestedWork(t *testing.T, opts graph.Options) *graph.Graph[work] {
	t.Helper()
	inner := graph.New(workSchema)
	inner.AddNode("ask", func(ctx context.Context, _ work) (graph.Command[work], error) {
		if got, err := graph.Answer(ctx, 0, new(string)); got || err != nil {
			return graph.Command[work]{}, err
		}
		return graph.Command[work]{Interrupt: &graph.Interrupt{Question: "?"}}, nil
	})
	inner.AddEdge(graph.Start, "ask")
	inner.AddEdge("ask", graph.End)
	sub, err := inner.Compile(graph.Options{Name: "inner", Callbacks: opts.Callbacks})
	if err != nil {
		t.Fatal(err)
	}
	g := graph.New(workSchema)
	nothing := func(_, _ work) graph.Update[work] { return nil }
	graph.AddSubgraph(g, "sub", sub, func(work) graph.Update[work] { return nil }, nothing)
	g.AddNode("call", func(ctx context.Context, _ work) (graph.Command[work], error) {
		_, end := graph.Observe(ctx, graph.Span{Kind: graph.SpanModel, Name: "m", Value: 1})
		end(graph.Outcome{Value: 2})
		return graph.Command[work]{}, nil
	})
	g.AddNode("fail", func(context.Context, work) (graph.Command[work], error) {
		return graph.Command[work]{}, errors.New("it fails")
	})
	g.AddEdge(graph.Start, "sub")
	g.AddEdge(graph.Start, "call")
	g.AddEdge("call", graph.End)
	g.AddEdge("sub", "fail")
	g.AddEdge("fail", graph.End)
	compiled, err := g.Compile(opts)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// TestCallbacks: the run, its supersteps, its tasks and what they call are told, those of a subgraph inside its task,
// whether somebody reads the stream or not.
func TestCallbacks(t *testing.T) {
	for name, run := range map[string]func(*graph.Graph[work], graph.Input[work], graph.RunOptions) error{
		"invoke": func(g *graph.Graph[work], in graph.Input[work], opts graph.RunOptions) error {
			_, err := g.Invoke(t.Context(), in, opts)
			return err
		},
		"stream": func(g *graph.Graph[work], in graph.Input[work], opts graph.RunOptions) (failed error) {
			opts.Modes, opts.Subgraphs = []graph.Mode{graph.ModeTasks}, true
			for _, err := range g.Stream(t.Context(), in, opts) {
				failed = err
			}
			return failed
		},
	} {
		t.Run(name, func(t *testing.T) {
			var h, ofRun heard
			g := nestedWork(t, graph.Options{
				Name: "outer", Checkpointer: mem.New(), Callbacks: graph.Callbacks{h.callback},
			})
			opts := graph.RunOptions{ThreadID: "t", Callbacks: graph.Callbacks{ofRun.callback}}
			if err := run(g, graph.Input[work]{}, opts); err != nil {
				t.Fatal(err)
			}
			if err := run(g, graph.Input[work]{Resume: map[string]any{"": "yes"}}, opts); err == nil {
				t.Error("the run did not fail")
			}
			slices.Sort(h.lines)
			want := []string{
				"/run outer/superstep/task call/model m: outer t  1 call = 2",
				"/run outer/superstep/task call: outer t  1 call",
				"/run outer/superstep/task fail: outer t  2 fail failed",
				"/run outer/superstep/task sub/run inner/superstep/task ask: outer t sub 1 ask asks",
				"/run outer/superstep/task sub/run inner/superstep/task ask: outer t sub 1 ask",
				"/run outer/superstep/task sub/run inner/superstep: outer t sub 1 ",
				"/run outer/superstep/task sub/run inner/superstep: outer t sub 1 ",
				"/run outer/superstep/task sub/run inner: outer t sub 0  asks",
				"/run outer/superstep/task sub/run inner: outer t sub 0 ",
				"/run outer/superstep/task sub: outer t  1 sub asks",
				"/run outer/superstep/task sub: outer t  1 sub",
				"/run outer/superstep: outer t  1 ",
				"/run outer/superstep: outer t  1 ",
				"/run outer/superstep: outer t  2  failed",
				"/run outer: outer t  0  asks",
				"/run outer: outer t  0  failed",
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, h.lines); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if len(ofRun.lines) != len(want) {
				t.Errorf("the run's own callback heard %d, want %d", len(ofRun.lines), len(want))
			}
		})
	}
}

// TestObserveOutside: outside of a run nobody is told anything.
func TestObserveOutside(t *testing.T) {
	ctx, end := graph.Observe(t.Context(), graph.Span{Kind: graph.SpanTool})
	end(graph.Outcome{})
	if ctx != t.Context() {
		t.Error("the context is another one")
	}
}
