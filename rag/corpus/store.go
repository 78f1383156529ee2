// Package corpus keeps what `annai ingest` has read in one SQLite file: passages, which are the
// truth, and their vectors, which can always be made again.
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
	_ "embed"
	"errors"
	"fmt"
	"os"

	"annai/internal/sqlitefile"
)

//go:embed schema.sql
var schema string

// application is the number by which these files are told from other SQLite files.
const application = 0x616e6b6e

// A Store is one file. It is safe for concurrent use.
type Store struct {
	file        *sqlitefile.File
	write, read *sql.DB // of the file
}

// Open opens the file, or makes it with its folder. A file that is something else, or that a newer
// annai wrote, is [fault.ErrInvalid]; one that can't be opened [fault.ErrUnavailable].
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
	file, err := sqlitefile.Open(ctx, path, sqlitefile.Options{
		Application: application, Migrations: []sqlitefile.Migration{sqlitefile.Script(schema)}, Readers: 2,
	})
	if err != nil {
		return nil, advise(err)
	}
	return &Store{file: file, write: file.Write, read: file.Read}, nil
}

// Close lets go of the file.
func (s *Store) Close() error { return s.file.Close() }

// Version returns the version of what is served: it grows whenever that changes, and is 0 before
// anything was. Asking costs some microseconds, so that a server may ask every second.
func (s *Store) Version(ctx context.Context) (int64, error) {
	var n int64
	err := s.read.QueryRowContext(ctx, "SELECT version FROM served").Scan(&n)
	return n, trouble(err)
}

// A querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// trouble gives an error of the database its kind, and says in words what can be done about it; nil stays nil.
func trouble(err error) error { return advise(sqlitefile.Fault(err)) }

// advise says what helps where the file is damaged: the passages can be read again.
func advise(err error) error {
	if sqlitefile.CodeOf(err) == sqlitefile.Corrupt {
		return fmt.Errorf("move it away and ingest again: %w", err)
	}
	return err
}
