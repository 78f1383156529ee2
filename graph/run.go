package graph

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"annai/internal/fault"
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
}

// origin is a checkpoint, one that is there or one that will be written, and its superstep.
type origin struct {
	checkpoint int64
	step       int
}

// writer is a task of a superstep.
type writer struct{ epoch, task int }

// task is one node in one superstep. It is small, because tasks are copied.
type task[S any] struct {
	node  *node[S]
	input any
	// talk is what the task asked and was answered; nil for one that never asked.
	talk *talk
	// done tasks have a command; those that are not wait for answers, or have not run.
	done bool
	cmd  Command[S] // that of a task before, until it has run
}

// renew makes a task of the node out of one that is over. Its command is that of the task before until it has run. Most other fields are empty
// already, and looking is cheaper than writing.
func (t *task[S]) renew(n *node[S]) {
	t.node, t.done = n, false
	if t.input != nil {
		t.input = nil
	}
	if t.talk != nil {
		t.talk = nil
	}
}

// talk is what a task asked and was answered.
type talk struct {
	// answers are to the task's own interrupts, in order; resume to those of its subgraph.
	answers []any
	resume  map[string]any
	// interrupts are open; given are the answers to some of them, kept because others are open.
	interrupts []Interrupt
	given      map[string]any
}

// said is the task's talk to be read.
func (t *task[S]) said() talk {
	if t.talk == nil {
		return talk{}
	}
	return *t.talk
}

// talking is the task's talk to be added to.
func (t *task[S]) talking() *talk {
	if t.talk == nil {
		t.talk = new(talk)
	}
	return t.talk
}

// unanswered lists the interrupts that have no answer yet.
func (t *task[S]) unanswered() []Interrupt {
	said := t.said()
	if len(said.given) == 0 {
		return said.interrupts
	}
	return slices.DeleteFunc(slices.Clone(said.interrupts), func(i Interrupt) bool { _, ok := said.given[i.ID]; return ok })
}

// left reports whether the task left something that a checkpoint must have beside it.
func (t *task[S]) left() bool {
	return t.done || len(t.said().interrupts) > 0 || len(t.said().answers) > 0
}

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
	r.opts, r.info = opts, info
	if info.checkpointer != nil && opts.ThreadID != "" {
		r.thread = &liveThread[S]{log: threadLog[S]{checkpointer: info.checkpointer, thread: opts.ThreadID, namespace: info.namespace, graph: g}}
		r.log = &r.thread.log
	}
}

// release gives the run's room to the next one. Nobody else knows the run any more: what it handed out are copies.
func (r *run[S]) release() {
	r.forget()
	r.g.pool.Put(r)
}

// forget empties the run.
func (r *run[S]) forget() {
	clear(r.spares)
	clear(r.arrived)
	clear(r.tasks[:min(r.most, cap(r.tasks))])
	clear(r.spare[:min(r.most, cap(r.spare))])
	clear(r.unwritten)
	clear(r.undo)
	r.most, r.tasks, r.spare, r.unwritten, r.undo, r.recent = 0, r.tasks[:0], r.spare[:0], r.unwritten[:0], r.undo[:0], r.recent[:0]
	var empty S
	r.opts, r.info, r.thread, r.log, r.state, r.parent = RunOptions{}, nil, nil, nil, empty, nil
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
	result, err, name := r.result(), r.err, r.g.opts.Name
	if err == nil {
		r.leave()
	}
	if !r.broken {
		r.release()
	}
	if err != nil {
		return result, fmt.Errorf("run %s: %w", name, err)
	}
	return result, nil
}

// exits reports whether the run writes only when it ends.
func (r *run[S]) exits() bool { return r.log != nil && r.info.durability == DurabilityExit }

