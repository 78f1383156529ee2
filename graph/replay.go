package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"annai/fault"
)

// load brings the run to the checkpoint it is to start from, and returns its record; nil if there is none.
func (r *run[S]) load(ctx context.Context) (*Record, error) {
	l := r.log
	chain, newest, err := l.checkpointer.Load(ctx, l.thread, l.namespace, r.opts.Checkpoint)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	l.newest = newest
	if len(chain) == 0 {
		return nil, nil
	}
	for i := range chain {
		if chain[i], err = l.graph.migrated(chain[i]); err != nil {
			return nil, err
		}
	}
	if err := l.graph.replay(chain, &r.state, r.spares); err != nil {
		return nil, err
	}
	rec := chain[0]
	l.parent, l.at = rec.Parent, rec.At
	l.head, l.base, l.logBytes = rec.ID, rec.Base, rec.LogBytes
	if r.origin, err = originOf(rec); err != nil {
		return nil, err
	}
	if oldest := chain[len(chain)-1]; oldest.Snapshot {
		for _, w := range oldest.Writes {
			l.snapBytes += int64(len(w.Data))
		}
	}
	r.step = rec.Step
	if len(rec.Tasks) == 0 {
		l.graph.forgetEphemeral(&r.state)
		r.began = true // whatever comes next begins without it
	}
	if err := r.decodeJoins(rec); err != nil {
		return nil, err
	}
	if r.tasks, err = l.graph.decodeTasks(rec); err != nil {
		return nil, err
	}
	for i := range r.tasks {
		r.tasks[i].ready()
	}
	return &rec, nil
}

// decodeJoins is the reverse of joinData.
func (r *run[S]) decodeJoins(rec Record) error {
	for _, j := range rec.Joins {
		if n, ok := r.g.byName[j.Target]; ok && n != goEnd && j.Index == deferredIndex {
			r.deferred = append(r.deferred, n)
			continue
		}
		if j.Index >= len(r.arrived) || r.g.joins[j.Index].target != j.Target {
			return fmt.Errorf("checkpoint %d has a join into %q, which the graph has not: %w", rec.ID, j.Target, fault.ErrInvalid)
		}
		r.arrived[j.Index] = slices.Clone(j.Arrived)
	}
	return nil
}

// forgetEphemeral empties the channels that are empty between runs.
func (g *Graph[S]) forgetEphemeral(state *S) {
	for _, c := range g.ephemeral {
		c.reset(state)
	}
}

// migrated makes a record one of this graph.
func (g *Graph[S]) migrated(rec Record) (Record, error) {
	mine := g.fingerprint
	switch {
	case rec.Graph == mine:
		return rec, nil
	case g.opts.Migrate == nil:
		return rec, fmt.Errorf("checkpoint %d was written by %s; this is %s, and no migration is registered: %w", rec.ID, rec.Graph, mine, fault.ErrInvalid)
	}
	moved, err := g.opts.Migrate(rec)
	if err != nil {
		return rec, fmt.Errorf("checkpoint %d: migrate from %s to %s: %w", rec.ID, rec.Graph, mine, err)
	}
	moved.ID, moved.Parent, moved.Base, moved.Namespace = rec.ID, rec.Parent, rec.Base, rec.Namespace
	return moved, nil
}

// originOf returns where the tasks of the record were made.
func originOf(rec Record) (origin, error) {
	for _, w := range rec.Writes {
		if w.Channel != carriedChannel {
			continue
		}
		var from origin
		if _, err := fmt.Sscanf(string(w.Data), "%d %d", &from.checkpoint, &from.step); err != nil {
			return from, fmt.Errorf("checkpoint %d: origin of its tasks: %w: %w", rec.ID, err, fault.ErrInvalid)
		}
		return from, nil
	}
	return origin{rec.ID, rec.Step}, nil
}

