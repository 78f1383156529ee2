package graph

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"annai/fault"
)

// threadLog writes and reads the log of one thread and namespace.
type threadLog[S any] struct {
	checkpointer      Checkpointer
	graph             *Graph[S]
	thread, namespace string
	// head is the record the run stands on, written at that time with that parent; newest is the largest id in the namespace.
	head, parent, newest int64
	at                   time.Time
	// base is where the state can be rebuilt from; logBytes were written since, the snapshot there had snapBytes.
	base, logBytes, snapBytes int64
	// behind is the record that is written while the run goes on; nil where none is.
	waiting sync.Mutex
	behind  *behind
}

// behind is a record that is written once the run has gone on for some time without needing it written. Most steps are over sooner, and then whoever
// waits for it writes it, which costs less than to hand it to a goroutine.
type behind struct {
	put     func() error
	timer   *time.Timer
	written chan error
}

// patience is how long a record that is written behind waits for the run to write it.
const patience = 100 * time.Microsecond

// minSnapshot is how many bytes of updates are written before a snapshot is.
const minSnapshot = 64 << 10

// minRecord is what a record counts at least towards a snapshot, so that a state is never made of
// more than some dozens of updates: each costs as much as the state that it is reduced into.
const minRecord = 2 << 10

// deferredIndex stands in a record for a node that waits until nothing else is left.
const deferredIndex = 1 << 30

// aloneChannel stands among a task's writes if the edges of its node are not followed.
const aloneChannel = "__alone__"

// mark is that of the record the run stands on.
func (l *threadLog[S]) mark() Mark { return Mark{l.head, l.at} }

// put appends a record of where the run is now, with the updates since the last one.
func (l *threadLog[S]) put(ctx context.Context, r *run[S], source Source) error {
	behind := source == SourceLoop && r.info.durability == DurabilityAsync && len(r.tasks) > 0
	if r.info.durability == DurabilityAsync { // what the record before was written from is used again
		if err := l.wait(); err != nil {
			return err
		}
	}
	rec := Record{
		ID: l.newest + 1, Parent: l.head, Namespace: l.namespace, RunID: r.opts.RunID,
		Step: r.step, Source: source, Graph: l.graph.fingerprint, Relaxed: behind,
	}
	if r.info.now != nil {
		rec.At = r.info.now()
	}
	snapBytes, err := l.fill(&rec, r)
	if err != nil {
		return err
	}
	if r.exits() || source == SourceUpdate { // tasks of others have just been made
		if rec.Pending, err = r.pending(rec.ID); err != nil {
			return err
		}
		if rec.Inner, err = r.belonging(ctx, rec.ID); err != nil {
			return err
		}
	}
	if behind {
		l.putBehind(ctx, rec)
	} else if err := l.putRecord(ctx, &rec); err != nil {
		return err
	}
	l.parent, l.at = l.head, rec.At
	l.head, l.newest, l.base, l.logBytes, l.snapBytes = rec.ID, rec.ID, rec.Base, rec.LogBytes, snapBytes
	clear(r.unwritten)
	if r.carried {
		r.origin = r.branch(rec.ID)
	} else {
		r.origin = origin{rec.ID, r.step, rec.ID}
	}
	r.unwritten, r.began, r.ahead, r.carried = r.unwritten[:0], false, false, false
	return nil
}

// fill puts into the record what runs next and what was written: the updates since the last one, or a snapshot if the log has grown by as much as
// that is. It returns the size of the snapshot from which the log then begins.
func (l *threadLog[S]) fill(rec *Record, r *run[S]) (snapBytes int64, err error) {
	finished := len(r.tasks) == 0
	r.page.reset()
	if r.base != nil && l.base == 0 {
		if err := r.page.based(r.base); err != nil {
			return 0, err
		}
	}
	if r.began && len(l.graph.ephemeral) > 0 {
		r.page.add(Start)
	}
	if err := encodeUpdates(&r.page, r.unwritten, finished); err != nil {
		return 0, err
	}
	if err := encodeTasks(&r.page, r.tasks); err != nil {
		return 0, err
	}
	if r.carried {
		r.page.carried(r.branch(rec.ID))
	}
	rec.Writes, rec.Tasks, rec.Joins = r.page.writes, r.page.tasks, r.joinData()
	rec.Base, rec.LogBytes = cmp.Or(l.base, rec.ID), l.logBytes+int64(max(len(r.page.data), minRecord))
	if rec.LogBytes <= max(minSnapshot, l.snapBytes) || r.torn {
		return l.snapBytes, nil
	}
	r.page.resetWrites()
	if err := l.graph.snapshot(&r.page, &r.state, finished); err != nil {
		return 0, err
	}
	if r.carried {
		r.page.carried(r.branch(rec.ID))
	}
	rec.Writes, rec.Snapshot, rec.Base, rec.LogBytes = r.page.writes, true, rec.ID, 0
	return int64(len(r.page.data)), nil
}

