package graph

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"annai/fault"
)

// A Checkpoint is the state of a thread after a superstep, or after an input, and what runs next.
type Checkpoint[S any] struct {
	// ID counts from 1 on each thread. Parent is the checkpoint before it, 0 for none.
	ID, Parent int64
	// RunID is RunOptions.RunID of the run that wrote it, Step how many supersteps the thread has made, and At the time
	// by Options.Now.
	RunID  string
	Step   int
	Source Source
	At     time.Time
	State  S
	// Next are the nodes that run next, in task order; empty when the run ended.
	Next []string
	// Namespaces has, for each of Next, the namespace of its checkpoints if it is a subgraph, and "" if not; nil
	// without subgraphs, and in a [CheckpointEvent]. See [Graph.Inside].
	Namespaces []string
	// Interrupts are the questions that are open.
	Interrupts []Interrupt
}

// Any returns the checkpoint for programs that do not know the type of the state.
func (c Checkpoint[S]) Any() Checkpoint[any] {
	return Checkpoint[any]{
		ID: c.ID, Parent: c.Parent, RunID: c.RunID, Step: c.Step, Source: c.Source, At: c.At,
		State: c.State, Next: c.Next, Namespaces: c.Namespaces, Interrupts: c.Interrupts,
	}
}

// State returns a checkpoint of the thread, the newest for 0. A thread or checkpoint that does not exist is
// [fault.ErrNotFound].
func (g *Graph[S]) State(ctx context.Context, thread string, checkpoint int64) (Checkpoint[S], error) {
	r, rec, err := g.open(ctx, thread, checkpoint)
	if err != nil {
		return Checkpoint[S]{}, fmt.Errorf("state: %w", err)
	}
	defer r.release()
	return r.standing(rec), nil
}

// standing is where a run stands that was loaded from the record.
func (r *run[S]) standing(rec *Record) Checkpoint[S] {
	result := r.result()
	c := Checkpoint[S]{
		ID: rec.ID, Parent: rec.Parent, RunID: rec.RunID, Step: rec.Step, Source: rec.Source, At: rec.At,
		State: result.State, Next: result.Next, Interrupts: result.Interrupts,
	}
	for i := range r.tasks {
		if t := &r.tasks[i]; t.node.sub != nil {
			if c.Namespaces == nil {
				c.Namespaces = make([]string, len(r.tasks))
			}
			c.Namespaces[i] = r.info.subNamespace(t.node.name, r.origin, i)
		}
	}
	return c
}

// Inside returns the newest checkpoint of a subgraph, in a namespace of Checkpoint.Namespaces or of an [Event]. Each
// namespace has checkpoint ids of its own. A subgraph that has not begun, or does not exist, is [fault.ErrNotFound].
func (g *Graph[S]) Inside(ctx context.Context, thread, namespace string) (Checkpoint[any], error) {
	c, err := g.inside(ctx, g.opts.Checkpointer, thread, "", namespace)
	if err != nil {
		return c, fmt.Errorf("state of %q in thread %s: %w", namespace, thread, err)
	}
	return c, nil
}

// inside returns the newest checkpoint in a namespace, of which rest is below this graph's.
func (g *Graph[S]) inside(
	ctx context.Context, from Checkpointer, thread, namespace, rest string,
) (Checkpoint[any], error) {
	if rest != "" {
		label, below, _ := strings.Cut(rest, "|")
		name, _, _ := strings.Cut(label, ":")
		at, ok := g.byName[name]
		if !ok || at == goEnd || g.nodes[at].inside == nil {
			return Checkpoint[any]{}, fmt.Errorf("there is no graph inside called %q: %w", name, fault.ErrNotFound)
		}
		return g.nodes[at].inside(ctx, from, thread, strings.TrimPrefix(namespace+"|"+label, "|"), below)
	}
	if from == nil || thread == "" {
		return Checkpoint[any]{}, fmt.Errorf("no thread, or nobody who remembers: %w", fault.ErrInvalid)
	}
	r := g.newRun(RunOptions{ThreadID: thread}, &runInfo{
		checkpointer: from, durability: DurabilitySync, namespace: namespace,
	})
	rec, err := r.load(ctx)
	if err == nil && rec == nil {
		err = fault.ErrNotFound
	}
	if err != nil {
		return Checkpoint[any]{}, err
	}
	defer r.release()
	return r.standing(rec).Any(), nil
}

