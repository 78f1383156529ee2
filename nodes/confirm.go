package nodes

import (
	"context"
	"time"

	"annai/graph"
	"annai/prompts"
	"annai/tools/calendar"
)

// confirm asks about a plan, and reads the answer: a yes is carried out, a no drops it, a correction changes it and it is asked again. Whatever is
// about something else drops it too, and is answered.
func (c *Concierge) confirm(ctx context.Context, s State) (graph.Command[State], error) {
	var r reply
	answered, err := graph.Answer(ctx, 0, &r)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if !answered {
		q := question{Text: s.Draft.Text, Kind: nodeConfirm}
		if s.Plan.Await == awaitYes || s.Plan.Await == awaitChoice {
			q.Options = s.Draft.Suggestions
		}
		return graph.Command[State]{Interrupt: &graph.Interrupt{Question: q}}, nil
	}
	now := r.Turn.At.In(c.location(r.Turn))
	u := c.parts.Understander.Understand(r.Turn.Query, now)
	next := s
	next.Turn, next.Understanding, next.Language = r.Turn, u, languageOf(r, u, s.Language)
	update := graph.Update[State]{
		turnChannel.Write(r.Turn), understoodChannel.Write(u), languageChannel.Write(next.Language),
	}
	cmd := c.heard(next, r, now)
	cmd.Update = append(update, cmd.Update...)
	return cmd, nil
}

// heard decides what an answer does.
func (c *Concierge) heard(s State, r reply, now time.Time) graph.Command[State] {
	p := s.Plan
	open := route{Node: nodeCalendar, By: byOpenQuestion, Reason: "answers a question about a plan", Confidence: 1}
	said := c.readAnswer(s, r, now)
	switch {
	case !r.Turn.Owner:
		return elsewhere("", s.Topic)
	case p.lapsed(now) && said.verdict != verdictOther:
		d := c.diary(s)
		out := draft{Text: d.say(prompts.CalendarLapsed{Do: string(p.Do)}), Facts: facts{Nothing: true}, Suggestions: d.kinds("own_today")}
		if p.Unsure {
			out = d.refuse(p, calendar.Ambiguous)
		}
		return routed(open, answeredPlan(out))
	case p.lapsed(now):
		return elsewhere(p.dropped(), s.Topic)
	case p.Unsure && said.verdict == verdictEdit: // what may have been written is not a plan any more
		return elsewhere("", s.Topic)
	}
	switch said.verdict {
	case verdictYes:
		return routed(open, graph.Command[State]{Goto: nodeCommit})
	case verdictNo:
		d := c.diary(s)
		out := draft{Text: d.say(prompts.CalendarDropped{Do: string(p.Do)}), Suggestions: d.kinds("own_today", "own_week")}
		if p.Unsure {
			out = d.refuse(p, calendar.Ambiguous)
		}
		return routed(open, answeredPlan(out))
	case verdictEdit:
		p = said.plan
		p.Offered, p.Changed = false, false
		return routed(open, graph.Command[State]{Update: graph.Update[State]{planChannel.Write(p)}, Goto: nodeCalendar})
	case verdictAgain:
		return routed(open, graph.Command[State]{Goto: nodeCalendar})
	case verdictPuzzled:
		p = said.plan
		p.Puzzled = true
		return routed(open, graph.Command[State]{Update: graph.Update[State]{planChannel.Write(p)}, Goto: nodeCalendar})
	case verdictOther:
	}
	return elsewhere(p.dropped(), s.Topic)
}

// elsewhere drops a plan and lets the router decide about what was said instead.
func elsewhere(dropped planKind, t topic) graph.Command[State] {
	t.Wrote = "" // a yes is no second one any more
	return graph.Command[State]{
		Update: graph.Update[State]{planChannel.Write(plan{}), droppedChannel.Write(dropped), draftChannel.Write(draft{}), topicChannel.Write(t)},
		Goto:   nodeRouter,
	}
}

func answeredPlan(out draft) graph.Command[State] {
	return answered(out, topic{Node: nodeCalendar, Look: calendarWish{Do: doList}})
}

// routed adds what the answer says of how it came about.
func routed(r route, cmd graph.Command[State]) graph.Command[State] {
	cmd.Update = append(cmd.Update, routeChannel.Write(r), droppedChannel.Write(""))
	return cmd
}
