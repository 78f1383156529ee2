// Package sqlite keeps threads in one SQLite file: modernc.org/sqlite has its home here.
//
// The log is two tables, one row per record and one per task's writes, whose content is one encoded column; what is asked for by is in columns
// of its own. One connection writes and several read, in WAL mode, so a reader never waits for a writer.
package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"annai/graph"
	"annai/internal/fault"
)

//go:embed schema.sql
var schema string

// schemaVersion is the one that schema.sql makes.
const schemaVersion = 1

// Store is a [graph.Checkpointer] in a file. It is safe for concurrent use.
type Store struct{ write, read *sql.DB }

// Open opens the file, or makes it with its folder. A file that can't be opened is [fault.ErrUnavailable]; one that a newer annai
// wrote is [fault.ErrInvalid].
func Open(ctx context.Context, path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open %s: %w: %w", path, err, fault.ErrUnavailable)
	}
	write, err := connect(path, "immediate", 1)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s := &Store{write: write}
	if err := s.migrate(ctx); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, errors.Join(err, write.Close()))
	}
	if s.read, err = connect(path, "deferred", 4); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, errors.Join(err, write.Close()))
	}
	return s, nil
}

func connect(path, lock string, connections int) (*sql.DB, error) {
	query := url.Values{"_txlock": {lock}, "_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(5000)", "foreign_keys(ON)"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: query.Encode()}).String())
	if err != nil {
		return nil, kind(err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

func (s *Store) migrate(ctx context.Context) error {
	var version int
	if err := s.write.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return kind(err)
	}
	switch {
	case version > schemaVersion:
		return fmt.Errorf("the file has format %d, this annai knows up to %d: %w", version, schemaVersion, fault.ErrInvalid)
	case version == schemaVersion:
		return nil
	}
	_, err := s.write.ExecContext(ctx, fmt.Sprintf("BEGIN IMMEDIATE; %s PRAGMA user_version = %d; COMMIT", schema, schemaVersion))
	return kind(err)
}

// Close lets go of the file.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// kind gives an error of the library its kind; nil stays nil.
func kind(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var e *sqlite.Error
	if errors.As(err, &e) && (e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE) {
		return fmt.Errorf("%w: %w", err, fault.ErrConflict)
	}
	return fmt.Errorf("%w: %w", err, fault.ErrUnavailable)
}

// Put is part of [graph.Checkpointer].
func (s *Store) Put(ctx context.Context, thread string, r graph.Record) error {
	r.Pending = nil
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("put record %d of thread %s: %w: %w", r.ID, thread, err, fault.ErrInvalid)
	}
	const insert = `INSERT INTO records (thread, namespace, id, parent, base, at, data) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
		WHERE ?4 = 0 OR EXISTS (SELECT 1 FROM records WHERE thread = ?1 AND namespace = ?2 AND id = ?4)`
	done, err := s.write.ExecContext(ctx, insert, thread, r.Namespace, r.ID, r.Parent, r.Base, r.At.UnixNano(), data)
	if err != nil {
		return fmt.Errorf("put record %d of thread %s: %w", r.ID, thread, kind(err))
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("put record %d after %d of thread %s: %w", r.ID, r.Parent, thread, errors.Join(err, fault.ErrConflict))
	}
	return nil
}

// PutWrites is part of [graph.Checkpointer].
func (s *Store) PutWrites(ctx context.Context, thread string, w graph.TaskWrites) error {
	data, err := json.Marshal(w)
	if err != nil {
		return fmt.Errorf("put writes of thread %s: %w: %w", thread, err, fault.ErrInvalid)
	}
	const upsert = `INSERT INTO writes (thread, namespace, id, task, data)
		SELECT thread, namespace, id, ?, ? FROM records WHERE thread = ? AND namespace = ? AND id = ?
		ON CONFLICT DO UPDATE SET data = excluded.data`
	done, err := s.write.ExecContext(ctx, upsert, w.Task, data, thread, w.Namespace, w.Checkpoint)
	if err != nil {
		return fmt.Errorf("put writes of record %d of thread %s: %w", w.Checkpoint, thread, kind(err))
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("put writes of record %d of thread %s: %w", w.Checkpoint, thread, errors.Join(err, fault.ErrNotFound))
	}
	return nil
}

