package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"annai/fault"
	"annai/graph"
	"annai/internal/sqlitefile"
	"annai/storage/row"
)

// Keep is part of [graph.Checkpointer].
func (s *Store) Keep(ctx context.Context, thread string, r graph.Record, namespaces []string) error {
	data, values, err := s.codec.SplitRecord(thread, r)
	if err == nil && (!r.Snapshot || r.Parent != 0 || r.Base != r.ID) {
		err = fmt.Errorf("it is no snapshot without a parent: %w", fault.ErrInvalid)
	}
	if err == nil {
		err = s.withBlobs(ctx, thread, values, func(blobs []blob) *job {
			return &job{do: func(ctx context.Context, w *writer) error {
				if err := replace(ctx, w.conn, thread, r, data, blobs); err != nil {
					return err
				}
				return forget(ctx, w.conn, thread, r, namespaces)
			}}
		})
	}
	if err != nil {
		return fmt.Errorf("keep record %d of thread %s: %w", r.ID, thread, err)
	}
	s.file.Forget(ctx)
	return nil
}

// replace puts r in place of the newest record. Blobs that both have stay where they are.
func replace(ctx context.Context, conn *sql.Conn, thread string, r graph.Record, data []byte, blobs []blob) error {
	const update = `UPDATE records SET parent = 0, base = ?3, at = ?4, data = ?5 WHERE thread = ?1 AND namespace = ?2 AND id = ?3
		AND NOT EXISTS (SELECT 1 FROM records WHERE thread = ?1 AND namespace = ?2 AND id > ?3)`
	done, err := conn.ExecContext(ctx, update, thread, r.Namespace, r.ID, r.At.UnixNano(), data)
	if err != nil {
		return sqlitefile.Fault(err)
	}
	if n, err := done.RowsAffected(); n == 0 {
		return cmp.Or(sqlitefile.Fault(err), fault.ErrConflict)
	}
	const old = -2 // no task
	const aside = `UPDATE refs SET task = ?4 WHERE thread = ?1 AND namespace = ?2 AND id = ?3 AND task = ?5`
	if _, err := conn.ExecContext(ctx, aside, thread, r.Namespace, r.ID, old, row.Record); err != nil {
		return sqlitefile.Fault(err)
	}
	if err := refer(ctx, conn, row.Place{Thread: thread, Namespace: r.Namespace, ID: r.ID, Task: row.Record}, blobs); err != nil {
		return err
	}
	const away = `DELETE FROM refs WHERE thread = ?1 AND namespace = ?2 AND id = ?3 AND task = ?4`
	_, err = conn.ExecContext(ctx, away, thread, r.Namespace, r.ID, old)
	return sqlitefile.Fault(err)
}

// forget deletes what Keep does not keep.
func forget(ctx context.Context, conn *sql.Conn, thread string, r graph.Record, namespaces []string) error {
	if _, err := conn.ExecContext(ctx, "DELETE FROM records WHERE thread = ?1 AND namespace = ?2 AND id <> ?3", thread, r.Namespace, r.ID); err != nil {
		return sqlitefile.Fault(err)
	}
	all, err := namespacesOf(ctx, conn, thread)
	if err != nil {
		return err
	}
	for _, namespace := range all {
		begins := func(prefix string) bool { return strings.HasPrefix(namespace, prefix) }
		if namespace == r.Namespace || slices.ContainsFunc(namespaces, begins) {
			continue
		}
		if _, err := conn.ExecContext(ctx, "DELETE FROM records WHERE thread = ?1 AND namespace = ?2", thread, namespace); err != nil {
			return sqlitefile.Fault(err)
		}
	}
	return nil
}

func namespacesOf(ctx context.Context, conn *sql.Conn, thread string) (all []string, err error) {
	rows, err := conn.QueryContext(ctx, "SELECT DISTINCT namespace FROM records WHERE thread = ?1", thread)
	if err != nil {
		return nil, sqlitefile.Fault(err)
	}
	defer func() { err = errors.Join(err, sqlitefile.Fault(rows.Close())) }()
	for rows.Next() {
		var namespace string
		if err := rows.Scan(&namespace); err != nil {
			return nil, sqlitefile.Fault(err)
		}
		all = append(all, namespace)
	}
	return all, sqlitefile.Fault(rows.Err())
}
