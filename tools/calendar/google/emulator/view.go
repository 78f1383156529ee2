package emulator

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A view is how events are shown.
type view struct {
	zone *time.Location
	// busy shows when an event is and no more, hidePrivate does so with private ones.
	busy, hidePrivate bool
	// maxAttendees is how many guests are shown; with more of them, only oneself. 0 is all.
	maxAttendees int
}

// may reports whether the call's scopes are good for more than the account's own calendars, or this is one.
func (c *call) may(cal *calendarState) bool {
	owned := func(scope string) bool { return strings.HasPrefix(scope, "calendar.events.owned") }
	return cal.AccessRole == "owner" || slices.ContainsFunc(c.scopes, func(scope string) bool { return !owned(scope) })
}

// view reads how the call wants events of the calendar shown, and how it may have them.
func (c *call) view(cal *calendarState) (view, error) {
	v := view{zone: cal.zone, hidePrivate: cal.AccessRole == "reader"}
	if !c.may(cal) {
		return v, errScope
	}
	v.busy = cal.AccessRole == "freeBusyReader" || slices.Equal(c.scopes, []string{"calendar.events.freebusy"})
	if text := c.query.Get("maxAttendees"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return v, badParameter("maxAttendees", text)
		}
		v.maxAttendees = n
	}
	if text := c.query.Get("timeZone"); text != "" {
		zone, err := time.LoadLocation(text)
		if err != nil || text == "Local" {
			return v, badParameter("timeZone", text)
		}
		v.zone = zone
	}
	return v, nil
}

// answer is the event as a list shows it.
func (s stored) answer(v view) Event {
	if s.cancelled() {
		ev := s.bare()
		ev.OriginalStartTime = ev.OriginalStartTime.in(v.zone)
		return ev
	}
	return s.show(v)
}

// show is the whole event, as far as it may be seen.
func (s stored) show(v view) Event {
	ev := s.Event
	if v.busy || v.hidePrivate && (s.Visibility == "private" || s.Visibility == "confidential") {
		ev = Event{
			Kind: s.Kind, ETag: s.ETag, ID: s.ID, Status: s.Status, Start: s.Start, End: s.End, Recurrence: s.Recurrence, Transparency: s.Transparency,
			RecurringEventID: s.RecurringEventID, OriginalStartTime: s.OriginalStartTime, Visibility: "private", EventType: s.EventType,
		}
	}
	ev.Start, ev.End, ev.OriginalStartTime = ev.Start.in(v.zone), ev.End.in(v.zone), ev.OriginalStartTime.in(v.zone)
	if v.maxAttendees > 0 && len(ev.Attendees) > v.maxAttendees {
		ev.AttendeesOmitted = true
		ev.Attendees = slices.DeleteFunc(slices.Clone(ev.Attendees), func(a Attendee) bool { return !a.Self })
	}
	return ev
}
