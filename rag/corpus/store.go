// Package corpus keeps what `annai ingest` has read in one SQLite file: passages, which are the truth, and their vectors, which can
// always be made again.
//
// Its one idea: files are read and embedded one by one into a staging area, each in a commit of its own, and at the end one commit
// makes all of it what is served, under the next version. Whoever reads sees the passages of one version, and who is killed goes on where
// the last commit was. A vector belongs to the fingerprint of its embedder and the hash of its text, so that vectors never mix.
//
// The package knows no file format and no model.
package corpus

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"annai/internal/fault"
)

//go:embed schema.sql
var schema string

// version is that of the file's format, application the number by which SQLite files are told apart.
const (
	version     = 1
	application = 0x616e6b6e
)

// A Store is one file. It is safe for concurrent use.
type Store struct {
	write, read *sql.DB
	path        string
}

// Open opens the file, or makes it with its folder. A file that is something else, or that a newer annai wrote, is [fault.ErrInvalid]; one
// that can't be opened [fault.ErrUnavailable].
func Open(ctx context.Context, path string) (*Store, error) {
	s, err := open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open knowledge in %s: %w", path, err)
	}
	return s, nil
}

// Exists reports whether there is a file to open. One that can't be looked at is said by [Open].
func Exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}

func open(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = touch(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, fault.ErrUnavailable)
	}
	s := &Store{path: path}
	if s.write, err = connect(path, 1); err != nil {
		return nil, err
	}
	if err := migrate(ctx, s.write); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if s.read, err = connect(path, 2); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// touch makes the file for nobody else to read.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func connect(path string, connections int) (*sql.DB, error) {
	query := url.Values{
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"},
		"_txlock": {"immediate"},
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: query.Encode()}).String())
	if err != nil {
		return nil, trouble(err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// Close lets go of the file.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return trouble(errors.Join(errs...))
}

// Version returns the version of what is served: it grows whenever that changes, and is 0 before anything was. Asking costs some
// microseconds, so that a server may ask every second.
func (s *Store) Version(ctx context.Context) (int64, error) {
	var n int64
	err := s.read.QueryRowContext(ctx, "SELECT version FROM served").Scan(&n)
	return n, trouble(err)
}

// migrate makes the file what this version expects, all of it or nothing.
func migrate(ctx context.Context, db *sql.DB) error {
	if found, err := versionOf(ctx, db); err != nil || found == version {
		return err
	}
	return transaction(ctx, db, func(tx *sql.Tx) error {
		found, err := versionOf(ctx, tx) // somebody else may have been here
		if err != nil || found == version {
			return err
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", schema, application, version))
		return trouble(err)
	})
}

// A querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// versionOf returns the format of the file, 0 of an empty one.
func versionOf(ctx context.Context, db querier) (int, error) {
	var found, by, tables int
	err := db.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_master)`).Scan(&found, &by, &tables)
	switch {
	case err != nil:
		return 0, trouble(err)
	case tables > 0 && by != application:
		return 0, fmt.Errorf("the file is a database of something else: %w", fault.ErrInvalid)
	case found > version:
		return 0, fmt.Errorf("the file has format %d, this annai knows up to %d: %w", found, version, fault.ErrInvalid)
	}
	return found, nil
}

// transaction commits what do does, or nothing of it.
func transaction(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return trouble(err)
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // nothing was written
		return err
	}
	if err := tx.Commit(); err != nil {
		_ = tx.Rollback() // SQLite may have done so by itself
		return trouble(err)
	}
	return nil
}

// isBusy reports whether another process, or another part of this one, has the file.
func isBusy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// trouble gives an error of the database its kind, and says in words what can be done about it; nil stays nil.
func trouble(err error) error {
	var e *sqlite.Error
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if !errors.As(err, &e) {
		return fmt.Errorf("%w: %w", err, fault.ErrUnavailable)
	}
	why, kind := "the knowledge can't be used", fault.ErrUnavailable
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB:
		why, kind = "the file is no database", fault.ErrInvalid
	case sqlite3.SQLITE_FULL:
		why = "there is no space left for the knowledge"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		why = "the file, its folder, or the files ending in -wal and -shm beside it, can't be written"
	case sqlite3.SQLITE_IOERR:
		why = "the disk refused, because it is full, has a quota or is damaged"
	case sqlite3.SQLITE_CORRUPT:
		why = "the file is damaged; move it away and ingest again"
	case sqlite3.SQLITE_BUSY:
		why = "another process writes the knowledge"
	}
	return fmt.Errorf("%s: %w: %w", why, err, kind)
}
