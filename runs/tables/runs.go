package tables

import (
	"bytes"
	"context"

	"annai/runs"
	"annai/storage/row"
)

// runDocument is what of a run is in no column.
type runDocument struct {
	AssistantID, GraphID string
	Metadata             runs.Object
	Kwargs               runs.Kwargs
	Strategy             runs.Strategy
}

const runColumns = `r.id, r.thread, r.status, r.created, r.updated, r.due, r.started, r.ended, r.owner, r.lease, r.attempt, r.cancel, r.failure, r.doc`

// isOpen is a run that has not ended; there is an index of those. The words are those of the index.
const isOpen = `status IN ('pending', 'running')`

// isTurn says whether it is the turn of run r, at the time $1.
const isTurn = `(r.due <= $1 AND NOT EXISTS (SELECT 1 FROM annai_runs o WHERE o.thread = r.thread AND o.` + isOpen + `
	AND (o.lease > $1 OR o.seq < r.seq AND o.due <= $1)))`

func runPlace(thread, id string) row.Place { return row.Place{Thread: thread, Namespace: "run " + id} }

func failurePlace(thread, id string) row.Place {
	return row.Place{Thread: thread, Namespace: "failure " + id}
}

// scanRun reads the columns of a run, and those that follow.
func (s *Store) scanRun(scan Scan, more ...any) (r runs.Run, err error) {
	var status, cancel string
	var created, updated, due, started, ended, lease int64
	var failure, document []byte
	columns := []any{
		&r.ID, &r.ThreadID, &status, &created, &updated, &due, &started, &ended, &r.Owner, &lease, &r.Attempt, &cancel, &failure, &document,
	}
	if err := scan(append(columns, more...)...); err != nil {
		return r, err
	}
	r.Status, r.Cancel = runs.RunStatus(status), runs.Action(cancel)
	r.CreatedAt, r.UpdatedAt, r.After, r.StartedAt, r.EndedAt, r.LeaseUntil = at(created), at(updated), at(due), at(started), at(ended), at(lease)
	if len(failure) > 0 {
		text, err := s.codec.DecodeDocument(failurePlace(r.ThreadID, r.ID), failure)
		if err != nil {
			return r, err
		}
		r.Error = string(text)
	}
	var d runDocument
	if err := s.decode(runPlace(r.ThreadID, r.ID), document, &d); err != nil {
		return r, err
	}
	r.AssistantID, r.GraphID, r.Metadata, r.Kwargs, r.Strategy = d.AssistantID, d.GraphID, d.Metadata, d.Kwargs, d.Strategy
	if string(r.Kwargs.Input) == "null" {
		r.Kwargs.Input = nil // what nil was written as
	}
	return r, nil
}

// CreateRun is part of [runs.Runs].
func (s *Store) CreateRun(ctx context.Context, start runs.Start) (r runs.Run, err error) {
	err = s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		r, err = s.AddRun(ctx, tx, start)
		return err
	})
	return r, err
}

// AddRun is [Store.CreateRun] as a part of a transaction.
func (s *Store) AddRun(ctx context.Context, tx Tx, start runs.Start) (runs.Run, error) {
	if start.New {
		return s.addNewRun(ctx, tx, start)
	}
	r := start.Run
	open, turn, err := s.makeRoom(ctx, tx, start)
	switch {
	case err != nil:
		return runs.Run{}, err
	case (start.Idle || r.Strategy == runs.Reject) && open > 0:
		return runs.Run{}, runs.ErrBusy
	}
	r.Status, r.Owner, r.LeaseUntil = runs.RunPending, "", at(0)
	if start.Owner != "" && turn {
		lease(&r, start.Owner, ms(r.CreatedAt), ms(start.LeaseUntil))
	}
	document, err := s.encodeRun(r)
	if err != nil {
		return runs.Run{}, err
	}
	const events = `(SELECT events FROM annai_threads WHERE id = $2)`
	n, err := tx.Exec(ctx, insertRun+events+`) ON CONFLICT DO NOTHING`, runRow(r, document)...)
	if err == nil && n == 0 {
		err = exists("run", r.ID)
	}
	if err != nil {
		return runs.Run{}, err
	}
	tx.Changed(r.ThreadID)
	const busy = `UPDATE annai_threads SET status = 'busy', bytes = bytes + $2 WHERE id = $1`
	return r, tx.Later(ctx, busy, r.ThreadID, start.Bytes)
}

