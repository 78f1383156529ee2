package owner

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
)

// How many days around today are searched for an entry of which nobody said when it is.
const (
	searchAhead  = 365
	searchBehind = 90
)

// read answers what changes nothing. Its error is the end of the turn; a failing calendar is none.
func (d dialog) read(ctx context.Context) (Result, error) {
	var r Result
	var err error
	switch d.request.Do {
	case DoFind:
		r, err = d.find(ctx)
	case DoFree:
		r, err = d.free(ctx)
	case DoFreeDays:
		r, err = d.freeDays(ctx)
	case DoSuggest:
		r, err = d.suggest(ctx)
	case DoNext, DoAfter:
		r, err = d.upcoming(ctx)
	case DoRecall:
		r = d.recall()
	case DoAlready:
		r = d.already()
	case DoList, DoPick, DoWrite, DoTodo, DoCapture, "":
		r, err = d.show(ctx)
	}
	if err != nil && !failed(ctx, err) {
		d.warn(ctx, err)
		return answered(d.unread(err), d.remember(nil)), nil
	}
	return r, err
}

// A listing is what a look at the calendars has found.
type listing struct {
	all      []calendar.Event
	events   []Event
	complete bool
	asOf     time.Time
	err      error // why it is not complete, where the calendars say so
}

// look lists the entries of a time, or finds those with the words in it.
func (d dialog) look(ctx context.Context, window civil.TimeRange, words string) (listing, error) {
	var found calendar.Listing
	var err error
	if words == "" {
		found, err = d.agenda.List(ctx, window)
	} else {
		found, err = d.agenda.Find(ctx, window, words)
	}
	if err != nil {
		return listing{}, err //nolint:wrapcheck // agenda says what it did
	}
	l := listing{all: found.Events, events: eventsOf(found.Events), complete: found.Complete, asOf: found.AsOf}
	for _, p := range found.Problems {
		d.opts.Log.LogAttrs(ctx, slog.LevelWarn, "calendar incomplete",
			slog.String("calendar", p.CalendarID), slog.Any("err", p.Err))
		if l.err == nil {
			l.err = p.Err
		}
	}
	return l, nil
}

// defaultRange gives the request the range it lacks.
func (d *dialog) defaultRange(s display.Span) {
	if d.request.Range.IsZero() {
		d.request.Range = s
	}
}

// show lists a range; where none was named it is this week.
func (d dialog) show(ctx context.Context) (Result, error) {
	d.defaultRange(display.ThisWeek(d.now))
	found, err := d.look(ctx, d.request.Range.TimeRange(), "")
	if err != nil {
		return Result{}, err
	}
	all := d.request.inPart(found.events, d.now.Location())
	skip := min(d.request.Skip, len(all))
	list := all[skip:min(len(all), skip+maxItems)]
	next := d.remember(list)
	next.Offset, next.Total = skip, len(all)
	out := d.plain(StatusEmpty, prompts.CalendarEmpty{Range: d.rangeWords()})
	switch {
	case len(list) > 0:
		intro := d.say(prompts.CalendarList{Range: d.rangeWords(), Count: len(all)})
		out = d.list(intro, list, len(list) > 1)
		if rest := len(all) - skip - len(list); rest > 0 { // fewer are spoken than shown
			out.Text = display.JoinParts(out.Text, d.say(prompts.EventsMore{Count: rest}))
			out.Spoken = d.spoken(intro, all[skip:])
		}
	case !found.complete:
		return answered(d.unread(found.err), d.remember(nil)), nil
	}
	out.Facts.Assumed = !d.request.Range.Explicit
	d.notes(&out, found.complete, found.asOf, len(list) > 0)
	var kinds []string
	if skip+len(list) < len(all) {
		kinds = append(kinds, "more")
	}
	kinds = append(kinds, d.nextDays())
	if len(list) > 0 {
		kinds = append(kinds, "place")
	}
	out.Suggestions = d.kinds(append(kinds, "own_free")...)
	return answered(out, next), nil
}

// inPart keeps the entries of the part of the days that is asked about.
func (w Request) inPart(list []Event, loc *time.Location) []Event {
	return slices.DeleteFunc(list, func(o Event) bool { return !w.meets(o.Span(loc)) })
}

