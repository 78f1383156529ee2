package crash_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"annai/graph"
	"annai/internal/fault"
	"annai/storage/sqlite"
)

// A child takes its threads through their turns until it is killed. Every turn has four supersteps:
//
//	plan, alone: sends work and approve
//	ask (two questions), three to five work, two approve (one question each): side by side
//	gather, alone
//	sign, alone (one question)
const (
	stepsOfTurn    = 4
	turnsOfThread  = 4
	threadsAtATime = 3
)

// doc is the state: what was done, in order.
type doc struct {
	Turn int
	Log  []string
	Sum  int
}

var (
	docs = graph.NewSchema[doc]()
	turn = graph.Last(docs, "turn", func(d *doc) *int { return &d.Turn })
	log  = graph.Append(docs, "log", func(d *doc) *[]string { return &d.Log })
	sum  = graph.Sum(docs, "sum", func(d *doc) *int { return &d.Sum })
)

// width is how many tasks of the node work a turn has.
func width(turn int) int { return 3 + turn%3 }

var errWeak = errors.New("weak today")

// child is one life of the process.
type child struct {
	life    int
	pipe    io.Writer // gets a byte for everything that happens
	effects *os.File
	graph   *graph.Graph[doc]

	mu      sync.Mutex
	records map[string]graph.Record // by thread and id
}

