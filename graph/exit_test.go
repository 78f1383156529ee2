package graph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

// mortal is a store whose process dies: after so many writes nothing is written or read any more.
type mortal struct {
	*mem.Store

	left int
}

func (m *mortal) alive() error {
	if m.left <= 0 {
		return fmt.Errorf("the process is dead: %w", fault.ErrUnavailable)
	}
	return nil
}

func (m *mortal) wrote() error {
	m.left--
	return m.alive()
}

func (m *mortal) Put(ctx context.Context, thread string, r graph.Record) error {
	if err := m.alive(); err != nil {
		return err
	}
	return errors.Join(m.Store.Put(ctx, thread, r), m.wrote())
}

func (m *mortal) PutWrites(ctx context.Context, thread string, w graph.TaskWrites) error {
	if err := m.alive(); err != nil {
		return err
	}
	return errors.Join(m.Store.PutWrites(ctx, thread, w), m.wrote())
}

// into makes a graph of a node that says hello and, beside it, another graph.
func into(t *testing.T, inner *graph.Graph[Talk], opts graph.Options) *graph.Graph[Talk] {
	t.Helper()
	g := graph.New(talk)
	g.AddNode("hello", say("hello"))
	graph.AddSubgraph(g, "sub", inner, func(Talk) graph.Update[Talk] { return nil }, func(_, s Talk) graph.Update[Talk] {
		return graph.Update[Talk]{words.Write(s.Words)}
	})
	g.AddEdge(graph.Start, "hello")
	g.AddEdge(graph.Start, "sub")
	g.AddEdge("hello", graph.End)
	g.AddEdge("sub", graph.End)
	return compile(t, g, opts)
}

// askThrice is a graph of a node that asks three questions, and of one beside it.
func askThrice(t *testing.T) *graph.Graph[Talk] {
	t.Helper()
	g := graph.New(talk)
	side(g, map[string]graph.Node[Talk]{"beside": say("beside"), "ask": func(ctx context.Context, _ Talk) (graph.Command[Talk], error) {
		said := "ask"
		for n := range 3 {
			var reply string
			if ok, err := graph.Answer(ctx, n, &reply); err != nil || !ok {
				return graph.Command[Talk]{Interrupt: &graph.Interrupt{Question: n}}, err
			}
			said += " " + reply
		}
		return graph.Command[Talk]{Update: graph.Update[Talk]{words.Write([]string{said})}}, nil
	}})
	return compile(t, g, graph.Options{Name: "inner"})
}

// TestAnswerOfALostRunWonInASubgraph has the process die after each of the writes of a run that answers a question of a graph in a graph in a graph. If
// that run is lost, the question is open as before, and the answer that is given then is the one that counts.
func TestAnswerOfALostRunWonInASubgraph(t *testing.T) {
	opts := graph.RunOptions{ThreadID: "t"}
	answer := func(answer string) graph.Input[Talk] { return graph.Input[Talk]{Resume: map[string]any{"": answer}} }
	lost, kept := 0, 0
	for writes := range 8 {
		memory := mem.New()
		process := func(store graph.Checkpointer) *graph.Graph[Talk] {
			inner := into(t, askThrice(t), graph.Options{Name: "middle"})
			return into(t, inner, graph.Options{Checkpointer: store, Durability: graph.DurabilityExit})
		}
		invoke(t, process(memory), graph.Input[Talk]{}, opts)
		_, err := process(&mortal{Store: memory, left: writes}).Invoke(t.Context(), answer("early"), opts)
		now := process(memory)
		at, stateErr := now.State(t.Context(), "t", 0)
		if stateErr != nil || len(at.Interrupts) != 1 {
			t.Fatalf("State() after %d writes = %v, %v, want an open question", writes, at, stateErr)
		}
		said := "ask early second third"
		if fmt.Sprint(at.Interrupts[0].Question) == "0" {
			said = "ask first second third"
			invoke(t, now, answer("first"), opts)
			lost++
		} else {
			kept++
		}
		invoke(t, now, answer("second"), opts)
		result := invoke(t, now, answer("third"), opts)
		want(t, fmt.Sprintf("words where the process died after %d writes, with %v", writes, err), result.State.Words,
			[]string{"hello", "hello", said, "beside"})
	}
	if lost == 0 || kept == 0 {
		t.Errorf("%d runs were lost and %d kept, want some of both", lost, kept)
	}
}

