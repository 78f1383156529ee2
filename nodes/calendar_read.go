package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/prompts"
)

// How many days around today are searched for an entry of which nobody said when it is.
const (
	searchAhead  = 365
	searchBehind = 90
)

// read answers what changes nothing. Its error is the end of the whole turn; a calendar that fails is an answer.
func (d diary) read(ctx context.Context) (draft, topic, error) {
	var out draft
	var next topic
	var err error
	switch d.wish.Do {
	case doFind:
		out, next, err = d.find(ctx)
	case doFree:
		out, next, err = d.free(ctx)
	case doFreeDays:
		out, next, err = d.freeDays(ctx)
	case doSuggest:
		out, next, err = d.suggestTimes(ctx)
	case doNext, doAfter:
		out, next, err = d.upcoming(ctx)
	case doRecall:
		out, next = d.recallOwn()
	case doAlready:
		out, next = d.already()
	case doList, doPick, doWrite, "":
		out, next, err = d.show(ctx)
	}
	if failed(ctx, err) {
		return draft{}, topic{}, err
	}
	if err != nil {
		d.warn(ctx, err)
		return d.unread(err), topic{Node: nodeCalendar, Look: d.wish, Range: d.wish.Range}, nil
	}
	return out, next, nil
}

// ranged gives the wish the range it lacks.
func (d *diary) ranged(s span) {
	if d.wish.Range.isZero() {
		d.wish.Range = s
	}
	d.aboutIt()
}

// today is the span of this day.
func today(now time.Time) span {
	day := civil.DateOf(now)
	days := civil.Days(day, day.AddDays(1), now.Location())
	return span{Name: datetime.Today, Start: days.Start, End: days.End, Explicit: true}
}

// show lists a range; where none was named it is this week.
func (d diary) show(ctx context.Context) (draft, topic, error) {
	d.ranged(thisWeek(d.now))
	listing, err := d.agenda.List(ctx, d.wish.Range.timeRange())
	if err != nil {
		return draft{}, topic{}, err //nolint:wrapcheck // agenda says what it did
	}
	d.warnAll(ctx, listing)
	all := d.wished(ownedAll(listing.Events))
	skip := min(d.wish.Skip, len(all))
	list := all[skip:min(len(all), skip+maxItems)]
	words := d.rangeWords()
	var out draft
	switch {
	case len(list) > 0:
		intro := d.say(prompts.CalendarList{Range: words, Count: len(all)})
		out = d.list(intro, list, len(list) > 1)
		if rest := len(all) - skip - len(list); rest > 0 { // fewer are spoken than shown
			out.Text = joinParts(out.Text, d.say(prompts.EventsMore{Count: rest}))
			out.Spoken = d.spoken(intro, all[skip:])
		}
	case !listing.Complete:
		return d.unread(whyNot(listing)), topic{Node: nodeCalendar, Look: d.wish, Range: d.wish.Range}, nil
	default:
		out = draft{Text: d.say(prompts.CalendarEmpty{Range: words}), Range: d.rangeOnWire(), Facts: facts{Calendar: statusEmpty}}
	}
	out.Facts.Assumed = !d.wish.Range.Explicit
	d.notes(&out, listing.Complete, listing.AsOf, len(list) > 0)
	next := d.topic(list)
	next.Offset, next.Total = skip, len(all)
	out.Suggestions = d.suggestNext(next)
	return out, next, nil
}

// wished keeps the entries of the part of the days that is wished for.
func (d diary) wished(list []own) []own {
	return slices.DeleteFunc(list, func(o own) bool { return !d.wish.meets(o.span(d.now.Location())) })
}

// suggestNext proposes what to ask after a list.
func (d diary) suggestNext(next topic) []string {
	var kinds []string
	if next.Offset+len(next.Own) < next.Total {
		kinds = append(kinds, "more")
	}
	kinds = append(kinds, d.nextDays())
	if len(next.Own) > 0 {
		kinds = append(kinds, "place")
	}
	return d.kinds(append(kinds, "own_free")...)
}