// runChild is the main function of a child.
func runChild(dir, life, mode string) error {
	store, err := sqlite.Open(context.Background(), filepath.Join(dir, "annai.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	c := &child{pipe: os.Stdout, records: map[string]graph.Record{}}
	if c.life, err = strconv.Atoi(life); err != nil {
		return err
	}
	if c.effects, err = openEffects(filepath.Join(dir, "effects")); err != nil {
		return err
	}
	if c.graph, err = c.build(watched{store, c}); err != nil {
		return err
	}
	failed := make([]error, threadsAtATime)
	var workers sync.WaitGroup
	for w := range threadsAtATime {
		workers.Go(func() { failed[w] = c.work(w, mode == "finish") })
	}
	workers.Wait()
	return errors.Join(append(failed, store.Close())...)
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

// note appends a line to the file, on the disk, and says so.
func (c *child) note(what, thread, about string, more ...any) {
	line := fmt.Sprintln(append([]any{c.life, what, thread, about}, more...)...)
	if _, err := c.effects.WriteString(line); err != nil {
		panic(err)
	}
	if err := c.effects.Sync(); err != nil {
		panic(err)
	}
	c.tick()
}

// tick tells the parent that something happened.
func (c *child) tick() { _, _ = c.pipe.Write([]byte{'.'}) }

// work takes threads to their ends, one after the other, without end; or, to finish, those that were begun.
func (c *child) work(worker int, finish bool) error {
	for i := 0; ; i++ {
		thread := fmt.Sprintf("%d-%d", worker, i)
		for ended := false; !ended; {
			state, err := c.graph.State(context.Background(), thread, 0)
			if finish && errors.Is(err, fault.ErrNotFound) {
				return nil
			}
			if err != nil && !errors.Is(err, fault.ErrNotFound) {
				return err
			}
			done := len(state.Next) == 0
			if ended = done && (finish || state.State.Turn == turnsOfThread); ended {
				break
			}
			if err := c.advance(thread, state); err != nil && !errors.Is(err, errWeak) {
				return err
			}
		}
	}
}

// advance begins a turn, or goes on with one: with answers to some of what is open, if anything is.
func (c *child) advance(thread string, at graph.Checkpoint[doc]) error {
	in := graph.Input[doc]{}
	switch {
	case len(at.Next) == 0:
		in.Update = graph.Update[doc]{turn.Write(at.State.Turn + 1)}
	case len(at.Interrupts) > 0:
		in.Resume = map[string]any{}
		for i, n := range rand.Perm(len(at.Interrupts)) {
			if i == 0 || rand.IntN(2) == 0 {
				in.Resume[at.Interrupts[n].ID] = fmt.Sprint("答え", rand.Uint64())
			}
		}
	}
	opts := graph.RunOptions{ThreadID: thread, Modes: []graph.Mode{graph.ModeValues}}
	accepted := in.Update == nil
	for event, err := range c.graph.Stream(context.Background(), in, opts) {
		if err != nil {
			return err
		}
		if !accepted { // the state after the input is heard once it is kept
			accepted = true
			c.note("accepted", thread, fmt.Sprint("turn ", event.Value.(doc).Turn))
		}
	}
	return nil
}

func (c *child) build(store graph.Checkpointer) (*graph.Graph[doc], error) {
	g := graph.New(docs)
	ofState := func(name string, questions int, more graph.NodeOptions) {
		g.AddNode(name, func(ctx context.Context, d doc) (graph.Command[doc], error) {
			return c.run(ctx, name, "", questions, d.Turn)
		}, more)
	}
	ofInput := func(name string, questions int) {
		graph.AddInputNode(g, name, func(ctx context.Context, n int) (graph.Command[doc], error) {
			return c.run(ctx, name, strconv.Itoa(n), questions, n)
		}, graph.NodeOptions{})
		g.AddEdge(name, "gather")
	}
	ofState("plan", 0, graph.NodeOptions{Destinations: []string{"work", "approve"}})
	ofState("ask", 2, graph.NodeOptions{})
	ofInput("work", 0)
	ofInput("approve", 1)
	ofState("gather", 0, graph.NodeOptions{})
	ofState("sign", 1, graph.NodeOptions{})
	g.AddEdge(graph.Start, "plan")
	g.AddEdge("plan", "ask")
	g.AddEdge("ask", "gather")
	g.AddEdge("gather", "sign")
	g.AddEdge("sign", graph.End)
	return g.Compile(graph.Options{Checkpointer: store, Durability: graph.DurabilitySync, MaxConcurrency: 3})
}

// run is the body of every node: it asks, or fails now and then, or does its one effect and writes the answers it got.
func (c *child) run(ctx context.Context, node, input string, questions, n int) (graph.Command[doc], error) {
	c.tick()
	rt := graph.RuntimeOf(ctx)
	task := taskName(rt.Step, node, input)
	said := node + input
	for q := range questions {
		var reply string
		ok, err := graph.Answer(ctx, q, &reply)
		if err != nil {
			return graph.Command[doc]{}, err
		}
		if !ok {
			c.note("asks", rt.ThreadID, questionName(task, q))
			return graph.Command[doc]{Interrupt: &graph.Interrupt{Question: task + "?"}}, nil
		}
		said += " " + reply
	}
	if rand.IntN(10) == 0 {
		return graph.Command[doc]{}, errWeak
	}
	c.note("done", rt.ThreadID, task)
	cmd := graph.Command[doc]{Update: graph.Update[doc]{log.Write([]string{said}), sum.Write(n)}}
	if node == "plan" {
		for i := range width(n) {
			cmd.Sends = append(cmd.Sends, graph.Send{Node: "work", Input: i})
		}
		cmd.Sends = append(cmd.Sends, graph.Send{Node: "approve", Input: 0}, graph.Send{Node: "approve", Input: 1})
	}
	return cmd, nil
}

func taskName(step int, node, input string) string { return fmt.Sprintf("%d/%s/%s", step, node, input) }

func questionName(task string, n int) string { return fmt.Sprintf("%s#%d", task, n) }

// watched notes what the store has committed.
type watched struct {
	graph.Checkpointer

	child *child
}

func (w watched) Load(ctx context.Context, thread, namespace string, id int64) ([]graph.Record, int64, error) {
	chain, newest, err := w.Checkpointer.Load(ctx, thread, namespace, id)
	if len(chain) > 0 {
		w.child.remember(thread, chain[0])
	}
	return chain, newest, err
}

func (w watched) Put(ctx context.Context, thread string, r graph.Record) error {
	w.child.tick()
	err := w.Checkpointer.Put(ctx, thread, r)
	w.child.tick()
	if err != nil {
		return err
	}
	w.child.remember(thread, r)
	parent := w.child.recall(thread, r.Parent)
	for i := range parent.Tasks {
		w.child.note("kept", thread, taskAt(parent, i))
	}
	return nil
}

func (w watched) PutWrites(ctx context.Context, thread string, writes graph.TaskWrites) error {
	w.child.tick()
	err := w.Checkpointer.PutWrites(ctx, thread, writes)
	w.child.tick()
	if err != nil {
		return err
	}
	task := taskAt(w.child.recall(thread, writes.Checkpoint), writes.Task)
	if writes.Finished {
		w.child.note("kept", thread, task)
		return nil
	}
	for i, interrupt := range writes.Interrupts {
		name := questionName(task, len(writes.Answers)+i)
		if interrupt.Answer == nil {
			w.child.note("waits", thread, name, interrupt.ID)
		} else {
			w.child.note("answered", thread, name, string(bytes.Trim(interrupt.Answer, `"`)))
		}
	}
	return nil
}

func (c *child) remember(thread string, r graph.Record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.records[fmt.Sprint(thread, " ", r.ID)] = r
}

func (c *child) recall(thread string, id int64) graph.Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.records[fmt.Sprint(thread, " ", id)]
}

// taskAt names the task at that place of a record as the node itself does.
func taskAt(r graph.Record, i int) string {
	return taskName(r.Step+1, r.Tasks[i].Node, string(r.Tasks[i].Input))
}
