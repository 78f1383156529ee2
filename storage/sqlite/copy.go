package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"annai/fault"
	"annai/internal/sqlitefile"
	"annai/storage/row"
)

// Copy is part of [graph.Checkpointer].
func (s *Store) Copy(ctx context.Context, from, to string) error {
	err := s.writer.run(ctx, &job{do: func(ctx context.Context, w *writer) error {
		if err := free(ctx, w.conn, from, to); err != nil {
			return err
		}
		for _, table := range copied {
			if err := s.copyRows(ctx, w.conn, from, to, table[0], table[1]); err != nil {
				return err
			}
		}
		_, err := w.conn.ExecContext(ctx, copyRefs, from, to)
		return sqlitefile.Fault(err)
	}})
	if err != nil {
		return fmt.Errorf("copy thread %s to %s: %w", from, to, err)
	}
	return nil
}

// copied are statements that read the rows of a thread, and that insert one for another thread: what is asked for by, then where the row is in
// terms of [row.Place], then the row. What a row may be tied to is in it.
var copied = [][2]string{
	{
		`SELECT namespace, id, 0, parent, base, at, data FROM records WHERE thread = ?1`,
		`INSERT INTO records (thread, namespace, id, parent, base, at, data) VALUES (?1, ?2, ?3, ?5, ?6, ?7, ?8)`,
	}, {
		`SELECT namespace, id, task, 0, 0, 0, data FROM writes WHERE thread = ?1`,
		`INSERT INTO writes (thread, namespace, id, task, data) VALUES (?1, ?2, ?3, ?4, ?8)`,
	}, {
		`SELECT address, 0, 0, 0, 0, 0, data FROM blobs WHERE thread = ?1`,
		`INSERT INTO blobs (thread, address, data) VALUES (?1, CAST (?2 AS BLOB), ?8)`,
	},
}

const copyRefs = `INSERT INTO refs (thread, namespace, id, task, address) SELECT ?2, namespace, id, task, address FROM refs WHERE thread = ?1`

// free says whether there is a thread, and none under the new name.
func free(ctx context.Context, conn *sql.Conn, from, to string) error {
	var found, taken bool
	const query = `SELECT EXISTS (SELECT 1 FROM records WHERE thread = ?1), EXISTS (SELECT 1 FROM records WHERE thread = ?2)`
	err := conn.QueryRowContext(ctx, query, from, to).Scan(&found, &taken)
	switch {
	case err != nil:
		return sqlitefile.Fault(err)
	case !found:
		return fault.ErrNotFound
	case taken:
		return fault.ErrConflict
	}
	return nil
}

func (s *Store) copyRows(ctx context.Context, conn *sql.Conn, from, to, query, insert string) (err error) {
	put, err := conn.PrepareContext(ctx, insert)
	if err != nil {
		return sqlitefile.Fault(err)
	}
	defer func() { err = errors.Join(err, sqlitefile.Fault(put.Close())) }()
	rows, err := conn.QueryContext(ctx, query, from)
	if err != nil {
		return sqlitefile.Fault(err)
	}
	defer func() { err = errors.Join(err, sqlitefile.Fault(rows.Close())) }()
	for rows.Next() {
		var parent, base, at int64
		var data []byte
		p := row.Place{Thread: from}
		if err := rows.Scan(&p.Namespace, &p.ID, &p.Task, &parent, &base, &at, &data); err != nil {
			return sqlitefile.Fault(err)
		}
		moved := p
		moved.Thread = to
		if data, err = s.codec.Move(p, moved, data); err != nil {
			return fmt.Errorf("row of record %d: %w", p.ID, err)
		}
		if _, err := put.ExecContext(ctx, to, p.Namespace, p.ID, p.Task, parent, base, at, data); err != nil {
			return sqlitefile.Fault(err)
		}
	}
	return sqlitefile.Fault(rows.Err())
}