// joinData is what waits for others.
func (r *run[S]) joinData() (joins []JoinData) {
	for i, arrived := range r.arrived {
		if len(arrived) > 0 {
			joins = append(joins, JoinData{Index: i, Target: r.g.joins[i].target, Arrived: arrived})
		}
	}
	for _, n := range r.deferred {
		joins = append(joins, JoinData{Index: deferredIndex, Target: r.g.nodes[n].name})
	}
	return joins
}

// putBehind puts a record while the run goes on.
func (l *threadLog[S]) putBehind(ctx context.Context, rec Record) {
	b := &behind{written: make(chan error, 1)}
	b.put = func() error { return l.putRecord(ctx, &rec) }
	b.timer = time.AfterFunc(patience, func() { b.written <- b.put() }) // wait waits for it
	l.behind = b
}

func (l *threadLog[S]) putRecord(ctx context.Context, rec *Record) error {
	if rec.Source == SourceLoop && ctx.Done() != nil {
		longer, end := outlasting(ctx)
		defer end()
		ctx = longer
	}
	if err := l.checkpointer.Put(ctx, l.thread, *rec); err != nil {
		return fmt.Errorf("checkpoint %d: %w", rec.ID, err)
	}
	return nil
}

// grace is how long a store has to keep what was done, once its run was told to end.
const grace = 5 * time.Second

// outlasting returns a context that ends some time after ctx does: what was done must not be lost because the run was told to end, and a store that does not
// answer must not hold the run for ever. End is to be called.
func outlasting(ctx context.Context) (longer context.Context, end func()) {
	if ctx.Done() == nil {
		return ctx, func() {}
	}
	longer, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		cause := context.Cause(ctx)
		time.AfterFunc(grace, func() { cancel(fmt.Errorf("the store took too long: %w", cause)) })
	})
	return longer, func() { stop(); cancel(nil) }
}

// wait sees to it that the record that is written behind is there. Tasks side by side may do so.
func (l *threadLog[S]) wait() error {
	l.waiting.Lock()
	defer l.waiting.Unlock()
	b := l.behind
	if b == nil {
		return nil
	}
	l.behind = nil
	if b.timer.Stop() {
		return b.put()
	}
	return <-b.written
}

// putWrites keeps what a task left.
func (l *threadLog[S]) putWrites(ctx context.Context, r *run[S], index int) error {
	ctx, end := outlasting(ctx)
	defer end()
	w, err := r.taskWrites(l.head, index)
	if err != nil {
		return err
	}
	if err := l.wait(); err != nil {
		return err
	}
	if err := l.checkpointer.PutWrites(ctx, l.thread, w); err != nil {
		return fmt.Errorf("writes of node %s: %w", r.tasks[index].node.name, err)
	}
	return nil
}

// pending is what tasks left that are in the checkpoint too: of those that ran before it was made.
func (r *run[S]) pending(checkpoint int64) (pending []TaskWrites, err error) {
	for i := range r.tasks {
		if !r.tasks[i].left() {
			continue
		}
		w, err := r.taskWrites(checkpoint, i)
		if err != nil {
			return nil, err
		}
		pending = append(pending, w)
	}
	return pending, nil
}

// taskWrites is what a task of the checkpoint left.
func (r *run[S]) taskWrites(checkpoint int64, index int) (TaskWrites, error) {
	t := &r.tasks[index]
	w := TaskWrites{Namespace: r.info.namespace, Checkpoint: checkpoint, Task: index, Finished: t.done, Goto: t.cmd.Goto}
	var p page
	if err := encodeUpdates(&p, []Update[S]{t.cmd.Update}, false); err != nil {
		return w, err
	}
	w.Writes = p.writes
	if t.cmd.alone {
		w.Writes = append(w.Writes, ChannelData{Channel: aloneChannel})
	}
	for _, s := range t.cmd.Sends {
		data, err := json.Marshal(s.Input)
		if err != nil {
			return w, fmt.Errorf("send to node %s: %w: %w", s.Node, err, fault.ErrInvalid)
		}
		w.Sends = append(w.Sends, TaskData{Node: s.Node, Input: data})
	}
	return w, t.encodeTalk(&w)
}