// nextDays is the kind of suggestion for what comes after the range.
func (d dialog) nextDays() string {
	switch d.request.Range.Name {
	case datetime.Today:
		return "tomorrow"
	case datetime.NextWeek, datetime.NextWeekend, datetime.ThisMonth:
		return "next_month"
	default:
		return "next_week"
	}
}

// find searches by words: in the range that was named, else from today on, else in what is past.
func (d dialog) find(ctx context.Context) (Result, error) {
	window := d.request.Range.TimeRange()
	named := !d.request.Range.IsZero()
	if !named {
		window = d.days(civil.DateOf(d.now).AddDays(-searchBehind), searchBehind+searchAhead)
	}
	found, err := d.look(ctx, window, d.request.Words)
	if err != nil {
		return Result{}, err
	}
	list := exactTitle(d.request.inPart(found.events, d.now.Location()), d.request.Words)
	if !named {
		list = upcomingFirst(list, d.now)
	}
	if d.request.Upcoming {
		list = list[:min(len(list), 1)]
	}
	shown := list[:min(len(list), maxItems)]
	var out Answer
	switch {
	case len(list) == 1:
		out = d.describe(list[0])
	case len(list) > 1:
		out = d.list(d.say(prompts.CalendarFound{Wanted: searchWords(d.request.Words), Count: len(list)}), shown, true)
	case !found.complete:
		return answered(d.unread(found.err), d.remember(nil)), nil
	default:
		p := prompts.CalendarNotFound{Wanted: searchWords(d.request.Words)}
		if named {
			p.Range = d.adverb()
		}
		out = d.plain(StatusEmpty, p)
		out.Facts.Nothing = true
		if named {
			d.also(ctx, &out, window)
		}
	}
	d.notes(&out, found.complete, found.asOf, len(list) > 0)
	out.Suggestions = d.kinds("own_today", "own_week", "own_free")
	if len(list) > 0 {
		out.Suggestions = d.kinds("place", "own_today", "own_week")
	}
	return answered(out, d.remember(shown)), nil
}

// also tells what else there is at a time at which nothing of that name was found.
func (d dialog) also(ctx context.Context, out *Answer, window civil.TimeRange) {
	found, err := d.look(ctx, window, "")
	list := d.request.inPart(found.events, d.now.Location())
	if err != nil || len(list) == 0 {
		return
	}
	intro := d.say(prompts.CalendarList{Range: d.rangeWords(), Count: len(list)})
	shown := d.list(intro, list[:min(len(list), maxItems)], false)
	out.Spoken = append(display.Sentences(out.Text), shown.Spoken...)
	out.Text, out.Cards = display.JoinParts(out.Text, shown.Text), shown.Cards
}

// exactTitle keeps the entries that are called exactly so, where there are any.
func exactTitle(list []Event, words string) []Event {
	words = strings.TrimSpace(words)
	return narrow(list, func(o Event) bool { return strings.EqualFold(strings.TrimSpace(o.Title), words) })
}

// upcomingFirst keeps what is not over, soonest first, one of each series; else the latest.
func upcomingFirst(list []Event, now time.Time) []Event {
	loc := now.Location()
	slices.SortStableFunc(list, func(a, b Event) int { return a.Span(loc).Start.Compare(b.Span(loc).Start) })
	seen := map[string]bool{"": false}
	ahead := slices.DeleteFunc(slices.Clone(list), func(o Event) bool {
		again := seen[o.Series] || display.Ended(o.Span(loc), now)
		seen[o.Series] = o.Series != "" && (seen[o.Series] || !again)
		return again
	})
	if len(ahead) > 0 {
		return ahead
	}
	return list[max(0, len(list)-1):]
}

