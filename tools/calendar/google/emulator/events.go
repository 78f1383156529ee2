package emulator

import (
	"encoding/json"
	"slices"
	"strings"
)

func (e *Emulator) getEvent(c *call) (any, error) {
	cal, err := e.calendar(c.r.PathValue("calendarId"))
	if err != nil {
		return nil, err
	}
	v, err := c.view(cal)
	if err != nil {
		return nil, err
	}
	s, err := e.find(cal, c.r.PathValue("eventId"))
	if err != nil {
		return nil, err
	}
	return s.show(v), nil
}

// find returns the event with the id, or the instance.
func (e *Emulator) find(cal *calendarState, id string) (stored, error) {
	if s := cal.events[id]; s != nil {
		return e.current(s, cal), nil
	}
	if i, ok := e.instanceByID(cal, id); ok {
		return i, nil
	}
	return stored{}, errNotFound
}

// target returns what a write is about, where it may write.
func (e *Emulator) target(c *call) (*calendarState, stored, error) {
	cal, err := e.writable(c, c.r.PathValue("calendarId"))
	if err != nil {
		return nil, stored{}, err
	}
	s, err := e.find(cal, c.r.PathValue("eventId"))
	if err != nil {
		return nil, stored{}, err
	}
	if wanted := c.r.Header.Get("If-Match"); wanted != "" && wanted != "*" && wanted != s.ETag {
		return nil, stored{}, errConditionNot
	}
	return cal, s, nil
}

func (e *Emulator) writable(c *call, id string) (*calendarState, error) {
	cal, err := e.calendar(id)
	switch {
	case err != nil:
		return nil, err
	case !c.may(cal):
		return nil, errScope
	case !cal.writable():
		return nil, errAccess
	}
	return cal, nil
}

// goodID reports whether a program may have made the id: 5 to 1024 digits and letters as far as v.
func goodID(id string) bool {
	return len(id) >= 5 && len(id) <= 1024 && strings.Trim(id, "0123456789abcdefghijklmnopqrstuv") == ""
}

func (e *Emulator) insertEvent(c *call) (any, error) {
	cal, err := e.writable(c, c.r.PathValue("calendarId"))
	if err != nil {
		return nil, err
	}
	v, err := c.view(cal)
	if err != nil {
		return nil, err
	}
	body, err := c.object()
	if err != nil {
		return nil, err
	}
	s, err := e.create(cal, body)
	if err != nil {
		return nil, err
	}
	e.effect(c.method, cal, s.ID)
	e.tell(c, cal, s.ID, nil, s.Attendees)
	return s.show(v), nil
}

// object reads a body that is a JSON object, without what only the server writes and what a request has to say that it knows of.
func (c *call) object() (map[string]any, error) {
	var body map[string]any
	if err := json.Unmarshal(c.body, &body); err != nil || body == nil {
		return nil, errParse
	}
	for _, name := range readOnly {
		delete(body, name)
	}
	if c.query.Get("conferenceDataVersion") != "1" {
		delete(body, "conferenceData")
	}
	if c.query.Get("supportsAttachments") != "true" {
		delete(body, "attachments")
	}
	return body, nil
}

// create makes an event from the body of an insert.
func (e *Emulator) create(cal *calendarState, body map[string]any) (*stored, error) {
	ev, err := merge(Event{}, body)
	if err != nil {
		return nil, err
	}
	if ev.ID == "" {
		ev.ID = strings.ReplaceAll(e.fresh("event"), "-", "")
	}
	if !goodID(ev.ID) {
		return nil, invalid("Invalid resource id value.")
	}
	if cal.events[ev.ID] != nil {
		return nil, errDuplicate
	}
	ev.Kind, ev.Created, ev.HTMLLink = "calendar#event", e.stamp(), link(ev.ID, cal.ID)
	if ev.ICalUID == "" {
		ev.ICalUID = ev.ID + "@google.com"
	}
	ev.Creator = &Person{Email: e.opts.Email, Self: cal.Primary}
	ev.Organizer = &Person{Email: cal.ID, Self: true}
	if !cal.Primary {
		ev.Organizer.DisplayName = cal.Summary
	}
	s := &stored{Event: ev}
	if err := e.put(cal, s, nil); err != nil {
		return nil, err
	}
	s.made = s.revision
	return s, nil
}

// put checks the event and makes it the one with its id, in the place of before where that is not nil.
func (e *Emulator) put(cal *calendarState, s, before *stored) error {
	var old *Event
	if before != nil {
		old = &before.Event
	}
	err := e.settle(&s.Event, cal, old)
	if err != nil {
		return err
	}
	if s.series, err = compile(s.Event, cal.zone); err != nil {
		return err
	}
	e.mark(s, e.change())
	cal.revision = s.revision
	cal.events[s.ID] = s
	if before != nil {
		e.bury(*before, s, cal)
	}
	return nil
}

func (e *Emulator) patchEvent(c *call) (any, error) {
	return e.replace(c, func(before Event, body map[string]any) (Event, error) { return merge(before, body) })
}

