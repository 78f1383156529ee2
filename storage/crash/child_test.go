package crash_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"annai/fault"
	"annai/graph"
)

// orders are what a child is told, as JSON.
type orders struct {
	Dir  string // of the file of effects
	Life int
	// Finish says that it is to end what was begun, and begin nothing.
	Finish     bool
	Durability graph.Durability
	Store      place
}

// child is one life of a process. It takes three threads at a time through their turns until it is killed.
type child struct {
	orders

	pipe    io.Writer // gets a byte for everything that happens
	effects *os.File
	graph   *graph.Graph[doc]

	mu      sync.Mutex
	records map[recordKey]graph.Record
}

const threadsAtATime = 3

// runChild is the main function of a child.
func runChild(o orders) error {
	store, err := o.Store.open(context.Background())
	if err != nil {
		return err
	}
	c, err := newChild(o, store, os.Stdout)
	if err != nil {
		return err
	}
	return errors.Join(append(c.live(), store.Close())...)
}

func newChild(o orders, store graph.Checkpointer, pipe io.Writer) (c *child, err error) {
	c = &child{orders: o, pipe: pipe, records: map[recordKey]graph.Record{}}
	if c.effects, err = openEffects(filepath.Join(o.Dir, "effects")); err != nil {
		return nil, err
	}
	c.graph, err = c.build(watched{store, c})
	return c, err
}

// openEffects opens the file of effects. A line that a kill has cut short is marked, for it to be left out.
func openEffects(path string) (*os.File, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil && len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		_, err = f.WriteString(cutShort + "\n")
	}
	return f, err
}

const cutShort = " cut short"

// note appends a line to the file, which outlives the process from then on, and says so.
func (c *child) note(what, thread, about string, more ...any) {
	line := fmt.Sprintln(append([]any{c.Life, what, thread, about}, more...)...)
	if _, err := c.effects.WriteString(line); err != nil {
		panic(err)
	}
	c.tick()
}

// tick tells the parent that something happened.
func (c *child) tick() { _, _ = c.pipe.Write([]byte{'.'}) }

// live has workers take threads to their ends, until none is left or something is wrong, and returns what each of them met.
func (c *child) live() []error {
	failed := make([]error, threadsAtATime)
	var workers sync.WaitGroup
	for w := range threadsAtATime {
		workers.Go(func() { failed[w] = c.work(w) })
	}
	workers.Wait()
	return failed
}

// work takes threads to their ends, one after the other, without end; or, to finish, those that were begun.
func (c *child) work(worker int) error {
	for i := 0; ; i++ {
		thread := fmt.Sprintf("%d-%d", worker, i)
		for {
			at, err := c.graph.State(context.Background(), thread, 0)
			if c.Finish && errors.Is(err, fault.ErrNotFound) {
				return nil
			}
			if err != nil && !errors.Is(err, fault.ErrNotFound) {
				return err
			}
			if len(at.Next) == 0 && (c.Finish || at.State.Turn == turnsOfThread) {
				break
			}
			if err := c.advance(thread, at); err != nil && !c.expected(err) {
				return err
			}
		}
	}
}

// expected errors end a run and not a life: a node was weak. And what a
// child had sent to a server when it was killed may happen after the next one has looked.
func (c *child) expected(err error) bool {
	return errors.Is(err, errWeak) || c.Store.Kind == postgresStore && errors.Is(err, fault.ErrConflict)
}

// advance begins a turn, or goes on with one: with answers to some of what is open, if anything is.
func (c *child) advance(thread string, at graph.Checkpoint[doc]) error {
	in, now := graph.Input[doc]{}, at.State.Turn
	switch {
	case len(at.Next) == 0:
		now++
		in.Update = graph.Update[doc]{turn.Write(now)}
	case len(at.Interrupts) > 0:
		in.Resume = c.answers(thread, at.Interrupts)
	}
	opts := graph.RunOptions{ThreadID: thread, RunID: fmt.Sprint("t", now), Modes: []graph.Mode{graph.ModeValues}}
	for event, err := range c.graph.Stream(context.Background(), in, opts) {
		if err != nil {
			return err
		}
		switch e := event.(type) {
		case graph.StateEvent[doc]:
			c.note("heard", thread, outer, e.Step)
		case graph.ResultEvent[doc]:
			c.tell(thread, e.Result)
		}
	}
	return nil
}

// answers answers some of what is open.
func (c *child) answers(thread string, open []graph.Interrupt) map[string]any {
	answers := map[string]any{}
	for i, n := range rand.Perm(len(open)) {
		if i > 0 && rand.IntN(2) > 0 {
			continue
		}
		answer := fmt.Sprint("答え", rand.Uint64())
		c.note("gives", thread, fmt.Sprint(open[n].Question), answer)
		answers[open[n].ID] = answer
	}
	return answers
}