// addNewRun adds a run and its thread, neither of which exists.
func (s *Store) addNewRun(ctx context.Context, tx Tx, start runs.Start) (runs.Run, error) {
	r, t := start.Run, *start.Thread
	r.Status, r.Owner, r.LeaseUntil = runs.RunPending, "", at(0)
	if start.Owner != "" && !r.After.After(r.CreatedAt) {
		lease(&r, start.Owner, ms(r.CreatedAt), ms(start.LeaseUntil))
	}
	t.Status, t.Bytes = runs.ThreadBusy, t.Bytes+start.Bytes
	if err := s.addNewThread(ctx, tx, t); err != nil {
		return runs.Run{}, err
	}
	document, err := s.encodeRun(r)
	if err != nil {
		return runs.Run{}, err
	}
	return r, tx.Later(ctx, insertRun+`0)`, runRow(r, document)...)
}

// makeRoom makes and holds the thread of the run that is to be created. It returns how many runs of it have not ended, and whether it would be the new one's turn.
func (s *Store) makeRoom(ctx context.Context, tx Tx, start runs.Start) (open int, turn bool, err error) {
	r, made := start.Run, false
	if start.Thread != nil {
		if made, err = s.addThread(ctx, tx, *start.Thread); err != nil {
			return 0, false, err
		}
	}
	now, first := ms(r.CreatedAt), 0
	if !made {
		var maker []byte
		held := one(ctx, tx, `SELECT maker FROM annai_threads WHERE id = $1`+s.db.Lock(), []any{r.ThreadID}, &maker)
		if held == nil && start.Thread != nil && !bytes.Equal(maker, s.mark(start.Thread.Maker.Name)) {
			held = errNone
		}
		if err := named(held, "thread", r.ThreadID); err != nil {
			return 0, false, err
		}
		const count = `SELECT count(*), count(CASE WHEN lease > $1 OR due <= $1 THEN 1 END) FROM annai_runs WHERE thread = $2 AND ` + isOpen
		if err := one(ctx, tx, count, []any{now, r.ThreadID}, &open, &first); err != nil {
			return 0, false, err
		}
	}
	return open, first == 0 && ms(r.After) <= now, nil
}

// lease gives the run to the owner.
func lease(r *runs.Run, owner string, now, until int64) {
	r.Status, r.Owner, r.LeaseUntil, r.UpdatedAt = runs.RunRunning, owner, at(until), at(now)
	r.Attempt++
	if r.StartedAt.IsZero() {
		r.StartedAt = at(now)
	}
}

func (s *Store) encodeRun(r runs.Run) ([]byte, error) {
	return s.encode(runPlace(r.ThreadID, r.ID), runDocument{r.AssistantID, r.GraphID, r.Metadata, r.Kwargs, r.Strategy})
}

// insertRun is followed by the id of the newest event of the thread.
const insertRun = `INSERT INTO annai_runs (id, thread, status, created, updated, due, started, ended, owner, lease, attempt, cancel, failure, doc, events)
	VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $10, $11, $12, $13, `

// runRow is what insertRun inserts.
func runRow(r runs.Run, document []byte) []any {
	return []any{
		r.ID, r.ThreadID, string(r.Status), ms(r.CreatedAt), ms(r.UpdatedAt), ms(r.After), ms(r.StartedAt), r.Owner, ms(r.LeaseUntil),
		int64(r.Attempt), string(r.Cancel),
		[]byte{},
		document,
	}
}

// Run is part of [runs.Runs].
func (s *Store) Run(ctx context.Context, thread, id string) (r runs.Run, err error) {
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		r, err = s.run(ctx, tx, thread, id)
		return err
	})
	return r, err
}

