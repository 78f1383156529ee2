package runs

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // ids of version 5 are made with it, by their definition
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"annai/fault"
)

// Parts are what a service is made of. All are required but Post, Meaning and NewVectors.
type Parts struct {
	Store Store
	Queue Queue
	// Graphs are what can be run; for each there is an assistant whose id follows from the graph's.
	Graphs []Graph
	// Now is the clock.
	Now func() time.Time
	// Post sends a webhook: one attempt. The id is the same for the same report. Nil: there are
	// none, and asking for one is refused.
	Post func(ctx context.Context, id, url string, body []byte) error
	// Meaning lets items be found by what they mean. Nil: the query of a search is not looked at.
	Meaning Meaning
	// NewVectors makes an index of what items mean, for searches among hundreds of them and more. Nil: each is compared.
	NewVectors func() (Vectors, error)
}

// Options are the settings of a [Service] that have a default.
type Options struct {
	// NewID makes UUIDs. Nil: random ones.
	NewID func() string
	// Log receives what an operator must know. Nil discards it.
	Log *slog.Logger
	// Lease is how long a run is left alone by others when its process says nothing. 0: 10 seconds. It is renewed three times as often.
	Lease time.Duration
	// MaxActive is how many runs are executed here, or wait here for their turn; a further one is [fault.ErrUnavailable]. 0: 1,024.
	MaxActive int
	// MaxQueue is from how many runs on that have not ended [Service.Check] says that the queue is
	// full. 0: 10,000.
	MaxQueue int
	// MaxRun is how long a run may take. 0: 15 minutes.
	MaxRun time.Duration
	// ThreadTTL is how long a thread is kept that nobody uses and that has no TTL of its own. 0: 7 days; negative: for ever.
	ThreadTTL time.Duration
	// GraphTTL is, by graph, the longest that threads are kept, whatever TTL they have.
	GraphTTL map[string]time.Duration
	// EventsKept is how long events of ended runs are kept, and the temporary threads of runs that were logged. 0: 10 minutes.
	EventsKept time.Duration
	// SweepEvery is how often is looked for what is over, CronEvery for schedules that are due. 0: 30 and 1 seconds.
	SweepEvery, CronEvery time.Duration
}

// A Service does what LangGraph's API offers, for one caller; see [Service.As]. It is safe for concurrent use.
type Service struct {
	*core

	caller Caller
}

// core is what the service of every caller shares.
type core struct {
	parts  Parts
	opts   Options
	graphs map[string]Graph
	nearby *nearby
	// owner is this process, in leases.
	owner string

	// life ends when the service is to stop; began is done by then. Runs that somebody waits for and webhooks belong to it.
	life context.Context //nolint:containedctx // runs outlive the requests that asked for them, but not the service
	stop context.CancelCauseFunc
	busy sync.WaitGroup

	mu sync.Mutex
	// active are the runs that are executed here, or wait here for their turn.
	active map[string]*execution
	// watched counts those who follow whole threads from here.
	watched map[string]int

	counts     counts
	assistants assistantCache
}

// errStopping is why runs end when the service does.
var errStopping = fmt.Errorf("the service is stopping: %w", fault.ErrUnavailable)

