package tasks

import (
	"context"
	"fmt"
	"strings"

	"annai/civil"
	"annai/tools"
)

// link returns what tells of the event in the notes of its tasks: its title, when it is, and its
// address where it has one; "" for no event. An event that is in no calendar of the owner's that
// can be written to is kind [calendar.NotFound].
func (f *family) link(ctx context.Context, caller tools.Caller, id string) (string, error) {
	if id == "" {
		return "", nil
	}
	e, err := f.agenda.For(caller.Owner).Lookup(ctx, id)
	if err != nil {
		return "", fmt.Errorf("find the event of the tasks: %w", err)
	}
	when := e.FirstDay.String()
	if !e.AllDay {
		start := e.Start.In(f.agenda.Location())
		when = civil.DateOf(start).String() + " " + start.Format("15:04")
	}
	return strings.TrimSpace(pick(caller.Language, "予定: ", "Event: ") + e.Title + " (" + when + ")\n" + e.URL), nil
}

// withLink puts the link behind the notes.
func withLink(notes, link string) string {
	if notes == "" || link == "" {
		return notes + link
	}
	return notes + "\n\n" + link
}
