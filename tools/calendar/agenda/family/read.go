package family

import (
	"context"
	"time"

	"annai/civil"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// An event is one as list_events and its siblings show it.
type event struct {
	Title    string `json:"title"`
	Start    string `json:"start" jsonschema:"A time with offset, or a date for an all-day event."`
	End      string `json:"end" jsonschema:"A time with offset, or the last day of an all-day event."`
	Location string `json:"location"`
	// Description is what else is written beside it.
	Description string `json:"description,omitempty" jsonschema:"Anything else about it."`
	EventID     string `json:"event_id"`
	// SeriesID is there for an instance of a repeating event, which can only be changed whole.
	SeriesID string `json:"series_id,omitempty" jsonschema:"The event_id of the whole repeating event."`
}

func (f *family) show(e calendar.Event) event {
	start, end := bounds(e, f.agenda.Location())
	return event{
		Title: e.Title, Start: start, End: end, Location: e.Location, Description: e.Description,
		EventID: e.ID, SeriesID: e.SeriesID,
	}
}

func (f *family) today() civil.Date { return civil.DateOf(f.agenda.Now()) }

// days is the part of an input that names days.
type days struct {
	Date     string `json:"date,omitempty" jsonschema:"One day, YYYY-MM-DD."`
	DateFrom string `json:"date_from,omitempty" jsonschema:"The first day of a range, YYYY-MM-DD."`
	DateTo   string `json:"date_to,omitempty" jsonschema:"The last day of a range, YYYY-MM-DD, included."`
}

type listInput struct{ days }

type listOutput struct {
	Success bool    `json:"success"`
	Events  []event `json:"events"`
	Count   int     `json:"count"`
	// Degraded says that a calendar could not be read: there may be more.
	Degraded bool   `json:"degraded,omitempty" jsonschema:"A calendar could not be read: there may be more."`
	Message  string `json:"message"`
}

func (f *family) listEvents(ctx context.Context, caller tools.Caller, in listInput) (listOutput, error) {
	first, last, err := parseDays(in.Date, in.DateFrom, in.DateTo, f.today())
	if err != nil {
		return listOutput{}, err
	}
	if last.Sub(first) >= agenda.MaxDays {
		return listOutput{}, tooLong(agenda.MaxDays)
	}
	listing, err := f.agenda.List(ctx, f.agenda.Days(first, last))
	if err != nil {
		return listOutput{}, err
	}
	out := listOutput{Success: true, Events: []event{}, Degraded: !listing.Complete}
	for _, e := range listing.Events {
		if e.Status != calendar.Cancelled {
			out.Events = append(out.Events, f.show(e))
		}
	}
	out.Count = len(out.Events)
	out.Message = listed(first, last, out.Count, listing.Complete, caller.Language)
	return out, nil
}

type availabilityInput struct {
	days
	TimeFrom      string `json:"time_from,omitempty" jsonschema:"HH:MM, the start of the hours that matter. Absent: the start of the day."`
	TimeTo        string `json:"time_to,omitempty" jsonschema:"HH:MM, the end of the hours that matter; 24:00 is the end of the day. Absent: that."`
	FreeDayPolicy string `json:"freeDayPolicy,omitempty" enum:"any_event,working_hours" jsonschema:"Which events make a day not free: any_event (the default), or only those in working_hours, 09:00 to 18:00."`
}

type busySlot struct {
	Start string `json:"start"`
	End   string `json:"end"`
	Title string `json:"title"`
}

type availabilityOutput struct {
	Success bool `json:"success"`
	// Available is absent for a range of days, and where it is not known.
	Available *bool      `json:"available,omitempty" jsonschema:"Whether nothing is there, on a single day. Absent for a range, and where nobody knows."`
	BusySlots []busySlot `json:"busy_slots"`
	// FreeDays is there for a range of days.
	FreeDays []civil.Date `json:"free_days,omitzero" jsonschema:"The free days of a range."`
	Degraded bool         `json:"degraded,omitempty" jsonschema:"A calendar could not be read: nobody knows whether it is free."`
	Message  string       `json:"message"`
}

func (f *family) checkAvailability(ctx context.Context, caller tools.Caller, in availabilityInput) (availabilityOutput, error) {
	q, err := f.question(in)
	if err != nil {
		return availabilityOutput{}, err
	}
	answer, err := f.agenda.Availability(ctx, q)
	if err != nil {
		return availabilityOutput{}, err
	}
	out := availabilityOutput{Success: true, BusySlots: []busySlot{}, Degraded: !answer.Known}
	for _, e := range answer.Busy {
		start, end := bounds(e, f.agenda.Location())
		out.BusySlots = append(out.BusySlots, busySlot{Start: start, End: end, Title: e.Title})
	}
	switch {
	case q.From != q.To:
		out.FreeDays = append([]civil.Date{}, answer.FreeDays...)
	case answer.Known:
		out.Available = &answer.Available
	}
	out.Message = available(q, answer, caller.Language)
	return out, nil
}

func (f *family) question(in availabilityInput) (agenda.Question, error) {
	q := agenda.Question{Hours: agenda.WholeDay, Policy: agenda.FreeDayPolicy(in.FreeDayPolicy)}
	var err error
	if q.From, q.To, err = parseDays(in.Date, in.DateFrom, in.DateTo, f.today()); err != nil {
		return q, err
	}
	if q.To.Sub(q.From) >= agenda.MaxDays {
		return q, tooLong(agenda.MaxDays)
	}
	if in.TimeFrom != "" {
		if q.Hours.From, err = agenda.ParseClock(in.TimeFrom); err != nil {
			return q, wrong("time_from", asClock, err)
		}
	}
	if in.TimeTo != "" {
		if q.Hours.To, err = agenda.ParseClock(in.TimeTo); err != nil {
			return q, wrong("time_to", asClock, err)
		}
	}
	if q.Hours.From.String() >= q.Hours.To.String() {
		err = invalid("hours are empty")
	}
	return q, wrong("time_to", after("time_from"), err)
}

type suggestInput struct {
	DateFrom          string `json:"date_from" jsonschema:"The first day, YYYY-MM-DD."`
	DateTo            string `json:"date_to" jsonschema:"The last day, YYYY-MM-DD, included."`
	DurationMinutes   int    `json:"duration_minutes" min:"1" max:"1440" jsonschema:"How long it takes, in minutes."`
	PreferredTimeFrom string `json:"preferred_time_from,omitempty" jsonschema:"HH:MM, the start of the preferred hours. Absent: 09:00."`
	PreferredTimeTo   string `json:"preferred_time_to,omitempty" jsonschema:"HH:MM, the end of the preferred hours. Absent: 18:00."`
}

type suggestion struct {
	Start string     `json:"start"`
	End   string     `json:"end"`
	Date  civil.Date `json:"date"`
}

type suggestOutput struct {
	Success     bool         `json:"success"`
	Suggestions []suggestion `json:"suggestions"`
	Count       int          `json:"count"`
	Degraded    bool         `json:"degraded,omitempty" jsonschema:"A calendar could not be read: nobody knows what is free."`
	Message     string       `json:"message"`
}

func (f *family) suggestSchedule(ctx context.Context, caller tools.Caller, in suggestInput) (suggestOutput, error) {
	if in.DateFrom == "" && in.DateTo == "" {
		return suggestOutput{}, wrong("date_from", asDay, invalid("no days"))
	}
	first, last, err := parseDays("", in.DateFrom, in.DateTo, civil.Date{})
	if err != nil {
		return suggestOutput{}, err
	}
	if last.Sub(first) >= agenda.MaxDays {
		return suggestOutput{}, tooLong(agenda.MaxDays)
	}
	hours, err := preferred(in.PreferredTimeFrom, in.PreferredTimeTo)
	if err != nil {
		return suggestOutput{}, err
	}
	duration := time.Duration(in.DurationMinutes) * time.Minute
	found, err := f.agenda.Suggest(ctx, agenda.SuggestQuestion{From: first, To: last, Duration: duration, Hours: hours})
	if err != nil {
		return suggestOutput{}, err
	}
	out := suggestOutput{Success: true, Suggestions: []suggestion{}, Degraded: !found.Complete}
	for _, s := range found.Slots {
		out.Suggestions = append(out.Suggestions, suggestion{
			Start: s.Start.Format(time.RFC3339), End: s.End.Format(time.RFC3339), Date: civil.DateOf(s.Start),
		})
	}
	out.Count = len(out.Suggestions)
	out.Message = suggested(first, last, out.Count, found.Complete, caller.Language)
	return out, nil
}

// preferred returns the hours that are wanted. One end that is given beyond the default of the other reaches to that end of the day.
func preferred(from, to string) (agenda.Hours, error) {
	hours := agenda.WorkingHours
	var err error
	if from != "" {
		if hours.From, err = agenda.ParseClock(from); err != nil {
			return hours, wrong("preferred_time_from", asClock, err)
		}
	}
	if to != "" {
		if hours.To, err = agenda.ParseClock(to); err != nil {
			return hours, wrong("preferred_time_to", asClock, err)
		}
	}
	switch reversed := hours.From.String() >= hours.To.String(); {
	case reversed && to == "":
		hours.To = agenda.WholeDay.To
	case reversed && from == "":
		hours.From = agenda.WholeDay.From
	case reversed:
		return hours, wrong("preferred_time_to", after("preferred_time_from"), invalid("hours are empty"))
	}
	return hours, nil
}
