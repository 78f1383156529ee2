package sqlitefile

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"annai/fault"
)

// A Code is what SQLite calls a failure, without what an extended code says besides.
type Code int

// The codes that callers tell apart. There are others.
const (
	None       Code = 0
	Busy       Code = sqlite3.SQLITE_BUSY       // another process, or another part of this one, has the file
	Constraint Code = sqlite3.SQLITE_CONSTRAINT // the statement did nothing, because a row may not be so
	TooBig     Code = sqlite3.SQLITE_TOOBIG     // the statement did nothing, because a value is too large for any row
	Corrupt    Code = sqlite3.SQLITE_CORRUPT    // the file is damaged
	NoDatabase Code = sqlite3.SQLITE_NOTADB     // the file is something else
)

// CodeOf returns the code of an error of SQLite, and None for other errors and for nil.
func CodeOf(err error) Code {
	var e *sqlite.Error
	if err == nil || !errors.As(err, &e) {
		return None
	}
	return Code(e.Code() & 0xff)
}

// Fault gives an error of package database/sql, or of the library below it, its kind, and says with [Why] what can be done about it. The end of
// a context stays what it is, and so does nil.
func Fault(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	kind := fault.ErrUnavailable
	switch CodeOf(err) {
	case Constraint:
		kind = fault.ErrConflict
	case TooBig, NoDatabase:
		kind = fault.ErrInvalid
	case None, Busy, Corrupt:
	}
	return fmt.Errorf("%s: %w: %w", Why(err), err, kind)
}

// Why says in words what an error means that is not nil.
func Why(err error) string {
	switch CodeOf(err) {
	case Constraint:
		return "a row may not be so"
	case TooBig:
		return "too large for the file"
	case NoDatabase:
		return "the file is no database"
	case Corrupt:
		return "the file is damaged"
	case sqlite3.SQLITE_FULL:
		return "there is no space left on the disk"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return "the file, its folder, or the files ending in -wal and -shm beside it, can't be written"
	case sqlite3.SQLITE_IOERR:
		return "the disk refused, because it is full, has a quota or is damaged"
	case Busy:
		return "another process writes the file"
	case None:
	}
	return "the file can't be used"
}
