// Package corpus keeps what `annai ingest` has read, in one SQLite file or in PostgreSQL: passages,
// which are the truth, and their vectors, which can always be made again.
//
// Its one idea: files are read and embedded one by one into a staging area, each in a commit of its
// own, and at the end one commit makes all of it what is served, under the next version. Whoever
// reads sees the passages of one version, and who is killed goes on where the last commit was. A
// vector belongs to the fingerprint of its embedder and the hash of its text, so that vectors never
// mix.
//
// The package knows no file format and no model.
package corpus

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"annai/internal/pgdb"
)

// A Store is one file, or the tables of a PostgreSQL. It is safe for concurrent use.
type Store struct {
	place       place
	write, read *sql.DB // of the place
	// snapshot is how what is read in several statements is of one moment.
	snapshot sql.TxOptions
}

// Open opens the file, or makes it with its folder. A file that is something else, or that a newer
// annai wrote, is [fault.ErrInvalid]; one that can't be opened [fault.ErrUnavailable].
func Open(ctx context.Context, path string) (*Store, error) {
	f, err := openFile(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open knowledge in %s: %w", path, err)
	}
	return &Store{place: f, write: f.Write, read: f.Read, snapshot: sql.TxOptions{ReadOnly: true}}, nil
}

// OpenShared opens the tables of db, which are made if need be: every process that opens them serves
// the same. Tables that a newer annai made are [fault.ErrInvalid]; a server that can't be reached is
// [fault.ErrUnavailable]. Db is to be closed after the store.
func OpenShared(ctx context.Context, db *pgdb.DB) (*Store, error) {
	if err := db.Migrate(ctx, tables); err != nil {
		return nil, fmt.Errorf("open knowledge in PostgreSQL: %w", err)
	}
	return &Store{
		place: shared{db}, write: db.DB, read: db.DB,
		snapshot: sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
	}, nil
}

// Exists reports whether there is a file to open. One that can't be looked at is said by [Open].
func Exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// Close lets go of the file.
func (s *Store) Close() error { return s.place.Close() }

// patience is how long reading all passages may take, from a server that may not answer.
const patience = time.Minute

// Version returns the version of what is served: it grows whenever that changes, and is 0 before
// anything was. Asking costs some microseconds, so that a server may ask every second.
func (s *Store) Version(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var n int64
	err := s.read.QueryRowContext(ctx, "SELECT version FROM annai_knowledge").Scan(&n)
	return n, trouble(err)
}

// A querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}
