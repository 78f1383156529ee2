package local

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"annai/civil"
	"annai/storage/row"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// stored is an event as JSON. What it has not (the id, the etag, the calendar) is beside it or known.
type stored struct {
	Title       string    `json:"title"`
	Description string    `json:"description,omitzero"`
	Location    string    `json:"location,omitzero"`
	URL         string    `json:"url,omitzero"`
	Start       time.Time `json:"start,omitzero"`
	End         time.Time `json:"end,omitzero"`
	// FirstDay and EndDay make it an all-day event.
	FirstDay    civil.Date          `json:"firstDay,omitzero"`
	EndDay      civil.Date          `json:"endDay,omitzero"`
	EndInferred bool                `json:"endInferred,omitzero"`
	TimeZone    string              `json:"timeZone,omitzero"`
	Recurrence  []string            `json:"recurrence,omitempty"`
	Status      calendar.Status     `json:"status"`
	Visibility  calendar.Visibility `json:"visibility"`
	Free        bool                `json:"free,omitzero"`
	Attendees   []string            `json:"attendees,omitempty"`
	Reminders   *calendar.Reminders `json:"reminders,omitempty"`
	Created     time.Time           `json:"created,omitzero"`
	Updated     time.Time           `json:"updated,omitzero"`
}

// encode returns the event for a row.
func encode(e calendar.Event) (string, error) {
	data, err := json.Marshal(stored{
		Title: e.Title, Description: e.Description, Location: e.Location, URL: e.URL,
		Start: e.Start, End: e.End, FirstDay: e.FirstDay, EndDay: e.EndDay, EndInferred: e.EndInferred, TimeZone: e.TimeZone,
		Recurrence: e.Recurrence, Status: e.Status, Visibility: e.Visibility, Free: e.Free, Attendees: e.Attendees,
		Reminders: e.Reminders,
		Created:   e.Created, Updated: e.Updated,
	})
	if err != nil {
		return "", &calendar.Failure{Kind: calendar.Invalid, Err: err}
	}
	return string(data), nil
}

// sealed begins what is encrypted; JSON begins otherwise. What was written before there was a key
// stays as it is until it is changed.
const sealed = "sealed:"

func placeOf(id string) row.Place { return row.Place{Thread: id, Namespace: "event"} }

// seal encrypts an event where there is a key.
func (c *Calendar) seal(id, data string) (string, error) {
	closed, err := c.codec.SealText(sealed, placeOf(id), data)
	if err != nil {
		return "", unavailable("event "+id+" can't be encrypted", err)
	}
	return closed, nil
}

// unseal is the JSON of an event.
func (c *Calendar) unseal(id, data string) (string, error) {
	text, err := c.codec.OpenText(sealed, placeOf(id), data)
	if err != nil {
		return "", unavailable("event "+id+" was encrypted with another key, or is damaged", err)
	}
	return text, nil
}

// decode reads the event in a row.
func (c *Calendar) decode(id string, revision int64, data string) (calendar.Event, error) {
	data, err := c.unseal(id, data)
	if err != nil {
		return calendar.Event{}, err
	}
	var s stored
	if err := json.Unmarshal([]byte(data), &s); err != nil {
		return calendar.Event{}, unavailable("event "+id+" is damaged", err)
	}
	e := calendar.Event{
		ID: id, CalendarID: c.opts.CalendarID, Source: source, ETag: strconv.FormatInt(revision, 10),
		Title: s.Title, Description: s.Description, Location: s.Location, URL: s.URL,
		Start: s.Start, End: s.End, FirstDay: s.FirstDay, EndDay: s.EndDay, EndInferred: s.EndInferred, TimeZone: s.TimeZone,
		AllDay: !s.FirstDay.IsZero(), Recurrence: s.Recurrence, Status: s.Status, Visibility: s.Visibility, Free: s.Free,
		Attendees: s.Attendees, Reminders: s.Reminders, Created: s.Created, Updated: s.Updated,
	}
	if e.AllDay {
		return e, nil
	}
	loc, err := c.known.location(e.TimeZone)
	if err != nil {
		return calendar.Event{}, unavailable("event "+id+" is in a time zone that this machine does not know", err)
	}
	e.Start, e.End = asWritten(e.Start, loc), asWritten(e.End, loc)
	return e, nil
}

// asWritten returns when the clocks in loc show what they showed when t was written: where a zone has other rules since, it is that which
// people have agreed on, not the instant.
func asWritten(t time.Time, loc *time.Location) time.Time {
	there := t.In(loc)
	_, now := there.Zone()
	if _, then := t.Zone(); then == now {
		return there
	}
	m, err := recur.ParseMoment(t.Format("20060102T150405"), "", func(string) (*time.Location, error) { return loc, nil })
	if err != nil { // of a year that has not four digits, which is none that is written
		return there
	}
	return m.Instant()
}

// fill returns the event as it is kept: with all that the contract promises.
func (c *Calendar) fill(e calendar.Event) (calendar.Event, error) {
	e = e.WithEnd()
	e.CalendarID, e.Source, e.SeriesID = c.opts.CalendarID, source, ""
	if e.Status == "" {
		e.Status = calendar.Confirmed
	}
	if e.Visibility == "" {
		e.Visibility = calendar.Public
	}
	if e.AllDay {
		e.Start, e.End = time.Time{}, time.Time{}
		if _, err := c.known.location(e.TimeZone); err != nil && e.TimeZone != "" {
			return calendar.Event{}, &calendar.Failure{Kind: calendar.Invalid, Err: err}
		}
		return e, nil
	}
	e.FirstDay, e.EndDay = civil.Date{}, civil.Date{}
	if e.TimeZone == "" {
		e.TimeZone = c.zoneOf(e.Start)
	}
	loc, err := c.known.location(e.TimeZone)
	if err != nil {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Invalid, Err: err}
	}
	e.Start, e.End = e.Start.In(loc).Truncate(time.Second), e.End.In(loc).Truncate(time.Second)
	return e, nil
}

// zoneOf returns the name of the zone that t is in, or UTC where it has none that others know: then only the instant counts.
func (c *Calendar) zoneOf(t time.Time) string {
	name := t.Location().String()
	if _, err := c.known.location(name); err != nil {
		return time.UTC.String()
	}
	return name
}

// A span is where the instances of an event can be.
type span struct {
	first, until int64
	long         bool
}

// Reads look back so far for events that are not long.
const lookBack = 40 * 24 * 60 * 60

// forever is the end of a series without one.
const forever = math.MaxInt64 / 2

func spanOf(e calendar.Event, x *recur.Expander) span {
	first, until := x.Bounds()
	s := span{first: first.Unix(), until: forever}
	if !until.IsZero() {
		s.until = until.Unix()
	}
	s.long = len(e.Recurrence) > 0 || s.until-s.first > lookBack
	return s
}

// compile makes an event ready to be read.
func (c *Calendar) compile(e calendar.Event) (*recur.Expander, error) {
	x, err := recur.Compile(recur.Series{Master: recur.Entry{Event: e}}, recur.Options{Zone: c.known.location})
	if err != nil {
		return nil, &calendar.Failure{Kind: calendar.Invalid, Err: fmt.Errorf("%s", err.Error())}
	}
	return x, nil
}
