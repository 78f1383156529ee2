// Package sqlite keeps threads in one SQLite file: modernc.org/sqlite has its home here.
//
// The log is two tables, one row per record and one per task's writes, whose content is one encoded column; what is asked for by is in columns
// of its own. Large values are in a third, once for each thread, with a fourth that says which rows have them. One connection writes, and what
// waits for it goes into one commit; several read, in WAL mode, so a reader never waits for a writer. A commit waits for the disk, unless all
// of it is relaxed: then the system has it, and the next commit that waits makes it safe too.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"

	"annai/internal/fault"
	"annai/storage/row"
)

// Options are the settings of a [Store] that have a default.
type Options struct {
	// Row says how rows are encoded: whether they are compressed and encrypted.
	Row row.Options
}

// Store is a [graph.Checkpointer] in a file. It is safe for concurrent use.
type Store struct {
	codec  *row.Codec
	writer *writer
	read   *sql.DB

	any, load, list, blob *sql.Stmt
}

// Open opens the file, or makes it with its folder. A file that can't be opened is [fault.ErrUnavailable]; one that a newer annai
// wrote is [fault.ErrInvalid].
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	s, err := open(ctx, path, opts)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return s, nil
}

func open(ctx context.Context, path string, opts Options) (*Store, error) {
	codec, err := row.New(opts.Row)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", err, fault.ErrUnavailable)
	}
	db, err := connect(path, 1)
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, db, codec); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s := &Store{codec: codec}
	if s.writer, err = newWriter(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := s.openReaders(ctx, path); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func connect(path string, connections int) (*sql.DB, error) {
	query := url.Values{"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: query.Encode()}).String())
	if err != nil {
		return nil, kind(err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

func (s *Store) openReaders(ctx context.Context, path string) (err error) {
	if s.read, err = connect(path, 4); err != nil {
		return err
	}
	var errs [4]error
	s.any, errs[0] = s.read.PrepareContext(ctx, anyQuery)
	s.load, errs[1] = s.read.PrepareContext(ctx, loadQuery)
	s.list, errs[2] = s.read.PrepareContext(ctx, listQuery)
	s.blob, errs[3] = s.read.PrepareContext(ctx, blobQuery)
	return kind(errors.Join(errs[:]...))
}

// Close waits for what is being written and lets go of the file. Later calls find it closed: [fault.ErrUnavailable].
func (s *Store) Close() error {
	err := s.writer.close()
	if s.read != nil {
		err = errors.Join(err, s.read.Close())
	}
	return err
}

// kind gives an error of the library its kind, and says in words what can be done about it; nil stays nil.
func kind(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	switch codeOf(err) {
	case sqlite3.SQLITE_CONSTRAINT:
		return fmt.Errorf("%w: %w", err, fault.ErrConflict)
	case sqlite3.SQLITE_TOOBIG:
		return fmt.Errorf("too large for the store: %w: %w", err, fault.ErrInvalid)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("there is no space left for the data: %w: %w", err, fault.ErrUnavailable)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("the file, its folder, or the files ending in -wal and -shm beside it, can't be written: %w: %w", err, fault.ErrUnavailable)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("the disk refused, because it is full, has a quota or is damaged: %w: %w", err, fault.ErrUnavailable)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("another process writes the file: %w: %w", err, fault.ErrUnavailable)
	default:
		return fmt.Errorf("%w: %w", err, fault.ErrUnavailable)
	}
}
