package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/internal/pgdb"
	"annai/runs/tables"
)

// database is the tables' [tables.DB]. Watched and woken are words for threads, because what is notified has a limit.
type database struct {
	watchers tables.Watchers

	pool    *pgxpool.Pool
	limit   time.Duration
	channel string
	writer  *pgdb.Writer
	news    *news
	stop    context.CancelFunc
	done    chan struct{} // closed when nobody listens any more
}

func newDatabase(ctx context.Context, pool *pgxpool.Pool, limit time.Duration) (*database, error) {
	d := &database{pool: pool, limit: limit, writer: pgdb.NewWriter(pool, limit), done: make(chan struct{})}
	var err error
	if d.channel, err = pgdb.Channel(ctx, pool, "annai_"); err != nil {
		return nil, err
	}
	d.news = newNews(d) //nolint:contextcheck // what changed is told as long as there are those who watch
	listening, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stop = stop
	go d.listen(listening)
	return d, nil
}

func (d *database) close() {
	d.news.close()
	d.stop()
	<-d.done
	d.watchers.WakeAll()
	d.pool.Close()
}

// Watch is part of [tables.DB].
func (d *database) Watch(thread string) (changed <-chan struct{}, stop func()) {
	return d.watchers.Watch(pgdb.Word(thread))
}

// listen wakes those who watch what is notified, until ctx ends.
func (d *database) listen(ctx context.Context) {
	defer close(d.done)
	pgdb.Listen(ctx, d.pool, d.channel, d.limit, d.watchers.Wake, d.watchers.WakeAll)
}

// Lock is part of [tables.DB].
func (d *database) Lock() string { return " FOR UPDATE" }

// attempts is how often a transaction is tried that others got in the way of.
const attempts = 5

// Update is part of [tables.DB]. Where no statement needs what another returned, all are sent at once, together
// with those of others. Else the transaction begins with the first statement whose result is needed.
func (d *database) Update(ctx context.Context, do func(context.Context, tables.Tx) error) error {
	return d.commit(ctx, func(ctx context.Context, t *transaction) error {
		defer t.release(ctx)
		if err := do(ctx, t); err != nil {
			return err
		}
		if t.conn == nil {
			return d.writer.Write(ctx, &pgdb.Change{Statements: t.later})
		}
		t.later = append(t.later, pgdb.Statement{Query: "commit"})
		return t.flush(ctx)
	})
}

// updateRaw is Update for who also needs the transaction itself.
func (d *database) updateRaw(ctx context.Context, do func(context.Context, tables.Tx, pgx.Tx) error) error {
	return d.commit(ctx, func(ctx context.Context, t *transaction) error {
		return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			t.queries = tx
			if err := do(ctx, t, tx); err != nil {
				return err
			}
			return t.flush(ctx)
		})
	})
}

// commit makes a transaction, again if others got in its way, and tells what it changed.
func (d *database) commit(ctx context.Context, once func(context.Context, *transaction) error) error {
	return d.call(ctx, func(ctx context.Context) (err error) {
		for range attempts {
			t := &transaction{pool: d.pool}
			if err = once(ctx, t); err == nil {
				d.news.tell(t.changed)
			}
			if !pgdb.InTheWay(err) {
				break
			}
		}
		return err
	})
}

// call makes a call that has a limit, and whose errors get their kinds.
func (d *database) call(ctx context.Context, call func(context.Context) error) error {
	return pgdb.Fault(pgdb.Within(ctx, d.limit, call))
}

// View is part of [tables.DB].
func (d *database) View(ctx context.Context, do func(context.Context, tables.Tx) error) error {
	opts := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return d.call(ctx, func(ctx context.Context) error {
		return pgx.BeginTxFunc(ctx, d.pool, opts, func(tx pgx.Tx) error { return do(ctx, &transaction{queries: tx}) })
	})
}

// Look is part of [tables.DB].
func (d *database) Look(ctx context.Context, do func(context.Context, tables.Tx) error) error {
	return d.call(ctx, func(ctx context.Context) error { return do(ctx, &transaction{queries: d.pool}) })
}