// nextDays is the kind of suggestion for what comes after the range.
func (d diary) nextDays() string {
	switch d.wish.Range.Name {
	case datetime.Today:
		return "tomorrow"
	case datetime.NextWeek, datetime.NextWeekend, datetime.ThisMonth:
		return "next_month"
	default:
		return "next_week"
	}
}

// find searches by words: in the range that was named, else from today on, else in what is past.
func (d diary) find(ctx context.Context) (draft, topic, error) {
	window := d.wish.Range.timeRange()
	named := !d.wish.Range.isZero()
	if !named {
		window = d.days(civil.DateOf(d.now).AddDays(-searchBehind), searchBehind+searchAhead)
	}
	listing, err := d.agenda.Find(ctx, window, d.wish.Words)
	if err != nil {
		return draft{}, topic{}, err //nolint:wrapcheck // agenda says what it did
	}
	d.warnAll(ctx, listing)
	list := best(d.wished(ownedAll(listing.Events)), d.wish.Words)
	if !named {
		list = aheadFirst(list, d.now)
	}
	if d.wish.Upcoming {
		list = list[:min(len(list), 1)]
	}
	next := d.topic(list[:min(len(list), maxItems)])
	var out draft
	switch {
	case len(list) == 1:
		out = d.tellOne(list[0])
	case len(list) > 1:
		shown := list[:min(len(list), maxItems)]
		out = d.list(d.say(prompts.CalendarFound{Wanted: quote(d.wish.Words), Count: len(list)}), shown, true)
	case !listing.Complete:
		return d.unread(whyNot(listing)), next, nil
	default:
		p := prompts.CalendarNotFound{Wanted: quote(d.wish.Words)}
		if named {
			p.Range = d.adverb()
		}
		out = draft{Text: d.say(p), Range: d.rangeOnWire(), Facts: facts{Calendar: statusEmpty, Nothing: true}}
	}
	d.notes(&out, listing.Complete, listing.AsOf, len(list) > 0)
	out.Suggestions = d.kinds("own_today", "own_week", "own_free")
	if len(list) > 0 {
		out.Suggestions = d.kinds("place", "own_today", "own_week")
	}
	return out, next, nil
}

