package crash_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/runs"
	"annai/runs/postgres"
	"annai/runs/river"
	"annai/runs/sqlite"
	pgthreads "annai/storage/postgres"
	sqlitethreads "annai/storage/sqlite"
)

// orders are what a child is told, as JSON.
type orders struct {
	Dir      string // of the file of effects, and of the files of the stores
	Life     int
	Threads  int
	Postgres string // the address; empty: SQLite
}

// linesOfRun is about how many lines a run makes.
const linesOfRun = 20

// parts are what a child is made of.
type parts struct {
	checkpoints interface {
		graph.Checkpointer
		Close() error
	}
	store interface {
		runs.Store
		Close() error
	}
	queue runs.Queue
}

func clock() time.Time { return time.Now().UTC() }

// open opens the stores.
func (o orders) open(ctx context.Context) (p parts, err error) {
	opts := river.Options{Every: 100 * time.Millisecond, Workers: 8}
	if o.Postgres != "" {
		threads, err := pgthreads.Open(ctx, o.Postgres, pgthreads.Options{})
		if err != nil {
			return p, err
		}
		store, err := postgres.Open(ctx, o.Postgres, postgres.Options{})
		if err != nil {
			return p, err
		}
		queue, err := river.NewPostgres(ctx, store, clock, opts)
		return parts{threads, store, queue}, err
	}
	threads, err := sqlitethreads.Open(ctx, filepath.Join(o.Dir, "annai.db"), sqlitethreads.Options{})
	if err != nil {
		return p, err
	}
	store, err := sqlite.Open(ctx, filepath.Join(o.Dir, "runs.db"), sqlite.Options{})
	if err != nil {
		return p, err
	}
	queue, err := river.NewSQLite(ctx, store, clock, opts)
	return parts{threads, store, queue}, err
}

func (p parts) close() error { return errors.Join(p.store.Close(), p.checkpoints.Close()) }

// child is one life of a process.
type child struct {
	orders

	effects *os.File
	service *runs.Service
	mu      sync.Mutex
}

// note appends a line to the file, which outlives the process from then on, and says so.
func (c *child) note(words ...any) {
	line := fmt.Sprintln(append([]any{c.Life}, words...)...)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.effects.WriteString(line); err != nil {
		panic(err)
	}
	_, _ = os.Stdout.Write([]byte{'.'})
}

// doc is the state: what the nodes of all runs did, in order.
type doc struct {
	Said []string `json:"said"`
	Name string   `json:"name"`
}

var (
	schema = graph.NewSchema[doc]()
	said   = graph.Append(schema, "said", func(d *doc) *[]string { return &d.Said })
	name   = graph.Last(schema, "name", func(d *doc) *string { return &d.Name })
)

// nodes are the steps of a run; the second has two tasks.
var nodes = []string{"a", "b", "b2", "c"}

func (c *child) build(opts graph.Options) (*graph.Graph[doc], error) {
	g := graph.New(schema)
	for _, n := range nodes {
		g.AddNode(n, func(ctx context.Context, d doc) (graph.Command[doc], error) {
			run := graph.RuntimeOf(ctx).RunID
			c.note("ran", run, n)
			return graph.Command[doc]{Update: graph.Update[doc]{said.Write([]string{d.Name + n})}}, nil
		})
	}
	g.AddEdge(graph.Start, "a")
	g.AddEdge("a", "b")
	g.AddEdge("a", "b2")
	g.AddJoin([]string{"b", "b2"}, "c")
	g.AddEdge("c", graph.End)
	return g.Compile(opts)
}

// watched notes what was committed.
type watched struct {
	graph.Checkpointer

	child *child
}

func (w watched) Put(ctx context.Context, thread string, r graph.Record) error {
	err := w.Checkpointer.Put(ctx, thread, r)
	if err == nil {
		w.child.note("put", r.RunID, r.Step, len(r.Tasks))
	}
	return err
}

// run is the main function of a child.
func (o orders) run(ctx context.Context) (err error) {
	before := parseLedger(o.Dir)
	c := &child{orders: o}
	if c.effects, err = openEffects(o.Dir); err != nil {
		return err
	}
	p, err := o.open(ctx)
	if err != nil {
		return err
	}
	compiled, err := c.build(graph.Options{Name: "crash", Checkpointer: watched{p.checkpoints, c}, Now: clock})
	if err != nil {
		return err
	}
	g, err := runs.Typed(runs.Definition[doc]{Graph: compiled, Fields: []runs.Field[doc]{runs.FieldOf(name)}})
	if err != nil {
		return err
	}
	c.service, err = runs.New(runs.Parts{Store: p.store, Queue: p.queue, Graphs: []runs.Graph{g}, Now: clock}, runs.Options{Lease: 3 * time.Second})
	if err == nil {
		err = c.service.Prepare(ctx)
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	var failed error
	work.Go(func() { failed = c.service.Work(ctx) })
	err = c.live(ctx, before)
	cancel()
	work.Wait()
	return errors.Join(err, failed, p.close())
}

// threadID names a thread.
func threadID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// live has every thread get its runs and be read to the end.
func (c *child) live(ctx context.Context, before *ledger) error {
	errs := make([]error, c.Threads)
	var all sync.WaitGroup
	for n := range c.Threads {
		all.Go(func() { errs[n] = c.thread(ctx, threadID(n), before) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// thread creates what runs the thread still lacks, and reads its log, from where an earlier life came to until all of them have ended.
func (c *child) thread(ctx context.Context, id string, before *ledger) error {
	if err := c.fill(ctx, id); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	for left := runsOfThread - before.ends[id]; left > 0; {
		for e, err := range c.service.FollowThread(ctx, id, before.position[id]) {
			if err != nil {
				return fmt.Errorf("thread %s, of which %d runs have not ended: %w", id, left, err)
			}
			c.note("read", id, e.ID, e.RunID, e.Kind, e.Step, e.Node)
			if e.Kind == runs.KindEnd {
				if left--; left == 0 {
					break
				}
			}
		}
	}
	return nil
}

// fill creates runs until the thread has all.
func (c *child) fill(ctx context.Context, id string) error {
	_, known, err := c.service.ListRuns(ctx, runs.RunFilter{ThreadID: id})
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	for n := known; n < runsOfThread; n++ {
		input, err := json.Marshal(map[string]string{"name": fmt.Sprint(n)})
		if err != nil {
			return err
		}
		r, err := c.service.Create(ctx, id, runs.Request{
			AssistantID: "crash", Input: input, IfNotExists: "create", Strategy: runs.Enqueue, AllModes: true,
		})
		if err != nil {
			return err
		}
		c.note("accepted", r.ID, id)
	}
	return nil
}
