package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/internal/sqlitefile"
	"annai/storage/row"
)

// A query returns what it read of a namespace as rows of id, task (-1 for a record) and data, in any order, in one statement and so at one moment.
const (
	// loadQuery has the newest id in every row. CROSS JOIN keeps SQLite from reading all of the thread first.
	loadQuery = `WITH RECURSIVE newest (id) AS (SELECT max(id) FROM records WHERE thread = ?1 AND namespace = ?2),
		target (id) AS (SELECT CASE ?3 WHEN 0 THEN id ELSE ?3 END FROM newest),
		chain (id, parent, base) AS (
			SELECT r.id, r.parent, r.base FROM records r WHERE r.thread = ?1 AND r.namespace = ?2 AND r.id = (SELECT id FROM target)
			UNION ALL
			SELECT r.id, r.parent, c.base FROM chain c CROSS JOIN records r ON r.thread = ?1 AND r.namespace = ?2 AND r.id = c.parent
				WHERE c.id > c.base
		)
		SELECT r.id, -1, r.data, (SELECT id FROM newest) FROM chain c CROSS JOIN records r ON r.thread = ?1 AND r.namespace = ?2 AND r.id = c.id
		UNION ALL
		SELECT w.id, w.task, w.data, (SELECT id FROM newest) FROM writes w WHERE w.thread = ?1 AND w.namespace = ?2 AND w.id = (SELECT id FROM target)`
	listQuery = `WITH page (id, data) AS (
			SELECT id, data FROM records WHERE thread = ?1 AND namespace = ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4
		)
		SELECT id, -1, data FROM page
		UNION ALL
		SELECT w.id, w.task, w.data FROM page p CROSS JOIN writes w ON w.thread = ?1 AND w.namespace = ?2 AND w.id = p.id`
	newestQuery = `SELECT id, at FROM records WHERE thread = ?1 AND namespace = ?2 ORDER BY id DESC LIMIT 1`
	blobQuery   = `SELECT data FROM blobs WHERE thread = ?1 AND address = ?2`
)

// insert is a row to be put at a place, a record's or a task's, and the large values that are kept beside it.
type insert struct {
	at     row.Place
	record *graph.Record // nil: a task's writes
	data   []byte
	values []row.Blob
}

// Put is part of [graph.Checkpointer].
func (s *Store) Put(ctx context.Context, thread string, r graph.Record) error {
	var rows []insert
	var err error
	for i := range r.Inner {
		if err == nil {
			rows, err = s.rows(rows, thread, &r.Inner[i])
		}
	}
	if err == nil {
		rows, err = s.rows(rows, thread, &r)
	}
	if err == nil {
		err = s.put(ctx, thread, r.Relaxed, rows)
	}
	if errors.Is(err, fault.ErrConflict) {
		err = fault.ErrConflict // the text speaks of constraints, and putQuery of why
	}
	if err != nil {
		return fmt.Errorf("put record %d after %d of thread %s: %w", r.ID, r.Parent, thread, err)
	}
	return nil
}

// rows adds those of a record and its Pending.
func (s *Store) rows(rows []insert, thread string, r *graph.Record) ([]insert, error) {
	data, values, err := s.codec.SplitRecord(thread, *r)
	if err != nil {
		return nil, err
	}
	rows = append(rows, insert{row.Place{Thread: thread, Namespace: r.Namespace, ID: r.ID, Task: row.Record}, r, data, values})
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
	return insert{row.Place{Thread: thread, Namespace: t.Namespace, ID: t.Checkpoint, Task: t.Task}, nil, data, values}, err
}

// PutWrites is part of [graph.Checkpointer].
func (s *Store) PutWrites(ctx context.Context, thread string, t graph.TaskWrites) error {
	w, err := s.writes(thread, t)
	if err == nil {
		err = s.put(ctx, thread, false, []insert{w})
	}
	if err != nil {
		return fmt.Errorf("put writes of record %d of thread %s: %w", t.Checkpoint, thread, err)
	}
	return nil
}

// put has rows inserted, and their large values beside them: all or none.
func (s *Store) put(ctx context.Context, thread string, relaxed bool, rows []insert) error {
	if len(rows) == 1 && len(rows[0].values) == 0 {
		return s.writer.run(ctx, &job{do: rows[0].exec, single: true, relaxed: relaxed})
	}
	var values []row.Blob
	for _, r := range rows {
		values = append(values, r.values...)
	}
	return s.withBlobs(ctx, thread, values, func(blobs []blob) *job {
		return &job{relaxed: relaxed, do: func(ctx context.Context, w *writer) error {
			blobs := blobs
			for _, r := range rows {
				if err := r.exec(ctx, w); err != nil {
					return err
				}
				n := len(r.values)
				if err := refer(ctx, w.conn, r.at, blobs[:n]); err != nil {
					return err
				}
				blobs = blobs[n:]
			}
			return nil
		}}
	})
}

