package local

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"annai/internal/fault"
	"annai/tools/calendar"
)

// trouble makes a failure of an error of the database, and says in words what can be done about it; nil stays nil. A write that fails
// leaves nothing, so none is ambiguous.
func trouble(err error) error {
	if err == nil {
		return nil
	}
	switch codeOf(err) {
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("the file is no database: %w: %w", err, fault.ErrInvalid)
	case sqlite3.SQLITE_TOOBIG:
		return &calendar.Failure{Kind: calendar.InvalidText, Err: err}
	case sqlite3.SQLITE_FULL:
		return unavailable("there is no space left for the calendar", err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return unavailable("the file, its folder, or the files ending in -wal and -shm beside it, can't be written", err)
	case sqlite3.SQLITE_IOERR:
		return unavailable("the disk refused, because it is full, has a quota or is damaged", err)
	case sqlite3.SQLITE_CORRUPT:
		return unavailable("the file is damaged", err)
	case sqlite3.SQLITE_BUSY:
		return unavailable("another process writes the calendar", err)
	default:
		return unavailable("the calendar can't be used", err)
	}
}

func unavailable(why string, err error) error {
	return &calendar.Failure{Kind: calendar.Unavailable, Err: fmt.Errorf("%s: %w", why, err)}
}

// codeOf returns the code of an error of SQLite, without what an extended one says besides, and 0 for other errors.
func codeOf(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}
