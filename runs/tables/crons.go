package tables

import (
	"context"

	"annai/runs"
	"annai/storage/row"
)

func cronPlace(id string) row.Place { return row.Place{Thread: id, Namespace: "cron"} }

// cronDocument is a cron with what is never sent.
type cronDocument struct {
	runs.Cron

	By runs.Maker
}

// cronColumns are the arguments of a cron's columns.
func (s *Store) cronColumns(c runs.Cron) ([]any, error) {
	document, err := s.encode(cronPlace(c.ID), cronDocument{c, c.Maker})
	next := msOf(c.NextRun)
	if !c.Enabled {
		next = 0
	}
	thread := ""
	if c.ThreadID != nil {
		thread = *c.ThreadID
	}
	return []any{c.ID, thread, next, document}, err
}

// CreateCron is part of [runs.Crons].
func (s *Store) CreateCron(ctx context.Context, c runs.Cron) error {
	columns, err := s.cronColumns(c)
	if err != nil {
		return err
	}
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		n, err := tx.Exec(ctx, `INSERT INTO annai_crons (id, thread, next, doc) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`, columns...)
		if err == nil && n == 0 {
			err = exists("cron", c.ID)
		}
		return err
	})
}

// UpdateCron is part of [runs.Crons].
func (s *Store) UpdateCron(ctx context.Context, id string, change func(*runs.Cron) error) (next runs.Cron, err error) {
	err = s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		found, err := s.crons(ctx, tx, `WHERE id = $1`+s.db.Lock(), id)
		if err == nil && len(found) == 0 {
			err = missing("cron", id)
		}
		if err != nil {
			return err
		}
		next = found[0]
		if err := change(&next); err != nil {
			return err
		}
		next.ID, next.CreatedAt = id, found[0].CreatedAt
		columns, err := s.cronColumns(next)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE annai_crons SET thread = $2, next = $3, doc = $4 WHERE id = $1`, columns...)
		return err
	})
	return next, err
}

// crons returns those that a condition leaves.
func (s *Store) crons(ctx context.Context, tx Tx, where string, args ...any) (found []runs.Cron, err error) {
	err = tx.Query(ctx, `SELECT id, doc FROM annai_crons `+where, args, func(scan Scan) error {
		var id string
		var document []byte
		if err := scan(&id, &document); err != nil {
			return err
		}
		var d cronDocument
		err := s.decode(cronPlace(id), document, &d)
		d.Maker = d.By
		found = append(found, d.Cron)
		return err
	})
	return found, err
}

// DeleteCron is part of [runs.Crons].
func (s *Store) DeleteCron(ctx context.Context, id string) error {
	return s.deleteOne(ctx, "cron", `DELETE FROM annai_crons WHERE id = $1`, id)
}

// SearchCrons is part of [runs.Crons]. Crons are few: all are read, except in a search of those that are due, which is made often.
func (s *Store) SearchCrons(ctx context.Context, f runs.CronFilter) (found []runs.Cron, total int, err error) {
	where, args := "", []any(nil)
	if !f.DueBefore.IsZero() {
		where, args = `WHERE next > 0 AND next <= $1`, []any{ms(f.DueBefore)}
	}
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		found, err = s.crons(ctx, tx, where, args...)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	found, total = f.Of(found)
	return found, total, nil
}
