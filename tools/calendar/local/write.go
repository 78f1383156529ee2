package local

import (
	"context"
	"database/sql"
	"errors"

	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// Create implements [calendar.Writer].
func (c *Calendar) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	made, err := c.create(ctx, e)
	if err != nil {
		return calendar.Event{}, c.failed("create in", err)
	}
	return made, nil
}

func (c *Calendar) create(ctx context.Context, e calendar.Event) (made calendar.Event, err error) {
	if e.ID == "" {
		e.ID = c.opts.NewID()
	}
	if err := errors.Join(calendar.CheckKey(e.ID), e.Check()); err != nil {
		return calendar.Event{}, err
	}
	if e, err = c.fill(e); err != nil {
		return calendar.Event{}, err
	}
	e.Updated = c.opts.Now().UTC()
	e.Created = e.Updated
	x, err := c.compile(e)
	if err != nil {
		return calendar.Event{}, err
	}
	err = c.transaction(ctx, func(ctx context.Context, tx writing) error {
		there, err := c.row(ctx, tx.Tx, e.ID)
		switch {
		case err == nil && there.Same(e):
			made = there
			return nil
		case err == nil:
			return &calendar.Failure{Kind: calendar.Exists}
		case calendar.KindOf(err) == calendar.NotFound:
			made, err = tx.put(ctx, c.table.insert, e, x)
		}
		return err
	})
	return made, err
}

// Update implements [calendar.Writer].
func (c *Calendar) Update(ctx context.Context, id string, change calendar.Change, etag string) (after calendar.Event, err error) {
	err = c.transaction(ctx, func(ctx context.Context, tx writing) error {
		there, err := tx.current(ctx, id, etag)
		if err != nil {
			return err
		}
		after = there
		if change.Empty() {
			return nil
		}
		e := there.With(change)
		if err := e.Check(); err != nil {
			return err
		}
		if e, err = c.fill(e); err != nil {
			return err
		}
		e.Updated = c.opts.Now().UTC()
		x, err := c.compile(e)
		if err != nil {
			return err
		}
		after, err = tx.put(ctx, c.table.update, e, x)
		return err
	})
	if err != nil {
		return calendar.Event{}, c.failed("update "+short(id)+" in", err)
	}
	c.table.forget(ctx) // what it was before
	return after, nil
}

// Delete implements [calendar.Writer].
func (c *Calendar) Delete(ctx context.Context, id, etag string) error {
	err := c.transaction(ctx, func(ctx context.Context, tx writing) error {
		if _, err := tx.current(ctx, id, etag); err != nil {
			return err
		}
		return c.table.delete(ctx, tx.Tx, id)
	})
	if err != nil {
		return c.failed("delete "+short(id)+" from", err)
	}
	c.table.forget(ctx)
	return nil
}

// writing is a transaction, and whose.
type writing struct {
	*sql.Tx
	c *Calendar
}

// transaction commits what do does, or nothing of it, and returns the error of do, or a failure. One that has begun is not given up half-way.
func (c *Calendar) transaction(ctx context.Context, do func(context.Context, writing) error) error {
	var did error
	err := c.table.transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		did = do(ctx, writing{tx, c})
		return did
	})
	if err != nil && did == nil {
		return c.table.trouble(err)
	}
	return did
}

// current returns the event that may be changed: with the etag, if that is not empty, and no instance.
func (w writing) current(ctx context.Context, id, etag string) (calendar.Event, error) {
	e, err := w.c.get(ctx, w.Tx, id)
	switch {
	case err != nil:
		return calendar.Event{}, err
	case e.SeriesID != "":
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Instance}
	case etag != "" && etag != e.ETag:
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Stale}
	}
	return e, nil
}

// put writes the event by the statement and returns it as it is then.
func (w writing) put(
	ctx context.Context, statement string, e calendar.Event, x *recur.Expander,
) (calendar.Event, error) {
	data, err := encode(e)
	if err == nil {
		data, err = w.c.seal(e.ID, data)
	}
	if err != nil {
		return calendar.Event{}, err
	}
	if err := w.c.table.put(ctx, w.Tx, statement, e.ID, spanOf(e, x), data); err != nil {
		return calendar.Event{}, err
	}
	return w.c.row(ctx, w.Tx, e.ID)
}
