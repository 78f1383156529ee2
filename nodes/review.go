package nodes

import (
	"context"
	"slices"
	"strings"

	"annai/internal/civil"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// review looks at a plan and asks for what it lacks, or for a yes. A plan that cannot be is answered: then ok is false and nothing is asked.
func (d diary) review(ctx context.Context, p plan) (next plan, out draft, ok bool, err error) {
	p.AskedAt = d.now
	p.Zone = d.now.Location().String()
	switch p.Do {
	case planAdd:
		p, out, ok, err = d.reviewAdd(ctx, p)
	case planChange, planRemove:
		p, out, ok, err = d.reviewTargets(ctx, p)
	}
	if failed(ctx, err) {
		return plan{}, draft{}, false, err
	}
	if err != nil {
		d.warn(ctx, err)
		return plan{}, d.refuse(p, calendar.KindOf(err)), false, nil
	}
	if ok {
		out.Facts.Asking, out.Facts.Gesture = true, "think"
		if p.Puzzled {
			d.again(&out)
		}
		p.Puzzled = false
	}
	return p, out, ok, nil
}

// again says, before a question, that the answer to it was not understood.
func (d diary) again(out *draft) {
	sorry := d.say(prompts.CalendarPuzzled{})
	if out.Spoken == nil {
		out.Spoken = sentences(out.Text)
	}
	out.Text, out.Spoken = sorry+"\n\n"+out.Text, append([]string{sorry}, out.Spoken...)
}

// refuse says why something is not written.
func (d diary) refuse(p plan, kind calendar.Kind) draft {
	f := prompts.CalendarWriteFailed{Do: string(p.Do), Kind: string(kind), Why: kind.Message(string(d.lang)), Title: d.titleOf(p)}
	out := draft{Text: d.say(f), Facts: facts{Calendar: statusError, Nothing: true}, Suggestions: d.kinds("own_today", "own_week")}
	switch kind {
	case calendar.NotFound, calendar.Gone, calendar.Invalid, calendar.InvalidText, calendar.Instance, calendar.Exists, calendar.Stale, calendar.Forbidden:
		out.Facts.Calendar = statusEmpty
	case calendar.Auth, calendar.Scope, calendar.RateLimited, calendar.Quota, calendar.Unavailable, calendar.Ambiguous:
	}
	return out
}

// titleOf is the name of what a plan is about.
func (d diary) titleOf(p plan) string {
	switch {
	case len(p.Targets) > 0:
		return d.named(p.Targets[0].entry)
	case p.Edit.Title != "":
		return noBrackets(oneLine(p.Edit.Title, maxTitle))
	}
	return inLang(d.lang, "この予定", "it")
}

// ask is a question for something that a plan lacks.
func (d diary) ask(p plan, what await, day civil.Date) (plan, draft) {
	p.Await = what
	a := prompts.CalendarAsk{Kind: string(what)}
	switch what {
	case awaitTarget:
		a.Kind = "target_" + string(p.Do)
	case awaitClock:
		a.Day = writtenDate(day, nearby(day, civil.DateOf(d.now)), d.lang)
	case awaitTime, awaitEdit:
		if what == awaitEdit && p.Part != "" {
			a.Kind = "edit_" + p.Part
		}
		a.Title = d.titleOf(p)
		if p.Edit.Title == "" && len(p.Targets) == 0 {
			a.Title = ""
		}
	case awaitTitle, awaitYes, awaitChoice:
	}
	return p, draft{Text: d.say(a), Facts: facts{Asking: true}}
}

// reviewAdd asks for what a new entry lacks, or shows it and what is in its way.
func (d diary) reviewAdd(ctx context.Context, p plan) (plan, draft, bool, error) {
	loc := d.now.Location()
	if p.Edit.Title == "" {
		p, out := d.ask(p, awaitTitle, civil.Date{})
		return p, out, true, nil
	}
	if !p.Repeat.isZero() && !p.Edit.Day.IsZero() {
		p.Edit.Day = d.firstOf(p)
	}
	e, missing := p.entry(loc)
	if missing != "" {
		day := p.Edit.Day
		p, out := d.ask(p, missing, day)
		return p, out, true, nil
	}
	events := p.events(loc)
	found, read, err := d.collide(ctx, events, agenda.Ref{})
	if err != nil {
		return p, draft{}, false, err
	}
	warnings := d.warnings(p, e, found)
	p.Await = awaitYes
	var out draft
	if !p.Repeat.isZero() || len(events) > 1 {
		out, err = d.showRepeat(ctx, p, e, events, warnings)
		return p, out.asRead(read), err == nil, err
	}
	c, _ := d.agenda.Writable()
	text := d.say(prompts.ConfirmAdd{
		Title: d.named(e), When: d.fullWhen(e), Zone: d.otherZoneName(), Place: noBrackets(e.Location), Note: noBrackets(e.Description),
		Calendar: d.labels[c.ID], Offered: p.Offered,
	})
	said := []string{d.say(prompts.ConfirmAddSpoken{Title: d.named(e), When: d.when(e), Place: noBrackets(e.Location)})}
	out = d.confirm(p, text, said, warnings, false)
	out.Cards = d.cards([]entry{e})
	return p, out.asRead(read), true, nil
}

// asRead says of an answer whether it has anything from the calendar.
func (d draft) asRead(read bool) draft {
	if !read {
		d.Facts.Calendar = statusError
	}
	return d
}

// fullWhen is when an entry is, the year included.
func (d diary) fullWhen(e entry) string { return writtenWhen(e, d.now.Location(), d.lang) }

func (d diary) otherZoneName() string {
	if d.otherZone() {
		return d.zone()
	}
	return ""
}

// confirm puts a question together: what, what speaks against it, and whether.
func (d diary) confirm(p plan, text string, said, warnings []string, series bool) draft {
	do := string(p.Do)
	if p.Offered {
		do = "offer"
	}
	question := d.say(prompts.ConfirmAsk{Do: do, Series: series, Many: len(p.Targets) > 1 || len(p.Days) > 1})
	mail := "nobody"
	for _, o := range p.Targets {
		if o.Mailed > 0 {
			mail = "mailed"
		}
	}
	nobody := d.say(prompts.Warn{Kind: mail})
	out := draft{Text: text, Spoken: append(said, warnings...), Facts: facts{Calendar: statusOK}}
	out.Facts.Partial = slices.Contains(warnings, d.say(prompts.Warn{Kind: "unchecked"}))
	if d.otherZone() && p.Do != planRemove {
		out.Spoken = append(out.Spoken, d.say(prompts.NoteZone{Zone: d.zone()}))
	}
	if len(p.People) > 0 || mail == "mailed" {
		out.Spoken = append(out.Spoken, nobody)
	}
	notes := warnings
	if p.Do == planAdd || mail == "mailed" {
		notes = append(notes, nobody)
	}
	if len(notes) > 0 {
		out.Text = joinParts(out.Text, strings.Join(notes, "\n"))
	}
	out.Text, out.Spoken = joinParts(out.Text, question), append(out.Spoken, question)
	out.Suggestions = d.kinds("yes_"+string(p.Do), "no")
	return out
}

// collide finds what is in the way of several entries, as of one. read is false where the calendar could
// not be read; one that can't be written to
// either, before its owner has signed in again, is an error.
func (d diary) collide(ctx context.Context, events []calendar.Event, except agenda.Ref) (all agenda.Collisions, read bool, err error) {
	all = agenda.Collisions{Complete: true}
	for _, e := range events {
		if err := e.Check(); err != nil {
			return all, false, err //nolint:wrapcheck // a failure that says all
		}
		found, err := d.agenda.Collisions(ctx, e, except)
		if err != nil {
			kind := calendar.KindOf(err)
			if ctx.Err() != nil || kind == calendar.Auth || kind == calendar.Scope {
				return all, false, err //nolint:wrapcheck // agenda says what it did
			}
			d.warn(ctx, err)
			return agenda.Collisions{}, false, nil
		}
		all.Overlaps, all.Duplicates = append(all.Overlaps, found.Overlaps...), append(all.Duplicates, found.Duplicates...)
		all.Complete = all.Complete && found.Complete
	}
	return all, true, nil
}

// leadOf is how long before a reminder is wanted, as it is read; empty where it was not said.
func (d diary) leadOf(p plan) string {
	if p.Lead <= 0 {
		return ""
	}
	return d.length(p.Lead)
}

// warnings are what should be known before a yes.
func (d diary) warnings(p plan, e entry, found agenda.Collisions) []string {
	var out []string
	add := func(w prompts.Prompt) { out = append(out, d.say(w)) }
	if n := len(found.Duplicates); n > 0 {
		first := owned(found.Duplicates[0])
		add(prompts.WarnDuplicate{Title: d.named(first.entry), When: d.when(first.entry)})
	}
	if n := len(found.Overlaps); n > 0 {
		first := owned(found.Overlaps[0])
		add(prompts.WarnOverlap{Title: d.named(first.entry), When: d.when(first.entry), More: n - 1})
	}
	if !found.Complete {
		add(prompts.Warn{Kind: "unchecked"})
	}
	if past(e, d.now) {
		add(prompts.Warn{Kind: "past"})
	}
	if p.Remind {
		add(prompts.WarnRemind{Lead: d.leadOf(p)})
	}
	if len(p.Others) > 0 {
		add(prompts.WarnOthers{Days: d.dayList(p.Others, maxItems)})
	}
	if p.Edit.Afternoon {
		add(prompts.Warn{Kind: "afternoon"})
	}
	if p.Except {
		add(prompts.Warn{Kind: "except"})
	}
	if p.Edit.Weekday {
		add(prompts.Warn{Kind: "weekday"})
	}
	return out
}
