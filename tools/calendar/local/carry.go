package local

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"annai/fault"
	"annai/internal/pgdb"
)

// carried is a row on its way.
type carried struct {
	id           string
	revision     int64
	first, until sql.NullInt64
	long         bool
	data         sql.NullString
}

// Carry copies the calendar that is in a file into the one of that id in db, if nothing was ever
// written there, and returns how many rows it copied. The file stays as it is. Rows that are encrypted
// stay so, and need the same key.
func Carry(ctx context.Context, path string, db *pgdb.DB, calendarID string) (n int, err error) {
	to, err := sharedTable(ctx, db, calendarID)
	if err != nil {
		return 0, fmt.Errorf("copy calendar %s: %w", calendarID, err)
	}
	from, err := openFile(ctx, path)
	if err != nil {
		return 0, fmt.Errorf("copy calendar %s from %s: %w", calendarID, path, err)
	}
	defer func() { err = errors.Join(err, from.close()) }()
	rows, err := allRows(ctx, from.Read)
	if err != nil {
		return 0, fmt.Errorf("copy calendar %s from %s: %w", calendarID, path, from.trouble(err))
	}
	err = to.transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err = put(ctx, tx, calendarID, rows)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("copy calendar %s: %w: %w", calendarID, err, fault.ErrUnavailable)
	}
	return n, nil
}

func allRows(ctx context.Context, db *sql.DB) (all []carried, err error) {
	rows, err := db.QueryContext(ctx, `SELECT id, revision, first, until, long, data FROM events ORDER BY number`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r carried
		if err := rows.Scan(&r.id, &r.revision, &r.first, &r.until, &r.long, &r.data); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// put writes rows into a calendar that has none, and returns how many.
func put(ctx context.Context, tx *sql.Tx, calendarID string, rows []carried) (int, error) {
	var used bool
	const query = `SELECT EXISTS (SELECT 1 FROM annai_calendar_events WHERE calendar = $1)`
	if err := tx.QueryRowContext(ctx, query, calendarID).Scan(&used); err != nil || used {
		return 0, err
	}
	for _, r := range rows {
		_, err := tx.ExecContext(ctx, `INSERT INTO annai_calendar_events
			(calendar, id, revision, first, until, long, data) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			calendarID, r.id, r.revision, r.first, r.until, r.long, r.data)
		if err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}
