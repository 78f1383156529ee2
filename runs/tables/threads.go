package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"annai/runs"
	"annai/storage/row"
)

// threadDocument is what of a thread is in no column, except for its state.
type threadDocument struct {
	Metadata, Config runs.Object
	TTL              *runs.TTL
	Dropped          []string
	Maker            runs.Maker
}

// stateDocument is what there is besides the values.
type stateDocument struct {
	Interrupts map[string][]runs.Interrupt
	Error      string
}

const threadColumns = `t.id, t.created, t.updated, t.status, t.graph, t.temporary, t.expires, t.stated, t.bytes,
	t.doc, s.content, s.doc`

const fromThreads = ` FROM annai_threads t LEFT JOIN annai_states s ON s.thread = t.id`

func threadPlace(id string) row.Place { return row.Place{Thread: id, Namespace: "thread"} }
func statePlace(id string) row.Place  { return row.Place{Thread: id, Namespace: "state"} }
func valuesPlace(id string) row.Place { return row.Place{Thread: id, Namespace: "values"} }

// scanThread reads the columns of a thread.
func (s *Store) scanThread(scan Scan) (t runs.Thread, err error) {
	var created, updated, temporary, expires, stated int64
	var status string
	var document, values, state []byte
	err = scan(
		&t.ID, &created, &updated, &status, &t.GraphID, &temporary, &expires, &stated, &t.Bytes, &document, &values, &state,
	)
	if err != nil {
		return t, err
	}
	t.CreatedAt, t.UpdatedAt, t.Status, t.Temporary = at(created), at(updated), runs.ThreadStatus(status), temporary != 0
	t.ExpiresAt, t.StateUpdatedAt = atOf(expires), atOf(stated)
	var d threadDocument
	if err := s.decode(threadPlace(t.ID), document, &d); err != nil {
		return t, err
	}
	t.Metadata, t.Config, t.TTL, t.Dropped, t.Maker = d.Metadata, d.Config, d.TTL, d.Dropped, d.Maker
	if state == nil {
		return t, nil
	}
	var sd stateDocument
	if err := s.decode(statePlace(t.ID), state, &sd); err != nil {
		return t, err
	}
	t.Interrupts, t.Error = sd.Interrupts, sd.Error
	t.Values, err = s.values(t.ID, values)
	return t, err
}

// values decodes the values of a thread; there are none in an empty row.
func (s *Store) values(id string, data []byte) (json.RawMessage, error) {
	if len(data) == 0 {
		return nil, nil
	}
	content, err := s.codec.DecodeDocument(valuesPlace(id), data)
	if err != nil {
		return nil, fmt.Errorf("values of thread %s: %w", id, err)
	}
	return slices.Clone(content), nil
}

// CreateThread is part of [runs.Threads].
func (s *Store) CreateThread(ctx context.Context, t runs.Thread) error {
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		added, err := s.addThread(ctx, tx, t)
		if err == nil && !added {
			err = exists("thread", t.ID)
		}
		return err
	})
}

const insertThread = `INSERT INTO annai_threads (id, created, updated, status, graph, temporary, expires, stated, asks, events,
		doc, bytes, maker, network)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12, $13)`

// addThread adds the thread unless it exists.
func (s *Store) addThread(ctx context.Context, tx Tx, t runs.Thread) (added bool, err error) {
	columns, err := s.threadRow(t)
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(ctx, insertThread+` ON CONFLICT DO NOTHING`, columns...)
	if err != nil || n == 0 {
		return false, err
	}
	return true, s.complete(ctx, tx, t)
}

// addNewThread adds a thread that does not exist.
func (s *Store) addNewThread(ctx context.Context, tx Tx, t runs.Thread) error {
	columns, err := s.threadRow(t)
	if err != nil {
		return err
	}
	if err := tx.Later(ctx, insertThread, columns...); err != nil {
		return err
	}
	return s.complete(ctx, tx, t)
}

