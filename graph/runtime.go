package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"annai/fault"
)

// A Runtime is what a task can know of its run. See [RuntimeOf].
type Runtime struct {
	// ThreadID and RunID are those of [RunOptions], Node is the node's name.
	ThreadID, RunID string
	Node            string
	// Step counts the supersteps of the thread, from 1; RemainingSteps is how many more the run may make after this
	// one. A subgraph counts its own, and may make no more than remain to the graph around it.
	Step, RemainingSteps int
	// Attempt counts the attempts of [Retry], from 1. When a later run goes on with the task it begins at 1 again.
	Attempt int
	// Now is the graph's clock, Options.Now; nil where it has none.
	Now func() time.Time
	// Store keeps items across threads: RunOptions.Store or Options.Store, nil where there is neither.
	Store Store
}

// runInfo is what all tasks of a run have in common.
type runInfo struct {
	thread, run, namespace string
	// context is RunOptions.Context.
	context any
	store   Store
	// checkpointer is what subgraphs remember with; nil: nothing. They do it when the outermost graph does.
	checkpointer Checkpointer
	durability   Durability
	// forks says that the run goes on from a checkpoint that is not the newest: subgraphs that ended after it run
	// again.
	forks bool
	// limit is how many supersteps the run may make, first the thread's when it began.
	limit, first int
	now          func() time.Time
	stream       *stream
	// watch is what callbacks hear; nil where there are none.
	watch *watch
	// contexts are there for tasks to come: made several at a time, the first few with the run, and never used twice,
	// since a node may keep its own.
	contexts []taskContext
	more     int
	few      [4]taskContext
}

// taskContexts returns room for the contexts of n tasks.
func (i *runInfo) taskContexts(n int) []taskContext {
	if len(i.contexts) < n {
		i.contexts = make([]taskContext, max(n, i.more))
		i.more = min(2*i.more, 128)
	}
	out := i.contexts[:n:n]
	i.contexts = i.contexts[n:]
	return out
}

// taskContext is the context a node gets: the run's, and what the task may know and do.
type taskContext struct {
	context.Context

	run *runInfo
	// node is the node's name. A pointer is half a text.
	node *string
	// talk has the answers to the task's own interrupts, and to those of its subgraph; nil where there are none.
	talk *talk
	// home and made are of the task's origin, step and index its place in the thread.
	home                       int64
	made, step, index, attempt int32
}

type taskKey struct{}

// Value finds the task itself before what the run's context has.
func (c *taskContext) Value(key any) any {
	if key == (taskKey{}) {
		return c
	}
	return c.Context.Value(key)
}

func taskOf(ctx context.Context) *taskContext {
	c, _ := ctx.Value(taskKey{}).(*taskContext)
	return c
}

// RuntimeOf returns the Runtime of the node that was called with ctx, or with a context that ctx is derived from;
// outside of a node the zero Runtime.
func RuntimeOf(ctx context.Context) Runtime {
	c := taskOf(ctx)
	if c == nil {
		return Runtime{}
	}
	return Runtime{
		ThreadID: c.run.thread, RunID: c.run.run, Node: *c.node,
		Step: int(c.step), RemainingSteps: c.run.limit - (int(c.step) - c.run.first), Attempt: int(c.attempt),
		Now: c.run.now, Store: c.run.store,
	}
}

// RunContext returns RunOptions.Context of the run of ctx, and whether there is one of type T.
func RunContext[T any](ctx context.Context) (T, bool) {
	if c := taskOf(ctx); c != nil {
		v, ok := c.run.context.(T)
		return v, ok
	}
	var none T
	return none, false
}

// Answer decodes the answer to the task's n-th interrupt, counted from 0, into what reply points to, as JSON is, and
// reports whether there is one yet. A node that gets false asks, by returning an [Interrupt]; once that is answered the
// node runs again, from its beginning. An answer that does not fit what reply points to is [fault.ErrInvalid]; a node
// that returns this error ends the run, and the question is open again.
func Answer(ctx context.Context, n int, reply any) (bool, error) {
	c := taskOf(ctx)
	if c == nil || c.talk == nil || n < 0 || n >= len(c.talk.answers) {
		return false, nil
	}
	data, err := json.Marshal(c.talk.answers[n])
	if err == nil {
		err = json.Unmarshal(data, reply)
	}
	if err == nil {
		return true, nil
	}
	err = fmt.Errorf("answer %d of node %s: %w: %w", n, *c.node, err, fault.ErrInvalid)
	if asked := c.talk.asked; asked.ID != "" && n == len(c.talk.answers)-1 {
		err = &wrongAnswerError{err, asked.ID}
	}
	return false, err
}

// WriteCustom streams v as a [CustomEvent], if [ModeCustom] is selected. It is safe for concurrent use, by goroutines
// that the node waits for.
func WriteCustom(ctx context.Context, v any) {
	if stream, at := listener(ctx, ModeCustom); stream != nil {
		stream.send(CustomEvent{at, v})
	}
}

// WriteMessage streams v, a message or a piece of one, as a [MessageEvent], if [ModeMessages] is selected. It is safe
// for concurrent use, as [WriteCustom] is.
func WriteMessage(ctx context.Context, v any) {
	if stream, at := listener(ctx, ModeMessages); stream != nil {
		stream.send(MessageEvent{at, v})
	}
}

// listener returns who listens for what the task says, and where it is; nil if nobody does, or the task was told to
// end: nobody waits for what it says then.
func listener(ctx context.Context, mode Mode) (*stream, Place) {
	c := taskOf(ctx)
	if c == nil || !c.run.stream.wants(mode, c.run.namespace) || c.Err() != nil {
		return nil, Place{}
	}
	return c.run.stream, Place{Namespace: c.run.namespace, Step: int(c.step), Node: *c.node}
}
