package calendar

import (
	"strings"
	"time"
)

// A span is when an event is, comparable.
type span struct {
	start, end int64
	allDay     bool
}

// A happening is what two calendars have in common where they list the same: title, time and status.
type happening struct {
	title  string
	span   span
	status Status
}

// A sighting is where an event was seen, and when it is there.
type sighting struct {
	calendarID string
	title      string
	span       span
}

// seen remembers which events other calendars have.
type seen struct {
	loc        *time.Location
	byID       map[string]sighting
	happenings map[happening]string // the calendar's id
	busy       map[string]bool      // ids of blanked events
}

func newSeen(loc *time.Location, n int) seen {
	return seen{
		loc: loc, byID: make(map[string]sighting, n), happenings: make(map[happening]string, n), busy: map[string]bool{},
	}
}

// elsewhere reports whether another calendar has e: the same title at the same time, or the same id with at least one
// of the two the same (ids are only promised to be unique in one calendar).
func (s seen) elsewhere(e Event) bool {
	h := s.happening(e)
	if there, ok := s.happenings[h]; ok && there != e.CalendarID {
		return true
	}
	there, ok := s.byID[e.ID]
	return ok && there.calendarID != e.CalendarID && (there.title == h.title || there.span == h.span)
}

func (s seen) add(e Event) {
	h := s.happening(e)
	if _, ok := s.happenings[h]; !ok {
		s.happenings[h] = e.CalendarID
	}
	if _, ok := s.byID[e.ID]; !ok {
		s.byID[e.ID] = sighting{calendarID: e.CalendarID, title: h.title, span: h.span}
	}
}

func (s seen) happening(e Event) happening {
	when := e.Span(s.loc)
	return happening{
		title:  strings.ToLower(strings.TrimSpace(e.Title)),
		span:   span{start: when.Start.Unix(), end: when.End.Unix(), allDay: e.AllDay},
		status: e.Status,
	}
}
