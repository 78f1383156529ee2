// Package local keeps tasks in one SQLite file or in PostgreSQL: the lists of owners who have no
// other.
//
// Its one idea: a task's id is the key under which it was created, and what is deleted leaves its
// id behind, so that a key is used once.
package local

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"annai/civil"
	"annai/fault"
	"annai/internal/pgdb"
	"annai/storage/row"
	"annai/tools/tasks"
)

// Options are the settings of a [Store] that have a default.
type Options struct {
	// Row says how titles and notes are kept: whether they are encrypted. Days, and how many tasks
	// there are, can always be read.
	Row row.Options
}

// A Store is the lists of all owners. Close it when it is not needed any more.
type Store struct {
	place place
	read  *sql.DB // of the place
	now   func() time.Time
	codec *row.Codec
}

// Open opens the file, or makes it with its folder. An empty path is a store in memory, which is
// forgotten when it is closed. The errors are those of [sqlitefile.Open].
func Open(ctx context.Context, path string, now func() time.Time, opts Options) (*Store, error) {
	codec, err := row.New(opts.Row)
	if err != nil {
		return nil, fmt.Errorf("open tasks: %w", err)
	}
	f, err := openFile(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open tasks in %s: %w", path, err)
	}
	return &Store{place: f, read: f.Read, now: now, codec: codec}, nil
}

// OpenShared opens the table of db, which is made if need be: every process that opens it has the
// same lists. A table that a newer annai made is [fault.ErrInvalid]; a server that can't be reached
// is [fault.ErrUnavailable]. Db is to be closed after the store.
func OpenShared(ctx context.Context, db *pgdb.DB, now func() time.Time, opts Options) (*Store, error) {
	codec, err := row.New(opts.Row)
	if err == nil {
		err = db.Migrate(ctx, tables)
	}
	if err != nil {
		return nil, fmt.Errorf("open tasks in PostgreSQL: %w", err)
	}
	return &Store{place: shared{db}, read: db.DB, now: now, codec: codec}, nil
}

// Close lets go of the file.
func (s *Store) Close() error { return s.place.Close() }

// List returns the tasks of one owner; "" is the owner without a name.
func (s *Store) List(owner string) *List { return &List{s, owner} }

// A List is a [tasks.List].
type List struct {
	store *Store
	owner string
}

var _ tasks.List = (*List)(nil)

const columns = `SELECT id, title, notes, due, updated, completed, deleted FROM annai_tasks WHERE owner = $1`

// Tasks implements [tasks.List].
func (l *List) Tasks(ctx context.Context) (all []tasks.Task, err error) {
	rows, err := l.store.read.QueryContext(ctx, columns+` AND NOT deleted`, l.owner)
	if err != nil {
		return nil, trouble(err)
	}
	defer func() { err = errors.Join(err, trouble(rows.Close())) }()
	for rows.Next() {
		t, _, err := l.scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	tasks.Sort(all)
	return all, trouble(rows.Err())
}

// Create implements [tasks.List]. The id of the task is the key.
func (l *List) Create(ctx context.Context, key string, t tasks.Task) (made tasks.Task, err error) {
	if err := t.Check(); err != nil {
		return tasks.Task{}, err
	}
	if key == "" || !keepable(key) {
		why := errors.New("no key, or one that can't be kept")
		return tasks.Task{}, &tasks.Failure{Kind: fault.ErrInvalid, Err: why}
	}
	err = l.transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		there, deleted, err := l.one(ctx, tx, key)
		switch {
		case err == nil && !deleted && there.Same(t):
			made = there
			return nil
		case err == nil:
			return &tasks.Failure{Kind: fault.ErrConflict, Err: errors.New("the key was used")}
		case !errors.Is(err, fault.ErrNotFound):
			return err
		}
		made, err = l.insert(ctx, tx, key, t)
		return err
	})
	return made, err
}

