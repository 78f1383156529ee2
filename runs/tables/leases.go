package tables

import (
	"context"
	"errors"
	"time"

	"annai/fault"
	"annai/runs"
)

// ClaimRun is part of [runs.Leases].
func (s *Store) ClaimRun(ctx context.Context, thread, id, owner string, now, until time.Time) (r runs.Run, err error) {
	err = s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		thread, err := s.holdRun(ctx, tx, thread, id)
		if err != nil {
			return err
		}
		var turn, found bool
		const query = `SELECT ` + runColumns + `, CASE WHEN ` + isTurn + ` THEN 1 ELSE 0 END FROM annai_runs r WHERE r.id = $2 AND r.thread = $3`
		err = tx.Query(ctx, query, []any{ms(now), id, thread}, func(scan Scan) error {
			var yes int64
			r, err = s.scanRun(scan, &yes)
			turn, found = yes != 0, true
			return err
		})
		switch {
		case err != nil:
			return err
		case !found:
			return missing("run", id)
		case r.Status.Ended():
			return runs.ErrEnded
		case !turn:
			return runs.ErrBusy
		}
		lease(&r, owner, ms(now), ms(until))
		tx.Changed(thread)
		const update = `UPDATE annai_runs SET status = 'running', owner = $2, lease = $3, updated = $4, attempt = $5, started = $6 WHERE id = $1`
		return tx.Later(ctx, update, id, owner, ms(r.LeaseUntil), ms(r.UpdatedAt), int64(r.Attempt), ms(r.StartedAt))
	})
	return r, err
}

// isHeld is a run whose lease is $3's: $1 of the thread $2, or of any for the empty one.
const isHeld = `id = $1 AND (thread = $2 OR $2 = '') AND owner = $3 AND status = 'running'`

// RenewRun is part of [runs.Leases].
func (s *Store) RenewRun(ctx context.Context, thread, id, owner string, until time.Time) (r runs.Run, err error) {
	err = s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		n, err := tx.Exec(ctx, `UPDATE annai_runs SET lease = $4 WHERE `+isHeld, id, thread, owner, ms(until))
		if err != nil {
			return err
		}
		if n == 0 {
			return runs.ErrLost
		}
		r, err = s.run(ctx, tx, thread, id)
		return err
	})
	return r, err
}

// held holds the thread of a run whose lease must be the owner's, and returns its name.
func (s *Store) held(ctx context.Context, tx Tx, thread, id, owner string) (string, error) {
	thread, err := s.holdRun(ctx, tx, thread, id)
	switch {
	case errors.Is(err, fault.ErrNotFound):
		return "", runs.ErrLost
	case err != nil:
		return "", err
	}
	return thread, demandLease(ctx, tx, thread, id, owner)
}

func demandLease(ctx context.Context, tx Tx, thread, id, owner string) error {
	return tx.Demand(ctx, runs.ErrLost, `SELECT 1 FROM annai_runs WHERE `+isHeld, id, thread, owner)
}

// FinishRun is part of [runs.Leases].
func (s *Store) FinishRun(ctx context.Context, f runs.Finish) error {
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		if f.DeleteThread {
			return s.dropWithRun(ctx, tx, f)
		}
		thread, err := s.held(ctx, tx, f.ThreadID, f.RunID, f.Owner)
		if err != nil {
			return err
		}
		if f.DeleteRun {
			_, err = s.dropRun(ctx, tx, thread, f.RunID)
		} else {
			err = s.endRun(ctx, tx, thread, f)
		}
		if err != nil {
			return err
		}
		if f.Thread != nil {
			if err := s.stand(ctx, tx, thread, *f.Thread, f.At); err != nil {
				return err
			}
		}
		tx.Changed(thread)
		return rest(ctx, tx, thread)
	})
}

