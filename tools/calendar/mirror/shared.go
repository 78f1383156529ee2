package mirror

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/tools/calendar"
)

//go:embed migrations/*.sql
var migrations embed.FS

// tables are those of this package.
var tables = pgdb.Tables{Migrations: migrations, Versions: "annai_mirror_versions", Lock: 0x616e6d69}

// shared is the copy that several processes have together, in PostgreSQL. Any of them syncs, one at a
// time; every read looks whether the copy is another by now, or something was written since; and who
// writes says so there before and after.
type shared struct {
	db     *pgdb.DB
	number int64
	holder string // of this process

	// silent says that what is wrong with the server was said. Only who syncs has it.
	silent bool

	// looking is held by who looks.
	looking sync.Mutex
	looks   atomic.Int64
	failure error // of the last look

	// What this process has, under the lock of the mirror.
	version int64
	base    contents // without the writes
	writes  string   // which are made in the copy, as text
	pending bool     // whether others may have written what is in no copy yet
	broken  bool     // whether the copy can't be read
}

// openShared has the mirror's copy be that of all processes that name the same calendar and origin.
func (m *Mirror) openShared(ctx context.Context) error {
	s := &shared{db: m.opts.Shared, holder: rand.Text(), base: newContents()}
	if err := s.db.Migrate(ctx, tables); err != nil {
		return fmt.Errorf("mirror of calendar %s in PostgreSQL: %w", m.opts.CalendarID, err)
	}
	ctx, cancel := s.db.Limited(ctx)
	defer cancel()
	err := s.db.QueryRowContext(ctx, `INSERT INTO annai_mirrors (calendar, origin) VALUES ($1, $2)
		ON CONFLICT (calendar, origin) DO UPDATE SET calendar = excluded.calendar RETURNING number`,
		m.opts.CalendarID, m.opts.Origin).Scan(&s.number)
	if err != nil {
		return fmt.Errorf("mirror of calendar %s: %s: %w: %w",
			m.opts.CalendarID, pgdb.Why(err), err, fault.ErrUnavailable)
	}
	if err := s.clean(ctx); err != nil {
		return fmt.Errorf("mirror of calendar %s: %s: %w: %w",
			m.opts.CalendarID, pgdb.Why(err), err, fault.ErrUnavailable)
	}
	m.shared = s
	return m.look(ctx)
}

