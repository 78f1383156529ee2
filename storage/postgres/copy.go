package postgres

import (
	"context"
	"fmt"

	"annai/internal/pgdb"

	"github.com/jackc/pgx/v5"

	"annai/fault"
	"annai/storage/row"
)

// The tables, and their columns besides that of the thread. In copyQuery the columns of all come in this order, after the number of the table.
var tables = []struct {
	name    string
	columns []string
}{
	{"annai_records", []string{"namespace", "id", "parent", "base", "at", "data"}},
	{"annai_writes", []string{"namespace", "id", "task", "data"}},
	{"annai_blobs", []string{"address", "data"}},
	{"annai_refs", []string{"namespace", "id", "task", "address"}},
}

// copyQuery reads all of a thread in one statement, and so at one moment.
const copyQuery = `
	SELECT 0 AS place, namespace, id, 0::bigint AS task, parent, base, at, data, NULL::bytea AS address FROM annai_records WHERE thread = $1
	UNION ALL SELECT 1, namespace, id, task, NULL, 0, 0, data, NULL FROM annai_writes WHERE thread = $1
	UNION ALL SELECT 2, '', 0, 0, NULL, 0, 0, data, address FROM annai_blobs WHERE thread = $1
	UNION ALL SELECT 3, namespace, id, task, NULL, 0, 0, NULL, address FROM annai_refs WHERE thread = $1`

// found is a row of any table.
type found struct {
	Table     int
	Namespace string
	ID, Task  int64
	Parent    *int64
	Base, At  int64
	Data      []byte
	Address   []byte
}

// Copy is part of [graph.Checkpointer].
func (s *Store) Copy(ctx context.Context, from, to string) error {
	err := s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		all, err := s.readAll(ctx, tx, from, to)
		if err != nil {
			return err
		}
		rows, err := s.move(all, from, to)
		if err != nil {
			return err
		}
		for i, t := range tables {
			columns := append([]string{"thread"}, t.columns...)
			if _, err := tx.CopyFrom(ctx, pgx.Identifier{t.name}, columns, pgx.CopyFromRows(rows[i])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("copy thread %s to %s: %w", from, to, pgdb.Fault(err))
	}
	return nil
}

// readAll returns what there is of a thread, if it can be copied.
func (s *Store) readAll(ctx context.Context, tx pgx.Tx, from, to string) ([]found, error) {
	if _, err := tx.Exec(ctx, aloneQuery, to); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, copyQuery, from)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[found])
	if err != nil {
		return nil, err
	}
	var taken bool
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM annai_records WHERE thread = $1)`, to).Scan(&taken)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, fault.ErrNotFound
	case taken:
		return nil, fault.ErrConflict
	}
	return all, nil
}

// move returns the rows of each table as they are for another thread.
func (s *Store) move(all []found, from, to string) ([][][]any, error) {
	rows := make([][][]any, len(tables))
	for _, r := range all {
		p := row.Place{Thread: from, Namespace: r.Namespace, ID: r.ID, Task: int(r.Task)}
		if r.Data != nil && r.Address != nil {
			p = row.Address(r.Address).Place(from)
		}
		moved := p
		moved.Thread = to
		var err error
		if r.Data != nil {
			if r.Data, err = s.codec.Move(p, moved, r.Data); err != nil {
				return nil, fmt.Errorf("row of record %d: %w", r.ID, err)
			}
		}
		var columns []any
		switch r.Table {
		case 0:
			columns = []any{to, r.Namespace, r.ID, r.Parent, r.Base, r.At, r.Data}
		case 1:
			columns = []any{to, r.Namespace, r.ID, r.Task, r.Data}
		case 2:
			columns = []any{to, r.Address, r.Data}
		default:
			columns = []any{to, r.Namespace, r.ID, r.Task, r.Address}
		}
		rows[r.Table] = append(rows[r.Table], columns)
	}
	return rows, nil
}