// transaction is a [tables.Tx].
type transaction struct {
	pool *pgxpool.Pool
	// conn is where the transaction has begun; nil: it has not, or belongs to somebody else.
	conn    *pgxpool.Conn
	queries queries // what is asked: conn, another's transaction, or the pool; nil: nothing yet
	// later is sent with the next statement whose result is needed.
	later   []pgdb.Statement
	changed []string
}

// queries is a transaction, or connections without one.
type queries interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

// begin takes a connection, unless there is one.
func (t *transaction) begin(ctx context.Context) (err error) {
	if t.queries != nil {
		return nil
	}
	if t.conn, err = t.pool.Acquire(ctx); err != nil {
		return err
	}
	t.queries = t.conn
	t.later = append([]pgdb.Statement{{Query: "begin"}}, t.later...)
	return nil
}

// idle is what a connection says that is in no transaction.
const idle = 'I'

// release gives the connection back. A transaction that was not committed is undone; if that can't be done, it ends
// with its connection.
func (t *transaction) release(ctx context.Context) {
	if t.conn == nil {
		return
	}
	if t.conn.Conn().PgConn().TxStatus() != idle {
		_, _ = t.conn.Exec(context.WithoutCancel(ctx), "rollback")
	}
	t.conn.Release()
}

// Later is part of [tables.Tx].
func (t *transaction) Later(_ context.Context, query string, args ...any) error {
	t.later = append(t.later, pgdb.Statement{Query: query, Args: args})
	return nil
}

// LaterEach is part of [tables.Tx]. One statement costs less than several.
func (t *transaction) LaterEach(_ context.Context, queries []string, args ...any) error {
	last := len(queries) - 1
	parts := make([]string, last)
	for i, query := range queries[:last] {
		parts[i] = fmt.Sprintf("part%d AS (%s)", i, query)
	}
	query := "WITH " + strings.Join(parts, ", ") + " " + queries[last]
	t.later = append(t.later, pgdb.Statement{Query: query, Args: args})
	return nil
}

// Demand is part of [tables.Tx].
func (t *transaction) Demand(_ context.Context, failure error, query string, args ...any) error {
	t.later = append(t.later, pgdb.Demand(failure, query, args...))
	return nil
}

// flush sends what is to be sent later.
func (t *transaction) flush(ctx context.Context) error {
	if len(t.later) == 0 {
		return nil
	}
	return t.send(ctx, new(pgx.Batch))
}

// send sends what is to be sent later, and then what is in the batch.
func (t *transaction) send(ctx context.Context, last *pgx.Batch) error {
	var b pgx.Batch
	for _, s := range t.later {
		s.Queue(&b, nil)
	}
	t.later = nil
	b.QueuedQueries = append(b.QueuedQueries, last.QueuedQueries...)
	return t.queries.SendBatch(ctx, &b).Close()
}

// Exec is part of [tables.Tx].
func (t *transaction) Exec(ctx context.Context, query string, args ...any) (n int64, err error) {
	if err := t.begin(ctx); err != nil {
		return 0, err
	}
	var b pgx.Batch
	pgdb.Statement{Query: query, Args: args}.Queue(&b, &n)
	err = t.send(ctx, &b)
	return n, err
}

// Query is part of [tables.Tx].
func (t *transaction) Query(ctx context.Context, query string, args []any, row func(tables.Scan) error) error {
	if err := t.begin(ctx); err != nil {
		return err
	}
	read := func(rows pgx.Rows) error {
		defer rows.Close()
		for rows.Next() {
			if err := row(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	}
	if len(t.later) > 0 {
		var b pgx.Batch
		b.Queue(query, args...).Query(read)
		return t.send(ctx, &b)
	}
	rows, err := t.queries.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	return read(rows)
}

// Changed is part of [tables.Tx].
func (t *transaction) Changed(thread string) { t.changed = append(t.changed, thread) }
