package owner

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"annai/civil"
	"annai/internal/text"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// reviewed asks for what a plan lacks, or for a yes. A plan that can't be is answered.
func (d dialog) reviewed(ctx context.Context, p Plan) (Result, error) {
	p.AskedAt, p.Zone = d.now, d.now.Location().String()
	if slices.ContainsFunc(p.Targets, d.readOnly) {
		return closed(d.refuse(p, calendar.Forbidden, outcome{})), nil
	}
	p = d.reminding(p)
	var r Result
	var err error
	p.Targets, err = d.whole(ctx, p.Targets)
	switch {
	case err != nil:
	case p.Do == ActionAdd:
		r, err = d.reviewAdd(ctx, p)
	case p.Do == ActionChange:
		r, err = d.reviewChange(ctx, p)
	case p.Do == ActionRemove:
		r = d.reviewRemove(p)
	}
	switch {
	case failed(ctx, err):
		return Result{}, err
	case err != nil:
		d.warn(ctx, err)
		return closed(d.refuse(p, calendar.KindOf(err), outcome{})), nil
	case r.Next == NextAsk:
		r.Answer.Facts.Asking, r.Answer.Facts.Gesture = true, "think"
		d.tellMissing(&r)
		d.apologize(&r)
	}
	return r, nil
}

// apologize says, before a question, that the answer to it was not understood, if it was not.
func (d dialog) apologize(r *Result) {
	if !r.Plan.Puzzled {
		return
	}
	out := &r.Answer
	sorry := d.say(prompts.CalendarPuzzled{})
	if out.Spoken == nil {
		out.Spoken = display.Sentences(out.Text)
	}
	out.Text, out.Spoken = display.JoinParts(sorry, out.Text), append([]string{sorry}, out.Spoken...)
	r.Plan.Puzzled = false
}

// refuse says why something is not written, or what was done of it before that.
func (d dialog) refuse(p Plan, kind calendar.Kind, did outcome) Answer {
	f := prompts.CalendarWriteFailed{
		Do: string(p.Do), Kind: string(kind), Why: kind.Message(string(d.lang)), Title: d.titleOf(p), Again: p.Unsure,
		Done: len(did.done), Left: did.stuck,
	}
	out := Answer{Text: d.say(f), Facts: Facts{Calendar: StatusEmpty, Nothing: true}}
	out.Suggestions = d.kinds("own_today", "own_week")
	switch kind {
	case calendar.Auth,
		calendar.Scope,
		calendar.RateLimited,
		calendar.Quota,
		calendar.Unavailable,
		calendar.Ambiguous:
		out.Facts.Calendar = StatusError
	case calendar.NotFound,
		calendar.NoCalendar,
		calendar.Gone,
		calendar.Invalid,
		calendar.InvalidText,
		calendar.Instance,
		calendar.Exists,
		calendar.Stale,
		calendar.Forbidden:
	}
	return out
}

// titleOf is the name of what a plan is about.
func (d dialog) titleOf(p Plan) string {
	switch {
	case len(p.Targets) > 0:
		return d.title(p.Targets[0])
	case p.Edit.Title != "":
		return display.NoBrackets(text.OneLine(p.Edit.Title, display.MaxTitle))
	}
	return d.say(prompts.CalendarThis{})
}

// ask is a question for something that a plan lacks: a time of day on that day, for one.
func (d dialog) ask(p Plan, what await, day civil.Date) Result {
	p.Await, p.AskedAt = what, d.now
	a := prompts.CalendarAsk{Kind: string(what)}
	switch what {
	case awaitTarget:
		a.Kind = "target_" + string(p.Do)
	case awaitClock:
		a.Day = d.day(day)
	case awaitTime, awaitEdit:
		if what == awaitEdit && p.Part != "" {
			a.Kind = "edit_" + p.Part
		}
		if p.Edit.Title != "" || len(p.Targets) > 0 {
			a.Title = d.titleOf(p)
		}
	case awaitTitle, awaitYes, awaitChoice:
	}
	return asking(p, Answer{Text: d.say(a), Facts: Facts{Asking: true}})
}

// reviewAdd asks for what a new entry lacks, or shows it and what is in its way.
func (d dialog) reviewAdd(ctx context.Context, p Plan) (Result, error) {
	loc := d.now.Location()
	if p.Edit.Title == "" {
		return d.ask(p, awaitTitle, civil.Date{}), nil
	}
	if !p.Repeat.isZero() && !p.Edit.Day.IsZero() {
		p.Edit.Day = d.firstOf(p)
	}
	o, missing := p.new(civil.Date{}, loc)
	if missing != "" {
		return d.ask(p, missing, p.Edit.Day), nil
	}
	events := p.events(loc)
	found, err := d.collide(ctx, events, agenda.Ref{})
	if err != nil {
		return Result{}, err
	}
	warnings := d.warnings(p, o, found)
	if !p.Repeat.isZero() || len(events) > 1 {
		return d.showRepeat(ctx, p, o, events, warnings)
	}
	c, _ := d.agenda.Writable()
	show := prompts.ConfirmAdd{
		Title: d.title(o), When: d.fullWhen(o), Zone: d.otherZone(), Place: o.Location, Note: oneNote(o.Description),
		Calendar: d.labels[c.ID], Offered: p.Offered,
	}
	spoken := prompts.ConfirmAddSpoken{Title: d.title(o), When: d.when(o), Place: o.Location}
	return d.confirm(p, d.say(show), []string{d.say(spoken)}, warnings, o), nil
}

