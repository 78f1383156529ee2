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
	found, err := d.collide(ctx, events, agenda.Ref{})
	if err != nil {
		return p, draft{}, false, err
	}
	warnings := d.warnings(p, e, found)
	p.Await = awaitYes
	var out draft
	if !p.Repeat.isZero() || len(events) > 1 {
		out, err = d.showRepeat(ctx, p, e, events, warnings)
		return p, out, err == nil, err
	}
	c, _ := d.agenda.Writable()
	text := d.say(prompts.ConfirmAdd{
		Title: d.named(e), When: d.fullWhen(e), Zone: d.otherZoneName(), Place: noBrackets(e.Location), Note: noBrackets(e.Description),
		Calendar: d.labels[c.ID], Offered: p.Offered,
	})
	said := []string{d.say(prompts.ConfirmAddSpoken{Title: d.named(e), When: d.when(e), Place: noBrackets(e.Location)})}
	out = d.confirm(p, text, said, warnings, false)
	out.Cards = d.cards([]entry{e})
	return p, out, true, nil
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

// collisions of several entries, as those of one.
func (d diary) collide(ctx context.Context, events []calendar.Event, except agenda.Ref) (agenda.Collisions, error) {
	all := agenda.Collisions{Complete: true}
	for _, e := range events {
		if err := e.Check(); err != nil {
			return all, err //nolint:wrapcheck // a failure that says all
		}
		found, err := d.agenda.Collisions(ctx, e, except)
		if err != nil {
			if ctx.Err() != nil {
				return all, err //nolint:wrapcheck // agenda says what it did
			}
			d.warn(ctx, err)
			return agenda.Collisions{}, nil
		}
		all.Overlaps, all.Duplicates = append(all.Overlaps, found.Overlaps...), append(all.Duplicates, found.Duplicates...)
		all.Complete = all.Complete && found.Complete
	}
	return all, nil
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
	if p.Edit.Afternoon {
		add(prompts.Warn{Kind: "afternoon"})
	}
	if p.Edit.Weekday {
		add(prompts.Warn{Kind: "weekday"})
	}
	return out
}

// firstOf is the first day of a plan that recurs, not one on which its hour is over.
func (d diary) firstOf(p plan) civil.Date {
	day := p.Repeat.first(p.Edit.Day)
	if p.Edit.Clock != nil && p.Edit.Clock.on(day, d.now.Location()).Before(d.now) {
		return p.Repeat.first(day.AddDays(1))
	}
	return day
}

// showRepeat shows an entry that recurs, or several, with their dates.
func (d diary) showRepeat(ctx context.Context, p plan, e entry, events []calendar.Event, warnings []string) (draft, error) {
	loc := d.now.Location()
	days, err := d.datesOf(ctx, p, events)
	if err != nil {
		return draft{}, err
	}
	if len(days) == 0 {
		return draft{}, &calendar.Failure{Kind: calendar.Invalid}
	}
	c, _ := d.agenda.Writable()
	shown := days[:min(len(days), maxItems)]
	first, last := shown[0], days[len(days)-1]
	today := civil.DateOf(d.now)
	show := prompts.ConfirmRepeat{
		Title: d.named(e), Time: d.timeOfDay(e), Dates: d.dayList(shown, maxItems), Zone: d.otherZoneName(), Place: noBrackets(e.Location), Calendar: d.labels[c.ID],
	}
	say := prompts.ConfirmRepeatSpoken{Title: d.named(e), Time: d.timeOfDay(e), First: writtenDate(first, nearby(first, today), d.lang)}
	if !p.Repeat.isZero() {
		show.Often = p.Repeat.words(first, d.lang)
		say.Often = show.Often
	}
	if p.Repeat.isZero() || p.Repeat.ends() {
		show.Count, show.Rest, show.Last = len(days), len(days)-len(shown), writtenDate(last, nearby(last, today), d.lang)
		say.Count, say.Last = show.Count, show.Last
	}
	out := d.confirm(p, d.say(show), []string{d.say(say)}, warnings, false)
	var cards []entry
	for _, day := range shown {
		one := p.Edit
		one.Day = day
		w, _ := one.when(calendar.When{}, loc)
		cards = append(cards, e.at(w))
	}
	out.Cards = d.cards(cards)
	return out, nil
}

func (r repeat) ends() bool { return r.Count > 0 || !r.Until.IsZero() }

// datesOf are the days of a plan that recurs: all of them, or those of a year where it has no end.
func (d diary) datesOf(ctx context.Context, p plan, events []calendar.Event) ([]civil.Date, error) {
	loc := d.now.Location()
	var days []civil.Date
	for _, e := range events {
		start := e.Span(loc).Start
		end := start.AddDate(1, 0, 0)
		if p.Repeat.ends() {
			end = start.AddDate(10, 0, 0)
		}
		instances, _, err := d.agenda.Instances(ctx, e, civil.TimeRange{Start: start, End: end})
		if err != nil {
			return nil, err //nolint:wrapcheck // agenda says what it did
		}
		for _, i := range instances {
			days = append(days, firstDay(i.When(), loc))
		}
	}
	return days, nil
}

// timeOfDay is the part of a day that an entry takes, as it is read.
func (d diary) timeOfDay(e entry) string {
	if e.AllDay {
		return inLang(d.lang, "終日", "all day")
	}
	start := e.Start.In(d.now.Location())
	_, end := writtenEnd(e.End.In(d.now.Location()), civil.DateOf(start), d.lang)
	return writtenClock(start, d.lang) + inLang(d.lang, "〜", "–") + end
}

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
	found := agenda.Collisions{Complete: true}
	var err error
	if p.Edit.timed() {
		if found, err = d.collide(ctx, []calendar.Event{planned}, o.Ref); err != nil {
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
	return p, out, true, nil
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