// exec inserts the row.
func (i *insert) exec(ctx context.Context, w *writer) error {
	if r := i.record; r != nil {
		_, err := w.put.exec(ctx, i.at.Thread, r.Namespace, r.ID, r.Parent, r.Base, r.At.UnixNano(), i.data)
		return err
	}
	n, err := w.putWrites.exec(ctx, i.at.Thread, i.at.Namespace, i.at.ID, int64(i.at.Task), i.data)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

// Delete is part of [graph.Checkpointer].
func (s *Store) Delete(ctx context.Context, thread string) error {
	err := s.writer.run(ctx, &job{single: true, do: func(ctx context.Context, w *writer) error {
		_, err := w.delete.exec(ctx, thread)
		return err
	}})
	if err != nil {
		return fmt.Errorf("delete thread %s: %w", thread, err)
	}
	s.file.Forget(ctx)
	return nil
}

// Load is part of [graph.Checkpointer].
func (s *Store) Load(ctx context.Context, thread, namespace string, id int64) (records []graph.Record, newest int64, err error) {
	if id == 0 { // every new thread is first loaded, so this is quick
		if newest, err := s.Newest(ctx, thread, namespace); newest.ID == 0 || err != nil {
			return nil, 0, err
		}
	}
	err = again(func() error {
		records, err = s.records(ctx, thread, namespace, s.load, &newest, id)
		return err
	})
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
	if err := ctx.Err(); err != nil {
		return graph.Mark{}, fmt.Errorf("newest record: %w", err)
	}
	ctx = context.WithoutCancel(ctx) // it takes no time
	newest, looked, err := s.writer.look(ctx, thread, namespace)
	if err == nil && !looked {
		var at int64
		err = s.newest.QueryRowContext(ctx, thread, namespace).Scan(&newest.ID, &at)
		newest.At = time.Unix(0, at)
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return graph.Mark{}, nil
	case err != nil:
		return graph.Mark{}, fmt.Errorf("newest record of thread %s: %w", thread, sqlitefile.Fault(err))
	}
	return newest, nil
}

// List is part of [graph.Checkpointer].
func (s *Store) List(ctx context.Context, thread, namespace string, before int64, limit int) (records []graph.Record, err error) {
	if before == 0 {
		before = math.MaxInt64
	}
	if limit <= 0 {
		limit = -1
	}
	err = again(func() error {
		records, err = s.records(ctx, thread, namespace, s.list, nil, before, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list thread %s: %w", thread, err)
	}
	return records, nil
}

// records reads and decodes what a query finds in a namespace. It is [row.ErrGone] if that changed meanwhile.
func (s *Store) records(ctx context.Context, thread, namespace string, query *sql.Stmt, newest *int64, args ...any) ([]graph.Record, error) {
	entries, err := read(ctx, query, newest, append([]any{thread, namespace}, args...)...)
	if err != nil {
		return nil, err
	}
	return s.codec.Records(thread, namespace, entries, func(addresses []row.Address) (map[row.Address][]byte, error) {
		return s.fetch(ctx, thread, addresses)
	})
}

// pruned is how many threads go in one commit, so that a large prune does not hold up who writes.
const pruned = 64

// Prune is part of [graph.Checkpointer].
func (s *Store) Prune(ctx context.Context, since time.Time) (int, error) {
	threads, err := s.old(ctx, since)
	if err != nil {
		return 0, fmt.Errorf("prune: %w", err)
	}
	count := 0
	for some := range slices.Chunk(threads, pruned) {
		var gone int
		if err := s.writer.run(ctx, &job{do: func(ctx context.Context, w *writer) (err error) {
			gone, err = deleteOld(ctx, w, some, since)
			return err
		}}); err != nil {
			return count, fmt.Errorf("prune: %w", err)
		}
		count += gone
		s.file.Forget(ctx)
	}
	return count, nil
}

// old returns the threads that nothing was put into since.
func (s *Store) old(ctx context.Context, since time.Time) (threads []string, err error) {
	return s.names(ctx, `SELECT thread FROM records GROUP BY thread HAVING max(at) < ?1`, since.UnixNano())
}

// Threads is part of [graph.Lister].
func (s *Store) Threads(ctx context.Context, after string, limit int) ([]string, error) {
	const query = `SELECT DISTINCT thread FROM records WHERE thread > ?1 ORDER BY thread LIMIT ?2`
	threads, err := s.names(ctx, query, after, limit)
	if err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	return threads, nil
}

// names returns the threads that a query finds.
func (s *Store) names(ctx context.Context, query string, args ...any) (threads []string, err error) {
	result, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, sqlitefile.Fault(err)
	}
	defer func() { err = errors.Join(err, sqlitefile.Fault(result.Close())) }()
	for result.Next() {
		var thread string
		if err := result.Scan(&thread); err != nil {
			return nil, sqlitefile.Fault(err)
		}
		threads = append(threads, thread)
	}
	return threads, sqlitefile.Fault(result.Err())
}

// deleteOld deletes those of the threads that are still old, and returns how many.
func deleteOld(ctx context.Context, w *writer, threads []string, since time.Time) (gone int, err error) {
	for _, thread := range threads {
		n, err := w.deleteOld.exec(ctx, thread, since.UnixNano())
		if err != nil {
			return 0, err
		}
		if n > 0 {
			gone++
		}
	}
	return gone, nil
}

// read reads what a query returns, and the newest id if it has one.
func read(ctx context.Context, stmt *sql.Stmt, newest *int64, args ...any) (entries []row.Entry, err error) {
	result, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, sqlitefile.Fault(err)
	}
	defer func() { err = errors.Join(err, sqlitefile.Fault(result.Close())) }()
	for result.Next() {
		var e row.Entry
		to := []any{&e.ID, &e.Task, &e.Data}
		if newest != nil {
			to = append(to, newest)
		}
		if err := result.Scan(to...); err != nil {
			return nil, sqlitefile.Fault(err)
		}
		entries = append(entries, e)
	}
	return entries, sqlitefile.Fault(result.Err())
}
