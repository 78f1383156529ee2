package local

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"annai/internal/pgdb"
)

// carried is a row on its way.
type carried struct {
	owner, id, title, notes, due string
	updated                      int64
	completed                    sql.NullInt64
	deleted                      bool
}

// Carry copies the lists that are in a file into those of db, if nothing was ever written there, and
// returns how many tasks it copied. The file stays as it is. What is encrypted stays so, and needs
// the same key.
func Carry(ctx context.Context, path string, db *pgdb.DB) (n int, err error) {
	if err := db.Migrate(ctx, tables); err != nil {
		return 0, fmt.Errorf("copy tasks: %w", err)
	}
	from, err := openFile(ctx, path)
	if err != nil {
		return 0, fmt.Errorf("copy tasks from %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	rows, err := allRows(ctx, from.Read)
	if err != nil {
		return 0, fmt.Errorf("copy tasks from %s: %w", path, trouble(err))
	}
	err = db.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err = put(ctx, tx, rows)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("copy tasks: %w", trouble(err))
	}
	return n, nil
}

func allRows(ctx context.Context, db *sql.DB) (all []carried, err error) {
	rows, err := db.QueryContext(ctx, `SELECT owner, id, title, notes, due, updated, completed, deleted
		FROM annai_tasks ORDER BY number`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r carried
		err := rows.Scan(&r.owner, &r.id, &r.title, &r.notes, &r.due, &r.updated, &r.completed, &r.deleted)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// put writes rows if there are none, and returns how many.
func put(ctx context.Context, tx *sql.Tx, rows []carried) (int, error) {
	if err := pgdb.One(ctx, tx, "tasks"); err != nil {
		return 0, err
	}
	var used bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM annai_tasks)`).Scan(&used); err != nil || used {
		return 0, err
	}
	for _, r := range rows {
		_, err := tx.ExecContext(ctx, `INSERT INTO annai_tasks
			(owner, id, title, notes, due, updated, completed, deleted) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			r.owner, r.id, r.title, r.notes, r.due, r.updated, r.completed, r.deleted)
		if err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}