func (s *Store) run(ctx context.Context, tx Tx, thread, id string) (r runs.Run, err error) {
	found := false
	err = tx.Query(ctx, `SELECT `+runColumns+` FROM annai_runs r WHERE r.id = $1`, []any{id}, func(scan Scan) error {
		r, err = s.scanRun(scan)
		found = thread == "" || r.ThreadID == thread
		return err
	})
	if err == nil && !found {
		return runs.Run{}, missing("run", id)
	}
	return r, err
}

// holdRun holds the thread of a run, if there is one, and returns its name.
func (s *Store) holdRun(ctx context.Context, tx Tx, thread, id string) (string, error) {
	if thread == "" {
		if err := named(one(ctx, tx, `SELECT thread FROM annai_runs WHERE id = $1`, []any{id}, &thread), "run", id); err != nil {
			return "", err
		}
	}
	lock := s.db.Lock()
	if lock == "" {
		return thread, nil
	}
	return thread, tx.Later(ctx, `SELECT id FROM annai_threads WHERE id = $1`+lock, thread)
}

// ListRuns is part of [runs.Runs].
func (s *Store) ListRuns(ctx context.Context, f runs.RunFilter) (found []runs.Run, total int, err error) {
	c := new(conditions)
	if f.ThreadID != "" {
		c.add("r.thread = ?", f.ThreadID)
	}
	c.in("r.id", f.IDs)
	statuses := make([]string, len(f.Statuses))
	for i, status := range f.Statuses {
		statuses[i] = string(status)
	}
	c.in("r.status", statuses)
	sort := " ORDER BY r.seq"
	if f.Newest {
		sort = " ORDER BY r.seq DESC"
	}
	err = s.db.View(ctx, func(ctx context.Context, tx Tx) error {
		found, total = nil, 0
		if err := one(ctx, tx, `SELECT count(*) FROM annai_runs r`+c.where(), c.args, &total); err != nil || f.Page.Limit == 0 {
			return err
		}
		limit, offset := bounds(f.Page)
		query := `SELECT ` + runColumns + ` FROM annai_runs r` + c.where() + sort + c.next(limit, " LIMIT ") + c.next(offset, " OFFSET ")
		found, err = s.queryRuns(ctx, tx, query, c.args...)
		return err
	})
	return found, total, err
}

func (s *Store) queryRuns(ctx context.Context, tx Tx, query string, args ...any) (found []runs.Run, err error) {
	err = tx.Query(ctx, query, args, func(scan Scan) error {
		r, err := s.scanRun(scan)
		found = append(found, r)
		return err
	})
	return found, err
}

// DeleteRun is part of [runs.Runs].
func (s *Store) DeleteRun(ctx context.Context, thread, id string) error {
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		thread, err := s.holdRun(ctx, tx, thread, id)
		if err != nil {
			return err
		}
		n, err := s.dropRun(ctx, tx, thread, id)
		if err == nil && n == 0 {
			err = missing("run", id)
		}
		if err != nil {
			return err
		}
		tx.Changed(thread)
		return rest(ctx, tx, thread)
	})
}

// dropRun forgets a run of a thread that is held, and its events.
func (s *Store) dropRun(ctx context.Context, tx Tx, thread, id string) (int64, error) {
	const events = `DELETE FROM annai_events WHERE thread = $1 AND id > (SELECT events FROM annai_runs WHERE id = $2) AND run = $2`
	if err := tx.Later(ctx, events, thread, id); err != nil {
		return 0, err
	}
	return tx.Exec(ctx, `DELETE FROM annai_runs WHERE id = $1 AND thread = $2`, id, thread)
}

// rest makes a busy thread that has nothing to do one that is not.
func rest(ctx context.Context, tx Tx, thread string) error {
	const update = `UPDATE annai_threads SET status = CASE WHEN asks > 0 THEN 'interrupted' ELSE 'idle' END WHERE id = $1 AND status = 'busy'
		AND NOT EXISTS (SELECT 1 FROM annai_runs WHERE thread = $1 AND ` + isOpen + `)`
	return tx.Later(ctx, update, thread)
}
