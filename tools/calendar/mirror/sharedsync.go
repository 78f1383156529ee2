package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"annai/internal/pgdb"
	"annai/tools/calendar"
)

const (
	// turnEvery is how often a process looks at most whether a sync is due and nobody does it.
	turnEvery = 5 * time.Second
	// abandoned is after how long a write that was not answered was given up by who began it.
	abandoned = time.Minute
)

// syncShared syncs if it is due and no other process does. What is wrong with the server of the copy is
// said once; what was claimed is free again after a while.
func (m *Mirror) syncShared(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, m.opts.Timeout)
	defer cancel()
	err := m.syncOrLook(ctx)
	if err != nil && ctx.Err() == nil && !m.shared.silent {
		m.opts.Log.Warn("the shared copy of a calendar can't be kept", "calendar_id", m.opts.CalendarID, "err", err)
	}
	m.shared.silent = err != nil
}

func (m *Mirror) syncOrLook(ctx context.Context) error {
	c, err := m.claim(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return m.look(ctx)
	}
	if err == nil {
		err = m.look(ctx) // the copy that the token is of
	}
	if err != nil {
		return err
	}
	var broken bool
	if c.version, c.base, broken = m.held(); broken {
		c.token = ""
	}
	began := m.opts.Now()
	changes, err := m.changes(ctx, c.token)
	if err == nil {
		err = m.landShared(ctx, c, changes, began)
	} else {
		m.fail(fmt.Errorf("sync calendar %s: %w", m.opts.CalendarID, err))
		err = m.failShared(ctx, err)
	}
	if err != nil {
		return err
	}
	return m.look(ctx)
}

// A claim is what a sync begins with.
type claim struct {
	token string
	// mark is that of the last write before it began.
	mark int64
	// version and base are the copy that the token is of.
	version int64
	base    contents
}

// claim has this process be the one that syncs. [sql.ErrNoRows] says that there is no need.
func (m *Mirror) claim(ctx context.Context) (c claim, err error) {
	s := m.shared
	err = s.db.QueryRowContext(ctx, `UPDATE annai_mirrors SET claim = $2, began = now(),
			claimed = now() + $3::bigint * interval '1 millisecond'
		WHERE number = $1 AND claimed <= now() AND began <= now() - $4::bigint * interval '1 millisecond'
			AND (due <= now() OR failures = 0 AND EXISTS (SELECT 1 FROM annai_mirror_writes WHERE mirror = $1
				AND (mark IS NOT NULL OR begun < now() - $5::bigint * interval '1 millisecond')))
		RETURNING token, (SELECT coalesce(max(mark), 0) FROM annai_mirror_writes WHERE mirror = $1)`,
		s.number, s.holder, m.opts.Timeout.Milliseconds(), closest.Milliseconds(), abandoned.Milliseconds(),
	).Scan(&c.token, &c.mark)
	return c, err
}

// landShared makes what changed, and the writes from before it began, the copy of all, unless another
// process has the claim by now.
func (m *Mirror) landShared(ctx context.Context, c claim, changes Changes, began time.Time) error {
	s := m.shared
	return s.db.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if mine, err := s.mine(ctx, tx, c.version); err != nil || !mine {
			return err
		}
		f, err := s.find(ctx, tx)
		if err != nil {
			return err
		}
		var arrived []row
		for _, r := range f.writes {
			if r.mark <= c.mark {
				arrived = append(arrived, r)
			}
		}
		if !changes.none() || len(arrived) > 0 {
			if err := m.keepShared(ctx, tx, m.withRows(c.base, arrived).with(changes)); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM annai_mirror_writes WHERE mirror = $1 AND (mark <= $2 OR mark IS NULL
			AND begun < (SELECT began FROM annai_mirrors WHERE number = $1) - $3::bigint * interval '1 millisecond')`,
			s.number, c.mark, abandoned.Milliseconds())
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE annai_mirrors
			SET token = $2, synced = $3, claimed = '-infinity', failures = 0, kind = '', failure = '',
			due = now() + $4::bigint * interval '1 millisecond' WHERE number = $1`,
			s.number, changes.Next, began.UnixNano(), m.interval(m.opts.Interval).Milliseconds())
		return err
	})
}

// mine reports whether the claim is still this process's and the copy still of that version, and keeps
// it so until the transaction ends.
func (s *shared) mine(ctx context.Context, tx *sql.Tx, version int64) (bool, error) {
	var now int64
	var holder string
	err := tx.QueryRowContext(ctx, `SELECT version, claim FROM annai_mirrors WHERE number = $1 FOR UPDATE`, s.number).
		Scan(&now, &holder)
	return holder == s.holder && now == version, err
}

// keepShared writes the copy.
func (m *Mirror) keepShared(ctx context.Context, tx *sql.Tx, c contents) error {
	text, err := json.Marshal(c.state())
	if err != nil {
		return err
	}
	data, err := m.seal(text)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE annai_mirrors SET version = version + 1, state = $2 WHERE number = $1`,
		m.shared.number, data)
	return err
}

// failShared tells all that a sync failed, and when to try again.
func (m *Mirror) failShared(ctx context.Context, failure error) error {
	s := m.shared
	ctx, cancel := s.db.Limited(context.WithoutCancel(ctx))
	defer cancel()
	_, err := s.db.ExecContext(ctx, `UPDATE annai_mirrors SET claimed = '-infinity', failures = failures + 1,
		kind = $3, failure = $4, due = now() + $5::bigint * interval '1 millisecond'
		WHERE number = $1 AND claim = $2`,
		s.number, s.holder, string(calendar.KindOf(failure)), failure.Error(), m.pause().Milliseconds())
	return err
}

// begin says that something is about to be written. Where that can't be said nothing may be: others
// would not know of it.
func (s *shared) begin(ctx context.Context) (number int64, err error) {
	ctx, cancel := s.db.Limited(ctx)
	defer cancel()
	err = s.db.QueryRowContext(ctx, `INSERT INTO annai_mirror_writes (mirror) VALUES ($1) RETURNING number`, s.number).
		Scan(&number)
	if err != nil {
		return 0, &calendar.Failure{Kind: calendar.Unavailable, Err: fmt.Errorf("%s: %w", pgdb.Why(err), err)}
	}
	return number, nil
}

// end says what came of a write that was begun: kind "" is nothing.
func (m *Mirror) end(ctx context.Context, number int64, kind, id string, e *calendar.Event) error {
	s := m.shared
	ctx, cancel := s.db.Limited(context.WithoutCancel(ctx))
	defer cancel()
	if kind == "" {
		_, err := s.db.ExecContext(ctx, `DELETE FROM annai_mirror_writes WHERE number = $1`, number)
		return err
	}
	var data []byte
	if e != nil {
		text, err := json.Marshal(withZone(*e))
		if err == nil {
			data, err = m.seal(text)
		}
		if err != nil {
			return err
		}
	}
	_, err := s.db.ExecContext(ctx, `UPDATE annai_mirror_writes
		SET mark = nextval('annai_mirror_marks'), id = $2, kind = $3, event = $4 WHERE number = $1`,
		number, id, kind, data)
	return err
}
