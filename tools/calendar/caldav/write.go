package caldav

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"

	"annai/tools/calendar"
	"annai/tools/calendar/ics"
	"annai/tools/calendar/recur"
)

// Create implements [calendar.Writer]: a PUT under the id, if there is nothing yet.
func (c *Calendar) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	made, err := c.create(ctx, e)
	if err != nil {
		return calendar.Event{}, fmt.Errorf("create in calendar %s: %w", c.id, err)
	}
	return made, nil
}

func (c *Calendar) create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	if e.ID == "" {
		e.ID = newID()
	}
	if err := errors.Join(calendar.CheckKey(e.ID), e.Check(), c.mayInvite(e)); err != nil {
		return calendar.Event{}, err
	}
	e, err := c.ready(e)
	if err != nil {
		return calendar.Event{}, err
	}
	text := ics.NewObject(e, c.stamp())
	planned, err := ics.ReadObject(text, "", c.account.opts.Location)
	if err != nil {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Invalid, Err: errors.New(err.Error())}
	}
	switch there, err := c.lookup(ctx, e.ID); {
	case err == nil:
		return c.same(there.Event(), planned.Event())
	case calendar.KindOf(err) != calendar.NotFound:
		return calendar.Event{}, err
	}
	place, err := c.place(ctx)
	if err != nil {
		return calendar.Event{}, err
	}
	written := c.account.put(ctx, place+fileName(e.ID), text, http.Header{"If-None-Match": {"*"}})
	there, err := c.look(ctx, e.ID)
	switch {
	case err == nil:
		return c.same(there.Event(), planned.Event())
	case written != nil && !isUnheard(written):
		return calendar.Event{}, written
	}
	return calendar.Event{}, &calendar.Failure{Kind: calendar.Ambiguous, Err: errors.Join(plain(written), plain(err))}
}

// longestName is how long the id may be that names its object's file.
const longestName = 100

// fileName is the name of a new object: its id, or where that is too long for a file or no key what
// stands for it.
func fileName(id string) string {
	if len(id) > longestName || calendar.CheckKey(id) != nil {
		id = fmt.Sprintf("%x", sha256.Sum256([]byte(id)))
	}
	return id + ".ics"
}

// ready fills in what an event needs before it is written.
func (c *Calendar) ready(e calendar.Event) (calendar.Event, error) {
	e = e.WithEnd()
	if e.TimeZone == "" && !e.AllDay {
		e.TimeZone = e.Start.Location().String()
		if !known(e.TimeZone) {
			e.TimeZone = time.UTC.String()
		}
	}
	if e.TimeZone != "" && !known(e.TimeZone) {
		return e, &calendar.Failure{
			Kind: calendar.Invalid,
			Err:  fmt.Errorf("time zone %.100q is unknown", e.TimeZone),
		}
	}
	e.Start, e.End = e.Start.Truncate(time.Second), e.End.Truncate(time.Second)
	if err := recur.Check(e, recur.Options{}); err != nil {
		return e, &calendar.Failure{Kind: calendar.Invalid, Err: errors.New(err.Error())}
	}
	for _, line := range append(slices.Clone(e.Recurrence), e.URL) {
		if strings.ContainsFunc(line, unicode.IsControl) {
			return e, &calendar.Failure{Kind: calendar.Invalid, Err: errors.New("a line has control characters")}
		}
	}
	return e, nil
}

func known(zone string) bool {
	_, err := time.LoadLocation(zone)
	return err == nil && zone != "" && zone != "Local"
}

// mayInvite returns why the attendees may not be invited.
func (c *Calendar) mayInvite(e calendar.Event) error {
	for i, a := range e.Attendees {
		parsed, err := mail.ParseAddress(a)
		if err != nil || parsed.Address != a {
			return &calendar.Failure{
				Kind: calendar.InvalidText,
				Err:  fmt.Errorf("attendee %d has no mail address", i+1),
			}
		}
		domain := a[strings.LastIndexByte(a, '@')+1:]
		if !slices.ContainsFunc(c.account.opts.Domains, func(d string) bool { return strings.EqualFold(d, domain) }) {
			why := fmt.Errorf("attendee %d is of a domain that may not be invited", i+1)
			return &calendar.Failure{Kind: calendar.Forbidden, Err: why}
		}
	}
	return nil
}

func (c *Calendar) stamp() ics.Stamp {
	return ics.Stamp{Now: c.account.opts.Now(), Invite: c.account.opts.Invite}
}

// same returns what is there if it says what was to be created.
func (c *Calendar) same(there, planned calendar.Event) (calendar.Event, error) {
	if !there.Same(planned) {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Exists}
	}
	there.EndInferred = planned.EndInferred
	return c.ours(there), nil
}

// put writes an object under a condition.
func (a *Account) put(ctx context.Context, path string, text []byte, condition http.Header) error {
	header := condition.Clone()
	header.Set("Content-Type", "text/calendar; charset=utf-8")
	return a.send(ctx, http.MethodPut, path, header, text)
}

