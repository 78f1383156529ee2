package nodes

import (
	"context"
	"fmt"
	"strings"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/owner"
	"annai/prompts"
	"annai/tools/calendar/agenda"
)

// calendarNode answers about the owner's own schedule, or goes on with a plan for it. Whoever is
// not the owner is told so, and nothing of it is read.
func (c *Concierge) calendarNode(ctx context.Context, s State) (graph.Command[State], error) {
	if d, ok := c.noCalendar(s); ok {
		return answered(d, topic{Node: nodeCalendar}), nil
	}
	w, planned := s.Route.Calendar, s.Plan.Open()
	guessed := s.Route.By == byClassifier && s.Understanding.AgentConfidence < sureOfAgent
	if guessed && !planned && w.Do == owner.DoWrite {
		write := func(s State) (graph.Command[State], error) { return c.handle(ctx, s, s.Plan) }
		return c.beyondRules(ctx, s, draft{}, write)
	}
	r, err := c.owner.Handle(ctx, c.ownerTurn(s), s.Plan, w)
	none := r.Answer.Facts.Calendar == owner.StatusEmpty
	switch {
	case err != nil || planned || w.Do == owner.DoWrite || w.Do == owner.DoPick:
	case w.Elsewhere && none:
		u := s.Understanding
		by := route{By: readBy(u), Reason: u.Reason, Confidence: u.Confidence}
		decide := func(_ context.Context, s State) (route, error) {
			return c.aboutVenue(s, s.Turn.At.In(c.location(s.Turn)), by), nil
		}
		to, _ := decide(ctx, s)
		to, said, err := c.unlessSame(ctx, s, to, decide)
		return graph.Command[State]{Update: append(said, routeChannel.Write(to)), Goto: to.Node}, err
	case w.Do == owner.DoFind && r.Answer.Facts.Nothing && none:
		asRead := func(s State) (graph.Command[State], error) { return c.commandOf(ctx, s, r, nil) }
		return c.beyondRules(ctx, s, draftOf(r.Answer), asRead)
	}
	return c.commandOf(ctx, s, r, err)
}

// sureOfAgent is how sure rules and classifier must be of an order for no model to be asked.
const sureOfAgent = 0.65

// handle does what an owner requests, or goes on with a plan.
func (c *Concierge) handle(ctx context.Context, s State, p owner.Plan) (graph.Command[State], error) {
	r, err := c.owner.Handle(ctx, c.ownerTurn(s), p, s.Route.Calendar)
	return c.commandOf(ctx, s, r, err)
}

// beyondRules answers with tools what the rules could not read, and where that comes to nothing as
// the rules do.
func (c *Concierge) beyondRules(
	ctx context.Context, s State, rules draft, otherwise func(State) (graph.Command[State], error),
) (graph.Command[State], error) {
	out, p, ok := c.withTools(ctx, &s, rules)
	var cmd graph.Command[State]
	var err error
	switch {
	case !ok:
		cmd, err = otherwise(s)
	case p.Open():
		cmd, err = c.handle(ctx, s, p)
	default:
		cmd = answered(out, topic{Node: nodeCalendar, Look: owner.Request{Do: owner.DoList}})
	}
	cmd.Update = append(cmd.Update, routeChannel.Write(s.Route))
	return cmd, err
}

// confirm asks about a plan, and reads the answer. Whatever is about something else drops the plan,
// and is answered.
func (c *Concierge) confirm(ctx context.Context, s State) (graph.Command[State], error) {
	q := planQuestion(s)
	r, answered, err := c.reply(ctx, s, q.Options)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if !answered {
		return graph.Command[State]{Interrupt: &graph.Interrupt{Question: q}}, nil
	}
	u := c.parts.Understander.Understand(r.Turn.Query, r.Turn.At.In(c.location(r.Turn)))
	next := s
	next.Turn, next.Understanding, next.Language = r.Turn, u, replyLanguage(r, u, s.Language)
	update := append(r.said,
		turnChannel.Write(r.Turn), understoodChannel.Write(u), languageChannel.Write(next.Language))
	if r.Turn.OwnerName != s.Turn.OwnerName { // the plan is another owner's
		next.Turn.Owner = false
	}
	cmd, err := c.replied(ctx, next, r.Option)
	cmd.Update = append(update, cmd.Update...)
	return cmd, err
}

// planQuestion is what is asked about a plan.
func planQuestion(s State) question {
	q := question{Kind: nodeConfirm, Text: display.NoBrackets(s.Draft.Text)}
	if s.Plan.Offers() {
		q.Options = s.Draft.Suggestions
	}
	if s.Draft.Confirmation != nil {
		q.Confirmation = confirmationOnWire(*s.Draft.Confirmation)
	}
	return q
}

