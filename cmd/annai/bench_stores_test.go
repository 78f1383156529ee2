package main

import (
	"errors"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"annai/internal/budget"
	"annai/storage/postgres/pgtest"
)

// waits has 16 clients each wait for so many runs of three supersteps, and returns how many there are in a second.
func (p process) waits(b *testing.B, n int) float64 {
	b.Helper()
	const clients = 16
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	errs := make([]error, clients)
	var all sync.WaitGroup
	began := time.Now()
	for c := range clients {
		all.Go(func() {
			for range n {
				const body = `{"assistant_id":"probe","input":{"mode":"echo","text":"heard"}}`
				errs[c] = errors.Join(errs[c], post(client, p.url+"/runs/wait", body, "heard"))
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
	return float64(clients*n) / took.Seconds()
}

// BenchmarkStores compares a server on PostgreSQL with one in memory, by turns: turns of talks, and runs that somebody
// waits for. The database, which is on the same machine, takes its part of the processors.
func BenchmarkStores(b *testing.B) {
	path := build(b)
	memory := launch(b, path, "--probe-graph")
	shared := launch(b, path, "--probe-graph", "--postgres", pgtest.Shared(b).Schema(b))
	for _, p := range []process{memory, shared} {
		p.load(b, 16, 30) // warm
		p.waits(b, 10)
	}
	for b.Loop() {
		shared.load(b, 1, 1)
	}
	var queries, processors, runs []float64
	for range budget.Rounds {
		used := map[process]float64{}
		rate := func(p process) float64 {
			before := p.processor(b)
			times, all := p.load(b, 16, 60)
			used[p] = p.processor(b) - before
			return float64(len(times)) / all.Seconds()
		}
		limit := rate(memory)
		queries = append(queries, rate(shared)/limit)
		processors = append(processors, used[shared]/used[memory])
		limit = memory.waits(b, 30)
		runs = append(runs, shared.waits(b, 30)/limit)
	}
	budget.AtLeast(os.Stdout, "query-postgres", budget.Median(queries), "of memory's rate", 0.8)
	budget.AtMost(os.Stdout, "query-postgres-processor", budget.Median(processors), "x memory's", 1.25)
	budget.AtLeast(os.Stdout, "runs-wait-postgres", budget.Median(runs), "of memory's rate", 0.25)
}
