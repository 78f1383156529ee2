// Package river hands runs to whoever executes them with riverqueue/river, which has its home here.
//
// The idea to hold: a job of River is a nudge to look at a run, committed together with the run. What is to run, in which order and by whom says the store,
// so that looking twice does no harm, and what River does not know of (a process that died, a turn that has come) is found by looking at the store now
// and then. The package knows no SQL but that of River.
package river

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivermigrate"

	"annai/fault"
	"annai/runs"
	"annai/runs/tables"
)

// Options are the settings of a [Queue] that have a default.
type Options struct {
	// Workers is how many runs are executed at once. 0: 16.
	Workers int
	// Limit is how many runs may wait or run, all processes together; a further one is refused. 0: 10,000.
	Limit int
	// Every is how often is looked for runs that nobody executes. 0: 1 second.
	Every time.Duration
	// Log gets what goes wrong and is tried again. Nil discards it.
	Log *slog.Logger
}

// Store is what a [Queue] needs of one.
type Store interface {
	runs.Store
	// AddRun is [runs.Runs.CreateRun] as a part of a transaction.
	AddRun(ctx context.Context, tx tables.Tx, s runs.Start) (runs.Run, error)
	// CountOpen counts runs that have not ended, up to most.
	CountOpen(ctx context.Context, tx tables.Tx, most int) (int, error)
	// NextRun returns the run of the thread whose turn it is now; none is [fault.ErrNotFound].
	NextRun(ctx context.Context, thread string, now time.Time) (string, error)
}

// Queue is a [runs.Queue]. It is safe for concurrent use.
type Queue struct {
	store Store
	now   func() time.Time
	opts  Options
	// insert does what Enqueue does.
	insert func(ctx context.Context, s runs.Start) (runs.Run, error)
	// start lets River hand over jobs, until stop is called, which waits for them.
	start func(ctx context.Context) (stop func(ctx context.Context) error, err error)
	// look looks at a run, once Work was called.
	look func(job)
}

var _ runs.Queue = (*Queue)(nil)

// queueName is the name of ours among River's queues.
const queueName = "annai"

// job is what a job of River says.
type job struct {
	Thread string `json:"thread"`
	Run    string `json:"run"`
}

// Kind is part of [river.JobArgs].
func (job) Kind() string { return "annai_run" }

// worker is what River calls. Whatever comes of the run is no failure of the job.
type worker struct {
	river.WorkerDefaults[job]

	queue *Queue
}

// Work is part of [river.Worker].
func (w *worker) Work(_ context.Context, j *river.Job[job]) error {
	w.queue.look(j.Args)
	return nil
}

// update is the store's transaction with River's.
type update[T any] func(ctx context.Context, do func(ctx context.Context, tx tables.Tx, raw T) error) error

// newQueue makes or extends River's tables, and a queue on them. Notify, if not nil, is called in the transaction of a job that is due at once.
func newQueue[T any](
	ctx context.Context, store Store, driver riverdriver.Driver[T], update update[T], notify func(ctx context.Context, raw T) error,
	now func() time.Time, opts Options,
) (*Queue, error) {
	opts.Workers, opts.Limit, opts.Every = cmp.Or(opts.Workers, 16), cmp.Or(opts.Limit, 10_000), cmp.Or(opts.Every, time.Second)
	opts.Log = cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	quiet := slog.New(onlyWarnings{opts.Log.Handler()})
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: quiet})
	if err == nil {
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("tables of the queue: %w: %w", err, fault.ErrUnavailable)
	}
	q := &Queue{store: store, now: now, opts: opts}
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{queue: q})
	newClient := func() (*river.Client[T], error) {
		return river.NewClient(driver, &river.Config{
			Queues:  map[string]river.QueueConfig{queueName: {MaxWorkers: opts.Workers}},
			Workers: workers, Logger: quiet,
			// Whoever adds a job wakes River, which only looks by itself in case that was lost. A
			// job is done once it was looked at.
			FetchCooldown: 2 * time.Millisecond, FetchPollInterval: 5 * time.Second, JobTimeout: -1,
			CompletedJobRetentionPeriod: time.Minute,
		})
	}
	client, err := newClient()
	if err != nil {
		return nil, fmt.Errorf("queue: %w: %w", err, fault.ErrInvalid)
	}
	q.insert = func(ctx context.Context, s runs.Start) (r runs.Run, err error) {
		err = update(ctx, func(ctx context.Context, tx tables.Tx, raw T) error {
			r, err = q.add(ctx, tx, s)
			if err != nil {
				return err
			}
			insert := &river.InsertOpts{Queue: queueName}
			if r.After.After(q.now()) {
				insert.ScheduledAt = r.After
			}
			if _, err := client.InsertTx(ctx, raw, job{r.ThreadID, r.ID}, insert); err != nil {
				return fmt.Errorf("queue: %w", err)
			}
			if notify == nil {
				return nil
			}
			return notify(ctx, raw)
		})
		return r, err
	}
	q.start = func(ctx context.Context) (func(context.Context) error, error) {
		worker, err := newClient() // one that failed to start is not started again
		if err != nil {
			return nil, err
		}
		return worker.Stop, worker.Start(ctx)
	}
	return q, nil
}

// add creates a run if there is room for it.
func (q *Queue) add(ctx context.Context, tx tables.Tx, s runs.Start) (runs.Run, error) {
	s.Owner = ""
	n, err := q.store.CountOpen(ctx, tx, q.opts.Limit)
	if err == nil && n >= q.opts.Limit {
		err = fmt.Errorf("%d runs are waiting already: %w", n, runs.ErrQueue)
	}
	if err != nil {
		return runs.Run{}, err
	}
	return q.store.AddRun(ctx, tx, s)
}

// Enqueue is part of [runs.Queue].
func (q *Queue) Enqueue(ctx context.Context, s runs.Start) (runs.Run, error) { return q.insert(ctx, s) }

// Work is part of [runs.Queue].
func (q *Queue) Work(ctx context.Context, execute runs.Execute) (err error) {
	w := newWork(q, execute)
	defer w.all.Wait()
	q.look = func(j job) { w.see(ctx, j) }
	var river sync.WaitGroup
	river.Go(func() { err = q.handOver(ctx) })
	w.sweep(ctx)
	river.Wait()
	return err
}

// startAgain is after how long River is started again that could not be.
const startAgain = time.Second

// handOver lets River hand over jobs until ctx ends. Where it can't be started that is tried again;
// meanwhile runs are found by looking for them.
func (q *Queue) handOver(ctx context.Context) error {
	for ctx.Err() == nil {
		working, cancel := context.WithCancel(context.WithoutCancel(ctx)) // River's work ends when ours does
		hurry := context.AfterFunc(ctx, cancel)                           // nobody waits for a start that takes long
		stop, err := q.start(working)
		hurry()
		if err == nil {
			<-ctx.Done()
			err = stop(context.WithoutCancel(ctx))
			cancel()
			if err != nil {
				return fmt.Errorf("queue: %w: %w", err, fault.ErrUnavailable)
			}
			return nil
		}
		cancel()
		q.opts.Log.WarnContext(ctx, "the queue does not start and is tried again", slog.Any("err", err))
		pause(ctx, startAgain)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// onlyWarnings leaves out what River says when nothing is wrong.
type onlyWarnings struct{ slog.Handler }

func (h onlyWarnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}
