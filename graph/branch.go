package graph

import (
	"context"
	"fmt"
	"slices"
)

// branch returns the origin of the tasks in the branch that begins with the checkpoint. A subgraph is in that of the
// graph around it.
func (r *run[S]) branch(checkpoint int64) origin {
	from := r.origin
	if r.info.namespace == "" {
		from.home = checkpoint
	}
	return from
}

// belonging returns what goes with the record of that id: what subgraphs put in the run or, where the record has the
// tasks of the one before, what they remember, for the branch that begins here: two branches share nothing.
func (r *run[S]) belonging(ctx context.Context, id int64) (records []Record, err error) {
	if !r.carried || r.info.namespace != "" {
		return r.inner(), nil
	}
	ctx, end := outlasting(ctx)
	defer end()
	for i := range r.tasks {
		n := r.tasks[i].node
		if n.branched == nil || r.tasks[i].done {
			continue
		}
		old, renamed := r.info.subNamespace(n.name, r.origin, i), r.info.subNamespace(n.name, r.branch(id), i)
		more, err := n.branched(ctx, r.info.checkpointer, r.info.thread, old, renamed)
		if err != nil {
			return nil, fmt.Errorf("what node %s remembers: %w", n.name, err)
		}
		records = append(records, more...)
	}
	return records, nil
}

// branched returns what the graph remembers in a namespace, and graphs in it below that, as records of another
// namespace, oldest first.
func (g *Graph[S]) branched(
	ctx context.Context, from Checkpointer, thread, namespace, renamed string,
) ([]Record, error) {
	chain, _, err := from.Load(ctx, thread, namespace, 0)
	if err != nil || len(chain) == 0 {
		return nil, err
	}
	at, err := originOf(chain[0])
	if err != nil {
		return nil, err
	}
	var records []Record
	for _, rec := range slices.Backward(chain) {
		if len(records) == 0 {
			rec.Parent = 0
		}
		rec.Namespace, rec.Pending = renamed, slices.Clone(rec.Pending)
		for i := range rec.Pending {
			rec.Pending[i].Namespace = renamed
		}
		records = append(records, rec)
	}
	old, other := runInfo{namespace: namespace}, runInfo{namespace: renamed}
	for i, task := range chain[0].Tasks {
		n, ok := g.byName[task.Node]
		if !ok || n == goEnd || g.nodes[n].branched == nil {
			continue
		}
		more, err := g.nodes[n].branched(
			ctx, from, thread, old.subNamespace(task.Node, at, i), other.subNamespace(task.Node, at, i))
		if err != nil {
			return nil, err
		}
		records = append(records, more...)
	}
	return records, nil
}
