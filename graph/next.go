package graph

import (
	"context"
	"fmt"
	"slices"

	"annai/fault"
)

// queue collects the tasks of the next superstep: nodes that read the state once each, in the order they were added to the
// graph, then sends in the order they were made.
type queue[S any] struct {
	run   *run[S]
	nodes []int
	sends []errand[S]
}

// errand is a task to be made of a send.
type errand[S any] struct {
	node  *node[S]
	input any
}

// collect returns the run's queue without tasks.
func (r *run[S]) collect() *queue[S] {
	r.queue.nodes, r.queue.sends = r.queue.nodes[:0], r.queue.sends[:0]
	return &r.queue
}

// after adds what follows a node: its edges, the joins it completes, its routes, then the wishes of its command. Of a command that is alone
// only the wishes count.
func (q *queue[S]) after(ctx context.Context, n *node[S], cmd *Command[S]) error {
	if !cmd.alone {
		if err := q.edges(ctx, n); err != nil {
			return err
		}
	}
	if cmd.Goto != "" {
		if err := q.name(cmd.Goto); err != nil {
			return err
		}
	}
	for _, s := range cmd.Sends {
		if err := q.send(s); err != nil {
			return err
		}
	}
	return nil
}

func (q *queue[S]) edges(ctx context.Context, n *node[S]) error {
	for _, to := range n.next {
		q.node(to)
	}
	for _, j := range n.joins {
		q.arrive(j, n.name)
	}
	for _, r := range n.routes {
		if err := q.route(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (q *queue[S]) node(to int) {
	if to == goEnd || q.run.queued[to] == q.run.epoch {
		return
	}
	q.run.queued[to] = q.run.epoch
	if q.run.g.nodes[to].opts.Defer {
		if !slices.Contains(q.run.deferred, to) {
			q.run.deferred = append(q.run.deferred, to)
		}
		return
	}
	q.nodes = append(q.nodes, to)
}

// name adds the node of that name.
func (q *queue[S]) name(name string) error {
	to, ok := q.run.g.byName[name]
	if !ok {
		return fmt.Errorf("go to %q, which is no node: %w", name, fault.ErrInvalid)
	}
	if to != goEnd && q.run.g.nodes[to].decode != nil {
		return fmt.Errorf("go to %q, which needs a send with an input: %w", name, fault.ErrInvalid)
	}
	q.node(to)
	return nil
}

func (q *queue[S]) arrive(j int, source string) {
	arrived := &q.run.arrived[j]
	q.run.undo = append(q.run.undo, arrival{join: j, before: *arrived})
	if !slices.Contains(*arrived, source) {
		*arrived = append(slices.Clip(*arrived), source)
	}
	if len(*arrived) == len(q.run.g.joins[j].sources) {
		*arrived = nil
		q.node(q.run.g.targets[j])
	}
}

func (q *queue[S]) route(ctx context.Context, r *route[S]) error {
	next, err := r.choose(ctx, q.run.state)
	if err != nil {
		return err
	}
	if next.first != "" {
		if err := q.label(r, next.first); err != nil {
			return err
		}
	}
	for _, label := range next.more {
		if err := q.label(r, label); err != nil {
			return err
		}
	}
	for _, s := range next.Sends {
		if err := q.send(s); err != nil {
			return err
		}
	}
	return nil
}

func (q *queue[S]) label(r *route[S], label string) error {
	i := slices.Index(r.labels, label)
	if i < 0 {
		return fmt.Errorf("the route chose %q, which is none of its targets: %w", label, fault.ErrInvalid)
	}
	to := r.to[i]
	if to != goEnd && q.run.g.nodes[to].decode != nil {
		return fmt.Errorf("the route chose %q, which needs a send with an input: %w", label, fault.ErrInvalid)
	}
	q.node(to)
	return nil
}

func (q *queue[S]) send(s Send) error {
	to, ok := q.run.g.byName[s.Node]
	if !ok {
		return fmt.Errorf("a send to %q, which is no node: %w", s.Node, fault.ErrInvalid)
	}
	if to == goEnd {
		return nil
	}
	n := q.run.g.nodes[to]
	switch {
	case n.accepts == nil && s.Input == nil:
		q.node(to)
	case n.accepts == nil:
		return fmt.Errorf("a send to %q with an input, but the node reads the state: %w", s.Node, fault.ErrInvalid)
	case !n.accepts(s.Input):
		return fmt.Errorf("a send to %q with an input of type %T, which the node does not take: %w", s.Node, s.Input, fault.ErrInvalid)
	default:
		q.sends = append(q.sends, errand[S]{node: n, input: s.Input})
	}
	return nil
}

// arrival is what had arrived at a join before the superstep ended.
type arrival struct {
	join   int
	before []string
}

// tasks returns what was collected, in room that is no longer needed.
func (q *queue[S]) tasks(room []task[S]) []task[S] {
	if len(q.nodes)+len(q.sends) == 0 { // nothing else is left
		q.nodes = append(q.nodes, q.run.deferred...)
		q.run.deferred = q.run.deferred[:0]
	}
	n := len(q.nodes) + len(q.sends)
	q.run.most = max(q.run.most, n)
	if len(q.nodes) > 1 {
		slices.Sort(q.nodes)
	}
	tasks := slices.Grow(room, n)[:n]
	for i, to := range q.nodes {
		tasks[i].renew(q.run.g.nodes[to])
	}
	for i, e := range q.sends {
		t := &tasks[len(q.nodes)+i]
		t.renew(e.node)
		t.input = e.input
	}
	clear(q.sends)
	return tasks
}
