package owner

import (
	"context"

	"annai/civil"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
)

// firstOf is the first day of a plan that recurs, not one on which its hour is over.
func (d dialog) firstOf(p Plan) civil.Date {
	day := p.Repeat.first(p.Edit.Day)
	if p.Edit.Clock != nil && p.Edit.Clock.On(day, d.now.Location()).Before(d.now) {
		return p.Repeat.first(day.AddDays(1))
	}
	return day
}

// showRepeat asks about an entry that recurs, or several, with their dates.
func (d dialog) showRepeat(
	ctx context.Context, p Plan, o Event, events []calendar.Event, w warnings,
) (Result, error) {
	loc := d.now.Location()
	days, err := d.datesOf(ctx, p, events)
	if err != nil {
		return Result{}, err
	}
	if len(days) == 0 {
		return Result{}, &calendar.Failure{Kind: calendar.Invalid}
	}
	c, _ := d.agenda.Writable()
	shown := days[:min(len(days), maxItems)]
	show := prompts.ConfirmRepeat{
		Title: d.title(o), Time: display.WrittenTimeOfDay(o.Entry, loc, d.lang), Dates: d.dayList(shown),
		Zone: d.otherZone(), Place: o.Location, Calendar: d.labels[c.ID],
	}
	say := prompts.ConfirmRepeatSpoken{Title: show.Title, Time: show.Time, First: d.day(days[0])}
	if !p.Repeat.isZero() {
		show.Often = p.Repeat.words(days[0], d.lang)
		say.Often = show.Often
	}
	if p.Repeat.isZero() || p.Repeat.ends() {
		show.Count, show.Rest, show.Last = len(days), len(days)-len(shown), d.day(days[len(days)-1])
		say.Count, say.Last = show.Count, show.Last
	}
	var cards []Event
	for _, day := range shown {
		one, _ := p.new(day, loc)
		cards = append(cards, one)
	}
	return d.confirm(p, d.say(show), []string{d.say(say)}, w, cards...), nil
}

func (r repeat) ends() bool { return r.Count > 0 || !r.Until.IsZero() }

// datesOf are the days of a plan that recurs: all of them, or those of a year where it has no end.
func (d dialog) datesOf(ctx context.Context, p Plan, events []calendar.Event) ([]civil.Date, error) {
	loc := d.now.Location()
	years := 1
	if p.Repeat.ends() {
		years = 10
	}
	var days []civil.Date
	for _, e := range events {
		start := e.Span(loc).Start
		within := civil.TimeRange{Start: start, End: start.AddDate(years, 0, 0)}
		instances, _, err := d.agenda.Instances(ctx, e, within)
		if err != nil {
			return nil, err //nolint:wrapcheck // agenda says what it did
		}
		for _, i := range instances {
			days = append(days, firstDay(i.When(), loc))
		}
	}
	return days, nil
}
