package nodes

import (
	"context"
	"slices"

	"annai/graph"
	"annai/nlu"
	"annai/nodes/display"
	"annai/prompts"
)

// respond makes the answer of what a node found, whichever node it was.
func (c *Concierge) respond(ctx context.Context, s State) (graph.Command[State], error) {
	if err := brokenOff(ctx); err != nil { // a model was asked on the way here
		return graph.Command[State]{}, err
	}
	d := s.Draft
	if s.Route.Node == nodeRespond {
		d = c.manners(s)
	}
	if s.Route.Foreign != "" {
		d = c.foreign(s)
	}
	d, err := c.withSecond(ctx, s, d)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if d, err = c.withOther(ctx, s, d); err != nil {
		return graph.Command[State]{}, err
	}
	if d, err = c.word(ctx, s, d); err != nil {
		return graph.Command[State]{}, err
	}
	d = c.ifMeant(s, d)
	after := remembered(s, d)
	update := graph.Update[State]{
		draftChannel.Write(d), seenChannel.Write(after.Seen), memoryChannel.Write(after.Memory),
	}
	said, err := c.says(ctx, s, c.finish(s, d))
	return graph.Command[State]{Update: append(update, said...)}, err
}

// with returns the draft with a remark behind it.
func (d draft) with(remark string) draft {
	if d.Spoken == nil {
		d.Spoken = display.Sentences(d.Text)
	}
	d.Text, d.Spoken = display.JoinParts(d.Text, remark), append(slices.Clone(d.Spoken), remark)
	return d
}

// manners answers what needs no evidence: greetings, thanks, safety, and what is not a venue's
// business.
func (c *Concierge) manners(s State) draft {
	venue := c.parts.Venue
	lang := string(s.Language)
	name, staff := venue.Name.In(lang), venue.Staff.Where.In(lang)
	d := draft{Suggestions: c.starters(s.Language), Facts: facts{Gesture: "explain"}}
	switch s.Route.Say {
	case nlu.Safety:
		return draft{
			Text:  safetyWords(s.Understanding.Safety, venue, lang),
			Facts: facts{Grave: true, Gesture: "alert"},
		}
	case nlu.Greeting:
		d.Text = prompts.Greeting{Part: partOfDay(s.Turn.At.In(c.location(s.Turn)).Hour()), Venue: name}.In(lang)
		d.Facts.Gesture = "wave"
	case nlu.Thanks:
		if s.Seen.Alarm != "" {
			d.Text, d.Facts.Gesture, d.Suggestions = prompts.Relief{}.In(lang), "bow", nil
			break
		}
		d.Text, d.Facts.Gesture = prompts.Thanks{}.In(lang), "bow"
	case nlu.Farewell:
		d.Text, d.Facts.Gesture, d.Suggestions = prompts.Farewell{}.In(lang), "wave", nil
	case nlu.Identity:
		d.Text = prompts.Identity{Venue: name, Speak: s.Route.Speak}.In(lang)
	case nlu.SmallTalk:
		d.Text = prompts.SmallTalk{}.In(lang)
	case nlu.CallStaff:
		complaint := complains(s)
		d.Text = prompts.Staff{Staff: staff, Phone: venue.Staff.Phone, Complaint: complaint}.In(lang)
		d.Facts.Gesture, d.Facts.Sorry = "point", complaint
	case nlu.OutOfScope:
		d.Text = prompts.OutOfScope{Venue: name}.In(lang)
	case nlu.Affirm:
		d.Text = prompts.Affirm{}.In(lang)
		if s.Question.Act == nlu.ActChats {
			d.Text = prompts.Chat{}.In(lang)
		}
	case nlu.Deny:
		d.Text = prompts.Deny{}.In(lang)
	case nlu.Unclear, nlu.Event, nlu.Calendar, nlu.DateCalc, nlu.Info:
		d.Text, d.Facts.Asking = prompts.Unclear{}.In(lang), true
		if s.Question.NoItem {
			d.Text = prompts.EventNoItem{Count: len(s.Memory.InView)}.In(lang)
		}
	}
	return d
}

// starters are the venue's own first questions.
func (c *Concierge) starters(lang nlu.Language) []string {
	var out []string
	for _, t := range c.parts.Venue.Suggestions {
		out = append(out, t.In(string(lang)))
		if len(out) == 3 {
			break
		}
	}
	return out
}

func partOfDay(hour int) string {
	switch {
	case hour >= 4 && hour < 11:
		return "morning"
	case hour >= 18 || hour < 4:
		return "evening"
	}
	return "day"
}
