package google

import (
	"fmt"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"annai/tools/calendar"
)

// insertion is what Google is sent to create e, which has passed its check and has an id and an end.
func (a *Account) insertion(e calendar.Event) (*gcal.Event, error) {
	w := &gcal.Event{
		Id: e.ID, Summary: e.Title, Description: e.Description, Location: e.Location, Recurrence: e.Recurrence,
		EndTimeUnspecified: e.EndInferred,
	}
	if e.Status == calendar.Tentative {
		w.Status = "tentative"
	}
	if e.Visibility == calendar.Private || e.Visibility == calendar.Busy { // others see when, not what
		w.Visibility = "private"
	}
	if e.Free {
		w.Transparency = "transparent"
	}
	if e.URL != "" {
		w.Source = &gcal.EventSource{Title: e.Title, Url: e.URL}
	}
	for _, mail := range e.Attendees {
		w.Attendees = append(w.Attendees, &gcal.EventAttendee{Email: mail})
	}
	w.Reminders = reminders(e.Reminders)
	var err error
	w.Start, w.End, err = a.times(e)
	return w, err
}

// reminders is what Google is sent for r: messages on the owner's devices. Nil stays nil.
func reminders(r *calendar.Reminders) *gcal.EventReminders {
	if r == nil {
		return nil
	}
	w := &gcal.EventReminders{ForceSendFields: []string{"UseDefault"}}
	if len(r.Before) == 0 {
		w.ForceSendFields = append(w.ForceSendFields, "Overrides")
	}
	for _, d := range r.Before {
		w.Overrides = append(w.Overrides, &gcal.EventReminder{
			Method: "popup", Minutes: int64(d / time.Minute), ForceSendFields: []string{"Minutes"},
		})
	}
	return w
}

// times is when e is, in Google's form.
func (a *Account) times(e calendar.Event) (start, end *gcal.EventDateTime, err error) {
	if e.AllDay {
		return &gcal.EventDateTime{Date: e.FirstDay.String()}, &gcal.EventDateTime{Date: e.EndDay.String()}, nil
	}
	loc, ok := a.zones.find(e.TimeZone)
	switch {
	case ok:
	case e.TimeZone != "":
		return nil, nil, &calendar.Failure{Kind: calendar.Invalid, Err: fmt.Errorf("time zone %.100q is unknown", e.TimeZone)}
	default:
		if loc, ok = a.zones.find(e.Start.Location().String()); !ok && len(e.Recurrence) > 0 {
			return nil, nil, &calendar.Failure{Kind: calendar.Invalid, Err: fmt.Errorf("event %.100q recurs and has no time zone", e.ID)}
		}
	}
	return moment(e.Start, loc), moment(e.End, loc), nil
}

// moment is a time in Google's form, without a zone if loc is nil.
func moment(t time.Time, loc *time.Location) *gcal.EventDateTime {
	if loc == nil {
		return &gcal.EventDateTime{DateTime: t.Format(time.RFC3339)}
	}
	return &gcal.EventDateTime{DateTime: t.In(loc).Format(time.RFC3339), TimeZone: loc.String()}
}

// patch is what Google is sent so that before becomes after. What the change does not name is not in it, and so stays as it is. An empty
// text is sent as such, and what an event that becomes one of days, or of times, must not have any more is sent as null.
func (a *Account) patch(before, after calendar.Event, c calendar.Change) (*gcal.Event, error) {
	w := &gcal.Event{}
	for _, text := range []struct {
		from *string
		to   *string
		name string
	}{{c.Title, &w.Summary, "Summary"}, {c.Description, &w.Description, "Description"}, {c.Location, &w.Location, "Location"}} {
		if text.from != nil {
			*text.to = *text.from
			w.ForceSendFields = append(w.ForceSendFields, text.name)
		}
	}
	w.Reminders = reminders(c.Reminders)
	if c.When == nil {
		return w, nil
	}
	var err error
	if w.Start, w.End, err = a.times(after); err != nil {
		return nil, err
	}
	if before.AllDay != after.AllDay {
		for _, t := range []*gcal.EventDateTime{w.Start, w.End} {
			t.NullFields = []string{"Date"}
			if after.AllDay {
				t.NullFields = []string{"DateTime", "TimeZone"}
			}
		}
	}
	if before.EndInferred != after.EndInferred {
		w.EndTimeUnspecified = after.EndInferred
		w.ForceSendFields = append(w.ForceSendFields, "EndTimeUnspecified")
	}
	return w, nil
}
