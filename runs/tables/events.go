package tables

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"annai/runs"
	"annai/storage/row"
)

func eventPlace(thread string, id int64) row.Place {
	return row.Place{Thread: thread, Namespace: "event", ID: id}
}

// AppendEvents is part of [runs.Events].
func (s *Store) AppendEvents(ctx context.Context, thread, run, owner string, events []runs.Event) (last int64, err error) {
	err = s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		thread, err := s.held(ctx, tx, thread, run, owner)
		if err != nil {
			return err
		}
		tx.Changed(thread)
		last, err = s.addEvents(ctx, tx, thread, run, events)
		return err
	})
	return last, err
}

// addEvents appends events to the log of a thread that is held, so that ids are visible in their order.
func (s *Store) addEvents(ctx context.Context, tx Tx, thread, run string, events []runs.Event) (last int64, err error) {
	const count = `UPDATE annai_threads SET events = events + $2 WHERE id = $1 RETURNING events`
	if err := one(ctx, tx, count, []any{thread, int64(len(events))}, &last); err != nil || len(events) == 0 {
		return last, err
	}
	const insert = `INSERT INTO annai_events (thread, id, run, at, kind, namespace, node, step, data) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	for i, e := range events {
		id := last - int64(len(events)-1-i)
		data := []byte{}
		if e.Data != nil {
			if data, err = s.codec.EncodeDocument(eventPlace(thread, id), e.Data); err != nil {
				return 0, err
			}
		}
		row := []any{thread, id, run, ms(e.At), string(e.Kind), e.Namespace, e.Node, int64(e.Step), data}
		if err := tx.Later(ctx, insert, row...); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// ReadEvents is part of [runs.Events].
func (s *Store) ReadEvents(ctx context.Context, thread, run string, after int64, limit int) (found []runs.Event, err error) {
	const columns = `SELECT id, run, at, kind, namespace, node, step, data FROM annai_events `
	query, args := columns+`WHERE thread = $1 AND id > $2 ORDER BY id LIMIT $3`, []any{thread, after, int64(limit)}
	if run != "" { // its events come after what the log had when it was created
		query = columns + `WHERE thread = $1 AND id > $2 AND id > coalesce((SELECT events FROM annai_runs WHERE id = $4), 0) AND run = $4 ORDER BY id LIMIT $3`
		args = append(args, run)
	}
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		found = nil
		bytes := 0
		return tx.Query(ctx, query, args, func(scan Scan) error {
			e, err := s.scanEvent(thread, scan)
			if err == nil && bytes >= runs.MaxPage {
				return errPageFull
			}
			bytes += len(e.Data)
			found = append(found, e)
			return err
		})
	})
	if errors.Is(err, errPageFull) {
		err = nil
	}
	return found, err
}

var errPageFull = errors.New("a page has as many bytes as it may have")

func (s *Store) scanEvent(thread string, scan Scan) (e runs.Event, err error) {
	var when int64
	var kind string
	var data []byte
	if err := scan(&e.ID, &e.RunID, &when, &kind, &e.Namespace, &e.Node, &e.Step, &data); err != nil {
		return e, err
	}
	e.At, e.Kind = at(when), runs.Kind(kind)
	if len(data) == 0 {
		return e, nil
	}
	content, err := s.codec.DecodeDocument(eventPlace(thread, e.ID), data)
	if err != nil {
		return e, fmt.Errorf("event %d of thread %s: %w", e.ID, thread, err)
	}
	e.Data = slices.Clone(content)
	return e, nil
}

// Watch is part of [runs.Events].
func (s *Store) Watch(thread string) (changed <-chan struct{}, stop func()) {
	return s.db.Watch(thread)
}

// trimmed is how many events are forgotten in one transaction, so that many do not hold up who writes.
const trimmed = 1000

// TrimEvents is part of [runs.Events]. It takes as many transactions as it needs.
func (s *Store) TrimEvents(ctx context.Context, before time.Time) (total int, err error) {
	const remove = `DELETE FROM annai_events WHERE (thread, id) IN (SELECT thread, id FROM annai_events e
		WHERE at < $1 AND NOT EXISTS (SELECT 1 FROM annai_runs r WHERE r.id = e.run AND r.` + isOpen + `) LIMIT $2)`
	for {
		var n int64
		err := s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
			n, err = tx.Exec(ctx, remove, ms(before), int64(trimmed))
			return err
		})
		total += int(n)
		if err != nil || n < trimmed {
			return total, err
		}
	}
}
