package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"annai/fault"
	"annai/graph"
	"annai/internal/pgdb"
	"annai/storage/row"
)

const (
	// putQuery inserts no row if the record can't come there: without a parent it must be above all others, and a base must be there, which it then
	// holds. Whether the parent is there, its key says.
	putQuery = `INSERT INTO annai_records (thread, namespace, id, parent, base, at, data)
		SELECT $1, $2, $3, nullif($4::bigint, 0), $5, $6, $7
		WHERE CASE $4::bigint WHEN 0 THEN NOT EXISTS (SELECT 1 FROM annai_records WHERE thread = $1 AND namespace = $2 AND id > $3) ELSE $4 < $3::bigint END
		AND ($5::bigint IN ($3, $4) OR EXISTS (SELECT 1 FROM annai_records WHERE thread = $1 AND namespace = $2 AND id = $5 FOR KEY SHARE))`

	newestQuery = `SELECT id, at FROM annai_records WHERE thread = $1 AND namespace = $2 ORDER BY id DESC LIMIT 1`

	// putWritesQuery returns how many addresses of blobs the writes that it replaced had.
	putWritesQuery = `WITH refs AS (DELETE FROM annai_refs WHERE thread = $1 AND namespace = $2 AND id = $3 AND task = $4 RETURNING 1),
		put AS (
			INSERT INTO annai_writes (thread, namespace, id, task, data) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (thread, namespace, id, task) DO UPDATE SET data = excluded.data
		)
		SELECT count(*) FROM refs`

	// The two that read return rows of id, task (-1 for a record) and data, in any order; loadQuery has the newest id in each. They are worded so
	// that a plan made without statistics looks up each record by its key, and does not read the whole thread.
	loadQuery = `WITH RECURSIVE newest (id) AS (SELECT id FROM annai_records WHERE thread = $1 AND namespace = $2 ORDER BY id DESC LIMIT 1),
		target (id) AS (SELECT CASE $3::bigint WHEN 0 THEN id ELSE $3 END FROM newest),
		chain (id, parent, base) AS (
			SELECT r.id, r.parent, r.base FROM annai_records r WHERE r.thread = $1 AND r.namespace = $2 AND r.id = (SELECT id FROM target)
			UNION ALL
			SELECT r.id, r.parent, c.base FROM chain c CROSS JOIN LATERAL (
				SELECT id, parent FROM annai_records WHERE thread = $1 AND namespace = $2 AND id = c.parent LIMIT 1
			) r WHERE c.id > c.base
		)
		SELECT c.id, -1::bigint, (SELECT data FROM annai_records WHERE thread = $1 AND namespace = $2 AND id = c.id), (SELECT id FROM newest) FROM chain c
		UNION ALL
		SELECT id, task, data, (SELECT id FROM newest) FROM annai_writes WHERE thread = $1 AND namespace = $2 AND id = (SELECT id FROM target)`
	listQuery = `WITH page (id, data) AS (
			SELECT id, data FROM annai_records WHERE thread = $1 AND namespace = $2 AND id < $3 ORDER BY id DESC LIMIT $4
		)
		SELECT id, -1::bigint, data, 0::bigint FROM page
		UNION ALL
		SELECT id, task, data, 0::bigint FROM annai_writes
			WHERE thread = $1 AND namespace = $2 AND id BETWEEN (SELECT min(id) FROM page) AND (SELECT max(id) FROM page)`
)

// insert is a command that puts a row at a place, a record's or a task's, and the large values that are kept beside it.
type insert struct {
	command

	at     row.Place
	values []row.Blob
}

// Put is part of [graph.Checkpointer].
func (s *Store) Put(ctx context.Context, thread string, r graph.Record) error {
	var rows []insert
	var err error
	for _, inner := range r.Inner {
		if err == nil {
			rows, err = s.rows(rows, thread, inner)
		}
	}
	if err == nil {
		rows, err = s.rows(rows, thread, r)
	}
	var n int64
	switch {
	case err != nil:
	case len(rows) > 1 || len(rows[0].values) > 0:
		n, err = 1, s.putAll(ctx, thread, rows)
	case r.Parent == 0: // nothing else keeps Keep from taking away those above meanwhile
		n, err = s.together(ctx, command{shareQuery, []any{thread}}, rows[0].command)
	default:
		n, err = s.together(ctx, rows[0].command)
	}
	if err == nil && n == 0 {
		err = fault.ErrConflict
	}
	if err != nil {
		return fmt.Errorf("put record %d after %d of thread %s: %w", r.ID, r.Parent, thread, pgdb.Fault(err))
	}
	return nil
}

