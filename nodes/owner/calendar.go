// Package owner is the owner's calendar by talking: what is planned and when there is time, and
// what is added, changed and deleted.
//
// The idea to hold: nothing is written that was not agreed to. What somebody wants written becomes
// a [Plan], which is data. It is reviewed and asked about, an answer to the question agrees to it,
// changes it or drops it, and what was agreed to is carried out once, under ids that the plan has
// had from the beginning, so that a crash or a lost answer makes nothing twice.
//
// The package knows no graph and no session: a [Turn] goes in, and a [Result] comes out that says
// how it goes on. It asks nobody who speaks: only an owner's turns may be given to it.
package owner

import (
	"context"
	"log/slog"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/slots"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/tasks"
)

// Options are what a [Calendar] needs to know of its surroundings.
type Options struct {
	// Log receives what an operator must know: calendars that failed.
	Log *slog.Logger
	// Deadline bounds a turn.
	Deadline time.Duration
	// Location is where the venue is.
	Location *time.Location
	// Tasks are the owners' lists of tasks. Nil: there are none.
	Tasks tasks.Lists
}

// A Calendar answers the owner of calendars. It is safe for concurrent use.
type Calendar struct {
	agenda *agenda.Agenda
	opts   Options
}

// New returns what answers from those calendars.
func New(a *agenda.Agenda, opts Options) *Calendar { return &Calendar{agenda: a, opts: opts} }

// A Turn is what the owner said, and what the talk was about before.
type Turn struct {
	// Said is what was said, Understanding what the words say.
	Said          string
	Understanding nlu.Understanding
	// Option is the number of the option that was chosen, from 1; 0 where words were said.
	Option int
	// Language is that of the answer, Now the instant in the location of who speaks.
	Language nlu.Language
	Now      time.Time
	// Key makes the ids of what is planned in this turn: the same for the same turn.
	Key string
	// NamesVenue says that the words name the venue.
	NamesVenue bool
	// NamesOther says that they name something else than a detail of what was told: トイレはどこ？
	NamesOther bool
	// Owner is the name of the owner who speaks; empty: none in particular.
	Owner string
	// Capture is what was read of a picture, a page or a text that shall be added. Nil: none was given.
	Capture *Capture
	// Memory is what the owner was told before, if that was what the talk was about.
	Memory Memory
}

// A Memory is what was told of the calendar, so that what is said next can leave it out.
type Memory struct {
	// Events are the entries as they were told, the first at position Offset+1 of all found.
	Events []Event
	Offset int
	Total  int
	// Focus is the place in Events, from 1, of the one spoken of in particular; 0 for none.
	Focus int
	// Todos are the tasks as they were told.
	Todos []Todo
	// Request is what was asked, Range when, Slots are the times that were suggested.
	Request Request
	Range   display.Span
	Slots   []civil.TimeRange
	// Wrote is what was done right before, and WroteTitle to what, if to one entry.
	Wrote      Action
	WroteTitle string
}

// Next says how a talk goes on. It is a closed set.
type Next string

// The values of [Next].
const (
	NextAnswer Next = "answer" // the answer is said, and there is no plan any more
	NextAsk    Next = "ask"    // the answer is a question about the plan
	NextReview Next = "review" // the plan is to be given to [Calendar.Handle]
	NextCommit Next = "commit" // the plan was agreed to, and is to be given to [Calendar.Commit]
	NextVerify Next = "verify" // nobody knows whether it was done: [Calendar.Verify] finds out
	NextLeave  Next = "leave"  // something else was said; Dropped is what the plan would have done
)

// A Result is what comes of a turn.
type Result struct {
	Next Next
	// Written says that a plan was carried out.
	Written bool
	Answer  Answer
	Memory  Memory
	Plan    Plan
	Dropped Action
}

// Status says how the calendars fared. It is a closed set.
type Status string

// The values of [Status].
const (
	StatusOK    Status = "ok"
	StatusEmpty Status = "empty"
	StatusError Status = "error"
)

func answered(a Answer, m Memory) Result { return Result{Next: NextAnswer, Answer: a, Memory: m} }

// closed is an answer after which nothing that was told is spoken of any more.
func closed(a Answer) Result { return answered(a, Memory{Request: Request{Do: DoList}}) }

func asking(p Plan, a Answer) Result { return Result{Next: NextAsk, Plan: p, Answer: a} }

