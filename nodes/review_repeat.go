package nodes

import (
	"context"

	"annai/internal/civil"
	"annai/prompts"
	"annai/tools/calendar"
)

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