// rows adds those of a record and its Pending.
func (s *Store) rows(rows []insert, thread string, r graph.Record) ([]insert, error) {
	data, values, err := s.codec.SplitRecord(thread, r)
	if err != nil {
		return nil, err
	}
	rows = append(rows, insert{
		command{putQuery, []any{thread, r.Namespace, r.ID, r.Parent, r.Base, r.At.UnixNano(), data}},
		row.Place{Thread: thread, Namespace: r.Namespace, ID: r.ID, Task: row.Record},
		values,
	})
	for _, t := range r.Pending {
		w, err := s.writes(thread, t)
		if err != nil {
			return nil, err
		}
		rows = append(rows, w)
	}
	return rows, nil
}

// writes makes the row of a task's writes.
func (s *Store) writes(thread string, t graph.TaskWrites) (insert, error) {
	data, values, err := s.codec.SplitWrites(thread, t)
	return insert{
		command{putWritesQuery, []any{thread, t.Namespace, t.Checkpoint, t.Task, data}},
		row.Place{Thread: thread, Namespace: t.Namespace, ID: t.Checkpoint, Task: t.Task},
		values,
	}, err
}

// PutWrites is part of [graph.Checkpointer].
func (s *Store) PutWrites(ctx context.Context, thread string, t graph.TaskWrites) error {
	w, err := s.writes(thread, t)
	var before int
	switch {
	case err != nil:
	case len(w.values) > 0:
		err = s.putAll(ctx, thread, []insert{w})
		before = 1 // perhaps
	default:
		err = pgdb.Within(ctx, s.limit, func(ctx context.Context) error { return s.pool.QueryRow(ctx, w.query, w.args...).Scan(&before) })
	}
	if err == nil && before > 0 {
		err = s.forget(ctx, thread)
	}
	if err = pgdb.Fault(err); errors.Is(err, fault.ErrConflict) { // of the two keys, the one that is not resolved is that of the record
		err = fault.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("put writes of record %d of thread %s: %w", t.Checkpoint, thread, err)
	}
	return nil
}

// putAll puts rows and their large values, all or none.
func (s *Store) putAll(ctx context.Context, thread string, rows []insert) error {
	commands := []command{{shareQuery, []any{thread}}}
	for _, r := range rows {
		commands = append(commands, r.command)
	}
	return s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if n, err := count(ctx, tx, commands...); err != nil || n == 0 {
			return cmp.Or(err, fault.ErrConflict)
		}
		for _, r := range rows {
			if len(r.values) == 0 {
				continue
			}
			if err := s.refer(ctx, tx, r.at, r.values); err != nil {
				return err
			}
		}
		return nil
	})
}

// Load is part of [graph.Checkpointer].
func (s *Store) Load(ctx context.Context, thread, namespace string, id int64) (records []graph.Record, newest int64, err error) {
	records, newest, err = s.read(ctx, loadQuery, thread, namespace, id)
	if err == nil && len(records) == 0 && id != 0 {
		err = fault.ErrNotFound
	}
	if err != nil {
		return nil, 0, fmt.Errorf("load record %d of thread %s: %w", id, thread, err)
	}
	return records, newest, nil
}

// Newest is part of [graph.Checkpointer].
func (s *Store) Newest(ctx context.Context, thread, namespace string) (newest graph.Mark, err error) {
	var at int64
	err = pgdb.Within(ctx, s.limit, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, newestQuery, thread, namespace).Scan(&newest.ID, &at)
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return graph.Mark{}, nil
	case err != nil:
		return graph.Mark{}, fmt.Errorf("newest record of thread %s: %w", thread, pgdb.Fault(err))
	}
	newest.At = time.Unix(0, at)
	return newest, nil
}

// List is part of [graph.Checkpointer].
func (s *Store) List(ctx context.Context, thread, namespace string, before int64, limit int) ([]graph.Record, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	var most *int // no limit
	if limit > 0 {
		most = &limit
	}
	records, _, err := s.read(ctx, listQuery, thread, namespace, before, most)
	if err != nil {
		return nil, fmt.Errorf("list thread %s: %w", thread, err)
	}
	return records, nil
}