// describe answers with one entry: when it is, or the detail that was asked for.
func (d dialog) describe(o Event) Answer {
	r := d.request
	out := Answer{
		Cards: d.cards(o), Range: d.request.Range, Facts: Facts{Calendar: StatusOK, Events: 1, Changed: o.Cancelled()},
	}
	switch {
	case r.Note:
		out.Text = d.say(prompts.CalendarNote{Title: d.title(o), Note: o.Description})
		return out
	case r.Field == nlu.FieldPlace:
		out.Text = d.say(prompts.CalendarPlace{Title: d.title(o), Place: o.Location})
		return out
	}
	p := prompts.CalendarWhen{
		Title: d.title(o), When: d.when(o), Place: o.Location, Past: display.Ended(o.Span(d.now.Location()), d.now),
		Next: r.Do == DoNext || r.Do == DoAfter,
	}
	if r.Field == nlu.FieldTime && r.Do == DoRecall {
		p.Place = ""
	}
	out.Text = d.say(p)
	if r.Field != nlu.FieldTime && o.Description != "" {
		d.note(&out, o.Description)
	}
	return out
}

// upcoming tells the next entry: from now on, or after the one that was told last.
func (d dialog) upcoming(ctx context.Context) (Result, error) {
	from, next := d.now, d.Memory
	if n := len(next.Events); d.request.Do == DoAfter && n > 0 {
		from = next.Events[cmp.Or(next.Focus, n)-1].Span(d.now.Location()).Start
	}
	window := civil.TimeRange{Start: from, End: from.AddDate(0, 0, searchBehind)}
	d.defaultRange(display.Span{Name: datetime.Range, Start: window.Start, End: window.End, Explicit: true})
	found, err := d.look(ctx, window, "")
	if err != nil {
		return Result{}, err
	}
	next.Request = Request{Do: DoList}
	ahead := func(o Event) bool { return !o.Cancelled() && o.Span(d.now.Location()).Start.After(from) }
	var out Answer
	switch i := slices.IndexFunc(found.events, ahead); {
	case i >= 0:
		out = d.describe(found.events[i])
		out.Range, out.Suggestions = display.Span{}, d.kinds("after", "place", "own_today")
		next = d.remember(found.events[i : i+1])
		next.Request = Request{Do: DoList}
	case !found.complete:
		return answered(d.unread(found.err), next), nil
	case d.request.Do == DoNext:
		ahead := d.say(prompts.CalendarAhead{})
		out = Answer{Text: d.say(prompts.CalendarEmpty{Range: ahead}), Facts: Facts{Calendar: StatusEmpty}}
	default:
		out = Answer{Text: d.say(prompts.CalendarNoMore{}), Facts: Facts{Calendar: StatusEmpty}}
	}
	d.notes(&out, found.complete, found.asOf, out.Facts.Events > 0)
	if out.Facts.Events == 0 {
		out.Suggestions = d.kinds("own_week", "own_free")
	}
	return answered(out, next), nil
}

// recall answers about entries that were told before.
func (d dialog) recall() Result {
	next := d.Memory
	list, item := next.Events, d.request.Item
	switch {
	case item < 0 || item > len(list):
		return answered(d.noSuchItem(len(list)), next)
	case item == 0 && len(list) > 1:
		var lines []string
		for _, o := range list {
			lines = append(lines, d.describe(o).Text)
		}
		return answered(Answer{
			Text: strings.Join(lines, "\n"), Spoken: lines[:min(len(lines), maxSpoken)],
			Cards: d.cards(list...), Facts: Facts{Calendar: StatusOK, Events: len(list)},
		}, next)
	case item > 0:
		next.Focus = item
	}
	out := d.describe(list[max(item, 1)-1])
	out.Suggestions = d.kinds("after", "own_today")
	return answered(out, next)
}

// noSuchItem says that fewer were told than the one that is meant.
func (d dialog) noSuchItem(told int) Answer {
	return Answer{
		Text: d.say(prompts.CalendarNoItem{Count: told}), Facts: Facts{Calendar: StatusOK, Asking: true},
		Suggestions: d.kinds("own_today"),
	}
}

// already answers a second yes.
func (d dialog) already() Result {
	next := d.Memory
	return answered(Answer{
		Text:  d.say(prompts.CalendarAlready{Do: string(next.Wrote), Title: next.WroteTitle}),
		Cards: d.cards(next.Events...), Facts: Facts{Calendar: StatusOK}, Suggestions: d.kinds("own_today", "own_week"),
	}, next)
}
