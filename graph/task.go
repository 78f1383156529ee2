package graph

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"annai/fault"
)

// origin is a checkpoint, one that is there or one that will be written, and its superstep.
type origin struct {
	checkpoint int64
	step       int
}

// task is one node in one superstep. It is small, because tasks are copied.
type task[S any] struct {
	node  *node[S]
	input any
	// talk is what the task asked and was answered; nil for one that never asked.
	talk *talk
	// done tasks have a command; those that are not wait for answers, or have not run. Fresh says that a run that writes when it ends has not written
	// yet what the task left.
	done, fresh bool
	cmd         Command[S] // that of a task before, until it has run
}

// renew makes a task of the node out of one that is over. Its command is that of the task before until it has run. Most other fields are empty
// already, and looking is cheaper than writing.
func (t *task[S]) renew(n *node[S]) {
	t.node, t.done, t.fresh = n, false, false
	if t.input != nil {
		t.input = nil
	}
	if t.talk != nil {
		t.talk = nil
	}
}

// left reports whether the task left something that a checkpoint must have beside it.
func (t *task[S]) left() bool {
	return t.done || len(t.said().interrupts) > 0 || len(t.said().answers) > 0
}

// taskID is what tells a task from all others of its thread, as 16 hexadecimal digits, and stays the same when it is run again. Salt makes
// others of it.
func (i *runInfo) taskID(thread string, from origin, index, salt int) string {
	h := fnv.New128a()
	for _, part := range []string{
		thread, i.namespace, strconv.FormatInt(from.checkpoint, 10), strconv.Itoa(from.step), strconv.Itoa(index), strconv.Itoa(salt),
	} {
		_, _ = h.Write([]byte(part))
		_, _ = h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func (r *run[S]) taskID(index, salt int) string {
	return r.info.taskID(r.info.thread, r.origin, index, salt)
}

// subNamespace is where a subgraph remembers that runs as a task. The thread is not in it, so that a copy of the thread finds it.
func (i *runInfo) subNamespace(node string, from origin, index int) string {
	name := node + ":" + i.taskID("", from, index, 0)
	if i.namespace != "" {
		name = i.namespace + "|" + name
	}
	return name
}

// runTask runs a task, keeps what came of it where the superstep has others, and tells listeners. It may run beside those of other tasks, and
// changes nothing but its own task.
func (r *run[S]) runTask(ctx context.Context, index int, tc *taskContext) error {
	t := &r.tasks[index]
	interrupts, err := r.call(ctx, index, tc)
	if err == nil {
		err = r.accept(index, interrupts)
	}
	switch {
	case r.log == nil:
	case err != nil && !t.reopen(err):
	case r.exits():
		t.fresh = true
	case (len(r.tasks) > 1 || !t.done) && t.cmd.Parent == nil:
		err = errors.Join(err, r.log.putWrites(ctx, r, index))
	}
	if r.info.stream != nil {
		r.emitTask(index, true, err)
	}
	return err
}

// call runs the node of a task until it succeeds or is not worth another attempt.
func (r *run[S]) call(ctx context.Context, index int, tc *taskContext) ([]Interrupt, error) {
	t := &r.tasks[index]
	n := t.node
	var key string
	if n.cache != nil {
		key = n.cache.key(&r.state, t.input)
		if cmd, ok := n.cache.get(key); ok {
			t.cmd = cmd
			return nil, nil
		}
	}
	for attempt := 1; ; attempt++ {
		// Field by field, since a whole one would be made elsewhere and copied.
		tc.Context, tc.run, tc.node, tc.talk = ctx, r.info, &n.name, t.talk
		tc.checkpoint, tc.made = r.origin.checkpoint, int32(r.origin.step)
		tc.step, tc.index, tc.attempt = int32(r.step+1), int32(index), int32(attempt)
		var interrupts []Interrupt
		var err error
		if n.opts.Timeout > 0 {
			interrupts, err = r.timed(tc, t) //nolint:contextcheck // tc wraps ctx
		} else {
			interrupts, err = invoke(tc, n, &r.state, t.input, &t.cmd) //nolint:contextcheck // tc wraps ctx
		}
		if err == nil {
			if n.cache != nil && len(interrupts) == 0 {
				n.cache.put(key, &t.cmd)
			}
			return interrupts, nil
		}
		t.cmd = Command[S]{}
		err = fmt.Errorf("node %s: %w", n.name, err)
		if !n.opts.Retry.again(attempt, err) {
			return nil, r.handle(ctx, t, exhausted(attempt, err))
		}
		if !n.opts.Retry.pause(ctx, attempt) {
			return nil, fmt.Errorf("%w; not tried again: %w", context.Cause(ctx), err)
		}
		tc = new(taskContext) // the attempt before may have kept its own
	}
}

// invoke calls the node. A panic becomes an error.
func invoke[S any](tc *taskContext, n *node[S], state *S, input any, cmd *Command[S]) (interrupts []Interrupt, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Node: n.name, Value: v, Stack: debug.Stack()}
		}
	}()
	if n.run != nil {
		*cmd, err = n.run(tc, *state)
		return nil, err
	}
	*cmd, interrupts, err = n.call(tc, *state, input)
	return interrupts, err
}

