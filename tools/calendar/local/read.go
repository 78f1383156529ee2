package local

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"annai/internal/civil"
	"annai/internal/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

const (
	// windowQuery finds the events whose span overlaps what is from ?1 up to ?2. ?3 is how far back the short ones may begin.
	windowQuery = `SELECT number, revision FROM events WHERE NOT long AND first > ?1 - ?3 AND first < ?2 AND until > ?1
		UNION ALL SELECT number, revision FROM events WHERE long AND until > ?1 AND first < ?2`
	// rowsQuery reads the rows whose numbers are in a JSON array.
	rowsQuery = `SELECT number, id, revision, data FROM events WHERE number IN (SELECT value FROM json_each(?1)) AND data IS NOT NULL`
	oneQuery  = `SELECT revision, data FROM events WHERE id = ?1`
)

// Events implements [calendar.Reader].
func (c *Calendar) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if err := calendar.CheckWindow(window); err != nil {
		return calendar.Listing{}, c.failed("read", err)
	}
	listing := calendar.Listing{Window: window, AsOf: c.opts.Now()}
	found, broken, err := c.find(ctx, window)
	if err != nil {
		return calendar.Listing{}, c.failed("read", err)
	}
	events, cut, err := recur.Expand(ctx, found, window, c.opts.MaxInstances)
	if err != nil {
		return calendar.Listing{}, c.failed("read", trouble(err))
	}
	listing.Events = events
	for _, id := range cut {
		broken = append(broken, fmt.Errorf("event %s: has too many instances in the window, some are left out: %w", id, fault.ErrInvalid))
	}
	for _, err := range broken {
		listing.Problems = append(listing.Problems, calendar.Problem{CalendarID: c.opts.CalendarID, Err: err})
	}
	listing.Complete = len(broken) == 0
	return listing, nil
}

// find returns the events that may be in the window, and what is wrong with those that can't be read.
func (c *Calendar) find(ctx context.Context, window civil.TimeRange) (found []*recur.Expander, broken []error, err error) {
	ctx, err = c.reading(ctx)
	if err != nil {
		return nil, nil, err
	}
	rows, err := c.window.QueryContext(ctx, window.Start.Unix(), window.End.Unix()+1, lookBack)
	if err != nil {
		return nil, nil, trouble(err)
	}
	defer rows.Close()
	var missing []int64
	for rows.Next() {
		var number, revision int64
		if err := rows.Scan(&number, &revision); err != nil {
			return nil, nil, trouble(err)
		}
		if x := c.known.event(number, revision); x != nil {
			found = append(found, x)
		} else {
			missing = append(missing, number)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, nil, trouble(err)
	}
	if len(missing) == 0 {
		return found, nil, nil
	}
	more, broken, err := c.load(ctx, missing)
	return append(found, more...), broken, err
}

// reading returns the context for a read. Where it ends in the middle of one, the connection is closed, and with it a calendar in memory:
// there, reads are short and not given up.
func (c *Calendar) reading(ctx context.Context) (context.Context, error) {
	if err := ctx.Err(); err != nil {
		return nil, trouble(err)
	}
	if c.file.Read == c.file.Write {
		return context.WithoutCancel(ctx), nil
	}
	return ctx, nil
}

// load reads rows and remembers them.
func (c *Calendar) load(ctx context.Context, numbers []int64) (loaded []*recur.Expander, broken []error, err error) {
	list, err := json.Marshal(numbers)
	if err != nil {
		return nil, nil, trouble(err)
	}
	rows, err := c.rows.QueryContext(ctx, string(list))
	if err != nil {
		return nil, nil, trouble(err)
	}
	defer rows.Close()
	for rows.Next() {
		var number, revision int64
		var id, data string
		if err := rows.Scan(&number, &id, &revision, &data); err != nil {
			return nil, nil, trouble(err)
		}
		x, err := c.ready(id, revision, data)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		c.known.put(number, revision, x)
		loaded = append(loaded, x)
	}
	return loaded, broken, trouble(errors.Join(rows.Err(), rows.Close()))
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
	ctx, err := c.reading(ctx)
	if err != nil {
		return calendar.Event{}, c.failed("get "+short(id)+" from", err)
	}
	e, err := c.get(ctx, c.query, id)
	if err != nil {
		return calendar.Event{}, c.failed("get "+short(id)+" from", err)
	}
	return e, nil
}

// A querier asks for the row with an id.
type querier func(ctx context.Context, id string) *sql.Row

func (c *Calendar) query(ctx context.Context, id string) *sql.Row {
	return c.one.QueryRowContext(ctx, id)
}

// get returns an event, a series, or an instance of one.
func (c *Calendar) get(ctx context.Context, one querier, id string) (calendar.Event, error) {
	series, original, isInstance := recur.SplitID(id)
	if !isInstance {
		return c.row(ctx, one, id)
	}
	e, err := c.row(ctx, one, series)
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
func (c *Calendar) row(ctx context.Context, one querier, id string) (calendar.Event, error) {
	var revision int64
	var data sql.NullString
	err := one(ctx, id).Scan(&revision, &data)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return calendar.Event{}, &calendar.Failure{Kind: calendar.NotFound}
	case err != nil:
		return calendar.Event{}, trouble(err)
	case !data.Valid:
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Gone}
	}
	return c.decode(id, revision, data.String)
}

// short is an id that fits a line of a log.
func short(id string) string { return fmt.Sprintf("%.100q", id) }
