package local

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"

	"annai/internal/fault"
)

// schema makes a file of version 1.
//
//go:embed schema.sql
var schema string

// version is the one that files have after [migrate], application the number by which SQLite files are told apart.
const (
	version     = 1
	application = 0x616e6361
)

// migrate makes the file what this version expects, all of it or nothing.
func migrate(ctx context.Context, db *sql.DB) error {
	if found, err := versionOf(ctx, db); err != nil || found == version {
		return err
	}
	return transaction(ctx, db, func(ctx context.Context, tx *sql.Tx) error {
		found, err := versionOf(ctx, tx) // somebody else may have been here
		if err != nil || found == version {
			return err
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", schema, application, version))
		return trouble(err)
	})
}

// versionOf returns the version of the file, 0 of an empty one.
func versionOf(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
},
) (int, error) {
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
