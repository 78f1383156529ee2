package setup

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"annai/graph"
	"annai/internal/config"
	"annai/runs"
	"annai/storage/mem"
)

// A Service executes runs of graphs, with what keeps them.
type Service struct {
	*runs.Service

	// Threads keep checkpoints, Store runs.
	Threads graph.Checkpointer
	Store   runs.Store
	closers []func() error
}

// ServiceOptions are the settings of [OpenService] that are not in the settings of the server.
type ServiceOptions struct {
	// Program is what is told to programs elsewhere: "annai/1.2.3".
	Program string
	// Meaning lets items of the store be found by what they mean. Nil: they are not.
	Meaning runs.Meaning
	// NewVectors makes an index of what items mean. Nil: each is compared.
	NewVectors func() (runs.Vectors, error)
	// GraphTTL is, by graph, the longest that threads are kept.
	GraphTTL map[string]time.Duration
}

// OpenService opens where threads and runs are kept, and makes the service for the graphs that make returns. What it
// needs in its store is there then. It does nothing until [Service.Begin].
func OpenService(
	ctx context.Context, c config.Config, now func() time.Time, log *slog.Logger,
	make func(threads graph.Checkpointer) ([]runs.Graph, error), opts ServiceOptions,
) (*Service, error) {
	s := &Service{}
	if err := s.open(ctx, c, now, log, make, opts); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Service) open(
	ctx context.Context, c config.Config, now func() time.Time, log *slog.Logger,
	make func(threads graph.Checkpointer) ([]runs.Graph, error), opts ServiceOptions,
) error {
	threads, closeThreads, err := Threads(ctx, c)
	if err != nil {
		return OneLine(err)
	}
	s.Threads, s.closers = threads, append(s.closers, closeThreads)
	store, queue, closeRuns, err := Runs(ctx, c, now, log)
	if err != nil {
		return err
	}
	s.Store, s.closers = store, append(s.closers, closeRuns)
	graphs, err := make(held(c, threads))
	if err != nil {
		return err
	}
	webhooks, err := Webhooks(c, opts.Program, now)
	if err != nil {
		return err
	}
	s.Service, err = runs.New(runs.Parts{
		Store: store, Queue: queue, Graphs: graphs, Now: now, Post: webhooks.Post, Meaning: opts.Meaning,
		NewVectors: opts.NewVectors,
	}, runs.Options{
		Log: log, GraphTTL: opts.GraphTTL,
		Lease: c.Runs.Lease, MaxQueue: c.Runs.Queue, MaxRun: c.Runs.Longest,
		EventsKept: c.Runs.EventsKept, ThreadTTL: cmp.Or(c.Runs.ThreadsKept, -1),
	})
	if err != nil {
		return err
	}
	return s.Prepare(ctx)
}

// heldFor is how long checkpoints of a thread that goes with its run are in memory only.
const heldFor = 50 * time.Millisecond

// held is where graphs put checkpoints that are kept in the threads.
func held(c config.Config, threads graph.Checkpointer) graph.Checkpointer {
	if c.Postgres == "" && c.Data == "" { // they are in memory already
		return threads
	}
	return mem.NewBehind(threads, heldFor)
}

// Begin executes runs until what it returns is called, which waits for them and closes what was opened.
func (s *Service) Begin(ctx context.Context) (stop func() error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var worker sync.WaitGroup
	var failed error
	worker.Go(func() { failed = s.Work(ctx) })
	return func() error {
		cancel()
		worker.Wait()
		return errors.Join(failed, s.Close())
	}
}

// Close lets go of what keeps threads and runs.
func (s *Service) Close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	return errors.Join(errs...)
}

// What visitors may make the service keep, besides the settings.
const (
	maxState                             = 256 << 10
	maxThread                            = 16 << 20
	maxUpdates                           = 100
	maxAddressThreads, maxKeyThreads     = 2_000, 10_000
	maxAddressRunsOpen, maxKeyRunsOpened = 100, 200
)

// Limits bound what visitors make the service keep. Lives is how long a thread of theirs lives that nobody uses;
// 0: as long as others.
func Limits(c config.Config, lives time.Duration) runs.Limits {
	return runs.Limits{
		Lives: lives, State: maxState, Thread: maxThread, Updates: maxUpdates,
		Name:    runs.Usage{Threads: maxKeyThreads, Runs: maxKeyRunsOpened, Bytes: c.Access.KeyKept},
		Network: runs.Usage{Threads: maxAddressThreads, Runs: maxAddressRunsOpen, Bytes: c.Access.AddressKept},
	}
}
