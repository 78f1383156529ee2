package graph

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"annai/fault"
)

// run is one execution of a graph: the state, and the tasks of the superstep that is next.
type run[S any] struct {
	g    *Graph[S]
	opts RunOptions
	// thread is what remembers, log its log; nil where nothing does.
	thread *liveThread[S]
	log    *threadLog[S]
	info   *runInfo

	// underway says that the run has begun; continued that its next superstep is one that it was begun with. Err is how it failed. A broken run
	// panicked outside of its nodes: its room is not used again.
	underway, continued, broken bool
	err                         error

	state  S
	spares []spare // per channel
	tasks  []task[S]
	// origin is where the tasks were made; what they ask and their subgraphs are known by it.
	origin origin
	// ahead says that there were supersteps since the last checkpoint; carried that the next one has the tasks of the one before.
	ahead, carried bool
	// unwritten are the updates since the last checkpoint. A torn state has others in it, of a superstep that could not be ended.
	unwritten []Update[S]
	torn      bool
	// began says that it is not written yet that a run began, without what was ephemeral.
	began bool
	// base is the state with which a subgraph began that remembers; nil for an empty one.
	base *S
	// parent is what a task wants of the graph around this one.
	parent *ParentCommand
	// arrived are the sources that reached each join, deferred the nodes that wait until nothing else is left.
	arrived  [][]string
	deferred []int
	// step counts the supersteps of the thread.
	step int

	bookkeeping[S]
}

// bookkeeping is a run's room that the next run uses again.
type bookkeeping[S any] struct {
	// epoch counts the supersteps of all runs that used this room. Per channel, written is who wrote it last; per node, queued is the epoch
	// whose end put it among the next tasks.
	epoch   int
	written []writer
	queued  []int
	// spare holds the tasks of the step before; most is how many tasks there were at most.
	spare  []task[S]
	most   int
	queue  queue[S]
	todo   []int
	undo   []arrival
	recent []string
	page   page
	// room is for the next thread.
	room *liveThread[S]
}

// writer is a task of a superstep.
type writer struct{ epoch, task int }

func (g *Graph[S]) newRun(opts RunOptions, info *runInfo) *run[S] {
	r, ok := g.pool.Get().(*run[S])
	if !ok {
		r = &run[S]{g: g, bookkeeping: bookkeeping[S]{written: make([]writer, len(g.channels)), queued: make([]int, len(g.nodes))}}
		r.queue.run = r
	}
	r.restart(opts, info)
	return r
}

// restart makes the run one that has done nothing yet.
func (r *run[S]) restart(opts RunOptions, info *runInfo) {
	g := r.g
	if r.spares == nil {
		r.spares = make([]spare, len(g.channels))
	}
	if r.arrived == nil && len(g.joins) > 0 {
		r.arrived = make([][]string, len(g.joins))
	}
	info.thread, info.run, info.context = opts.ThreadID, opts.RunID, opts.Context
	info.limit, info.now = orDefault(opts.RecursionLimit, g.opts.RecursionLimit), g.opts.Now
	info.contexts, info.more = info.few[:], 16
	if info.store = opts.Store; info.store == nil {
		info.store = g.opts.Store
	}
	if opts.Durability != "" {
		info.durability = opts.Durability
	}
	if opts.InterruptBefore == nil {
		opts.InterruptBefore = g.opts.InterruptBefore
	}
	if opts.InterruptAfter == nil {
		opts.InterruptAfter = g.opts.InterruptAfter
	}
	if info.namespace == "" && info.watch == nil {
		info.watch = watches(g.opts, opts)
	}
	r.opts, r.info = opts, info
	if info.checkpointer != nil && opts.ThreadID != "" {
		if r.room == nil {
			r.room = new(liveThread[S])
		}
		r.thread, r.room = r.room, nil
		r.log = &r.thread.log
		r.log.checkpointer, r.log.thread, r.log.namespace, r.log.graph = info.checkpointer, opts.ThreadID, info.namespace, g
		if r.exits() && info.namespace == "" {
			info.checkpointer = &held{Checkpointer: info.checkpointer}
		}
	}
}

