package main

import (
	"context"
	"errors"
	"fmt"

	"annai/civil"
	"annai/fault"
	"annai/internal/config"
	"annai/internal/pgdb"
	"annai/internal/setup"
	"annai/tools/calendar"
)

// sharedConnections is how many connections a server has for what is neither sessions nor runs.
const sharedConnections = 4

// openShared connects to the PostgreSQL of the settings, in which several servers keep together what
// is neither sessions nor runs: calendars, knowledge, tasks. Nil where the settings name none.
func openShared(ctx context.Context, c config.Config) (*pgdb.DB, error) {
	if c.Postgres == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, setup.Deadline)
	defer cancel()
	db, err := pgdb.Open(ctx, string(c.Postgres), pgdb.Options{Connections: sharedConnections, Limit: c.Deadline})
	if errors.Is(err, fault.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("the PostgreSQL server can't be reached: %w", err)
	}
	if err != nil {
		return nil, setup.OneLine(err)
	}
	return db, nil
}

// openShared has what belongs there open from PostgreSQL. Where it can't be reached and is only to be
// looked at, the rest is opened without it.
func (a *assembly) openShared(ctx context.Context, c config.Config, forgetful bool) (err error) {
	a.shared, err = openShared(ctx, c)
	switch {
	case err != nil && forgetful:
		a.unshared = err
		return nil
	case err == nil && a.shared != nil:
		a.closers = append(a.closers, a.shared.Close)
	}
	return err
}

// An unreadable calendar is one that could not be opened.
type unreadable struct{ err error }

// Events implements [calendar.Reader].
func (u unreadable) Events(context.Context, civil.TimeRange) (calendar.Listing, error) {
	return calendar.Listing{}, u.err
}
