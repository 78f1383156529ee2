package nodes

import (
	"context"

	"annai/internal/civil"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// reviewTargets asks for what a change or a deletion lacks, or shows it.
func (d diary) reviewTargets(ctx context.Context, p plan) (plan, draft, bool, error) {
	for i, o := range p.Targets {
		if d.readOnly(o) {
			return p, d.refuse(p, calendar.Forbidden), false, nil
		}
		whole, err := d.series(ctx, o)
		if err != nil {
			return p, draft{}, false, err
		}
		p.Targets[i] = whole
	}
	if p.Do == planRemove {
		p, out := d.reviewRemove(p)
		return p, out, true, nil
	}
	return d.reviewChange(ctx, p)
}

func (d diary) reviewRemove(p plan) (plan, draft) {
	p.Await = awaitYes
	series := false
	for _, o := range p.Targets {
		series = series || o.Series != ""
	}
	intro := d.say(prompts.ConfirmRemove{Count: len(p.Targets), Series: series && len(p.Targets) == 1, Stale: p.Changed})
	listed := d.list(intro, p.Targets, len(p.Targets) > 1)
	said := []string{intro}
	for _, o := range p.Targets[:min(len(p.Targets), maxSpokenEvents)] {
		said = append(said, d.say(prompts.CalendarSlotSpoken{Title: d.named(o.entry), When: d.when(o.entry)}))
	}
	var warnings []string
	if series {
		warnings = append(warnings, d.say(prompts.CalendarInstance{}))
	}
	if p.LeftOut {
		warnings = append(warnings, d.say(prompts.Warn{Kind: "readonly"}))
	}
	out := d.confirm(p, listed.Text, said, warnings, series && len(p.Targets) == 1)
	out.Cards = listed.Cards
	return p, out
}

func (d diary) reviewChange(ctx context.Context, p plan) (plan, draft, bool, error) {
	loc := d.now.Location()
	o := p.Targets[0]
	if p.Edit.empty() {
		p, out := d.ask(p, awaitEdit, civil.Date{})
		return p, out, true, nil
	}
	series := o.Series != ""
	if series && !p.Edit.Day.IsZero() {
		if p.Edit.Day != firstDay(o.when(), loc) {
			return p, d.noOtherDay(p), false, nil
		}
		p.Edit.Day = civil.Date{}
	}
	if _, missing := p.Edit.when(o.when(), loc); p.Edit.timed() && missing != "" {
		p, out := d.ask(p, missing, firstDay(o.when(), loc))
		return p, out, true, nil
	}
	after := p.after(o, loc)
	w := after.when()
	planned := calendar.Event{
		ID: o.Ref.ID, Title: after.Title, Location: after.Location, AllDay: w.AllDay, Start: w.Start, End: w.End, FirstDay: w.FirstDay, EndDay: w.EndDay, TimeZone: p.Zone,
	}
	found, read := agenda.Collisions{Complete: true}, true
	var err error
	if p.Edit.timed() {
		if found, read, err = d.collide(ctx, []calendar.Event{planned}, o.Ref); err != nil {
			return p, draft{}, false, err
		}
	} else if err := planned.Check(); err != nil {
		return p, draft{}, false, err //nolint:wrapcheck // a failure that says all
	}
	p.Await = awaitYes
	warnings := d.warnings(p, after.entry, found)
	if series {
		warnings = append([]string{d.say(prompts.CalendarInstance{})}, warnings...)
	}
	out := d.showChange(p, o, after, warnings)
	return p, out.asRead(read), true, nil
}

func (d diary) showChange(p plan, o, after own, warnings []string) draft {
	show := prompts.ConfirmChange{
		Title: d.named(o.entry), When: d.fullWhen(o.entry), Zone: d.otherZoneName(), OldPlace: noBrackets(o.Location),
		NewNote: noBrackets(p.Edit.Note), Calendar: d.label(o.Ref.CalendarID), Series: o.Series != "", Stale: p.Changed,
	}
	say := prompts.ConfirmChangeSpoken{Title: show.Title, When: d.when(o.entry), Series: show.Series, Stale: p.Changed}
	if p.Edit.Title != "" {
		show.NewTitle = d.named(after.entry)
		say.NewTitle = show.NewTitle
	}
	if p.Edit.timed() {
		show.NewWhen, say.NewWhen = d.fullWhen(after.entry), d.when(after.entry)
	}
	if p.Edit.Place != "" {
		show.NewPlace = noBrackets(after.Location)
		say.NewPlace = show.NewPlace
	}
	out := d.confirm(p, d.say(show), []string{d.say(say)}, warnings, show.Series)
	out.Cards = d.cards([]entry{after.entry})
	return out
}

// noOtherDay says that a series can't be moved to other days.
func (d diary) noOtherDay(p plan) draft {
	return draft{
		Text:  d.say(prompts.CalendarInstance{}) + inLang(d.lang, "", " ") + d.say(prompts.CalendarSeriesDay{Title: d.titleOf(p)}),
		Facts: facts{Calendar: statusOK, Nothing: true}, Suggestions: d.kinds("own_week"),
	}
}
