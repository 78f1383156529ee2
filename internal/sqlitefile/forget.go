package sqlitefile

import (
	"context"
	"sync"
	"time"
)

// forgetAfter is how long after a deletion what was deleted is taken out of the log beside the
// file, so that many deletions share it, and again after how long if somebody reads the log still.
const forgetAfter = 5 * time.Second

// forgetter takes what was deleted out of the log of a file. What is deleted in the file itself is
// overwritten there and then.
type forgetter struct {
	mu     sync.Mutex
	timer  *time.Timer
	closed bool
	busy   sync.WaitGroup
}

// Forget says that something was deleted: some seconds later nothing of it is left, in the file and
// in the log beside it. It does not wait.
func (f *File) Forget(ctx context.Context) {
	g := &f.forgetter
	g.mu.Lock()
	defer g.mu.Unlock()
	if f.Path == "" || g.closed || g.timer != nil {
		return
	}
	g.busy.Add(1)
	ctx = context.WithoutCancel(ctx)
	g.timer = time.AfterFunc(forgetAfter, func() {
		defer g.busy.Done()
		g.mu.Lock()
		g.timer = nil
		g.mu.Unlock()
		if done, err := f.Truncate(ctx); !done || err != nil {
			f.Forget(ctx)
		}
	})
}

// stop waits for what is being taken out. Closing the file does the rest, since whoever closes it
// last empties the log.
func (g *forgetter) stop() {
	g.mu.Lock()
	g.closed = true
	if g.timer != nil && g.timer.Stop() {
		g.busy.Done()
	}
	g.mu.Unlock()
	g.busy.Wait()
}

// Truncate writes the log into the file and empties it, and says whether it could: not while
// somebody reads what is in the log, or writes.
func (f *File) Truncate(ctx context.Context) (done bool, err error) {
	if f.Path == "" {
		return true, nil
	}
	conn, err := f.Read.Conn(ctx)
	if err != nil {
		return false, Fault(err)
	}
	defer func() { _ = conn.Close() }() // gives it back
	// Whoever wants to write must not wait for long meanwhile.
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 50"); err != nil {
		return false, Fault(err)
	}
	var busy, frames, moved int
	err = conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	return err == nil && busy == 0, Fault(err)
}