// New returns a service over the parts. Until [Service.Work] is called nothing is executed in the background.
func New(parts Parts, opts Options) (*Service, error) {
	if parts.Store == nil || parts.Queue == nil || parts.Now == nil || len(parts.Graphs) == 0 {
		return nil, fmt.Errorf("new service: store, queue, clock and graphs are required: %w", fault.ErrInvalid)
	}
	if opts.NewID == nil {
		opts.NewID = NewID
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.Lease = cmp.Or(opts.Lease, 10*time.Second)
	opts.MaxActive = cmp.Or(opts.MaxActive, 1024)
	opts.MaxQueue = cmp.Or(opts.MaxQueue, 10_000)
	opts.MaxRun = cmp.Or(opts.MaxRun, 15*time.Minute)
	opts.ThreadTTL = cmp.Or(opts.ThreadTTL, 7*24*time.Hour)
	opts.EventsKept = cmp.Or(opts.EventsKept, 10*time.Minute)
	opts.SweepEvery = cmp.Or(opts.SweepEvery, 30*time.Second)
	opts.CronEvery = cmp.Or(opts.CronEvery, time.Second)
	s := &Service{core: &core{
		parts: parts, opts: opts, graphs: map[string]Graph{}, owner: opts.NewID(),
		active: map[string]*execution{}, watched: map[string]int{}, nearby: newNearby(parts),
	}}
	for _, g := range parts.Graphs {
		if s.graphs[g.ID()] != nil {
			return nil, fmt.Errorf("new service: two graphs are called %q: %w", g.ID(), fault.ErrInvalid)
		}
		s.graphs[g.ID()] = g
	}
	s.life, s.stop = context.WithCancelCause(context.Background())
	return s, nil
}

// NewID makes a random UUID.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return formatID(b, 4)
}

// Prepare makes the assistants of the graphs, once per store.
func (s *Service) Prepare(ctx context.Context) error {
	now := s.now()
	for id := range s.graphs {
		err := s.parts.Store.CreateAssistant(ctx, Assistant{
			ID: AssistantID(id), GraphID: id, Version: 1, Name: id, Config: Object{}, Context: Object{}, Metadata: Object{"created_by": "system"},
			CreatedAt: now, UpdatedAt: now,
		})
		if err != nil && !errors.Is(err, fault.ErrConflict) {
			return fmt.Errorf("assistant of graph %s: %w", id, err)
		}
	}
	return nil
}

// Work executes what is queued, fires crons and forgets what is over, until ctx ends. Then it ends the runs that are under way here, so that others
// may go on, and returns once nothing is left of them.
func (s *Service) Work(ctx context.Context) error {
	var parts sync.WaitGroup
	var failed error
	parts.Go(func() { failed = s.parts.Queue.Work(ctx, s.Execute) })
	parts.Go(func() { s.every(ctx, s.opts.SweepEvery, "sweep failed", s.Sweep) })
	parts.Go(func() { s.every(ctx, s.opts.CronEvery, "crons failed", s.Fire) })
	<-ctx.Done()
	s.stop(errStopping)
	parts.Wait()
	s.busy.Wait()
	return failed
}

// every does something now and then.
func (s *Service) every(ctx context.Context, pause time.Duration, failure string, do func(context.Context) error) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				s.opts.Log.LogAttrs(ctx, slog.LevelWarn, "upkeep of runs", slog.String("what", failure), slog.Any("err", err))
			}
		}
	}
}

// Check says whether what keeps runs can be read, and whether the queue takes more.
func (s *Service) Check(ctx context.Context) error {
	_, open, err := s.parts.Store.ListRuns(ctx, RunFilter{Statuses: []RunStatus{RunPending, RunRunning}})
	if err == nil && s.opts.MaxQueue > 0 && open >= s.opts.MaxQueue {
		err = ErrQueue
	}
	return err
}

// now is the clock, in the precision in which times are kept.
func (s *Service) now() time.Time { return s.parts.Now().UTC().Truncate(time.Millisecond) }

// AssistantID is the id of a graph's own assistant: a UUID of version 5.
func AssistantID(graph string) string {
	space := [16]byte{0x6b, 0xa7, 0xb8, 0x21, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}
	sum := sha1.Sum(append(space[:], graph...)) //nolint:gosec // see the import
	return formatID([16]byte(sum[:16]), 5)
}

// isID says whether a text is a UUID.
func isID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, c := range []byte(text) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		digit := c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
		if dash != (c == '-') || !dash && !digit {
			return false
		}
	}
	return true
}

// checkID refuses what is no UUID where something is to be made.
func checkID(name, id string) error {
	if !isID(id) {
		return fmt.Errorf("%s is no UUID: %w", name, fault.ErrInvalid)
	}
	return nil
}
