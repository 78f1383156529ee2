package local

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"annai/civil"
	"annai/fault"
	"annai/internal/pgdb"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// Events implements [calendar.Reader].
func (c *Calendar) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	return c.list(window, func() ([]calendar.Event, []error, bool, error) {
		events, missing, err := c.overlapping(ctx, window)
		return events, missing, false, err
	})
}

// Lend implements [calendar.Lender]: what a window has is read again once anything was written, by whomever.
func (c *Calendar) Lend(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	return c.list(window, func() ([]calendar.Event, []error, bool, error) {
		now, err := c.changes(ctx)
		if err != nil {
			return nil, nil, false, err
		}
		if now == (changes{}) {
			events, missing, err := c.overlapping(ctx, window)
			return events, missing, false, err
		}
		events, missing, err := c.lent.at(now).Events(window, func() ([]calendar.Event, []error, error) {
			return c.overlapping(ctx, window)
		})
		return events, missing, true, err
	})
}

// list makes a listing of what read returns: events, what is missing among them, and whether they are lent.
func (c *Calendar) list(
	window civil.TimeRange, read func() ([]calendar.Event, []error, bool, error),
) (calendar.Listing, error) {
	if err := calendar.CheckWindow(window); err != nil {
		return calendar.Listing{}, c.failed("read", err)
	}
	listing := calendar.Listing{Window: window, AsOf: c.opts.Now()}
	events, missing, lent, err := read()
	if err != nil {
		return calendar.Listing{}, c.failed("read", err)
	}
	listing.Events, listing.Lent, listing.Complete = events, lent, len(missing) == 0
	for _, err := range missing {
		listing.Problems = append(listing.Problems, calendar.Problem{CalendarID: c.opts.CalendarID, Err: err})
	}
	return listing, nil
}

// overlapping returns the events that overlap the window, in order, and what is missing among them.
func (c *Calendar) overlapping(
	ctx context.Context, window civil.TimeRange,
) (events []calendar.Event, missing []error, err error) {
	found, missing, err := c.find(ctx, window)
	if err != nil {
		return nil, nil, err
	}
	events, cut, err := recur.Expand(ctx, found, window, c.opts.MaxInstances)
	if err != nil {
		return nil, nil, unavailable("it took too long", err)
	}
	for _, id := range cut {
		missing = append(missing, fmt.Errorf(
			"event %s: has too many instances in the window, some are left out: %w", id, fault.ErrInvalid))
	}
	return events, missing, nil
}

// changes returns how often the calendar was changed; zero where that can't be told.
func (c *Calendar) changes(ctx context.Context) (changes, error) {
	ctx, done, err := c.reading(ctx)
	if err != nil {
		return changes{}, err
	}
	defer done()
	now, err := c.table.changes(ctx)
	return now, c.table.trouble(err)
}

// find returns the events that may be in the window, and what is wrong with those that can't be read.
func (c *Calendar) find(ctx context.Context, window civil.TimeRange) (found []*recur.Expander, broken []error, err error) {
	ctx, done, err := c.reading(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	rows, err := c.table.window(ctx, c.table.with(window.Start.Unix(), window.End.Unix()+1, lookBack)...)
	if err != nil {
		return nil, nil, c.table.trouble(err)
	}
	defer rows.Close()
	var missing []int64
	for rows.Next() {
		var number, revision int64
		if err := rows.Scan(&number, &revision); err != nil {
			return nil, nil, c.table.trouble(err)
		}
		if x := c.known.event(number, revision); x != nil {
			found = append(found, x)
		} else {
			missing = append(missing, number)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, nil, c.table.trouble(err)
	}
	if len(missing) == 0 {
		return found, nil, nil
	}
	more, broken, err := c.load(ctx, missing)
	return append(found, more...), broken, err
}

// reading returns the context for a read, and what ends it.
func (c *Calendar) reading(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, unavailable("nobody waits for it", err)
	}
	ctx, done := c.table.reading(ctx)
	return ctx, done, nil
}

// load reads rows and remembers them.
func (c *Calendar) load(ctx context.Context, numbers []int64) (loaded []*recur.Expander, broken []error, err error) {
	list, err := json.Marshal(numbers)
	if err != nil {
		return nil, nil, c.table.trouble(err)
	}
	rows, err := c.table.rows(ctx, c.table.with(string(list))...)
	if err != nil {
		return nil, nil, c.table.trouble(err)
	}
	defer rows.Close()
	for rows.Next() {
		var number, revision int64
		var id, data string
		if err := rows.Scan(&number, &id, &revision, &data); err != nil {
			return nil, nil, c.table.trouble(err)
		}
		x, err := c.ready(id, revision, data)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		c.known.put(number, revision, x)
		loaded = append(loaded, x)
	}
	return loaded, broken, c.table.trouble(errors.Join(rows.Err(), rows.Close()))
}

func (c *Calendar) ready(id string, revision int64, data string) (*recur.Expander, error) {
	e, err := c.decode(id, revision, data)
	if err != nil {
		return nil, err
	}
	return c.compile(e)
}

// Get implements [calendar.Writer].
func (c *Calendar) Get(ctx context.Context, id string) (calendar.Event, error) {
	ctx, done, err := c.reading(ctx)
	if err != nil {
		return calendar.Event{}, c.failed("get "+short(id)+" from", err)
	}
	defer done()
	e, err := c.get(ctx, nil, id)
	if err != nil {
		return calendar.Event{}, c.failed("get "+short(id)+" from", err)
	}
	return e, nil
}

// get returns an event, a series, or an instance of one, as the transaction sees it; nil is none.
func (c *Calendar) get(ctx context.Context, tx *sql.Tx, id string) (calendar.Event, error) {
	series, original, isInstance := recur.SplitID(id)
	if !isInstance {
		return c.row(ctx, tx, id)
	}
	e, err := c.row(ctx, tx, series)
	if err != nil {
		return calendar.Event{}, err
	}
	x, err := c.compile(e)
	if err != nil {
		return calendar.Event{}, err
	}
	if instance, ok := x.Instance(original); ok && instance.SeriesID != "" {
		return instance, nil
	}
	return calendar.Event{}, &calendar.Failure{Kind: calendar.NotFound}
}

// row reads one event by its own id.
func (c *Calendar) row(ctx context.Context, tx *sql.Tx, id string) (calendar.Event, error) {
	var revision int64
	var data sql.NullString
	err := c.table.get(ctx, tx, id).Scan(&revision, &data)
	switch {
	case errors.Is(err, sql.ErrNoRows), pgdb.Unwritable(err):
		return calendar.Event{}, &calendar.Failure{Kind: calendar.NotFound}
	case err != nil:
		return calendar.Event{}, c.table.trouble(err)
	case !data.Valid:
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Gone}
	}
	return c.decode(id, revision, data.String)
}

// short is an id that fits a line of a log.
func short(id string) string { return fmt.Sprintf("%.100q", id) }