// best keeps the entries that are called exactly so, where there are any, and one of each series.
func best(list []own, words string) []own {
	var exact []own
	for _, o := range list {
		if strings.EqualFold(strings.TrimSpace(o.Title), strings.TrimSpace(words)) {
			exact = append(exact, o)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return list
}

// aheadFirst keeps what is not over, soonest first, one of each series; where all is over the latest.
func aheadFirst(list []own, now time.Time) []own {
	loc := now.Location()
	slices.SortStableFunc(list, func(a, b own) int { return a.span(loc).Start.Compare(b.span(loc).Start) })
	var ahead []own
	seen := map[string]bool{}
	for _, o := range list {
		if ended(o.span(loc), now) || o.Series != "" && seen[o.Series] {
			continue
		}
		if o.Series != "" {
			seen[o.Series] = true
		}
		ahead = append(ahead, o)
	}
	if len(ahead) > 0 {
		return ahead
	}
	return list[max(0, len(list)-1):]
}

// tellOne answers with one entry: when it is, or the detail that was asked for.
func (d diary) tellOne(o own) draft {
	out := draft{Cards: d.cards([]entry{o.entry}), Range: d.rangeOnWire(), Facts: facts{Calendar: statusOK, Events: 1, Changed: o.cancelled()}}
	place := noBrackets(o.Location)
	if d.wish.Note {
		out.Text = d.say(prompts.CalendarNote{Title: d.named(o.entry), Note: noBrackets(o.Description)})
		return out
	}
	if d.wish.Field == nlu.FieldPlace {
		out.Text = d.say(prompts.CalendarPlace{Title: d.named(o.entry), Place: place})
		return out
	}
	p := prompts.CalendarWhen{
		Title: d.named(o.entry), When: d.when(o.entry), Place: place, Past: ended(o.span(d.now.Location()), d.now),
		Next: d.wish.Do == doNext || d.wish.Do == doAfter,
	}
	if d.wish.Field == nlu.FieldTime && d.wish.Do == doRecall {
		p.Place = ""
	}
	out.Text = d.say(p)
	if d.wish.Field != nlu.FieldTime && o.Description != "" {
		d.note(&out, noBrackets(o.Description))
	}
	return out
}

// upcoming tells the next entry: from now on, or after the one that was told last.
func (d diary) upcoming(ctx context.Context) (draft, topic, error) {
	from := d.now
	if last := d.before.Own; d.wish.Do == doAfter && len(last) > 0 {
		at := len(last)
		if d.before.Focus > 0 {
			at = d.before.Focus
		}
		from = last[at-1].span(d.now.Location()).Start
	}
	d.ranged(span{Name: datetime.Range, Start: from, End: from.AddDate(0, 0, searchBehind), Explicit: true})
	listing, err := d.agenda.List(ctx, civil.TimeRange{Start: from, End: from.AddDate(0, 0, searchBehind)})
	if err != nil {
		return draft{}, topic{}, err //nolint:wrapcheck // agenda says what it did
	}
	d.warnAll(ctx, listing)
	for _, o := range ownedAll(listing.Events) {
		if o.cancelled() || !o.span(d.now.Location()).Start.After(from) {
			continue
		}
		out := d.tellOne(o)
		out.Range = nil
		d.notes(&out, listing.Complete, listing.AsOf, true)
		out.Suggestions = d.kinds("after", "place", "own_today")
		next := d.topic([]own{o})
		next.Look = calendarWish{Do: doList}
		return out, next, nil
	}
	next := d.before
	next.Node, next.Look = nodeCalendar, calendarWish{Do: doList}
	if !listing.Complete {
		return d.unread(whyNot(listing)), next, nil
	}
	out := draft{Text: d.say(prompts.CalendarNoMore{}), Facts: facts{Calendar: statusEmpty}, Suggestions: d.kinds("own_week", "own_free")}
	if d.wish.Do == doNext {
		out.Text = d.say(prompts.CalendarEmpty{Range: inLang(d.lang, "これから3か月", "the next three months")})
	}
	d.notes(&out, listing.Complete, listing.AsOf, false)
	return out, next, nil
}

// recallOwn answers about entries that were told before.
func (d diary) recallOwn() (draft, topic) {
	next := d.before
	list := next.Own
	if d.wish.Item < 0 || d.wish.Item > len(list) {
		return draft{
			Text: d.say(prompts.CalendarNoItem{Count: len(list)}), Facts: facts{Calendar: statusOK, Asking: true}, Suggestions: d.kinds("own_today"),
		}, next
	}
	if d.wish.Item == 0 && len(list) > 1 {
		var lines []string
		out := draft{Cards: d.cards(entriesOf(list)), Facts: facts{Calendar: statusOK, Events: len(list)}}
		for _, o := range list {
			lines = append(lines, d.tellOne(o).Text)
		}
		out.Text = strings.Join(lines, "\n")
		out.Spoken = lines[:min(len(lines), maxSpokenEvents)]
		return out, next
	}
	if d.wish.Item > 0 {
		next.Focus = d.wish.Item
	}
	out := d.tellOne(list[max(d.wish.Item, 1)-1])
	out.Suggestions = d.kinds("after", "own_today")
	return out, next
}

// already answers a second yes.
func (d diary) already() (draft, topic) {
	next := d.before
	return draft{
		Text: d.say(prompts.CalendarAlready{Do: string(next.Wrote), Title: noBrackets(next.WroteTitle)}), Cards: d.cards(entriesOf(next.Own)),
		Facts: facts{Calendar: statusOK}, Suggestions: d.kinds("own_today", "own_week"),
	}, next
}