func (l *List) insert(ctx context.Context, tx *sql.Tx, key string, t tasks.Task) (tasks.Task, error) {
	var n int
	row := tx.QueryRowContext(ctx, `SELECT count(*) FROM annai_tasks WHERE owner = $1 AND NOT deleted`, l.owner)
	if err := row.Scan(&n); err != nil {
		return tasks.Task{}, trouble(err)
	}
	if n >= tasks.MaxTasks {
		return tasks.Task{}, tasks.Full()
	}
	due := ""
	if !t.Due.IsZero() {
		due = t.Due.String()
	}
	title, err := l.seal(key, "title", t.Title)
	if err != nil {
		return tasks.Task{}, err
	}
	notes, err := l.seal(key, "notes", t.Notes)
	if err != nil {
		return tasks.Task{}, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO annai_tasks (owner, id, title, notes, due, updated)
		VALUES ($1, $2, $3, $4, $5, $6)`, l.owner, key, title, notes, due, l.store.now().UnixMilli())
	if err != nil {
		return tasks.Task{}, trouble(err)
	}
	made, _, err := l.one(ctx, tx, key)
	return made, err
}

// Complete implements [tasks.List].
func (l *List) Complete(ctx context.Context, id string, done bool) (after tasks.Task, err error) {
	err = l.transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		there, err := l.present(ctx, tx, id)
		if err != nil || there.Done() == done {
			after = there
			return err
		}
		now := l.store.now().UnixMilli()
		completed := sql.NullInt64{Int64: now, Valid: done}
		_, err = tx.ExecContext(ctx, `UPDATE annai_tasks SET completed = $3, updated = $4
			WHERE owner = $1 AND id = $2`, l.owner, id, completed, now)
		if err != nil {
			return trouble(err)
		}
		after, err = l.present(ctx, tx, id)
		return err
	})
	return after, err
}

// Delete implements [tasks.List].
func (l *List) Delete(ctx context.Context, id string) error {
	err := l.transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := l.present(ctx, tx, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE annai_tasks
			SET title = '', notes = '', due = '', completed = NULL, deleted = TRUE
			WHERE owner = $1 AND id = $2`, l.owner, id)
		return trouble(err)
	})
	if err == nil {
		l.store.place.forget(ctx)
	}
	return err
}

// transaction commits what do does, or nothing of it.
func (l *List) transaction(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	var did error
	err := l.store.place.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if did = l.store.place.alone(ctx, tx, l.owner); did == nil {
			did = do(ctx, tx)
		}
		return did
	})
	if did != nil {
		return did
	}
	return trouble(err)
}

// present returns the task if it was not deleted.
func (l *List) present(ctx context.Context, tx *sql.Tx, id string) (tasks.Task, error) {
	t, deleted, err := l.one(ctx, tx, id)
	if err == nil && deleted {
		err = &tasks.Failure{Kind: fault.ErrNotFound}
	}
	return t, err
}

func (l *List) one(ctx context.Context, tx *sql.Tx, id string) (t tasks.Task, deleted bool, err error) {
	if !keepable(id) {
		return t, false, &tasks.Failure{Kind: fault.ErrNotFound}
	}
	return l.scan(tx.QueryRowContext(ctx, columns+` AND id = $2`, l.owner, id))
}

// keepable reports whether every kind of place can keep an id.
func keepable(id string) bool { return utf8.ValidString(id) && !strings.ContainsRune(id, 0) }

// scan reads a row of columns.
func (l *List) scan(row interface{ Scan(to ...any) error }) (t tasks.Task, deleted bool, err error) {
	var due string
	var updated int64
	var completed sql.NullInt64
	err = row.Scan(&t.ID, &t.Title, &t.Notes, &due, &updated, &completed, &deleted)
	if errors.Is(err, sql.ErrNoRows) {
		return t, false, &tasks.Failure{Kind: fault.ErrNotFound}
	}
	if err != nil {
		return t, false, trouble(err)
	}
	t.Updated = time.UnixMilli(updated).UTC()
	if completed.Valid {
		t.Completed = time.UnixMilli(completed.Int64).UTC()
	}
	if t.Title, err = l.unseal(t.ID, "title", t.Title); err != nil {
		return t, false, err
	}
	if t.Notes, err = l.unseal(t.ID, "notes", t.Notes); err != nil {
		return t, false, err
	}
	if due != "" {
		if t.Due, err = civil.ParseDate(due); err != nil {
			return t, false, unreadable(t.ID, errors.New("it is damaged"))
		}
	}
	return t, deleted, nil
}

func unreadable(id string, why error) error {
	return &tasks.Failure{Kind: fault.ErrUnavailable, Err: fmt.Errorf("task %.100q can't be read: %w", id, why)}
}

// sealed begins what is encrypted; no other text of a task has a control character there.
const sealed = "\x01sealed:"

// seal encrypts a text of a task where there is a key.
func (l *List) seal(id, field, text string) (string, error) {
	closed, err := l.store.codec.SealText(sealed, l.placeOf(id, field), text)
	if err != nil {
		return "", unreadable(id, err)
	}
	return closed, nil
}

// unseal is the text that was sealed.
func (l *List) unseal(id, field, kept string) (string, error) {
	text, err := l.store.codec.OpenText(sealed, l.placeOf(id, field), kept)
	if err != nil {
		return "", unreadable(id, errors.New("it was encrypted with another key, or is damaged"))
	}
	return text, nil
}

func (l *List) placeOf(id, field string) row.Place {
	return row.Place{Thread: l.owner, Namespace: "task " + field + " " + id}
}
