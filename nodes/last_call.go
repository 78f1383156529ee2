package nodes

import (
	"annai/civil"
	"annai/nlu"
	"annai/nodes/display"
	"annai/prompts"
	"annai/venue"
)

// lastCall says until when orders are taken and visitors let in on a day of the venue, or of a part of it.
func lastCall(day venue.Day, lang nlu.Language) []string {
	if len(day.Spans) == 0 {
		return nil
	}
	last := day.Spans[len(day.Spans)-1]
	p := prompts.PartLast{}
	if !last.LastOrder.IsZero() {
		p.Order = display.WrittenClock(last.LastOrder, lang)
	}
	if !last.LastEntry.IsZero() {
		p.Entry = display.WrittenClock(last.LastEntry, lang)
	}
	if p == (prompts.PartLast{}) {
		return nil
	}
	return []string{p.In(string(lang))}
}

// lastToday says until when visitors are let in, while it is open.
func (o opening) lastToday() []string {
	if span, open := o.venue.Opening(o.now); open {
		return lastCall(o.venue.Day(span.Date), o.lang)
	}
	return nil
}

// lastThen says it of the one day that is asked about.
func (o opening) lastThen() []string {
	if days := o.wish.Range.DaysOf(maxListed); len(days) == 1 {
		return lastCall(o.venue.Day(days[0]), o.lang)
	}
	return o.lastUsually()
}

// lastUsually says how long before it closes visitors are let in, if that is so all week.
func (o opening) lastUsually() []string {
	minutes, today := 0, civil.DateOf(o.now)
	for i := range 7 {
		for _, span := range o.venue.Day(today.AddDays(i)).Spans {
			before := 0
			if !span.LastEntry.IsZero() {
				before = int(span.Until.Sub(span.LastEntry).Minutes())
			}
			if before == 0 || minutes > 0 && before != minutes {
				return nil
			}
			minutes = before
		}
	}
	if minutes == 0 {
		return nil
	}
	return []string{o.say(prompts.PartLast{EntryMinutes: minutes})}
}
