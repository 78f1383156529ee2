package tasks

import (
	"context"
	"errors"
	"strings"

	"annai/internal/civil"
	"annai/internal/fault"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// link returns what tells of the event in the notes of its tasks: its title, when it is, and its
// address where it has one; "" for no event. An event that is in no calendar of the owner's that
// can be written to is kind [calendar.NotFound].
func (f *family) link(ctx context.Context, caller tools.Caller, id string) (string, error) {
	if id == "" {
		return "", nil
	}
	var err error = &calendar.Failure{Kind: calendar.NotFound}
	for _, c := range f.agenda.Calendars() {
		if c.Writer == nil {
			continue
		}
		var e calendar.Event
		if e, err = f.agenda.Get(ctx, agenda.Ref{CalendarID: c.ID, ID: id}); err == nil {
			return linkTo(e, f, caller.Language), nil
		}
		if !errors.Is(err, fault.ErrNotFound) {
			break // it may be there
		}
	}
	return "", err
}

func linkTo(e calendar.Event, f *family, lang string) string {
	when := e.FirstDay.String()
	if !e.AllDay {
		start := e.Start.In(f.agenda.Location())
		when = civil.DateOf(start).String() + " " + start.Format("15:04")
	}
	return strings.TrimSpace(pick(lang, "予定: ", "Event: ") + e.Title + " (" + when + ")\n" + e.URL)
}

// withLink puts the link behind the notes.
func withLink(notes, link string) string {
	if notes == "" || link == "" {
		return notes + link
	}
	return notes + "\n\n" + link
}