// Load is part of [graph.Checkpointer].
func (s *Store) Load(ctx context.Context, thread, namespace string, id int64) ([]graph.Record, int64, error) {
	var newest int64
	const last = `SELECT coalesce(max(id), 0) FROM records WHERE thread = ? AND namespace = ?`
	if err := s.read.QueryRowContext(ctx, last, thread, namespace).Scan(&newest); err != nil {
		return nil, 0, fmt.Errorf("load thread %s: %w", thread, kind(err))
	}
	if newest == 0 && id == 0 {
		return nil, 0, nil
	}
	if id == 0 {
		id = newest
	}
	const chain = `WITH RECURSIVE chain (id, parent, base, data) AS (
			SELECT id, parent, base, data FROM records WHERE thread = ?1 AND namespace = ?2 AND id = ?3
			UNION ALL
			SELECT r.id, r.parent, c.base, r.data FROM chain c JOIN records r ON r.thread = ?1 AND r.namespace = ?2 AND r.id = c.parent
				WHERE c.id > c.base
		) SELECT data FROM chain ORDER BY id DESC`
	records, err := s.records(ctx, chain, thread, namespace, id)
	if err == nil && len(records) == 0 {
		err = fault.ErrNotFound
	}
	if err == nil {
		err = s.addPending(ctx, thread, records[:1])
	}
	if err != nil {
		return nil, 0, fmt.Errorf("load record %d of thread %s: %w", id, thread, err)
	}
	return records, newest, nil
}

// List is part of [graph.Checkpointer].
func (s *Store) List(ctx context.Context, thread, namespace string, before int64, limit int) ([]graph.Record, error) {
	if limit <= 0 {
		limit = -1
	}
	const page = `SELECT data FROM records WHERE thread = ?1 AND namespace = ?2 AND (?3 = 0 OR id < ?3) ORDER BY id DESC LIMIT ?4`
	records, err := s.records(ctx, page, thread, namespace, before, limit)
	if err == nil {
		err = s.addPending(ctx, thread, records)
	}
	if err != nil {
		return nil, fmt.Errorf("list thread %s: %w", thread, err)
	}
	return records, nil
}

// Delete is part of [graph.Checkpointer].
func (s *Store) Delete(ctx context.Context, thread string) error {
	if _, err := s.write.ExecContext(ctx, `DELETE FROM records WHERE thread = ?`, thread); err != nil {
		return fmt.Errorf("delete thread %s: %w", thread, kind(err))
	}
	return nil
}

// Prune is part of [graph.Pruner].
func (s *Store) Prune(ctx context.Context, since time.Time) (int, error) {
	const query = `SELECT thread FROM records GROUP BY thread HAVING max(at) < ?`
	threads, err := column(ctx, s.write, query, since.UnixNano())
	if err != nil {
		return 0, fmt.Errorf("prune: %w", err)
	}
	for i, thread := range threads {
		if err := s.Delete(ctx, string(thread)); err != nil {
			return i, err
		}
	}
	return len(threads), nil
}

func (s *Store) records(ctx context.Context, query string, args ...any) ([]graph.Record, error) {
	return rows[graph.Record](ctx, s.read, query, args...)
}

// addPending fills in what the tasks of the records left.
func (s *Store) addPending(ctx context.Context, thread string, records []graph.Record) error {
	for i := range records {
		r := &records[i]
		const query = `SELECT data FROM writes WHERE thread = ? AND namespace = ? AND id = ? ORDER BY task`
		pending, err := rows[graph.TaskWrites](ctx, s.read, query, thread, r.Namespace, r.ID)
		if err != nil {
			return err
		}
		r.Pending = pending
	}
	return nil
}

// rows reads rows of one encoded column.
func rows[T any](ctx context.Context, db *sql.DB, query string, args ...any) ([]T, error) {
	column, err := column(ctx, db, query, args...)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(column))
	for i, data := range column {
		if err := json.Unmarshal(data, &out[i]); err != nil {
			return nil, fmt.Errorf("row of another format: %w: %w", err, fault.ErrInvalid)
		}
	}
	return out, nil
}

// column reads rows of one column.
func column(ctx context.Context, db *sql.DB, query string, args ...any) (out [][]byte, err error) {
	result, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, kind(err)
	}
	defer func() { err = errors.Join(err, kind(result.Close())) }()
	for result.Next() {
		var data []byte
		if err := result.Scan(&data); err != nil {
			return nil, kind(err)
		}
		out = append(out, data)
	}
	return out, kind(result.Err())
}