// threadRow is what insertThread inserts.
func (s *Store) threadRow(t runs.Thread) ([]any, error) {
	document, err := s.encode(threadPlace(t.ID), threadDocument{t.Metadata, t.Config, t.TTL, t.Dropped, t.Maker})
	return []any{
		t.ID, ms(t.CreatedAt), ms(t.UpdatedAt), string(t.Status), t.GraphID, number(t.Temporary), msOf(t.ExpiresAt),
		msOf(t.StateUpdatedAt), int64(len(t.Interrupts)), document, t.Bytes, s.mark(t.Maker.Name), s.mark(t.Maker.Network),
	}, err
}

// complete adds what a thread has besides its row, which has just been made.
func (s *Store) complete(ctx context.Context, tx Tx, t runs.Thread) error {
	labels, err := s.threadLabels(t)
	if err != nil {
		return err
	}
	if err := label(ctx, tx, t.ID, labels); err != nil || stateless(t.Values, t.Interrupts, t.Error) {
		return err
	}
	return s.putState(ctx, tx, t.ID, t.Values, t.Interrupts, t.Error)
}

// threadLabels are the labels by which searches find the thread; they find none that is temporary.
func (s *Store) threadLabels(t runs.Thread) ([]string, error) {
	if t.Temporary {
		return nil, nil
	}
	return s.labels(t.Metadata)
}

func stateless(values json.RawMessage, interrupts map[string][]runs.Interrupt, failed string) bool {
	return values == nil && len(interrupts) == 0 && failed == ""
}

// putState writes the state of a thread in place of the one before.
func (s *Store) putState(ctx context.Context, tx Tx, id string, values json.RawMessage, interrupts map[string][]runs.Interrupt, failed string) error {
	if stateless(values, interrupts, failed) {
		return tx.Later(ctx, `DELETE FROM annai_states WHERE thread = $1`, id)
	}
	document, err := s.encode(statePlace(id), stateDocument{interrupts, failed})
	if err != nil {
		return err
	}
	data := []byte{}
	if values != nil {
		if data, err = s.codec.EncodeDocument(valuesPlace(id), values); err != nil {
			return err
		}
	}
	const put = `INSERT INTO annai_states (thread, content, doc) VALUES ($1, $2, $3)
		ON CONFLICT (thread) DO UPDATE SET content = excluded.content, doc = excluded.doc`
	return tx.Later(ctx, put, id, data, document)
}

// Thread is part of [runs.Threads].
func (s *Store) Thread(ctx context.Context, id string) (t runs.Thread, err error) {
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		t, err = s.thread(ctx, tx, id)
		return err
	})
	return t, err
}

func (s *Store) thread(ctx context.Context, tx Tx, id string) (t runs.Thread, err error) {
	found := false
	err = tx.Query(ctx, `SELECT `+threadColumns+fromThreads+` WHERE t.id = $1`, []any{id}, func(scan Scan) error {
		found = true
		t, err = s.scanThread(scan)
		return err
	})
	if err == nil && !found {
		err = missing("thread", id)
	}
	return t, err
}

// hold keeps everybody else from changing the thread, its runs and its log.
func (s *Store) hold(ctx context.Context, tx Tx, id string) error {
	var found string
	return named(one(ctx, tx, `SELECT id FROM annai_threads WHERE id = $1`+s.db.Lock(), []any{id}, &found), "thread", id)
}

// UpdateThread is part of [runs.Threads].
func (s *Store) UpdateThread(ctx context.Context, id string, change func(*runs.Thread) error) (next runs.Thread, err error) {
	err = s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		if err := s.hold(ctx, tx, id); err != nil {
			return err
		}
		old, err := s.thread(ctx, tx, id)
		if err != nil {
			return err
		}
		before, err := s.threadLabels(old) // now, because change may change what both have
		if err != nil {
			return err
		}
		next = old
		if err := change(&next); err != nil {
			return err
		}
		next.ID, next.CreatedAt, next.Maker = old.ID, old.CreatedAt, old.Maker
		return s.putThread(ctx, tx, next, before)
	})
	return next, err
}

