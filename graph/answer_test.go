package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

type asked struct{ Allowed bool }

type approval struct {
	Approved bool `json:"approved"`
}

var askedSchema = graph.NewSchema[asked]()

var askedAllowed = graph.Last(askedSchema, "allowed", func(s *asked) *bool { return &s.Allowed })

// asker asks once, and may say that it takes answers of type approval only.
func asker(t *testing.T, opts graph.Options, says bool) *graph.Graph[asked] {
	t.Helper()
	var node graph.NodeOptions
	if says {
		node.CheckAnswer = graph.AnswerOf[approval]
	}
	g := graph.New(askedSchema)
	g.AddNode("ask", func(ctx context.Context, _ asked) (graph.Command[asked], error) {
		var reply approval
		answered, err := graph.Answer(ctx, 0, &reply)
		if err != nil || !answered {
			return graph.Command[asked]{Interrupt: &graph.Interrupt{Question: "May I?"}}, err
		}
		return graph.Command[asked]{Update: graph.Update[asked]{askedAllowed.Write(reply.Approved)}}, nil
	}, node)
	g.AddEdge(graph.Start, "ask")
	g.AddEdge("ask", graph.End)
	c, err := g.Compile(opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// around is a graph with two askers in it, side by side, and one behind it.
func around(t *testing.T, opts graph.Options, says bool) *graph.Graph[asked] {
	t.Helper()
	inner := asker(t, graph.Options{Name: "inner"}, says)
	g := graph.New(askedSchema)
	for _, name := range []string{"left", "right"} {
		graph.AddSubgraph(g, name, inner,
			func(asked) graph.Update[asked] { return nil },
			func(_, ended asked) graph.Update[asked] {
				if name == "left" {
					return graph.Update[asked]{askedAllowed.Write(ended.Allowed)}
				}
				return nil
			})
		g.AddEdge(graph.Start, name)
		g.AddEdge(name, graph.End)
	}
	c, err := g.Compile(opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCheckAnswer: an answer of another type is refused before anything is taken, in a subgraph too, and the question
// can be answered afterwards.
func TestCheckAnswer(t *testing.T) {
	for name, g := range map[string]*graph.Graph[asked]{
		"node":     asker(t, graph.Options{Checkpointer: mem.New()}, true),
		"subgraph": around(t, graph.Options{Checkpointer: mem.New()}, true),
	} {
		t.Run(name, func(t *testing.T) { wrongAnswers(t, g) })
	}
}

// TestWrongAnswer: an answer that a node can't read, and did not say so before, ends the run; the question is open
// again, to other processes too.
func TestWrongAnswer(t *testing.T) {
	durabilities := []graph.Durability{graph.DurabilitySync, graph.DurabilityAsync, graph.DurabilityExit}
	input := graph.Input[asked]{Update: graph.Update[asked]{}}
	for name, build := range map[string]func(*testing.T, graph.Options, bool) *graph.Graph[asked]{
		"node": asker, "subgraph": around,
	} {
		for _, durability := range durabilities {
			t.Run(name+" "+string(durability), func(t *testing.T) {
				opts := graph.Options{Checkpointer: mem.New(), Durability: durability}
				process := func() *graph.Graph[asked] { return build(t, opts, false) }
				thread := graph.RunOptions{ThreadID: "t"}
				g := process()
				if _, err := g.Invoke(t.Context(), input, thread); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					_, err := g.Invoke(t.Context(), answerAll(t, g, "yes"), thread)
					if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "answer 0 of node ask") {
						t.Fatalf("a wrong answer: %v, want ErrInvalid", err)
					}
					g = process()
				}
				// A subgraph may have been told to end before it could say that its answer was wrong. Then it says so
				// when the thread goes on, with an answer to what is open or without.
				for range 4 {
					next := graph.Input[asked]{}
					if state, err := g.State(t.Context(), "t", 0); err != nil {
						t.Fatal(err)
					} else if len(state.Interrupts) > 0 {
						next = answerAll(t, g, approval{true})
					}
					result, err := g.Invoke(t.Context(), next, thread)
					if err == nil && len(result.Interrupts) == 0 {
						if !result.State.Allowed {
							t.Errorf("after the right answers: %+v", result)
						}
						return
					}
					g = process()
				}
				t.Error("the right answers do not end the run")
			})
		}
	}
}

// answerAll answers all that is open.
func answerAll(t *testing.T, g *graph.Graph[asked], answer any) graph.Input[asked] {
	t.Helper()
	state, err := g.State(t.Context(), "t", 0)
	if err != nil || len(state.Interrupts) == 0 {
		t.Fatalf("State = %+v, %v; want an open question", state, err)
	}
	answers := map[string]any{}
	for _, i := range state.Interrupts {
		answers[i.ID] = answer
	}
	return graph.Input[asked]{Resume: answers}
}

func wrongAnswers(t *testing.T, g *graph.Graph[asked]) {
	thread := graph.RunOptions{ThreadID: "t"}
	result, err := g.Invoke(t.Context(), graph.Input[asked]{Update: graph.Update[asked]{}}, thread)
	if err != nil {
		t.Fatal(err)
	}
	resume := func(answer any) (graph.Result[asked], error) {
		answers := map[string]any{}
		for n, i := range result.Interrupts {
			answers[i.ID] = approval{true}
			if n == len(result.Interrupts)-1 {
				answers[i.ID] = answer
			}
		}
		return g.Invoke(t.Context(), graph.Input[asked]{Resume: answers}, thread)
	}
	for _, wrong := range []any{"yes", nil, 1, map[string]any{"aproved": true}, map[string]any{"approved": "yes"}} {
		_, err := resume(wrong)
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "question of node ask is refused") {
			t.Errorf("answer %v: %v, want ErrInvalid", wrong, err)
		}
		state, err := g.State(t.Context(), "t", 0)
		if err != nil || len(state.Interrupts) != len(result.Interrupts) {
			t.Fatalf("after the answer %v: %+v, %v; want all questions open", wrong, state, err)
		}
	}
	end, err := resume(approval{true})
	if err != nil || !end.State.Allowed || len(end.Interrupts) != 0 {
		t.Errorf("the right answer: %+v, %v", end, err)
	}
}

// TestRuntimeStore: nodes find the run's store, or else the graph's, in subgraphs too.
func TestRuntimeStore(t *testing.T) {
	look := graph.New(askedSchema)
	look.AddNode("look", func(ctx context.Context, _ asked) (graph.Command[asked], error) {
		_, err := graph.RuntimeOf(ctx).Store.Get(ctx, []string{"users"}, "ann")
		return graph.Command[asked]{Update: graph.Update[asked]{askedAllowed.Write(err == nil)}}, nil
	})
	look.AddEdge(graph.Start, "look")
	look.AddEdge("look", graph.End)
	inner, err := look.Compile(graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := graph.New(askedSchema)
	graph.AddSubgraph(g, "inner", inner, func(asked) graph.Update[asked] { return nil },
		func(_, ended asked) graph.Update[asked] {
			return graph.Update[asked]{askedAllowed.Write(ended.Allowed)}
		})
	g.AddEdge(graph.Start, "inner")
	g.AddEdge("inner", graph.End)
	c, err := g.Compile(graph.Options{Store: mem.NewItems(nil)})
	if err != nil {
		t.Fatal(err)
	}
	full := mem.NewItems(nil)
	if err := full.Put(t.Context(), []string{"users"}, "ann", map[string]any{"city": "Kyoto"}); err != nil {
		t.Fatal(err)
	}
	for want, store := range map[bool]graph.Store{false: nil, true: full} {
		result, err := c.Invoke(
			t.Context(),
			graph.Input[asked]{Update: graph.Update[asked]{}},
			graph.RunOptions{Store: store},
		)
		if err != nil || result.State.Allowed != want {
			t.Errorf("with the store %v: %+v, %v; want %t", store, result.State, err, want)
		}
	}
}

// TestDefaultLimit: a graph has the limit of its StateGraph unless somebody says otherwise.
func TestDefaultLimit(t *testing.T) {
	g := graph.New(askedSchema)
	g.AddNode(
		"again",
		func(context.Context, asked) (graph.Command[asked], error) { return graph.Command[asked]{}, nil },
	)
	g.AddEdge(graph.Start, "again")
	g.AddEdge("again", "again")
	g.RecursionLimit(7)
	c, err := g.Compile(graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := c.Invoke(t.Context(), graph.Input[asked]{}, graph.RunOptions{})
	if !errors.Is(err, fault.ErrInvalid) || result.Steps != 7 || c.RecursionLimit() != 7 {
		t.Errorf("%d steps, %v; want 7", result.Steps, err)
	}
	result, err = c.Invoke(t.Context(), graph.Input[asked]{}, graph.RunOptions{RecursionLimit: 3})
	if err == nil || result.Steps != 3 {
		t.Errorf("%d steps, %v; want 3", result.Steps, err)
	}
}

// TestUpdateStateAs: a thread is ended, or copied in place with its open question.
func TestUpdateStateAs(t *testing.T) {
	g := asker(t, graph.Options{Checkpointer: mem.New()}, false)
	ctx, thread := t.Context(), graph.RunOptions{ThreadID: "t"}
	first, err := g.Invoke(ctx, graph.Input[asked]{Update: graph.Update[asked]{}}, thread)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.UpdateState(ctx, "t", 0, graph.Update[asked]{askedAllowed.Write(true)}, graph.End); err != nil {
		t.Fatal(err)
	}
	state, err := g.State(ctx, "t", 0)
	if err != nil || len(state.Next) != 0 || len(state.Interrupts) != 0 || !state.State.Allowed {
		t.Errorf("as the end: %+v, %v", state, err)
	}
	if _, err := g.UpdateState(ctx, "t", first.Checkpoint, nil, graph.AsCopy); err != nil {
		t.Fatal(err)
	}
	state, err = g.State(ctx, "t", 0)
	if err != nil || len(state.Interrupts) != 1 || state.State.Allowed || state.Parent != first.Checkpoint {
		t.Errorf("a copy: %+v, %v", state, err)
	}
	if _, err := g.UpdateState(ctx, "t", 0, graph.Update[asked]{askedAllowed.Write(true)}, graph.AsCopy); !errors.Is(
		err, fault.ErrInvalid) {
		t.Errorf("a copy with an update: %v, want ErrInvalid", err)
	}
	end, err := g.Invoke(ctx, graph.Input[asked]{Resume: map[string]any{"": approval{true}}}, thread)
	if err != nil || !end.State.Allowed {
		t.Errorf("the copy goes on: %+v, %v", end, err)
	}
}

// TestResponseSchema: whoever looks at a question finds the schema of its answers, also after the process that asked.
func TestResponseSchema(t *testing.T) {
	const schema = `{"type": "boolean"}`
	for name, says := range map[string]string{"none": "", "one": schema, "wrong": `["boolean"]`} {
		t.Run(name, func(t *testing.T) {
			question := &graph.Interrupt{Question: "May I?\n", ResponseSchema: json.RawMessage(says)}
			if says == "" {
				question.ResponseSchema = nil
			}
			g := graph.New(askedSchema)
			g.AddNode("ask", func(context.Context, asked) (graph.Command[asked], error) {
				return graph.Command[asked]{Interrupt: question}, nil
			})
			g.AddEdge(graph.Start, "ask")
			g.AddEdge("ask", graph.End)
			c, err := g.Compile(graph.Options{Checkpointer: mem.New()})
			if err != nil {
				t.Fatal(err)
			}
			result, err := c.Invoke(t.Context(), graph.Input[asked]{}, graph.RunOptions{ThreadID: "t"})
			if name == "wrong" {
				if !errors.Is(err, fault.ErrInvalid) {
					t.Errorf("Invoke = %v, want ErrInvalid", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			state, err := c.State(t.Context(), "t", 0)
			if err != nil || len(result.Interrupts) != 1 || len(state.Interrupts) != 1 {
				t.Fatalf("State = %+v, %v, want one question", state, err)
			}
			for _, i := range []graph.Interrupt{result.Interrupts[0], state.Interrupts[0]} {
				if string(i.ResponseSchema) != says || i.Question != "May I?\n" {
					t.Errorf("the question %q has the schema %q, want %q", i.Question, i.ResponseSchema, says)
				}
			}
		})
	}
}
