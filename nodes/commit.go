package nodes

import (
	"context"
	"time"

	"annai/graph"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// tries is how often a write is tried of which nobody knows whether it was done.
const tries = 3

// commit carries out a plan that was agreed to. It may run twice, after a crash or because the answer of the calendar was lost: what is created has
// the plan's own id, what is changed or deleted carries the etag that it was read with.
func (c *Concierge) commit(ctx context.Context, s State) (graph.Command[State], error) {
	return c.carryOut(ctx, s, 1)
}

// verify finds out about a write of which nobody knows whether it was done, by doing the same again under the same id.
func (c *Concierge) verify(ctx context.Context, s State) (graph.Command[State], error) {
	return c.carryOut(ctx, s, tries)
}

// outcome is what became of a plan.
type outcome struct {
	// done are the entries as they are then; of a deletion, what was deleted.
	done []own
	// gone counts the deleted ones that had been deleted before.
	gone int
	// left are targets with which nothing was done.
	left []own
	// stuck counts entries that could not be taken back.
	stuck int
	err   error
}

func (c *Concierge) carryOut(ctx context.Context, s State, attempts int) (graph.Command[State], error) {
	d := c.diary(s)
	p := s.Plan
	_, finishes := graph.RunContext[cutOff](ctx)
	d.twice = finishes || p.Unsure || attempts > 1
	limit := c.opts.Deadline / 2 // there must be time left to say what became of it
	if attempts > 1 {
		limit /= tries + 1
	}
	var did outcome
	for range attempts {
		did = d.carryOut(ctx, p, limit)
		if ctx.Err() != nil && did.err != nil {
			return graph.Command[State]{}, did.err // the plan stays, and a yes may be said again
		}
		if calendar.KindOf(did.err) != calendar.Ambiguous || did.err == nil {
			break
		}
	}
	if did.err == nil {
		return d.written(ctx, p, did), nil
	}
	d.warn(ctx, did.err)
	kind := calendar.KindOf(did.err)
	switch {
	case kind == calendar.Ambiguous && attempts == 1:
		return graph.Command[State]{Goto: nodeVerify}, nil
	case kind == calendar.Stale:
		return c.changedMeanwhile(ctx, d, p, did)
	case kind == calendar.Ambiguous && len(p.Days) == 0: // several entries were taken back, and their ids are used up
		return d.unsure(p, did), nil
	}
	out := d.refuse(p, kind)
	if len(did.done) > 0 || did.stuck > 0 {
		out = d.partly(p, kind, did)
	}
	return answered(out, topic{Node: nodeCalendar, Look: calendarWish{Do: doList}}), nil
}

// unsure says that nobody knows what became of a plan. It is kept: another yes does the same again, under the same id.
func (d diary) unsure(p plan, did outcome) graph.Command[State] {
	p.Unsure, p.Await, p.AskedAt = true, awaitYes, d.now
	out := d.refuse(p, calendar.Ambiguous)
	out.Text = d.say(prompts.CalendarWriteFailed{
		Do: string(p.Do), Kind: string(calendar.Ambiguous), Title: d.titleOf(p), Again: true, Done: len(did.done),
	})
	out.Suggestions = d.kinds("yes_"+string(p.Do), "no")
	return asking(p, out)
}

// partly says what was done of a plan and what was not.
func (d diary) partly(p plan, kind calendar.Kind, did outcome) draft {
	out := d.refuse(p, kind)
	out.Text = d.say(prompts.CalendarWriteFailed{
		Do: string(p.Do), Kind: string(kind), Why: kind.Message(string(d.lang)), Title: d.titleOf(p), Done: len(did.done), Left: did.stuck,
	})
	return out
}

// carryOut does what the plan says, once, in that time.
func (d diary) carryOut(ctx context.Context, p plan, limit time.Duration) outcome {
	write, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var did outcome
	switch p.Do {
	case planAdd:
		did = d.add(write, p)
	case planChange:
		did = d.change(write, p)
	case planRemove:
		did = d.remove(write, p)
	}
	if did.err != nil && write.Err() != nil && ctx.Err() == nil { // it may have been done, and the answer come too late
		did.err = &calendar.Failure{Kind: calendar.Ambiguous, Err: did.err}
	}
	return did
}

func (d diary) add(ctx context.Context, p plan) outcome {
	events := p.events(d.now.Location())
	var did outcome
	if len(events) == 1 {
		made, err := d.agenda.Create(ctx, events[0])
		if err == nil {
			return outcome{done: []own{owned(made)}}
		}
		did = outcome{err: err}
	} else {
		report, err := d.agenda.CreateAll(ctx, events)
		did = outcome{done: ownedAll(report.Created), stuck: len(report.Left), err: err}
	}
	if d.twice && did.err != nil && ctx.Err() == nil {
		return d.addedBefore(ctx, events, did)
	}
	return did
}

// addedBefore looks for what may have been created before, after this run could not.
func (d diary) addedBefore(ctx context.Context, events []calendar.Event, did outcome) outcome {
	var there []own
	for _, e := range events {
		found, err := d.agenda.Get(ctx, agenda.Ref{ID: e.ID})
		switch kind := calendar.KindOf(err); {
		case err == nil:
			there = append(there, owned(found))
		case kind != calendar.NotFound && kind != calendar.Gone:
			return outcome{err: &calendar.Failure{Kind: calendar.Ambiguous, Err: did.err}}
		}
	}
	if len(there) == len(events) {
		return outcome{done: there}
	}
	did.stuck = len(there)
	return did
}

func (d diary) change(ctx context.Context, p plan) outcome {
	o := p.Targets[0]
	change := p.change(o, d.now.Location())
	made, err := d.agenda.Update(ctx, o.Ref, change)
	if err != nil {
		there, known := d.asItIs(ctx, o.Ref, &err)
		if !known || !there.With(change).Same(there) {
			return outcome{left: p.Targets, err: err}
		}
		made = there // it was done before
	}
	after := p.after(o, d.now.Location())
	after.Ref.ETag = made.ETag
	if o.Whole != nil {
		w := made.When()
		after.Whole = &w
	}
	return outcome{done: []own{after}}
}

func (d diary) remove(ctx context.Context, p plan) outcome {
	var did outcome
	removed := map[agenda.Ref]bool{}
	for i, o := range p.Targets {
		if removed[o.Ref] { // another of the same series
			continue
		}
		err := d.agenda.Delete(ctx, o.Ref)
		if err != nil {
			d.asItIs(ctx, o.Ref, &err)
		}
		switch kind := calendar.KindOf(err); {
		case err == nil:
		case kind == calendar.Gone || kind == calendar.NotFound && len(did.done) > 0:
			did.gone++
		default:
			did.left, did.err = p.Targets[i:], err
			return did
		}
		removed[o.Ref] = true
		did.done = append(did.done, o)
	}
	return did
}

// asItIs reads an entry that could not be changed or deleted after it may have been before. Where it can't be read either,
// nobody knows; where it is gone, that is the failure. Otherwise err stays as it is.
func (d diary) asItIs(ctx context.Context, ref agenda.Ref, err *error) (there calendar.Event, known bool) {
	if !d.twice || ctx.Err() != nil {
		return calendar.Event{}, false
	}
	there, readErr := d.agenda.Get(ctx, agenda.Ref{CalendarID: ref.CalendarID, ID: ref.ID})
	switch kind := calendar.KindOf(readErr); {
	case readErr == nil:
		return there, true
	case kind == calendar.Gone || kind == calendar.NotFound:
		*err = readErr
	default:
		*err = &calendar.Failure{Kind: calendar.Ambiguous, Err: *err}
	}
	return calendar.Event{}, false
}

// changedMeanwhile reads again what somebody else changed, and asks again about what is there now.
func (c *Concierge) changedMeanwhile(ctx context.Context, d diary, p plan, did outcome) (graph.Command[State], error) {
	var list []own
	for _, o := range did.left {
		ref := o.Ref
		e, err := d.agenda.Get(ctx, agenda.Ref{CalendarID: ref.CalendarID, ID: ref.ID})
		if failed(ctx, err) {
			return graph.Command[State]{}, err //nolint:wrapcheck // agenda says what it did
		}
		switch kind := calendar.KindOf(err); {
		case err == nil:
		case kind == calendar.Gone || kind == calendar.NotFound:
			continue
		default:
			return answered(d.partly(p, kind, did), topic{Node: nodeCalendar, Look: calendarWish{Do: doList}}), nil
		}
		list = append(list, o.reread(e, d.now.Location()))
	}
	if len(list) == 0 {
		out := d.refuse(p, calendar.Gone)
		if p.Do == planRemove {
			out = draft{Text: d.say(prompts.CalendarDone{Do: "remove", Title: d.titleOf(p), Gone: true}), Facts: facts{Calendar: statusOK}}
		}
		return answered(out, topic{Node: nodeCalendar, Look: calendarWish{Do: doList}}), nil
	}
	p.Targets, p.Changed = list, true
	return graph.Command[State]{Update: graph.Update[State]{planChannel.Write(p)}, Goto: nodeCalendar}, nil
}

// reread is an entry as it is now. Of a series it stays on the day of which was spoken, at the hour that the series has now.
func (o own) reread(e calendar.Event, loc *time.Location) own {
	next := owned(e)
	if o.Whole == nil {
		return next
	}
	w := e.When()
	next.Series, next.Whole = o.Series, &w
	day := firstDay(o.when(), loc)
	if w.AllDay {
		next.entry = next.at(calendar.When{AllDay: true, FirstDay: day, EndDay: day.AddDays(w.EndDay.Sub(w.FirstDay))})
		return next
	}
	start := minutesOf(w.Start.In(loc)).on(day, loc)
	next.entry = next.at(calendar.When{Start: start, End: start.Add(w.End.Sub(w.Start))})
	return next
}

// written says what was done, and remembers it.
func (d diary) written(ctx context.Context, p plan, did outcome) graph.Command[State] {
	first := did.done[0]
	done := prompts.CalendarDone{
		Do: string(p.Do), Title: d.named(first.entry), When: d.when(first.entry), Count: len(did.done), Series: first.Series != "",
		Gone: did.gone > 0 && did.gone == len(did.done),
	}
	switch {
	case p.Do == planAdd && !p.Repeat.isZero():
		done.Do, done.Often, done.Count = "repeat", p.Repeat.words(firstDay(first.when(), d.now.Location()), d.lang), d.countOf(ctx, p)
	case p.Do == planAdd && len(did.done) > 1:
		done.Do = "several"
	case p.Do == planChange:
		done.Place = noBrackets(first.Location)
	}
	out := draft{Text: d.say(done), Facts: facts{Calendar: statusOK}, Suggestions: d.kinds("own_that", "own_week")}
	next := topic{Node: nodeCalendar, Look: calendarWish{Do: doList}, Wrote: p.Do, Own: did.done[:min(len(did.done), maxItems)]}
	if p.Do != planRemove {
		out.Facts.Events, next.Focus = len(did.done), 1
		out.Cards = d.cards(entriesOf(next.Own))
		if len(did.done) > 1 {
			next.Focus = 0
		}
	}
	next.Total = len(next.Own)
	if d.otherZone() && p.Do != planRemove {
		d.note(&out, d.say(prompts.NoteZone{Zone: d.zone()}))
	}
	if len(did.done) == 1 {
		next.WroteTitle = first.Title
	}
	if p.Do == planRemove {
		next.Own, next.Total = nil, 0
		out.Suggestions = d.kinds("own_today", "own_week")
	}
	return answered(out, next)
}

// countOf is how many times a plan recurs, 0 if without an end.
func (d diary) countOf(ctx context.Context, p plan) int {
	if !p.Repeat.ends() {
		return 0
	}
	days, err := d.datesOf(ctx, p, p.events(d.now.Location()))
	if err != nil {
		return 0
	}
	return len(days)
}
