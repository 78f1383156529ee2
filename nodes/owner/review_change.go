package owner

import (
	"context"
	"slices"

	"annai/civil"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// reviewRemove shows what will be deleted.
func (d dialog) reviewRemove(p Plan) Result {
	series := slices.ContainsFunc(p.Targets, func(o Event) bool { return o.Series != "" })
	one := len(p.Targets) == 1
	intro := d.say(prompts.ConfirmRemove{Count: len(p.Targets), Series: series && one, Stale: p.Changed})
	spoken := []string{intro}
	for _, o := range p.Targets[:min(len(p.Targets), maxSpoken)] {
		spoken = append(spoken, d.say(prompts.CalendarSlotSpoken{Title: d.title(o), When: d.when(o)}))
	}
	var w warnings
	if series {
		w.list = append(w.list, d.say(prompts.CalendarInstance{}))
	}
	if p.LeftOut {
		w.list = append(w.list, d.say(prompts.Warn{Kind: "readonly"}))
	}
	return d.confirm(p, d.list(intro, p.Targets, !one).Text, spoken, w, p.Targets...)
}

// reviewChange asks for what a change lacks, or shows it.
func (d dialog) reviewChange(ctx context.Context, p Plan) (Result, error) {
	loc, o := d.now.Location(), p.Targets[0]
	series := o.Series != ""
	if series && !p.Edit.Day.IsZero() {
		if p.Edit.Day != o.day(loc) {
			return closed(d.noOtherDay(p)), nil
		}
		p.Edit.Day = civil.Date{}
	}
	if p.Edit.Added {
		p.Edit.Note, p.Edit.Added = joined(o.Description, p.Edit.Note), false
	}
	if p.Edit.empty() {
		return d.ask(p, awaitEdit, civil.Date{}), nil
	}
	if _, missing := p.Edit.when(o.when(), loc); p.Edit.timed() && missing != "" {
		return d.ask(p, missing, p.Edit.onDay(o.day(loc))), nil
	}
	after := p.after(o, loc)
	was, is := o.Span(loc), after.Span(loc)
	onlyTimed := p.Edit.Title+p.Edit.Place+p.Edit.Note == "" && p.Edit.Lead == 0
	if onlyTimed && was.Start.Equal(is.Start) && was.End.Equal(is.End) {
		return closed(d.asIs(o)), nil
	}
	planned := after.event(o.Ref.ID, p.Zone)
	found, err := collision{Collisions: agenda.Collisions{Complete: true}}, error(nil)
	if p.Edit.timed() {
		found, err = d.collide(ctx, []calendar.Event{planned}, o.Ref)
	} else {
		err = planned.Check()
	}
	if err != nil {
		return Result{}, err
	}
	w := d.warnings(p, after, found)
	if series {
		w.list = append([]string{d.say(prompts.CalendarInstance{})}, w.list...)
	}
	return d.showChange(p, o, after, w), nil
}

// joined are two notes as one.
func joined(before, note string) string {
	if before == "" {
		return note
	}
	return before + " / " + note
}

// showChange asks about a change, with what becomes of the entry.
func (d dialog) showChange(p Plan, o, after Event, w warnings) Result {
	show := prompts.ConfirmChange{
		Title: d.title(o), When: d.fullWhen(o), Zone: d.otherZone(), OldPlace: o.Location,
		NewNote: oneNote(p.Edit.Note), Calendar: d.label(o), Series: o.Series != "", Stale: p.Changed,
	}
	say := prompts.ConfirmChangeSpoken{
		Title:  show.Title,
		When:   d.when(o),
		Series: show.Series,
		Stale:  p.Changed,
		Remind: p.Edit.Lead > 0,
	}
	if p.Edit.Title != "" {
		show.NewTitle, say.NewTitle = d.title(after), d.title(after)
	}
	if p.Edit.timed() {
		show.NewWhen, say.NewWhen = d.fullWhen(after), d.when(after)
	}
	if p.Edit.Place != "" {
		show.NewPlace, say.NewPlace = after.Location, after.Location
	}
	return d.confirm(p, d.say(show), []string{d.say(say)}, w, after)
}

// asIs says that an entry is then already when it shall be.
func (d dialog) asIs(o Event) Answer {
	return Answer{
		Text: d.say(prompts.CalendarAsIs{Title: d.title(o), When: d.when(o)}), Cards: d.cards(o),
		Facts: Facts{Calendar: StatusOK}, Suggestions: d.kinds("own_today", "own_week"),
	}
}

// noOtherDay says that a series can't be moved to other days.
func (d dialog) noOtherDay(p Plan) Answer {
	why := []string{d.say(prompts.CalendarInstance{}), d.say(prompts.CalendarSeriesDay{Title: d.titleOf(p)})}
	return Answer{
		Text: display.JoinSentences(why, d.lang), Facts: Facts{Calendar: StatusOK, Nothing: true},
		Suggestions: d.kinds("own_week"),
	}
}
