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
	"annai/nodes/talk"
)

// router picks the node that answers.
func (c *Concierge) router(ctx context.Context, s State) (graph.Command[State], error) {
	began := c.opts.Now()
	title, err := c.titled(ctx, s)
	if err != nil {
		return graph.Command[State]{}, err
	}
	update := graph.Update[State]{}
	two, ok := c.twoQuestions(s, s.Turn.At.In(c.location(s.Turn)))
	if ok {
		s.Understanding = two.first
		update = append(update, understoodChannel.Write(two.first))
	}
	r, err := c.where(ctx, s, title, ok)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if ok && r.Node != nodeClarify {
		r.Info.Thing, r.Second = two.thing, two.second
	}
	if s.Asked.Chosen {
		r.By = byOpenQuestion
	}
	r.Inherited = r.Inherited || s.Question.AskFrom == talk.Inherited
	r.MS = milliseconds(c.opts.Now().Sub(began))
	return graph.Command[State]{Update: append(update, routeChannel.Write(r))}, nil
}

// where decides which node answers: by what the question is about, else by what the words say, as
// where two questions are asked at once.
func (c *Concierge) where(ctx context.Context, s State, title string, two bool) (route, error) {
	now := s.Turn.At.In(c.location(s.Turn))
	u := s.Understanding
	if r, ok := foreignRoute(s, title); ok {
		return r, nil
	}
	if _, invalid := invalidDate(u); !invalid && !two {
		r := route{Reason: u.Reason, Confidence: u.Confidence, Title: title}
		if again, ok := repeats(s, r); ok {
			return again, nil
		}
		if isOver(s) {
			return c.decide(ctx, s, title), nil
		}
		if r, ok, err := c.byQuestion(ctx, s, r, now); ok || err != nil {
			return r, err
		}
	}
	if c.parts.Reader != nil && !s.Turn.Owner && s.Question.Act != nlu.ActOrders && u.AgentConfidence < sureAgent {
		s.Understanding.Write = false // a visitor who orders nothing wants nothing written
	}
	return c.askWhere(ctx, s, c.decide(ctx, s, title)), nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// chosen is the route after the router.
func chosen(_ context.Context, s State) (graph.Next, error) { return graph.To(s.Route.Node), nil }

// decide is the router's order: safety, what needs no evidence, what hangs on the talk so far, what
// the words say, and last a guess.
func (c *Concierge) decide(ctx context.Context, s State, title string) route {
	now := s.Turn.At.In(c.location(s.Turn))
	s.Understanding = onThatDay(s, now)
	u := s.Understanding
	r := route{By: readBy(u), Reason: u.Reason, Confidence: u.Confidence, Title: title}
	if r, ok := ofDanger(s, r); ok {
		return r
	}
	if words, ok := invalidDate(u); ok && u.Intent != nlu.OutOfScope {
		r.Node, r.Reason, r.Date = nodeDate, "no such date", dateWish{Kind: dateInvalid, Words: words}
		return r
	}
	if r, ok := repeats(s, r); ok {
		return r
	}
	if s.Turn.Owner && c.parts.Agenda != nil {
		if r, ok := c.decideOwn(ctx, s, r); ok {
			return r
		}
	}
	if r, ok := followUp(s, now, r, c.namesVenue(u.Text)); ok {
		return r
	}
	if nlu.BareNumber(u.Text) != 0 { // the number of nothing
		r.Node, r.By, r.Say = nodeRespond, byDefault, nlu.Unclear
		return r
	}
	if c.meansEvent(s, title, now) {
		r.Node, r.By, r.Reason, r.Event = nodeEvent, byRule, "names an event", c.eventWishOf(u, now, title)
		return r
	}
	if u.Intent == nlu.OutOfScope && u.Reason == nlu.NGrams && len(u.Keywords) > 0 { // the venue may know it all the same
		r.Node, r.Info = nodeInfo, c.infoWishOf(u, now)
		r.Info.Doubtful = true
		return r
	}
	switch u.Intent {
	case nlu.Greeting, nlu.Thanks, nlu.Farewell, nlu.Identity, nlu.SmallTalk, nlu.CallStaff, nlu.OutOfScope, nlu.Affirm, nlu.Deny:
		r.Node, r.Say = nodeRespond, u.Intent
	case nlu.Event, nlu.Calendar:
		r.Node, r.Event = nodeEvent, c.eventWishOf(u, now, title)
		switch w := r.Event; {
		case u.Write && !u.Owner && !s.Turn.Owner && (len(u.Keywords) > 0 && asksToBook(u.Text) || wantsToMeet(u)):
			r.Event, r.Reason = eventWish{}, "a visitor wants to book something, or to meet"
			r = c.aboutVenue(s, now, r)
		case u.Owner || u.Write:
			r.Node, r.Event = nodeCalendar, eventWish{}
		case !w.Range.Explicit && len(w.Keywords) == 0 && (w.Field == nlu.FieldPrice || w.Field == nlu.FieldSignUp):
			r.Event, r.Reason = eventWish{}, "asks what holds for all events"
			r = c.aboutVenue(s, now, r)
		}
	case nlu.DateCalc:
		r.Node, r.Date = nodeDate, dateWishOf(u, now, "")
		if r.Date.Kind == dateHour && len(u.Keywords) > 0 { // ラストオーダーは何時
			r.Date, r.Reason = dateWish{}, "asks at what time something is"
			return c.aboutVenue(s, now, r)
		}
		if r.Date.Kind == dateIs && r.Date.Range.IsZero() && len(u.Keywords) > 0 && hasAny(strings.ToLower(u.Text), "時間", "time") { // 展示の時間は？
			r.Node, r.Reason, r.Date, r.Event = nodeEvent, "asks when something is", dateWish{}, c.eventWishOf(u, now, title)
		}
	case nlu.Info:
		if onlyTime(u) {
			r.Node, r.Reason, r.Date = nodeDate, "asks about a time as such", dateWishOf(u, now, "")
			break
		}
		r = c.aboutVenue(s, now, r)
	case nlu.Unclear, nlu.Safety:
		r = c.guess(s, now, r)
	}
	return r
}

// meansEvent reports whether an utterance that the rules take for something else is about the event
// that it names. The name of a kind of events says too little for that, and opening hours are asked
// of the venue.
func (c *Concierge) meansEvent(s State, title string, now time.Time) bool {
	u := s.Understanding
	if title == "" || slices.Contains(kinds, strings.ToLower(title)) || u.Owner || u.Write {
		return false
	}
	switch u.Intent {
	case nlu.Info:
		return c.infoWishOf(u, now).Hours == ""
	case nlu.DateCalc, nlu.Identity, nlu.SmallTalk, nlu.OutOfScope, nlu.Unclear, nlu.CallStaff:
		return true
	case nlu.Event, nlu.Calendar, nlu.Greeting, nlu.Thanks, nlu.Farewell, nlu.Safety, nlu.Affirm, nlu.Deny:
	}
	return false
}

// onlyTime reports whether a question names nothing but a time, and asks when it is or which of its
// days: 来週はいつからいつまで？
func onlyTime(u nlu.Understanding) bool {
	text := strings.ToLower(u.Text)
	return len(u.Times) > 0 && len(u.Keywords) == 0 && !hasAny(text, openWords...) && !hasAny(text, closedWords...) &&
		(u.Reference.Field == nlu.FieldTime || weekdaysIn(text) != 0)
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
	r.Node, r.Info = nodeInfo, c.infoWishOf(s.Understanding, now)
	switch {
	case !r.Info.Range.IsZero():
	case s.Asked.Question != "":
		r.Info.Beside = s.Asked.Question
	case s.Topic.Node == nodeInfo && s.Topic.Hours == "":
		r.Info.Beside = s.Topic.Question
	}
	return r
}

func (c *Concierge) namesVenue(said string) bool {
	name := c.parts.Venue.Name
	return text.ContainsWord(said, name.JA) || text.ContainsWord(said, name.EN)
}

// guess is the best effort for words that say little: a topic is looked up, a bare time is taken
// for a question about events.
func (c *Concierge) guess(s State, now time.Time, r route) route {
	u := s.Understanding
	if _, ok := c.ambiguous(u.Text); ok || len(u.Keywords) > 0 || c.namesVenue(u.Text) {
		r = c.aboutVenue(s, now, r)
		if r.Node == nodeInfo {
			r.By = byDefault
		}
		return r
	}
	r.By = byDefault
	if _, ok := display.SpanOf(u.Times, now); ok {
		r.Node, r.Event = nodeEvent, c.eventWishOf(u, now, r.Title)
		return r
	}
	r.Node, r.Say = nodeRespond, nlu.Unclear
	return r
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