// heed is how long a node has to return once its context has ended.
const heed = time.Second

// timed calls a node that has its time. A node that does not heed its context is left behind some time after that is over: what it returns, and
// what it still says, is dropped. A subgraph does heed it, and is waited for.
func (r *run[S]) timed(tc *taskContext, t *task[S]) ([]Interrupt, error) {
	ctx, cancel := context.WithTimeout(tc.Context, t.node.opts.Timeout)
	defer cancel()
	tc.Context = ctx
	if t.node.sub != nil {
		return invoke(tc, t.node, &r.state, t.input, &t.cmd)
	}
	type outcome struct {
		cmd Command[S]
		err error
	}
	done := make(chan outcome, 1)
	n, state, input := t.node, r.state, t.input
	go func() {
		var o outcome
		_, o.err = invoke(tc, n, &state, input, &o.cmd)
		done <- o
	}()
	select {
	case o := <-done:
		t.cmd = o.cmd
		return nil, o.err
	case <-ctx.Done():
	}
	late := time.NewTimer(heed)
	defer late.Stop()
	select {
	case o := <-done:
		t.cmd = o.cmd
		return nil, o.err
	case <-late.C:
		return nil, fmt.Errorf("it did not heed its timeout and was left behind: %w", context.Cause(ctx))
	}
}

// accept looks whether the command makes sense, and takes it in.
func (r *run[S]) accept(index int, interrupts []Interrupt) error {
	t := &r.tasks[index]
	if t.node.opts.Writes != nil {
		if err := t.undeclared(); err != nil {
			return err
		}
	}
	if t.cmd.Parent != nil {
		if err := r.acceptParent(t); err != nil {
			return err
		}
	}
	if i := t.cmd.Interrupt; i != nil {
		if t.cmd.Update != nil || t.cmd.Goto != "" || t.cmd.Sends != nil {
			return fmt.Errorf("node %s asks and wants something else too: %w", t.node.name, fault.ErrInvalid)
		}
		id := r.taskID(index, 1+len(t.said().answers))
		interrupts = []Interrupt{{ID: id, Question: i.Question, ResponseSchema: i.ResponseSchema, Node: t.node.name}}
	}
	t.done = len(interrupts) == 0
	if t.done && t.talk == nil {
		return nil
	}
	if !t.done && r.log == nil {
		return fmt.Errorf("node %s asks, which needs a checkpointer and a thread: %w", t.node.name, fault.ErrInvalid)
	}
	talk := t.talking()
	talk.interrupts, talk.given = interrupts, nil
	return nil
}

// undeclared looks for a write that the node does not say it makes.
func (t *task[S]) undeclared() error {
	for _, w := range t.cmd.Update {
		if w.channel != nil && !slices.Contains(t.node.opts.Writes, w.channel.name) {
			return fmt.Errorf("node %s wrote %s, which is not among its Writes: %w", t.node.name, w.channel.name, fault.ErrInvalid)
		}
	}
	return nil
}

// acceptParent takes in a command to the graph around this one. It is not kept: should the process die before that graph keeps it, the
// task runs again.
func (r *run[S]) acceptParent(t *task[S]) error {
	c := &t.cmd
	switch {
	case r.info.namespace == "":
		return fmt.Errorf("node %s commands a parent, but the graph has none: %w", t.node.name, fault.ErrInvalid)
	case c.Update != nil || c.Goto != "" || c.Sends != nil || c.Interrupt != nil:
		return fmt.Errorf("node %s commands its parent and wants something else too: %w", t.node.name, fault.ErrInvalid)
	}
	return nil
}

// commanded looks whether a task of the superstep commanded the graph around this one.
func (r *run[S]) commanded() error {
	for i := range r.tasks {
		t := &r.tasks[i]
		switch {
		case !t.done || t.cmd.Parent == nil:
		case r.parent != nil:
			return fmt.Errorf("node %s commands the parent in the same superstep as another node: %w", t.node.name, fault.ErrInvalid)
		default:
			r.parent = t.cmd.Parent
		}
	}
	return nil
}