// clean forgets copies that no process has synced for a month: their calendars are not read any more.
func (s *shared) clean(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM annai_mirrors WHERE number <> $1
		AND began BETWEEN now() - interval '100 years' AND now() - interval '30 days'`, s.number)
	return err
}

// look takes over what others have synced and written. Who comes while another looks waits for the
// next look, and shares it.
func (m *Mirror) look(ctx context.Context) error {
	s := m.shared
	arrived := s.looks.Load()
	s.looking.Lock()
	defer s.looking.Unlock()
	if s.looks.Load() > arrived {
		return s.failure
	}
	s.looks.Add(1)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), m.opts.Patience)
	defer cancel()
	found, err := s.find(ctx, s.db)
	if err == nil && found.version != s.version {
		found, err = s.load(ctx)
	}
	if err != nil {
		s.failure = fmt.Errorf("what other servers wrote can't be looked at: %s: %w: %w",
			pgdb.Why(err), err, fault.ErrUnavailable)
		return s.failure
	}
	s.failure = nil
	m.adopt(found)
	return nil
}

// found is what a look finds.
type found struct {
	version  int64
	state    []byte // nil: it was not asked for
	synced   int64
	failures int
	failure  *calendar.Failure
	pending  bool
	writes   []row
}

// A row is a write that was answered.
type row struct {
	mark     int64
	id, kind string
	event    []byte
}

// The kinds of a row.
const (
	written = "written"
	deleted = "deleted"
	unknown = "unknown" // the copy is behind, and only the calendar knows in what
)

// A querier is connections or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// unanswered is how long a write may take before others do not know what is there.
const unanswered = time.Second

// find asks for all but the copy itself.
func (s *shared) find(ctx context.Context, db querier) (f found, err error) {
	rows, err := db.QueryContext(ctx, `SELECT m.version, m.synced, m.failures, m.kind, m.failure,
		w.mark, w.id, w.kind, w.event, w.mark IS NULL AND w.begun < now() - $2::bigint * interval '1 microsecond'
		FROM annai_mirrors m LEFT JOIN annai_mirror_writes w ON w.mirror = m.number
		WHERE m.number = $1 ORDER BY w.mark`, s.number, unanswered.Microseconds())
	if err != nil {
		return found{}, err
	}
	defer rows.Close()
	for rows.Next() {
		var mark sql.NullInt64
		var id, kind sql.NullString
		var event []byte
		var late sql.NullBool
		var failed calendar.Failure
		var why string
		err := rows.Scan(&f.version, &f.synced, &f.failures, &failed.Kind, &why, &mark, &id, &kind, &event, &late)
		if err != nil {
			return found{}, err
		}
		if f.failures > 0 {
			failed.Err = errors.New(why)
			f.failure = &failed
		}
		f.pending = f.pending || late.Bool
		if mark.Valid {
			f.writes = append(f.writes, row{mark.Int64, id.String, kind.String, event})
		}
	}
	return f, rows.Err()
}

// load asks for all, as of one moment.
func (s *shared) load(ctx context.Context) (f found, err error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return found{}, err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	if f, err = s.find(ctx, tx); err != nil {
		return found{}, err
	}
	err = tx.QueryRowContext(ctx, `SELECT state FROM annai_mirrors WHERE number = $1`, s.number).Scan(&f.state)
	return f, err
}

// adopt makes what was found the copy that is read. Only who looks calls it.
func (m *Mirror) adopt(f found) {
	s := m.shared
	base, broken := s.base, s.broken
	if f.state != nil {
		var err error
		base, err = m.parseShared(f.state)
		if broken = err != nil; broken {
			m.opts.Log.Warn("the shared copy of a calendar can't be used", "calendar_id", m.opts.CalendarID, "err", err)
			base = newContents()
		}
	}
	var made *copied
	marks := ""
	for _, w := range f.writes {
		marks += fmt.Sprint(w.mark, " ")
	}
	if f.version != s.version || marks != s.writes {
		made = newCopied(m.feed, m.opts, m.withRows(base, f.writes))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s.version, s.base, s.writes, s.pending, s.broken = f.version, base, marks, f.pending, broken
	if made != nil {
		m.copied = made
	}
	m.asOf = time.Time{}
	if f.synced != 0 && !broken {
		m.asOf = time.Unix(0, f.synced)
	}
	if m.failures > 0 && f.failures == 0 {
		m.opts.Log.Info("calendar is synced again", "calendar_id", m.opts.CalendarID)
	}
	m.failures, m.failure = f.failures, nil
	if f.failure != nil {
		m.failure = fmt.Errorf("sync calendar %s: %w", m.opts.CalendarID, f.failure)
	}
	if f.synced != 0 || f.failure != nil {
		m.triedOnce()
	}
}

// held returns the copy that this process has, without the writes.
func (m *Mirror) held() (version int64, base contents, broken bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shared.version, m.shared.base, m.shared.broken
}

// withRows returns the contents after the writes. Base stays as it is. A write that can't be read is
// a problem, since what it was about is not as the copy says.
func (m *Mirror) withRows(base contents, rows []row) contents {
	if len(rows) == 0 {
		return base
	}
	next := base.with(Changes{})
	for _, r := range rows {
		switch r.kind {
		case deleted:
			next.take(write{id: r.id})
		case written:
			e, err := m.parseEvent(r.event)
			if err != nil {
				next.Problems[r.id] = err.Error()
				continue
			}
			next.take(write{id: r.id, event: &e})
		}
	}
	return next
}

// parseShared reads a copy.
func (m *Mirror) parseShared(data []byte) (contents, error) {
	text, err := m.open(data)
	if err != nil {
		return contents{}, err
	}
	var s state
	if err := json.Unmarshal(text, &s); err != nil {
		return contents{}, errors.New("it is no copy")
	}
	return s.contents()
}

func (m *Mirror) parseEvent(data []byte) (calendar.Event, error) {
	text, err := m.open(data)
	if err != nil {
		return calendar.Event{}, err
	}
	var z zoned
	if err := json.Unmarshal(text, &z); err != nil {
		return calendar.Event{}, errors.New("it is no event")
	}
	return z.event()
}

// unseen says in the listing that others may have written what is not in it, if that is so.
func (m *Mirror) unseen(listing *calendar.Listing, looked error) {
	m.mu.Lock()
	pending := m.shared != nil && m.shared.pending
	m.mu.Unlock()
	if looked == nil && pending {
		looked = fmt.Errorf("something is being written, and was not answered yet: %w", fault.ErrUnavailable)
	}
	if looked != nil {
		listing.Complete = false
		listing.Problems = append(listing.Problems, calendar.Problem{CalendarID: m.opts.CalendarID, Err: looked})
	}
}
