// Package mem keeps a calendar in memory. It is the reference of the contract of package calendar, and what other
// packages test with.
//
// Its one idea: the simplest thing that keeps every promise; a read looks at every event. It forgets everything when the process ends.
package mem

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
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
	events   map[string]entry
	gone     map[string]bool
}

// An entry is an event, ready to be expanded.
type entry struct {
	event calendar.Event
	times *recur.Expander
}

// maxInstances is the most events that a read returns.
const maxInstances = 100_000

// New returns the calendar id with the events in it. What they lack (id, end, zone, status, visibility) is filled in as
// [Calendar.Create] does it; nothing is refused but an event
// whose time zone or recurrence can't be understood, which is left out. Of events with the same id the last is kept.
func New(id string, events ...calendar.Event) *Calendar {
	c := &Calendar{id: id, events: map[string]entry{}, gone: map[string]bool{}}
	for _, e := range events {
		_, _ = c.put(clone(e)) // says only that it is left out
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
	c.mu.Lock()
	all := make([]*recur.Expander, 0, len(c.events))
	for e := range maps.Values(c.events) {
		all = append(all, e.times)
	}
	c.mu.Unlock()
	events, cut, err := recur.Expand(ctx, all, window, maxInstances)
	if err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w: %w", c.id, fault.ErrUnavailable, err)
	}
	listing.Events = events
	for _, id := range cut {
		listing.Complete = false
		err := fmt.Errorf("event %s has too many instances in the window: %w", id, fault.ErrInvalid)
		listing.Problems = append(listing.Problems, calendar.Problem{CalendarID: c.id, Err: err})
	}
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
		made, err := c.put(clone(e))
		if err != nil {
			return calendar.Event{}, fmt.Errorf("create in calendar %s: %w", c.id, err)
		}
		return made, nil
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
	err = e.Check()
	if err == nil {
		e, err = c.put(e)
	}
	if err != nil {
		return calendar.Event{}, fmt.Errorf("update %s in calendar %s: %w", id, c.id, err)
	}
	return e, nil
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
	switch {
	case err != nil:
		return calendar.Event{}, err
	case e.SeriesID != "" && e.ID != e.SeriesID:
		if _, isOwn := c.events[id]; !isOwn {
			return calendar.Event{}, &calendar.Failure{Kind: calendar.Instance}
		}
	}
	if etag != "" && etag != e.ETag {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Stale}
	}
	return e, nil
}

// find returns the event, or the instance of a series, or why there is none. The caller holds the lock.
func (c *Calendar) find(id string) (calendar.Event, error) {
	if e, ok := c.events[id]; ok {
		return e.event, nil
	}
	if series, original, ok := recur.SplitID(id); ok {
		if instance, ok := c.events[series].instance(original); ok {
			return instance, nil
		}
		if c.gone[series] {
			return calendar.Event{}, &calendar.Failure{Kind: calendar.Gone}
		}
	}
	if c.gone[id] {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Gone}
	}
	return calendar.Event{}, &calendar.Failure{Kind: calendar.NotFound}
}

// instance returns that which was to be at original, where e is a series.
func (e entry) instance(original recur.Moment) (calendar.Event, bool) {
	if e.times == nil || len(e.event.Recurrence) == 0 {
		return calendar.Event{}, false
	}
	return e.times.Instance(original)
}

// clone returns an event that shares nothing with e.
func clone(e calendar.Event) calendar.Event {
	e.Recurrence, e.Attendees = slices.Clone(e.Recurrence), slices.Clone(e.Attendees)
	return e
}

// put stores e as a new revision and returns a copy. The caller holds the lock, or is alone.
func (c *Calendar) put(e calendar.Event) (calendar.Event, error) {
	e = c.fill(e)
	e.ETag = strconv.Itoa(c.revision + 1)
	if e.ID == "" {
		e.ID = c.freeID()
	}
	times, err := recur.Compile(recur.Series{Master: recur.Entry{Event: e}}, recur.Options{})
	if err != nil {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Invalid, Err: errors.New(err.Error())}
	}
	c.revision++
	c.events[e.ID] = entry{e, times}
	return clone(e), nil
}

// freeID returns an id that no event has, made from the revision.
func (c *Calendar) freeID() string {
	id := fmt.Sprintf("%s-%d", c.id, c.revision+1)
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
	if loc, err := time.LoadLocation(e.TimeZone); err == nil && e.TimeZone != e.Start.Location().String() {
		e.Start, e.End = e.Start.In(loc), e.End.In(loc)
	}
	return e
}
