package river_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"annai/fault"
	"annai/runs"
	"annai/runs/river"
	"annai/storage/postgres/pgtest"
)

// each runs a test on the queue of each back end.
func each(t *testing.T, opts river.Options, test func(t *testing.T, store runs.Store, queue runs.Queue)) {
	for name, open := range opens {
		t.Run(name, func(t *testing.T) {
			store, queue := open(t, opts)
			test(t, store, queue)
		})
	}
}

// newStart is a run on a thread, which is made if it does not exist.
func newStart(thread, run string) runs.Start {
	now := clock()
	return runs.Start{
		Run:    runs.Run{ID: run, ThreadID: thread, CreatedAt: now, UpdatedAt: now, Strategy: runs.Enqueue},
		Thread: &runs.Thread{ID: thread, CreatedAt: now, UpdatedAt: now, Status: runs.ThreadIdle},
	}
}

// work lets the queue work until what it returns is called.
func work(t *testing.T, queue runs.Queue, execute runs.Execute) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var working sync.WaitGroup
	working.Go(func() {
		if err := queue.Work(ctx, execute); err != nil {
			t.Errorf("Work = %v, want nil", err)
		}
	})
	var once sync.Once
	stop = func() { once.Do(func() { cancel(); working.Wait() }) }
	t.Cleanup(stop)
	return stop
}

// executor claims a run, says so, calls during if there is one, and finishes the run.
func executor(store runs.Store, began chan<- string, during func(ctx context.Context)) runs.Execute {
	var owners atomic.Int64
	return func(ctx context.Context, thread, run string) error {
		owner := fmt.Sprint("owner", owners.Add(1))
		_, err := store.ClaimRun(ctx, thread, run, owner, clock(), clock().Add(time.Hour))
		if errors.Is(err, runs.ErrEnded) {
			return nil
		}
		if err != nil {
			return err
		}
		began <- run
		if during != nil {
			during(ctx)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return store.FinishRun(context.WithoutCancel(ctx), runs.Finish{ThreadID: thread, RunID: run, Owner: owner, At: clock(), Status: runs.RunSuccess})
	}
}

// receive waits for a word.
func receive(t *testing.T, c <-chan string, longest time.Duration) string {
	t.Helper()
	select {
	case word := <-c:
		return word
	case <-time.After(longest):
		t.Fatalf("nothing came for %s", longest)
		return ""
	}
}

// TestWoken has a queue that looks by itself every hour only, and River every five seconds.
func TestWoken(t *testing.T) {
	each(t, river.Options{Every: time.Hour}, func(t *testing.T, store runs.Store, queue runs.Queue) {
		began := make(chan string, 100)
		work(t, queue, executor(store, began, nil))
		const rounds = 10
		late := 0 // rounds that River may have ended by looking: the first, before it listens, and those of a machine that is slow
		for i := range rounds {
			run, enqueued := fmt.Sprint("r", i), time.Now()
			if _, err := queue.Enqueue(t.Context(), newStart(fmt.Sprint("t", i), run)); err != nil {
				t.Fatalf("Enqueue = %v", err)
			}
			if got := receive(t, began, 2*time.Minute); got != run {
				t.Errorf("run %s began, want %s", got, run)
			}
			if time.Since(enqueued) > 4*time.Second {
				late++
			}
		}
		if late > 3 {
			t.Errorf("%d of %d runs began late, want at most 3", late, rounds)
		}
		for i := range 20 { // whose turns come as those before end
			if _, err := queue.Enqueue(t.Context(), newStart("t", fmt.Sprint("turn", i))); err != nil {
				t.Fatalf("Enqueue = %v", err)
			}
		}
		for i := range 20 {
			if got, want := receive(t, began, 2*time.Minute), fmt.Sprint("turn", i); got != want {
				t.Errorf("run %s began, want %s", got, want)
			}
		}
	})
}

// TestFull enqueues more than may wait.
func TestFull(t *testing.T) {
	each(t, river.Options{Limit: 3}, func(t *testing.T, store runs.Store, queue runs.Queue) {
		for i := range 4 {
			_, err := queue.Enqueue(t.Context(), newStart(fmt.Sprint("t", i), fmt.Sprint("r", i)))
			if i < 3 && err != nil || i == 3 && !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("Enqueue(%d) = %v, want nil for three, then ErrUnavailable", i, err)
			}
		}
		if _, err := store.Run(t.Context(), "", "r3"); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Run that was refused = %v, want ErrNotFound", err)
		}
		if _, err := store.CancelRun(t.Context(), "t0", "r0", runs.CancelInterrupt, clock()); err != nil {
			t.Fatal(err)
		}
		if _, err := queue.Enqueue(t.Context(), newStart("t4", "r4")); err != nil {
			t.Errorf("Enqueue once there is room = %v", err)
		}
	})
}

