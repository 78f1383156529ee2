package local

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/internal/sqlitefile"
	"annai/tools/tasks"
)

// A place is where the lists are. Its statements are the same everywhere.
type place interface {
	// Transaction commits what do does, or nothing of it. An error of do comes back as it is.
	Transaction(ctx context.Context, do func(ctx context.Context, tx *sql.Tx) error) error
	// Close lets go of what [Open] or [OpenShared] opened.
	Close() error
	// alone has everybody else wait who wants to change the list of an owner, until the transaction
	// ends.
	alone(ctx context.Context, tx *sql.Tx, owner string) error
	// forget says that something was overwritten.
	forget(ctx context.Context)
}

//go:embed schema.sql
var schema string

// rename gives the table the name that it has in PostgreSQL, where others are beside it.
const rename = `ALTER TABLE tasks RENAME TO annai_tasks`

// application is the number by which files of tasks are told from other SQLite files.
const application = 0x616e7461

// A file is a [place] in SQLite.
type file struct{ *sqlitefile.File }

func openFile(ctx context.Context, path string) (file, error) {
	f, err := sqlitefile.Open(ctx, path, sqlitefile.Options{
		Application: application,
		Migrations:  []sqlitefile.Migration{sqlitefile.Script(schema), sqlitefile.Script(rename)},
	})
	return file{f}, err
}

// alone is part of [place]: one connection writes a file.
func (f file) alone(context.Context, *sql.Tx, string) error { return nil }

// forget is part of [place].
func (f file) forget(ctx context.Context) { f.Forget(ctx) }

//go:embed migrations/*.sql
var migrations embed.FS

// tables are those of this package.
var tables = pgdb.Tables{Migrations: migrations, Versions: "annai_task_versions", Lock: application}

// shared is a [place] in PostgreSQL. Who opened the connections closes them.
type shared struct{ db *pgdb.DB }

// Transaction is part of [place].
func (s shared) Transaction(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return s.db.Transaction(ctx, do)
}

// Close is part of [place].
func (s shared) Close() error { return nil }

// alone is part of [place].
func (s shared) alone(ctx context.Context, tx *sql.Tx, owner string) error {
	return trouble(pgdb.One(ctx, tx, "tasks "+owner))
}

// forget is part of [place]: a row that was overwritten is the server's to clean up.
func (s shared) forget(context.Context) {}

// trouble makes a failure of an error of a database; nil stays nil. A write that fails leaves
// nothing, unless the connection to a server is lost as it is committed: then nobody knows, and the
// same call again tells.
func trouble(err error) error {
	code := sqlitefile.CodeOf(err)
	switch {
	case err == nil:
		return nil
	case code == sqlitefile.TooBig:
		return &tasks.Failure{Kind: fault.ErrInvalid, Err: err}
	case code != sqlitefile.None:
		return &tasks.Failure{Kind: fault.ErrUnavailable, Err: fmt.Errorf("%s: %w", sqlitefile.Why(err), err)}
	case errors.Is(err, fault.ErrUnavailable): // which says why
		return &tasks.Failure{Kind: fault.ErrUnavailable, Err: err}
	default:
		err = fmt.Errorf("the tasks can't be read or written: %w", err)
		return &tasks.Failure{Kind: fault.ErrUnavailable, Err: err}
	}
}