// endRun writes the last events of a run, and how it ended.
func (s *Store) endRun(ctx context.Context, tx Tx, thread string, f runs.Finish) (err error) {
	const grow = `UPDATE annai_threads SET bytes = bytes + $2 WHERE id = $1`
	if err := tx.Later(ctx, grow, thread, f.Bytes); err != nil {
		return err
	}
	if len(f.Events) > 0 {
		if _, err := s.addEvents(ctx, tx, thread, f.RunID, f.Events); err != nil {
			return err
		}
	}
	failure := []byte{}
	if f.Error != "" {
		if failure, err = s.codec.EncodeDocument(failurePlace(thread, f.RunID), []byte(f.Error)); err != nil {
			return err
		}
	}
	const update = `UPDATE annai_runs SET status = $2, failure = $3, ended = $4, updated = $4, owner = '', lease = 0 WHERE id = $1`
	return tx.Later(ctx, update, f.RunID, string(f.Status), failure, ms(f.At))
}

// stand writes how a thread stands after a run.
func (s *Store) stand(ctx context.Context, tx Tx, thread string, e runs.ThreadEnd, at time.Time) error {
	const update = `UPDATE annai_threads SET status = CASE WHEN EXISTS (SELECT 1 FROM annai_runs WHERE thread = $1 AND ` + isOpen + `) THEN 'busy' ELSE $2 END,
		updated = $3, stated = $3, expires = $4, asks = $5 WHERE id = $1`
	if err := tx.Later(ctx, update, thread, string(e.Status), ms(at), msOf(e.ExpiresAt), int64(len(e.Interrupts))); err != nil {
		return err
	}
	return s.putState(ctx, tx, thread, e.Values, e.Interrupts, e.Error)
}

// CancelRun is part of [runs.Leases].
func (s *Store) CancelRun(ctx context.Context, thread, id string, how runs.Action, at time.Time) (r runs.Run, err error) {
	err = s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		thread, err := s.holdRun(ctx, tx, thread, id)
		if err == nil {
			r, err = s.run(ctx, tx, thread, id)
		}
		if err != nil {
			return err
		}
		tx.Changed(thread)
		switch {
		case r.Status == runs.RunPending:
			r.Status, r.EndedAt, r.UpdatedAt = runs.RunInterrupted, at, at
			if err := tx.Later(ctx, `UPDATE annai_runs SET status = 'interrupted', ended = $2, updated = $2 WHERE id = $1`, id, ms(at)); err != nil {
				return err
			}
			return rest(ctx, tx, thread)
		case r.Status == runs.RunRunning && r.Cancel != runs.CancelRollback:
			r.Cancel, r.UpdatedAt = how, at
			return tx.Later(ctx, `UPDATE annai_runs SET cancel = $2, updated = $3 WHERE id = $1`, id, string(how), ms(at))
		}
		return nil
	})
	return r, err
}

// DueRuns is part of [runs.Leases].
func (s *Store) DueRuns(ctx context.Context, now time.Time, limit int) (found []runs.Run, err error) {
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		const query = `SELECT ` + runColumns + ` FROM annai_runs r WHERE r.` + isOpen + ` AND ` + isTurn + ` ORDER BY r.seq LIMIT $2`
		found, err = s.queryRuns(ctx, tx, query, ms(now), int64(limit))
		return err
	})
	return found, err
}

// NextRun returns the run of the thread whose turn it is now. There is at most one; none is [fault.ErrNotFound].
func (s *Store) NextRun(ctx context.Context, thread string, now time.Time) (id string, err error) {
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		const query = `SELECT r.id FROM annai_runs r WHERE r.thread = $2 AND r.` + isOpen + ` AND ` + isTurn + ` ORDER BY r.seq LIMIT 1`
		return one(ctx, tx, query, []any{ms(now), thread}, &id)
	})
	return id, err
}

// CountOpen counts runs that have not ended, up to most.
func (s *Store) CountOpen(ctx context.Context, tx Tx, most int) (n int, err error) {
	err = one(ctx, tx, `SELECT count(*) FROM (SELECT 1 FROM annai_runs WHERE `+isOpen+` LIMIT $1) counted`, []any{int64(most)}, &n)
	return n, err
}
