package sqlitefile

import (
	"context"
	"database/sql"
	"fmt"

	"annai/fault"
)

// A Migration leads from one version of a file to the next, within a transaction.
type Migration func(ctx context.Context, tx *sql.Tx) error

// Script is a migration that runs statements.
func Script(statements string) Migration {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, statements)
		return Fault(err)
	}
}

// format is what a file says of itself.
type format struct{ version, application, tables int }

// migrate makes the file what the options expect, all of it or nothing.
func (f *File) migrate(ctx context.Context, opts Options) error {
	var found format
	_, err := patiently(ctx, patience, func() (read bool, err error) {
		found, err = formatOf(ctx, f.Write, opts)
		return err == nil, err
	})
	if err != nil || found.isOf(opts) {
		return err
	}
	return f.Transaction(ctx, func(_ context.Context, tx *sql.Tx) error { // a long one is given up when ctx ends
		found, err := formatOf(ctx, tx, opts) // somebody else may have been here
		if err != nil || found.isOf(opts) {
			return err
		}
		for _, migration := range opts.Migrations[found.version:] {
			if err := migration(ctx, tx); err != nil {
				return err
			}
		}
		say := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", opts.Application, len(opts.Migrations))
		_, err = tx.ExecContext(ctx, say)
		return Fault(err)
	})
}

// formatOf returns the format of a file that can be migrated.
func formatOf(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, opts Options,
) (found format, err error) {
	err = db.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_master)`).Scan(&found.version, &found.application, &found.tables)
	known := len(opts.Migrations)
	switch {
	case err != nil:
		return found, Fault(err)
	case found.tables > 0 && (found.application != int(opts.Application) || opts.Application == 0 && found.version == 0):
		return found, fmt.Errorf("the file is a database of something else: %w", fault.ErrInvalid)
	case found.version < 0 || found.version > known:
		return found, fmt.Errorf("the file has format %d, this annai knows up to %d: %w", found.version, known, fault.ErrInvalid)
	}
	return found, nil
}

func (f format) isOf(opts Options) bool {
	return f.version == len(opts.Migrations) && f.application == int(opts.Application)
}
