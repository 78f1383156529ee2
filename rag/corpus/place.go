package corpus

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/internal/sqlitefile"
)

// A place is where a store is. Its statements are the same everywhere.
type place interface {
	// Transaction commits what do does, or nothing of it. An error of do comes back as it is.
	Transaction(ctx context.Context, do func(ctx context.Context, tx *sql.Tx) error) error
	// Close lets go of what [Open] or [OpenShared] opened.
	Close() error
	// lock keeps every other ingest of the same store away, in this process and in others, until
	// unlock is called or the process is gone.
	lock(ctx context.Context) (unlock func() error, err error)
}

//go:embed schema.sql
var schema string

//go:embed rename.sql
var rename string

// application is the number by which these files are told from other SQLite files.
const application = 0x616e6b6e

// A file is a [place] in SQLite.
type file struct{ *sqlitefile.File }

func openFile(ctx context.Context, path string) (file, error) {
	f, err := sqlitefile.Open(ctx, path, sqlitefile.Options{
		Application: application, Readers: 2,
		Migrations: []sqlitefile.Migration{sqlitefile.Script(schema), sqlitefile.Script(rename)},
	})
	return file{f}, advise(err)
}

// lock is part of [place].
func (f file) lock(ctx context.Context) (unlock func() error, err error) {
	unlock, err = sqlitefile.Lock(ctx, f.Path+".lock")
	switch {
	case errors.Is(err, fault.ErrConflict):
		return nil, fmt.Errorf("another ingest into %s is under way: %w", f.Path, fault.ErrConflict)
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", f.Path, err)
	}
	return unlock, nil
}

//go:embed migrations/*.sql
var migrations embed.FS

// tables are those of this package.
var tables = pgdb.Tables{Migrations: migrations, Versions: "annai_knowledge_versions", Lock: application}

// shared is a [place] in PostgreSQL. Who opened the connections closes them.
type shared struct{ db *pgdb.DB }

// Transaction is part of [place].
func (s shared) Transaction(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return s.db.Transaction(ctx, do)
}

// Close is part of [place].
func (s shared) Close() error { return nil }

// lock is part of [place].
func (s shared) lock(ctx context.Context) (unlock func() error, err error) {
	unlock, err = s.db.Hold(ctx, "ingest")
	switch {
	case errors.Is(err, fault.ErrConflict):
		return nil, fmt.Errorf("another ingest into this PostgreSQL is under way: %w", fault.ErrConflict)
	case err != nil:
		return nil, fmt.Errorf("lock the knowledge: %w", err)
	}
	return unlock, nil
}

// trouble gives an error of a database its kind, and says in words what can be done about it; nil
// stays nil.
func trouble(err error) error {
	if sqlitefile.CodeOf(err) != sqlitefile.None {
		return advise(sqlitefile.Fault(err))
	}
	return pgdb.Fault(err)
}

// advise says what helps where the file is damaged: the passages can be read again.
func advise(err error) error {
	if sqlitefile.CodeOf(err) == sqlitefile.Corrupt {
		return fmt.Errorf("move it away and ingest again: %w", err)
	}
	return err
}
