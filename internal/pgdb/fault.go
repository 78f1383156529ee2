package pgdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"annai/fault"
)

// The codes of PostgreSQL that we tell apart: its manual, appendix A.
const (
	codeUnique     = "23505"
	codeForeignKey = "23503"
	codeEncoding   = "22021" // a text is no UTF-8, or has a zero in it
	codeLimit      = "54000" // a name is too long for an index, say
	codeAuth       = "28000"
	codePassword   = "28P01"
	codePrivilege  = "42501"
	codeReadOnly   = "25006"
	codeDeadlock   = "40P01"
	codeSerialize  = "40001"
	codeDivision   = "22012"
)

// Fault gives an error of the library its kind. The end of a context, what has a kind, and nil stay as they are; that no connection could be made
// in time is [fault.ErrUnavailable].
func Fault(err error) error {
	var unconnected *pgconn.ConnectError
	late := errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &unconnected)
	if err == nil || errors.Is(err, context.Canceled) || late {
		return err
	}
	for _, k := range []error{fault.ErrInvalid, fault.ErrNotFound, fault.ErrConflict, fault.ErrDenied, fault.ErrUnavailable} {
		if errors.Is(err, k) {
			return err
		}
	}
	kind := fault.ErrUnavailable
	switch codeOf(err) {
	case codeUnique, codeForeignKey:
		kind = fault.ErrConflict
	case codeEncoding, codeLimit:
		kind = fault.ErrInvalid
	case codeAuth, codePassword, codePrivilege:
		kind = fault.ErrDenied
	}
	return fmt.Errorf("%w: %w", err, kind)
}

// InTheWay says that a transaction failed for others that happened at the same time, so that it may be tried again.
func InTheWay(err error) bool {
	code := codeOf(err)
	return code == codeDeadlock || code == codeSerialize
}

// codeOf returns what the server said, "" if it said nothing.
func codeOf(err error) string {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

// Within makes a call that may take so long, because a server may be there and not answer: then the error is [fault.ErrUnavailable]. The end of
// ctx itself stays what it is.
func Within(ctx context.Context, limit time.Duration, call func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := call(limited)
	if errors.Is(err, context.DeadlineExceeded) && limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("PostgreSQL does not answer within %s: %w", limit, fault.ErrUnavailable)
	}
	return err
}