// attempts is how often what was read is read again when its large values were gone before they were read too. Each time somebody must have
// written meanwhile.
const attempts = 10

// read returns what a query found of a namespace, and the newest id if it says that.
func (s *Store) read(ctx context.Context, query, thread, namespace string, args ...any) (records []graph.Record, newest int64, err error) {
	for range attempts {
		err = pgdb.Within(ctx, s.limit, func(ctx context.Context) error {
			records, newest, err = s.readOnce(ctx, query, thread, namespace, args...)
			return err
		})
		if !errors.Is(err, row.ErrGone) {
			return records, newest, err
		}
	}
	return nil, 0, fmt.Errorf("after reading %d times: %w", attempts, err)
}

func (s *Store) readOnce(ctx context.Context, query, thread, namespace string, args ...any) ([]graph.Record, int64, error) {
	rows, err := s.pool.Query(ctx, query, append([]any{thread, namespace}, args...)...)
	if err != nil {
		return nil, 0, pgdb.Fault(err)
	}
	var newest int64
	entries, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (e row.Entry, err error) {
		return e, r.Scan(&e.ID, &e.Task, &e.Data, &newest)
	})
	if err != nil {
		return nil, 0, pgdb.Fault(err)
	}
	records, err := s.codec.Records(thread, namespace, entries, func(addresses []row.Address) (map[row.Address][]byte, error) {
		return s.fetch(ctx, thread, addresses)
	})
	return records, newest, err
}

const deleteBlobs = `DELETE FROM annai_blobs WHERE thread = $1`

// Delete is part of [graph.Checkpointer].
func (s *Store) Delete(ctx context.Context, thread string) error {
	this := []any{thread}
	_, err := s.together(ctx, command{aloneQuery, this}, command{holdQuery, this}, command{`DELETE FROM annai_records WHERE thread = $1`, this},
		command{deleteBlobs, this})
	if err != nil {
		return fmt.Errorf("delete thread %s: %w", thread, err)
	}
	return nil
}

// Threads is part of [graph.Lister].
func (s *Store) Threads(ctx context.Context, after string, limit int) (threads []string, err error) {
	// In the order of bytes, whatever the database's own is.
	const query = `SELECT DISTINCT thread COLLATE "C" AS thread FROM annai_records
		WHERE thread COLLATE "C" > $1 ORDER BY 1 LIMIT $2`
	err = pgdb.Within(ctx, s.limit, func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, query, after, limit)
		if err == nil {
			threads, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("threads: %w", pgdb.Fault(err))
	}
	return threads, nil
}

// Prune is part of [graph.Checkpointer].
func (s *Store) Prune(ctx context.Context, since time.Time) (int, error) {
	var threads []string
	err := pgdb.Within(ctx, s.limit, func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, `SELECT thread FROM annai_records GROUP BY thread HAVING max(at) < $1`, since.UnixNano())
		if err == nil {
			threads, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("prune: %w", pgdb.Fault(err))
	}
	count := 0
	for _, thread := range threads {
		gone, err := s.pruneThread(ctx, thread, since)
		if err != nil {
			return count, fmt.Errorf("prune thread %s: %w", thread, pgdb.Fault(err))
		}
		if gone {
			count++
		}
	}
	return count, nil
}

// pruneThread deletes the thread if it is still old once nobody can put a record after one of its own, and reports whether it did.
func (s *Store) pruneThread(ctx context.Context, thread string, since time.Time) (gone bool, err error) {
	err = s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		for _, lock := range []string{aloneQuery, holdQuery} {
			if _, err := tx.Exec(ctx, lock, thread); err != nil {
				return err
			}
		}
		const query = `DELETE FROM annai_records WHERE thread = $1 AND NOT EXISTS (SELECT 1 FROM annai_records WHERE thread = $1 AND at >= $2)`
		done, err := tx.Exec(ctx, query, thread, since.UnixNano())
		if gone = done.RowsAffected() > 0; err != nil || !gone {
			return err
		}
		_, err = tx.Exec(ctx, deleteBlobs, thread)
		return err
	})
	return gone, err
}
