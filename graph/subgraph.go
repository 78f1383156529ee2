package graph

import (
	"context"
	"fmt"

	"annai/fault"
)

// AddSubgraph adds a node that runs another graph with a state of its own: in makes its input from the state, out turns
// its last state into the node's update. Interrupts of the subgraph are the node's; it goes on where it stood once all
// of them are answered.
//
// The subgraph keeps its checkpoints with those of the outer graph, under the task's namespace. Its durability, its
// callbacks and the limit of its supersteps are the outer graph's too, whatever it was compiled with, and so is the
// store, if there is one. One that was compiled with InterruptBefore or InterruptAfter is refused.
func AddSubgraph[S, C any](
	g *StateGraph[S], name string, sub *Graph[C], in func(S) Update[C], out func(S, C) Update[S], opts ...NodeOptions,
) {
	addSubgraph(g, name, sub, opts, Channel[S, C]{},
		func(state S, _ any) Update[C] { return in(state) },
		func(state S, _ any, ended C) Update[S] { return out(state, ended) })
}

// AddPersistentSubgraph adds a subgraph, as [AddSubgraph] does, that begins with the state with which it ended the last
// time. The channel memory, declared with [Last], keeps that state, which so belongs to the thread and the branch. What
// in returns is reduced into it, and out need not write it. The subgraph's state must survive JSON as a whole.
func AddPersistentSubgraph[S, C any](
	g *StateGraph[S], name string, sub *Graph[C], memory Channel[S, C],
	in func(S) Update[C], out func(S, C) Update[S], opts ...NodeOptions,
) {
	if memory.def == nil || memory.def.at == nil {
		g.problem("subgraph %q is to remember in a channel that is no field of a struct", name)
		memory = Channel[S, C]{}
	}
	addSubgraph(g, name, sub, opts, memory,
		func(state S, _ any) Update[C] { return in(state) },
		func(state S, _ any, ended C) Update[S] {
			return append(Update[S]{memory.Write(ended)}, out(state, ended)...)
		})
}

// AddInputSubgraph adds a subgraph, as [AddSubgraph] does, that runs with the input of a [Send].
func AddInputSubgraph[S, I, C any](
	g *StateGraph[S], name string, sub *Graph[C], in func(S, I) Update[C], out func(S, I, C) Update[S], opts ...NodeOptions,
) {
	takes[S, I](addSubgraph(g, name, sub, opts, Channel[S, C]{},
		func(state S, input any) Update[C] { return in(state, input.(I)) },
		func(state S, input any, ended C) Update[S] { return out(state, input.(I), ended) }))
}

func addSubgraph[S, C any](g *StateGraph[S], name string, sub *Graph[C], opts []NodeOptions, memory Channel[S, C],
	in func(S, any) Update[C], out func(S, any, C) Update[S],
) *node[S] {
	n := g.add(name, opts)
	if len(sub.opts.InterruptBefore)+len(sub.opts.InterruptAfter) > 0 {
		g.problem("subgraph %q is to pause at a node, which only the outermost graph can", name)
	}
	n.sub, n.inner, n.inside, n.branched = &sub.drawing, sub.checkAnswer, sub.inside, sub.branched
	n.call = func(ctx context.Context, state S, input any) (Command[S], []Interrupt, error) {
		var base *C
		if memory.def != nil {
			base, _ = memory.def.at(&state).(*C)
		}
		result, parent, err := sub.nested(ctx, base, in(state, input))
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
		return Command[S]{Update: out(state, input, result.State)}, nil, nil
	}
	return n
}

// nested runs the graph as part of the task of ctx. Base is the state that it begins with, nil for an empty one.
func (g *Graph[S]) nested(ctx context.Context, base *S, input Update[S]) (Result[S], *ParentCommand, error) {
	t := taskOf(ctx)
	remaining := t.run.limit - (int(t.step) - t.run.first) + 1
	opts := RunOptions{
		ThreadID: t.run.thread, RunID: t.run.run, RecursionLimit: remaining, Context: t.run.context,
		Store: t.run.store,
	}
	r := g.newRun(opts, &runInfo{
		checkpointer: t.run.checkpointer, durability: t.run.durability, stream: t.run.stream, forks: t.run.forks,
		watch:     t.run.watch.inside(),
		namespace: t.run.subNamespace(*t.node, origin{home: t.home, step: int(t.made)}, int(t.index)),
	})
	if r.info.now == nil {
		r.info.now = t.run.now
	}
	r.base = base
	in := Input[S]{Update: input}
	if t.talk != nil {
		in.Resume = t.talk.given
	}
	ctx = r.observed(ctx)
	for !r.advance(ctx, in) {
	}
	parent := r.parent
	result, err := r.conclude()
	if err != nil {
		return result, nil, err
	}
	return result, parent, nil
}
