package local

import (
	"fmt"

	"annai/internal/sqlitefile"
	"annai/tools/calendar"
)

// trouble makes a failure of an error of the database, and says in words what can be done about it; nil stays nil. A write that fails leaves nothing, so none is ambiguous.
func trouble(err error) error {
	switch {
	case err == nil:
		return nil
	case sqlitefile.CodeOf(err) == sqlitefile.TooBig:
		return &calendar.Failure{Kind: calendar.InvalidText, Err: err}
	default:
		return unavailable(sqlitefile.Why(err), err)
	}
}

func unavailable(why string, err error) error {
	return &calendar.Failure{Kind: calendar.Unavailable, Err: fmt.Errorf("%s: %w", why, err)}
}
