// Package fault names the kinds of failure. The code that first understands a failure wraps its kind; callers add what
// they were doing; only servers and commands turn a kind into a status or an exit code.
//
// The package knows no HTTP, no language and no library.
package fault

import "errors"

// The kinds. Compare with [errors.Is]; an error wraps at most one of them.
var (
	// ErrInvalid says that the caller gave something that can't be right, however often it is tried.
	ErrInvalid = errors.New("invalid")
	// ErrNotFound says that the thing named does not exist.
	ErrNotFound = errors.New("not found")
	// ErrConflict says that somebody else was there first; reading anew and trying again may work.
	ErrConflict = errors.New("conflict")
	// ErrDenied says that the caller may not do this.
	ErrDenied = errors.New("denied")
	// ErrUnavailable says that something this depends on could not be reached or had no time; later may work.
	ErrUnavailable = errors.New("unavailable")
)
