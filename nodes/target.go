package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// aimed is what a command to change or delete something means.
type aimed struct {
	// list are the entries that may be meant.
	list []own
	// named says that the command says anything about which; words are those it was searched by.
	named bool
	words string
	// complete is false where a calendar could not be read.
	complete bool
}

// aim finds the entries that a command means. before are the words by which it was searched the last time.
func (d diary) aim(ctx context.Context, cmd slots.Command, text, before string) (aimed, error) {
	if d.wish.Item > 0 && d.wish.Item <= len(d.before.Own) {
		return aimed{list: d.before.Own[d.wish.Item-1 : d.wish.Item], named: true, complete: true}, nil
	}
	if d.wish.Told && len(d.before.Own) > 0 {
		return aimed{list: d.before.Own, named: true, complete: true}, nil
	}
	words := newTitle(oneLine(targetWords(cmd, text), maxWords))
	if words == "" {
		words = before
	}
	s, timed := spanOf(targetTimes(cmd), d.now)
	if words == "" && !timed {
		if cmd.All && len(d.before.Own) > 0 && d.before.Node == nodeCalendar {
			return aimed{list: d.before.Own, named: true, complete: true}, nil
		}
		return aimed{complete: true}, nil
	}
	window := d.days(civil.DateOf(d.now), searchAhead)
	if timed {
		window = d.days(civil.DateOf(s.Start), s.lastDate().Sub(civil.DateOf(s.Start))+1)
	}
	listing, err := d.look(ctx, window, words)
	if err != nil {
		return aimed{}, err
	}
	d.warnAll(ctx, listing)
	found := aimed{named: true, words: words, complete: listing.Complete}
	found.list = slices.DeleteFunc(ownedAll(listing.Events), func(o own) bool { return o.cancelled() })
	if words != "" {
		found.list = best(found.list, words)
	}
	switch {
	case !timed:
		found.list = aheadFirst(found.list, d.now)
	case s.Clock:
		found.list = atThat(found.list, s, d.now.Location())
	}
	return found, nil
}

func (d diary) look(ctx context.Context, window civil.TimeRange, words string) (calendar.Listing, error) {
	if words == "" {
		return d.agenda.List(ctx, window) //nolint:wrapcheck // agenda says what it did
	}
	return d.agenda.Find(ctx, window, words) //nolint:wrapcheck // agenda says what it did
}

// targetWords are the words by which a command names what it is about. Those behind タイトルを or "to" name what becomes of it.
func targetWords(cmd slots.Command, text string) string {
	if to := renamed(text); !to.empty() {
		return renamedWhat(text)
	}
	return cmd.Title.Text
}

// targetTimes are the times by which a command names what it is about. Of a range that is open it is not said what it is about.
func targetTimes(cmd slots.Command) []datetime.Expression {
	return slices.DeleteFunc(slices.Clone(cmd.Times), func(e datetime.Expression) bool { return e.OpenStart })
}

// atThat keeps the entries that begin at the start of the span, if there are any, else those that touch it.
func atThat(list []own, s span, loc *time.Location) []own {
	var exact, touched []own
	for _, o := range list {
		r := o.span(loc)
		if r.Start.Equal(s.Start) {
			exact = append(exact, o)
		}
		if r.Overlaps(s.timeRange()) {
			touched = append(touched, o)
		}
	}
	switch {
	case len(exact) > 0:
		return exact
	case len(touched) > 0:
		return touched
	}
	return list
}

// series reads the series that an entry is one of, so that it can be changed whole; other entries stay as they are.
func (d diary) series(ctx context.Context, o own) (own, error) {
	if o.Series == "" || o.Whole != nil {
		return o, nil
	}
	ref := agenda.Ref{CalendarID: o.Ref.CalendarID, ID: o.Series}
	e, err := d.agenda.Get(ctx, ref)
	if err != nil {
		return own{}, err //nolint:wrapcheck // agenda says what it did
	}
	w := e.When()
	o.Ref, o.Whole, o.Mailed = agenda.RefOf(e), &w, len(e.Attendees)
	return o, nil
}