// TestAnswerWasLostWithAFailingSibling answers a subgraph that does not come to its turn, because a sibling fails before.
func TestAnswerWasLostWithAFailingSibling(t *testing.T) {
	stores(t, func(t *testing.T, options graph.Options) {
		broken := false
		var ran atomic.Int32
		inner := graph.New(talk)
		side(inner, map[string]graph.Node[Talk]{"ask": asks("ask", 1, &ran)})
		g := graph.New(talk)
		g.AddNode("weak", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			var reply string
			if ok, err := graph.Answer(ctx, 0, &reply); err != nil || !ok {
				return graph.Command[Talk]{Interrupt: &graph.Interrupt{Question: "weak"}}, err
			}
			if broken {
				return graph.Command[Talk]{}, fault.ErrUnavailable
			}
			return say("weak "+reply)(ctx, s)
		})
		graph.AddSubgraph(g, "sub", compile(t, inner, graph.Options{}), func(Talk) graph.Update[Talk] { return nil }, func(_, s Talk) graph.Update[Talk] {
			return graph.Update[Talk]{words.Write(s.Words)}
		})
		for _, name := range []string{"weak", "sub"} {
			g.AddEdge(graph.Start, name)
			g.AddEdge(name, graph.End)
		}
		options.MaxConcurrency = 1
		compiled, opts := compile(t, g, options), graph.RunOptions{ThreadID: "t"}
		result := invoke(t, compiled, graph.Input[Talk]{}, opts)
		answers := map[string]any{}
		for _, i := range result.Interrupts {
			answers[i.ID] = "yes"
		}
		broken = true
		if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{Resume: answers}, opts); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Invoke() with a weak node = %v, want ErrUnavailable", err)
		}
		if _, err := compiled.UpdateState(t.Context(), "t", 0, graph.Update[Talk]{}, ""); err != nil {
			t.Fatalf("UpdateState() = %v", err)
		}
		broken = false
		result = invoke(t, compiled, graph.Input[Talk]{}, opts)
		want(t, "questions once both are answered", result.Interrupts, []graph.Interrupt(nil))
		want(t, "words", result.State.Words, []string{"weak yes", "askyes"})
	})
}

// TestSubgraphBeganAnewInARetry has a subgraph fail at its second step, twice. Each further attempt goes on from there, also where a record of it has
// whole values.
func TestSubgraphBeganAnewInARetry(t *testing.T) {
	long := strings.Repeat("x", 100<<10) // more than what makes a snapshot
	stores(t, func(t *testing.T, options graph.Options) {
		var first, second atomic.Int32
		inner := graph.New(talk)
		inner.AddNode("first", func(ctx context.Context, s Talk) (graph.Command[Talk], error) {
			first.Add(1)
			return say(long)(ctx, s)
		})
		inner.AddNode("second", sayUnless(func() bool { return second.Add(1) < 3 }, "second"))
		inner.AddEdge(graph.Start, "first")
		inner.AddEdge("first", "second")
		inner.AddEdge("second", graph.End)
		g := graph.New(talk)
		graph.AddSubgraph(g, "sub", compile(t, inner, graph.Options{}), func(Talk) graph.Update[Talk] { return nil }, func(_, s Talk) graph.Update[Talk] {
			return graph.Update[Talk]{words.Write(s.Words)}
		}, graph.NodeOptions{Retry: &graph.Retry{Attempts: 3, Wait: time.Microsecond}})
		g.AddEdge(graph.Start, "sub")
		g.AddEdge("sub", graph.End)
		result := invoke(t, compile(t, g, options), graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
		want(t, "words", result.State.Words, []string{long, "second"})
		want(t, "runs of the first and the second step", []int32{first.Load(), second.Load()}, []int32{1, 3})
	})
}