// replied does what an answer to the question about a plan says.
func (c *Concierge) replied(ctx context.Context, s State, option int) (graph.Command[State], error) {
	if !s.Turn.Owner || c.owner == nil {
		return leave(s, ""), nil
	}
	t := c.ownerTurn(s)
	t.Option = option
	r := c.owner.Reply(t, s.Plan)
	if r.Next == owner.NextLeave {
		return leave(s, r.Dropped), nil
	}
	cmd, err := c.commandOf(ctx, s, r, nil)
	by := route{Node: nodeCalendar, By: byOpenQuestion, Reason: "plan answered", Confidence: 1}
	cmd.Update = append(cmd.Update, routeChannel.Write(by), droppedChannel.Write(""))
	return cmd, err
}

// leave drops a plan and lets the router decide about what was said instead.
func leave(s State, dropped owner.Action) graph.Command[State] {
	t := s.Topic
	t.Wrote = "" // a yes is no second one any more
	return graph.Command[State]{
		Update: graph.Update[State]{
			planChannel.Write(owner.Plan{}), droppedChannel.Write(dropped),
			draftChannel.Write(draft{}), topicChannel.Write(t),
		},
		Goto: nodeRouter,
	}
}

// replyLanguage is the language in which to answer an answer: "OK" is in none.
func replyLanguage(r reply, said nlu.Understanding, before nlu.Language) nlu.Language {
	switch strings.ToLower(strings.TrimRight(strings.TrimSpace(r.Turn.Query), ".!。！")) {
	case "ok", "okay":
		if r.Turn.Language == "" {
			return before
		}
	}
	return answerLanguage(r.Turn, said, seen{Language: before})
}

// commit carries out a plan that was agreed to, and verify finds out about one of which nobody
// knows whether it was done.
func (c *Concierge) commit(ctx context.Context, s State) (graph.Command[State], error) {
	if err := c.mayWrite(s); err != nil {
		return graph.Command[State]{}, err
	}
	result, err := c.owner.Commit(ctx, c.ownerTurn(s), s.Plan, goesOn(ctx))
	c.wrote(s, result)
	return c.commandOf(ctx, s, result, err)
}

// mayWrite refuses whoever came to a node that writes by a way of their own.
func (c *Concierge) mayWrite(s State) error {
	if c.owner == nil || !s.Turn.Owner || !s.Plan.Open() {
		return fmt.Errorf("nothing was agreed to: %w", fault.ErrInvalid)
	}
	return nil
}

// wrote tells of a plan that was carried out, or was not.
func (c *Concierge) wrote(s State, r owner.Result) {
	if c.opts.Wrote == nil || r.Next == owner.NextVerify { // which tells
		return
	}
	c.opts.Wrote(Written{
		Do: string(s.Plan.Do), Objects: s.Plan.Objects(), Done: r.Written,
		Caller: s.Turn.Caller, SessionID: s.Turn.SessionID, RunID: s.Turn.RunID, RequestID: s.Turn.RequestID,
	})
}

func (c *Concierge) verify(ctx context.Context, s State) (graph.Command[State], error) {
	if err := c.mayWrite(s); err != nil {
		return graph.Command[State]{}, err
	}
	result, err := c.owner.Verify(ctx, c.ownerTurn(s), s.Plan)
	c.wrote(s, result)
	return c.commandOf(ctx, s, result, err)
}

// ownerTurn is what the owner said, for their calendar.
func (c *Concierge) ownerTurn(s State) owner.Turn {
	u := s.Understanding
	return owner.Turn{
		Said: s.Turn.Query, Understanding: u, Language: s.Language, Now: s.Turn.At.In(c.location(s.Turn)),
		Key:        agenda.KeyFor("draft", s.Turn.SessionID, s.Turn.RunID, s.Turn.At.UTC().Format(time.RFC3339Nano)),
		NamesVenue: c.namesVenue(u.Text), NamesOther: !onlyAsks(u.Keywords),
		Memory: s.Topic.owners(), Owner: s.Turn.OwnerName, Capture: s.Turn.Capture,
	}
}

// owners is what was told of the owner's calendar, if that was what the talk was about.
func (t topic) owners() owner.Memory {
	if t.Node != nodeCalendar {
		return owner.Memory{}
	}
	return owner.Memory{
		Events: t.Own, Offset: t.Offset, Total: t.Total, Focus: t.Focus, Request: t.Look, Range: t.Range,
		Slots: t.Slots, Todos: t.Todos,
		Wrote: t.Wrote, WroteTitle: t.WroteTitle,
	}
}

// ownersTopic is the topic of a talk about the owner's calendar.
func ownersTopic(m owner.Memory) topic {
	return topic{
		Node: nodeCalendar, Own: m.Events, Offset: m.Offset, Total: m.Total, Focus: m.Focus, Look: m.Request,
		Range: m.Range, Todos: m.Todos,
		Slots: m.Slots, Wrote: m.Wrote, WroteTitle: m.WroteTitle,
	}
}

