package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/graph"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/prompts"
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
		return elsewhere("")
	case p.lapsed(now) && said.verdict != verdictOther:
		d := c.diary(s)
		out := draft{Text: d.say(prompts.CalendarLapsed{Do: string(p.Do)}), Facts: facts{Nothing: true}, Suggestions: d.kinds("own_today")}
		return routed(open, answeredPlan(out))
	case p.lapsed(now):
		return elsewhere(p.Do)
	}
	switch said.verdict {
	case verdictYes:
		return routed(open, graph.Command[State]{Goto: nodeCommit})
	case verdictNo:
		d := c.diary(s)
		out := draft{Text: d.say(prompts.CalendarDropped{Do: string(p.Do)}), Suggestions: d.kinds("own_today", "own_week")}
		return routed(open, answeredPlan(out))
	case verdictEdit:
		p = said.plan
		p.Offered, p.Changed = false, false
		return routed(open, graph.Command[State]{Update: graph.Update[State]{planChannel.Write(p)}, Goto: nodeCalendar})
	case verdictPuzzled:
		p = said.plan
		p.Puzzled = true
		return routed(open, graph.Command[State]{Update: graph.Update[State]{planChannel.Write(p)}, Goto: nodeCalendar})
	case verdictOther:
	}
	return elsewhere(p.Do)
}