// release gives the run's room to the next one. Nobody else knows the run any more: what it handed out are copies.
func (r *run[S]) release() {
	r.forget()
	r.g.pool.Put(r)
}

// forget empties the run.
func (r *run[S]) forget() {
	if r.thread != nil {
		r.reuse(r.thread)
	}
	clear(r.spares)
	clear(r.arrived)
	clear(r.tasks[:min(r.most, cap(r.tasks))])
	clear(r.spare[:min(r.most, cap(r.spare))])
	clear(r.unwritten)
	clear(r.undo)
	r.most, r.tasks, r.spare, r.unwritten, r.undo, r.recent = 0, r.tasks[:0], r.spare[:0], r.unwritten[:0], r.undo[:0], r.recent[:0]
	var empty S
	r.opts, r.info, r.thread, r.log, r.state, r.base, r.parent = RunOptions{}, nil, nil, nil, empty, nil, nil
	r.underway, r.continued, r.err = false, false, nil
	r.torn, r.began, r.ahead, r.carried, r.origin, r.step, r.deferred = false, false, false, false, origin{}, 0, r.deferred[:0]
}

// advance makes the next piece of the run: what comes before the first superstep, or a superstep. It reports whether that was the last: the
// run ended, asks, pauses or failed, and what was not written yet is.
func (r *run[S]) advance(ctx context.Context, in Input[S]) (over bool) {
	defer func() {
		if v := recover(); v != nil {
			over, r.broken, r.err = true, true, &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	if !r.underway {
		r.underway = true
		if r.continued, r.err = r.begin(ctx, in); r.err != nil {
			return true
		}
	} else if r.info.watch != nil {
		over, r.err = r.observedStep(ctx)
	} else {
		over, r.err = r.superstep(ctx)
	}
	if !over && r.err == nil && len(r.tasks) > 0 {
		return false
	}
	if r.log != nil {
		r.settle(ctx)
	}
	return true
}

// settle writes what is not written yet.
func (r *run[S]) settle(ctx context.Context) {
	if r.exits() {
		r.err = errors.Join(r.err, r.flush(ctx))
	}
	r.err = errors.Join(r.err, r.log.wait())
}

// conclude returns how the run ended, and gives its room to the next one.
func (r *run[S]) conclude() (Result[S], error) {
	result, err, name, watch := r.result(), r.err, r.g.opts.Name, r.info.watch
	if err == nil {
		r.leave()
	}
	if !r.broken {
		r.release()
	}
	if err != nil {
		err = fmt.Errorf("run %s: %w", name, err)
	}
	if watch != nil {
		watch.end(Outcome{Err: err, Interrupts: result.Interrupts})
	}
	return result, err
}

// superstep runs the tasks and finds what runs next. Over says that the run asks or pauses.
func (r *run[S]) superstep(ctx context.Context) (over bool, err error) {
	if err := r.mayStep(ctx); err != nil {
		return true, err
	}
	if !r.continued && pauses(r.opts.InterruptBefore, r.tasks) {
		return true, nil
	}
	r.continued = false
	if err := r.runTasks(ctx); err != nil {
		return true, err
	}
	if r.info.namespace != "" {
		if err := r.commanded(); err != nil {
			return true, err
		}
	}
	if r.waits() || r.parent != nil {
		return true, nil
	}
	ended := r.tasks
	if err := r.endStep(ctx); err != nil {
		return true, err
	}
	return pauses(r.opts.InterruptAfter, ended) && len(r.tasks) > 0, nil
}

// checkpoint writes where the run is, or leaves it for the end.
func (r *run[S]) checkpoint(ctx context.Context, source Source) error {
	if r.exits() {
		r.origin, r.ahead = origin{r.log.newest + 1, r.step, r.log.newest + 1}, true
		return nil
	}
	return r.log.put(ctx, r, source)
}

func (r *run[S]) mayStep(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("before step %d: %w", r.step+1, context.Cause(ctx))
	}
	left := r.info.limit - (r.step - r.info.first)
	if left <= 8 {
		for _, t := range r.tasks {
			r.recent = append(r.recent, t.node.name)
		}
	}
	if left > 0 {
		return nil
	}
	slices.Sort(r.recent)
	return fmt.Errorf("no end after %d supersteps; these run over and over: %s: %w",
		r.info.limit, strings.Join(slices.Compact(r.recent), ", "), fault.ErrInvalid)
}

// waits reports whether a task of the superstep is not done.
func (r *run[S]) waits() bool {
	for i := range r.tasks {
		if !r.tasks[i].done {
			return true
		}
	}
	return false
}

func pauses[S any](at []string, tasks []task[S]) bool { return len(at) > 0 && anyAt(at, tasks) }

func anyAt[S any](at []string, tasks []task[S]) bool {
	return slices.ContainsFunc(tasks, func(t task[S]) bool { return slices.Contains(at, t.node.name) })
}

// endStep reduces what the tasks wrote, in task order, finds what runs next, and makes a checkpoint of it.
func (r *run[S]) endStep(ctx context.Context) (err error) {
	defer caught(&err)
	r.epoch++
	r.torn = true
	for i := range r.tasks {
		t := &r.tasks[i]
		if err := r.apply(i, t.cmd.Update); err != nil {
			return fmt.Errorf("node %s: %w", t.node.name, err)
		}
	}
	next := r.collect()
	if err := r.follow(ctx, next); err != nil {
		return err
	}
	r.step++
	r.torn = false
	ended := r.tasks
	r.tasks = next.tasks(r.spare[:0])
	r.spare = ended
	if r.log != nil {
		for i := range ended {
			r.unwritten = append(r.unwritten, ended[i].cmd.Update)
		}
		if err := r.checkpoint(ctx, SourceLoop); err != nil {
			return err
		}
	}
	if r.info.stream != nil {
		r.emitStep(ended)
	}
	return nil
}

// follow collects what comes after the tasks. If that fails, what waits at joins is as it was.
func (r *run[S]) follow(ctx context.Context, next *queue[S]) error {
	r.undo = r.undo[:0]
	deferred := len(r.deferred) // it only grows here
	for i := range r.tasks {
		t := &r.tasks[i]
		if err := next.after(ctx, t.node, &t.cmd); err != nil {
			for _, a := range slices.Backward(r.undo) {
				r.arrived[a.join] = a.before
			}
			r.deferred = r.deferred[:deferred]
			return fmt.Errorf("after node %s: %w", t.node.name, err)
		}
	}
	return nil
}

// apply reduces one task's update into the state.
func (r *run[S]) apply(task int, update Update[S]) error {
	for i := range update {
		w := &update[i]
		c := w.channel
		if c == nil || c.schema != r.g.schema || c.index >= len(r.written) {
			return fmt.Errorf("a write to a channel that is not of this graph's state: %w", fault.ErrInvalid)
		}
		mark := &r.written[c.index]
		if c.exclusive && mark.epoch == r.epoch && mark.task != task {
			return fmt.Errorf("channel %s was written by another node in the same superstep; it keeps one value, so declare a reducer: %w",
				c.name, fault.ErrInvalid)
		}
		*mark = writer{epoch: r.epoch, task: task}
		c.reduce(&r.state, &r.spares[c.index], w)
	}
	return nil
}

func (r *run[S]) result() Result[S] {
	result := Result[S]{State: r.state, Steps: r.step - r.info.first}
	if r.log != nil {
		result.Checkpoint, result.At = r.log.head, r.log.at
	}
	for i := range r.tasks {
		t := &r.tasks[i]
		result.Next = append(result.Next, t.node.name)
		result.Interrupts = append(result.Interrupts, t.unanswered()...)
	}
	return result
}
