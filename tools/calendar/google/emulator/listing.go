package emulator

import (
	"cmp"
	"slices"
	"time"
)

type eventsAnswer struct {
	Kind             string     `json:"kind"`
	ETag             string     `json:"etag"`
	Summary          string     `json:"summary"`
	Description      string     `json:"description,omitempty"`
	Updated          string     `json:"updated"`
	TimeZone         string     `json:"timeZone"`
	AccessRole       string     `json:"accessRole"`
	DefaultReminders []Reminder `json:"defaultReminders"`
	NextPageToken    string     `json:"nextPageToken,omitempty"`
	NextSyncToken    string     `json:"nextSyncToken,omitempty"`
	Items            []Event    `json:"items"`
}

func (e *Emulator) listEvents(c *call) (any, error) {
	cal, err := e.calendar(c.r.PathValue("calendarId"))
	if err != nil {
		return nil, err
	}
	f, err := e.readFilter(c, cal)
	if err != nil {
		return nil, err
	}
	if token := c.query.Get("syncToken"); token != "" {
		if f.narrow || f.windowed || c.query.Get("showDeleted") == "false" {
			return nil, invalid("Sync token cannot be used with other request restrictions.")
		}
		if f.since, err = e.readSyncToken(token, cal.ID); err != nil {
			return nil, err
		}
		f.showDeleted = true
	}
	return e.answerEvents(c, cal, f, func() []stored { return e.everything(cal, f) })
}

// answerEvents makes the answer to a list of those of all that pass the filter.
func (e *Emulator) answerEvents(c *call, cal *calendarState, f filter, all func() []stored) (any, error) {
	p, err := paged(e, c, func() (items []Event) {
		for _, s := range f.pick(all(), cal) {
			items = append(items, s.answer(f.view))
		}
		return items
	}, 250, 2500)
	if err != nil {
		return nil, err
	}
	answer := eventsAnswer{
		Kind: "calendar#events", ETag: etag(cal.revision), Summary: cal.Summary, Description: cal.Description, Updated: e.stamp(),
		TimeZone: f.zone.String(), AccessRole: cal.AccessRole, DefaultReminders: []Reminder{}, NextPageToken: p.next, Items: p.items,
	}
	if cal.AccessRole == "owner" {
		answer.DefaultReminders = defaultReminders
	}
	if p.next == "" && !f.narrow && c.method == "events.list" {
		answer.NextSyncToken = e.syncToken(cal.ID, p.revision)
	}
	return answer, nil
}

// everything returns what the list would have without a filter, cancelled or not.
func (e *Emulator) everything(cal *calendarState, f filter) []stored {
	var all []stored
	for _, s := range cal.inOrder() {
		for _, g := range s.ghosts {
			if f.single && e.haunts(g, *s, cal) {
				all = append(all, g)
			}
		}
		switch {
		case s.series == nil || !f.single:
			all = append(all, e.current(s, cal))
		case !s.cancelled():
			all = append(all, e.instances(*s, cal, f.timeMin, f.timeMax)...)
		}
	}
	return all
}

// pick returns the events that pass, in the order that was asked for.
func (f filter) pick(all []stored, cal *calendarState) []stored {
	var found []stored
	for _, s := range all {
		if f.passes(s, cal) {
			found = append(found, s)
		}
	}
	switch f.orderBy {
	case "startTime":
		slices.SortStableFunc(found, func(a, b stored) int { return a.when().at(cal.zone).Compare(b.when().at(cal.zone)) })
	case "updated":
		slices.SortStableFunc(found, func(a, b stored) int { return cmp.Compare(a.revision, b.revision) })
	}
	return found
}

// when is when an event begins, or was to.
func (s stored) when() *Time {
	if s.Start == nil {
		return s.OriginalStartTime
	}
	return s.Start
}

func (e *Emulator) listInstances(c *call) (any, error) {
	cal, err := e.calendar(c.r.PathValue("calendarId"))
	if err != nil {
		return nil, err
	}
	s := cal.events[c.r.PathValue("eventId")]
	if s == nil {
		return nil, errNotFound
	}
	if s.series == nil {
		return nil, invalid("The event is not recurring.")
	}
	f, err := e.readFilter(c, cal)
	if err != nil {
		return nil, err
	}
	f.single, f.orderBy = true, "startTime"
	return e.answerEvents(c, cal, f, func() []stored {
		all := e.instances(*s, cal, f.timeMin, f.timeMax)
		for _, x := range cal.exceptions(s.ID) {
			all = append(all, e.current(x, cal))
		}
		original := c.query.Get("originalStart")
		return slices.DeleteFunc(all, func(i stored) bool { return original != "" && !i.beganAt(original, cal.zone) })
	})
}

// beganAt reports whether text, a time or a day, is when the instance was to begin.
func (s stored) beganAt(text string, zone *time.Location) bool {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		at, err = time.ParseInLocation(time.DateOnly, text, zone)
	}
	return err == nil && s.OriginalStartTime.at(zone).Equal(at)
}
