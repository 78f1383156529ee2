package graph

import (
	"context"
	"fmt"

	"annai/fault"
)

// AddSubgraph adds a node that runs another graph with a state of its own: in makes its input from the state, out turns its last state
// into the node's update. The subgraph remembers with the checkpointer of the outer graph, under the task's namespace; its
// interrupts are the node's, and it continues where it stood once all of them are answered.
func AddSubgraph[S, C any](g *StateGraph[S], name string, sub *Graph[C], in func(S) Update[C], out func(S, C) Update[S], opts NodeOptions) {
	n := g.add(name, opts)
	n.sub = &sub.drawing
	n.call = func(ctx context.Context, state S, _ any) (Command[S], []Interrupt, error) {
		result, parent, err := sub.nested(ctx, in(state))
		if err != nil || len(result.Interrupts) > 0 {
			return Command[S]{}, result.Interrupts, err
		}
		if parent != nil {
			c, ok := parent.command.(Command[S])
			if !ok {
				return c, nil, fmt.Errorf("a command to the parent is a %T: %w", parent.command, fault.ErrInvalid)
			}
			c.alone = true
			return c, nil, nil
		}
		return Command[S]{Update: out(state, result.State)}, nil, nil
	}
}

// nested runs the graph as part of the task of ctx.
func (g *Graph[S]) nested(ctx context.Context, input Update[S]) (Result[S], *ParentCommand, error) {
	t := taskOf(ctx)
	remaining := t.run.limit - (int(t.step) - t.run.first) + 1
	opts := RunOptions{ThreadID: t.run.thread, RunID: t.run.run, RecursionLimit: remaining, Context: t.run.context}
	r := g.newRun(opts, &runInfo{
		checkpointer: t.run.checkpointer, durability: t.run.durability, stream: t.run.stream,
		namespace: t.run.subNamespace(*t.node, origin{t.checkpoint, int(t.made)}, int(t.index)),
	})
	if r.info.now == nil {
		r.info.now = t.run.now
	}
	in := Input[S]{Update: input}
	if t.talk != nil {
		in.Resume = t.talk.given
	}
	for !r.advance(ctx, in) {
	}
	parent := r.parent
	result, err := r.conclude()
	if err != nil {
		return result, nil, err
	}
	return result, parent, nil
}
