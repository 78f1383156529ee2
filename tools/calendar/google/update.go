package google

import (
	"context"
	"errors"
	"fmt"

	gcal "google.golang.org/api/calendar/v3"

	"annai/tools/calendar"
)

// maxPlans is how often a write without etag is planned anew because somebody else was faster.
const maxPlans = 3

// Update implements [calendar.Writer]: a PATCH of what changes under the etag of what was read. A change that may have been done before its
// answer was lost is looked for.
func (c *Calendar) Update(ctx context.Context, id string, change calendar.Change, etag string) (calendar.Event, error) {
	e, err := c.update(ctx, id, change, etag)
	if err != nil {
		return calendar.Event{}, fmt.Errorf("update %.100q in calendar %s: %w", id, c.id, err)
	}
	return e, nil
}

func (c *Calendar) update(ctx context.Context, id string, change calendar.Change, etag string) (calendar.Event, error) {
	for range maxPlans {
		before, err := c.current(ctx, id, etag)
		if err != nil {
			return calendar.Event{}, err
		}
		after := before.With(change)
		if err := after.Check(); err != nil {
			return calendar.Event{}, err
		}
		if change.Empty() {
			return before, nil
		}
		got, t := c.change(ctx, before, after, change)
		switch {
		case t == nil:
			return got, nil
		case t.failure.Kind != calendar.Stale || etag != "":
			return calendar.Event{}, t.failure
		}
	}
	return calendar.Event{}, &calendar.Failure{Kind: calendar.Stale}
}

// current returns the event to be changed or deleted, or why it may not be.
func (c *Calendar) current(ctx context.Context, id, etag string) (calendar.Event, error) {
	if granted := c.account.opts.Granted; granted != nil && !granted.CanWrite() {
		return calendar.Event{}, noScope("change events")
	}
	e, t := c.get(ctx, id)
	switch {
	case t != nil:
		return calendar.Event{}, t.failure
	case e.SeriesID != "":
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Instance}
	case e.Status == calendar.Cancelled:
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Gone}
	case etag != "" && e.ETag != etag:
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Stale}
	}
	return e, nil
}

// change sends the patch that makes after of before.
func (c *Calendar) change(ctx context.Context, before, after calendar.Event, change calendar.Change) (calendar.Event, *trouble) {
	w, err := c.account.patch(before, after, change)
	if err != nil {
		return calendar.Event{}, &trouble{failure: asFailure(err)}
	}
	var got *gcal.Event
	t := c.account.repeat(ctx, func(ctx context.Context, token string) (err error) {
		call := c.account.service.Events.Patch(c.id, before.ID, w).Context(ctx).SendUpdates(c.account.opts.Guests.tell())
		call.Header().Set("If-Match", before.ETag)
		authorize(call.Header(), token)
		got, err = call.Do()
		return err
	})
	switch {
	case t == nil:
		made, err := c.made(got)
		if err != nil {
			return calendar.Event{}, &trouble{failure: asFailure(err)}
		}
		return made, nil
	case t.maybe:
		return c.lookForChange(ctx, before, after, t)
	default:
		return calendar.Event{}, t
	}
}

// lookForChange is the answer where the change may have been made: what is there.
func (c *Calendar) lookForChange(ctx context.Context, before, after calendar.Event, t *trouble) (calendar.Event, *trouble) {
	there, seen := c.look(ctx, before.ID)
	switch {
	case seen != nil:
		t.failure = t.ambiguous()
	case there.Status == calendar.Cancelled:
		t.failure = &calendar.Failure{Kind: calendar.Gone}
	case there.ETag != before.ETag && plain(there).Same(plain(after)):
		return there, nil
	case there.ETag != before.ETag:
		t.failure = &calendar.Failure{Kind: calendar.Stale}
	case t.unheard:
		t.failure = t.ambiguous()
	}
	return calendar.Event{}, t
}

func asFailure(err error) *calendar.Failure {
	var f *calendar.Failure
	if errors.As(err, &f) {
		return f
	}
	return &calendar.Failure{Kind: calendar.Unavailable, Err: err}
}

// Delete implements [calendar.Writer], under the etag of what was read. A deletion that was done before its answer was lost is one.
func (c *Calendar) Delete(ctx context.Context, id, etag string) error {
	if err := c.remove(ctx, id, etag); err != nil {
		return fmt.Errorf("delete %.100q from calendar %s: %w", id, c.id, err)
	}
	return nil
}

func (c *Calendar) remove(ctx context.Context, id, etag string) error {
	for range maxPlans {
		before, err := c.current(ctx, id, etag)
		if err != nil {
			return err
		}
		t := c.account.repeat(ctx, func(ctx context.Context, token string) error {
			call := c.account.service.Events.Delete(c.id, id).Context(ctx).SendUpdates(c.account.opts.Guests.tell())
			call.Header().Set("If-Match", before.ETag)
			authorize(call.Header(), token)
			return call.Do()
		})
		if t != nil && t.maybe {
			t = c.lookForDeletion(ctx, before, t)
		}
		switch {
		case t == nil:
			return nil
		case t.failure.Kind == calendar.NotFound: // it was there a moment ago
			return &calendar.Failure{Kind: calendar.Gone, Err: t.failure.Err}
		case t.failure.Kind != calendar.Stale || etag != "":
			return t.failure
		}
	}
	return &calendar.Failure{Kind: calendar.Stale}
}

// lookForDeletion is the answer where the event may have been deleted: nil if it is.
func (c *Calendar) lookForDeletion(ctx context.Context, before calendar.Event, t *trouble) *trouble {
	there, seen := c.look(ctx, before.ID)
	switch {
	case seen != nil && seen.failure.Kind == calendar.NotFound, seen == nil && there.Status == calendar.Cancelled:
		return nil
	case seen != nil, t.unheard && there.ETag == before.ETag:
		t.failure = t.ambiguous()
	case there.ETag != before.ETag:
		t.failure = &calendar.Failure{Kind: calendar.Stale}
	}
	return t
}
