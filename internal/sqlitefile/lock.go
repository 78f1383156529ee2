package sqlitefile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"annai/fault"
)

// Lock keeps every other Lock of the same path away, in this process and in others, until unlock is called or the process is gone: it is a
// transaction that stays open on a file, which is for nothing else and stays there. If somebody else has it that is [fault.ErrConflict], at once.
func Lock(ctx context.Context, path string) (unlock func() error, err error) {
	path, err = touch(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", address(path))
	if err != nil {
		return nil, Fault(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		if CodeOf(err) == Busy {
			err = fmt.Errorf("somebody else has locked it: %w", fault.ErrConflict)
		} else {
			err = Fault(err)
		}
		return nil, errors.Join(err, db.Close())
	}
	return db.Close, nil
}
