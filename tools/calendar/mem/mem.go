// Package mem keeps a calendar in memory. It is the reference of the contract of package calendar, and what other
// packages test with.
//
// Its one idea: the simplest thing that keeps every promise; a read looks at every event. It knows no series (each
// instance is an event of its own) and forgets everything when the process ends.
package mem

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"annai/internal/civil"
	"annai/internal/fault"
	"annai/tools/calendar"
)

// source is what [calendar.Event.Source] says of events kept here.
const source = "mem"

// A Calendar is a [calendar.Writer].
type Calendar struct {
	// Now is the clock for [calendar.Listing.AsOf]; nil leaves that zero. Set it before the first use.
	Now func() time.Time

	id string

	mu       sync.Mutex
	revision int
	events   map[string]calendar.Event
	gone     map[string]bool
}

// New returns the calendar id with the events in it. What they lack (id, end, zone, status, visibility) is filled in as
// [Calendar.Create] does it; nothing is refused, and of events with the same id the last is kept.
func New(id string, events ...calendar.Event) *Calendar {
	c := &Calendar{id: id, events: map[string]calendar.Event{}, gone: map[string]bool{}}
	for _, e := range events {
		c.put(e)
	}
	return c
}

// Events implements [calendar.Reader].
func (c *Calendar) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if err := calendar.CheckWindow(window); err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w", c.id, err)
	}
	if err := ctx.Err(); err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w: %w", c.id, fault.ErrUnavailable, err)
	}
	listing := calendar.Listing{Window: window, Complete: true}
	if c.Now != nil {
		listing.AsOf = c.Now()
	}
	loc := window.Location()
	c.mu.Lock()
	for e := range maps.Values(c.events) {
		if e.Span(loc).Overlaps(window) {
			listing.Events = append(listing.Events, clone(e))
		}
	}
	c.mu.Unlock()
	calendar.Sort(listing.Events, loc)
	return listing, nil
}

// Get implements [calendar.Writer].
func (c *Calendar) Get(_ context.Context, id string) (calendar.Event, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, err := c.find(id)
	if err != nil {
		return calendar.Event{}, fmt.Errorf("get %s from calendar %s: %w", id, c.id, err)
	}
	return clone(e), nil
}

// Create implements [calendar.Writer].
func (c *Calendar) Create(_ context.Context, e calendar.Event) (calendar.Event, error) {
	if err := check(e); err != nil {
		return calendar.Event{}, fmt.Errorf("create in calendar %s: %w", c.id, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	there, err := c.find(e.ID)
	switch {
	case calendar.KindOf(err) == calendar.Gone:
		return calendar.Event{}, fmt.Errorf("create %s in calendar %s: %w", e.ID, c.id, err)
	case err != nil:
		return clone(c.put(clone(e))), nil
	case !there.Same(e):
		return calendar.Event{}, fmt.Errorf("create %s in calendar %s: %w", e.ID, c.id, &calendar.Failure{Kind: calendar.Exists})
	}
	return clone(there), nil
}

func check(e calendar.Event) error {
	if e.ID != "" {
		if err := calendar.CheckKey(e.ID); err != nil {
			return err
		}
	}
	return e.Check()
}

// Update implements [calendar.Writer].
func (c *Calendar) Update(_ context.Context, id string, change calendar.Change, etag string) (calendar.Event, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	there, err := c.current(id, etag)
	if err != nil {
		return calendar.Event{}, fmt.Errorf("update %s in calendar %s: %w", id, c.id, err)
	}
	e := there.With(change)
	if err := e.Check(); err != nil {
		return calendar.Event{}, fmt.Errorf("update %s in calendar %s: %w", id, c.id, err)
	}
	return clone(c.put(e)), nil
}

// Delete implements [calendar.Writer].
func (c *Calendar) Delete(_ context.Context, id, etag string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.current(id, etag); err != nil {
		return fmt.Errorf("delete %s from calendar %s: %w", id, c.id, err)
	}
	delete(c.events, id)
	c.gone[id] = true
	return nil
}

// current returns the event if it has the etag, or that is empty. The caller holds the lock.
func (c *Calendar) current(id, etag string) (calendar.Event, error) {
	e, err := c.find(id)
	if err == nil && etag != "" && etag != e.ETag {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Stale}
	}
	return e, err
}

// find returns the event, or why there is none. The caller holds the lock.
func (c *Calendar) find(id string) (calendar.Event, error) {
	if e, ok := c.events[id]; ok {
		return e, nil
	}
	if c.gone[id] {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Gone}
	}
	return calendar.Event{}, &calendar.Failure{Kind: calendar.NotFound}
}

// clone returns an event that shares nothing with e.
func clone(e calendar.Event) calendar.Event {
	e.Recurrence, e.Attendees = slices.Clone(e.Recurrence), slices.Clone(e.Attendees)
	return e
}

// put stores e as a new revision. The caller holds the lock, or is alone.
func (c *Calendar) put(e calendar.Event) calendar.Event {
	c.revision++
	e = c.fill(e)
	e.ETag = strconv.Itoa(c.revision)
	if e.ID == "" {
		e.ID = c.freeID()
	}
	c.events[e.ID] = e
	return e
}

// freeID returns an id that no event has, made from the revision.
func (c *Calendar) freeID() string {
	id := fmt.Sprintf("%s-%d", c.id, c.revision)
	for _, taken := c.events[id]; taken; _, taken = c.events[id] {
		id += "x"
	}
	return id
}

// fill sets what an event in this calendar always has.
func (c *Calendar) fill(e calendar.Event) calendar.Event {
	e = e.WithEnd()
	e.CalendarID, e.Source = c.id, source
	if e.Status == "" {
		e.Status = calendar.Confirmed
	}
	if e.Visibility == "" {
		e.Visibility = calendar.Public
	}
	if e.AllDay {
		e.Start, e.End = time.Time{}, time.Time{}
		return e
	}
	e.FirstDay, e.EndDay = civil.Date{}, civil.Date{}
	if e.TimeZone == "" {
		e.TimeZone = e.Start.Location().String()
	}
	return e
}