// fullWhen is when an entry is, the year included.
func (d dialog) fullWhen(o Event) string {
	return display.WrittenWhen(o.Entry, d.now.Location(), d.lang)
}

// Warnings are what should be known before a yes.
type warnings struct {
	list []string
	// unread says that the calendar could not be read, and unchecked that a part of it was not.
	unread, unchecked bool
}

// confirm puts a question together: what, what speaks against it, and whether.
func (d dialog) confirm(p Plan, text string, spoken []string, w warnings, shown ...Event) Result {
	p.Await = awaitYes
	ask := prompts.ConfirmAsk{Do: string(p.Do), Many: len(p.Targets) > 1 || len(p.Days) > 1}
	ask.Series = len(p.Targets) == 1 && p.Targets[0].Series != ""
	if p.Offered {
		ask.Do = "offer"
	}
	if p.More {
		w.list = append(w.list, d.say(prompts.Warn{Kind: "more"}))
	}
	mail := "nobody"
	if slices.ContainsFunc(p.Targets, func(o Event) bool { return o.Mailed > 0 }) {
		mail = "mailed"
	}
	mails, question := d.say(prompts.Warn{Kind: mail}), d.say(ask)
	out := Answer{
		Text: text, Spoken: append(spoken, w.list...), Cards: d.cards(shown...),
		Facts: Facts{Calendar: StatusOK, Partial: w.unchecked}, Suggestions: d.kinds("yes_"+string(p.Do), "no"),
	}
	if w.unread {
		out.Facts.Calendar = StatusError
	}
	if zone := d.otherZone(); zone != "" && p.Do != ActionRemove {
		out.Spoken = append(out.Spoken, d.say(prompts.NoteZone{Zone: zone}))
	}
	if len(p.People) > 0 || mail == "mailed" {
		out.Spoken = append(out.Spoken, mails)
	}
	notes := w.list
	if p.Do == ActionAdd || mail == "mailed" {
		notes = append(slices.Clone(notes), mails)
	}
	if len(notes) > 0 {
		out.Text = display.JoinParts(out.Text, strings.Join(notes, "\n"))
	}
	out.Text, out.Spoken = display.JoinParts(out.Text, question), append(out.Spoken, question)
	out.Confirmation = &display.Confirmation{
		Do: string(p.Do), Ask: question, Warnings: w.list, Notes: notes[len(w.list):],
	}
	out.Confirmation.Intro, out.Confirmation.Fields = display.FieldsOf(text)
	if p.Do == ActionRemove {
		out.Confirmation.Fields = nil
	}
	return asking(p, out)
}

// maxNoteAsked is how many characters of a note are shown before a yes.
const maxNoteAsked = 400

// oneNote is a note as a field, which is one line.
func oneNote(note string) string { return text.OneLine(note, maxNoteAsked) }

// A collision is what is in the way of entries; or the calendar could not be read.
type collision struct {
	agenda.Collisions

	unread bool
}

// collide finds what is in the way of several entries, as of one. A calendar that can't be written
// to either, before its owner has signed in again, is an error.
func (d dialog) collide(ctx context.Context, events []calendar.Event, except agenda.Ref) (collision, error) {
	all := agenda.Collisions{Complete: true}
	for _, e := range events {
		if err := e.Check(); err != nil {
			return collision{}, err //nolint:wrapcheck // a failure that says all
		}
		found, err := d.agenda.Collisions(ctx, e, except)
		switch kind := calendar.KindOf(err); {
		case err == nil:
		case ctx.Err() != nil || kind == calendar.Auth || kind == calendar.Scope:
			return collision{}, err //nolint:wrapcheck // agenda says what it did
		default:
			d.warn(ctx, err)
			return collision{unread: true}, nil
		}
		all.Overlaps = append(all.Overlaps, found.Overlaps...)
		all.Duplicates = append(all.Duplicates, found.Duplicates...)
		all.Complete = all.Complete && found.Complete
	}
	return collision{Collisions: all}, nil
}

// warnings are what should be known before a yes to an entry as it will be.
func (d dialog) warnings(p Plan, o Event, found collision) warnings {
	w := warnings{unread: found.unread, unchecked: !found.Complete}
	add := func(holds bool, p prompts.Prompt) {
		if holds {
			w.list = append(w.list, d.say(p))
		}
	}
	if n := len(found.Duplicates); n > 0 {
		first := EventOf(found.Duplicates[0])
		add(true, prompts.WarnDuplicate{Title: d.title(first), When: d.when(first)})
	}
	if n := len(found.Overlaps); n > 0 {
		first := EventOf(found.Overlaps[0])
		add(true, prompts.WarnOverlap{Title: d.title(first), When: d.when(first), More: n - 1})
	}
	add(w.unchecked, prompts.Warn{Kind: "unchecked"})
	add(display.Ended(o.Span(d.now.Location()), d.now), prompts.Warn{Kind: "past"})
	lead := cmp.Or(p.Edit.Lead, p.Lead)
	reminder := prompts.WarnRemind{Lead: d.length(lead), Set: p.Edit.Lead > 0, Silent: !d.reminds(p)}
	add(p.Remind, reminder)
	add(len(p.Others) > 0, prompts.WarnOthers{Days: d.dayList(p.Others)})
	add(p.Edit.Afternoon, prompts.Warn{Kind: "afternoon"})
	add(p.Except, prompts.Warn{Kind: "except"})
	add(p.Edit.Weekday, prompts.Warn{Kind: "weekday"})
	w.list = append(w.list, d.captureChecks(p)...)
	return w
}