// elsewhere drops a plan and lets the router decide about what was said instead.
func elsewhere(dropped planKind) graph.Command[State] {
	return graph.Command[State]{
		Update: graph.Update[State]{planChannel.Write(plan{}), droppedChannel.Write(dropped), draftChannel.Write(draft{})}, Goto: nodeRouter,
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

// An answerSaid is an answer to a plan, with the plan as it is then.
type answerSaid struct {
	verdict verdict
	plan    plan
}

// readAnswer reads an answer to what the plan asks for.
func (c *Concierge) readAnswer(s State, r reply, now time.Time) answerSaid {
	p, u := s.Plan, s.Understanding
	switch p.Await {
	case awaitYes, "":
		if r.Option > 0 {
			return answerSaid{verdict: []verdict{verdictYes, verdictNo}[min(r.Option, 2)-1]}
		}
		said := readSaid(p, u, now)
		if n := max(u.Reference.Ordinal, bareNumber(u.Text)); n > 0 && n <= len(p.Listed) && said.verdict != verdictYes {
			p.Targets = p.Listed[n-1 : n]
			return answerSaid{verdictEdit, p}
		}
		switch {
		case said.verdict != verdictEdit:
		case p.Do == planRemove: // another one is meant
			p.Search = true
		default:
			p.correct(said)
		}
		return answerSaid{said.verdict, p}
	case awaitTitle:
		return answerTitle(p, u, now)
	case awaitTime, awaitClock:
		return answerTime(p, u, now)
	case awaitChoice, awaitTarget:
		return c.answerTarget(s, r)
	case awaitEdit:
		return answerEdit(p, u, now)
	}
	return answerSaid{verdict: verdictOther}
}

// correct takes a correction into the plan.
func (p *plan) correct(said said) {
	if !said.repeat.isZero() {
		p.Repeat = said.repeat
	} else if !p.Repeat.isZero() && !said.edit.Day.IsZero() && said.edit.Day != p.Edit.Day {
		if len(p.Repeat.Weekdays) == 1 {
			p.Repeat.Weekdays = []time.Weekday{said.edit.Day.Weekday()}
		}
		p.Repeat.From = said.edit.Day
	}
	if !said.edit.Day.IsZero() {
		p.Days = nil
	}
	e := said.edit
	if e.Shift != 0 && p.Do == planAdd && p.Edit.Clock != nil { // there is nothing yet that could be moved
		at := *p.Edit.Clock + minutes(e.Shift/time.Minute)
		e.Clock, e.Shift, e.Length = &at, 0, p.Edit.Length
	}
	p.Edit = p.Edit.then(e)
}

// dismissed reports whether an answer to a question is a no.
func dismissed(u nlu.Understanding) bool {
	text := strings.ToLower(strings.TrimSpace(u.Text))
	return u.Intent == nlu.Deny && len(u.Times) == 0 || dropping.MatchString(text) && len(u.Times) == 0
}

// answerTitle takes what was said for the title, unless it is plainly something else.
func answerTitle(p plan, u nlu.Understanding, now time.Time) answerSaid {
	text := strings.Trim(u.Text, " 。.!！")
	switch {
	case u.Intent == nlu.Safety:
		return answerSaid{verdict: verdictOther}
	case dismissed(u):
		return answerSaid{verdict: verdictNo}
	case isQuestion(text), u.Intent == nlu.Calendar && u.Write && len(u.Times) > 0:
		return answerSaid{verdict: verdictOther}
	case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear && !hasLetters(text):
		return answerSaid{verdict: verdictPuzzled, plan: p}
	}
	e := readTimes(u.Times, now.Location()).edit
	e.Title = capital(titleSaid(text, u), u.Language)
	if e.Title == "" {
		return answerSaid{verdict: verdictPuzzled, plan: p}
	}
	if e.Guessed && !p.Edit.Day.IsZero() {
		e.Day, e.Guessed = p.Edit.Day, false
	}
	p.Edit = p.Edit.then(e)
	return answerSaid{verdictEdit, p}
}

// titleSaid is the title in an answer to what it is: 歯医者です, "It's a dentist appointment".
func titleSaid(text string, u nlu.Understanding) string {
	if e := fieldSaid(text); e.Title != "" {
		return e.Title
	}
	if cmd := commandOf(u); cmd.Title.Text != "" && (len(u.Times) > 0 || u.Write) {
		return oneLine(cmd.Title.Text, maxSaid)
	}
	for _, start := range []string{"it's ", "it is ", "its ", "that's ", "call it ", "a ", "an ", "the "} {
		if rest, ok := cutFold(text, start); ok {
			text = rest
		}
	}
	return oneLine(fieldValue(text), maxSaid)
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) > len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

// answerTime takes the time that was said.
func answerTime(p plan, u nlu.Understanding, now time.Time) answerSaid {
	said := readSaid(p, u, now)
	switch {
	case said.verdict == verdictEdit:
		p.correct(said)
		return answerSaid{verdictEdit, p}
	case bareNumber(u.Text) != 0: // 3, to the question at what time
		if times := datetime.Parse(strings.TrimRight(u.Text, "。時")+inLang(u.Language, "時", " o'clock"), now); len(times) == 1 {
			e := readTimes(times, now.Location()).edit
			e.Day, e.Guessed = p.Edit.Day, false
			p.Edit = p.Edit.then(e)
			return answerSaid{verdictEdit, p}
		}
	case said.verdict == verdictYes:
		return answerSaid{verdict: verdictPuzzled, plan: p}
	}
	return answerSaid{said.verdict, p}
}

// answerTarget takes the entry that was said: one of those listed, or one that is still to be found.
func (c *Concierge) answerTarget(s State, r reply) answerSaid {
	p, u := s.Plan, s.Understanding
	cmd := commandOf(u)
	if dismissed(u) && r.Option == 0 {
		return answerSaid{verdict: verdictNo}
	}
	ordinal := u.Reference.Ordinal
	if ordinal == 0 {
		ordinal = bareNumber(u.Text)
	}
	if p.Await == awaitTarget {
		switch {
		case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear:
			return answerSaid{verdict: verdictPuzzled, plan: p}
		case u.Intent == nlu.Safety, isQuestion(u.Text), cmd.Title.Text == "" && len(u.Times) == 0:
			return answerSaid{verdict: verdictOther, plan: p}
		}
		p.Search = true
		return answerSaid{verdictEdit, p}
	}
	d := c.diary(s)
	if cmd.All && p.Do == planRemove {
		p.Targets, p.Choices = p.Choices, nil
		return answerSaid{verdictEdit, p}
	}
	list, out := d.chosenFrom(p.Choices, r, cmd, ordinal)
	switch {
	case out:
		return answerSaid{verdict: verdictPuzzled, plan: p}
	case len(list) == 1:
		p.Targets, p.Listed, p.Choices = slices.Clone(list), p.Choices, nil
		return answerSaid{verdictEdit, p}
	case len(list) > 1:
		p.Choices = slices.Clone(list)
		return answerSaid{verdictEdit, p}
	case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear:
		return answerSaid{verdict: verdictPuzzled, plan: p}
	}
	return answerSaid{verdict: verdictOther, plan: p}
}

// answerEdit takes what is to change.
func answerEdit(p plan, u nlu.Understanding, now time.Time) answerSaid {
	cmd := commandOf(u)
	e := renamed(u.Text)
	if e.empty() && cmd.Operation == slots.Update {
		e = changeOf(cmd, now.Location())
	}
	if !e.empty() && !isQuestion(u.Text) {
		p.Edit = p.Edit.then(e)
		return answerSaid{verdictEdit, p}
	}
	said := readSaid(p, u, now)
	if said.verdict == verdictYes {
		said.verdict = verdictPuzzled
	}
	p.correct(said)
	return answerSaid{said.verdict, p}
}
