package owner

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar/agenda"
)

// A target is what a command to change or delete something means.
type target struct {
	listing

	// named says that the command says anything about which; words are those it was searched by.
	named bool
	words string
}

// fromMemory is a target among the entries that were told before.
func fromMemory(list []Event) target {
	return target{listing: listing{events: list, complete: true}, named: true}
}

// resolve finds the entries that a command means; before are the words of the last search.
func (d dialog) resolve(ctx context.Context, cmd slots.Command, before string) (target, error) {
	item, list := d.request.Item, d.Memory.Events
	var at Request // when it is
	timed := at.at(targetTimes(cmd), d.now)
	words := cmp.Or(newTitle(searchWords(cmd.Title.Text)), before)
	switch {
	case item > 0 && item <= len(list):
		return fromMemory(list[item-1 : item]), nil
	case d.request.Told && len(list) > 0, words == "" && !timed && cmd.All && len(list) > 0:
		return fromMemory(list), nil
	case words == "" && !timed:
		return target{listing: listing{complete: true}}, nil
	}
	window := d.days(civil.DateOf(d.now), searchAhead)
	anyDay := words != "" && onlyHour(cmd)
	if first := civil.DateOf(at.Range.Start); timed && !anyDay {
		window = d.days(first, at.Range.LastDate().Sub(first)+1)
	}
	found, err := d.look(ctx, window, words)
	if err != nil {
		return target{}, err
	}
	found.events = slices.DeleteFunc(at.inPart(found.events, d.now.Location()), Event.cancelled)
	if words != "" {
		found.events = exactTitle(found.events, words)
	}
	switch {
	case anyDay:
		found.events = upcomingFirst(atClock(found.events, at.Range.Start), d.now)
	case !timed:
		found.events = upcomingFirst(found.events, d.now)
	case at.Range.Clock:
		found.events = atTime(found.events, at.Range, atInstant(cmd), words != "")
	}
	return target{listing: found, named: true, words: words}, nil
}

// atClock keeps the entries that begin at a time of day, if there are any.
func atClock(list []Event, at time.Time) []Event {
	return narrow(list, func(o Event) bool {
		start := o.Span(at.Location()).Start
		return !o.AllDay && *display.ClockOf(start) == *display.ClockOf(at)
	})
}

// targetTimes are the times by which a command names what it is about. Of a range that is open it
// is not said what it is about.
func targetTimes(cmd slots.Command) []datetime.Expression {
	return slices.DeleteFunc(slices.Clone(cmd.Times), func(e datetime.Expression) bool { return e.OpenStart })
}

// narrow keeps the entries that match, if there are any.
func narrow(list []Event, match func(Event) bool) []Event {
	kept := slices.DeleteFunc(slices.Clone(list), func(o Event) bool { return !match(o) })
	if len(kept) == 0 {
		return list
	}
	return kept
}

// onlyHour reports whether a command says of what it is about only at what hour it is, on whatever day.
func onlyHour(cmd slots.Command) bool {
	times := targetTimes(cmd)
	return len(times) == 1 && times[0].NoDay && atInstant(cmd)
}

// atInstant reports whether a command names what it is about by an hour, and not by a part of a day.
func atInstant(cmd slots.Command) bool {
	return slices.ContainsFunc(targetTimes(cmd), func(e datetime.Expression) bool {
		return e.Kind == datetime.KindTime && e.TimeRange.Start.Equal(e.TimeRange.End)
	})
}

// atTime keeps the entries in the span; of an instant those that begin then, or else go on then.
// Where they are named as well, another time than they have may be a slip.
func atTime(list []Event, s display.Span, instant, named bool) []Event {
	loc, within := s.Start.Location(), s.TimeRange()
	if instant {
		within.End = within.Start.Add(time.Minute)
	}
	outside := func(o Event) bool { return !o.Span(loc).Overlaps(within) }
	begins := func(o Event) bool { return o.Span(loc).Start.Equal(s.Start) }
	then := slices.DeleteFunc(slices.Clone(list), outside)
	switch {
	case len(then) == 0 && named:
		return list
	case instant:
		return narrow(then, begins)
	}
	return then
}