// flush writes one checkpoint of where the run is. A subgraph that is done leaves nothing, since its result is its task's.
func (r *run[S]) flush(ctx context.Context) error {
	if r.info.namespace != "" && (len(r.tasks) == 0 || r.parent != nil) {
		return nil
	}
	if r.ahead || len(r.unwritten) > 0 {
		if err := r.log.put(ctx, r, SourceLoop); err != nil {
			return err
		}
	}
	for i := range r.tasks {
		if t := &r.tasks[i]; t.left() {
			if err := r.log.putWrites(ctx, r, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// superstep runs the tasks and finds what runs next. Over says that the run asks or pauses.
func (r *run[S]) superstep(ctx context.Context) (over bool, err error) {
	if err := r.mayStep(ctx); err != nil {
		return true, err
	}
	if !r.continued && pauses(r.g.opts.InterruptBefore, r.tasks) {
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
	return pauses(r.g.opts.InterruptAfter, ended) && len(r.tasks) > 0, nil
}

// begin brings the run to where its first superstep can start, and reports whether it continues an unfinished one.
func (r *run[S]) begin(ctx context.Context, in Input[S]) (continued bool, err error) {
	if r.info.namespace != "" {
		return r.beginNested(ctx, in)
	}
	if in.Resume != nil && (in.Update != nil || in.Goto != "") {
		return false, fmt.Errorf("an input either resumes or starts anew: %w", fault.ErrInvalid)
	}
	found, lived := false, false
	if r.log != nil {
		if found, lived, err = r.wake(ctx, in); err != nil {
			return false, err
		}
	}
	r.info.first = r.step
	if in.Resume != nil {
		if !found {
			return false, fmt.Errorf("nothing to resume on thread %q: %w", r.opts.ThreadID, fault.ErrNotFound)
		}
		return true, r.resume(ctx, in.Resume)
	}
	if in.empty() && len(r.tasks) > 0 {
		return true, nil
	}
	err = r.start(ctx, in)
	if lived && errors.Is(err, fault.ErrConflict) { // another process wrote meanwhile: what was kept of the thread is old
		opts, info := r.opts, r.info
		r.forget()
		r.restart(opts, info)
		r.underway = true
		return r.begin(ctx, in)
	}
	return false, err
}

// beginNested begins a subgraph, or continues it where it stood when its task did not come to its end: with the answers to what it asked, or
// without any, if it failed or the process died. One that had ended has nothing left to do.
func (r *run[S]) beginNested(ctx context.Context, in Input[S]) (continued bool, err error) {
	var rec *Record
	if r.log != nil {
		if rec, err = r.load(ctx); err != nil {
			return false, err
		}
	}
	r.info.first = r.step
	switch {
	case rec == nil:
		return false, r.start(ctx, Input[S]{Update: in.Update})
	case in.Resume != nil:
		return true, r.resume(ctx, in.Resume)
	default:
		return true, nil
	}
}

// wake brings the run to where its thread stands; lived says that it was kept in memory. What is kept may be old, which shows when a new
// input is written. Whoever goes on with what was left open needs the checkpoint itself.
func (r *run[S]) wake(ctx context.Context, in Input[S]) (found, lived bool, err error) {
	if r.opts.Checkpoint == 0 && in.Resume == nil && !in.empty() {
		if t := r.g.live.take(r.opts.ThreadID); t != nil {
			r.adopt(t)
			return true, true, nil
		}
	}
	rec, err := r.load(ctx)
	return rec != nil, false, err
}

// start reduces the input into the state and takes the first steps.
func (r *run[S]) start(ctx context.Context, in Input[S]) (err error) {
	defer caught(&err)
	clear(r.arrived)
	r.deferred = r.deferred[:0]
	r.g.forgetEphemeral(&r.state)
	r.began = true
	r.epoch++
	if err := r.apply(0, in.Update); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	next := r.collect()
	if in.Goto != "" {
		if err := next.name(in.Goto); err != nil {
			return err
		}
	} else if err := next.after(ctx, r.g.start, new(Command[S])); err != nil {
		return err
	}
	r.tasks = next.tasks(r.tasks[:0])
	if r.log != nil {
		if in.Update != nil {
			r.unwritten = append(r.unwritten, in.Update)
		}
		if err := r.checkpoint(ctx, SourceInput); err != nil {
			return err
		}
	}
	if r.info.stream != nil {
		r.emitCheckpoint(SourceInput)
		r.emitValues()
	}
	return nil
}

// checkpoint writes where the run is, or leaves it for the end.
func (r *run[S]) checkpoint(ctx context.Context, source Source) error {
	if r.exits() {
		r.origin, r.ahead = origin{r.log.newest + 1, r.step}, true
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

// emitStep tells what a superstep's tasks wrote, and what came of it.
func (r *run[S]) emitStep(ended []task[S]) {
	if r.wants(ModeUpdates) {
		for i := range ended {
			r.emit(ModeUpdates, ended[i].node.name, ended[i].cmd.Update)
		}
	}
	r.emitCheckpoint(SourceLoop)
	r.emitValues()
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
		result.Checkpoint = r.log.head
	}
	for i := range r.tasks {
		t := &r.tasks[i]
		result.Next = append(result.Next, t.node.name)
		result.Interrupts = append(result.Interrupts, t.unanswered()...)
	}
	return result
}

func (r *run[S]) wants(mode Mode) bool { return r.info.stream.wants(mode, r.info.namespace) }

func (r *run[S]) emit(mode Mode, node string, value any) { r.emitAt(r.step, mode, node, value) }

func (r *run[S]) emitAt(step int, mode Mode, node string, value any) {
	r.info.stream.send(Event{Mode: mode, Namespace: r.info.namespace, Step: step, Node: node, Value: value})
}

func (r *run[S]) emitValues() {
	if r.wants(ModeValues) {
		r.emit(ModeValues, "", r.state)
	}
}

// emitCheckpoint tells where the run came to.
func (r *run[S]) emitCheckpoint(source Source) {
	for _, mode := range []Mode{ModeCheckpoints, ModeDebug} {
		if r.log == nil || !r.wants(mode) {
			continue
		}
		result := r.result()
		c := Checkpoint[S]{RunID: r.opts.RunID, Step: r.step, Source: source, State: result.State, Next: result.Next}
		if !r.exits() {
			c.ID, c.Parent, c.At = r.log.head, r.log.parent, r.log.at
		}
		r.emit(mode, "", c)
	}
}

// emitTask tells of a task to those who listen for tasks.
func (r *run[S]) emitTask(index int, ended bool, err error) {
	for _, mode := range []Mode{ModeTasks, ModeDebug} {
		if !r.wants(mode) {
			continue
		}
		t := &r.tasks[index]
		e := TaskEvent{ID: r.taskID(index, 0), Node: t.node.name, Ended: ended, Err: err}
		if ended {
			e.Interrupts = t.said().interrupts
		}
		r.emitAt(r.step+1, mode, t.node.name, e)
	}
}