// TestWorkers has more runs than may be executed at once.
func TestWorkers(t *testing.T) {
	const workers, many = 3, 12
	each(t, river.Options{Workers: workers, Every: 50 * time.Millisecond}, func(t *testing.T, store runs.Store, queue runs.Queue) {
		began, goOn := make(chan string, many), make(chan struct{})
		var now, most atomic.Int64
		work(t, queue, executor(store, began, func(context.Context) {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			<-goOn
			now.Add(-1)
		}))
		for i := range many {
			if _, err := queue.Enqueue(t.Context(), newStart(fmt.Sprint("t", i), fmt.Sprint("r", i))); err != nil {
				t.Fatalf("Enqueue = %v", err)
			}
		}
		for i := range many {
			if i >= workers {
				goOn <- struct{}{}
			}
			receive(t, began, 2*time.Minute)
		}
		for range workers {
			goOn <- struct{}{}
		}
		if most.Load() != workers {
			t.Errorf("%d runs were executed at once, want %d", most.Load(), workers)
		}
	})
}

// TestStop ends a queue in the middle of a run, which another then takes over.
func TestStop(t *testing.T) {
	each(t, river.Options{Every: 50 * time.Millisecond}, func(t *testing.T, store runs.Store, queue runs.Queue) {
		began := make(chan string, 10)
		stop := work(t, queue, executor(store, began, func(ctx context.Context) { <-ctx.Done() }))
		if _, err := queue.Enqueue(t.Context(), newStart("t", "r")); err != nil {
			t.Fatalf("Enqueue = %v", err)
		}
		receive(t, began, 2*time.Minute)
		stop()
		r, err := store.Run(t.Context(), "t", "r")
		if err != nil || r.Status != runs.RunRunning {
			t.Errorf("Run that was stopped = %s, %v, want running", r.Status, err)
		}
		if _, err := store.RenewRun(t.Context(), "t", "r", r.Owner, clock().Add(-time.Second)); err != nil {
			t.Errorf("RenewRun = %v", err)
		}
		due, err := store.DueRuns(t.Context(), clock(), 10)
		if err != nil || len(due) != 1 || due[0].ID != "r" {
			t.Errorf("DueRuns = %v, %v, want the run", due, err)
		}
	})
}

// TestRefusedLeavesNoJob enqueues a run twice.
func TestRefusedLeavesNoJob(t *testing.T) {
	each(t, river.Options{Every: time.Minute}, func(t *testing.T, store runs.Store, queue runs.Queue) {
		if _, err := queue.Enqueue(t.Context(), newStart("t", "r")); err != nil {
			t.Fatalf("Enqueue = %v", err)
		}
		if _, err := queue.Enqueue(t.Context(), newStart("u", "r")); !errors.Is(err, fault.ErrConflict) {
			t.Errorf("Enqueue(again) = %v, want ErrConflict", err)
		}
		offered := make(chan string, 10)
		stop := work(t, queue, func(_ context.Context, thread, run string) error {
			offered <- thread + " " + run
			return nil
		})
		if got := receive(t, offered, 2*time.Minute); got != "t r" {
			t.Errorf("%s was offered, want t r", got)
		}
		stop()
		for len(offered) > 0 {
			if got := <-offered; got != "t r" {
				t.Errorf("%s was offered too", got)
			}
		}
	})
}

// TestServerDies kills the server under a queue that works.
func TestServerDies(t *testing.T) {
	store, queue := openPostgres(t, river.Options{Every: 100 * time.Millisecond})
	began := make(chan string, 10)
	work(t, queue, executor(store, began, nil))
	if _, err := queue.Enqueue(t.Context(), newStart("t", "r")); err != nil {
		t.Fatalf("Enqueue = %v", err)
	}
	receive(t, began, 2*time.Minute)
	if err := pgtest.Shared(t).Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := queue.Enqueue(t.Context(), newStart("u", "lost")); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Enqueue without a server = %v, want ErrUnavailable", err)
	}
	if err := pgtest.Shared(t).Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	for tries := 0; ; tries++ { // with each connection that is from before, at most
		_, err := queue.Enqueue(t.Context(), newStart("v", "again"))
		if err == nil {
			break
		}
		if tries == 10 || !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Enqueue once the server is back = %v", err)
		}
	}
	if got := receive(t, began, 2*time.Minute); got != "again" {
		t.Errorf("run %s began, want the one that was enqueued last", got)
	}
}
