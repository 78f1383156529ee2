package google

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
)

// A Calendar is one of an account: a [calendar.Writer], and a feed for package mirror. Every read asks Google. A calendar of which the
// account may only see when it is busy answers events that have times only, with visibility busy.
//
// Deleted events are not in listings: Google does not tell what was cancelled from what was deleted.
type Calendar struct {
	account *Account
	id      string
	// busyUntil is until when we believe what Google said: that it shows only when it is busy. In seconds since 1970.
	busyUntil atomic.Int64
}

// belief is how long what the account may do with a calendar is taken to be as it was.
const belief = 10 * time.Minute

// Primary is the id under which every account has its main calendar.
const Primary = "primary"

// Calendar returns the calendar of the account with the id, which is not looked for yet.
func (a *Account) Calendar(id string) *Calendar { return &Calendar{account: a, id: id} }

// Events implements [calendar.Reader]. Why nothing could be read is a [*calendar.Failure] in the error.
func (c *Calendar) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if err := calendar.CheckWindow(window); err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w", c.id, err)
	}
	listing, err := c.read(ctx, window)
	if err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w: %w", c.id, fault.ErrUnavailable, err)
	}
	calendar.Sort(listing.Events, window.Location())
	return listing, nil
}

func (c *Calendar) read(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	busy, err := c.onlyBusy()
	switch {
	case err != nil:
		return calendar.Listing{}, err
	case busy:
		return c.freeBusy(ctx, window)
	}
	listing, role, err := c.list(ctx, window)
	if err == nil && c.hides(role) {
		return c.freeBusy(ctx, window)
	}
	return listing, err
}

// onlyBusy reports whether all that can be read is when the calendar is busy, as far as that is known. The error is that not even that can.
func (c *Calendar) onlyBusy() (bool, error) {
	granted := c.account.opts.Granted
	if granted == nil || granted.CanRead() {
		return c.account.opts.Now().Unix() < c.busyUntil.Load(), nil
	}
	if granted.CanFreeBusy() {
		return true, nil
	}
	return false, noScope("read events")
}

// hides reports whether who has the role sees only when the calendar is busy, and remembers it.
func (c *Calendar) hides(role string) bool {
	if role != "freeBusyReader" {
		return false
	}
	c.busyUntil.Store(c.account.opts.Now().Add(belief).Unix())
	return true
}

func noScope(what string) *calendar.Failure {
	return &calendar.Failure{Kind: calendar.Scope, Err: errors.New("the owner did not agree that we " + what)}
}

// Get implements [calendar.Writer].
func (c *Calendar) Get(ctx context.Context, id string) (calendar.Event, error) {
	e, t := c.get(ctx, id)
	if t != nil {
		return calendar.Event{}, fmt.Errorf("get %.100q from calendar %s: %w", id, c.id, t.failure)
	}
	if e.Status == calendar.Cancelled {
		return calendar.Event{}, fmt.Errorf("get %.100q from calendar %s: %w", id, c.id, &calendar.Failure{Kind: calendar.Gone})
	}
	return e, nil
}

// get returns the event as it is there, deleted ones with the status [calendar.Cancelled].
func (c *Calendar) get(ctx context.Context, id string) (calendar.Event, *trouble) {
	if granted := c.account.opts.Granted; granted != nil && !granted.CanRead() {
		return calendar.Event{}, &trouble{failure: noScope("read events")}
	}
	if !known(id) {
		return calendar.Event{}, &trouble{failure: &calendar.Failure{Kind: calendar.NotFound, Err: errors.New("no event can have this id")}}
	}
	var w *gcal.Event
	t := c.account.repeat(ctx, func(ctx context.Context, token string) (err error) {
		call := c.account.service.Events.Get(c.id, id).Context(ctx)
		authorize(call.Header(), token)
		w, err = call.Do()
		return err
	})
	switch {
	case t == nil:
	case t.failure.Kind == calendar.Gone:
		return calendar.Event{ID: id, Status: calendar.Cancelled}, nil
	default:
		return calendar.Event{}, t
	}
	e, err := c.event(w, "")
	if err != nil {
		return calendar.Event{}, &trouble{failure: &calendar.Failure{Kind: calendar.Unavailable, Err: err}}
	}
	return e, nil
}

// known reports whether an event can have the id: what comes from outside does not become part of an address.
func known(id string) bool {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	}
	return id != "" && len(id) <= 1100 && !strings.ContainsFunc(id, odd)
}

// An Entry is a calendar that an account can see.
type Entry struct {
	ID string
	// Label is what its owner, or the account, calls it.
	Label string
	// Role is "owner", "writer", "writerWithoutPrivateAccess", "reader" or "freeBusyReader".
	Role     string
	Primary  bool
	TimeZone string
}

// Writable reports whether the account may change events in it.
func (e Entry) Writable() bool { return e.Role == "owner" || strings.HasPrefix(e.Role, "writer") }

// Calendars returns the calendars that the account can see, the primary one first, else in Google's order. Errors are [*calendar.Failure].
func (a *Account) Calendars(ctx context.Context) ([]Entry, error) {
	if a.opts.Granted != nil && !a.opts.Granted.CanList() {
		return nil, fmt.Errorf("list calendars: %w", noScope("list calendars"))
	}
	var entries []Entry
	err := a.pages(ctx, func(ctx context.Context, token, page string) (string, error) {
		call := a.service.CalendarList.List().Context(ctx).PageToken(page).MaxResults(250)
		authorize(call.Header(), token)
		got, err := call.Do()
		if err != nil {
			return "", err
		}
		for _, w := range got.Items {
			if w != nil && !w.Deleted {
				entries = append(entries, entry(w))
			}
		}
		return got.NextPageToken, nil
	})
	if err != nil {
		return nil, fmt.Errorf("list calendars: %w", err)
	}
	for i, e := range entries {
		if e.Primary {
			copy(entries[1:i+1], entries[:i])
			entries[0] = e
		}
	}
	return entries, nil
}

func entry(w *gcal.CalendarListEntry) Entry {
	label := w.SummaryOverride
	if label == "" {
		label = w.Summary
	}
	return Entry{ID: w.Id, Label: label, Role: w.AccessRole, Primary: w.Primary, TimeZone: w.TimeZone}
}

const maxPages = 1000

// pages asks for one page after the other until there is no token for a next one. A page may be short or empty. ask is called again for a
// page that failed, so it must keep what it gets only when it succeeds.
func (a *Account) pages(ctx context.Context, ask func(ctx context.Context, token, page string) (next string, err error)) error {
	page := ""
	for range maxPages {
		next := ""
		t := a.repeat(ctx, func(ctx context.Context, token string) (err error) {
			next, err = ask(ctx, token, page)
			return err
		})
		switch {
		case t != nil:
			return t.failure
		case next == "":
			return nil
		}
		page = next
	}
	return &calendar.Failure{Kind: calendar.Unavailable, Err: fmt.Errorf("more than %d pages", maxPages)}
}

var _ calendar.Writer = (*Calendar)(nil)