// tell notes what whoever began the run was told when it came to its end.
func (c *child) tell(thread string, r graph.Result[doc]) {
	if len(r.Next) == 0 {
		c.note("ended", thread, outer, r.State.Turn*stepsOfTurn)
	}
	for _, i := range r.Interrupts {
		c.note("told", thread, fmt.Sprint(i.Question), i.ID)
	}
}

// recordKey is where a record is.
type recordKey struct {
	thread, namespace string
	id                int64
}

// watched notes what the store has committed.
type watched struct {
	graph.Checkpointer

	child *child
}

func (w watched) Load(ctx context.Context, thread, namespace string, id int64) ([]graph.Record, int64, error) {
	chain, newest, err := w.Checkpointer.Load(ctx, thread, namespace, id)
	// Nothing is written without what graphs inside remember.
	if err != nil && w.child.Durability == graph.DurabilityExit {
		w.child.note("refused", thread, outer, 0)
	}
	if len(chain) > 0 {
		w.child.remember(thread, chain[0])
	}
	if len(chain) > 0 { // the line that says that it was put may have been lost to a kill
		w.child.note("put", thread, scopeOf(namespace, chain[0].RunID), chain[0].Step, namespace)
	}
	return chain, newest, err
}

func (w watched) Put(ctx context.Context, thread string, r graph.Record) error {
	w.child.tick()
	err := w.Checkpointer.Put(ctx, thread, r)
	w.child.tick()
	if err != nil {
		if !errors.Is(err, context.Canceled) { // which no run may do to what was done
			w.child.note("refused", thread, scopeOf(r.Namespace, r.RunID), r.Step)
		}
		return err
	}
	for _, inner := range r.Inner {
		w.committed(thread, inner)
	}
	w.committed(thread, r)
	return nil
}

// committed notes a record, and what tasks left that is put with it.
func (w watched) committed(thread string, r graph.Record) {
	before := w.child.recall(recordKey{thread, r.Namespace, r.Parent})
	w.child.remember(thread, r)
	w.child.note("put", thread, scopeOf(r.Namespace, r.RunID), r.Step, r.Namespace)
	if r.Namespace == "" && before.RunID != r.RunID {
		w.child.note("accepted", thread, r.RunID)
	}
	for _, writes := range r.Pending {
		w.left(thread, taskAt(r, writes.Task), writes)
	}
}

func (w watched) PutWrites(ctx context.Context, thread string, writes graph.TaskWrites) error {
	w.child.tick()
	err := w.Checkpointer.PutWrites(ctx, thread, writes)
	w.child.tick()
	r := w.child.recall(recordKey{thread, writes.Namespace, writes.Checkpoint})
	if len(r.Tasks) == 0 { // the record was refused itself
		return err
	}
	task := taskAt(r, writes.Task)
	if err != nil {
		w.child.note("refused", thread, task)
		return err
	}
	w.left(thread, task, writes)
	return nil
}

// left notes what a task left.
func (w watched) left(thread, task string, writes graph.TaskWrites) {
	if writes.Finished {
		w.child.note("kept", thread, task)
		return
	}
	for i, answer := range writes.Answers {
		w.child.note("answered", thread, questionName(task, i), text(answer))
	}
	for _, interrupt := range writes.Interrupts {
		if interrupt.Answer == nil {
			w.child.note("waits", thread, text(interrupt.Question), interrupt.ID)
		} else {
			w.child.note("answered", thread, text(interrupt.Question), text(interrupt.Answer))
		}
	}
}

func (c *child) remember(thread string, r graph.Record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tasks := make([]graph.TaskData, len(r.Tasks))
	for i, t := range r.Tasks {
		tasks[i] = graph.TaskData{Node: t.Node, Input: bytes.Clone(t.Input)}
	}
	c.records[recordKey{thread, r.Namespace, r.ID}] = graph.Record{RunID: r.RunID, Step: r.Step, Tasks: tasks}
}

func (c *child) recall(at recordKey) graph.Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.records[at]
}

// taskAt names the task at that place of a record as the node itself does.
func taskAt(r graph.Record, i int) string {
	input := ""
	if data := r.Tasks[i].Input; data != nil {
		var in item
		if err := json.Unmarshal(data, &in); err != nil {
			panic(err)
		}
		input = strconv.Itoa(in.N)
	}
	return taskName(r.RunID, r.Step+1, r.Tasks[i].Node, input)
}

// text is a text that was written as JSON.
func text(data []byte) (s string) {
	if err := json.Unmarshal(data, &s); err != nil {
		panic(err)
	}
	return s
}