// send sends a write. What was not done is a failure.
func (a *Account) send(ctx context.Context, method, path string, header http.Header, body []byte) error {
	got, err := a.do(ctx, method, path, header, body)
	if err != nil {
		return err
	}
	if got.status >= 300 {
		f := refusal(got, a.opts.Now())
		return &failed{Failure: f, unheard: got.status >= 500 && f.Kind == calendar.Unavailable}
	}
	return nil
}

// isUnheard reports whether a write may have been done though it failed.
func isUnheard(err error) bool {
	var f *failed
	return errors.As(err, &f) && f.unheard
}

// plain is an error without its kind.
func plain(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(err.Error())
}

// look is lookup after a write, which is worth a moment even if the caller does not wait any more.
func (c *Calendar) look(ctx context.Context, uid string) (stored, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.account.opts.Timeout/2)
	defer cancel()
	return c.lookup(ctx, uid)
}

// maxPlans is how often a write without etag is planned anew because somebody else was faster.
const maxPlans = 3

// current returns the object that may be changed.
func (c *Calendar) current(ctx context.Context, id, etag string) (stored, error) {
	if _, _, isInstance := recur.SplitID(id); isInstance {
		if _, err := c.get(ctx, id); err != nil {
			return stored{}, err
		}
		return stored{}, &calendar.Failure{Kind: calendar.Instance}
	}
	o, err := c.lookup(ctx, id)
	if err == nil && etag != "" && o.etag != etag {
		err = &calendar.Failure{Kind: calendar.Stale}
	}
	return o, err
}

// Update implements [calendar.Writer]: a PUT of the object with the change in it, under the etag of
// what was read.
func (c *Calendar) Update(
	ctx context.Context,
	id string,
	change calendar.Change,
	etag string,
) (calendar.Event, error) {
	e, err := c.update(ctx, id, change, etag)
	if err != nil {
		return calendar.Event{}, fmt.Errorf("update %.100q in calendar %s: %w", id, c.id, err)
	}
	return e, nil
}

func (c *Calendar) update(
	ctx context.Context,
	id string,
	change calendar.Change,
	etag string,
) (calendar.Event, error) {
	for range maxPlans {
		o, err := c.current(ctx, id, etag)
		if err != nil {
			return calendar.Event{}, err
		}
		if change.Empty() {
			return c.ours(o.Event()), nil
		}
		after, err := c.changed(o.Event(), change)
		if err != nil {
			return calendar.Event{}, err
		}
		written := c.account.put(ctx, o.path, o.Edit(change, after, c.stamp()), http.Header{"If-Match": {o.etag}})
		if calendar.KindOf(written) == calendar.Stale && written != nil {
			if etag != "" {
				return calendar.Event{}, written
			}
			continue
		}
		if written != nil && !isUnheard(written) {
			return calendar.Event{}, written
		}
		there, err := c.look(ctx, id)
		switch {
		case err == nil && (written == nil || there.Event().With(change).Same(there.Event())):
			made := c.ours(there.Event())
			made.EndInferred = after.EndInferred
			return made, nil
		case err == nil && there.etag == o.etag:
			return calendar.Event{}, written
		case err == nil:
			return calendar.Event{}, &calendar.Failure{Kind: calendar.Stale}
		}
		return calendar.Event{}, &calendar.Failure{
			Kind: calendar.Ambiguous,
			Err:  errors.Join(plain(written), plain(err)),
		}
	}
	return calendar.Event{}, &calendar.Failure{Kind: calendar.Stale}
}

// changed is the event with the change made, checked.
func (c *Calendar) changed(before calendar.Event, change calendar.Change) (calendar.Event, error) {
	after := before.With(change)
	if err := after.Check(); err != nil {
		return calendar.Event{}, err
	}
	return c.ready(after)
}

// Delete implements [calendar.Writer].
func (c *Calendar) Delete(ctx context.Context, id, etag string) error {
	if err := c.remove(ctx, id, etag); err != nil {
		return fmt.Errorf("delete %.100q from calendar %s: %w", id, c.id, err)
	}
	return nil
}

func (c *Calendar) remove(ctx context.Context, id, etag string) error {
	for range maxPlans {
		o, err := c.current(ctx, id, etag)
		if err != nil {
			return err
		}
		err = c.account.send(ctx, http.MethodDelete, o.path, http.Header{"If-Match": {o.etag}}, nil)
		if isUnheard(err) {
			there, seen := c.look(ctx, id)
			switch {
			case seen == nil && there.etag == o.etag:
				return err
			case calendar.KindOf(seen) != calendar.NotFound || seen == nil:
				return &calendar.Failure{Kind: calendar.Ambiguous, Err: plain(err)}
			}
			err = nil
		}
		if err == nil {
			c.forget(id, o.path)
			return nil
		}
		if calendar.KindOf(err) != calendar.Stale || etag != "" {
			return err
		}
	}
	return &calendar.Failure{Kind: calendar.Stale}
}

// maxGone is how many ids of what was deleted are remembered.
const maxGone = 10_000

func (c *Calendar) forget(id, path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.gone) >= maxGone {
		clear(c.gone)
	}
	c.gone[id] = true
	delete(c.kept, path)
}
