// Package sqlite keeps assistants, threads, runs, items and crons in one SQLite file.
//
// The tables are those of package tables. One connection writes, and what waits for it goes into one commit; several read, and never wait for who writes.
// A commit waits for the disk. Who watches a thread is woken by what this process commits, and looks again after some seconds for what others did.
package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"

	"annai/internal/sqlitefile"
	"annai/runs/tables"
	"annai/storage/row"
)

var (
	//go:embed schema.sql
	schema string
	//go:embed makers.sql
	makers string
	//go:embed versions.sql
	versions string
)

// application tells files of runs from others.
const application = 0x616e7275 // anru

// Options are the settings of a [Store] that have a default.
type Options struct {
	// Row says how contents are encoded: whether they are compressed and encrypted. Ids, statuses, times, the kinds of events with the names of nodes, and the
	// namespaces and keys of items can always be read.
	Row row.Options
}

// Store is a [runs.Store] in a file. It is safe for concurrent use.
type Store struct {
	*tables.Store

	db *database
}

// Open opens the file, or makes it with its folder. A file that can't be opened is [fault.ErrUnavailable]; one that is something else, or that a newer annai
// wrote, is [fault.ErrInvalid]; one that was written with another key is [fault.ErrDenied].
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	s, err := open(ctx, path, opts)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return s, nil
}

func open(ctx context.Context, path string, opts Options) (*Store, error) {
	file, err := sqlitefile.Open(ctx, path, sqlitefile.Options{Application: application, Migrations: []sqlitefile.Migration{
		sqlitefile.Script(schema), sqlitefile.Script(makers), sqlitefile.Script(versions),
	}})
	if err != nil {
		return nil, err
	}
	db, err := newDatabase(ctx, file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	s, err := tables.New(ctx, db, opts.Row)
	if err != nil {
		return nil, errors.Join(err, db.close())
	}
	return &Store{s, db}, nil
}

// Close waits for what is being written and lets go of the file. Later calls find it closed: [fault.ErrUnavailable].
func (s *Store) Close() error { return s.db.close() }

// DB is the one connection that writes. Nobody may wait for it while holding it.
func (s *Store) DB() *sql.DB { return s.db.file.Write }

// Update commits what do does in the tables of the store and, with the transaction itself, in others of the file.
func (s *Store) Update(ctx context.Context, do func(ctx context.Context, tx tables.Tx, raw *sql.Tx) error) error {
	return s.db.Update(ctx, func(ctx context.Context, tx tables.Tx) error { return do(ctx, tx, tx.(*transaction).tx) })
}
