package agenda

import (
	"context"
	"errors"
	"fmt"

	"annai/tools/calendar"
)

// A Ref names an event that was read, to be changed later. It is small and survives JSON, so that a conversation can keep it.
type Ref struct {
	// CalendarID is the event's calendar; empty: the one that is written to.
	CalendarID string `json:"calendarId,omitempty"`
	ID         string `json:"id"`
	// ETag, if not empty, makes a write fail (kind [calendar.Stale]) where the event changed since.
	ETag string `json:"etag,omitempty"`
}

// RefOf returns the name of e. That of an instance names this instance.
func RefOf(e calendar.Event) Ref { return Ref{CalendarID: e.CalendarID, ID: e.ID, ETag: e.ETag} }

// Get returns the event as it is now, a series with its Recurrence. The errors are those of [calendar.Writer], and kind
// [calendar.NoCalendar] for a calendar that is not in the agenda, [calendar.Forbidden] for one that is only read.
func (a *Agenda) Get(ctx context.Context, ref Ref) (calendar.Event, error) {
	c, err := a.writer(ref.CalendarID)
	if err != nil {
		return calendar.Event{}, err
	}
	e, err := c.Writer.Get(ctx, ref.ID)
	if err != nil {
		return calendar.Event{}, fmt.Errorf("get event of calendar %s: %w", c.ID, err)
	}
	return of(c, e), nil
}

// Lookup returns the event with the id as it is now, from the first of the calendars that can be
// written to which has it. The errors are those of [Agenda.Get].
func (a *Agenda) Lookup(ctx context.Context, id string) (calendar.Event, error) {
	none := errors.New("no calendar that can be written to has the event")
	missing := error(&calendar.Failure{Kind: calendar.NotFound, Err: none})
	for _, c := range a.calendars {
		if c.Writer == nil {
			continue
		}
		e, err := a.Get(ctx, Ref{CalendarID: c.ID, ID: id})
		switch kind := calendar.KindOf(err); {
		case err == nil:
			return e, nil
		case kind == calendar.Gone:
			missing = err
		case kind != calendar.NotFound:
			return calendar.Event{}, err
		}
	}
	return calendar.Event{}, missing
}

// Create adds the event to the calendar that its CalendarID names, or else to the one that is written to. Its ID is the caller's key
// (empty: a new one): the same event under the same key is created once, however often it is tried. The errors are those of
// [calendar.Writer] and of [Agenda.Get].
func (a *Agenda) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	c, err := a.writer(e.CalendarID)
	if err != nil {
		return calendar.Event{}, err
	}
	made, err := c.Writer.Create(ctx, a.ready(c, e))
	if err != nil {
		return calendar.Event{}, fmt.Errorf("create event in calendar %s: %w", c.ID, err)
	}
	return of(c, made), nil
}

// ready fills in what an event needs before it is created.
func (a *Agenda) ready(c Calendar, e calendar.Event) calendar.Event {
	e.CalendarID = c.ID
	if e.ID == "" {
		e.ID = a.opts.NewKey()
	}
	if e.TimeZone == "" {
		e.TimeZone = a.opts.Location.String()
	}
	return e.WithEnd()
}

// Update changes the event, a whole series if ref names one, and returns it as it is then. A change that is there already is success,
// whatever the etag: then an earlier try was done and its answer lost. An empty change is kind [calendar.Invalid]; the other errors are
// those of [calendar.Writer] and of [Agenda.Get].
func (a *Agenda) Update(ctx context.Context, ref Ref, change calendar.Change) (calendar.Event, error) {
	c, err := a.writer(ref.CalendarID)
	if err != nil {
		return calendar.Event{}, err
	}
	if change.Empty() {
		return calendar.Event{}, invalid("update changes nothing")
	}
	e, err := c.Writer.Update(ctx, ref.ID, change, ref.ETag)
	if err != nil && calendar.KindOf(err) == calendar.Stale {
		if there, getErr := c.Writer.Get(ctx, ref.ID); getErr == nil && there.With(change).Same(there) {
			return of(c, there), nil
		}
	}
	if err != nil {
		return calendar.Event{}, fmt.Errorf("update event of calendar %s: %w", c.ID, err)
	}
	return of(c, e), nil
}

// Delete removes the event, a whole series if ref names one. One that is deleted already is kind [calendar.Gone], which callers may take
// for success. The other errors are those of [calendar.Writer] and of [Agenda.Get].
func (a *Agenda) Delete(ctx context.Context, ref Ref) error {
	c, err := a.writer(ref.CalendarID)
	if err != nil {
		return err
	}
	if err := c.Writer.Delete(ctx, ref.ID, ref.ETag); err != nil {
		return fmt.Errorf("delete event of calendar %s: %w", c.ID, err)
	}
	return nil
}

// writer returns the calendar with the id, or the one that is written to for "".
func (a *Agenda) writer(id string) (Calendar, error) {
	find := a.Writable
	if id != "" {
		find = func() (Calendar, bool) { return a.calendar(id) }
	}
	c, ok := find()
	switch {
	case !ok && id != "":
		return Calendar{}, noCalendar(id)
	case c.Writer == nil:
		return Calendar{}, &calendar.Failure{Kind: calendar.Forbidden, Err: fmt.Errorf("calendar %.100q is only read", id)}
	}
	return c, nil
}

// of returns e with the id that its calendar has here.
func of(c Calendar, e calendar.Event) calendar.Event {
	e.CalendarID = c.ID
	return e
}
