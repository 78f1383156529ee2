package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/internal/config"
	"annai/rag/embedded"
	"annai/runs"
	"annai/runs/probe"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/langgraph"
	"annai/server/langgraph/assistant"
	"annai/storage/mem"
	"annai/storage/postgres"
	"annai/storage/sqlite"
)

// probeUsage is the help of the flag --probe-graph of serve.
const probeUsage = "also serve the graphs \"agent\" and \"probe\", with which clients of LangGraph's API can be tried, and let pages served on this machine ask"

// langGraph is the door for LangGraph's clients, and what is behind it.
type langGraph struct {
	door    door.Door
	service *runs.Service
	threads graph.Checkpointer
	store   runs.Store
	closers []func() error
}

// openLangGraph opens the door. The concierge is its assistant; with tryOut there are those of the probe too.
func openLangGraph(ctx context.Context, a *assembly, c config.Config, concierge gate.Concierge, tryOut bool, log *slog.Logger) (*langGraph, error) {
	l := &langGraph{}
	if err := l.open(ctx, a, c, concierge, tryOut, log); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

func (l *langGraph) open(ctx context.Context, a *assembly, c config.Config, concierge gate.Concierge, tryOut bool, log *slog.Logger) error {
	threads, closeThreads, err := openThreads(ctx, c)
	if err != nil {
		return oneLine{err}
	}
	l.closers, l.threads = append(l.closers, closeThreads), threads
	store, queue, closeRuns, err := openRuns(ctx, c, a.now, log)
	if err != nil {
		return err
	}
	l.closers, l.store = append(l.closers, closeRuns), store
	graphOfTurns, err := assistant.New(assistant.Parts{
		Concierge: concierge, Drawing: a.concierge.Drawing, Checkpointer: threads, Now: a.now, NewID: rand.Text,
	})
	if err != nil {
		return err
	}
	graphs := []runs.Graph{graphOfTurns}
	if tryOut {
		more, err := probe.Graphs(threads, a.now, rand.Text)
		if err != nil {
			return err
		}
		graphs = append(graphs, more...)
	}
	meaning, err := embedded.New()
	if err != nil {
		return fmt.Errorf("embedder: %w", err)
	}
	webhooks, err := openWebhooks(c, a.now)
	if err != nil {
		return err
	}
	l.service, err = runs.New(runs.Parts{
		Store: store, Queue: queue, Graphs: graphs, Now: a.now,
		Post: webhooks.Post, Meaning: itemMeaning{meaning},
	}, runs.Options{
		Log: log, GraphTTL: map[string]time.Duration{assistant.ID: c.SessionIdle}, // what visitors say lives as long as their session
		Lease: c.Runs.Lease, MaxQueue: c.Runs.Queue, MaxRun: c.Runs.Longest,
		EventsKept: c.Runs.EventsKept, ThreadTTL: cmp.Or(c.Runs.ThreadsKept, -1),
	})
	if err != nil {
		return err
	}
	l.door = langgraph.New(l.service, langgraph.Options{
		Version: version(), Visitors: visitorLimits(c), MaxBody: c.Runs.MaxBody,
	})
	return l.service.Prepare(ctx)
}

// What visitors may make the service keep, besides the settings.
const (
	maxState                             = 256 << 10
	maxThread                            = 16 << 20
	maxUpdates                           = 100
	maxAddressThreads, maxKeyThreads     = 2_000, 10_000
	maxAddressRunsOpen, maxKeyRunsOpened = 100, 200
)

func visitorLimits(c config.Config) runs.Limits {
	return runs.Limits{
		Lives: c.SessionIdle, State: maxState, Thread: maxThread, Updates: maxUpdates,
		Name:    runs.Usage{Threads: maxKeyThreads, Runs: maxKeyRunsOpened, Bytes: c.Access.KeyKept},
		Network: runs.Usage{Threads: maxAddressThreads, Runs: maxAddressRunsOpen, Bytes: c.Access.AddressKept},
	}
}

// openThreads opens what keeps the checkpoints of threads, where the settings say that sessions are kept: in a file, or a schema, of their own, so that the
// concierge forgets its sessions without asking what else there is.
func openThreads(ctx context.Context, c config.Config) (graph.Checkpointer, func() error, error) {
	ctx, cancel := context.WithTimeout(ctx, openDeadline)
	defer cancel()
	switch {
	case c.Postgres != "":
		s, err := postgres.Open(ctx, string(c.Postgres), postgres.Options{Row: rowOptions(c), Schema: "annai_threads", Limit: c.Deadline})
		if err != nil {
			return nil, nil, fmt.Errorf("threads: %w", err)
		}
		return s, s.Close, nil
	case c.Data != "":
		s, err := sqlite.Open(ctx, filepath.Join(c.Data, "threads.db"), sqlite.Options{Row: rowOptions(c)})
		if err != nil {
			return nil, nil, fmt.Errorf("data folder: %w", err)
		}
		return s, s.Close, nil
	default:
		return mem.New(), func() error { return nil }, nil
	}
}

// work executes runs until what it returns is called, which waits for them and closes what was opened.
func (l *langGraph) work(ctx context.Context) (stop func() error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var worker sync.WaitGroup
	var failed error
	worker.Go(func() { failed = l.service.Work(ctx) })
	return func() error {
		cancel()
		worker.Wait()
		return errors.Join(failed, l.close())
	}
}

func (l *langGraph) close() error {
	var errs []error
	for i := len(l.closers) - 1; i >= 0; i-- {
		errs = append(errs, l.closers[i]())
	}
	return errors.Join(errs...)
}

// itemMeaning lets items of the store be found by what they mean. It is the model inside the program, whichever the settings name for knowledge: what programs
// keep about people is sent nowhere.
type itemMeaning struct{ *embedded.Embedder }

// maxItemPieces is how many pieces of an item's text get a vector; the rest is not found.
const maxItemPieces = 32

// Vectors implements [runs.Meaning]. Pieces without a word that the model knows have none.
func (m itemMeaning) Vectors(ctx context.Context, text string) ([][]float32, error) {
	cut := pieces(text)
	var vectors [][]float32
	for _, piece := range cut[:min(len(cut), maxItemPieces)] {
		v, err := m.Embed(ctx, []string{piece})
		switch {
		case errors.Is(err, fault.ErrInvalid):
		case err != nil:
			return nil, err
		default:
			vectors = append(vectors, v[0])
		}
	}
	return vectors, nil
}