// Mark returns what tells the checkpoint from all others.
func (c Checkpoint[S]) Mark() Mark { return Mark{c.ID, c.At} }

// Newest returns the mark of the thread's newest checkpoint, or the zero Mark if there is none. It costs less than
// [Graph.State]. Whoever caches something of a thread can tell by it whether another process went on with the thread.
func (g *Graph[S]) Newest(ctx context.Context, thread string) (Mark, error) {
	if g.opts.Checkpointer == nil {
		return Mark{}, nil
	}
	newest, err := g.opts.Checkpointer.Newest(ctx, thread, "")
	if err != nil {
		return Mark{}, fmt.Errorf("newest checkpoint: %w", err)
	}
	return newest, nil
}

// open loads a checkpoint that must exist.
func (g *Graph[S]) open(ctx context.Context, thread string, checkpoint int64) (*run[S], *Record, error) {
	if g.opts.Checkpointer == nil {
		return nil, nil, fmt.Errorf("%s has no checkpointer: %w", g.opts.Name, fault.ErrInvalid)
	}
	if thread == "" {
		return nil, nil, fmt.Errorf("no thread is named: %w", fault.ErrInvalid)
	}
	r := g.newRun(RunOptions{ThreadID: thread, Checkpoint: checkpoint}, &runInfo{checkpointer: g.opts.Checkpointer, durability: DurabilitySync})
	rec, err := r.load(ctx)
	if err == nil && rec == nil {
		err = fmt.Errorf("thread %q: %w", thread, fault.ErrNotFound)
	}
	return r, rec, err
}

// HistoryOptions are the settings of [Graph.History] that have a default.
type HistoryOptions struct {
	// Before yields only checkpoints with smaller ids; 0: all.
	Before int64
	// Limit is how many are yielded at most; 0: all.
	Limit int
}

// History yields the checkpoints of a thread, newest first, those of all forks among them; of a thread that does not
// exist, none.
func (g *Graph[S]) History(ctx context.Context, thread string, opts HistoryOptions) iter.Seq2[Checkpoint[S], error] {
	return func(yield func(Checkpoint[S], error) bool) {
		if g.opts.Checkpointer == nil {
			yield(Checkpoint[S]{}, fmt.Errorf("history: %s has no checkpointer: %w", g.opts.Name, fault.ErrInvalid))
			return
		}
		const page = 100
		before := opts.Before
		for n := 0; opts.Limit == 0 || n < opts.Limit; {
			records, err := g.opts.Checkpointer.List(ctx, thread, "", before, page)
			if err != nil {
				yield(Checkpoint[S]{}, fmt.Errorf("history: %w", err))
				return
			}
			for _, rec := range records {
				c, err := g.State(ctx, thread, rec.ID)
				if !yield(c, err) || err != nil {
					return
				}
				before = rec.ID
				if n++; n == opts.Limit {
					return
				}
			}
			if len(records) < page {
				return
			}
		}
	}
}

// AsCopy makes [Graph.UpdateState], without an update, copy a checkpoint: a fork that goes on as the checkpoint would.
const AsCopy = "__copy__"

