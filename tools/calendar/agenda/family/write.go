package family

import (
	"context"

	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

type writeOutput struct {
	Success bool   `json:"success"`
	Event   event  `json:"event"`
	Message string `json:"message"`
}

type createInput struct {
	Title       string `json:"title" jsonschema:"What it is called, 1,024 characters at most."`
	Start       string `json:"start" jsonschema:"ISO 8601 time, or YYYY-MM-DD for an all-day event."`
	End         string `json:"end,omitempty" jsonschema:"ISO 8601 time, or the last day YYYY-MM-DD. Absent: an hour, or one day."`
	Location    string `json:"location,omitempty" jsonschema:"Where it is."`
	Description string `json:"description,omitempty" jsonschema:"Anything else about it."`
	keyed
}

func (f *family) createEvent(ctx context.Context, caller tools.Caller, in createInput) (writeOutput, error) {
	start, err := parseMoment(in.Start, f.agenda.Location())
	if err != nil {
		return writeOutput{}, wrong("start", asMoment, err)
	}
	w, err := when(start, in.End, ends{"start", "end"}, f.agenda.Location())
	if err != nil {
		return writeOutput{}, err
	}
	id, err := key(caller, "create_event", in.keyed, in)
	if err != nil {
		return writeOutput{}, err
	}
	e := calendar.Event{ID: id, Title: in.Title, Location: in.Location, Description: in.Description}
	made, err := f.agenda.Create(ctx, e.With(calendar.Change{When: &w}))
	if err != nil {
		return writeOutput{}, err
	}
	return writeOutput{Success: true, Event: f.show(made), Message: created(made, f.agenda.Location(), caller.Language)}, nil
}

type updateInput struct {
	EventID     string  `json:"event_id" jsonschema:"The event, from list_events."`
	Title       *string `json:"title,omitempty" jsonschema:"The new title."`
	Start       string  `json:"start,omitempty" jsonschema:"The new start: ISO 8601 time, or YYYY-MM-DD for an all-day event. Alone it moves the event and keeps its length."`
	End         string  `json:"end,omitempty" jsonschema:"The new end: ISO 8601 time, or the last day YYYY-MM-DD."`
	Location    *string `json:"location,omitempty" jsonschema:"The new place; an empty string clears it."`
	Description *string `json:"description,omitempty" jsonschema:"The new description; an empty string clears it."`
}

func (f *family) updateEvent(ctx context.Context, caller tools.Caller, in updateInput) (writeOutput, error) {
	if in.Title == nil && in.Start == "" && in.End == "" && in.Location == nil && in.Description == nil {
		return writeOutput{}, &tools.Refusal{Kind: fault.ErrInvalid, JA: "変更する内容がありません。", EN: "There is nothing to change."}
	}
	there, err := f.agenda.Lookup(ctx, in.EventID)
	if err != nil {
		return writeOutput{}, err
	}
	change := calendar.Change{Title: in.Title, Location: in.Location, Description: in.Description}
	if change.When, err = f.moved(there, in.Start, in.End); err != nil {
		return writeOutput{}, err
	}
	changed, err := f.agenda.Update(ctx, agenda.RefOf(there), change)
	if err != nil {
		return writeOutput{}, err
	}
	return writeOutput{Success: true, Event: f.show(changed), Message: updated(changed, f.agenda.Location(), caller.Language)}, nil
}

// moved returns the new times of an event, nil if neither is given. A new start alone keeps the length, where it stays all-day or timed; a
// new end alone keeps the start.
func (f *family) moved(e calendar.Event, start, end string) (*calendar.When, error) {
	loc := f.agenda.Location()
	from := moment{day: e.FirstDay, time: e.Start}
	switch {
	case start == "" && end == "":
		return nil, nil
	case start != "":
		var err error
		if from, err = parseMoment(start, loc); err != nil {
			return nil, wrong("start", asMoment, err)
		}
	}
	w, err := when(from, end, ends{"start", "end"}, loc)
	if err != nil {
		return nil, err
	}
	if !w.AllDay && e.TimeZone != "" {
		w.TimeZone = e.TimeZone
	}
	switch {
	case end != "" || w.AllDay != e.AllDay:
	case w.AllDay:
		w.EndDay = w.FirstDay.AddDays(e.EndDay.Sub(e.FirstDay))
	default:
		w.End = w.Start.Add(e.End.Sub(e.Start))
	}
	return &w, nil
}

type deleteInput struct {
	EventID string `json:"event_id" jsonschema:"The event, from list_events."`
}

type deleteOutput struct {
	Success bool   `json:"success"`
	Message string `json:"message"`
}

func (f *family) deleteEvent(ctx context.Context, caller tools.Caller, in deleteInput) (deleteOutput, error) {
	there, err := f.agenda.Lookup(ctx, in.EventID)
	if err == nil {
		err = f.agenda.Delete(ctx, agenda.RefOf(there))
	}
	switch {
	case err == nil:
		return deleteOutput{Success: true, Message: deleted(there, caller.Language)}, nil
	case calendar.KindOf(err) == calendar.Gone: // by an earlier try, or by somebody else: it is what was wanted
		return deleteOutput{Success: true, Message: calendar.Gone.Message(caller.Language)}, nil
	}
	return deleteOutput{}, err
}
