package graph

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"strconv"
	"sync"

	"annai/internal/fault"
)

// PanicError is the error of a task whose node panicked.
type PanicError struct {
	Node  string
	Value any
	Stack []byte
}

// Error says which node panicked, without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("node %s panicked: %v", e.Node, e.Value) }

// taskID is what tells a task from all others of its thread, as 16 hexadecimal digits, and stays the same when it is run again. Salt makes
// others of it.
func (i *runInfo) taskID(checkpoint int64, step, index, salt int) string {
	h := fnv.New128a()
	for _, part := range []string{
		i.thread, i.namespace, strconv.FormatInt(checkpoint, 10), strconv.Itoa(step), strconv.Itoa(index), strconv.Itoa(salt),
	} {
		_, _ = h.Write([]byte(part))
		_, _ = h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func (r *run[S]) taskID(index, salt int) string {
	return r.info.taskID(r.origin, r.step+1, index, salt)
}

// runTasks runs the tasks of the superstep that are neither done nor waiting. It returns the error of the first one, in task order,
// that failed by itself; those that finished are kept.
func (r *run[S]) runTasks(ctx context.Context) error {
	todo := r.todo[:0]
	for i := range r.tasks {
		if t := &r.tasks[i]; !t.done && len(t.unanswered()) == 0 {
			todo = append(todo, i)
		}
	}
	r.todo = todo
	for _, i := range todo {
		r.emitTask(i, false, nil)
	}
	if len(todo) == 1 && !r.em.live(r.namespace) {
		return r.finish(ctx, todo[0], r.call(ctx, todo[0], r.em))
	}
	return r.runWorkers(ctx, todo)
}

var errSibling = errors.New("another task of the superstep failed")

// runWorkers runs the tasks side by side. This goroutine takes their results and brings their events out.
func (r *run[S]) runWorkers(ctx context.Context, todo []int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		workers sync.WaitGroup
		queue   = make(chan int, len(todo))
		results = make(chan outcome, len(todo))
		events  = make(chan Event, 16)
		em      = r.workerEmitter(ctx, events)
	)
	for _, i := range todo {
		queue <- i
	}
	close(queue)
	for range min(len(todo), orDefault(r.opts.MaxConcurrency, r.g.opts.MaxConcurrency)) {
		workers.Go(func() {
			for i := range queue {
				if ctx.Err() != nil {
					results <- outcome{index: i, err: context.Cause(ctx)}
					continue
				}
				results <- r.call(ctx, i, em)
			}
		})
	}
	defer workers.Wait()

	failed := make([]error, len(r.tasks))
	for pending := len(todo); pending > 0; {
		select {
		case e := <-events:
			r.em.send(e)
		case o := <-results:
			pending--
			r.drain(events)
			if failed[o.index] = r.finish(ctx, o.index, o); failed[o.index] != nil {
				cancel(errSibling)
			}
		}
	}
	return firstOf(failed)
}

// drain brings out what is waiting, so that a task's last words come before its end.
func (r *run[S]) drain(events <-chan Event) {
	for {
		select {
		case e := <-events:
			r.em.send(e)
		default:
			return
		}
	}
}

func firstOf(failed []error) error {
	var sibling error
	for _, err := range failed {
		switch {
		case err == nil:
		case errors.Is(err, errSibling):
			sibling = err
		default:
			return err
		}
	}
	return sibling
}

// workerEmitter hands events to the run's goroutine, or drops them once the run is cancelled.
func (r *run[S]) workerEmitter(ctx context.Context, events chan<- Event) *emitter {
	if r.em == nil {
		return nil
	}
	return &emitter{modes: r.em.modes, subgraphs: r.em.subgraphs, sink: func(e Event) bool {
		select {
		case events <- e:
		case <-ctx.Done():
		}
		return true
	}}
}

// outcome is what came of a task beside its command, which is in the task.
type outcome struct {
	index      int
	interrupts []Interrupt
	err        error
}

// call runs a task until it succeeds or is not worth another attempt. It may run beside those of other tasks, and touches no other.
func (r *run[S]) call(ctx context.Context, index int, em *emitter) outcome {
	t := &r.tasks[index]
	key := t.node.cache.key(&r.state, t.input)
	if cmd, ok := t.node.cache.get(key); ok {
		t.cmd = cmd
		return outcome{index: index}
	}
	for attempt := 1; ; attempt++ {
		o := r.attempt(ctx, index, attempt, em)
		switch {
		case o.err == nil:
			if len(o.interrupts) == 0 {
				t.node.cache.put(key, &t.cmd)
			}
			return o
		case !t.node.opts.Retry.again(ctx, attempt, o.err) || !t.node.opts.Retry.pause(ctx, attempt):
			o.err = exhausted(attempt, o.err)
			r.handle(ctx, t, &o)
			return o
		}
	}
}

// attempt runs the node of a task once. A panic becomes an error.
func (r *run[S]) attempt(ctx context.Context, index, attempt int, em *emitter) (o outcome) {
	t := &r.tasks[index]
	n := t.node
	o.index = index
	defer func() {
		if v := recover(); v != nil {
			o = outcome{index: index, err: &PanicError{Node: n.name, Value: v, Stack: debug.Stack()}}
		}
	}()
	if n.opts.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, n.opts.Timeout)
		defer cancel()
	}
	tc := &taskContext{
		Context: ctx, run: r.info, emitter: em, node: n.name, talk: t.talk,
		checkpoint: r.origin, step: r.step + 1, index: index, attempt: attempt,
	}
	t.cmd, o.interrupts, o.err = n.call(tc, r.state, t.input) //nolint:contextcheck // tc wraps ctx
	if o.err != nil {
		t.cmd = Command[S]{}
		o.err = fmt.Errorf("node %s: %w", n.name, o.err)
	}
	return o
}