// whole reads the series that entries are of, so that these can be changed whole; other entries
// stay as they are.
func (d dialog) whole(ctx context.Context, list []Event) ([]Event, error) {
	list = slices.Clone(list)
	for i, o := range list {
		if o.Series == "" || o.Whole != nil {
			continue
		}
		e, err := d.agenda.Get(ctx, agenda.Ref{CalendarID: o.Ref.CalendarID, ID: o.Series})
		if err != nil {
			return nil, err //nolint:wrapcheck // agenda says what it did
		}
		w := e.When()
		list[i].Ref, list[i].Whole, list[i].Mailed = agenda.RefOf(e), &w, len(e.Attendees)
	}
	return list, nil
}

// readOnly reports whether the calendar of an entry is only read.
func (d dialog) readOnly(o Event) bool {
	return slices.ContainsFunc(d.agenda.Calendars(), func(c agenda.Calendar) bool {
		return c.ID == o.Ref.CalendarID && c.Writer == nil
	})
}

// writable keeps the entries whose calendars can be written to, if there are any, and reports
// whether others are left out.
func (d dialog) writable(list []Event) (kept []Event, leftOut bool) {
	kept = narrow(list, func(o Event) bool { return !d.readOnly(o) })
	return kept, len(kept) < len(list)
}

// askWhich asks which of several entries is meant.
func (d dialog) askWhich(p Plan, list []Event) Result {
	p.Choices, p.Await = list[:min(len(list), maxItems)], awaitChoice
	ask := prompts.CalendarWhich{Do: string(p.Do), Wanted: searchWords(p.Words), Count: len(list)}
	if len(p.Choices) < len(list) {
		ask.More = len(p.Choices)
	}
	intro := d.say(ask)
	out := d.list(intro, p.Choices, true)
	out.Facts.Events, out.Facts.Asking, out.Spoken = 0, true, []string{intro}
	for i, o := range p.Choices {
		if i < maxSpoken {
			item := prompts.CalendarSlotSpoken{Number: i + 1, When: d.when(o), Title: d.title(o)}
			out.Spoken = append(out.Spoken, d.say(item))
		}
		out.Suggestions = append(out.Suggestions, d.optionOf(o))
	}
	r := asking(p, out)
	d.apologize(&r)
	return r
}

// optionOf is an entry as an answer to which.
func (d dialog) optionOf(o Event) string {
	return d.title(o) + display.InLang(d.lang, "（"+d.when(o)+"）", " ("+d.when(o)+")")
}

// chosenFrom says which of the choices an answer means: one, several where it is not clear, none
// where it means something else. out says that it names one that is not there.
func (d dialog) chosenFrom(choices []Event, cmd slots.Command) (list []Event, out bool) {
	u := d.Understanding
	switch n := placed(cmp.Or(d.Option, u.Reference.Ordinal, nlu.BareNumber(u.Text)), len(choices)); {
	case n < 0:
		return nil, true
	case n > 0:
		return choices[n-1 : n], false
	}
	said := strings.TrimSpace(d.Said)
	for i, o := range choices {
		if said == d.optionOf(o) || strings.EqualFold(said, o.Title) {
			return choices[i : i+1], false
		}
	}
	named := func(o Event) bool { return o.Title != "" && text.ContainsWord(d.Said, o.Title) }
	if i, ok := onlyOne(choices, named); ok {
		return choices[i : i+1], false
	}
	loc, title := d.now.Location(), cmd.Title.Text
	e := readTimes(cmd.Times, d.now).edit
	list = slices.DeleteFunc(slices.Clone(choices), func(o Event) bool {
		return !isGeneric(title) && !text.ContainsWord(o.Title+" "+o.Location, title) ||
			!onDay(e, o.day(loc), false) ||
			e.Clock != nil && (o.AllDay || *display.ClockOf(o.Start.In(loc)) != *e.Clock)
	})
	if len(list) == len(choices) {
		return nil, false
	}
	return list, false
}

// onlyOne returns the index of the only entry that is meant. ok is false for none and for several.
func onlyOne(list []Event, meant func(Event) bool) (i int, ok bool) {
	i = slices.IndexFunc(list, meant)
	if i < 0 || slices.ContainsFunc(list[i+1:], meant) {
		return 0, false
	}
	return i, true
}

// isMovedTo reports whether the times of an order to change something, which does not say to what,
// are when it shall be ("reschedule dinner for Sunday") and not when it is: there is nothing of
// that name then.
func (d dialog) isMovedTo(ctx context.Context, cmd slots.Command) bool {
	if len(cmd.Times) == 0 || cmd.Title.Text == "" && d.request.Item < 1 {
		return false
	}
	found, err := d.resolve(ctx, cmd, "")
	return err == nil && (d.request.Item > 0 || found.complete && len(found.events) == 0)
}
