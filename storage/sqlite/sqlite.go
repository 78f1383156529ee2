// Package sqlite keeps threads in one SQLite file.
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

	"annai/internal/sqlitefile"
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
	file   *sqlitefile.File
	writer *writer
	read   *sql.DB // of the file

	newest, load, list, blob *sql.Stmt
}

// Open opens the file, or makes it with its folder, for nobody else to read. A file that can't be opened is [fault.ErrUnavailable]; one that is
// no database or something else's, or that a newer annai wrote, is [fault.ErrInvalid].
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
	file, err := sqlitefile.Open(ctx, path, sqlitefile.Options{Migrations: migrations(codec)})
	if err != nil {
		return nil, err
	}
	s := &Store{codec: codec, file: file, read: file.Read}
	if s.writer, err = newWriter(ctx, file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context) error {
	var errs [4]error
	s.newest, errs[0] = s.read.PrepareContext(ctx, newestQuery)
	s.load, errs[1] = s.read.PrepareContext(ctx, loadQuery)
	s.list, errs[2] = s.read.PrepareContext(ctx, listQuery)
	s.blob, errs[3] = s.read.PrepareContext(ctx, blobQuery)
	return sqlitefile.Fault(errors.Join(errs[:]...))
}

// Close waits for what is being written and lets go of the file. Later calls find it closed: [fault.ErrUnavailable].
func (s *Store) Close() error {
	return errors.Join(s.writer.close(), s.file.Close())
}