// putThread writes a thread in place of what it was, which had the labels.
func (s *Store) putThread(ctx context.Context, tx Tx, t runs.Thread, before []string) error {
	document, err := s.encode(threadPlace(t.ID), threadDocument{t.Metadata, t.Config, t.TTL, t.Dropped, t.Maker})
	if err != nil {
		return err
	}
	const update = `UPDATE annai_threads SET updated = $2, status = $3, graph = $4, temporary = $5, expires = $6,
		stated = $7, asks = $8, doc = $9, bytes = $10 WHERE id = $1`
	err = tx.Later(ctx, update, t.ID, ms(t.UpdatedAt), string(t.Status), t.GraphID, number(t.Temporary), msOf(t.ExpiresAt), msOf(t.StateUpdatedAt),
		int64(len(t.Interrupts)), document, t.Bytes)
	if err != nil {
		return err
	}
	labels, err := s.threadLabels(t)
	if err != nil {
		return err
	}
	if !slices.Equal(labels, before) {
		if err := tx.Later(ctx, `DELETE FROM annai_labels WHERE thread = $1`, t.ID); err != nil {
			return err
		}
		if err := label(ctx, tx, t.ID, labels); err != nil {
			return err
		}
	}
	return s.putState(ctx, tx, t.ID, t.Values, t.Interrupts, t.Error)
}

// DeleteThread is part of [runs.Threads].
func (s *Store) DeleteThread(ctx context.Context, id string) error {
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		if err := s.hold(ctx, tx, id); err != nil {
			return err
		}
		return s.dropThread(ctx, tx, id)
	})
}

// dropThread forgets a thread that is held, with all that belongs to it.
func (s *Store) dropThread(ctx context.Context, tx Tx, id string) error {
	tx.Changed(id)
	return tx.LaterEach(ctx, append([]string{`DELETE FROM annai_threads WHERE id = $1`}, deleteParts...), id)
}

// deleteParts delete what belongs to a thread.
var deleteParts = []string{
	`DELETE FROM annai_events WHERE thread = $1`, `DELETE FROM annai_labels WHERE thread = $1`,
	`DELETE FROM annai_states WHERE thread = $1`, `DELETE FROM annai_crons WHERE thread = $1`,
	`DELETE FROM annai_runs WHERE thread = $1`,
}

// dropWithRun forgets a thread that goes with its run, whose lease must be the owner's.
func (s *Store) dropWithRun(ctx context.Context, tx Tx, f runs.Finish) error {
	tx.Changed(f.ThreadID)
	if err := tx.Later(ctx, `DELETE FROM annai_threads WHERE id = $1`, f.ThreadID); err != nil { // which holds it
		return err
	}
	if err := demandLease(ctx, tx, f.ThreadID, f.RunID, f.Owner); err != nil {
		return err
	}
	return tx.LaterEach(ctx, deleteParts, f.ThreadID)
}

// mark is what a maker, or a network, is found by: nobody who has the table can read the name in
// it. There is none of nobody.
func (s *Store) mark(name string) []byte {
	if name == "" {
		return []byte{}
	}
	digest := s.codec.Digest([]byte("maker " + name))
	return digest[:labelSize]
}

// Usage is part of [runs.Threads].
func (s *Store) Usage(ctx context.Context, of runs.Maker) (used runs.Usage, err error) {
	column, mark := "maker", s.mark(of.Name)
	if of.Name == "" {
		column, mark = "network", s.mark(of.Network)
	}
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		query := `SELECT count(*), CAST(coalesce(sum(bytes), 0) AS bigint),
			(SELECT count(*) FROM annai_runs r JOIN annai_threads m ON m.id = r.thread
			WHERE r.` + isOpen + ` AND m.` + column + ` = $1) FROM annai_threads t WHERE t.` + column + ` = $1`
		return one(ctx, tx, query, []any{mark}, &used.Threads, &used.Bytes, &used.Runs)
	})
	return used, err
}

var threadColumnOf = map[string]string{"thread_id": "t.id", "status": "t.status", "created_at": "t.created", "updated_at": "t.updated"}

