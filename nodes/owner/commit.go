package owner

import (
	"context"
	"time"

	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// tries is how often a write is tried of which nobody knows whether it was done.
const tries = 3

// Commit carries out a plan that was agreed to. It may run twice, after a crash or because the
// answer of the calendar was lost: what is created has the plan's own id, what is changed or
// deleted carries the etag that it was read with. Again: it may have been done.
func (c *Calendar) Commit(ctx context.Context, t Turn, p Plan, again bool) (Result, error) {
	d := c.dialog(t, Request{})
	if p.IsTodo() {
		return d.commitTodo(ctx, p)
	}
	d.retried = again || p.Unsure
	return d.commit(ctx, p, 1, d.opts.Deadline/2) // there must be time left to say what became of it
}

// Verify finds out about a write of which nobody knows whether it was done, by doing the same again
// under the same id.
func (c *Calendar) Verify(ctx context.Context, t Turn, p Plan) (Result, error) {
	d := c.dialog(t, Request{})
	d.retried = true
	return d.commit(ctx, p, tries, d.opts.Deadline/2/(tries+1))
}

// outcome is what became of a plan.
type outcome struct {
	// done are the entries as they are then; of a deletion, what was deleted.
	done []Event
	// gone counts the deleted ones that had been deleted before.
	gone int
	// left are targets with which nothing was done.
	left []Event
	// stuck counts entries that could not be taken back.
	stuck int
	err   error
}

// commit carries out a plan, in so many attempts of that length.
func (d dialog) commit(ctx context.Context, p Plan, attempts int, limit time.Duration) (Result, error) {
	var did outcome
	for range attempts {
		did = d.carryOut(ctx, p, limit)
		if ctx.Err() != nil && did.err != nil {
			return Result{}, did.err // the plan stays, and a yes may be said again
		}
		if calendar.KindOf(did.err) != calendar.Ambiguous || did.err == nil {
			break
		}
	}
	if did.err == nil {
		done := d.written(ctx, p, did)
		done.Written = true
		if ask, ok := d.suggestTodos(p, done); ok {
			ask.Written = true
			return ask, nil
		}
		return done, nil
	}
	d.warn(ctx, did.err)
	kind := calendar.KindOf(did.err)
	switch {
	case kind == calendar.Ambiguous && attempts == 1:
		return Result{Next: NextVerify, Plan: p}, nil
	case kind == calendar.Stale:
		return d.changedMeanwhile(ctx, p, did)
	case kind == calendar.Ambiguous && len(p.Days) == 0: // several entries were taken back, and their ids are used up
		return d.unsure(p, did), nil
	}
	return closed(d.refuse(p, kind, did)), nil
}

// unsure says that nobody knows what became of a plan. It is kept: another yes does the same again,
// under the same id.
func (d dialog) unsure(p Plan, did outcome) Result {
	p.Unsure, p.Await, p.AskedAt = true, awaitYes, d.now
	out := d.refuse(p, calendar.Ambiguous, did)
	out.Suggestions = d.kinds("yes_"+string(p.Do), "no")
	out.Confirmation = &display.Confirmation{Do: string(p.Do), Ask: out.Text}
	return asking(p, out)
}

// carryOut does what the plan says, once, in that time.
func (d dialog) carryOut(ctx context.Context, p Plan, limit time.Duration) outcome {
	write, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var did outcome
	switch p.Do {
	case ActionAdd:
		did = d.add(write, p)
	case ActionChange:
		did = d.change(write, p)
	case ActionRemove:
		did = d.remove(write, p)
	case ActionTodoAdd, ActionTodoTick, ActionTodoRemove: // see commitTodo
	}
	if did.err != nil && write.Err() != nil && ctx.Err() == nil { // it may have been done, and the answer come too late
		did.err = &calendar.Failure{Kind: calendar.Ambiguous, Err: did.err}
	}
	return did
}

func (d dialog) add(ctx context.Context, p Plan) outcome {
	events := p.events(d.now.Location())
	var did outcome
	if len(events) == 1 {
		made, err := d.agenda.Create(ctx, events[0])
		if did.err = err; err == nil {
			did.done = []Event{EventOf(made)}
		}
	} else {
		report, err := d.agenda.CreateAll(ctx, events)
		did = outcome{done: eventsOf(report.Created), stuck: len(report.Left), err: err}
	}
	if d.retried && did.err != nil && ctx.Err() == nil {
		return d.addedBefore(ctx, events, did)
	}
	return did
}

// addedBefore looks for what may have been created before, after this run could not.
func (d dialog) addedBefore(ctx context.Context, events []calendar.Event, did outcome) outcome {
	var there []Event
	for _, e := range events {
		found, err := d.agenda.Get(ctx, agenda.Ref{ID: e.ID})
		switch {
		case err == nil:
			there = append(there, EventOf(found))
		case !isGone(err):
			return outcome{err: &calendar.Failure{Kind: calendar.Ambiguous, Err: did.err}}
		}
	}
	if len(there) == len(events) {
		return outcome{done: there}
	}
	did.stuck = len(there)
	return did
}

func (d dialog) change(ctx context.Context, p Plan) outcome {
	o := p.Targets[0]
	change := p.change(o.base(), d.now.Location())
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
	return outcome{done: []Event{after}}
}

func (d dialog) remove(ctx context.Context, p Plan) outcome {
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

// asItIs reads an entry that could not be changed or deleted after it may have been before. Where
// it can't be read either, nobody knows; where it is gone, that is the failure. Otherwise err stays
// as it is.
func (d dialog) asItIs(ctx context.Context, ref agenda.Ref, err *error) (there calendar.Event, known bool) {
	if !d.retried || ctx.Err() != nil {
		return calendar.Event{}, false
	}
	there, readErr := d.agenda.Get(ctx, agenda.Ref{CalendarID: ref.CalendarID, ID: ref.ID})
	switch {
	case readErr == nil:
		return there, true
	case isGone(readErr):
		*err = readErr
	default:
		*err = &calendar.Failure{Kind: calendar.Ambiguous, Err: *err}
	}
	return calendar.Event{}, false
}

// isGone reports whether an entry is not there any more.
func isGone(err error) bool {
	kind := calendar.KindOf(err)
	return err != nil && (kind == calendar.Gone || kind == calendar.NotFound)
}

// changedMeanwhile reads again what somebody else changed, and asks again about what is there now.
func (d dialog) changedMeanwhile(ctx context.Context, p Plan, did outcome) (Result, error) {
	var list []Event
	for _, o := range did.left {
		e, err := d.agenda.Get(ctx, agenda.Ref{CalendarID: o.Ref.CalendarID, ID: o.Ref.ID})
		switch {
		case failed(ctx, err):
			return Result{}, err //nolint:wrapcheck // agenda says what it did
		case err == nil:
			list = append(list, o.reread(e, d.now.Location()))
		case !isGone(err):
			return closed(d.refuse(p, calendar.KindOf(err), did)), nil
		}
	}
	switch {
	case len(list) > 0:
		p.Targets, p.Changed = list, true
		return Result{Next: NextReview, Plan: p}, nil
	case p.Do == ActionRemove:
		done := prompts.CalendarDone{Do: string(p.Do), Title: d.titleOf(p), Gone: true}
		return closed(Answer{Text: d.say(done), Facts: Facts{Calendar: StatusOK}}), nil
	}
	return closed(d.refuse(p, calendar.Gone, outcome{})), nil
}

// reread is an entry as it is now. Of a series it stays on the day of which was spoken, at the hour
// that the series has now.
func (o Event) reread(e calendar.Event, loc *time.Location) Event {
	next := EventOf(e)
	if o.Whole == nil {
		return next
	}
	w, day := e.When(), o.day(loc)
	next.Series, next.Whole = o.Series, &w
	if w.AllDay {
		return next.at(calendar.When{AllDay: true, FirstDay: day, EndDay: day.AddDays(w.EndDay.Sub(w.FirstDay))})
	}
	start := display.ClockOf(w.Start.In(loc)).On(day, loc)
	return next.at(calendar.When{Start: start, End: start.Add(w.End.Sub(w.Start))})
}

// written says what was done, and remembers it.
func (d dialog) written(ctx context.Context, p Plan, did outcome) Result {
	first, n := did.done[0], len(did.done)
	done := prompts.CalendarDone{
		Do: string(p.Do), Title: d.title(first), When: d.when(first), Count: n, Series: first.Series != "",
		Gone: did.gone > 0 && did.gone == n,
	}
	switch {
	case p.Do == ActionAdd && !p.Repeat.isZero():
		done.Do, done.Often = "repeat", p.Repeat.words(first.day(d.now.Location()), d.lang)
		done.Count = d.countOf(ctx, p)
	case p.Do == ActionAdd && n > 1:
		done.Do = "several"
	case p.Do == ActionChange:
		done.Place = first.Location
	}
	out := Answer{Text: d.say(done), Facts: Facts{Calendar: StatusOK}, Suggestions: d.kinds("own_that", "own_week")}
	next := Memory{Request: Request{Do: DoList}, Wrote: p.Do}
	if n == 1 {
		next.WroteTitle = first.Title
	}
	if p.Do == ActionRemove {
		out.Suggestions = d.kinds("own_today", "own_week")
		return answered(out, next)
	}
	next.Events = did.done[:min(n, maxItems)]
	next.Total = len(next.Events)
	if n == 1 {
		next.Focus = 1
	}
	out.Facts.Events, out.Cards = n, d.cards(next.Events...)
	if zone := d.otherZone(); zone != "" {
		d.note(&out, d.say(prompts.NoteZone{Zone: zone}))
	}
	return answered(out, next)
}

// countOf is how many times a plan recurs, 0 if without an end.
func (d dialog) countOf(ctx context.Context, p Plan) int {
	if !p.Repeat.ends() {
		return 0
	}
	days, err := d.datesOf(ctx, p, p.events(d.now.Location()))
	if err != nil {
		return 0
	}
	return len(days)
}
