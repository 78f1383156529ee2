package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

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
	adverb := d.adverb()
	var out draft
	switch {
	case len(busy) > 0:
		shown := busy[:min(len(busy), maxItems)]
		out = d.list(d.say(prompts.CalendarBusy{Range: adverb, Count: len(busy)}), shown, len(shown) > 1)
		if listing.Complete {
			d.note(&out, d.say(prompts.CalendarRest{Times: d.gaps(listing.Events, window)}))
		}
	case !listing.Complete:
		return d.unread(whyNot(listing)), topic{Node: nodeCalendar, Look: d.wish, Range: d.wish.Range}, nil
	default:
		out = draft{Text: d.say(prompts.CalendarFree{Range: adverb}), Range: d.rangeOnWire(), Facts: facts{Calendar: statusOK}}
	}
	d.notes(&out, listing.Complete, listing.AsOf, len(busy) > 0 || d.wish.Range.Clock)
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
		return text.Enumerate(words)
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
	found, err := d.agenda.Availability(ctx, agenda.Question{From: first, To: last, Hours: d.wish.Part.hours()})
	if err != nil {
		return draft{}, topic{}, err //nolint:wrapcheck // agenda says what it did
	}
	next := topic{Node: nodeCalendar, Look: d.wish, Range: d.wish.Range}
	if !found.Known {
		return d.unread(nil), next, nil
	}
	total := 0
	for day := first; !day.After(last); day = day.AddDays(1) {
		if d.wish.Weekdays == 0 || d.wish.Weekdays.Has(day.Weekday()) {
			total++
		}
	}
	found.FreeDays = slices.DeleteFunc(found.FreeDays, func(day civil.Date) bool {
		return d.wish.Weekdays != 0 && !d.wish.Weekdays.Has(day.Weekday())
	})
	out := draft{
		Text: d.say(prompts.CalendarFreeDays{
			Range: d.adverb(),
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
	found, err := d.agenda.Suggest(ctx, agenda.SuggestQuestion{
		From: first, To: last, Weekdays: d.wish.Weekdays.List(), Duration: d.wish.Edit.Length, Hours: d.wish.meetingHours(),
	})
	if err != nil {
		return draft{}, topic{}, err //nolint:wrapcheck // agenda says what it did
	}
	next := topic{Node: nodeCalendar, Look: d.wish, Range: d.wish.Range, Slots: found.Slots}
	if !found.Complete {
		return d.unread(nil), next, nil
	}
	intro := d.say(prompts.CalendarSuggest{
		Range:  d.adverb(),
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
