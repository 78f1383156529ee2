package nodes

import (
	"context"

	"annai/graph"
	"annai/prompts"
)

// calendarNode answers questions about somebody's own schedule. Visitors have none here, and nothing can be written, so it says
// what can be asked instead.
func (c *Concierge) calendarNode(_ context.Context, s State) (graph.Command[State], error) {
	lang := string(s.Language)
	d := draft{
		Text: prompts.CalendarPersonal{}.In(lang), Suggestions: suggestions(s.Language, "today", "this_week"),
		Facts: facts{Gesture: "explain"},
	}
	if s.Understanding.Write {
		d.Text = prompts.CalendarWrite{Staff: c.parts.Venue.Staff.Where.In(lang)}.In(lang)
	}
	return graph.Command[State]{Update: graph.Update[State]{
		draftChannel.Write(d), topicChannel.Write(topic{Node: nodeCalendar}),
	}}, nil
}
