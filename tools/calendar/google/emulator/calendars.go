package emulator

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Calendar is a line of the account's calendar list.
type Calendar struct {
	ID          string
	Summary     string
	Description string
	TimeZone    string // empty is that of the account
	// AccessRole is "owner" (or empty), "writer", "reader" or "freeBusyReader".
	AccessRole string
	Primary    bool
}

// calendarState is a calendar and what is in it.
type calendarState struct {
	Calendar
	zone *time.Location
	// revision is the last change of the calendar or of anything in it, entry that of its line in the list.
	revision, entry int64
	events          map[string]*stored
}

// AddCalendar adds a calendar to the account, or replaces the line of the one with that id and leaves its events.
func (e *Emulator) AddCalendar(c Calendar) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c.AccessRole = cmp.Or(c.AccessRole, "owner")
	c.TimeZone = cmp.Or(c.TimeZone, e.zone.String())
	c.Summary = cmp.Or(c.Summary, c.ID)
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		zone, c.TimeZone = time.UTC, "UTC"
	}
	revision := e.change()
	for _, old := range e.calendars {
		if old.ID == c.ID {
			old.Calendar, old.zone, old.revision, old.entry = c, zone, revision, revision
			return
		}
	}
	e.calendars = append(e.calendars, &calendarState{Calendar: c, zone: zone, revision: revision, entry: revision, events: map[string]*stored{}})
}

// RemoveCalendar takes a calendar off the account, as if it was no longer shared with it.
func (e *Emulator) RemoveCalendar(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.change()
	e.calendars = slices.DeleteFunc(e.calendars, func(c *calendarState) bool { return c.ID == id })
}

// calendar returns the calendar with the id, of which "primary" is one.
func (e *Emulator) calendar(id string) (*calendarState, error) {
	for _, c := range e.calendars {
		if c.ID == id || id == "primary" && c.Primary {
			return c, nil
		}
	}
	return nil, errNotFound
}

// inOrder returns the events in the order in which they came.
func (cal *calendarState) inOrder() []*stored {
	all := make([]*stored, 0, len(cal.events))
	for _, s := range cal.events {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *stored) int { return cmp.Or(cmp.Compare(a.made, b.made), strings.Compare(a.ID, b.ID)) })
	return all
}

func (cal *calendarState) writable() bool {
	return cal.AccessRole == "owner" || cal.AccessRole == "writer"
}

type calendarEntry struct {
	Kind             string     `json:"kind"`
	ETag             string     `json:"etag"`
	ID               string     `json:"id"`
	Summary          string     `json:"summary"`
	Description      string     `json:"description,omitempty"`
	TimeZone         string     `json:"timeZone"`
	ColorID          string     `json:"colorId,omitempty"`
	BackgroundColor  string     `json:"backgroundColor,omitempty"`
	ForegroundColor  string     `json:"foregroundColor,omitempty"`
	Selected         bool       `json:"selected,omitempty"`
	AccessRole       string     `json:"accessRole,omitempty"`
	DefaultReminders []Reminder `json:"defaultReminders,omitempty"`
	Primary          bool       `json:"primary,omitempty"`
}

var defaultReminders = []Reminder{{Method: "popup", Minutes: 10}}

func (cal *calendarState) inList() calendarEntry {
	entry := calendarEntry{
		Kind: "calendar#calendarListEntry", ETag: etag(cal.entry), ID: cal.ID, Summary: cal.Summary, Description: cal.Description,
		TimeZone: cal.TimeZone, ColorID: "14", BackgroundColor: "#9fe1e7", ForegroundColor: "#000000", Selected: true,
		AccessRole: cal.AccessRole, Primary: cal.Primary,
	}
	if cal.AccessRole == "owner" {
		entry.DefaultReminders = defaultReminders
	}
	return entry
}

type calendarListAnswer struct {
	Kind          string          `json:"kind"`
	ETag          string          `json:"etag"`
	Items         []calendarEntry `json:"items"`
	NextPageToken string          `json:"nextPageToken,omitempty"`
	NextSyncToken string          `json:"nextSyncToken,omitempty"`
}

var roles = []string{"freeBusyReader", "reader", "writer", "owner"}

func (e *Emulator) listCalendars(c *call) (any, error) {
	role := c.query.Get("minAccessRole")
	if role != "" && !slices.Contains(roles, role) {
		return nil, badParameter("minAccessRole", role)
	}
	since := int64(-1)
	if token := c.query.Get("syncToken"); token != "" {
		var err error
		if since, err = e.readSyncToken(token, "calendarList"); err != nil {
			return nil, err
		}
	}
	p, err := paged(e, c, func() (items []calendarEntry) {
		for _, cal := range e.calendars {
			if cal.entry > since && slices.Index(roles, cal.AccessRole) >= slices.Index(roles, role) {
				items = append(items, cal.inList())
			}
		}
		return items
	}, 100, 250)
	if err != nil {
		return nil, err
	}
	answer := calendarListAnswer{Kind: "calendar#calendarList", ETag: etag(e.revision), Items: p.items, NextPageToken: p.next}
	if p.next == "" {
		answer.NextSyncToken = e.syncToken("calendarList", p.revision)
	}
	return answer, nil
}

func (e *Emulator) getCalendarEntry(c *call) (any, error) {
	cal, err := e.calendar(c.r.PathValue("calendarId"))
	if err != nil {
		return nil, err
	}
	return cal.inList(), nil
}

func (e *Emulator) getCalendar(c *call) (any, error) {
	cal, err := e.calendar(c.r.PathValue("calendarId"))
	if err != nil {
		return nil, err
	}
	return calendarEntry{
		Kind: "calendar#calendar", ETag: etag(cal.entry), ID: cal.ID, Summary: cal.Summary, Description: cal.Description, TimeZone: cal.TimeZone,
	}, nil
}

type setting struct {
	Kind  string `json:"kind"`
	ETag  string `json:"etag"`
	ID    string `json:"id"`
	Value string `json:"value"`
}

func (e *Emulator) getSetting(c *call) (any, error) {
	values := map[string]string{"timezone": e.zone.String(), "locale": "ja", "weekStart": "0", "format24HourTime": "true"}
	id := c.r.PathValue("setting")
	value, ok := values[id]
	if !ok {
		return nil, errNotFound
	}
	return setting{Kind: "calendar#setting", ETag: etag(0), ID: id, Value: value}, nil
}

type colour struct {
	Background string `json:"background"`
	Foreground string `json:"foreground"`
}

func (e *Emulator) getColors(*call) (any, error) {
	return struct {
		Kind     string            `json:"kind"`
		Updated  string            `json:"updated"`
		Calendar map[string]colour `json:"calendar"`
		Event    map[string]colour `json:"event"`
	}{
		Kind: "calendar#colors", Updated: "2012-02-14T00:00:00.000Z",
		Calendar: map[string]colour{"14": {"#9fe1e7", "#1d1d1d"}},
		Event: map[string]colour{
			"1": {"#a4bdfc", "#1d1d1d"}, "2": {"#7ae7bf", "#1d1d1d"}, "3": {"#dbadff", "#1d1d1d"}, "4": {"#ff887c", "#1d1d1d"},
			"5": {"#fbd75b", "#1d1d1d"}, "6": {"#ffb878", "#1d1d1d"}, "7": {"#46d6db", "#1d1d1d"}, "8": {"#e1e1e1", "#1d1d1d"},
			"9": {"#5484ed", "#1d1d1d"}, "10": {"#51b749", "#1d1d1d"}, "11": {"#dc2127", "#1d1d1d"},
		},
	}, nil
}