// readOnly reports whether the calendar of an entry is only read.
func (d diary) readOnly(o own) bool {
	for _, c := range d.agenda.Calendars() {
		if c.ID == o.Ref.CalendarID {
			return c.Writer == nil
		}
	}
	return false
}

// writable keeps the entries whose calendars can be written to, if there are any, and reports whether others are left out.
func (d diary) writable(list []own) (kept []own, leftOut bool) {
	kept = slices.DeleteFunc(slices.Clone(list), d.readOnly)
	if len(kept) == 0 {
		return list, false
	}
	return kept, len(kept) < len(list)
}

// which asks which of several entries is meant.
func (d diary) which(p plan, found aimed) (plan, draft) {
	shown := found.list[:min(len(found.list), maxItems)]
	ask := prompts.CalendarWhich{Do: string(p.Do), Wanted: quote(found.words), Count: len(found.list)}
	if len(shown) < len(found.list) {
		ask.More = len(shown)
	}
	intro := d.say(ask)
	out := d.list(intro, shown, true)
	out.Facts.Events, out.Facts.Asking = 0, true
	out.Spoken = []string{intro}
	for i, o := range shown {
		if i < maxSpokenEvents {
			out.Spoken = append(out.Spoken, d.say(prompts.CalendarSlotSpoken{Number: i + 1, When: d.when(o.entry), Title: d.named(o.entry)}))
		}
		out.Suggestions = append(out.Suggestions, d.option(o))
	}
	p.Choices, p.Await = shown, awaitChoice
	return p, out
}

// option is an entry as an answer to which.
func (d diary) option(o own) string {
	return d.named(o.entry) + inLang(d.lang, "（"+d.when(o.entry)+"）", " ("+d.when(o.entry)+")")
}

// chosenFrom says which of the choices an answer means: one, several where it is not clear, none where it means something else.
func (d diary) chosenFrom(choices []own, r reply, cmd slots.Command, ordinal int) (list []own, out bool) {
	n := r.Option
	if n == 0 {
		n = ordinal
	}
	switch {
	case n > len(choices), n < -len(choices):
		return nil, true
	case n > 0:
		return choices[n-1 : n], false
	case n < 0:
		return choices[len(choices)+n : len(choices)+n+1], false
	}
	for i, o := range choices {
		if said := strings.TrimSpace(r.Turn.Query); said == d.option(o) || strings.EqualFold(said, o.Title) {
			return choices[i : i+1], false
		}
	}
	if i, ok := onlyNamed(choices, r.Turn.Query); ok {
		return choices[i : i+1], false
	}
	list = choices
	if words := cmd.Title.Text; words != "" && !isGeneric(words) {
		list = slices.DeleteFunc(slices.Clone(list), func(o own) bool { return !containsFold(o.Title+" "+o.Location, words) })
	}
	said := readTimes(cmd.Times, d.now).edit
	loc := d.now.Location()
	if !said.Day.IsZero() && !said.Guessed {
		list = slices.DeleteFunc(slices.Clone(list), func(o own) bool { return firstDay(o.when(), loc) != said.Day })
	}
	if said.Clock != nil {
		list = slices.DeleteFunc(slices.Clone(list), func(o own) bool { return o.AllDay || *minutesOf(o.Start.In(loc)) != *said.Clock })
	}
	if len(list) == len(choices) {
		return nil, false
	}
	return list, false
}

// onlyNamed returns the only one of the entries whose title stands in the words.
func onlyNamed(list []own, words string) (int, bool) {
	found := -1
	for i, o := range list {
		if o.Title == "" || !containsFold(words, o.Title) {
			continue
		}
		if found >= 0 {
			return 0, false
		}
		found = i
	}
	return found, found >= 0
}

// isMovedTo reports whether the times of an order to change something, which does not say to what, are when it shall be ("reschedule dinner for
// Sunday") and not when it is: there is nothing of that name then.
func (d diary) isMovedTo(ctx context.Context, cmd slots.Command, u nlu.Understanding) bool {
	if len(cmd.Times) == 0 || cmd.Title.Text == "" && d.wish.Item < 1 {
		return false
	}
	found, err := d.aim(ctx, cmd, u.Text, "")
	return err == nil && (d.wish.Item > 0 || found.complete && len(found.list) == 0)
}
