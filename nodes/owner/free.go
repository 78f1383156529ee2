package owner

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// free says whether a day or a part of one is free.
func (d dialog) free(ctx context.Context) (Result, error) {
	d.defaultRange(today(d.now))
	window := d.request.Range.TimeRange()
	found, err := d.look(ctx, window, "")
	if err != nil {
		return Result{}, err
	}
	busy := agenda.BusyEvents(found.all, window)
	shown := eventsOf(busy[:min(len(busy), maxItems)])
	out := d.plain(StatusOK, prompts.CalendarFree{Range: d.adverb()})
	switch {
	case len(busy) > 0:
		out = d.list(d.say(prompts.CalendarBusy{Range: d.adverb(), Count: len(busy)}), shown, len(shown) > 1)
		if found.complete {
			d.note(&out, d.say(prompts.CalendarRest{Times: d.gaps(found.all, window)}))
		}
	case !found.complete:
		return answered(d.unread(found.err), d.remember(nil)), nil
	}
	d.notes(&out, found.complete, found.asOf, len(busy) > 0 || d.request.Range.Clock)
	out.Suggestions = d.kinds(d.nextDays(), "own_free", "own_today")
	return answered(out, d.remember(shown)), nil
}

// today is the span of this day.
func today(now time.Time) display.Span {
	s := spanOfDays(now, 1)
	s.Name, s.Explicit = datetime.Today, true
	return s
}

// leastGap is how long a free time is at least to be named.
const leastGap = 15 * time.Minute

// gaps names the free times of the window from now on; of a whole day those of working hours.
func (d dialog) gaps(events []calendar.Event, window civil.TimeRange) string {
	day := civil.DateOf(window.Start)
	if !d.request.Range.Clock {
		window.Start, window.End = window.Start.Add(9*time.Hour), window.Start.Add(18*time.Hour)
	}
	if window.Start.Before(d.now) {
		window.Start = d.now.Truncate(time.Minute)
	}
	var gaps []string
	from := window.Start
	end := agenda.Busy{TimeRange: civil.TimeRange{Start: window.End}}
	for _, busy := range append(agenda.BusySlots(events, window), end) {
		if busy.Start.Sub(from) >= leastGap {
			gaps = append(gaps, display.WrittenHours(from, busy.Start, day, d.lang))
		}
		from = busy.End
	}
	return display.Enumerate(gaps, d.lang)
}

// asked are the first and the last day that are asked about, from today on, as far as one can look.
func (d dialog) asked() (first, last civil.Date) {
	first, last = civil.DateOf(d.request.Range.Start), d.request.Range.LastDate()
	past := d.request.Range.Past && d.request.Do == DoFreeDays
	if today := civil.DateOf(d.now); first.Before(today) && !past {
		first = today
	}
	if last.Before(first) {
		last = first
	}
	if last.Sub(first) >= agenda.MaxDays {
		last = first.AddDays(agenda.MaxDays - 1)
	}
	return first, last
}

// freeDays names the days of a range on which nothing is planned.
func (d dialog) freeDays(ctx context.Context) (Result, error) {
	d.defaultRange(display.ThisWeek(d.now))
	first, last := d.asked()
	found, err := d.agenda.Availability(ctx, agenda.Question{From: first, To: last, Hours: agendaHours(d.request.Part)})
	if err != nil {
		return Result{}, err //nolint:wrapcheck // agenda says what it did
	}
	next := d.remember(nil)
	if !found.Known {
		return answered(d.unread(nil), next), nil
	}
	total := 0
	for day := first; !day.After(last); day = day.AddDays(1) {
		if d.request.on(day) {
			total++
		}
	}
	days := slices.DeleteFunc(found.FreeDays, func(day civil.Date) bool { return !d.request.on(day) })
	out := d.plain(StatusOK, prompts.CalendarFreeDays{
		Range: d.adverb(), Days: d.dayList(days), Count: len(days), All: len(days) == total,
	})
	out.Facts.Assumed = !d.request.Range.Explicit
	d.notes(&out, true, found.AsOf, false)
	out.Suggestions = d.kinds("own_suggest", "next_week")
	return answered(out, next), nil
}

// dayList names days, the first few if there are many.
func (d dialog) dayList(days []civil.Date) string {
	least, sep := display.DayOnly, "、"
	if d.lang == nlu.English {
		least, sep = display.MonthAndDay, "; "
	}
	var words []string
	before := civil.Date{Year: civil.DateOf(d.now).Year}
	for _, day := range days[:min(len(days), maxItems)] {
		words = append(words, display.WrittenDate(day, max(display.Since(day, before), least), d.lang))
		before = day
	}
	if rest := len(days) - len(words); rest > 0 {
		words = append(words, d.say(prompts.CalendarMoreDays{Count: rest}))
	}
	return strings.Join(words, sep)
}

// suggest proposes times for something, and remembers them so that one can be picked.
func (d dialog) suggest(ctx context.Context) (Result, error) {
	first, last := d.asked()
	found, err := d.agenda.Suggest(ctx, agenda.SuggestQuestion{
		From: first, To: last, Weekdays: d.request.Weekdays.List(), Duration: d.request.Edit.Length,
		Hours: d.request.meetingHours(),
	})
	if err != nil {
		return Result{}, err //nolint:wrapcheck // agenda says what it did
	}
	next := d.remember(nil)
	next.Slots = found.Slots
	if !found.Complete {
		return answered(d.unread(nil), next), nil
	}
	out := d.plain(StatusOK, prompts.CalendarSuggest{
		Range: d.adverb(), Length: d.length(d.request.Edit.Length), Count: len(found.Slots),
	})
	if len(found.Slots) == 0 {
		out.Facts.Calendar, out.Facts.Nothing, out.Suggestions = StatusEmpty, true, d.kinds("next_week", "own_free")
		return answered(out, next), nil
	}
	lines := []string{out.Text, ""}
	out.Spoken = []string{out.Text}
	for i, r := range found.Slots {
		when := d.when(Event{Entry: display.Entry{Start: r.Start, End: r.End}})
		lines = append(lines, d.say(prompts.CalendarSlot{Number: i + 1, When: when}))
		if i < maxSpoken {
			out.Suggestions = append(out.Suggestions, d.say(prompts.CalendarPick{Number: i + 1}))
			out.Spoken = append(out.Spoken, d.say(prompts.CalendarSlotSpoken{Number: i + 1, When: when}))
		}
	}
	which := d.say(prompts.CalendarPickOne{})
	out.Text, out.Spoken = strings.Join(lines, "\n")+"\n\n"+which, append(out.Spoken, which)
	d.notes(&out, true, found.AsOf, true)
	return answered(out, next), nil
}
