package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"annai/internal/fault"
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

// deferredIndex stands in a record for a node that waits until nothing else is left.
const deferredIndex = 1 << 30

// aloneChannel stands among a task's writes if the edges of its node are not followed.
const aloneChannel = "__alone__"

// carriedChannel stands among a record's writes if its tasks are those of the record before, made at the origin that is its value: the checkpoint
// and the superstep.
const carriedChannel = "__carried__"

func (p *page) carried(from origin) {
	p.data = fmt.Appendf(p.data, "%d %d", from.checkpoint, from.step)
	p.add(carriedChannel)
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

// put appends a record of where the run is now, with the updates since the last one.
func (l *threadLog[S]) put(ctx context.Context, r *run[S], source Source) error {
	finished := len(r.tasks) == 0
	behind := source == SourceLoop && r.info.durability == DurabilityAsync && !finished
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
	r.page.reset()
	if r.began && len(l.graph.ephemeral) > 0 {
		r.page.add(Start)
	}
	if err := encodeUpdates(&r.page, r.unwritten, finished); err != nil {
		return err
	}
	if err := encodeTasks(&r.page, r.tasks); err != nil {
		return err
	}
	if r.carried {
		r.page.carried(r.origin)
	}
	rec.Writes, rec.Tasks, rec.Joins = r.page.finished(), r.page.tasks, r.joinData()
	base, logBytes, snapBytes := l.base, l.logBytes+int64(len(r.page.data)), l.snapBytes
	if base == 0 {
		base = rec.ID
	}
	if logBytes > max(minSnapshot, snapBytes) && !r.torn {
		r.page.resetWrites()
		if err := l.graph.snapshot(&r.page, &r.state, finished); err != nil {
			return err
		}
		if r.carried {
			r.page.carried(r.origin)
		}
		rec.Writes = r.page.finished()
		rec.Snapshot, base, logBytes, snapBytes = true, rec.ID, 0, int64(len(r.page.data))
	}
	rec.Base, rec.LogBytes = base, logBytes
	if behind {
		l.putBehind(ctx, rec)
	} else if err := l.putRecord(ctx, &rec); err != nil {
		return err
	}
	l.parent, l.at = l.head, rec.At
	l.head, l.newest, l.base, l.logBytes, l.snapBytes = rec.ID, rec.ID, base, logBytes, snapBytes
	clear(r.unwritten)
	if !r.carried {
		r.origin = origin{rec.ID, r.step}
	}
	r.unwritten, r.began, r.ahead, r.carried = r.unwritten[:0], false, false, false
	return nil
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

// page is where the parts of a record are written, in room that is used again.
type page struct {
	data   []byte
	ends   []int
	writes []ChannelData
	tasks  []TaskData
}

func (p *page) reset() {
	p.resetWrites()
	clear(p.tasks)
	p.tasks = p.tasks[:0]
}

func (p *page) resetWrites() {
	const most = 1 << 20 // room for more is not worth keeping
	if cap(p.data) > most {
		p.data = nil
	}
	p.data, p.ends, p.writes = p.data[:0], p.ends[:0], p.writes[:0]
}

// add takes what was appended to the data since the last call as the data of the channel.
func (p *page) add(channel string) {
	p.writes = append(p.writes, ChannelData{Channel: channel})
	p.ends = append(p.ends, len(p.data))
}

// finished returns the writes with their data. Nothing is added after.
func (p *page) finished() []ChannelData {
	start := 0
	for i, end := range p.ends {
		if end > start {
			p.writes[i].Data = p.data[start:end:end]
		}
		start = end
	}
	return p.writes
}

// encodeUpdates encodes what must be kept: not what is written again, and of a finished run nothing ephemeral.
func encodeUpdates[S any](p *page, updates []Update[S], finished bool) (err error) {
	for i, u := range updates {
		for j := range u {
			c := u[j].channel
			if c.ephemeral && finished || c.exclusive && writtenLater(c, u[j+1:], updates[i+1:]) {
				continue
			}
			if p.data, err = c.encode(p.data, &u[j]); err != nil {
				return fmt.Errorf("channel %s: %w: %w", c.name, err, fault.ErrInvalid)
			}
			p.add(c.name)
		}
	}
	return nil
}

// writtenLater reports whether the channel is written again: of one that keeps the last value only the last write is kept.
func writtenLater[S any](c *channel[S], rest Update[S], updates []Update[S]) bool {
	is := func(w Write[S]) bool { return w.channel == c }
	return slices.ContainsFunc(rest, is) || slices.ContainsFunc(updates, func(u Update[S]) bool { return slices.ContainsFunc(u, is) })
}

func (g *Graph[S]) snapshot(p *page, state *S, finished bool) (err error) {
	for _, c := range g.channels {
		if c.ephemeral && finished {
			continue
		}
		if p.data, err = c.snapshot(p.data, state); err != nil {
			return fmt.Errorf("channel %s: %w: %w", c.name, err, fault.ErrInvalid)
		}
		p.add(c.name)
	}
	return nil
}

func encodeTasks[S any](p *page, tasks []task[S]) error {
	for i := range tasks {
		data := TaskData{Node: tasks[i].node.name}
		if tasks[i].input != nil {
			var err error
			if data.Input, err = json.Marshal(tasks[i].input); err != nil {
				return fmt.Errorf("input of node %s: %w: %w", data.Node, err, fault.ErrInvalid)
			}
		}
		p.tasks = append(p.tasks, data)
	}
	return nil
}

// putWrites keeps what a task left.
func (l *threadLog[S]) putWrites(ctx context.Context, r *run[S], index int) error {
	ctx, end := outlasting(ctx)
	defer end()
	t := &r.tasks[index]
	w := TaskWrites{Namespace: l.namespace, Checkpoint: l.head, Task: index, Finished: t.done, Goto: t.cmd.Goto}
	var p page
	if err := encodeUpdates(&p, []Update[S]{t.cmd.Update}, false); err != nil {
		return err
	}
	w.Writes = p.finished()
	if t.cmd.alone {
		w.Writes = append(w.Writes, ChannelData{Channel: aloneChannel})
	}
	for _, s := range t.cmd.Sends {
		data, err := json.Marshal(s.Input)
		if err != nil {
			return fmt.Errorf("send to node %s: %w: %w", s.Node, err, fault.ErrInvalid)
		}
		w.Sends = append(w.Sends, TaskData{Node: s.Node, Input: data})
	}
	if err := t.encodeTalk(&w); err != nil {
		return err
	}
	if err := l.wait(); err != nil {
		return err
	}
	if err := l.checkpointer.PutWrites(ctx, l.thread, w); err != nil {
		return fmt.Errorf("writes of node %s: %w", t.node.name, err)
	}
	return nil
}

// encodeTalk writes down what the task asked and what was answered.
func (t *task[S]) encodeTalk(w *TaskWrites) error {
	said := t.said()
	for _, i := range said.interrupts {
		question, err := json.Marshal(i.Question)
		if err != nil {
			return fmt.Errorf("question of node %s: %w: %w", i.Node, err, fault.ErrInvalid)
		}
		data := InterruptData{ID: i.ID, Node: i.Node, Question: question}
		if answer, ok := said.given[i.ID]; ok {
			if data.Answer, err = json.Marshal(answer); err != nil {
				return fmt.Errorf("answer to node %s: %w: %w", i.Node, err, fault.ErrInvalid)
			}
		}
		w.Interrupts = append(w.Interrupts, data)
	}
	for _, a := range said.answers {
		data, err := json.Marshal(a)
		if err != nil {
			return fmt.Errorf("answer to node %s: %w: %w", t.node.name, err, fault.ErrInvalid)
		}
		w.Answers = append(w.Answers, data)
	}
	return nil
}

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
	for _, j := range rec.Joins {
		if n, ok := l.graph.byName[j.Target]; ok && n != goEnd && j.Index == deferredIndex {
			r.deferred = append(r.deferred, n)
			continue
		}
		if j.Index >= len(r.arrived) || l.graph.joins[j.Index].target != j.Target {
			return nil, fmt.Errorf("checkpoint %d has a join into %q, which the graph has not: %w", rec.ID, j.Target, fault.ErrInvalid)
		}
		r.arrived[j.Index] = slices.Clone(j.Arrived)
	}
	if r.tasks, err = l.graph.decodeTasks(rec); err != nil {
		return nil, err
	}
	for i := range r.tasks {
		r.tasks[i].ready()
	}
	return &rec, nil
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
		if err := json.Unmarshal(i.Question, &interrupt.Question); err != nil {
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
