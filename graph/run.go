package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"annai/internal/fault"
)

// run is one execution of a graph: the state, and the tasks of the superstep that is next.
type run[S any] struct {
	g    *Graph[S]
	opts RunOptions
	log  *threadLog[S] // nil where nothing is remembered
	em   *emitter
	info *runInfo

	namespace string
	// lenient resumes ignore answers to questions that are not open: they were taken in before a crash.
	lenient bool

	state S
	slots []any
	tasks []task[S]
	// origin is the checkpoint that the tasks belong to: one that is there, or one that will be written.
	origin int64
	// unwritten are the updates since the last checkpoint. A torn state has others in it, of a superstep that could not be ended.
	unwritten []Update[S]
	torn      bool
	// began says that the input of this run is not written yet.
	began bool
	// parent is what a task wants of the graph around this one.
	parent *ParentCommand
	// arrived are the sources that reached each join, deferred the nodes that wait until nothing else is left.
	arrived  [][]string
	deferred []int
	// step counts the supersteps of the thread.
	step int
	// epoch counts the supersteps of this run, the input included, from 1. Per channel, written is who wrote it last; per node, queued is
	// the epoch whose end put it among the next tasks.
	epoch   int
	written []writer
	queued  []int
	recent  []string

	// room that is used again in every superstep: spare holds the tasks of the step before.
	spare []task[S]
	nodes []int
	todo  []int
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
	cmd  Command[S]
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

func (g *Graph[S]) newRun(opts RunOptions, cp Checkpointer, durability Durability, namespace string, em *emitter) *run[S] {
	r, ok := g.pool.Get().(*run[S])
	if !ok {
		r = &run[S]{g: g, written: make([]writer, len(g.channels)), queued: make([]int, len(g.nodes))}
	}
	if r.slots == nil {
		r.slots, r.arrived = make([]any, len(g.channels)), make([][]string, len(g.joins))
	}
	r.opts, r.em, r.namespace = opts, em, namespace
	r.info = &runInfo{
		thread: opts.ThreadID, run: opts.RunID, namespace: namespace, context: opts.Context, checkpointer: cp, durability: durability,
		limit: orDefault(opts.RecursionLimit, g.opts.RecursionLimit),
	}
	if cp != nil && opts.ThreadID != "" {
		r.log = &threadLog[S]{checkpointer: cp, thread: opts.ThreadID, namespace: namespace, graph: g}
	}
	return r
}

// release gives the run's room to the next one. Nobody else knows the run any more: what it handed out are copies.
func (r *run[S]) release() {
	clear(r.slots)
	clear(r.arrived)
	clear(r.written)
	clear(r.queued)
	clear(r.tasks[:cap(r.tasks)])
	clear(r.spare[:cap(r.spare)])
	clear(r.unwritten[:cap(r.unwritten)])
	*r = run[S]{
		g: r.g, slots: r.slots, arrived: r.arrived, written: r.written, queued: r.queued,
		tasks: r.tasks[:0], spare: r.spare[:0], deferred: r.deferred[:0], unwritten: r.unwritten[:0], nodes: r.nodes[:0], todo: r.todo[:0],
	}
	r.g.pool.Put(r)
}

func (g *Graph[S]) run(ctx context.Context, in Input[S], opts RunOptions, em *emitter) (Result[S], error) {
	r := g.newRun(opts, g.opts.Checkpointer, g.opts.Durability, "", em)
	result, err := r.execute(ctx, in)
	if err == nil {
		r.leave()
	}
	r.release()
	if err != nil {
		return result, fmt.Errorf("run %s: %w", g.opts.Name, err)
	}
	return result, nil
}

// execute runs until the end, a question, a pause or a failure, and writes what is not written yet.
func (r *run[S]) execute(ctx context.Context, in Input[S]) (Result[S], error) {
	continued, err := r.begin(ctx, in)
	if err != nil {
		return r.result(), err
	}
	err = r.loop(ctx, continued)
	if r.exits() {
		// What was done must not be lost because the context ended.
		err = errors.Join(err, r.flush(context.WithoutCancel(ctx)))
	}
	if r.log != nil {
		err = errors.Join(err, r.log.wait())
	}
	return r.result(), err
}

// exits reports whether the run writes only when it ends.
func (r *run[S]) exits() bool { return r.log != nil && r.info.durability == DurabilityExit }

// flush writes one checkpoint of where the run is. A subgraph that is done leaves nothing, since its result is its task's.
func (r *run[S]) flush(ctx context.Context) error {
	if r.namespace != "" && (len(r.tasks) == 0 || r.parent != nil) {
		return nil
	}
	if r.origin != r.log.head || len(r.unwritten) > 0 {
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

func (r *run[S]) loop(ctx context.Context, continued bool) error {
	for len(r.tasks) > 0 {
		if err := r.mayStep(ctx); err != nil {
			return err
		}
		if !continued && r.pauses(r.g.opts.InterruptBefore, r.tasks) {
			return nil
		}
		continued = false
		if err := r.runTasks(ctx); err != nil {
			return err
		}
		if r.waits() || r.parent != nil {
			return nil
		}
		ended := r.tasks
		if err := r.endStep(ctx); err != nil {
			return err
		}
		if r.pauses(r.g.opts.InterruptAfter, ended) && len(r.tasks) > 0 {
			return nil
		}
	}
	return nil
}

// begin brings the run to where its first superstep can start, and reports whether it continues an unfinished one.
func (r *run[S]) begin(ctx context.Context, in Input[S]) (continued bool, err error) {
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
		*r = *r.g.newRun(r.opts, r.info.checkpointer, r.info.durability, r.namespace, r.em)
		return r.begin(ctx, in)
	}
	return false, err
}

// wake brings the run to where its thread stands; lived says that it was kept in memory. What is kept may be old, which shows when a new
// input is written. Whoever goes on with what was left open needs the checkpoint itself.
func (r *run[S]) wake(ctx context.Context, in Input[S]) (found, lived bool, err error) {
	if r.opts.Checkpoint == 0 && r.namespace == "" && in.Resume == nil && !in.empty() {
		if t := r.g.live.take(r.opts.ThreadID); t != nil {
			r.adopt(t)
			return true, true, nil
		}
	}
	found, err = r.load(ctx)
	return found, false, err
}

// start reduces the input into the state and takes the first steps.
func (r *run[S]) start(ctx context.Context, in Input[S]) error {
	clear(r.arrived)
	r.deferred = r.deferred[:0]
	r.g.forgetEphemeral(&r.state)
	r.began = true
	r.epoch++
	if err := r.apply(0, in.Update); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	next := queue[S]{run: r, nodes: r.nodes[:0]}
	if in.Goto != "" {
		if err := next.name(in.Goto); err != nil {
			return err
		}
	} else if err := next.after(ctx, r.g.start, Command[S]{}); err != nil {
		return err
	}
	r.tasks = next.tasks(r.tasks[:0])
	if in.Update != nil {
		r.unwritten = append(r.unwritten, in.Update)
	}
	if err := r.checkpoint(ctx, SourceInput); err != nil {
		return err
	}
	r.emitCheckpoint(SourceInput)
	r.emitValues()
	return nil
}

// checkpoint writes where the run is, or leaves it for the end.
func (r *run[S]) checkpoint(ctx context.Context, source Source) error {
	switch {
	case r.log == nil:
		r.unwritten = r.unwritten[:0]
		return nil
	case r.exits():
		r.origin = r.log.newest + 1
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

func (r *run[S]) pauses(at []string, tasks []task[S]) bool {
	return len(at) > 0 && slices.ContainsFunc(tasks, func(t task[S]) bool { return slices.Contains(at, t.node.name) })
}

// endStep reduces what the tasks wrote, in task order, finds what runs next, and makes a checkpoint of it.
func (r *run[S]) endStep(ctx context.Context) error {
	r.epoch++
	r.torn = true
	for i := range r.tasks {
		t := &r.tasks[i]
		if err := r.apply(i, t.cmd.Update); err != nil {
			return fmt.Errorf("node %s: %w", t.node.name, err)
		}
	}
	next := queue[S]{run: r, nodes: r.nodes[:0]}
	if err := r.follow(ctx, &next); err != nil {
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
	}
	if err := r.checkpoint(ctx, SourceLoop); err != nil {
		return err
	}
	if r.em.wants(ModeUpdates, r.namespace) {
		for i := range ended {
			r.emit(ModeUpdates, ended[i].node.name, ended[i].cmd.Update)
		}
	}
	r.emitCheckpoint(SourceLoop)
	r.emitValues()
	return nil
}

// follow collects what comes after the tasks. If that fails, what waits at joins is as it was.
func (r *run[S]) follow(ctx context.Context, next *queue[S]) error {
	arrived, deferred := slices.Clone(r.arrived), slices.Clone(r.deferred)
	for i := range r.tasks {
		t := &r.tasks[i]
		if err := next.after(ctx, t.node, t.cmd); err != nil {
			r.arrived, r.deferred = arrived, deferred
			return fmt.Errorf("after node %s: %w", t.node.name, err)
		}
	}
	return nil
}

// apply reduces one task's update into the state.
func (r *run[S]) apply(task int, update Update[S]) error {
	for _, w := range update {
		c := w.channel
		if c == nil || c.index >= len(r.g.channels) || r.g.channels[c.index] != c {
			return fmt.Errorf("a write to a channel that is not of this graph's state: %w", fault.ErrInvalid)
		}
		mark := &r.written[c.index]
		if c.exclusive && mark.epoch == r.epoch && mark.task != task {
			return fmt.Errorf("channel %s was written by another node in the same superstep; it keeps one value, so declare a reducer: %w",
				c.name, fault.ErrInvalid)
		}
		*mark = writer{epoch: r.epoch, task: task}
		c.reduce(&r.state, &r.slots[c.index], w.value)
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

func (r *run[S]) emit(mode Mode, node string, value any) {
	r.em.send(Event{Mode: mode, Namespace: r.namespace, Step: r.step, Node: node, Value: value})
}

func (r *run[S]) emitValues() {
	if r.em.wants(ModeValues, r.namespace) {
		r.emit(ModeValues, "", r.state)
	}
}

// emitCheckpoint tells where the run came to.
func (r *run[S]) emitCheckpoint(source Source) {
	for _, mode := range []Mode{ModeCheckpoints, ModeDebug} {
		if r.log == nil || !r.em.wants(mode, r.namespace) {
			continue
		}
		result := r.result()
		c := Checkpoint[S]{RunID: r.opts.RunID, Step: r.step, Source: source, State: result.State, Next: result.Next}
		if !r.exits() {
			c.ID, c.Parent, c.At = r.log.record.ID, r.log.record.Parent, r.log.record.At
		}
		r.emit(mode, "", c)
	}
}

// emitTask tells of a task to those who listen for tasks.
func (r *run[S]) emitTask(index int, ended bool, err error) {
	for _, mode := range []Mode{ModeTasks, ModeDebug} {
		if !r.em.wants(mode, r.namespace) {
			continue
		}
		t := &r.tasks[index]
		e := TaskEvent{ID: r.taskID(index, 0), Node: t.node.name, Ended: ended, Err: err}
		if ended {
			e.Interrupts = t.said().interrupts
		}
		r.emit(mode, t.node.name, e)
	}
}
