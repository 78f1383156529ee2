package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/graph"
	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/owner"
	"annai/nodes/talk"
)

// router picks the node that answers.
func (c *Concierge) router(ctx context.Context, s State) (graph.Command[State], error) {
	began := c.opts.Now()
	first, second, err := c.twoQuestions(ctx, s)
	if err != nil {
		return graph.Command[State]{}, err
	}
	r, err := c.where(ctx, first)
	if err != nil {
		return graph.Command[State]{}, err
	}
	r, update, err := c.unlessSame(ctx, first, r, c.where)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if second.Text == "" && r.Node != nodeClarify {
		if r, update, err = c.ifEither(ctx, first, r, update); err != nil {
			return graph.Command[State]{}, err
		}
	}
	if second.Text != "" && r.Node != nodeClarify {
		r.Second, r.Info.Thing = second, second.Other
		update = append(update, understoodChannel.Write(first.Understanding), questionChannel.Write(first.Question))
	}
	if s.Asked.Chosen {
		r.By = byOpenQuestion
	}
	r.Inherited = r.Inherited || s.Question.AskFrom == talk.Inherited
	r.MS = milliseconds(c.opts.Now().Sub(began))
	return graph.Command[State]{Update: append(update, routeChannel.Write(r))}, nil
}

// ifEither says which of two things is to be named, where that is to be asked.
func (c *Concierge) ifEither(
	ctx context.Context, s State, r route, update graph.Update[State],
) (route, graph.Update[State], error) {
	r, err := c.orAsk(ctx, s, r)
	if err != nil || len(r.Between) == 0 {
		return r, update, err
	}
	s.Route = r
	said, err := c.says(ctx, s, c.asking(s, s.either()))
	return r, append(update, said...), err
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// unlessSame decides again where all meanings of an ambiguous word have the same answer, and else says what is asked.
func (c *Concierge) unlessSame(
	ctx context.Context, s State, r route, decide func(context.Context, State) (route, error),
) (route, graph.Update[State], error) {
	if r.Node != nodeClarify {
		return r, nil, nil
	}
	s.Route = r
	same, err := c.sameAnswer(ctx, s)
	if err != nil {
		return r, nil, err
	}
	if !same {
		said, err := c.says(ctx, s, c.asking(s, c.question(s)))
		return r, said, err
	}
	s.Asked.Done = true
	r, err = decide(ctx, s)
	return r, graph.Update[State]{askedChannel.Write(s.Asked)}, err
}

// chosen is the route after the router.
func chosen(_ context.Context, s State) (graph.Next, error) { return graph.To(s.Route.Node), nil }

// where decides which node answers: danger and what the words alone say come first, then what the
// question is about, then what kind of thing the words say.
func (c *Concierge) where(ctx context.Context, s State) (route, error) {
	now := s.Turn.At.In(c.location(s.Turn))
	u := s.Understanding
	r := route{By: readBy(u), Reason: u.Reason, Confidence: u.Confidence}
	if s.Turn.Capture != nil {
		r = route{Node: nodeCalendar, By: byRule, Reason: nodeCapture, Confidence: 1}
		r.Calendar.Do = owner.DoCapture
		return r, nil
	}
	if r, ok, err := c.foreignRoute(ctx, s, now); ok || err != nil {
		return r, err
	}
	if r, ok := ofDanger(s, r); ok {
		return r, nil
	}
	if words, ok := invalidDate(u); ok && u.Intent != nlu.OutOfScope {
		r.Node, r.Reason, r.Date = nodeDate, "invalid date", dateWish{Kind: dateInvalid, Words: words}
		return r, nil
	}
	if s.Turn.Owner && c.parts.Agenda != nil {
		if r, ok := c.decideOwn(ctx, s, r); ok {
			return r, nil
		}
	}
	if r, ok := repeats(s, r); ok {
		return r, nil
	}
	if r, ok, err := c.byQuestion(ctx, s, r, now); ok || err != nil {
		return r, err
	}
	return c.byIntent(ctx, s, r, now)
}

// byIntent routes what asks for nothing that evidence may state, or what its words alone say: a
// courtesy, a wish for the staff, a date, the calendar of the owner.
func (c *Concierge) byIntent(ctx context.Context, s State, r route, now time.Time) (route, error) {
	u := s.Understanding
	switch u.Intent {
	case nlu.OutOfScope:
		if u.Reason == nlu.NGrams && len(u.Keywords) > 0 { // the venue may know it all the same
			r.Node, r.Info = nodeInfo, c.infoWishOf(s, now)
			r.Info.Doubtful = true
			return r, nil
		}
		r.Node, r.Say = nodeRespond, u.Intent
	case nlu.Greeting, nlu.Thanks, nlu.Farewell, nlu.Identity, nlu.SmallTalk, nlu.CallStaff, nlu.Affirm, nlu.Deny, nlu.Safety:
		r.Node, r.Say = nodeRespond, u.Intent
	case nlu.Calendar:
		if r.Node = nodeCalendar; !u.Owner && !c.writes(s) {
			r, _, err := c.ofProgramme(ctx, s, r, now)
			return r, err
		}
	case nlu.Event:
		r, _, err := c.ofProgramme(ctx, s, r, now)
		return r, err
	case nlu.DateCalc:
		return c.ofDate(s, r, now), nil
	case nlu.Info:
		if s.Question.About == nlu.AboutDate && len(u.Times) > 0 {
			return c.ofDate(s, r, now), nil
		}
		return c.aboutVenue(s, now, r), nil
	case nlu.Unclear:
		return c.guess(ctx, s, now, r)
	}
	return r, nil
}

// ofDate routes a question about a date. One that names nothing but a day asks what was asked before.
func (c *Concierge) ofDate(s State, r route, now time.Time) route {
	before := dateKind("")
	if s.Understanding.LeavesOut() {
		before = s.Topic.Date
	}
	r.Node, r.Date = nodeDate, dateWishOf(s.Understanding, now, before)
	if r.Date.Kind == dateHour && len(s.Understanding.Keywords) > 0 { // ラストオーダーは何時
		r.Date = dateWish{}
		return c.aboutVenue(s, now, r)
	}
	return r
}

// writes reports whether something is to be written into a calendar. A visitor who orders nothing
// wants nothing written.
func (c *Concierge) writes(s State) bool {
	u := s.Understanding
	q := s.Question
	onlyAsks := u.Reason == nlu.NGrams && q.Act == nlu.ActAsks && q.Confidence >= sureReading
	return u.Write && (s.Turn.Owner || q.Act == nlu.ActOrders || u.AgentConfidence >= sureAgent && !onlyAsks)
}

// invalidDate returns the words of a date that does not exist.
func invalidDate(u nlu.Understanding) (string, bool) {
	for _, e := range u.Times {
		if e.Invalid {
			return e.Text, true
		}
	}
	return "", false
}

// aboutVenue asks which of several meanings is meant, or looks it up.
func (c *Concierge) aboutVenue(s State, now time.Time, r route) route {
	if i, ok := c.ambiguous(s.Understanding.Text); ok && !s.Asked.Done && c.parts.Checkpointer != nil {
		r.Node, r.Ambiguity, r.Reason = nodeClarify, i, "ambiguous word"
		return r
	}
	r.Node, r.Info = nodeInfo, c.infoWishOf(s, now)
	return r
}

func (c *Concierge) namesVenue(said string) bool {
	name := c.parts.Venue.Name
	return text.ContainsWord(said, name.JA) || text.ContainsWord(said, name.EN)
}

// guess is the best effort for words that say little: a topic is looked up, a bare time is taken
// for a question about events.
func (c *Concierge) guess(ctx context.Context, s State, now time.Time, r route) (route, error) {
	u := s.Understanding
	r.By = byDefault
	if _, ok := c.ambiguous(u.Text); ok || len(u.Keywords) > 0 || c.namesVenue(u.Text) {
		return c.aboutVenue(s, now, r), nil
	}
	if _, ok := display.SpanOf(u.Times, now); ok {
		r, _, err := c.ofProgramme(ctx, s, r, now)
		return r, err
	}
	r.Node, r.Say = nodeRespond, nlu.Unclear
	return r, nil
}

// readBy says what read the intent.
func readBy(u nlu.Understanding) string {
	if u.Reason == nlu.NGrams {
		return byClassifier
	}
	return byRule
}

func hasAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}
