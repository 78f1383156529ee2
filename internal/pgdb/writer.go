package pgdb

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A Statement is a part of a [Change].
type Statement struct {
	Query string
	Args  []any
	// Failure is what it means that the statement divides by zero, see [Demand].
	Failure error
}

// Demand makes a statement that fails unless the query, which has no semicolon, finds a row.
func Demand(failure error, query string, args ...any) Statement {
	return Statement{"SELECT 1 / count(*) FROM (" + query + ") found", args, failure}
}

// Queue adds the statement to a batch; rows, if not nil, becomes how many it changed or returned.
func (s Statement) Queue(b *pgx.Batch, rows *int64) {
	b.Queue(s.Query, s.Args...).Fn = func(results pgx.BatchResults) error {
		done, err := results.Exec()
		if s.Failure != nil && codeOf(err) == codeDivision {
			return failure{s.Failure, err}
		}
		if rows != nil {
			*rows = done.RowsAffected()
		}
		return err
	}
}

// failure is what a demand says that was not met.
type failure struct{ means, said error }

func (f failure) Error() string   { return f.means.Error() }
func (f failure) Unwrap() []error { return []error{f.means, f.said} }

// A Change is statements that are done all or not at all, and none of which needs what another returned.
type Change struct {
	Statements []Statement
	// Rows is how many rows each statement changed or returned, once the change is committed.
	Rows []int64

	done chan error
}

// A Writer commits changes. Those that come while others are on their way wait for them and are then sent at once,
// in one transaction with one commit; if that fails for one of them, each is tried by itself. It is safe for
// concurrent use.
type Writer struct {
	pool  *pgxpool.Pool
	limit time.Duration
	// most is how many transactions there are at once.
	most int

	mu      sync.Mutex
	waiting []*Change
	writing int
}

// NewWriter returns a writer that uses a quarter of the connections. Limit is how long a transaction may take.
func NewWriter(pool *pgxpool.Pool, limit time.Duration) *Writer {
	return &Writer{pool: pool, limit: limit, most: max(1, int(pool.Config().MaxConns)/4)}
}

const (
	// together is how many changes are committed at once at most.
	together = 64
	// patience is how long changes that are committed together wait for locks: after that each waits for its own.
	// Those that came after them wait as long.
	patience    = 100 * time.Millisecond
	lockTimeout = `SELECT set_config('lock_timeout', '100ms', true)`
	// attempts is how often a change is tried that others got in the way of.
	attempts = 5
)

// Write returns once the change is committed. If ctx ends while it is on its way it may still be; before that
// nothing happens.
func (w *Writer) Write(ctx context.Context, c *Change) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.done = make(chan error, 1)
	w.mu.Lock()
	w.waiting = append(w.waiting, c)
	w.start(context.WithoutCancel(ctx))
	w.mu.Unlock()
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		w.mu.Lock()
		defer w.mu.Unlock()
		w.waiting = slices.DeleteFunc(w.waiting, func(other *Change) bool { return other == c })
		return ctx.Err()
	}
}

// start has somebody commit what waits, unless enough do. The lock is held.
func (w *Writer) start(ctx context.Context) {
	if w.writing < w.most && len(w.waiting) > 0 {
		w.writing++
		go w.write(ctx)
	}
}

// write commits what waits until nothing does.
func (w *Writer) write(ctx context.Context) {
	for {
		group := w.next()
		if len(group) == 0 {
			return
		}
		slow := time.AfterFunc(patience, func() { // nobody else waits for these
			w.mu.Lock()
			defer w.mu.Unlock()
			w.writing--
			w.start(ctx)
		})
		err := w.commit(ctx, lockTimeout, group...)
		late := !slow.Stop()
		var said *pgconn.PgError
		for _, c := range group {
			if errors.As(err, &said) { // so that nothing was committed
				go func() { c.done <- w.alone(ctx, c) }()
			} else {
				c.done <- err
			}
		}
		if late {
			return
		}
	}
}

// next takes what is to be committed together. If that is nothing, one less is writing.
func (w *Writer) next() []*Change {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(together, len(w.waiting))
	if n == 0 {
		w.writing--
		return nil
	}
	group := slices.Clone(w.waiting[:n])
	w.waiting = slices.Delete(w.waiting, 0, n)
	return group
}

// alone commits one change, again if others got in its way.
func (w *Writer) alone(ctx context.Context, c *Change) (err error) {
	for range attempts {
		if err = w.commit(ctx, "", c); !InTheWay(err) {
			break
		}
	}
	return err
}

// commit sends all statements at once, after the first, if there is one, as one transaction.
func (w *Writer) commit(ctx context.Context, first string, group ...*Change) error {
	return Within(ctx, w.limit, func(ctx context.Context) error {
		var b pgx.Batch
		if first != "" {
			b.Queue(first)
		}
		for _, c := range group {
			c.Rows = make([]int64, len(c.Statements))
			for i, s := range c.Statements {
				s.Queue(&b, &c.Rows[i])
			}
		}
		return w.pool.SendBatch(ctx, &b).Close()
	})
}
