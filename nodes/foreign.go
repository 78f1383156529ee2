package nodes

import (
	"context"
	"strings"
	"time"

	"annai/nlu"
	"annai/prompts"
)

// speaksForeign reports whether somebody speaks a language that we do not. The owner gives titles in
// any language, and danger is danger.
func speaksForeign(s State) bool {
	u := s.Understanding
	return u.Foreign != "" && u.Intent != nlu.Safety && !s.Turn.Owner
}

// foreignRoute is the route of an utterance in a language that we do not speak, unless it has the
// name of an event.
func (c *Concierge) foreignRoute(ctx context.Context, s State, now time.Time) (route, bool, error) {
	if !speaksForeign(s) {
		return route{}, false, nil
	}
	said := s.Understanding.Text
	hits, err := c.eventsAbout(ctx, said, s.Language, now)
	if err != nil || len(namedIn(strings.ToLower(said), hits)) > 0 {
		return route{}, false, err
	}
	tag := s.Understanding.Foreign
	return route{
		Node: nodeRespond, By: byRule, Reason: "another language: " + tag, Confidence: 1, Say: nlu.Unclear, Foreign: tag,
	}, true, nil
}

// foreign answers somebody who speaks another language, in it and in ours. Only ours is spoken: a
// voice has one language.
func (c *Concierge) foreign(s State) draft {
	staff := c.parts.Venue.Staff.Where
	ours := prompts.Foreign{Staff: staff.In(string(s.Language))}.In(string(s.Language))
	own := prompts.InForeign(s.Route.Foreign, staff.In(string(nlu.English)))
	d := draft{Text: ours, Spoken: []string{ours}, Suggestions: c.starters(s.Language), Facts: facts{Gesture: "point"}}
	if own != "" {
		d.Text = own + "\n" + ours
	}
	return d
}

// remembered is what a turn leaves behind: one in another language leaves the talk as it was.
func remembered(s State, d draft) State {
	if s.Route.Foreign != "" {
		s.Seen.At, s.Seen.Turns = s.Turn.At, s.Seen.Turns+1
		return s
	}
	s.Seen = seen{
		At: s.Turn.At, Language: s.Language, Turns: s.Seen.Turns + 1, Last: s.Route.bare(), Alarm: alarmAfter(s),
		Other: s.Asked.Other,
	}
	asked := answeredAs(s)
	if !d.IfMeant { // whoever asks on means what they were told of
		asked.Likely = 0
	}
	s.Memory = s.Memory.Next(s.Turn.Query, asked, spokenOf(s, d))
	return s
}