// UpdateState reduces an update into a checkpoint's state, the newest for 0, as if the node asNode, or [Start], had
// made it: what runs next is what follows that node; as [End], nothing runs next. With asNode empty, what runs next
// stays as it is, open interrupts included. It returns the id of the new checkpoint; if the old one was not the
// newest, that is a fork. Nothing runs yet: that takes a run with an empty [Input]. A thread, or checkpoint, that
// does not exist is [fault.ErrNotFound], a node that does not [fault.ErrInvalid].
func (g *Graph[S]) UpdateState(ctx context.Context, thread string, checkpoint int64, update Update[S], asNode string) (id int64, err error) {
	defer caught(&err)
	r, _, err := g.open(ctx, thread, checkpoint)
	if err != nil {
		return 0, fmt.Errorf("update state: %w", err)
	}
	r.epoch++
	if err := r.apply(0, update); err != nil {
		return 0, fmt.Errorf("update state: %w", err)
	}
	switch asNode {
	case AsCopy:
		if len(update) > 0 {
			return 0, fmt.Errorf("update state: a copy with an update: %w", fault.ErrInvalid)
		}
		asNode = ""
	case End:
		r.tasks, r.deferred = nil, nil
		clear(r.arrived)
	case "":
	default:
		if err := r.continueAfter(ctx, asNode); err != nil {
			return 0, fmt.Errorf("update state: %w", err)
		}
	}
	r.carried = asNode == ""
	r.step++
	r.unwritten = append(r.unwritten, update)
	g.live.take(thread)
	if err := r.log.put(ctx, r, SourceUpdate); err != nil {
		return 0, fmt.Errorf("update state: %w", err)
	}
	return r.log.head, nil
}

// continueAfter makes what follows the node run next.
func (r *run[S]) continueAfter(ctx context.Context, name string) error {
	n := r.g.start
	if name != Start {
		at, ok := r.g.byName[name]
		if !ok || at == goEnd {
			return fmt.Errorf("as node %q, which is none: %w", name, fault.ErrInvalid)
		}
		n = r.g.nodes[at]
	}
	next := r.collect()
	if err := next.after(ctx, n, new(Command[S])); err != nil {
		return err
	}
	r.tasks = next.tasks(nil)
	return nil
}

// Copy copies the thread from, with all its checkpoints and open interrupts, to a new thread; from then on the two are
// independent. If from does not exist the error is [fault.ErrNotFound], if to exists already [fault.ErrConflict].
func (g *Graph[S]) Copy(ctx context.Context, from, to string) error {
	switch {
	case g.opts.Checkpointer == nil:
		return fmt.Errorf("copy thread: %s has no checkpointer: %w", g.opts.Name, fault.ErrInvalid)
	case from == "" || to == "":
		return fmt.Errorf("copy thread: no thread is named: %w", fault.ErrInvalid)
	}
	if err := g.opts.Checkpointer.Copy(ctx, from, to); err != nil {
		return fmt.Errorf("copy thread %s: %w", from, err)
	}
	return nil
}

// KeepLatest deletes all checkpoints of a thread but the newest. Its finished tasks, open interrupts and the answers
// to some of them stay, those of subgraphs too. A run that is under way on the thread ends with [fault.ErrConflict]. A
// thread that does not exist is [fault.ErrNotFound].
func (g *Graph[S]) KeepLatest(ctx context.Context, thread string) error {
	r, rec, err := g.open(ctx, thread, 0)
	if err != nil {
		return fmt.Errorf("keep latest: %w", err)
	}
	defer r.release()
	var p page
	if err := g.snapshot(&p, &r.state, len(r.tasks) == 0); err != nil {
		return fmt.Errorf("keep latest of thread %s: %w", thread, err)
	}
	if r.origin.checkpoint != rec.ID {
		p.carried(r.origin)
	}
	kept := *rec
	kept.Parent, kept.Base, kept.LogBytes, kept.Snapshot = 0, rec.ID, 0, true
	kept.Graph, kept.Writes, kept.Pending = g.fingerprint, p.writes, nil
	var namespaces []string
	for i := range r.tasks {
		if t := &r.tasks[i]; t.node.sub != nil && !t.done {
			namespaces = append(namespaces, r.info.subNamespace(t.node.name, r.origin, i))
		}
	}
	g.live.take(thread)
	if err := g.opts.Checkpointer.Keep(ctx, thread, kept, namespaces); err != nil {
		return fmt.Errorf("keep latest of thread %s: %w", thread, err)
	}
	return nil
}

// Delete deletes a thread with all its checkpoints. One that does not exist is no error.
func (g *Graph[S]) Delete(ctx context.Context, thread string) error {
	if g.opts.Checkpointer == nil {
		return nil
	}
	g.live.take(thread)
	if err := g.opts.Checkpointer.Delete(ctx, thread); err != nil {
		return fmt.Errorf("delete thread %s: %w", thread, err)
	}
	return nil
}