// updateEvent drops what is not sent, but for what only the server writes.
func (e *Emulator) updateEvent(c *call) (any, error) {
	return e.replace(c, func(before Event, body map[string]any) (Event, error) {
		kept := Event{
			Kind: before.Kind, HTMLLink: before.HTMLLink, Created: before.Created, Creator: before.Creator, Organizer: before.Organizer,
			RecurringEventID: before.RecurringEventID, OriginalStartTime: before.OriginalStartTime, Sequence: before.Sequence,
		}
		return merge(kept, body)
	})
}

// replace writes what write makes of the event and the body.
func (e *Emulator) replace(c *call, write func(before Event, body map[string]any) (Event, error)) (any, error) {
	cal, before, err := e.target(c)
	if err != nil {
		return nil, err
	}
	v, err := c.view(cal)
	if err != nil {
		return nil, err
	}
	body, err := c.object()
	if err != nil {
		return nil, err
	}
	ev, err := write(before.Event, body)
	if err != nil {
		return nil, err
	}
	ev.ID, ev.ICalUID = before.ID, before.ICalUID
	if ev.RecurringEventID != "" {
		ev.Recurrence = nil
	}
	s := &stored{Event: ev, made: before.made}
	if err := e.put(cal, s, &before); err != nil {
		return nil, err
	}
	if s.Sequence == before.Sequence && s.moved(before) {
		s.Sequence++
	}
	e.effect(c.method, cal, s.ID)
	e.tell(c, cal, s.ID, before.Attendees, s.Attendees)
	return s.show(v), nil
}

// moved reports whether guests would have to think again.
func (s stored) moved(before stored) bool {
	return *s.Start != *before.Start || *s.End != *before.End || !slices.Equal(s.Recurrence, before.Recurrence)
}

func (e *Emulator) deleteEvent(c *call) (any, error) {
	cal, before, err := e.target(c)
	if err != nil {
		return nil, err
	}
	if before.cancelled() {
		return nil, errDeleted
	}
	e.cancel(cal, before)
	e.effect(c.method, cal, before.ID)
	e.tell(c, cal, before.ID, before.Attendees, nil)
	return nil, nil
}

// cancel leaves of an event that it was.
func (e *Emulator) cancel(cal *calendarState, before stored) {
	s := before
	s.Status = "cancelled"
	e.mark(&s, e.change())
	cal.revision = s.revision
	cal.events[s.ID] = &s
	e.bury(before, &s, cal)
}

func (e *Emulator) moveEvent(c *call) (any, error) {
	cal, before, err := e.target(c)
	if err != nil {
		return nil, err
	}
	to, err := e.writable(c, c.query.Get("destination"))
	if err != nil {
		return nil, err
	}
	v, err := c.view(to)
	if err != nil {
		return nil, err
	}
	if before.RecurringEventID != "" {
		return nil, &failure{
			code: 400, domain: "calendar", reason: "cannotChangeOrganizerOfInstance", message: "Cannot change the organizer of an instance.",
		}
	}
	if before.cancelled() {
		return nil, errDeleted
	}
	if to.events[before.ID] != nil {
		return nil, errDuplicate
	}
	s := before
	s.ghosts = nil
	s.Organizer, s.HTMLLink = &Person{Email: to.ID, Self: true}, link(s.ID, to.ID)
	if err := e.put(to, &s, nil); err != nil {
		return nil, err
	}
	e.cancel(cal, before)
	e.effect(c.method, to, s.ID)
	return s.show(v), nil
}

// Put puts an event into a calendar as an insert would and returns it as a request would get it; it is no [Effect]. Of an event with the
// id of one that is there, it takes its place. The error is what a request would be told.
func (e *Emulator) Put(calendarID string, ev Event) (Event, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	cal, err := e.calendar(calendarID)
	if err != nil {
		return Event{}, err
	}
	text, err := json.Marshal(ev)
	if err != nil {
		return Event{}, err
	}
	var body map[string]any
	if err := json.Unmarshal(text, &body); err != nil {
		return Event{}, err
	}
	before := cal.events[ev.ID]
	delete(cal.events, ev.ID)
	s, err := e.create(cal, body)
	if err != nil {
		if before != nil {
			cal.events[ev.ID] = before
		}
		return Event{}, err
	}
	if before != nil {
		s.made = before.made
		e.bury(*before, s, cal)
	}
	return s.copy(cal)
}

// Delete takes an event away as a request would; it is no [Effect].
func (e *Emulator) Delete(calendarID, eventID string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	cal, err := e.calendar(calendarID)
	if err != nil {
		return err
	}
	s, err := e.find(cal, eventID)
	if err != nil {
		return err
	}
	if s.cancelled() {
		return errDeleted
	}
	e.cancel(cal, s)
	return nil
}

// Events returns all that is in a calendar, cancelled or not, series and the instances with a life of their own, in the order in which
// they came. A calendar that is not there has nothing.
func (e *Emulator) Events(calendarID string) []Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	cal, err := e.calendar(calendarID)
	if err != nil {
		return nil
	}
	var all []Event
	for _, s := range cal.inOrder() {
		ev, err := e.current(s, cal).copy(cal)
		if err != nil {
			return nil
		}
		all = append(all, ev)
	}
	return all
}

// copy is the event as its owner sees it, in memory of its own.
func (s stored) copy(cal *calendarState) (Event, error) {
	return merge(s.show(view{zone: cal.zone}), nil)
}