// draftOf is an answer of the owner's calendar as any answer is made of.
func draftOf(a owner.Answer) draft {
	f := a.Facts
	return draft{
		Text: a.Text, Spoken: a.Spoken, Cards: a.Cards, Suggestions: a.Suggestions, Range: a.Range,
		Confirmation: a.Confirmation,
		Facts: facts{
			Calendar: status(f.Calendar), Events: f.Events, Partial: f.Partial, Nothing: f.Nothing, Changed: f.Changed,
			Asking: f.Asking, Assumed: f.Assumed, Gesture: f.Gesture,
		},
	}
}

// commandOf is how a talk with the owner goes on.
func (c *Concierge) commandOf(
	ctx context.Context, s State, r owner.Result, err error,
) (graph.Command[State], error) {
	plan := planChannel.Write(r.Plan)
	switch {
	case err != nil:
		return graph.Command[State]{}, err
	case r.Next == owner.NextAsk:
		update := graph.Update[State]{plan, draftChannel.Write(draftOf(r.Answer))}
		if r.Memory.Wrote != "" { // something was written, and more is asked about it
			update = append(update, topicChannel.Write(ownersTopic(r.Memory)))
		}
		s.Plan, s.Draft = r.Plan, draftOf(r.Answer)
		said, err := c.says(ctx, s, c.asking(s, planQuestion(s)))
		return graph.Command[State]{Update: append(update, said...), Goto: nodeConfirm}, err
	case r.Next == owner.NextReview:
		return graph.Command[State]{Update: graph.Update[State]{plan}, Goto: nodeCalendar}, nil
	case r.Next == owner.NextCommit:
		return graph.Command[State]{Goto: nodeCommit}, nil
	case r.Next == owner.NextVerify:
		return graph.Command[State]{Goto: nodeVerify}, nil
	}
	return answered(draftOf(r.Answer), ownersTopic(r.Memory)), nil
}

// answered is the command of a node that has its answer.
func answered(d draft, next topic) graph.Command[State] {
	return graph.Command[State]{
		Update: graph.Update[State]{draftChannel.Write(d), topicChannel.Write(next), planChannel.Write(owner.Plan{})},
		Goto:   nodeRespond,
	}
}

// noCalendar says why there is nothing to look at or to write to.
func (c *Concierge) noCalendar(s State) (draft, bool) {
	lang := string(s.Language)
	do := s.Route.Calendar.Do
	todo := do == owner.DoTodo || s.Plan.IsTodo()
	writes := do == owner.DoWrite || do == owner.DoPick || do == owner.DoCapture || s.Plan.Open() ||
		do == "" && s.Understanding.Write
	d := draft{Suggestions: display.Suggestions(s.Language, "today", "this_week"), Facts: facts{Gesture: "explain"}}
	switch {
	case !s.Turn.Owner && writes:
		d.Text = prompts.CalendarWrite{Staff: c.parts.Venue.Staff.Where.In(lang)}.In(lang)
	case !s.Turn.Owner:
		d.Text = prompts.CalendarPersonal{}.In(lang)
	case c.parts.Agenda == nil:
		d.Text = prompts.CalendarMissing{Why: "none"}.In(lang)
	case todo && c.parts.Checkpointer != nil:
		return draft{}, false
	case (writes || todo) && c.parts.Checkpointer == nil:
		d.Text = prompts.CalendarMissing{Why: "memory"}.In(lang)
	case writes:
		if _, ok := c.parts.Agenda.For(s.Turn.OwnerName).Writable(); ok {
			return draft{}, false
		}
		d.Text = prompts.CalendarMissing{Why: "readonly"}.In(lang)
	default:
		return draft{}, false
	}
	return d, true
}

// isOwn reports whether somebody speaks of their own calendar.
func (c *Concierge) isOwn(ctx context.Context, s State) bool {
	if !s.Turn.Owner || c.parts.Agenda == nil {
		return false
	}
	_, own := c.decideOwn(ctx, s, route{})
	return own
}

// decideOwn reads what an owner says. ok is false for what is not about their own calendar.
func (c *Concierge) decideOwn(ctx context.Context, s State, r route) (route, bool) {
	t := c.ownerTurn(s)
	said := s.Understanding.Text
	hits, err := c.eventsAbout(ctx, said, s.Language, t.Now)
	t.NamesVenue = t.NamesVenue || err == nil && len(namedIn(strings.ToLower(said), hits)) > 0
	request, reason, ok := c.owner.Decide(ctx, t)
	if ok {
		r.Node, r.Calendar = nodeCalendar, request
	}
	if reason != "" {
		r.By, r.Inherited, r.Reason = byContext, true, reason
	}
	return r, ok
}
