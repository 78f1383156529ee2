package family

import (
	"context"
	"errors"
	"time"

	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
)

// primary names the calendar that is written to.
const primary = "primary"

type adkReadInput struct {
	CalendarID   string `json:"calendarId" jsonschema:"primary, or the id of a calendar."`
	TimeMin      string `json:"timeMin" jsonschema:"The start of the range, ISO 8601."`
	TimeMax      string `json:"timeMax" jsonschema:"The end of the range, ISO 8601."`
	SingleEvents *bool  `json:"singleEvents,omitempty" jsonschema:"Whether repeating events are listed by their instances; else once. Absent: true."`
}

// An adkTime is when an event starts or ends.
type adkTime struct {
	DateTime string `json:"dateTime"`
	TimeZone string `json:"timeZone"`
	// Date is there for all-day events, whose last day is included; DateTime is the midnight at which they end.
	Date string `json:"date,omitempty" jsonschema:"The first or last day of an all-day event."`
}

type adkEvent struct {
	ID          string  `json:"id"`
	Summary     string  `json:"summary"`
	Start       adkTime `json:"start"`
	End         adkTime `json:"end"`
	Location    string  `json:"location,omitempty"`
	Description string  `json:"description,omitempty"`
}

type adkReadOutput struct {
	Events []adkEvent `json:"events"`
	// Degraded says that not all could be read, and Error why: then no event means unknown, not none.
	Degraded bool   `json:"degraded,omitempty" jsonschema:"Not all could be read: no event then means unknown, not none."`
	Error    string `json:"error,omitempty" jsonschema:"Why not."`
}

func (f *family) calendarRead(ctx context.Context, caller tools.Caller, in adkReadInput) (adkReadOutput, error) {
	if in.TimeMin == "" || in.TimeMax == "" {
		field := "timeMin"
		if in.TimeMin != "" {
			field = "timeMax"
		}
		return adkReadOutput{}, wrong(field, asMoment, invalid("no range of time"))
	}
	window, err := f.window(in.TimeMin, in.TimeMax)
	if err != nil {
		return adkReadOutput{}, err
	}
	listing, err := f.agenda.ListOf(ctx, f.calendarID(in.CalendarID), window)
	if err != nil {
		return adkReadOutput{}, err
	}
	events := listing.Events
	if in.SingleEvents != nil && !*in.SingleEvents {
		events = onePerSeries(events)
	}
	out := adkReadOutput{Events: []adkEvent{}}
	for _, e := range events {
		if e.Status != calendar.Cancelled {
			out.Events = append(out.Events, f.adk(e))
		}
	}
	if !listing.Complete {
		out.Degraded, out.Error = true, calendar.Unavailable.Message(caller.Language)
	}
	return out, nil
}

// degradedRead answers in place of a calendar that could not be read. A wrong question is still an error.
func degradedRead(caller tools.Caller, err error) (adkReadOutput, bool) {
	if errors.Is(err, fault.ErrInvalid) || errors.Is(err, fault.ErrNotFound) {
		return adkReadOutput{}, false
	}
	return adkReadOutput{Events: []adkEvent{}, Degraded: true, Error: tools.Message(err, caller.Language)}, true
}

// calendarID returns the id of a calendar, for "primary" of the one that is written to, or else of the first.
func (f *family) calendarID(id string) string {
	if id != primary {
		return id
	}
	if c, ok := f.agenda.Writable(); ok {
		return c.ID
	}
	for _, c := range f.agenda.Calendars() {
		return c.ID
	}
	return id
}

func (f *family) adk(e calendar.Event) adkEvent {
	loc := f.agenda.Location()
	name := loc.String()
	if !e.AllDay && e.TimeZone != "" {
		if own, err := zone(e.TimeZone, loc); err == nil {
			loc, name = own, e.TimeZone
		}
	}
	span := e.Span(loc)
	out := adkEvent{
		ID: e.ID, Summary: e.Title, Description: e.Description, Location: e.Location,
		Start: adkTime{DateTime: formatted(span.Start, loc), TimeZone: name},
		End:   adkTime{DateTime: formatted(span.End, loc), TimeZone: name},
	}
	if e.AllDay {
		out.Start.Date, out.End.Date = bounds(e, loc)
	}
	return out
}

type adkWriteInput struct {
	CalendarID string        `json:"calendarId" jsonschema:"primary, or the id of a calendar."`
	Event      adkWriteEvent `json:"event"`
	keyed
}

type adkWriteTime struct {
	DateTime string `json:"dateTime" jsonschema:"ISO 8601; without an offset it is meant in timeZone."`
	TimeZone string `json:"timeZone" jsonschema:"An IANA time zone."`
}

type adkWriteEvent struct {
	Summary     string        `json:"summary" jsonschema:"The title."`
	Description string        `json:"description,omitempty"`
	Start       adkWriteTime  `json:"start"`
	End         *adkWriteTime `json:"end,omitempty" jsonschema:"Absent: an hour after the start."`
	Location    string        `json:"location,omitempty"`
	Reminders   *adkReminders `json:"reminders,omitempty" jsonschema:"Absent: the calendar's own apply."`
}

type adkWriteOutput struct {
	ID       string `json:"id"`
	HTMLLink string `json:"htmlLink"`
	Created  string `json:"created" jsonschema:"ISO 8601."`
}

func (f *family) calendarWrite(ctx context.Context, caller tools.Caller, in adkWriteInput) (adkWriteOutput, error) {
	e, err := f.planned(in.Event)
	if err != nil {
		return adkWriteOutput{}, err
	}
	if e.Reminders, err = f.reminders(in); err != nil {
		return adkWriteOutput{}, err
	}
	if e.ID, err = key(caller, "calendar_write", in.keyed, in); err != nil {
		return adkWriteOutput{}, err
	}
	if in.CalendarID != primary {
		e.CalendarID = in.CalendarID
	}
	made, err := f.agenda.Create(ctx, e)
	if err != nil {
		return adkWriteOutput{}, err
	}
	if made.Created.IsZero() {
		made.Created = f.agenda.Now()
	}
	return adkWriteOutput{ID: made.ID, HTMLLink: made.URL, Created: made.Created.UTC().Format(time.RFC3339)}, nil
}

// planned makes an event of the input.
func (f *family) planned(in adkWriteEvent) (calendar.Event, error) {
	loc, err := zone(in.Start.TimeZone, f.agenda.Location())
	if err != nil {
		return calendar.Event{}, wrong("event.start.timeZone", asZone, err)
	}
	start, err := parseMoment(in.Start.DateTime, loc)
	if err != nil {
		return calendar.Event{}, wrong("event.start.dateTime", asMoment, err)
	}
	end := ""
	if in.End != nil {
		endLoc, err := zone(in.End.TimeZone, loc)
		if err != nil {
			return calendar.Event{}, wrong("event.end.timeZone", asZone, err)
		}
		m, err := parseMoment(in.End.DateTime, endLoc)
		if err != nil {
			return calendar.Event{}, wrong("event.end.dateTime", asMoment, err)
		}
		if end = in.End.DateTime; !m.isDay() {
			end = formatted(m.time, loc)
		}
	}
	w, err := when(start, end, ends{"event.start.dateTime", "event.end.dateTime"}, loc)
	e := calendar.Event{Title: in.Summary, Description: in.Description, Location: in.Location}
	return e.With(calendar.Change{When: &w}), err
}
