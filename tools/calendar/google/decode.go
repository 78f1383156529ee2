package google

import (
	"errors"
	"fmt"
	"strings"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"annai/civil"
	"annai/tools/calendar"
)

const cancelled = "cancelled"

// event returns what Google's w says. zone is that of the calendar, where w names none. What is cancelled needs to have nothing but an id.
func (c *Calendar) event(w *gcal.Event, zone string) (calendar.Event, error) {
	e := calendar.Event{
		ID: w.Id, SeriesID: w.RecurringEventId, CalendarID: c.id, Source: source, ETag: w.Etag,
		Title: w.Summary, Description: w.Description, Location: w.Location, Recurrence: w.Recurrence,
		Status: status(w.Status), Visibility: visibility(w.Visibility), EndInferred: w.EndTimeUnspecified,
		Free: w.Transparency == "transparent", Created: stamp(w.Created), Updated: stamp(w.Updated),
	}
	if w.Source != nil && isWeb(w.Source.Url) {
		e.URL = w.Source.Url
	} else if c.account.opts.Links {
		e.URL = w.HtmlLink
	}
	if w.Reminders != nil && !w.Reminders.UseDefault {
		e.Reminders = ownReminders(w.Reminders.Overrides)
	}
	for _, a := range w.Attendees {
		if a == nil {
			continue
		}
		e.Free = e.Free || a.Self && a.ResponseStatus == "declined"
		if a.Email != "" {
			e.Attendees = append(e.Attendees, a.Email)
		}
	}
	if e.Status == calendar.Cancelled && w.Start == nil {
		return e, nil
	}
	if err := c.account.when(&e, w, zone); err != nil {
		return calendar.Event{}, fmt.Errorf("event %.100q: %w", w.Id, err)
	}
	return e.WithEnd(), nil
}

// ownReminders are those that replace the calendar's, whatever their way.
func ownReminders(overrides []*gcal.EventReminder) *calendar.Reminders {
	var before []time.Duration
	for _, o := range overrides {
		if o != nil {
			before = append(before, time.Duration(o.Minutes)*time.Minute)
		}
	}
	return calendar.RemindBefore(before...)
}

// isWeb reports whether an address is of the web, as all should be.
func isWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

func status(s string) calendar.Status {
	switch s {
	case "tentative":
		return calendar.Tentative
	case cancelled:
		return calendar.Cancelled
	default:
		return calendar.Confirmed
	}
}

// visibility is Public where the event follows its calendar: how much visitors see of that is not Google's to say.
func visibility(s string) calendar.Visibility {
	if s == "private" || s == "confidential" {
		return calendar.Private
	}
	return calendar.Public
}

func stamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// when fills in the times. An end that lacks is left out.
func (a *Account) when(e *calendar.Event, w *gcal.Event, zone string) error {
	start, end := w.Start, w.End
	if end == nil {
		end = &gcal.EventDateTime{}
	}
	switch {
	case start == nil:
		return errors.New("it has no start")
	case start.Date != "":
		return days(e, start.Date, end.Date)
	}
	at, name, err := a.instant(start, zone)
	if err != nil {
		return err
	}
	e.Start, e.TimeZone = at, name
	if end.DateTime == "" {
		return nil
	}
	until, _, err := a.instant(end, zone)
	if err != nil {
		return err
	}
	if until.Before(at) {
		return errors.New("it ends before it starts")
	}
	e.End = until.In(at.Location())
	return nil
}

// days fills in the dates. Some old events end on the day on which they start.
func days(e *calendar.Event, first, end string) error {
	var err error
	e.AllDay = true
	if e.FirstDay, err = civil.ParseDate(first); err != nil {
		return errors.New("its start is no date")
	}
	if end == "" {
		return nil
	}
	if e.EndDay, err = civil.ParseDate(end); err != nil {
		return errors.New("its end is no date")
	}
	if !e.EndDay.After(e.FirstDay) {
		e.EndDay = e.FirstDay.AddDays(1)
	}
	return nil
}

// instant returns a time in its zone, and the name of that: the zone in which it was entered, else that of the calendar.
func (a *Account) instant(w *gcal.EventDateTime, zone string) (time.Time, string, error) {
	at, err := time.Parse(time.RFC3339, w.DateTime)
	if err != nil {
		return time.Time{}, "", errors.New("it has a time that is none")
	}
	for _, name := range []string{w.TimeZone, zone} {
		if loc, ok := a.zones.find(name); ok {
			return at.In(loc), name, nil
		}
	}
	return at.UTC(), "UTC", nil
}