// SearchThreads is part of [runs.Threads].
func (s *Store) SearchThreads(ctx context.Context, f runs.ThreadFilter) (found []runs.Thread, total int, err error) {
	err = s.db.View(ctx, func(ctx context.Context, tx Tx) error {
		found, total = nil, 0
		c, err := s.threadConditions(ctx, tx, f)
		if err != nil {
			return err
		}
		if len(f.Values) > 0 {
			found, total, err = s.searchValues(ctx, tx, f, c)
			return err
		}
		if err := one(ctx, tx, `SELECT count(*) FROM annai_threads t`+c.where(), c.args, &total); err != nil || f.Page.Limit == 0 {
			return err
		}
		limit, offset := bounds(f.Page)
		query := `SELECT ` + threadColumns + fromThreads + c.where() + order(f.Sort, threadColumnOf, "t.id") + c.next(limit, " LIMIT ") + c.next(offset, " OFFSET ")
		return tx.Query(ctx, query, c.args, func(scan Scan) error {
			t, err := s.scanThread(scan)
			found = append(found, t)
			return err
		})
	})
	return found, total, err
}

// searchValues looks into the state of every thread that the conditions leave: states are in no index, because each run writes them anew.
func (s *Store) searchValues(ctx context.Context, tx Tx, f runs.ThreadFilter, c *conditions) (found []runs.Thread, total int, err error) {
	query := `SELECT ` + threadColumns + fromThreads + c.where() + order(f.Sort, threadColumnOf, "t.id")
	err = tx.Query(ctx, query, c.args, func(scan Scan) error {
		t, err := s.scanThread(scan)
		if err != nil {
			return err
		}
		var values runs.Object
		if json.Unmarshal(t.Values, &values) != nil || !runs.Contains(values, f.Values) {
			return nil
		}
		if total++; total > f.Page.Offset && (f.Page.Limit < 0 || len(found) < f.Page.Limit) {
			found = append(found, t)
		}
		return nil
	})
	return found, total, err
}

// threadConditions is the filter in SQL, except for the values.
func (s *Store) threadConditions(ctx context.Context, tx Tx, f runs.ThreadFilter) (*conditions, error) {
	c := new(conditions)
	if f.ExpiresBefore.IsZero() {
		c.add("t.temporary = 0")
	} else {
		c.add("t.expires > 0 AND t.expires < ? AND t.status <> 'busy'", ms(f.ExpiresBefore))
	}
	if f.Status != "" {
		c.add("t.status = ?", string(f.Status))
	}
	c.in("t.id", f.IDs)
	if f.MadeBy != "" {
		c.add("t.maker = ?", s.mark(f.MadeBy))
	}
	labels, err := s.labels(f.Metadata)
	if err != nil {
		return nil, err
	}
	for _, l := range labels {
		many, err := common(ctx, tx, l)
		switch {
		case err != nil:
			return nil, err
		case many: // most threads that are looked at have it, and few are looked at before a page is full
			c.add("EXISTS (SELECT 1 FROM annai_labels l WHERE l.label = ? AND l.thread = t.id)", []byte(l))
		default:
			c.add("t.id IN (SELECT thread FROM annai_labels WHERE label = ?)", []byte(l))
		}
	}
	return c, nil
}

// conditions are the parts of a WHERE, with what their arguments are.
type conditions struct {
	parts []string
	args  []any
}

// add adds a condition, in which each ? is an argument.
func (c *conditions) add(part string, args ...any) {
	for _, a := range args {
		part = strings.Replace(part, "?", c.next(a, ""), 1)
	}
	c.parts = append(c.parts, part)
}

// in adds that the column is one of the texts, if there are any.
func (c *conditions) in(column string, texts []string) {
	if len(texts) == 0 {
		return
	}
	numbers := make([]string, len(texts))
	for i, t := range texts {
		numbers[i] = c.next(t, "")
	}
	c.parts = append(c.parts, column+" IN ("+strings.Join(numbers, ", ")+")")
}

// next adds an argument and returns what stands for it, after the prefix.
func (c *conditions) next(arg any, prefix string) string {
	c.args = append(c.args, arg)
	return fmt.Sprint(prefix, "$", len(c.args))
}

func (c *conditions) where() string {
	if len(c.parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.parts, " AND ")
}

// order is the ORDER BY of a sort.
func order(s runs.Sort, columns map[string]string, id string) string {
	by, direction := columns[s.By], " DESC"
	if by == "" {
		by = columns["created_at"]
	}
	if s.Ascending {
		direction = " ASC"
	}
	if by == id {
		return " ORDER BY " + id + direction
	}
	return " ORDER BY " + by + direction + ", " + id + direction
}