// replay rebuilds the state from a chain, newest first.
func (g *Graph[S]) replay(chain []Record, state *S, spares []spare) error {
	for _, rec := range slices.Backward(chain) {
		for _, w := range rec.Writes {
			switch w.Channel {
			case Start:
				g.forgetEphemeral(state)
				continue
			case carriedChannel:
				continue
			}
			c := g.schema.find(w.Channel)
			if c == nil {
				return fmt.Errorf("checkpoint %d has a channel %q, which the graph has not: %w", rec.ID, w.Channel, fault.ErrInvalid)
			}
			if rec.Snapshot {
				if err := c.restore(state, w.Data); err != nil {
					return fmt.Errorf("checkpoint %d: channel %s: %w: %w", rec.ID, c.name, err, fault.ErrInvalid)
				}
				continue
			}
			update, err := c.decode(w.Data)
			if err != nil {
				return fmt.Errorf("checkpoint %d: channel %s: %w: %w", rec.ID, c.name, err, fault.ErrInvalid)
			}
			c.reduce(state, &spares[c.index], &update)
		}
	}
	return nil
}

// decodeTasks reads the tasks of a record, and what they left.
func (g *Graph[S]) decodeTasks(rec Record) ([]task[S], error) {
	tasks := make([]task[S], len(rec.Tasks))
	for i, t := range rec.Tasks {
		at, ok := g.byName[t.Node]
		if !ok || at == goEnd {
			return nil, fmt.Errorf("checkpoint %d runs node %q next, which the graph has not: %w", rec.ID, t.Node, fault.ErrInvalid)
		}
		tasks[i].node = g.nodes[at]
		input, err := g.nodes[at].decodeInput(t.Input)
		if err != nil {
			return nil, fmt.Errorf("checkpoint %d: %w", rec.ID, err)
		}
		tasks[i].input = input
	}
	for _, w := range rec.Pending {
		if w.Task >= len(tasks) {
			return nil, fmt.Errorf("checkpoint %d has writes of task %d, which it has not: %w", rec.ID, w.Task, fault.ErrInvalid)
		}
		if err := g.decodeWrites(&tasks[w.Task], w); err != nil {
			return nil, fmt.Errorf("checkpoint %d: node %s: %w", rec.ID, tasks[w.Task].node.name, err)
		}
	}
	return tasks, nil
}

func (n *node[S]) decodeInput(data []byte) (any, error) {
	if n.decode == nil || len(data) == 0 {
		return nil, nil
	}
	input, err := n.decode(data)
	if err != nil {
		return nil, fmt.Errorf("input of node %s: %w: %w", n.name, err, fault.ErrInvalid)
	}
	return input, nil
}

func (g *Graph[S]) decodeWrites(t *task[S], w TaskWrites) error {
	t.done = w.Finished
	t.cmd.Goto = w.Goto
	for _, data := range w.Writes {
		c := g.schema.find(data.Channel)
		if data.Channel == aloneChannel {
			t.cmd.alone = true
			continue
		}
		if c == nil {
			return fmt.Errorf("channel %q, which the graph has not: %w", data.Channel, fault.ErrInvalid)
		}
		write, err := c.decode(data.Data)
		if err != nil {
			return fmt.Errorf("channel %s: %w: %w", c.name, err, fault.ErrInvalid)
		}
		t.cmd.Update = append(t.cmd.Update, write)
	}
	for _, s := range w.Sends {
		at, ok := g.byName[s.Node]
		if !ok || at == goEnd {
			return fmt.Errorf("a send to %q, which the graph has not: %w", s.Node, fault.ErrInvalid)
		}
		input, err := g.nodes[at].decodeInput(s.Input)
		if err != nil {
			return err
		}
		t.cmd.Sends = append(t.cmd.Sends, Send{Node: s.Node, Input: input})
	}
	return t.decodeTalk(w)
}

// decodeTalk is the reverse of encodeTalk.
func (t *task[S]) decodeTalk(w TaskWrites) error {
	for _, i := range w.Interrupts {
		interrupt := Interrupt{ID: i.ID, Node: i.Node}
		if err := decodeQuestion(i.Question, &interrupt); err != nil {
			return fmt.Errorf("question: %w: %w", err, fault.ErrInvalid)
		}
		t.talking().interrupts = append(t.talking().interrupts, interrupt)
		if i.Answer != nil {
			var answer any
			if err := json.Unmarshal(i.Answer, &answer); err != nil {
				return fmt.Errorf("answer: %w: %w", err, fault.ErrInvalid)
			}
			t.answer(i.ID, answer)
		}
	}
	for _, a := range w.Answers {
		var answer any
		if err := json.Unmarshal(a, &answer); err != nil {
			return fmt.Errorf("answer: %w: %w", err, fault.ErrInvalid)
		}
		t.talking().answers = append(t.talking().answers, answer)
	}
	return nil
}
