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
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
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
	case doList, doPick, doWrite:
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
	d.telling.wish.Range = d.wish.Range
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
	all := ownedAll(listing.Events)
	skip := min(d.wish.Skip, len(all))
	list := all[skip:min(len(all), skip+maxItems)]
	words := d.wish.Range.words(d.now, d.lang)
	var out draft
	switch {
	case len(list) > 0:
		out = d.list(d.say(prompts.CalendarList{Range: words, Count: len(all)}), list, len(list) > 1)
		if rest := len(all) - skip - len(list); rest > 0 {
			d.note(&out, d.say(prompts.EventsMore{Count: rest}))
		}
	case !listing.Complete:
		return d.unread(nil), topic{Node: nodeCalendar, Look: d.wish, Range: d.wish.Range}, nil
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
	list := best(ownedAll(listing.Events), d.wish.Words)
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
		return d.unread(nil), next, nil
	default:
		p := prompts.CalendarNotFound{Wanted: quote(d.wish.Words)}
		if named {
			p.Range = inLang(d.lang, d.wish.Range.words(d.now, d.lang), d.wish.Range.adverb(d.now, d.lang))
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
	if d.wish.Do == doRecall && d.wish.Field != nlu.FieldTime && o.Description != "" {
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
		return d.unread(nil), next, nil
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

// free says whether a day or a part of one is free.
func (d diary) free(ctx context.Context) (draft, topic, error) {
	d.ranged(today(d.now))
	window := d.wish.Range.timeRange()
	listing, err := d.agenda.List(ctx, window)
	if err != nil {
		return draft{}, topic{}, err //nolint:wrapcheck // agenda says what it did
	}
	d.warnAll(ctx, listing)
	busy := ownedAll(agenda.BusyEvents(listing.Events, window))
	adverb := inLang(d.lang, d.wish.Range.words(d.now, d.lang), d.wish.Range.adverb(d.now, d.lang))
	var out draft
	switch {
	case len(busy) > 0:
		shown := busy[:min(len(busy), maxItems)]
		out = d.list(d.say(prompts.CalendarBusy{Range: adverb, Count: len(busy)}), shown, len(shown) > 1)
		if listing.Complete {
			d.note(&out, d.say(prompts.CalendarRest{Times: d.gaps(listing.Events, window)}))
		}
	case !listing.Complete:
		return d.unread(nil), topic{Node: nodeCalendar, Look: d.wish, Range: d.wish.Range}, nil
	default:
		out = draft{Text: d.say(prompts.CalendarFree{Range: adverb}), Range: d.rangeOnWire(), Facts: facts{Calendar: statusOK}}
	}
	d.notes(&out, listing.Complete, listing.AsOf, len(busy) > 0)
	out.Suggestions = d.kinds(d.nextDays(), "own_free", "own_today")
	return out, d.topic(busy[:min(len(busy), maxItems)]), nil
}

// gaps names the free times of the window from now on; of a whole day those of working hours.
func (d diary) gaps(events []calendar.Event, window civil.TimeRange) string {
	day := civil.DateOf(window.Start)
	if !d.wish.Range.Clock {
		window.Start, window.End = window.Start.Add(9*time.Hour), window.Start.Add(18*time.Hour)
	}
	if window.Start.Before(d.now) {
		window.Start = d.now.Truncate(time.Minute)
	}
	var words []string
	from := window.Start
	add := func(until time.Time) {
		if until.Sub(from) >= 15*time.Minute {
			_, clock := writtenEnd(until, day, d.lang)
			words = append(words, writtenClock(from, d.lang)+inLang(d.lang, "〜", "–")+clock)
		}
	}
	for _, b := range agenda.BusySlots(events, window) {
		add(b.Start)
		from = b.End
	}
	add(window.End)
	if d.lang == nlu.English {
		return joinEnglish(words)
	}
	return strings.Join(words, "、")
}

// freeDays names the days of a range on which nothing is planned.
func (d diary) freeDays(ctx context.Context) (draft, topic, error) {
	d.ranged(thisWeek(d.now))
	first, last := civil.DateOf(d.wish.Range.Start), d.wish.Range.lastDate()
	if today := civil.DateOf(d.now); first.Before(today) && !d.wish.Range.Past {
		first = today
	}
	if last.Sub(first) >= agenda.MaxDays {
		last = first.AddDays(agenda.MaxDays - 1)
	}
	found, err := d.agenda.Availability(ctx, agenda.Question{From: first, To: last})
	if err != nil {
		return draft{}, topic{}, err //nolint:wrapcheck // agenda says what it did
	}
	next := topic{Node: nodeCalendar, Look: d.wish, Range: d.wish.Range}
	if !found.Known {
		return d.unread(nil), next, nil
	}
	total := last.Sub(first) + 1
	out := draft{
		Text: d.say(prompts.CalendarFreeDays{
			Range: inLang(d.lang, d.wish.Range.words(d.now, d.lang), d.wish.Range.adverb(d.now, d.lang)),
			Days:  d.dayList(found.FreeDays, maxItems), Count: len(found.FreeDays), All: len(found.FreeDays) == total,
		}),
		Range: d.rangeOnWire(), Facts: facts{Calendar: statusOK, Assumed: !d.wish.Range.Explicit},
	}
	d.notes(&out, true, found.AsOf, false)
	out.Suggestions = d.kinds("own_suggest", "next_week")
	return out, next, nil
}

// dayList names days, the first few if there are many.
func (d diary) dayList(days []civil.Date, limit int) string {
	var words []string
	before := civil.Date{Year: civil.DateOf(d.now).Year}
	for _, day := range days[:min(len(days), limit)] {
		words = append(words, writtenDate(day, max(since(day, before), inDays(d.lang)), d.lang))
		before = day
	}
	rest := len(days) - len(words)
	if d.lang == nlu.English {
		if rest > 0 {
			return strings.Join(words, "; ") + "; " + d.say(prompts.CalendarMoreDays{Count: rest})
		}
		return strings.Join(words, "; ")
	}
	if rest > 0 {
		words = append(words, d.say(prompts.CalendarMoreDays{Count: rest}))
	}
	return strings.Join(words, "、")
}

// inDays is the least that is said of a day in a list.
func inDays(lang nlu.Language) dateParts {
	if lang == nlu.English {
		return monthAndDay
	}
	return dayOnly
}

// suggestTimes proposes times for something, and remembers them so that one can be picked.
func (d diary) suggestTimes(ctx context.Context) (draft, topic, error) {
	first, last := civil.DateOf(d.wish.Range.Start), d.wish.Range.lastDate()
	if today := civil.DateOf(d.now); first.Before(today) {
		first = today
	}
	if last.Before(first) {
		last = first
	}
	if last.Sub(first) >= agenda.MaxDays {
		last = first.AddDays(agenda.MaxDays - 1)
	}
	found, err := d.agenda.Suggest(ctx, agenda.SuggestQuestion{From: first, To: last, Duration: d.wish.Edit.Length, Hours: d.wish.Hours})
	if err != nil {
		return draft{}, topic{}, err //nolint:wrapcheck // agenda says what it did
	}
	next := topic{Node: nodeCalendar, Look: d.wish, Range: d.wish.Range, Slots: found.Slots}
	if !found.Complete {
		return d.unread(nil), next, nil
	}
	intro := d.say(prompts.CalendarSuggest{
		Range:  inLang(d.lang, d.wish.Range.words(d.now, d.lang), d.wish.Range.adverb(d.now, d.lang)),
		Length: d.length(d.wish.Edit.Length), Count: len(found.Slots),
	})
	out := draft{Text: intro, Range: d.rangeOnWire(), Facts: facts{Calendar: statusOK, Nothing: len(found.Slots) == 0}}
	if len(found.Slots) == 0 {
		out.Facts.Calendar = statusEmpty
		out.Suggestions = d.kinds("next_week", "own_free")
		return out, next, nil
	}
	out.Spoken = []string{intro}
	lines := []string{intro, ""}
	for i, r := range found.Slots {
		words := d.when(entry{Start: r.Start, End: r.End})
		lines = append(lines, d.say(prompts.CalendarSlot{Number: i + 1, When: words}))
		out.Suggestions = append(out.Suggestions, d.say(prompts.CalendarPick{Number: i + 1}))
		if i < maxSpokenEvents {
			out.Spoken = append(out.Spoken, d.say(prompts.CalendarSlotSpoken{Number: i + 1, When: words}))
		}
	}
	which := d.say(prompts.CalendarPickOne{})
	out.Text, out.Spoken = strings.Join(lines, "\n")+"\n\n"+which, append(out.Spoken, which)
	out.Suggestions = out.Suggestions[:min(len(out.Suggestions), 3)]
	d.notes(&out, true, found.AsOf, true)
	return out, next, nil
}
