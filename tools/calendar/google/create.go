package google

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	gcal "google.golang.org/api/calendar/v3"

	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// Create implements [calendar.Writer]. An event without id gets one of ours, so that a creation whose answer was lost can be looked for.
func (c *Calendar) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	made, err := c.create(ctx, e)
	if err != nil {
		return calendar.Event{}, fmt.Errorf("create %.100q in calendar %s: %w", e.ID, c.id, err)
	}
	return made, nil
}

func (c *Calendar) create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	if e.ID == "" {
		e.ID = c.account.opts.NewID()
	}
	if err := c.mayCreate(e); err != nil {
		return calendar.Event{}, err
	}
	e = e.WithEnd()
	w, err := c.account.insertion(e)
	if err != nil {
		return calendar.Event{}, err
	}
	made, err := c.insert(ctx, e, w)
	if err != nil {
		return calendar.Event{}, err
	}
	made.EndInferred = e.EndInferred
	return made, nil
}

// mayCreate returns why e can't be created, as far as that is clear without asking.
func (c *Calendar) mayCreate(e calendar.Event) error {
	if granted := c.account.opts.Granted; granted != nil && !granted.CanWrite() {
		return noScope("change events")
	}
	if err := calendar.CheckKey(e.ID); err != nil {
		return err
	}
	if err := e.Check(); err != nil {
		return err
	}
	if e.Status == calendar.Cancelled {
		return &calendar.Failure{Kind: calendar.Invalid, Err: errors.New("an event can't be created cancelled")}
	}
	if err := recur.Check(e, recur.Options{}); err != nil {
		return &calendar.Failure{Kind: calendar.Invalid, Err: errors.New(err.Error())}
	}
	return c.account.opts.Guests.allow(e.Attendees)
}

// insert sends the event until it is there. Once Google may have created it, every next try is a look first; and whatever happens, nothing is
// said before the last look.
func (c *Calendar) insert(ctx context.Context, e calendar.Event, w *gcal.Event) (calendar.Event, error) {
	var all trouble
	for n := 1; ; n++ {
		if all.maybe {
			if there, t := c.get(ctx, e.ID); t == nil {
				return sameAs(there, e)
			}
		}
		var got *gcal.Event
		t := c.account.try(ctx, c.post(w, &got))
		switch {
		case t == nil:
			return c.made(got)
		case t.status == statusConflict:
			return c.readBack(ctx, e)
		}
		t.maybe, t.unheard = t.maybe || all.maybe, t.unheard || all.unheard
		all = *t
		if !c.account.pause(ctx, n, t) {
			return c.lastLook(ctx, e, t)
		}
	}
}

// made returns the event that Google says it wrote.
func (c *Calendar) made(w *gcal.Event) (calendar.Event, error) {
	e, err := c.event(w, "")
	if err != nil {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Ambiguous, Err: err}
	}
	return e, nil
}

func (c *Calendar) post(w *gcal.Event, got **gcal.Event) request {
	return func(ctx context.Context, token string) (err error) {
		call := c.account.service.Events.Insert(c.id, w).Context(ctx).SendUpdates(c.account.opts.Guests.tell())
		authorize(call.Header(), token)
		*got, err = call.Do()
		return err
	}
}

// readBack looks at the event whose id Google says is taken. Where it can't be seen, nobody knows whether it is ours.
func (c *Calendar) readBack(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	there, t := c.look(ctx, e.ID)
	if t != nil {
		return calendar.Event{}, t.ambiguous()
	}
	return sameAs(there, e)
}

// lastLook is the answer after the last try: what is there, where anything may be. Somebody who is told that nothing can be created may have
// created it with an earlier call of which nobody knew.
func (c *Calendar) lastLook(ctx context.Context, e calendar.Event, t *trouble) (calendar.Event, error) {
	if !t.maybe && t.failure.Kind != calendar.Quota && t.failure.Kind != calendar.Forbidden {
		return calendar.Event{}, t.failure
	}
	there, seen := c.look(ctx, e.ID)
	switch {
	case seen == nil:
		return sameAs(there, e)
	case !t.maybe, seen.failure.Kind == calendar.NotFound && !t.unheard:
		return calendar.Event{}, t.failure
	default:
		return calendar.Event{}, t.ambiguous()
	}
}

// look reads an event to learn whether a write was done. It is worth a moment even if the caller does not wait any more.
func (c *Calendar) look(ctx context.Context, id string) (calendar.Event, *trouble) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.account.opts.Timeout/2)
	defer cancel()
	return c.get(ctx, id)
}

// sameAs returns what is there under the id of e if it says what e does.
func sameAs(there, e calendar.Event) (calendar.Event, error) {
	switch {
	case there.Status == calendar.Cancelled:
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Gone}
	case !plain(there).Same(plain(e)):
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Exists}
	}
	return there, nil
}

// plain returns e without the liberties that Google takes with what it is sent: space around texts, the case of mail addresses, the order of
// attendees and of the parts of a rule.
func plain(e calendar.Event) calendar.Event {
	e.Title, e.Description, e.Location = strings.TrimSpace(e.Title), strings.TrimSpace(e.Description), strings.TrimSpace(e.Location)
	e.Attendees = slices.Clone(e.Attendees)
	for i, a := range e.Attendees {
		e.Attendees[i] = strings.ToLower(a)
	}
	slices.Sort(e.Attendees)
	e.Recurrence = slices.Clone(e.Recurrence)
	for i, line := range e.Recurrence {
		e.Recurrence[i] = plainRule(line)
	}
	slices.Sort(e.Recurrence)
	return e
}

func plainRule(line string) string {
	line = strings.ToUpper(strings.TrimSpace(line))
	parts, ok := strings.CutPrefix(line, "RRULE:")
	if !ok {
		return line
	}
	split := strings.Split(parts, ";")
	split = slices.DeleteFunc(split, func(p string) bool { return p == "" || p == "INTERVAL=1" || p == "WKST=MO" })
	slices.Sort(split)
	return "RRULE:" + strings.Join(split, ";")
}
