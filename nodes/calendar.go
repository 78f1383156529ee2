package nodes

import (
	"context"
	"time"

	"annai/graph"
	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/slots"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// calendarNode answers about the owner's own schedule. What is only looked up is answered at once; what would be written becomes a plan, which is
// asked about first. Whoever is not the owner is told so, and nothing of it is read.
func (c *Concierge) calendarNode(ctx context.Context, s State) (graph.Command[State], error) {
	if d, ok := c.noCalendar(s); ok {
		return answered(d, topic{Node: nodeCalendar}), nil
	}
	d := c.diary(s)
	switch {
	case s.Plan.Search:
		p := s.Plan
		p.Search = false
		return c.aimed(ctx, d, p, commandOf(s.Understanding), s.Understanding)
	case s.Plan.Await == awaitTarget:
		p, out := d.ask(s.Plan, awaitTarget, civil.Date{})
		d.again(&out)
		p.Puzzled, p.AskedAt = false, d.now
		return asking(p, out), nil
	case s.Plan.open() && len(s.Plan.Choices) > 1:
		p, out := d.which(s.Plan, aimed{list: s.Plan.Choices, words: s.Plan.Words})
		if p.Puzzled {
			d.again(&out)
			p.Puzzled = false
		}
		return asking(p, out), nil
	case s.Plan.open():
		return c.reviewed(ctx, d, s.Plan)
	case d.wish.Do == doWrite && s.Route.By == byClassifier && s.Understanding.AgentConfidence < sureOfAgent:
		return c.beyondRules(ctx, d, s, draft{}, func(s State) (graph.Command[State], error) { return c.write(ctx, d, s) })
	case d.wish.Do == doWrite || d.wish.Do == doPick:
		return c.write(ctx, d, s)
	}
	out, next, err := d.read(ctx)
	switch {
	case err != nil:
		return graph.Command[State]{}, err
	case d.wish.Elsewhere && out.Facts.Calendar == statusEmpty:
		r := c.aboutVenue(s, d.now, route{By: readBy(s.Understanding), Reason: s.Understanding.Reason, Confidence: s.Understanding.Confidence})
		return graph.Command[State]{Update: graph.Update[State]{routeChannel.Write(r)}, Goto: r.Node}, nil
	case s.Route.By == byModel, d.wish.Do == doFind && out.Facts.Nothing && out.Facts.Calendar == statusEmpty:
		return c.beyondRules(ctx, d, s, out, func(State) (graph.Command[State], error) { return answered(out, next), nil })
	}
	return answered(out, next), nil
}

// beyondRules answers with tools what the rules could not read, and where that comes to nothing as the rules do.
func (c *Concierge) beyondRules(ctx context.Context, d diary, s State, rules draft, otherwise func(State) (graph.Command[State], error)) (graph.Command[State], error) {
	out, p, ok := c.withTools(ctx, &s, rules)
	var cmd graph.Command[State]
	var err error
	switch {
	case !ok:
		cmd, err = otherwise(s)
	case p.open():
		cmd, err = c.reviewed(ctx, d, p)
	default:
		cmd = answered(out, topic{Node: nodeCalendar, Look: calendarWish{Do: doList}})
	}
	cmd.Update = append(cmd.Update, routeChannel.Write(s.Route))
	return cmd, err
}

// answered is the command of a node that has its answer.
func answered(d draft, next topic) graph.Command[State] {
	return graph.Command[State]{
		Update: graph.Update[State]{draftChannel.Write(d), topicChannel.Write(next), planChannel.Write(plan{})}, Goto: nodeRespond,
	}
}

// noCalendar says why there is nothing to look at or to write to.
func (c *Concierge) noCalendar(s State) (draft, bool) {
	lang := string(s.Language)
	writes := s.Route.Calendar.Do == doWrite || s.Route.Calendar.Do == doPick || s.Plan.open() || s.Route.Calendar.Do == "" && s.Understanding.Write
	d := draft{Suggestions: suggestions(s.Language, "today", "this_week"), Facts: facts{Gesture: "explain"}}
	switch {
	case !s.Turn.Owner && writes:
		d.Text = prompts.CalendarWrite{Staff: c.parts.Venue.Staff.Where.In(lang)}.In(lang)
	case !s.Turn.Owner:
		d.Text = prompts.CalendarPersonal{}.In(lang)
	case c.parts.Agenda == nil:
		d.Text = prompts.CalendarMissing{Why: "none"}.In(lang)
	case writes && c.parts.Checkpointer == nil:
		d.Text = prompts.CalendarMissing{Why: "memory"}.In(lang)
	case writes:
		if _, ok := c.parts.Agenda.Writable(); ok {
			return draft{}, false
		}
		d.Text = prompts.CalendarMissing{Why: "readonly"}.In(lang)
	default:
		return draft{}, false
	}
	return d, true
}

// write makes a plan of what was said.
func (c *Concierge) write(ctx context.Context, d diary, s State) (graph.Command[State], error) {
	u := s.Understanding
	cmd := ordered(u)
	if d.wish.Do == doPick {
		return c.picked(ctx, d, s)
	}
	key := agenda.KeyFor("draft", s.Turn.SessionID, s.Turn.RunID, s.Turn.At.UTC().Format(time.RFC3339Nano))
	switch {
	case d.wish.Amend:
		e, _ := editSaid(plan{Do: planChange}, u, d.now)
		return c.aimed(ctx, d, plan{Do: planChange, Edit: e}, cmd, u)
	case d.wish.Item < 0:
		out, next := d.recallOwn()
		return answered(out, next), nil
	case cmd.Operation == slots.Update:
		e := changeOf(cmd, d.now)
		if to := renamed(u.Text); !to.empty() {
			e = to
		}
		if by := resized(u.Text, u.Times); !by.empty() {
			e = by
		}
		p := plan{Do: planChange, Edit: e}
		if e.empty() {
			if p.Part = partNamed(u.Text); p.Part == "" && d.isMovedTo(ctx, cmd, u) {
				p.Edit, cmd.Times = readTimes(cmd.Times, d.now).edit, nil
			}
		}
		return c.aimed(ctx, d, p, cmd, u)
	case cmd.Operation == slots.Delete:
		return c.aimed(ctx, d, plan{Do: planRemove}, cmd, u)
	}
	p, out, ok := d.newPlan(cmd, u, key)
	if !ok {
		return answered(out, topic{Node: nodeCalendar, Look: calendarWish{Do: doList}}), nil
	}
	return c.reviewed(ctx, d, p)
}

// aimed finds what a plan is about, and asks where that is not clear.
func (c *Concierge) aimed(ctx context.Context, d diary, p plan, cmd slots.Command, u nlu.Understanding) (graph.Command[State], error) {
	found, err := d.aim(ctx, cmd, u.Text, p.Words)
	if failed(ctx, err) {
		return graph.Command[State]{}, err
	}
	look := topic{Node: nodeCalendar, Look: calendarWish{Do: doList}}
	p.Words, p.Targets = found.words, nil
	if len(found.list) > 1 {
		found.list, p.LeftOut = d.writable(found.list)
	}
	switch {
	case err != nil:
		d.warn(ctx, err)
		return answered(d.refuse(p, calendar.KindOf(err)), look), nil
	case !found.named:
		p, out := d.ask(p, awaitTarget, civil.Date{})
		p.AskedAt = d.now
		return asking(p, out), nil
	case len(found.list) == 0 && !found.complete:
		return answered(d.refuse(p, calendar.Unavailable), look), nil
	case len(found.list) == 0:
		return answered(d.nothingSuch(found, cmd), look), nil
	case len(found.list) == 1, cmd.All && p.Do == planRemove && len(found.list) <= maxItems:
		p.Targets = found.list
		return c.reviewed(ctx, d, p)
	}
	p.AskedAt = d.now
	p, out := d.which(p, found)
	return asking(p, out), nil
}

// nothingSuch says that there is no entry like the one that was named.
func (d diary) nothingSuch(found aimed, cmd slots.Command) draft {
	s, timed := spanOf(targetTimes(cmd), d.now)
	out := draft{Facts: facts{Calendar: statusEmpty, Nothing: true}, Suggestions: d.kinds("own_today", "own_week")}
	switch {
	case found.words == "" && timed:
		out.Text = d.say(prompts.CalendarEmpty{Range: s.words(d.now, d.lang)})
	case timed:
		out.Text = d.say(prompts.CalendarNotFound{Wanted: quote(found.words), Range: inLang(d.lang, s.words(d.now, d.lang), s.adverb(d.now, d.lang))})
	default:
		out.Text = d.say(prompts.CalendarNotFound{Wanted: quote(found.words)})
	}
	return out
}

// reviewed goes on with a plan: to the question, or to the answer that it can't be.
func (c *Concierge) reviewed(ctx context.Context, d diary, p plan) (graph.Command[State], error) {
	p, out, ok, err := d.review(ctx, p)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if !ok {
		return answered(out, topic{Node: nodeCalendar, Look: calendarWish{Do: doList}}), nil
	}
	return asking(p, out), nil
}

// asking is the command of a node whose plan is to be asked about.
func asking(p plan, out draft) graph.Command[State] {
	return graph.Command[State]{Update: graph.Update[State]{planChannel.Write(p), draftChannel.Write(out)}, Goto: nodeConfirm}
}