// finish takes in what came of a task, keeps it where the superstep has others, and tells listeners.
func (r *run[S]) finish(ctx context.Context, index int, o outcome) error {
	t := &r.tasks[index]
	err := o.err
	if err == nil {
		err = r.accept(index, o)
	}
	if err == nil && r.log != nil && !r.exits() && (len(r.tasks) > 1 || !t.done) && t.cmd.Parent == nil {
		// What a task did must not be lost because a sibling failed and ended the context.
		err = r.log.putWrites(context.WithoutCancel(ctx), r, index)
	}
	r.emitTask(index, true, err)
	return err
}

// accept looks whether the command makes sense, and takes it in.
func (r *run[S]) accept(index int, o outcome) error {
	t := &r.tasks[index]
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
		o.interrupts = []Interrupt{{ID: id, Question: i.Question, Node: t.node.name}}
	}
	t.done = len(o.interrupts) == 0
	if t.done && t.talk == nil {
		return nil
	}
	if !t.done && r.log == nil {
		return fmt.Errorf("node %s asks, which needs a checkpointer and a thread: %w", t.node.name, fault.ErrInvalid)
	}
	talk := t.talking()
	talk.interrupts, talk.given, talk.resume = o.interrupts, nil, nil
	return nil
}

// acceptParent takes in a command to the graph around this one. It is not kept: should the process die before that graph keeps it, the
// task runs again.
func (r *run[S]) acceptParent(t *task[S]) error {
	c := &t.cmd
	switch {
	case r.namespace == "":
		return fmt.Errorf("node %s commands a parent, but the graph has none: %w", t.node.name, fault.ErrInvalid)
	case c.Update != nil || c.Goto != "" || c.Sends != nil || c.Interrupt != nil:
		return fmt.Errorf("node %s commands its parent and wants something else too: %w", t.node.name, fault.ErrInvalid)
	case r.parent != nil:
		return fmt.Errorf("node %s commands the parent in the same superstep as another node: %w", t.node.name, fault.ErrInvalid)
	}
	r.parent = c.Parent
	return nil
}
