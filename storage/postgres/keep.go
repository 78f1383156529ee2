package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"annai/fault"
	"annai/graph"
	"annai/internal/pgdb"
	"annai/storage/row"
)

// Keep is part of [graph.Checkpointer].
func (s *Store) Keep(ctx context.Context, thread string, r graph.Record, namespaces []string) error {
	data, values, err := s.codec.SplitRecord(thread, r)
	if err == nil && (!r.Snapshot || r.Parent != 0 || r.Base != r.ID) {
		err = fmt.Errorf("it is no snapshot without a parent: %w", fault.ErrInvalid)
	}
	if err == nil {
		err = s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
			if err := replace(ctx, tx, thread, r, data); err != nil {
				return err
			}
			if err := s.refer(ctx, tx, row.Place{Thread: thread, Namespace: r.Namespace, ID: r.ID, Task: row.Record}, values); err != nil {
				return err
			}
			return drop(ctx, tx, thread, r, namespaces)
		})
	}
	if err != nil {
		return fmt.Errorf("keep record %d of thread %s: %w", r.ID, thread, pgdb.Fault(err))
	}
	return nil
}

// replace puts r in place of the newest record, once nobody else can put one after any.
func replace(ctx context.Context, tx pgx.Tx, thread string, r graph.Record, data []byte) error {
	for _, lock := range []string{aloneQuery, holdQuery} {
		if _, err := tx.Exec(ctx, lock, thread); err != nil {
			return err
		}
	}
	const update = `UPDATE annai_records SET parent = NULL, base = $3, at = $4, data = $5 WHERE thread = $1 AND namespace = $2 AND id = $3
		AND NOT EXISTS (SELECT 1 FROM annai_records WHERE thread = $1 AND namespace = $2 AND id > $3)`
	done, err := tx.Exec(ctx, update, thread, r.Namespace, r.ID, r.At.UnixNano(), data)
	if err == nil && done.RowsAffected() == 0 {
		err = fault.ErrConflict
	}
	return err
}

// drop deletes what Keep does not keep.
func drop(ctx context.Context, tx pgx.Tx, thread string, r graph.Record, namespaces []string) error {
	if _, err := tx.Exec(ctx, `DELETE FROM annai_records WHERE thread = $1 AND namespace = $2 AND id <> $3`, thread, r.Namespace, r.ID); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT DISTINCT namespace FROM annai_records WHERE thread = $1`, thread)
	if err != nil {
		return err
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(all, func(namespace string) bool {
		begins := func(prefix string) bool { return strings.HasPrefix(namespace, prefix) }
		return namespace == r.Namespace || slices.ContainsFunc(namespaces, begins)
	})
	if _, err := tx.Exec(ctx, `DELETE FROM annai_records WHERE thread = $1 AND namespace = ANY ($2)`, thread, gone); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, forgetQuery, thread)
	return err
}