// Handle does what is requested, or goes on with a plan. What is only looked up is answered at
// once; what would be written becomes a plan, which is asked about first. Its error is the end of
// the whole turn; a calendar that fails is an answer.
func (c *Calendar) Handle(ctx context.Context, t Turn, p Plan, r Request) (Result, error) {
	d := c.dialog(t, r)
	switch {
	case p.IsTodo():
		return d.reviewTodo(p), nil
	case r.Do == DoTodo:
		return d.todo(ctx)
	case p.Search:
		p.Search = false
		return d.planFor(ctx, p, ordered(t.Understanding))
	case p.Await == awaitTarget:
		r := d.ask(p, awaitTarget, civil.Date{})
		d.apologize(&r)
		return r, nil
	case len(p.Choices) > 1:
		return d.askWhich(p, p.Choices), nil
	case p.Open():
		return d.reviewed(ctx, p)
	case r.Do == DoCapture && t.Capture != nil:
		return d.capture(ctx)
	case r.Do == DoWrite:
		return d.write(ctx)
	case r.Do == DoPick:
		return d.picked(ctx)
	}
	return d.read(ctx)
}

// write makes a plan of what was said.
func (d dialog) write(ctx context.Context) (Result, error) {
	u := d.Understanding
	cmd := ordered(u)
	switch {
	case d.request.Amend:
		e, _ := corrected(Plan{Do: ActionChange}, u, d.now)
		return d.planFor(ctx, Plan{Do: ActionChange, Edit: e}, cmd)
	case d.request.Item < 0:
		return d.recall(), nil
	case wantsReminder(cmd):
		if r, ok, err := d.reminder(ctx, cmd); ok || err != nil {
			return r, err
		}
	case cmd.Operation == slots.Update:
		p := Plan{Do: ActionChange, Edit: orderedEdit(cmd, u, d.now)}
		if p.Edit.empty() {
			if p.Part = partNamed(u.Text); p.Part == "" && d.isMovedTo(ctx, cmd) {
				p.Edit, cmd.Times = readTimes(cmd.Times, d.now).edit, nil
			}
		}
		return d.planFor(ctx, p, cmd)
	case cmd.Operation == slots.Delete:
		return d.planFor(ctx, Plan{Do: ActionRemove}, cmd)
	}
	return d.create(ctx, cmd)
}

// create makes a plan of a new entry.
func (d dialog) create(ctx context.Context, cmd slots.Command) (Result, error) {
	p, out, ok := d.newPlan(cmd, d.Understanding)
	if !ok {
		return closed(out), nil
	}
	return d.reviewed(ctx, p)
}

// planFor finds what a plan is about, and asks where that is not clear.
func (d dialog) planFor(ctx context.Context, p Plan, cmd slots.Command) (Result, error) {
	found, err := d.resolve(ctx, cmd, p.Words)
	p.Words, p.Targets, p.AskedAt, p.More = found.words, nil, d.now, p.More || cmd.More
	if len(found.events) > 1 {
		found.events, p.LeftOut = d.writable(found.events)
	}
	n := len(found.events)
	switch {
	case failed(ctx, err):
		return Result{}, err
	case err != nil:
		d.warn(ctx, err)
		return closed(d.refuse(p, calendar.KindOf(err), outcome{})), nil
	case !found.named:
		return d.ask(p, awaitTarget, civil.Date{}), nil
	case n == 0 && !found.complete:
		return closed(d.refuse(p, calendar.Unavailable, outcome{})), nil
	case n == 0:
		return closed(d.nothingSuch(found, cmd)), nil
	case n == 1, cmd.All && p.Do == ActionRemove && n <= maxItems:
		p.Targets = found.events
		return d.reviewed(ctx, p)
	}
	return d.askWhich(p, found.events), nil
}

// nothingSuch says that there is no entry like the one that was named.
func (d dialog) nothingSuch(found target, cmd slots.Command) Answer {
	s, timed := display.SpanOf(targetTimes(cmd), d.now)
	none := prompts.CalendarNotFound{Wanted: found.words}
	if timed {
		none.Range = s.Adverb(d.now, d.lang)
	}
	out := Answer{Text: d.say(none), Facts: Facts{Calendar: StatusEmpty, Nothing: true}}
	out.Suggestions = d.kinds("own_today", "own_week")
	if found.words == "" && timed {
		out.Text = d.say(prompts.CalendarEmpty{Range: s.Words(d.now, d.lang)})
	}
	return out
}
