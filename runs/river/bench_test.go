package river_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"annai/graph"
	"annai/internal/budget"
	"annai/runs"
	"annai/runs/river"
	"annai/runs/sqlite"
	checkpoints "annai/storage/sqlite"
)

// doc is the state of a trivial graph.
type doc struct {
	Said []string `json:"said"`
}

// trivial is three nodes, each of which says its name.
func trivial(store graph.Checkpointer) (runs.Graph, error) {
	schema := graph.NewSchema[doc]()
	said := graph.Append(schema, "said", func(d *doc) *[]string { return &d.Said })
	g := graph.New(schema)
	before := graph.Start
	for _, name := range []string{"a", "b", "c"} {
		g.AddNode(name, func(context.Context, doc) (graph.Command[doc], error) {
			return graph.Command[doc]{Update: graph.Update[doc]{said.Write([]string{name})}}, nil
		})
		g.AddEdge(before, name)
		before = name
	}
	g.AddEdge(before, graph.End)
	compiled, err := g.Compile(graph.Options{Name: "trivial", Checkpointer: store, Now: clock})
	if err != nil {
		return nil, err
	}
	return runs.Typed(runs.Definition[doc]{Graph: compiled})
}

// serve makes a service whose checkpoints and runs are in files, and works until the benchmark ends.
func serve(b *testing.B) *runs.Service {
	b.Helper()
	folder := b.TempDir()
	kept, err := checkpoints.Open(b.Context(), filepath.Join(folder, "annai.db"), checkpoints.Options{})
	if err != nil {
		b.Fatal(err)
	}
	store, err := sqlite.Open(b.Context(), filepath.Join(folder, "runs.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	queue, err := river.NewSQLite(b.Context(), store, clock, river.Options{Workers: 64})
	if err != nil {
		b.Fatal(err)
	}
	g, err := trivial(kept)
	if err != nil {
		b.Fatal(err)
	}
	s, err := runs.New(runs.Parts{Store: store, Queue: queue, Graphs: []runs.Graph{g}, Now: clock}, runs.Options{})
	if err == nil {
		err = s.Prepare(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { _ = s.Work(ctx) })
	b.Cleanup(func() {
		cancel()
		work.Wait()
		_ = store.Close()
		_ = kept.Close()
	})
	return s
}

// BenchmarkWait has 64 clients each wait for runs of the trivial graph, on threads of their own, with every superstep and every run safe on the disk.
func BenchmarkWait(b *testing.B) {
	s := serve(b)
	const clients = 64
	request := runs.Request{AssistantID: "trivial", Input: json.RawMessage(`{}`)}
	wait := func(n int) {
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				for range n {
					r, err := s.Begin(b.Context(), "", request, true)
					if err == nil {
						_, err = r.Wait(b.Context())
					}
					if err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
	}
	wait(2)
	rates := make([]float64, budget.Rounds)
	for b.Loop() {
		for i := range rates {
			began := time.Now()
			wait(4)
			rates[i] = clients * 4 / time.Since(began).Seconds()
		}
	}
	budget.AtLeast(os.Stdout, "runs-wait-sqlite-sync", budget.Median(rates), "runs/s", 300)
}

// BenchmarkIdle looks at what a queue costs that has nothing to do.
func BenchmarkIdle(b *testing.B) {
	serve(b)
	time.Sleep(3 * time.Second) // until it leads
	const long = 10 * time.Second
	var used time.Duration
	for b.Loop() {
		before := processor(b)
		time.Sleep(long)
		used = processor(b) - before
	}
	budget.AtMost(os.Stdout, "runs-idle-sqlite", 100*used.Seconds()/long.Seconds(), "%", 1)
}

// processor is the time that this process has used.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
