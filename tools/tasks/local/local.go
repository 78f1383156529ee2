// Package local keeps tasks in one SQLite file: the lists of owners who have no other.
//
// Its one idea: a task's id is the key under which it was created, and what is deleted leaves its
// id behind, so that a key is used once.
package local

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"annai/internal/civil"
	"annai/internal/fault"
	"annai/internal/sqlitefile"
	"annai/tools/tasks"
)

//go:embed schema.sql
var schema string

// application is the number by which files of tasks are told from other SQLite files.
const application = 0x616e7461

// A Store is the lists of all owners. Close it when it is not needed any more.
type Store struct {
	file *sqlitefile.File
	now  func() time.Time
}

// Open opens the file, or makes it with its folder. An empty path is a store in memory, which is
// forgotten when it is closed. The errors are those of [sqlitefile.Open].
func Open(ctx context.Context, path string, now func() time.Time) (*Store, error) {
	file, err := sqlitefile.Open(ctx, path, sqlitefile.Options{
		Application: application, Migrations: []sqlitefile.Migration{sqlitefile.Script(schema)},
	})
	if err != nil {
		return nil, fmt.Errorf("open tasks in %s: %w", path, err)
	}
	return &Store{file: file, now: now}, nil
}

// Close lets go of the file.
func (s *Store) Close() error { return s.file.Close() }

// List returns the tasks of one owner; "" is the owner without a name.
func (s *Store) List(owner string) *List { return &List{s, owner} }

// A List is a [tasks.List].
type List struct {
	store *Store
	owner string
}

var _ tasks.List = (*List)(nil)

const columns = `SELECT id, title, notes, due, updated, completed, deleted FROM tasks WHERE owner = ?1`

// Tasks implements [tasks.List].
func (l *List) Tasks(ctx context.Context) (all []tasks.Task, err error) {
	rows, err := l.store.file.Read.QueryContext(ctx, columns+` AND NOT deleted`, l.owner)
	if err != nil {
		return nil, trouble(err)
	}
	defer func() { err = errors.Join(err, trouble(rows.Close())) }()
	for rows.Next() {
		t, _, err := scan(rows)
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
	if key == "" {
		return tasks.Task{}, &tasks.Failure{Kind: fault.ErrInvalid, Err: errors.New("no key")}
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
	row := tx.QueryRowContext(ctx, `SELECT count(*) FROM tasks WHERE owner = ?1 AND NOT deleted`, l.owner)
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
	_, err := tx.ExecContext(ctx, `INSERT INTO tasks (owner, id, title, notes, due, updated)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6)`, l.owner, key, t.Title, t.Notes, due, l.store.now().UnixMilli())
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
		_, err = tx.ExecContext(ctx, `UPDATE tasks SET completed = ?3, updated = ?4
			WHERE owner = ?1 AND id = ?2`, l.owner, id, completed, now)
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
	return l.transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := l.present(ctx, tx, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE tasks
			SET title = '', notes = '', due = '', completed = NULL, deleted = TRUE
			WHERE owner = ?1 AND id = ?2`, l.owner, id)
		return trouble(err)
	})
}

// transaction commits what do does, or nothing of it.
func (l *List) transaction(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	var did error
	err := l.store.file.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		did = do(ctx, tx)
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
	return scan(tx.QueryRowContext(ctx, columns+` AND id = ?2`, l.owner, id))
}

// scan reads a row of columns.
func scan(row interface{ Scan(to ...any) error }) (t tasks.Task, deleted bool, err error) {
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
	if due != "" {
		if t.Due, err = civil.ParseDate(due); err != nil {
			why := fmt.Errorf("task %.100q in the file is damaged", t.ID)
			return t, false, &tasks.Failure{Kind: fault.ErrUnavailable, Err: why}
		}
	}
	return t, deleted, nil
}

// trouble makes a failure of an error of the database; nil stays nil. A write that fails leaves
// nothing.
func trouble(err error) error {
	switch {
	case err == nil:
		return nil
	case sqlitefile.CodeOf(err) == sqlitefile.TooBig:
		return &tasks.Failure{Kind: fault.ErrInvalid, Err: err}
	default:
		return &tasks.Failure{Kind: fault.ErrUnavailable, Err: fmt.Errorf("%s: %w", sqlitefile.Why(err), err)}
	}
}
