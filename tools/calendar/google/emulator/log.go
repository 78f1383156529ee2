package emulator

import (
	"maps"
	"slices"
	"time"
)

// An Effect is a change of the account that a request made.
type Effect struct {
	Method     string // "events.insert" and so on
	CalendarID string
	EventID    string
	At         time.Time
}

// A Mail is a message that Google would have sent to guests.
type Mail struct {
	Method     string
	CalendarID string
	EventID    string
	// SendUpdates is what the request asked for: "all" or "externalOnly".
	SendUpdates string
	To          []string
}

// Requests returns how many requests came, by method: "events.list", "freebusy.query", "oauth.token" and so on. A request that failed
// by a [Rule] or was refused counts too.
func (e *Emulator) Requests() map[string]int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.requests)
}

// Effects returns every change that requests made, in order. What a request was refused, or a test put in itself, is not among them.
func (e *Emulator) Effects() []Effect {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.effects)
}

// Mails returns what would have been sent to guests, in order.
func (e *Emulator) Mails() []Mail {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.mails)
}

func (e *Emulator) effect(method string, c *calendarState, eventID string) {
	e.effects = append(e.effects, Effect{Method: method, CalendarID: c.ID, EventID: eventID, At: e.opts.Now()})
}

// tell notes whom a write would be mailed to: the guests before and after it, without the account itself.
func (e *Emulator) tell(c *call, cal *calendarState, eventID string, before, after []Attendee) {
	mode := c.query.Get("sendUpdates")
	if mode == "" && c.query.Get("sendNotifications") == "true" {
		mode = "all"
	}
	if mode != "all" && mode != "externalOnly" {
		return
	}
	var to []string
	for _, a := range slices.Concat(before, after) {
		known := slices.ContainsFunc(e.calendars, func(k *calendarState) bool { return k.ID == a.Email })
		if a.Email == e.opts.Email || slices.Contains(to, a.Email) || mode == "externalOnly" && known {
			continue
		}
		to = append(to, a.Email)
	}
	if len(to) > 0 {
		e.mails = append(e.mails, Mail{Method: c.method, CalendarID: cal.ID, EventID: eventID, SendUpdates: mode, To: to})
	}
}
